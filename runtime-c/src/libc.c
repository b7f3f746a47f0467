#include "runtime.h"

#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "libc.h"

static void (*leave_with)(int status);

#ifdef __GLIBC__

static void leave_on_exit(int status, void *unused)
{
    (void)unused;
    leave_with(status);
}

int upcr_at_exit(void (*leave_process)(int status))
{
    leave_with = leave_process;
    return on_exit(leave_on_exit, NULL);
}

int upcr_leave_main(int status)
{
    return status;
}

void upcr_exit_instead(int status)
{
    /* exit goes on with the handlers that are left. */
    exit(status);
}

#else

/* Other C libraries do not tell a handler the status. The driver links with --wrap=exit, so calls of exit in the program
   come here first; one in a shared library counts as exit(0) for the job's other threads. */
void __real_exit(int status) __attribute__((__noreturn__));
void __wrap_exit(int status) __attribute__((__noreturn__));

static int exit_status;

static void leave_on_exit(void)
{
    leave_with(exit_status);
}

void __wrap_exit(int status)
{
    exit_status = status;
    __real_exit(status);
}

int upcr_at_exit(void (*leave_process)(int status))
{
    leave_with = leave_process;
    return atexit(leave_on_exit);
}

int upcr_leave_main(int status)
{
    exit_status = status;
    return status;
}

void upcr_exit_instead(int status)
{
    /* These libraries forbid exit in a handler of exit. */
    fflush(NULL);
    _exit(status);
}

/* gcc's unwinder, if it was built for glibc as the one of Debian's musl-gcc is, calls this function of glibc, which finds
   the object at an address: the beginning of its answer, as <dlfcn.h> of glibc declares it. */
struct found_object {
    unsigned long long flags;
    const void *begin, *end, *link_map, *eh_frame_header;
};

/* The unwinder refers to these weakly, and calls all of them if one is there: a static link must have them all. */
__attribute__((__used__)) static void *const for_unwinder[] = {
    (void *)pthread_once,       (void *)pthread_mutex_lock,  (void *)pthread_mutex_unlock,
    (void *)pthread_key_create, (void *)pthread_getspecific, (void *)pthread_setspecific,
};

struct object_search {
    uintptr_t address;
    struct found_object *found;
};

static int is_object(struct dl_phdr_info *object, size_t size, void *data)
{
    const struct object_search *search = data;
    const ElfW(Phdr) *header = object->dlpi_phdr, *end = header + object->dlpi_phnum;
    (void)size;
    *search->found = (struct found_object){0};
    for (; header < end; header++) {
        uintptr_t begin = object->dlpi_addr + header->p_vaddr;
        if (header->p_type == PT_GNU_EH_FRAME)
            search->found->eh_frame_header = (const void *)begin;
        if (header->p_type == PT_LOAD && search->address - begin < header->p_memsz) {
            search->found->begin = (const void *)begin;
            search->found->end = (const void *)(begin + header->p_memsz);
        }
    }
    return search->found->begin != NULL && search->found->eh_frame_header != NULL;
}

int _dl_find_object(void *address, struct found_object *found) __attribute__((__weak__, __visibility__("default")));
int _dl_find_object(void *address, struct found_object *found)
{
    struct object_search search = {(uintptr_t)address, found};
    return dl_iterate_phdr(is_object, &search) ? 0 : -1;
}

#endif

const char *upcr_signal_name(int signal)
{
    static const char *const names[] = {
        [SIGHUP] = "HUP",       [SIGINT] = "INT",   [SIGQUIT] = "QUIT",   [SIGILL] = "ILL",   [SIGTRAP] = "TRAP", [SIGABRT] = "ABRT",
        [SIGBUS] = "BUS",       [SIGFPE] = "FPE",   [SIGKILL] = "KILL",   [SIGUSR1] = "USR1", [SIGSEGV] = "SEGV", [SIGUSR2] = "USR2",
        [SIGPIPE] = "PIPE",     [SIGALRM] = "ALRM", [SIGTERM] = "TERM",   [SIGCHLD] = "CHLD", [SIGCONT] = "CONT", [SIGSTOP] = "STOP",
        [SIGTSTP] = "TSTP",     [SIGTTIN] = "TTIN", [SIGTTOU] = "TTOU",   [SIGURG] = "URG",   [SIGXCPU] = "XCPU", [SIGXFSZ] = "XFSZ",
        [SIGVTALRM] = "VTALRM", [SIGPROF] = "PROF", [SIGWINCH] = "WINCH", [SIGIO] = "IO",     [SIGPWR] = "PWR",   [SIGSYS] = "SYS",
    };
    const char *name = signal >= 0 && (size_t)signal < sizeof names / sizeof *names ? names[signal] : NULL;
    return name != NULL ? name : "?";
}

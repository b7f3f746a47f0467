/* The start of a job: which threads are on which machine, and the memory that those of one machine share.

   The process that MPI's launcher has started becomes the launcher of one thread, its child, and watches over it
   (transport/host/), so a thread that dies is reported as under smp. Only the child uses the wire. */
#include "runtime.h"

#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "options.h"
#include "seat.h"
#include "transport/host/bind.h"
#include "transport/messages/launcher_network.h"
#include "transport/messages/net.h"
#include "transport/messages/wire_files.h"

static void *private_memory(size_t count, size_t bytes)
{
    void *memory = calloc(count, bytes);
    if (memory == NULL)
        upcr_fatal("out of memory");
    return memory;
}

/* Bytes of tables whose size grows with the number of threads. */
static uint64_t table_bytes;

void upcr_tp_traffic(struct upcr_traffic *traffic)
{
    net_enter();
    *traffic = (struct upcr_traffic){.messages = net_sent, .bytes = net_sent_bytes, .memory = table_bytes, .woken = net_woken};
    net_leave();
}

int upcr_tp_processes(void)
{
    return host_launched().processes;
}

/* ---- The two processes ---------------------------------------------------------------------------------------------- */

/* Forks. Returns in the thread's process; the other process watches over it and ends as it ends. */
static void split(const struct upcr_plan *plan)
{
    sigset_t watched, old;
    pid_t launcher = getpid(), pid;
    struct upcr_plan one = *plan;
    host_job_create(host_launched().number, 1, plan->threads); /* the wire has not reported the number yet */
    host_children_note();
    fflush(NULL);
    signal(SIGCHLD, SIG_DFL);
    host_watched_signals(&watched);
    sigprocmask(SIG_BLOCK, &watched, &old);
    launcher_prepare();
    net_files_start();
    (void)host_launched_by_srun();
    pid = fork();
    if (pid < 0)
        upcr_fatal("cannot start the thread's process: %s", strerror(errno));
    if (pid != 0) {
        one.threads = 1;
        upcr_threads = plan->threads; /* to determine whose element an address is */
        launcher_in_launcher();
        /* Thread 0's launcher reports the time limit, and its end ends the others. */
        if (one.timeout != 0 && host_job->first != 0)
            one.timeout += 5;
        host_monitor(&pid, &one);
    }
    launcher_in_thread();
    unsetenv(HOST_STATUS_VARIABLE); /* other jobs that the program starts have statuses of their own */
    upcr_mythread = host_job->first;
    /* If the process ends before it has become a thread, the cause is reported by itself. */
    host_write(&host_me()->end, HOST_ABORTED);
    host_become_thread(launcher, &old);
}

/* ---- Threads and machines ------------------------------------------------------------------------------------------- */

/* Numbers the threads machine by machine. Returns this process's number, and fills net.host with each machine's
   first thread. */
static int number_threads(int threads, struct wire_set *machine)
{
    int rank = wire_number(), host = rank, here = wire_place(machine), number = 0, place = 0;
    wire_broadcast(machine, &host, sizeof host);
    int *of_rank = private_memory((size_t)threads, sizeof *of_rank), *count = private_memory((size_t)threads, sizeof *count);
    of_rank[rank] = host;
    wire_gather(wire_all(), of_rank, sizeof *of_rank);
    for (int r = 0; r < threads; r++)
        count[of_rank[r]]++;
    net.host = private_memory((size_t)threads, sizeof *net.host);
    table_bytes += (size_t)threads * sizeof *net.host;
    /* A machine is identified by its first rank; machines are in the order of those ranks. */
    for (int h = 0; h < threads; h++) {
        if (h == host)
            number = place + here;
        for (int i = 0; i < count[h]; i++)
            net.host[place + i] = place;
        place += count[h];
    }
    free(of_rank);
    free(count);
    return number;
}

/* Divides each machine's threads into groups. */
static void form_groups(int me, int threads, int width)
{
    net.width = width != 0 ? width : threads;
    net.leader = private_memory((size_t)threads, sizeof *net.leader);
    table_bytes += (size_t)threads * sizeof *net.leader;
    for (int t = 0; t < threads; t++)
        if ((t - net.host[t]) % net.width == 0)
            net.leader[net.groups++] = t;
    for (int g = 0; g < net.groups; g++) {
        int behind = g + 1 < net.groups ? net.leader[g + 1] : threads;
        if (me >= net.leader[g] && me < behind) {
            net.my_group = g;
            net.first = net.leader[g];
            net.count = behind - net.first;
        }
    }
    table_bytes += net_credits_start(threads);
}

/* Returns how many threads are on this machine. */
static int neighbours(int me, int threads)
{
    int count = 0;
    for (int t = 0; t < threads; t++)
        count += net.host[t] == net.host[me];
    return count;
}

/* ---- Memory --------------------------------------------------------------------------------------------------------- */

/* Before the launchers are connected, the first process reports: it ends the others, unless it has no reason itself. */
void upcr_tp_refuse(void)
{
    const unsigned others_wait = 2, ended_within = 5;
    if (!net.launchers_know && host_launched().number != 0)
        sleep(others_wait);
    if (!net.launchers_know || launcher_claim())
        return;
    sleep(ended_within);
    _exit(1);
}

/* Opens memory for some threads of a machine, a file made by the first of them. The others open it through the first
   one's list of open files, so it needs no name. */
static int open_file(struct wire_set *sharers, int me, int first, size_t bytes)
{
    struct {
        long process;
        int file;
    } maker = {getpid(), -1};
    char path[64];
    if (me == first)
        maker.file = host_create_memory(bytes);
    wire_broadcast(sharers, &maker, sizeof maker);
    if (me == first)
        return maker.file;
    snprintf(path, sizeof path, "/proc/%ld/fd/%d", maker.process, maker.file);
    int file = open(path, O_RDWR | O_CLOEXEC);
    if (file < 0)
        upcr_fatal("cannot open %s, the memory of thread %d, which is on this machine: %s (workaround: -pshm-width 1)", path, first, strerror(errno));
    return file;
}

static void *map_file(size_t bytes, int file, size_t offset)
{
    void *mapped = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, file, (off_t)offset);
    if (mapped == MAP_FAILED)
        host_fatal_memory("map shared memory", bytes);
    return mapped;
}

static char *side;
static size_t side_bytes;

void *upcr_tp_side(int thread)
{
    return net_is_mine(thread) ? side + (size_t)(thread - net.first) * side_bytes : NULL;
}

/* Maps the group's block, the segments of its threads and their side memory. */
static void map_group(int me, int threads, size_t bytes)
{
    size_t count = (size_t)net.count, first = (size_t)net.first;
    size_t block = host_round_to_pages(sizeof *net.group + count * sizeof *net.group->member + (size_t)threads * sizeof(struct net_waiter));
    size_t stride = host_choose_stride(bytes, threads), from = host_file_start(block), apart = host_file_stride(bytes, stride);
    table_bytes += (size_t)threads * sizeof(struct net_waiter) / count;
    struct wire_set *group = wire_range(net.first, net.count);
    char *base = host_reserve_segments(count, bytes, stride);
    int file = open_file(group, me, net.first, from + count * (apart + side_bytes));
    net.group = map_file(block, file, 0);
    for (size_t t = 0; t < count; t++)
        host_map_segment(base + t * stride, bytes, file, from + t * apart);
    host_place_memory(base + (size_t)(me - net.first) * stride + UPCR_STATIC_START, bytes - UPCR_STATIC_START);
    if (side_bytes != 0)
        side = map_file(count * side_bytes, file, from + count * apart);
    wire_meet(group);
    wire_free(group);
    close(file);
    upcr_segment_base = (char *)((uintptr_t)base - first * stride);
    upcr_mapped_first = first;
    upcr_mapped_count = count;
    host_job->segment_base = upcr_segment_base;
    host_job->segment_stride = stride;
    host_job->segment_bytes = net.segment_bytes = bytes;
}

/* Binds the threads of this machine to their shares of its processors, unless the user has chosen otherwise, and
   determines how many then share one. */
static void place_threads(const struct upcr_plan *plan, struct wire_set *machine, int place, int here)
{
    struct host_masks masks = {.bytes = host_mask_bytes(), .count = here};
    masks.first = private_memory((size_t)here, masks.bytes);
    cpu_set_t *share = private_memory(1, masks.bytes);
    host_mask(host_mask_of(&masks, place));
    wire_gather(machine, masks.first, masks.bytes);
    enum upcr_binding how = plan->bind == UPCR_BIND_USUAL ? UPCR_BIND_SHARE : plan->bind;
    if (host_choose(how, &masks, place, share))
        host_bind(how, share);
    host_mask(host_mask_of(&masks, place));
    wire_gather(machine, masks.first, masks.bytes);
    net.crowd = host_sharers(&masks);
    free(masks.first);
    free(share);
    upcr_wait_configure(plan->polite, (unsigned)net.crowd);
    if (plan->show_placement == UPCR_PLACEMENT_SHOWN)
        host_show_placement(net.crowd);
}

/* Names the wire in the place where threads say on which processors they are. */
static void show_wire(const struct upcr_plan *plan, int me)
{
    char text[128];
    if (plan->show_placement != UPCR_PLACEMENT_SHOWN || me != 0)
        return;
    wire_describe(text, sizeof text);
    upcr_log("%s", text);
}

static void take_seats(struct wire_set *machine, int me, int here)
{
    size_t bytes = host_round_to_pages(upcr_seats_bytes(here));
    if (here == 1)
        return;
    int file = open_file(machine, me, net.host[me], bytes);
    upcr_seats_take(map_file(bytes, file, 0), net.host[me], here);
    wire_meet(machine);
    close(file);
}

/* Maps wakeups. If threads of this machine are in different groups, messages between them wake the receiver. */
static void map_wakeups(struct wire_set *machine, int me, int here)
{
    size_t bytes = host_round_to_pages(net_wakeups_bytes(here));
    if (here == net.count)
        return;
    int file = open_file(machine, me, net.host[me], bytes);
    net_wakeups_map(map_file(bytes, file, 0));
    wire_meet(machine);
    close(file);
}

/* Returns the heap size of all threads: what the machine with the least memory for each of its threads can provide,
   unless the user has chosen a size. */
static uint64_t agree_on_heap(const struct upcr_plan *plan, int here)
{
    uint64_t heap = plan->heap_bytes;
    if (!plan->heap_is_users)
        heap = heap / (uint64_t)here * (uint64_t)plan->threads >> 20 << 20;
    return wire_least(wire_all(), heap);
}

/* ---- Do all processes run the same? --------------------------------------------------------------------------------- */

/* Computes a hash that is equal where the same program is loaded, from the parts of it in memory that are not
   written to. */
static int hash_program(struct dl_phdr_info *info, size_t size, void *argument)
{
    const uint64_t prime = 0x100000001b3;
    const size_t most = 4 << 20;
    uint64_t *hash = argument;
    (void)size;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        if (part->p_type != PT_LOAD || (part->p_flags & PF_W))
            continue;
        const unsigned char *at = (const unsigned char *)info->dlpi_addr + part->p_vaddr;
        size_t bytes = part->p_filesz < most ? part->p_filesz : most;
        *hash = (*hash ^ part->p_filesz) * prime;
        for (size_t b = 0; b + sizeof(uint64_t) <= bytes; b += sizeof(uint64_t)) {
            uint64_t word;
            memcpy(&word, at + b, sizeof word);
            *hash = (*hash ^ word) * prime;
        }
    }
    return 1; /* the program comes first; its libraries do not matter */
}

/* Values that must be the same in all processes. */
struct agreed {
    uint64_t program, heap; /* heap: as chosen by the user */
    int32_t threads, width;
};

/* Describes a difference; NULL: there is none. */
static const char *compare(const struct agreed *mine, const struct agreed *first, char *text, size_t capacity)
{
    char one[32], other[32];
    if (mine->program != first->program)
        snprintf(text, capacity, "runs another program, or another build of it, than thread 0: the same file must be on all machines");
    else if (mine->threads != first->threads)
        snprintf(text, capacity, "was started with %d threads, thread 0 with %d (UPCR_THREADS, -n)", mine->threads, first->threads);
    else if (mine->heap != first->heap)
        snprintf(text, capacity, "was started with a shared heap of %s, thread 0 with %s (0: the default): UPC_SHARED_HEAP_SIZE must be the same everywhere",
                 upcr_print_size(one, sizeof one, mine->heap), upcr_print_size(other, sizeof other, first->heap));
    else if (mine->width != first->width)
        snprintf(text, capacity, "was started with -pshm-width %d, thread 0 with %d (0: the default)", mine->width, first->width);
    else
        return NULL;
    return text;
}

/* Ends the job before it starts if its processes do not fit together; one of them reports the reason. */
static void reject_different(const struct upcr_plan *plan, int processes)
{
    struct agreed mine = {.heap = plan->heap_is_users ? plan->heap_bytes : 0, .threads = plan->threads, .width = plan->width};
    char text[256], machine[LAUNCHER_HOST_CAPACITY] = "";
    int rank = wire_number();
    dl_iterate_phdr(hash_program, &mine.program);
    struct agreed first = mine;
    wire_broadcast(wire_all(), &first, sizeof first);
    const char *what = compare(&mine, &first, text, sizeof text);
    int least = (int)wire_least(wire_all(), (uint64_t)(what != NULL ? rank : processes));
    if (least == rank) {
        gethostname(machine, sizeof machine - 1);
        upcr_log_program("process %d, on %s, %s", rank, machine, what);
    }
    if (least == processes && plan->threads != processes && rank == 0)
        upcr_log_program("the program must run on %d thread%s, but %s has started %d process%s: start it with upcrun -n %d, or with MPI's own "
                         "launcher for as many",
                         plan->threads, plan->threads == 1 ? "" : "s", wire_starter, processes, processes == 1 ? "" : "es", plan->threads);
    if (least == processes && plan->threads == processes)
        return;
    /* The line is printed before the end of any process ends the others. */
    wire_meet(wire_all());
    _exit(1);
}

/* ---- The whole start ------------------------------------------------------------------------------------------------ */

/* Names the processes by their threads, and connects the launchers, which then decide who reports why the job does not
   start. */
static void connect_all(int me, int threads)
{
    wire_name_threads(me, threads);
    if (net.host[threads - 1] != 0)
        gethostname(host_job->machine, sizeof host_job->machine - 1);
    launcher_start(me, threads);
    net.launchers_know = true;
}

void upcr_tp_run(const struct upcr_plan *plan)
{
    int threads = plan->threads;
    if (plan->show_placement == UPCR_PLACEMENT_ONLY)
        upcr_fatal("UPC_SHOW_PLACEMENT=only: over messages the threads choose their processors when they run (upcrun -v shows which)");
    wire_check_launcher();
    split(plan);
    int processes = wire_start(threads);
    net_files_started();
    reject_different(plan, processes);
    struct wire_set *machine = wire_machine();
    int me = number_threads(threads, machine), here = neighbours(me, threads);
    host_job->first = upcr_mythread = me;
    upcr_threads = threads;
    upcr_threads_reciprocal = UINT64_MAX / (uint64_t)threads;
    connect_all(me, threads);
    show_wire(plan, me);
    place_threads(plan, machine, me - net.host[me], here);
    form_groups(me, threads, plan->width);
    uint64_t heap = agree_on_heap(plan, here);
    host_job->heap_bytes = net.heap_bytes = heap;
    host_job->heap_start = net.heap_start = plan->static_bytes;
    size_t bytes = host_round_to_pages(plan->static_bytes + heap);
    if (plan->side != NULL)
        side_bytes = host_round_to_pages(plan->side(bytes));
    map_group(me, threads, bytes);
    map_wakeups(machine, me, here);
    take_seats(machine, me, here);
    wire_free(machine);
    net_heap_start();
    host_core_exclude();
    net_termination_start();
    if (me != 0)
        host_take_null_input();
    wire_meet(wire_all());
    host_write(&host_me()->end, HOST_RUNNING);
    int pthreads = host_count_pthreads(getpid());
    host_write(&host_me()->helpers, pthreads > 1 ? (uint32_t)pthreads - 1 : 0); /* threads of the wire */
    net_engine_start();
}

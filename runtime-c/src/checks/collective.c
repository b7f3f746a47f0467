/* Collective operations: all threads must execute the same ones, in the same order, with the same arguments. Each thread writes down what
   it begins; once a barrier on the way has been passed, each compares with what another wrote. */
#include "runtime.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "checks/report.h"

/* A collective operation that a thread has begun. */
struct entry {
    const char *function;
    const upcr_place *here; /* NULL: not known */
    int arguments;
    struct upcr_argument argument[UPCR_MOST_ARGUMENTS];
    bool named; /* a barrier statement with a value */
    int value;
};

/* Two for each thread, used in turn: a thread begins the operation after the next only when all have compared this one. */
static struct entry *entries;
static unsigned round_number;
/* No barrier has been passed since this thread has begun its last operation. */
static bool pending;

/* The barrier statement that this thread executes. */
static const upcr_place *statement;

void upcr_check_collective_prepare(int threads)
{
    size_t bytes = 2 * (size_t)threads * sizeof *entries;
    entries = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (entries == MAP_FAILED)
        upcr_refuse("out of memory for the checks of -fupc-checks");
}

static struct entry *entry_of(int thread)
{
    return &entries[(round_number & 1) * (unsigned)upcr_threads + (unsigned)thread];
}

void upcr_check_enter(const char *function)
{
    if (upcr_forall_depth > 0)
        upcr_check_die(statement, CHECK_FORALL, function);
    /* An operation made of others goes by the name of the last. */
    if (!pending)
        round_number++;
    pending = true;
    *entry_of(upcr_mythread) = (struct entry){.function = function, .here = statement};
}

void upcr_check_arguments(const struct upcr_argument *arguments, int count)
{
    struct entry *mine = entry_of(upcr_mythread);
    mine->arguments = count;
    memcpy(mine->argument, arguments, (size_t)count * sizeof *arguments);
}

void upcr_check_value(int value)
{
    struct entry *mine = entry_of(upcr_mythread);
    mine->named = true;
    mine->value = value;
}

/* " (heat.upc:30)", or nothing. */
static const char *where(const struct entry *entry, char *text, size_t room)
{
    text[0] = '\0';
    if (entry->here != NULL)
        snprintf(text, room, " (%s:%d)", entry->here->file, entry->here->line);
    return text;
}

enum { WHERE_ROOM = 300, VALUE_ROOM = 100 };

static const char *print(const struct upcr_argument *argument, char *text, size_t room)
{
    unsigned long long value = argument->value, thread = argument->thread;
    if (!argument->is_place)
        snprintf(text, room, "%llu", value);
    else if (value == 0 && thread == 0)
        snprintf(text, room, "a null pointer");
    else
        snprintf(text, room, "a pointer to thread %llu, address 0x%llx", thread, value);
    return text;
}

static void compare_arguments(const struct entry *mine, const struct entry *first)
{
    char place[WHERE_ROOM], one[VALUE_ROOM], other[VALUE_ROOM];
    for (int i = 0; i < mine->arguments && i < first->arguments; i++) {
        const struct upcr_argument *a = &mine->argument[i], *b = &first->argument[i];
        if (a->value != b->value || a->thread != b->thread)
            upcr_check_die(mine->here, CHECK_ARGUMENTS, mine->function, a->name, print(a, one, sizeof one), 0, print(b, other, sizeof other),
                           where(first, place, sizeof place));
    }
}

static void compare_values(const struct entry *mine)
{
    char place[WHERE_ROOM];
    for (int t = 0; t < upcr_threads; t++) {
        const struct entry *other = entry_of(t);
        if (other->named && other->value != mine->value)
            upcr_check_die(mine->here, CHECK_VALUES, mine->value, t, other->value, where(other, place, sizeof place));
    }
}

void upcr_check_agree(void)
{
    const struct entry *mine = entry_of(upcr_mythread), *first = entry_of(0);
    char place[WHERE_ROOM];
    pending = false;
    /* At the start no operation has begun on any thread. */
    if (mine->function == NULL || first->function == NULL)
        return;
    if (strcmp(mine->function, first->function) != 0)
        upcr_check_die(mine->here, CHECK_DIFFERENT, mine->function, 0, first->function, where(first, place, sizeof place));
    compare_arguments(mine, first);
    if (mine->named)
        compare_values(mine);
}

void upcr_check_notify(int named, int value, const upcr_place *here)
{
    statement = here;
    upcr_notify(named, value);
    statement = NULL;
}

void upcr_check_wait(int named, int value, const upcr_place *here)
{
    statement = here;
    upcr_wait(named, value);
    statement = NULL;
}

void upcr_check_barrier(int named, int value, const upcr_place *here)
{
    statement = here;
    upcr_barrier(named, value);
    statement = NULL;
}

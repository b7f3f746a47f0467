/* Checks of collective operations: all threads must execute the same ones, in the same order, with the same
   arguments. Each thread records the operation that it begins; once the operation has passed a barrier, each thread
   compares its record with another thread's. */
#include "runtime.h"

#include <stdio.h>
#include <string.h>

#include "checks/blocks.h"
#include "checks/report.h"

/* A collective operation that a thread has begun. */
struct entry {
    uintptr_t anchor; /* address of the program in this process, by which others adjust its pointers */
    const char *function;
    const upcr_place *here; /* NULL: not known */
    int arguments;
    struct upcr_argument argument[UPCR_MOST_ARGUMENTS];
    bool named; /* a barrier statement with a value */
    int value;
};

/* The side memory of each thread has two entries, used in turn: a thread begins the operation after the next only
   when all have compared this one. */
static unsigned round_number;
/* True while no barrier has been passed since this thread began its last operation. */
static bool pending;

/* The barrier statement that this thread executes. */
static const upcr_place *statement;

size_t upcr_check_collective_bytes(void)
{
    const size_t line = UPCR_CACHE_LINE;
    return (2 * sizeof(struct entry) + line - 1) / line * line;
}

static struct entry *my_entry(void)
{
    return (struct entry *)upcr_tp_side(upcr_mythread) + (round_number & 1);
}

/* A query for an entry of a thread, and the entry. */
struct round_question {
    int thread;
    unsigned parity;
    struct entry entry;
};

static void answer_round(void *data)
{
    struct round_question *q = data;
    q->entry = ((const struct entry *)upcr_tp_side(q->thread))[q->parity];
}

static uintptr_t anchor(void)
{
    return (uintptr_t)&upcr_checks;
}

/* Adjusts a pointer into the program that comes from a process with the given anchor. */
static const void *moved(const void *pointer, uintptr_t its_anchor)
{
    return pointer == NULL ? NULL : (const void *)((uintptr_t)pointer - its_anchor + anchor());
}

/* Returns what another thread has begun. */
static struct entry entry_of(int thread)
{
    struct round_question q = {.thread = thread, .parity = round_number & 1};
    _Static_assert(sizeof q <= UPCR_CALL_MOST, "a question can be asked");
    upcr_tp_call(thread, answer_round, &q, sizeof q);
    struct entry *entry = &q.entry;
    entry->function = moved(entry->function, entry->anchor);
    entry->here = moved(entry->here, entry->anchor);
    for (int i = 0; i < entry->arguments; i++)
        entry->argument[i].name = moved(entry->argument[i].name, entry->anchor);
    return q.entry;
}

void upcr_check_enter(const char *function)
{
    if (upcr_forall_depth > 0)
        upcr_check_die(statement, CHECK_FORALL, function);
    /* An operation that consists of others is recorded under the name of the last. */
    if (!pending)
        round_number++;
    pending = true;
    *my_entry() = (struct entry){.anchor = anchor(), .function = function, .here = statement};
}

void upcr_check_arguments(const struct upcr_argument *arguments, int count)
{
    struct entry *mine = my_entry();
    mine->arguments = count;
    memcpy(mine->argument, arguments, (size_t)count * sizeof *arguments);
}

void upcr_check_value(int value)
{
    struct entry *mine = my_entry();
    mine->named = true;
    mine->value = value;
}

/* Writes " (heat.upc:30)", or an empty text. */
static const char *where(const struct entry *entry, char *text, size_t capacity)
{
    text[0] = '\0';
    if (entry->here != NULL)
        snprintf(text, capacity, " (%s:%d)", entry->here->file, entry->here->line);
    return text;
}

enum { PLACE_CAPACITY = 300, VALUE_CAPACITY = 100 };

static const char *print(const struct upcr_argument *argument, char *text, size_t capacity)
{
    unsigned long long value = argument->value, thread = argument->thread;
    if (!argument->is_place)
        snprintf(text, capacity, "%llu", value);
    else if (value == 0 && thread == 0)
        snprintf(text, capacity, "a null pointer");
    else
        snprintf(text, capacity, "a pointer to thread %llu, address 0x%llx", thread, value);
    return text;
}

static void compare_arguments(const struct entry *mine, const struct entry *first)
{
    char place[PLACE_CAPACITY], one[VALUE_CAPACITY], other[VALUE_CAPACITY];
    for (int i = 0; i < mine->arguments && i < first->arguments; i++) {
        const struct upcr_argument *a = &mine->argument[i], *b = &first->argument[i];
        if (a->value != b->value || a->thread != b->thread)
            upcr_check_die(mine->here, CHECK_ARGUMENTS, mine->function, a->name, print(a, one, sizeof one), 0, print(b, other, sizeof other),
                           where(first, place, sizeof place));
    }
}

static void compare_values(const struct entry *mine)
{
    char place[PLACE_CAPACITY];
    for (int t = 0; t < upcr_threads; t++) {
        const struct entry other = entry_of(t);
        if (other.named && other.value != mine->value)
            upcr_check_die(mine->here, CHECK_VALUES, mine->value, t, other.value, where(&other, place, sizeof place));
    }
}

void upcr_check_agree(void)
{
    const struct entry *mine = my_entry(), first = entry_of(0);
    char place[PLACE_CAPACITY];
    pending = false;
    upcr_blocks_doubt();
    /* At the start no thread has begun an operation. */
    if (mine->function == NULL || first.function == NULL)
        return;
    if (strcmp(mine->function, first.function) != 0)
        upcr_check_die(mine->here, CHECK_DIFFERENT, mine->function, 0, first.function, where(&first, place, sizeof place));
    compare_arguments(mine, &first);
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

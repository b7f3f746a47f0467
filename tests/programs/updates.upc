// question: updates whose value is not used leave what reads and writes would, wherever their memory is
// threads: 1 2 3 5
#include "check.h"
#include <upc_relaxed.h>

#define N 600
#define PER 64

typedef enum { NONE, ONE, TWO } choice_t;
typedef struct { signed char small; unsigned bits : 5; double weight; unsigned short count[3]; } entry_t;

shared [PER] unsigned long words[PER * THREADS];
shared [PER] int ints[PER * THREADS];
shared signed char chars[PER * THREADS];
shared unsigned short shorts[PER * THREADS];
shared [PER] double doubles[PER * THREADS];
shared float floats[PER * THREADS];
shared entry_t entries[THREADS];
shared _Bool flags[THREADS];
shared choice_t choices[THREADS];
shared volatile int seen[THREADS];
strict shared int strict_count;
shared int total, odd;
shared [] long long *shared rows[THREADS];

/* Each thread updates elements of the next one alone, so plain C on private copies is the oracle. */
static struct {
    unsigned long words[PER];
    int ints[PER];
    signed char chars[PER];
    unsigned short shorts[PER];
    double doubles[PER];
    float floats[PER];
    long long row[PER];
} twin;

static unsigned state;
static unsigned next(void) { return state = state * 1664525u + 1013904223u; }
static int calls;
static long counted(long value) { calls++; return value; }

/* One statement for both: `mine` is the private copy. */
#define BOTH(shared_place, mine, change) do { long save = calls; shared_place change; calls = save; mine change; } while (0)

static void integers(int to)
{
    int first = to * PER;
    for (int i = 0; i < N; i++) {
        unsigned r = next();
        int at = r >> 8 & PER - 1;
        long cyclic = to + at * (long)THREADS;
        switch (r >> 16 & 15) {
        case 0: BOTH(words[first + at], twin.words[at], ^= r * 3ul); break;
        case 1: BOTH(words[first + at], twin.words[at], -= r); break;
        case 2: BOTH(words[first + at], twin.words[at], |= -1 - (int)r); break;
        case 3: BOTH(ints[first + at], twin.ints[at], &= (int)r | 0xff00ff); break;
        case 4: BOTH(ints[first + at], twin.ints[at], += counted(r & 0xffff)); break;
        case 5: BOTH(ints[first + at], twin.ints[at], -= 5ull); break;
        case 6: BOTH(chars[cyclic], twin.chars[at], += 100); break;
        case 7: BOTH(chars[cyclic], twin.chars[at], --); break;
        case 8: BOTH(shorts[cyclic], twin.shorts[at], ++); break;
        case 9: BOTH(shorts[cyclic], twin.shorts[at], -= 70000); break;
        case 10: BOTH(shorts[cyclic], twin.shorts[at], ^= r); break;
        case 11: BOTH(rows[to][at], twin.row[at], += (long long)r << 20); break;
        case 12: BOTH(rows[to][at], twin.row[at], -= 1); break;
        case 13: BOTH(ints[first + at], twin.ints[at], = (int)r % 1000); break;
        case 14: CHECK(words[first + at] == twin.words[at] && rows[to][at] == twin.row[at]); break;
        default: CHECK(chars[cyclic] == twin.chars[at] && shorts[cyclic] == twin.shorts[at]); break;
        }
    }
}

static void floating(int to)
{
    for (int i = 0; i < N; i++) {
        unsigned r = next();
        int at = r >> 8 & PER - 1;
        double value = (r >> 4) * 1e-3;
        switch (r >> 16 & 7) {
        case 0: BOTH(doubles[to * PER + at], twin.doubles[at], += value); break;
        case 1: BOTH(doubles[to * PER + at], twin.doubles[at], -= value * 7); break;
        case 2: BOTH(doubles[to * PER + at], twin.doubles[at], += (int)r); break;
        case 3: BOTH(floats[to + at * (long)THREADS], twin.floats[at], += (float)value); break;
        case 4: BOTH(floats[to + at * (long)THREADS], twin.floats[at], += value); break;
        case 5: BOTH(doubles[to * PER + at], twin.doubles[at], ++); break;
        default: CHECK(doubles[to * PER + at] == twin.doubles[at] && floats[to + at * (long)THREADS] == twin.floats[at]); break;
        }
    }
}

/* Loops, in which the compiler moves accesses: a section, subscripts from memory, walking pointers. */
static void loops(int to)
{
    int ix[PER];
    for (int i = 0; i < PER; i++)
        ix[i] = next() >> 9 & PER - 1;
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < PER; i++)
            doubles[to * PER + i] += i * 0.25;
        for (int i = 0; i < PER; i++)
            ints[to * PER + ix[i]]++;
        shared [PER] unsigned long *p = &words[to * PER];
        for (int i = 0; i < PER; i += 2, p += 2)
            *p ^= i;
        for (int i = 0; i < PER; i++)
            twin.doubles[i] += i * 0.25, twin.ints[ix[i]]++, twin.words[i] ^= i % 2 == 0 ? i : 0;
    }
}

/* Types and places that are no updates, among others that are. */
static void others(int to)
{
    entries[to].small += 200;
    entries[to].bits += 37;
    entries[to].weight -= 0.5;
    entries[to].count[2] |= 0x10001;
    flags[to] += 2;
    choices[to] |= TWO;
    seen[to]++;
    CHECK((seen[to] += 4) == 5 && entries[to].bits == 5 && flags[to] == 1 && choices[to] == TWO);
    CHECK(entries[to].small == (signed char)200 && entries[to].weight == -0.5 && entries[to].count[2] == 1);
    (void)(ints[to * PER] += 3, twin.ints[0] += 3);
    to < 0 ? (void)(ints[to * PER]++) : (void)(ints[to * PER]--);
    twin.ints[0]--;
    int old = ints[to * PER]++;
    CHECK(old == twin.ints[0]);
    twin.ints[0]++;
}

static void compare(int to)
{
    for (int i = 0; i < PER; i++) {
        long cyclic = to + i * (long)THREADS;
        CHECK(words[to * PER + i] == twin.words[i] && ints[to * PER + i] == twin.ints[i]);
        CHECK(chars[cyclic] == twin.chars[i] && shorts[cyclic] == twin.shorts[i] && rows[to][i] == twin.row[i]);
        CHECK(doubles[to * PER + i] == twin.doubles[i] && floats[cyclic] == twin.floats[i]);
    }
}

/* A lock makes updates of all threads one after the other; fences order them with strict accesses. */
static void together(void)
{
    static upc_lock_t *lock;
    lock = upc_all_lock_alloc();
    for (int i = 0; i < 50; i++) {
        upc_lock(lock);
        total += MYTHREAD + 1;
        if (total % 2)
            odd++;
        upc_unlock(lock);
    }
    upc_barrier;
    CHECK(total == 25 * THREADS * (THREADS + 1));
    if (MYTHREAD == 0) {
        words[(THREADS - 1) * PER] += 41;
        strict_count = 1;
    } else {
        while (strict_count == 0)
            ;
    }
    upc_barrier;
    upc_all_lock_free(lock);
}

int main(void)
{
    int to = (MYTHREAD + 1) % THREADS;
    rows[MYTHREAD] = upc_alloc(PER * sizeof(long long));
    for (int i = 0; i < PER; i++)
        rows[MYTHREAD][i] = 0;
    state = MYTHREAD * 77 + 5;
    upc_barrier;
    for (int round = 0; round < 4; round++) {
        integers(to);
        floating(to);
        loops(to);
        if (round % 2)
            upc_barrier;
    }
    others(to);
    compare(to);
    upc_barrier;
    together();
    return pass();
}

/* Detection of data races (-fupc-races): the interface that the runtime itself uses. The implementation is in src/races/, which the
   linker takes from the library only if a unit compiled with -fupc-races refers to it; in other programs upcr_races has no address.

   A race is two accesses of different threads to a common byte of shared memory, at least one of them a write, that no
   synchronization orders (docs/races.md). Each thread has a clock, which advances whenever others may learn what the thread did
   (a release), and knows how far it has learnt of the others (acquire). Shadow memory keeps the last accesses to each 8 bytes. A new
   access races with one kept there whose clock is beyond what its thread knows.

   Each thread has an agent: a second thread of control that makes the accesses of non-blocking transfers and collective functions,
   which are ordered with the thread's own only by the initiation and the synchronization of the transfer or the call. */
#ifndef UPCR_RACES_INTERNAL_H
#define UPCR_RACES_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "upcr/upcr.h"

/* Exit status of a program in which races were reported and that ended without another error. */
enum { UPCR_RACES_STATUS = 66 };

/* How an access touches its bytes. */
enum upcr_touch {
    UPCR_TOUCH_READ = 0,
    UPCR_TOUCH_WRITE = 1,
    UPCR_TOUCH_ORDERED = 2, /* atomic or strict: such accesses do not race with one another */
};

/* From when on the agent may make the accesses of a collective function. */
enum upcr_since {
    UPCR_SINCE_NOW,     /* after what the thread has done and learnt so far */
    UPCR_SINCE_BARRIER, /* after the last barrier */
};

struct upcr_plan;

struct upcr_races {
    /* prepare is called before the threads are started, with the number of threads; start is called first in each thread.
       side_offset: of the part of the side memory that side_bytes has asked for. */
    void (*prepare)(int threads);
    size_t (*side_bytes)(size_t segment_bytes);
    void (*start)(size_t side_offset);
    /* The calling thread accesses n bytes at p, all with affinity to one thread. function: of the library; pc: in the user's code, 0
       to find the caller by the stack. */
    void (*touch)(upcr_pts_t p, size_t n, enum upcr_touch how, const char *function, const void *pc);
    /* The same for its agent. clock: the result of the first access of this transfer or call; 0: this is the first. The result is for
       `finished`. */
    uint32_t (*touch_later)(uint32_t clock, upcr_pts_t p, size_t n, enum upcr_touch how, enum upcr_since since, const char *function, const void *pc);
    /* The accesses of the agent up to this clock are done, and the thread knows it; `at_barrier`: it does so after its next notify. */
    void (*finished)(uint32_t clock);
    void (*finished_at_barrier)(uint32_t clock);
    /* n bytes at the place have been freed: accesses to them are forgotten. */
    void (*forget)(upcr_pts_t place, size_t n);
    /* Others that synchronize with the object at this place learn what the thread has done; the thread learns what they released. */
    void (*release)(upcr_pts_t object);
    void (*acquire)(upcr_pts_t object);
    /* The thread arrives at a barrier of all threads; it has passed it. */
    void (*arrive)(void);
    void (*pass)(void);
    /* The thread is about to acquire a lock; it has acquired it; it is about to release it. */
    void (*locking)(void);
    void (*locked)(upcr_pts_t lock, const void *pc, bool waited);
    void (*unlocking)(upcr_pts_t lock);
    /* The calling thread begins and ends a region whose accesses are not recorded. Regions nest. */
    void (*ignore_begin)(void);
    void (*ignore_end)(void);
    /* The calling thread runs the program's function that compares two elements of n bytes, whose accesses to them are those of the
       call, which are recorded already; it has done so: 0. */
    void (*compares)(upcr_pts_t a, upcr_pts_t b, size_t n);
    /* Returns the exit status of the thread, which would otherwise be `status`. others_run: all threads still run. */
    int (*status)(int status, bool others_run);
};

extern const struct upcr_races upcr_races __attribute__((__weak__));

static inline bool upcr_is_racing(void)
{
    return &upcr_races != NULL;
}

#endif

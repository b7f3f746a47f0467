/* Accesses by pointers-to-local. The C compiler instruments functions for ThreadSanitizer (-fsanitize=thread), and this file has the
   functions that it calls, in place of ThreadSanitizer's runtime. An access to memory of a segment takes part in the detection of races;
   all others return at once. */
#include "runtime.h"

#include <stdatomic.h>

#include "races/detector.h"

/* The start of each unit; entry and exit of each function, which other hooks follow (calls.c); the pointers of C++ objects. */
void __tsan_init(void);
void __tsan_func_entry(void *caller);
void __tsan_func_exit(void);
void __tsan_init(void)
{
}
void __tsan_func_entry(void *caller)
{
    (void)caller;
}
void __tsan_func_exit(void)
{
}

#define CALLER __builtin_return_address(0)

/* Each access of 1 to 16 bytes has functions of its own, for memory that is aligned, that is not, and that is volatile. */
#define ACCESS(name, bytes, how)                            \
    void __tsan_##name(void *address);                      \
    void __tsan_##name(void *address)                       \
    {                                                       \
        upcr_race_touch_local(address, bytes, how, CALLER); \
    }
#define ACCESSES(bytes)                                              \
    ACCESS(read##bytes, bytes, UPCR_TOUCH_READ)                      \
    ACCESS(write##bytes, bytes, UPCR_TOUCH_WRITE)                    \
    ACCESS(unaligned_read##bytes, bytes, UPCR_TOUCH_READ)            \
    ACCESS(unaligned_write##bytes, bytes, UPCR_TOUCH_WRITE)          \
    ACCESS(volatile_read##bytes, bytes, UPCR_TOUCH_READ)             \
    ACCESS(volatile_write##bytes, bytes, UPCR_TOUCH_WRITE)           \
    ACCESS(unaligned_volatile_read##bytes, bytes, UPCR_TOUCH_READ)   \
    ACCESS(unaligned_volatile_write##bytes, bytes, UPCR_TOUCH_WRITE) \
    ACCESS(read_write##bytes, bytes, UPCR_TOUCH_WRITE)               \
    ACCESS(unaligned_read_write##bytes, bytes, UPCR_TOUCH_WRITE)
ACCESSES(1)
ACCESSES(2)
ACCESSES(4)
ACCESSES(8)
ACCESSES(16)

void __tsan_read_range(void *address, size_t bytes);
void __tsan_write_range(void *address, size_t bytes);
void __tsan_read_range(void *address, size_t bytes)
{
    upcr_race_touch_local(address, bytes, UPCR_TOUCH_READ, CALLER);
}
void __tsan_write_range(void *address, size_t bytes)
{
    upcr_race_touch_local(address, bytes, UPCR_TOUCH_WRITE, CALLER);
}

/* gcc calls these in place of its own for structures. */
void *__tsan_memcpy(void *to, const void *from, size_t bytes);
void *__tsan_memmove(void *to, const void *from, size_t bytes);
void *__tsan_memset(void *to, int value, size_t bytes);
void *__tsan_memcpy(void *to, const void *from, size_t bytes)
{
    upcr_race_touch_local(from, bytes, UPCR_TOUCH_READ, CALLER);
    upcr_race_touch_local(to, bytes, UPCR_TOUCH_WRITE, CALLER);
    return __builtin_memcpy(to, from, bytes);
}
void *__tsan_memmove(void *to, const void *from, size_t bytes)
{
    upcr_race_touch_local(from, bytes, UPCR_TOUCH_READ, CALLER);
    upcr_race_touch_local(to, bytes, UPCR_TOUCH_WRITE, CALLER);
    return __builtin_memmove(to, from, bytes);
}
void *__tsan_memset(void *to, int value, size_t bytes)
{
    upcr_race_touch_local(to, bytes, UPCR_TOUCH_WRITE, CALLER);
    return __builtin_memset(to, value, bytes);
}

/* ---- Atomic operations of C: they replace the instructions, so they perform them, in the strongest order ------------------ */

#define ATOMIC_FETCH(bits, T, name, builtin)                                 \
    T __tsan_atomic##bits##_##name(volatile T *place, T value, int order);   \
    T __tsan_atomic##bits##_##name(volatile T *place, T value, int order)    \
    {                                                                        \
        (void)order;                                                         \
        upcr_race_atomic_begins(place, sizeof(T), UPCR_TOUCH_WRITE, CALLER); \
        T old = builtin(place, value, __ATOMIC_SEQ_CST);                     \
        upcr_race_atomic_ends(place);                                        \
        return old;                                                          \
    }
#define ATOMIC_COMPARE(bits, T, name)                                                                          \
    int __tsan_atomic##bits##_##name(volatile T *place, T *expected, T value, int order, int failure);         \
    int __tsan_atomic##bits##_##name(volatile T *place, T *expected, T value, int order, int failure)          \
    {                                                                                                          \
        (void)order, (void)failure;                                                                            \
        upcr_race_atomic_begins(place, sizeof(T), UPCR_TOUCH_WRITE, CALLER);                                   \
        int done = __atomic_compare_exchange_n(place, expected, value, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
        upcr_race_atomic_ends(place);                                                                          \
        return done;                                                                                           \
    }
#define ATOMICS(bits, T)                                                                                          \
    T __tsan_atomic##bits##_load(const volatile T *place, int order);                                             \
    T __tsan_atomic##bits##_load(const volatile T *place, int order)                                              \
    {                                                                                                             \
        (void)order;                                                                                              \
        upcr_race_atomic_begins(place, sizeof(T), UPCR_TOUCH_READ, CALLER);                                       \
        T value = __atomic_load_n(place, __ATOMIC_SEQ_CST);                                                       \
        upcr_race_atomic_ends(place);                                                                             \
        return value;                                                                                             \
    }                                                                                                             \
    void __tsan_atomic##bits##_store(volatile T *place, T value, int order);                                      \
    void __tsan_atomic##bits##_store(volatile T *place, T value, int order)                                       \
    {                                                                                                             \
        (void)order;                                                                                              \
        upcr_race_atomic_begins(place, sizeof(T), UPCR_TOUCH_WRITE, CALLER);                                      \
        __atomic_store_n(place, value, __ATOMIC_SEQ_CST);                                                         \
    }                                                                                                             \
    ATOMIC_FETCH(bits, T, exchange, __atomic_exchange_n)                                                          \
    ATOMIC_FETCH(bits, T, fetch_add, __atomic_fetch_add)                                                          \
    ATOMIC_FETCH(bits, T, fetch_sub, __atomic_fetch_sub)                                                          \
    ATOMIC_FETCH(bits, T, fetch_and, __atomic_fetch_and)                                                          \
    ATOMIC_FETCH(bits, T, fetch_or, __atomic_fetch_or)                                                            \
    ATOMIC_FETCH(bits, T, fetch_xor, __atomic_fetch_xor)                                                          \
    ATOMIC_FETCH(bits, T, fetch_nand, __atomic_fetch_nand)                                                        \
    ATOMIC_COMPARE(bits, T, compare_exchange_strong)                                                              \
    ATOMIC_COMPARE(bits, T, compare_exchange_weak)                                                                \
    T __tsan_atomic##bits##_compare_exchange_val(volatile T *place, T expected, T value, int order, int failure); \
    T __tsan_atomic##bits##_compare_exchange_val(volatile T *place, T expected, T value, int order, int failure)  \
    {                                                                                                             \
        __tsan_atomic##bits##_compare_exchange_strong(place, &expected, value, order, failure);                   \
        return expected;                                                                                          \
    }
ATOMICS(8, uint8_t)
ATOMICS(16, uint16_t)
ATOMICS(32, uint32_t)
ATOMICS(64, uint64_t)

void __tsan_atomic_thread_fence(int order);
void __tsan_atomic_signal_fence(int order);
void __tsan_atomic_thread_fence(int order)
{
    (void)order;
    atomic_thread_fence(memory_order_seq_cst);
}
void __tsan_atomic_signal_fence(int order)
{
    (void)order;
    atomic_signal_fence(memory_order_seq_cst);
}

/* The operations of reductions on runs of memory, and the functions that users call: a table of types times a table
   of operations. */
#include "collective/collective.h"

/* Number of totals that a fold computes side by side: enough to hide the latency of an addition and to fill vector
   registers. */
enum { LANES = 16 };

/* Integers are added and multiplied as unsigned numbers, which wrap. */
#define UPCR_ARITHMETIC_OPS(X, L, T, W) \
    X(ADD, L, T, (T)((W)a + (W)b))      \
    X(MULT, L, T, (T)((W)a * (W)b))     \
    X(LOGAND, L, T, (T)(a && b))        \
    X(LOGOR, L, T, (T)(a || b))         \
    X(MIN, L, T, a < b ? a : b)         \
    X(MAX, L, T, a > b ? a : b)
#define UPCR_BITWISE_OPS(X, L, T, W) \
    X(AND, L, T, (T)(a & b))         \
    X(OR, L, T, (T)(a | b))          \
    X(XOR, L, T, (T)(a ^ b))
#define UPCR_INTEGER_OPS(X, L, T, W) UPCR_ARITHMETIC_OPS(X, L, T, W) UPCR_BITWISE_OPS(X, L, T, W)

/* Letters in the function's name, type, type for the calculation, operations. */
#define UPCR_ELEMENT_TYPES(X)                             \
    X(C, signed char, unsigned, UPCR_INTEGER_OPS)         \
    X(UC, unsigned char, unsigned, UPCR_INTEGER_OPS)      \
    X(S, short, unsigned, UPCR_INTEGER_OPS)               \
    X(US, unsigned short, unsigned, UPCR_INTEGER_OPS)     \
    X(I, int, unsigned, UPCR_INTEGER_OPS)                 \
    X(UI, unsigned, unsigned, UPCR_INTEGER_OPS)           \
    X(L, long, unsigned long, UPCR_INTEGER_OPS)           \
    X(UL, unsigned long, unsigned long, UPCR_INTEGER_OPS) \
    X(F, float, float, UPCR_ARITHMETIC_OPS)               \
    X(D, double, double, UPCR_ARITHMETIC_OPS)             \
    X(LD, long double, long double, UPCR_ARITHMETIC_OPS)

#define UPCR_SCAN_BODY(T, APPLY)      \
    const T *a_ = in;                 \
    T *out_ = out, sum = *(T *)total; \
    for (size_t i = 0; i < n; i++) {  \
        sum = APPLY(sum, a_[i]);      \
        out_[i] = sum;                \
    }                                 \
    *(T *)total = sum

#define UPCR_DEFINE_OP(OP, L, T, EXPRESSION)                                                                   \
    static inline T apply_##L##_##OP(T a, T b)                                                                 \
    {                                                                                                          \
        return EXPRESSION;                                                                                     \
    }                                                                                                          \
    static void fold_##L##_##OP(void *total, const void *in, size_t n, upcr_user_function function)            \
    {                                                                                                          \
        const T *a_ = in;                                                                                      \
        T sum = *(T *)total;                                                                                   \
        size_t i = 0;                                                                                          \
        (void)function;                                                                                        \
        if (n >= 2 * LANES) {                                                                                  \
            T lane[LANES];                                                                                     \
            for (size_t j = 0; j < LANES; j++)                                                                 \
                lane[j] = a_[j];                                                                               \
            for (i = LANES; i + LANES <= n; i += LANES)                                                        \
                for (size_t j = 0; j < LANES; j++)                                                             \
                    lane[j] = apply_##L##_##OP(lane[j], a_[i + j]);                                            \
            for (size_t j = 0; j < LANES; j++)                                                                 \
                sum = apply_##L##_##OP(sum, lane[j]);                                                          \
        }                                                                                                      \
        for (; i < n; i++)                                                                                     \
            sum = apply_##L##_##OP(sum, a_[i]);                                                                \
        *(T *)total = sum;                                                                                     \
    }                                                                                                          \
    static void scan_##L##_##OP(void *total, const void *in, void *out, size_t n, upcr_user_function function) \
    {                                                                                                          \
        (void)function;                                                                                        \
        UPCR_SCAN_BODY(T, apply_##L##_##OP);                                                                   \
    }

/* Calls the caller's function with the elements in their order, once for each but the first. */
#define UPCR_DEFINE_USER(L, T)                                                                                 \
    typedef T (*user_##L)(T, T);                                                                               \
    static void fold_##L##_user(void *total, const void *in, size_t n, upcr_user_function function)            \
    {                                                                                                          \
        const T *a_ = in;                                                                                      \
        T sum = *(T *)total;                                                                                   \
        for (size_t i = 0; i < n; i++)                                                                         \
            sum = ((user_##L)function)(sum, a_[i]);                                                            \
        *(T *)total = sum;                                                                                     \
    }                                                                                                          \
    static void scan_##L##_user(void *total, const void *in, void *out, size_t n, upcr_user_function function) \
    {                                                                                                          \
        UPCR_SCAN_BODY(T, ((user_##L)function));                                                               \
    }

#define UPCR_LIST_OP(OP, L, T, EXPRESSION) [__builtin_ctz(UPC_##OP)] = {fold_##L##_##OP, scan_##L##_##OP},

/* A library function with the type's letters in its name. */
#define UPCR_DEFINE_ENTRY(NAME, DO, L, T)                                                                                         \
    void NAME##L(upcr_pts_t dst, upcr_pts_t src, upc_op_t op, size_t nelems, size_t blk_size, T (*func)(T, T), upc_flag_t flags); \
    void NAME##L(upcr_pts_t dst, upcr_pts_t src, upc_op_t op, size_t nelems, size_t blk_size, T (*func)(T, T), upc_flag_t flags)  \
    {                                                                                                                             \
        DO(&type_##L, &(struct upcr_arguments){.function = #NAME #L,                                                              \
                                               .dst = dst,                                                                        \
                                               .src = src,                                                                        \
                                               .count_name = "nelems",                                                            \
                                               .count = nelems,                                                                   \
                                               .block = blk_size,                                                                 \
                                               .func = (upcr_user_function)func,                                                  \
                                               .op = op,                                                                          \
                                               .flags = flags});                                                                  \
    }

#define UPCR_DEFINE_TYPE(L, T, W, OPS)                                                                                              \
    OPS(UPCR_DEFINE_OP, L, T, W)                                                                                                    \
    UPCR_DEFINE_USER(L, T)                                                                                                          \
    static const struct upcr_element_type type_##L = {sizeof(T), {OPS(UPCR_LIST_OP, L, T, W)}, {fold_##L##_user, scan_##L##_user}}; \
    UPCR_DEFINE_ENTRY(upc_all_reduce, upcr_reduce, L, T)                                                                            \
    UPCR_DEFINE_ENTRY(upc_all_prefix_reduce, upcr_prefix_reduce, L, T)                                                              \
    UPCR_DEFINE_ENTRY(bupc_all_reduce_all, upcr_reduce_all, L, T)

#pragma GCC visibility push(default)
UPCR_ELEMENT_TYPES(UPCR_DEFINE_TYPE)
#pragma GCC visibility pop

#define UPCR_LIST_TYPE(L, T, W, OPS) &type_##L,
const struct upcr_element_type *const upcr_element_types[] = {UPCR_ELEMENT_TYPES(UPCR_LIST_TYPE)};

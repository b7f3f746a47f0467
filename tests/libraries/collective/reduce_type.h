/* Tests of upc_all_reduceT and upc_all_prefix_reduceT for one type; included once for each. The includer defines T, the letters L and
   FLOATING, which is 1 for floating-point types. */
#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#define NAME(x) JOIN(x##_, L)
#define ELEMENT_TYPE T

DEFINE_ELEMENT(NAME(element))

static T NAME(commutative)(T a, T b)
{
    calls++;
    return (T)(a + b);
}

/* Associative, not commutative: x -> m x + c modulo 4, as 4 m + c; a, then b. */
static T NAME(ordered)(T a, T b)
{
    int x = (int)a, y = (int)b;
    calls++;
    return (T)((x / 4 * (y / 4)) % 4 * 4 + (x % 4 * (y / 4) + y % 4) % 4);
}

static T NAME(apply)(upc_op_t op, T a, T b)
{
    switch (op) {
    case UPC_ADD:
        return (T)(FLOATING ? a + b : (T)((unsigned long)a + (unsigned long)b));
    case UPC_MULT:
        return (T)(FLOATING ? a * b : (T)((unsigned long)a * (unsigned long)b));
    case UPC_LOGAND:
        return a && b;
    case UPC_LOGOR:
        return a || b;
    case UPC_MIN:
        return a < b ? a : b;
    case UPC_MAX:
        return a > b ? a : b;
#if !FLOATING
    case UPC_AND:
        return a & b;
    case UPC_OR:
        return a | b;
    case UPC_XOR:
        return a ^ b;
#endif
    case UPC_FUNC:
        return NAME(commutative)(a, b);
    default:
        return NAME(ordered)(a, b);
    }
}

/* Element i: such that no operation rounds or always ends at the same number. */
static T NAME(value)(const struct job *j, size_t i)
{
    unsigned h = (unsigned)(i * 2654435761u + j->round * 40503u) >> 9;
    switch (j->op) {
    case UPC_NONCOMM_FUNC:
        return (T)((h % 2 ? 3 : 1) * 4 + h / 2 % 4);
    case UPC_MULT:
        return FLOATING ? (T)(i % 4096 == 5 ? 2 : h % 2 ? 1 : -1) : (T)(h | 1);
    case UPC_LOGAND:
        return (T)(h % 1024 != 0);
    case UPC_LOGOR:
        return (T)(h % 1024 == 0 ? 2 : 0);
    case UPC_AND:
        return (T)~(i % 997 == 3 ? 1 << h % 7 : 0);
    case UPC_MIN:
    case UPC_MAX:
        return (T)(h % 100 + (i % 501) / 5);
    default:
        return (T)(h % 16);
    }
}

static size_t NAME(place)(const struct job *j, size_t i)
{
    return j->first + i;
}

/* Writes the elements with affinity to a thread. */
static void NAME(fill)(const struct job *j, int thread)
{
    size_t i;
    for (i = 0; i < j->n; i++) {
        shared T *p = (shared T *)NAME(element)(j->src, j->block, NAME(place)(j, i));
        if (upc_threadof(p) == thread)
            *p = NAME(value)(j, i);
    }
}

static void NAME(spoil)(const struct job *j, int thread)
{
    size_t i;
    for (i = 0; i < j->n; i++) {
        shared T *p = (shared T *)NAME(element)(j->src, j->block, NAME(place)(j, i));
        if (upc_threadof(p) == thread)
            *p = 99;
    }
}

/* The reduction of the first n elements, or all prefixes. Made of private values by one thread after the other. */
static void NAME(oracle)(const struct job *j, T *prefixes)
{
    size_t i;
    for (i = 0; i < j->n; i++)
        prefixes[i] = i == 0 ? NAME(value)(j, 0) : NAME(apply)(j->op, prefixes[i - 1], NAME(value)(j, i));
}

static void NAME(verify_prefixes)(const struct job *j, const T *prefixes, int thread)
{
    size_t i;
    for (i = 0; i < j->n; i++) {
        shared T *p = (shared T *)NAME(element)(j->dst, j->block, NAME(place)(j, i));
        if (upc_threadof(p) == thread)
            CHECK(*p == prefixes[i]);
    }
}

static void NAME(verify_result)(const struct job *j, const T *prefixes, int thread)
{
    if (upc_threadof(j->dst) == thread)
        CHECK(*(shared T *)j->dst == (j->n == 0 ? (T)55 : prefixes[j->n - 1]));
}

static void NAME(verify)(const struct job *j, const T *prefixes, int thread)
{
    if (j->prefix)
        NAME(verify_prefixes)(j, prefixes, thread);
    else
        NAME(verify_result)(j, prefixes, thread);
}

static void NAME(operate)(const struct job *j)
{
    T (*function)(T, T) = j->op == UPC_FUNC ? NAME(commutative) : j->op == UPC_NONCOMM_FUNC ? NAME(ordered) : NULL;
    shared void *src = NAME(element)(j->src, j->block, j->first);
    calls = 0;
    if (j->prefix)
        JOIN(upc_all_prefix_reduce, L)(NAME(element)(j->dst, j->block, j->first), src, j->op, j->n, j->block, function, j->flags);
    else
        JOIN(upc_all_reduce, L)(j->dst, src, j->op, j->n, j->block, function, j->flags);
}

static void NAME(one)(const struct job *j)
{
    T *prefixes = (T *)private_space;
    int mine_only = (j->flags & (UPC_OUT_NOSYNC | UPC_OUT_MYSYNC)) != 0;
    if (!j->prefix && upc_threadof(j->dst) == MYTHREAD)
        *(shared T *)j->dst = 55;
    NAME(fill)(j, j->flags & (UPC_IN_NOSYNC | UPC_IN_MYSYNC) ? MYTHREAD : neighbour());
    if (j->flags & UPC_IN_NOSYNC)
        upc_barrier;
    delay();
    NAME(operate)(j);
    calls_of[MYTHREAD] = calls;
    if (j->flags & UPC_OUT_NOSYNC)
        upc_barrier;
    NAME(oracle)(j, prefixes);
    NAME(verify)(j, prefixes, mine_only ? MYTHREAD : neighbour());
    NAME(spoil)(j, mine_only ? MYTHREAD : neighbour());
    upc_barrier;
    NAME(verify)(j, prefixes, MYTHREAD);
    verify_calls(j);
    upc_barrier;
}

static void NAME(test)(void)
{
    static const upc_op_t ops[] = {UPC_ADD, UPC_MULT, UPC_LOGAND, UPC_LOGOR, UPC_MIN, UPC_MAX, UPC_FUNC, UPC_NONCOMM_FUNC,
                                   UPC_AND, UPC_OR,   UPC_XOR};
    int op, combination;
    for (op = 0; op < (FLOATING ? 8 : 11); op++)
        for (combination = 0; combination < 2 * FLAGS; combination++) {
            struct job j = next_job(ops[op], combination, sizeof(T));
            NAME(one)(&j);
        }
}

#undef JOIN_
#undef JOIN
#undef NAME
#undef ELEMENT_TYPE
#undef T
#undef L
#undef FLOATING

/* Tests of upc_all_sort for elements of one size; included once for each. The includer defines T, a structure with an unsigned char key[2]
   and an unsigned char id[4], and the letters L. */
#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#define NAME(x) JOIN(x##_, L)
#define ELEMENT_TYPE T

DEFINE_ELEMENT(NAME(element))

static int NAME(compare)(shared void *a, shared void *b)
{
    shared T *x = (shared T *)a, *y = (shared T *)b;
    return (x->key[0] - y->key[0]) * 256 + x->key[1] - y->key[1];
}

static T NAME(value)(const struct job *j, size_t i)
{
    T value;
    unsigned key = key_of(j, i);
    memset(&value, (int)i, sizeof value);
    value.key[0] = key >> 8;
    value.key[1] = key;
    value.id[0] = i >> 16;
    value.id[1] = i >> 8;
    value.id[2] = i;
    return value;
}

static void NAME(fill)(const struct job *j, int thread)
{
    size_t i;
    for (i = 0; i < j->n; i++) {
        shared T *p = (shared T *)NAME(element)(j->src, j->block, j->first + i);
        if (upc_threadof(p) == thread)
            *p = NAME(value)(j, i);
    }
}

/* Every element is one of those that were there, each is there once, and their keys ascend: as sorted by counting. */
static void NAME(verify)(const struct job *j)
{
    static unsigned count[65536];
    char *seen = calloc(j->n + 1, 1);
    unsigned key = 0;
    size_t i;
    memset(count, 0, sizeof count);
    for (i = 0; i < j->n; i++)
        count[key_of(j, i)]++;
    for (i = 0; i < j->n; i++) {
        T value = *(shared T *)NAME(element)(j->src, j->block, j->first + i), expected;
        size_t id = (size_t)value.id[0] << 16 | value.id[1] << 8 | value.id[2];
        while (count[key] == 0)
            key++;
        count[key]--;
        CHECK(value.key[0] * 256 + value.key[1] == key);
        CHECK(id < j->n && !seen[id]);
        seen[id] = 1;
        expected = NAME(value)(j, id);
        CHECK(memcmp(&value, &expected, sizeof value) == 0);
    }
    free(seen);
}

/* Keys of the elements with affinity to this thread ascend. */
static void NAME(verify_own)(const struct job *j)
{
    size_t i;
    int last = -1;
    for (i = 0; i < j->n; i++) {
        shared T *p = (shared T *)NAME(element)(j->src, j->block, j->first + i);
        if (upc_threadof(p) == MYTHREAD) {
            CHECK(p->key[0] * 256 + p->key[1] >= last);
            last = p->key[0] * 256 + p->key[1];
        }
    }
}

static void NAME(one)(const struct job *j)
{
    NAME(fill)(j, j->flags & (UPC_IN_NOSYNC | UPC_IN_MYSYNC) ? MYTHREAD : neighbour());
    if (j->flags & UPC_IN_NOSYNC)
        upc_barrier;
    delay();
    upc_all_sort(NAME(element)(j->src, j->block, j->first), sizeof(T), j->n, j->block, NAME(compare), j->flags);
    if (j->flags & UPC_OUT_MYSYNC)
        NAME(verify_own)(j);
    if (j->flags & (UPC_OUT_NOSYNC | UPC_OUT_MYSYNC))
        upc_barrier;
    if (j->round % THREADS == MYTHREAD)
        NAME(verify)(j);
    upc_barrier;
}

static void NAME(test)(void)
{
    int combination;
    for (combination = 0; combination < 4 * FLAGS; combination++) {
        struct job j = next_job(combination);
        NAME(one)(&j);
    }
}

#undef JOIN_
#undef JOIN
#undef NAME
#undef ELEMENT_TYPE
#undef T
#undef L

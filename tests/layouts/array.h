/* Included once for each kind of array, after layouts.h, with these macros, which it undefines:
     NAME            the function to define
     T               element type, not an array
     B               block size, 0: indefinite
     C               another block size, to cast to
     SET(v, e)       gives the private or shared T lvalue v the value of element e
     SAME(v, e)      answers whether v has it
   The function checks `n` elements from `a`, which points at a first element with phase 0. Every thread calls it. */
static void NAME(shared[B] T *a, size_t n)
{
    place *want = deal(n, B, upc_threadof(a));
    size_t *base = calloc(THREADS, sizeof *base);
    T **mine = calloc(n + 1, sizeof *mine);
    shared[B] T *p = a, *q;
    shared void *generic;
    ptrdiff_t e, i, j, step = n < 48 ? 1 : (ptrdiff_t)n / 37;
    T value;

    /* Every element by subscript, by sums of both orders, against the table. */
    for (e = 0; e <= (ptrdiff_t)n; e++) {
        p = a + e;
        if (want[e].index == 0)
            base[want[e].thread] = upc_addrfield(p);
        CHECK(upc_threadof(p) == want[e].thread);
        CHECK(upc_phaseof(p) == want[e].phase);
        CHECK(upc_addrfield(p) - base[want[e].thread] == want[e].index * sizeof(T));
        CHECK_SAME(&a[e], p);
        CHECK_SAME(e + a, p);
        CHECK_SAME(&e[a], p);
    }

    /* Walks of one step. */
    for (e = 0, p = q = a; e < (ptrdiff_t)n; e++) {
        CHECK_SAME(p, a + e);
        CHECK_SAME(q++, a + e);
        ++p;
    }
    for (e = (ptrdiff_t)n; e > 0; e--) {
        CHECK_SAME(p--, a + e);
        CHECK_SAME(q, a + e);
        q -= 1;
    }
    CHECK(p == a && q == a);

    /* From every element to every other: sum, difference, order. */
    for (i = 0; i <= (ptrdiff_t)n; i += step)
        for (j = 0; j <= (ptrdiff_t)n; j += step) {
            p = a + i;
            q = p + (j - i);
            CHECK_SAME(q, a + j);
            CHECK_SAME(p - (i - j), q);
            CHECK(q - p == j - i);
            CHECK((p < q) == (i < j) && (p <= q) == (i <= j) && (p > q) == (i > j) && (p >= q) == (i >= j));
            CHECK((p == q) == (i == j) && (p != q) == (i != j));
            p += j - i;
            CHECK_SAME(p, q);
            p -= j - i;
            CHECK_SAME(p, a + i);
        }

    /* Casts: the generic pointer keeps the phase, another block size or element size resets it. */
    for (i = 0; i < (ptrdiff_t)n; i += step) {
        shared[C] T *cast = (shared[C] T *)(a + i);
        shared[B] struct two { T member[2]; } *wide = (shared[B] struct two *)(a + i);
        generic = a + i;
        CHECK(upc_phaseof(generic) == want[i].phase && upc_threadof(generic) == want[i].thread);
        p = generic;
        CHECK_SAME(p, a + i);
        generic = upc_resetphase(generic);
        CHECK(upc_phaseof(generic) == 0 && upc_addrfield(generic) == upc_addrfield(a + i) && generic == a + i);
        CHECK(upc_phaseof(cast) == ((C) == (B) ? want[i].phase : 0));
        CHECK(upc_threadof(cast) == want[i].thread && upc_addrfield(cast) == upc_addrfield(a + i));
        CHECK(upc_phaseof(wide) == 0 && upc_threadof(wide) == want[i].thread && upc_addrfield(wide) == upc_addrfield(a + i));
        if ((C) != (B)) {
            place *again = deal(3 * (C) * THREADS + 3, C, want[i].thread);
            for (j = 0; j < 3 * (C) * THREADS + 3; j++) {
                CHECK(upc_threadof(cast + j) == again[j].thread && upc_phaseof(cast + j) == again[j].phase);
                CHECK(cast + j - cast == j);
                if (again[j].thread == want[i].thread)
                    CHECK(upc_addrfield(cast + j) - upc_addrfield(cast) == again[j].index * sizeof(T));
            }
            free(again);
        }
    }

    /* Values: each thread writes what it has, every thread reads all, through shared and through private pointers. */
    upc_barrier;
    upc_forall (e = 0; e < (ptrdiff_t)n; e++; a + e) {
        SET(value, e);
        a[e] = value;
    }
    upc_barrier;
    for (e = 0; e < (ptrdiff_t)n; e++) {
        value = a[e];
        CHECK(SAME(value, e));
        if (want[e].thread == MYTHREAD) {
            mine[want[e].index] = (T *)(a + e);
            CHECK(SAME(*mine[want[e].index], e));
            CHECK(mine[want[e].index] - mine[0] == (ptrdiff_t)want[e].index);
        }
    }
    upc_barrier;
    if (MYTHREAD == THREADS - 1)
        for (e = 0; e < (ptrdiff_t)n; e += 3) {
            SET(value, e + 1);
            a[e] = value;
        }
    upc_barrier;
    for (e = 0; e < (ptrdiff_t)n; e++) {
        value = a[e];
        CHECK(SAME(value, e + (e % 3 == 0)));
    }
    upc_barrier;
    free(mine);
    free(base);
    free(want);
}
#undef NAME
#undef T
#undef B
#undef C
#undef SET
#undef SAME

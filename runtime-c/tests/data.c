/* Static shared data and accesses to it, together with data_other.c: linkage, placement, initialisation, every form of access. */
#include "test.h"

#include "data_other.h"

UPCR_SHARED_DEFINE(defined_here, 4000, 8);
UPCR_SHARED_DEFINE_COMMON(common_both, 800, 16);
UPCR_SHARED_DEFINE(strong_here, 80, 8); /* tentative in data_other.c */
UPCR_SHARED_DEFINE_LOCAL(local_name, 64, 64);
UPCR_SHARED_EXTERN(local_name);
UPCR_SHARED_DEFINE(small, 8, 8);
UPCR_SHARED_EXTERN(small);
/* Far larger than the executable may become. */
UPCR_SHARED_DEFINE_LOCAL(huge, 1000000000, 8);
UPCR_SHARED_EXTERN(huge);

static int inits;

static void init(void)
{
    inits++;
    if (UPCR_MYTHREAD == 0)
        UPCR_PUT(int, UPCR_STATIC(local_name), 1234);
}
UPCR_INIT(init);

struct record {
    char tag;
    double value[3];
    int low : 5;
    unsigned high : 9;
};

static int evaluations;

static upcr_pts_t once(upcr_pts_t p)
{
    evaluations++;
    return p;
}

static int value_once(int v)
{
    evaluations++;
    return v;
}

/* A place of this thread's own in the array. */
static upcr_pts_t mine(void)
{
    return upcr_field(upcr_at1(UPCR_STATIC(defined_here), UPCR_MYTHREAD, 256), 0);
}

static void check_scalars(upcr_pts_t p)
{
    evaluations = 0;
    CHECK(UPCR_PUT(char, once(p), value_once(0x141)) == 0x41);
    CHECK(UPCR_GET(char, once(p)) == 0x41 && evaluations == 3);
    CHECK(UPCR_PUT_STRICT(unsigned char, once(p), value_once(0x1ff)) == 0xff);
    CHECK(UPCR_GET_STRICT(unsigned char, once(p)) == 0xff && evaluations == 6);
    CHECK(UPCR_PUT0(int, p, value_once(7) / 2.0) == 3 && UPCR_GET0(int, p) == 3);
    CHECK(UPCR_PUT_STRICT(double, p, 1) == 1.0 && UPCR_GET_STRICT(double, p) == 1.0);
    CHECK(UPCR_PUT(_Bool, p, 77) == 1 && UPCR_GET_STRICT(_Bool, p) == 1);
    CHECK(UPCR_PUT(long double, p, 2.5L) == 2.5L && UPCR_GET_STRICT(long double, p) == 2.5L);
    CHECK(UPCR_PUT(int (*)(int), p, value_once) == value_once && UPCR_GET(int (*)(int), p)(9) == 9);
    UPCR_PUT_STRICT(upcr_pts_t, p, p);
    CHECK(upcr_eq(UPCR_GET(upcr_pts_t, p), p) && upcr_eq(UPCR_GET_STRICT(upcr_pts_t, UPCR_GET_STRICT(upcr_pts_t, p)), p));
    CHECK(sizeof(UPCR_PUT(short, p, 1)) == sizeof(short));
}

static void check_records(upcr_pts_t p)
{
    struct record a = {'a', {1, 2, 3}, -7, 300}, b;
    upcr_pts_t q = upcr_field(p, sizeof a);
    UPCR_PUT(struct record, p, a);
    UPCR_PUT_STRICT(struct record, q, UPCR_GET(struct record, p));
    b = UPCR_GET_STRICT(struct record, q);
    CHECK(b.tag == 'a' && b.value[2] == 3 && b.low == -7 && b.high == 300);
    CHECK(UPCR_GET_BITS(struct record, low, q) == -7 && UPCR_GET_BITS_STRICT(struct record, high, q) == 300);
    CHECK(UPCR_PUT_BITS(struct record, low, q, value_once(33)) == 1 && UPCR_GET_BITS(struct record, low, q) == 1);
    CHECK(UPCR_PUT_BITS_STRICT(struct record, high, q, value_once(513)) == 1 && UPCR_GET_BITS(struct record, high, q) == 1);
    CHECK(UPCR_GET(struct record, q).value[1] == 2);
}

static void check_copies(void)
{
    char here[64], there[64];
    upcr_pts_t p = UPCR_STATIC(common_both), q = upcr_field(p, 64);
    if (UPCR_MYTHREAD == UPCR_THREADS - 1) {
        memset(here, 'x', sizeof here);
        upc_memput(p, here, sizeof here);
        upc_memcpy(q, p, sizeof here);
        upc_memset(p, 'y', 32);
        upc_memget(there, q, sizeof there);
        CHECK(memcmp(here, there, sizeof here) == 0);
        upc_memget(there, p, sizeof there);
        CHECK(there[31] == 'y' && there[32] == 'x');
    }
}

int main(void)
{
    CHECK(inits == 1 && other_inits() == 1);
    CHECK(UPCR_GET(int, UPCR_STATIC(local_name)) == 1234 && UPCR_GET(int, other_local()) == 4321);
    CHECK(!upcr_eq(UPCR_STATIC(local_name), other_local()));
    CHECK(upcr_eq(UPCR_STATIC(common_both), other_common()) && upcr_eq(UPCR_STATIC(strong_here), other_strong()));
    CHECK(upcr_addrfield(UPCR_STATIC(local_name)) % 64 == 0 && upcr_addrfield(UPCR_STATIC(common_both)) % 64 == 0);
    CHECK(upcr_addrfield(UPCR_STATIC(defined_here)) % 64 == 0 && upcr_addrfield(UPCR_STATIC(small)) % 8 == 0);
    CHECK(upcr_addrfield(UPCR_STATIC(defined_here)) >= UPCR_STATIC_START);
    check_scalars(mine());
    check_records(mine());
    check_copies();
    UPCR_PUT(int, upcr_at1(upcr_field(UPCR_STATIC(huge), 999999000), UPCR_MYTHREAD, 4), UPCR_MYTHREAD);
    upcr_barrier(0, 0);
    for (int t = 0; t < UPCR_THREADS; t++)
        CHECK(UPCR_GET(int, upcr_at1(upcr_field(UPCR_STATIC(huge), 999999000), t, 4)) == t);
    CHECK(*(int *)upcr_local(upcr_at1(upcr_field(UPCR_STATIC(huge), 999999000), UPCR_MYTHREAD, 4)) == UPCR_MYTHREAD);
    return 0;
}

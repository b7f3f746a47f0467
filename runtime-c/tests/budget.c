/* How much private memory a thread has when its cache is in full use: thread 0 prints the KB. However many threads there are, the cache takes the same. */
#include "test.h"

#define BYTES (1 << 20)

UPCR_SHARED_DEFINE_LOCAL(board, BYTES, 64);
UPCR_SHARED_EXTERN(board);

static long private_kb(void)
{
    char line[200];
    long kb = 0;
    FILE *status = fopen("/proc/self/status", "r");
    CHECK(status != NULL);
    while (fgets(line, sizeof line, status) != NULL)
        if (sscanf(line, "VmData: %ld", &kb) == 1)
            break;
    fclose(status);
    return kb;
}

/* Every line of every thread, read and written. */
int main(void)
{
    long sum = 0;
    for (int thread = 0; thread < UPCR_THREADS; thread++)
        for (int at = 0; at < BYTES; at += 4096) {
            upcr_pts_t p = upcr_field(upcr_at1(UPCR_STATIC(board), thread, BYTES), at);
            sum += UPCR_GET(char, p);
            UPCR_PUT(char, upcr_field(p, 64 + UPCR_MYTHREAD), 1);
        }
    CHECK(sum == 0);
    if (UPCR_MYTHREAD == 0)
        printf("%ld\n", private_kb());
    upcr_barrier(0, 0);
    return 0;
}

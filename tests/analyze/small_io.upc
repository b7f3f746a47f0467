// finding: small-io 42
/* Each thread writes its numbers to a file one by one. */
#include <stdio.h>
#include <unistd.h>
#include <upc.h>
#include <upc_io.h>
#include "work.h"

#define N 20000
#define NOSYNC (UPC_IN_NOSYNC | UPC_OUT_NOSYNC)

shared [] char shared_name[100];
long numbers[N];

/* The same name on all threads. */
static const char *file_name(void)
{
    static char name[sizeof shared_name];

    if (MYTHREAD == 0) {
        sprintf(name, "/tmp/upcc-small-io-%ld", (long)getpid());
        upc_memput(shared_name, name, sizeof name);
    }
    upc_barrier;
    upc_memget(name, shared_name, sizeof name);
    return name;
}

int main(void)
{
    upc_file_t *f = upc_all_fopen(file_name(), UPC_RDWR | UPC_CREATE | UPC_INDIVIDUAL_FP | UPC_DELETE_ON_CLOSE, 0, NULL);
    upc_off_t written = 0;

    for (int i = 0; i < N; i++)
        numbers[i] = i;
    upc_all_fseek(f, MYTHREAD * sizeof numbers, UPC_SEEK_SET);
#ifdef ADVISED
    written = upc_all_fwrite_local(f, numbers, sizeof(long), N, NOSYNC);
#else
    for (int i = 0; i < N; i++)

        written += upc_all_fwrite_local(f, &numbers[i], sizeof(long), 1, NOSYNC);
#endif
    upc_all_fclose(f);
    if (MYTHREAD == 0)
        printf(written == sizeof numbers ? "PASS\n" : "FAIL\n");
    return 0;
}

/* What the tests of UPC-IO share: a file of their own, and its bytes as plain C sees them. */
#ifndef IO_CHECK_H
#define IO_CHECK_H
#include "../../programs/check.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <upc_io.h>

#define BOTH (UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC)

static const upc_flag_t all_flags[] = {
    UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC, UPC_IN_ALLSYNC | UPC_OUT_MYSYNC, UPC_IN_ALLSYNC | UPC_OUT_NOSYNC,
    UPC_IN_MYSYNC | UPC_OUT_ALLSYNC,  UPC_IN_MYSYNC | UPC_OUT_MYSYNC,  UPC_IN_MYSYNC | UPC_OUT_NOSYNC,
    UPC_IN_NOSYNC | UPC_OUT_ALLSYNC,  UPC_IN_NOSYNC | UPC_OUT_MYSYNC,  UPC_IN_NOSYNC | UPC_OUT_NOSYNC, 0,
};
#define FLAG_SETS ((int)(sizeof all_flags / sizeof *all_flags))

static shared [] char shared_name[200];

/* The same name on all threads, of a file that does not exist. */
static const char *file_name(void)
{
    static char name[200];
    if (MYTHREAD == 0) {
        const char *folder = getenv("TMPDIR");
        sprintf(name, "%s/upc-io-%ld", folder != NULL ? folder : "/tmp", (long)getpid());
        remove(name);
        upc_memput(shared_name, name, sizeof name);
    }
    upc_barrier;
    upc_memget(name, shared_name, sizeof name);
    return name;
}

/* The byte that the tests have at an offset of a file. */
static char byte_at(long offset, int seed)
{
    return (char)(offset * 7 + offset / 256 + seed);
}

/* Whether bytes from..to of the file are those of a seed; by one thread, the file being closed or synchronised. */
static int file_holds(const char *name, long from, long to, int seed)
{
    FILE *f = fopen(name, "rb");
    long i;
    int good = f != NULL && fseek(f, from, SEEK_SET) == 0;
    for (i = from; good && i < to; i++)
        good = fgetc(f) == (unsigned char)byte_at(i, seed);
    if (f != NULL)
        fclose(f);
    return good;
}

static void make_file(const char *name, long bytes, int seed)
{
    if (MYTHREAD == 0) {
        FILE *f = fopen(name, "wb");
        long i;
        CHECK(f != NULL);
        for (i = 0; i < bytes; i++)
            fputc(byte_at(i, seed), f);
        CHECK(fclose(f) == 0);
    }
    upc_barrier;
}
#endif

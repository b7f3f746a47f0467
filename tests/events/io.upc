// Input and output, in a folder of its own.
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>
#include <upc.h>
#include <upc_io.h>

shared [4] int part[4 * THREADS];

#pragma pupc off
static shared [] char folder[100];

static void check(int good)
{
    if (!good)
        upc_global_exit(2);
}

/* The file has the same name in each run, since events have it. */
static void enter_folder(void)
{
    char name[sizeof folder] = "/tmp/upcc-events-XXXXXX";

    if (MYTHREAD == 0) {
        check(mkdtemp(name) != NULL);
        upc_memput(folder, name, sizeof name);
    }
    upc_barrier;
    upc_memget(name, folder, sizeof name);
    check(chdir(name) == 0);
}

static void remove_folder(void)
{
    char name[sizeof folder];

    upc_memget(name, folder, sizeof name);
    check(remove("data") == 0 && rmdir(name) == 0);
}
#pragma pupc on

int main(void)                  //#main
{
    //= main:1 C_FUNC START funcsig="int main(void)"
    int mine[2] = {MYTHREAD, MYTHREAD}, done = 0, failed;
    upc_flag_t both = UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC;
    upc_local_memvec_t own = {mine, sizeof mine};
    upc_shared_memvec_t ours = {&part[4 * MYTHREAD], 16, 8};
    upc_filevec_t piece = {8 * MYTHREAD, 8};
    enter_folder();
    upc_file_t *f = upc_all_fopen("data", UPC_RDWR | UPC_INDIVIDUAL_FP | UPC_CREATE, 0, NULL);
    //= 21 UPCC_ALL_FOPEN name="data", file_flags=UPC_RDWR|UPC_INDIVIDUAL_FP|UPC_CREATE -> file=<0:0>
    upc_all_fseek(f, 8 * MYTHREAD, UPC_SEEK_SET);
    //= 5 UPCC_ALL_FSEEK file=<0:0>, file_flags=UPC_RDWR|UPC_INDIVIDUAL_FP|UPC_CREATE, offset=$8t, origin=0 -> result=$8t
    upc_all_fwrite_local(f, mine, 4, 2, both);
    //= 5 UPCC_ALL_FWRITE file=<0:0>, file_flags=UPC_RDWR|UPC_INDIVIDUAL_FP|UPC_CREATE, is_shared=0, n=8, upc_flags=UPC_IN_ALLSYNC|UPC_OUT_ALLSYNC -> result=8
    upc_all_fseek(f, 8 * MYTHREAD, UPC_SEEK_SET);
    //= 5 UPCC_ALL_FSEEK file=<0:0>, file_flags=UPC_RDWR|UPC_INDIVIDUAL_FP|UPC_CREATE, offset=$8t, origin=0 -> result=$8t
    upc_all_fread_local(f, mine, 4, 2, both);
    //= 5 UPCC_ALL_FREAD file=<0:0>, file_flags=UPC_RDWR|UPC_INDIVIDUAL_FP|UPC_CREATE, is_shared=0, n=8, upc_flags=UPC_IN_ALLSYNC|UPC_OUT_ALLSYNC -> result=8
    upc_all_fseek(f, 8 * MYTHREAD, UPC_SEEK_SET);
    //= 5 UPCC_ALL_FSEEK file=<0:0>, file_flags=UPC_RDWR|UPC_INDIVIDUAL_FP|UPC_CREATE, offset=$8t, origin=0 -> result=$8t
    upc_all_fwrite_shared(f, &part[4 * MYTHREAD], 4, 4, 2, both);
    //= 5 UPCC_ALL_FWRITE file=<0:0>, file_flags=UPC_RDWR|UPC_INDIVIDUAL_FP|UPC_CREATE, is_shared=1, n=8, upc_flags=UPC_IN_ALLSYNC|UPC_OUT_ALLSYNC -> result=8
    upc_all_fseek(f, 8 * MYTHREAD, UPC_SEEK_SET);
    //= 5 UPCC_ALL_FSEEK file=<0:0>, file_flags=UPC_RDWR|UPC_INDIVIDUAL_FP|UPC_CREATE, offset=$8t, origin=0 -> result=$8t
    upc_all_fread_shared(f, &part[4 * MYTHREAD], 4, 4, 2, both);
    //= 5 UPCC_ALL_FREAD file=<0:0>, file_flags=UPC_RDWR|UPC_INDIVIDUAL_FP|UPC_CREATE, is_shared=1, n=8, upc_flags=UPC_IN_ALLSYNC|UPC_OUT_ALLSYNC -> result=8
    upc_all_fwrite_list_local(f, 1, &own, 1, &piece, both);
    //= 5 UPCC_ALL_FWRITE file=<0:0>, file_flags=UPC_RDWR|UPC_INDIVIDUAL_FP|UPC_CREATE, is_shared=0, n=8, upc_flags=UPC_IN_ALLSYNC|UPC_OUT_ALLSYNC -> result=8
    upc_all_fread_list_local(f, 1, &own, 1, &piece, both);
    //= 5 UPCC_ALL_FREAD file=<0:0>, file_flags=UPC_RDWR|UPC_INDIVIDUAL_FP|UPC_CREATE, is_shared=0, n=8, upc_flags=UPC_IN_ALLSYNC|UPC_OUT_ALLSYNC -> result=8
    upc_all_fwrite_list_shared(f, 1, &ours, 1, &piece, both);
    //= 5 UPCC_ALL_FWRITE file=<0:0>, file_flags=UPC_RDWR|UPC_INDIVIDUAL_FP|UPC_CREATE, is_shared=1, n=8, upc_flags=UPC_IN_ALLSYNC|UPC_OUT_ALLSYNC -> result=8
    upc_all_fread_list_shared(f, 1, &ours, 1, &piece, both);
    //= 5 UPCC_ALL_FREAD file=<0:0>, file_flags=UPC_RDWR|UPC_INDIVIDUAL_FP|UPC_CREATE, is_shared=1, n=8, upc_flags=UPC_IN_ALLSYNC|UPC_OUT_ALLSYNC -> result=8
    upc_all_fseek(f, 8 * MYTHREAD, UPC_SEEK_SET);
    //= 5 UPCC_ALL_FSEEK file=<0:0>, file_flags=UPC_RDWR|UPC_INDIVIDUAL_FP|UPC_CREATE, offset=$8t, origin=0 -> result=$8t
    upc_all_fwrite_local_async(f, mine, 4, 2, both);
    //= 5 UPCC_ALL_FWRITE_ASYNC file=<0:0>, file_flags=UPC_RDWR|UPC_INDIVIDUAL_FP|UPC_CREATE, is_shared=0, n=8, upc_flags=UPC_IN_ALLSYNC|UPC_OUT_ALLSYNC
    upc_all_fwait_async(f);
    //= 5 UPCC_ALL_FWAIT_ASYNC file=<0:0>, file_flags=UPC_RDWR|UPC_INDIVIDUAL_FP|UPC_CREATE -> result=8
    upc_all_fseek(f, 8 * MYTHREAD, UPC_SEEK_SET);
    //= 5 UPCC_ALL_FSEEK file=<0:0>, file_flags=UPC_RDWR|UPC_INDIVIDUAL_FP|UPC_CREATE, offset=$8t, origin=0 -> result=$8t
    upc_all_fread_local_async(f, mine, 4, 2, both);
    //= 5 UPCC_ALL_FREAD_ASYNC file=<0:0>, file_flags=UPC_RDWR|UPC_INDIVIDUAL_FP|UPC_CREATE, is_shared=0, n=8, upc_flags=UPC_IN_ALLSYNC|UPC_OUT_ALLSYNC
    upc_all_fwait_async(f);
    //= 5 UPCC_ALL_FWAIT_ASYNC file=<0:0>, file_flags=UPC_RDWR|UPC_INDIVIDUAL_FP|UPC_CREATE -> result=8
    upc_all_fseek(f, 8 * MYTHREAD, UPC_SEEK_SET);
    //= 5 UPCC_ALL_FSEEK file=<0:0>, file_flags=UPC_RDWR|UPC_INDIVIDUAL_FP|UPC_CREATE, offset=$8t, origin=0 -> result=$8t
    upc_all_fwrite_shared_async(f, &part[4 * MYTHREAD], 4, 4, 2, both);
    //= 5 UPCC_ALL_FWRITE_ASYNC file=<0:0>, file_flags=UPC_RDWR|UPC_INDIVIDUAL_FP|UPC_CREATE, is_shared=1, n=8, upc_flags=UPC_IN_ALLSYNC|UPC_OUT_ALLSYNC
    upc_all_fwait_async(f);
    //= 5 UPCC_ALL_FWAIT_ASYNC file=<0:0>, file_flags=UPC_RDWR|UPC_INDIVIDUAL_FP|UPC_CREATE -> result=8
    upc_all_fseek(f, 8 * MYTHREAD, UPC_SEEK_SET);
    //= 5 UPCC_ALL_FSEEK file=<0:0>, file_flags=UPC_RDWR|UPC_INDIVIDUAL_FP|UPC_CREATE, offset=$8t, origin=0 -> result=$8t
    upc_all_fread_shared_async(f, &part[4 * MYTHREAD], 4, 4, 2, both);
    //= 5 UPCC_ALL_FREAD_ASYNC file=<0:0>, file_flags=UPC_RDWR|UPC_INDIVIDUAL_FP|UPC_CREATE, is_shared=1, n=8, upc_flags=UPC_IN_ALLSYNC|UPC_OUT_ALLSYNC
    upc_all_fwait_async(f);
    //= 5 UPCC_ALL_FWAIT_ASYNC file=<0:0>, file_flags=UPC_RDWR|UPC_INDIVIDUAL_FP|UPC_CREATE -> result=8
    upc_all_fwrite_list_local_async(f, 1, &own, 1, &piece, both);
    //= 5 UPCC_ALL_FWRITE_ASYNC file=<0:0>, file_flags=UPC_RDWR|UPC_INDIVIDUAL_FP|UPC_CREATE, is_shared=0, n=8, upc_flags=UPC_IN_ALLSYNC|UPC_OUT_ALLSYNC
    upc_all_fwait_async(f);
    //= 5 UPCC_ALL_FWAIT_ASYNC file=<0:0>, file_flags=UPC_RDWR|UPC_INDIVIDUAL_FP|UPC_CREATE -> result=8
    upc_all_fread_list_local_async(f, 1, &own, 1, &piece, both);
    //= 5 UPCC_ALL_FREAD_ASYNC file=<0:0>, file_flags=UPC_RDWR|UPC_INDIVIDUAL_FP|UPC_CREATE, is_shared=0, n=8, upc_flags=UPC_IN_ALLSYNC|UPC_OUT_ALLSYNC
    upc_all_fwait_async(f);
    //= 5 UPCC_ALL_FWAIT_ASYNC file=<0:0>, file_flags=UPC_RDWR|UPC_INDIVIDUAL_FP|UPC_CREATE -> result=8
    upc_all_fwrite_list_shared_async(f, 1, &ours, 1, &piece, both);
    //= 5 UPCC_ALL_FWRITE_ASYNC file=<0:0>, file_flags=UPC_RDWR|UPC_INDIVIDUAL_FP|UPC_CREATE, is_shared=1, n=8, upc_flags=UPC_IN_ALLSYNC|UPC_OUT_ALLSYNC
    upc_all_fwait_async(f);
    //= 5 UPCC_ALL_FWAIT_ASYNC file=<0:0>, file_flags=UPC_RDWR|UPC_INDIVIDUAL_FP|UPC_CREATE -> result=8
    upc_all_fread_list_shared_async(f, 1, &ours, 1, &piece, both);
    //= 5 UPCC_ALL_FREAD_ASYNC file=<0:0>, file_flags=UPC_RDWR|UPC_INDIVIDUAL_FP|UPC_CREATE, is_shared=1, n=8, upc_flags=UPC_IN_ALLSYNC|UPC_OUT_ALLSYNC
    upc_all_fwait_async(f);
    //= 5 UPCC_ALL_FWAIT_ASYNC file=<0:0>, file_flags=UPC_RDWR|UPC_INDIVIDUAL_FP|UPC_CREATE -> result=8
    upc_all_fsync(f);
    //= 5 UPCC_ALL_FSYNC file=<0:0>, file_flags=UPC_RDWR|UPC_INDIVIDUAL_FP|UPC_CREATE -> result=0
    upc_all_fget_size(f);
    //= 5 UPCC_ALL_FGET_SIZE file=<0:0>, file_flags=UPC_RDWR|UPC_INDIVIDUAL_FP|UPC_CREATE -> result=$8n
    upc_all_fpreallocate(f, 2000);
    //= 5 UPCC_ALL_FPREALLOCATE file=<0:0>, file_flags=UPC_RDWR|UPC_INDIVIDUAL_FP|UPC_CREATE, length=2000 -> result=0
    upc_all_fset_size(f, 1000);
    //= 5 UPCC_ALL_FSET_SIZE file=<0:0>, file_flags=UPC_RDWR|UPC_INDIVIDUAL_FP|UPC_CREATE, length=1000 -> result=0
    /* At the end there is nothing to read. The call has 8 bytes all the same, as its start. */
    upc_all_fseek(f, 0, UPC_SEEK_END);
    //= 5 UPCC_ALL_FSEEK file=<0:0>, file_flags=UPC_RDWR|UPC_INDIVIDUAL_FP|UPC_CREATE, offset=0, origin=2 -> result=1000
    upc_all_fread_local(f, mine, 4, 2, UPC_IN_NOSYNC | UPC_OUT_NOSYNC);
    //= 5 UPCC_ALL_FREAD file=<0:0>, file_flags=UPC_RDWR|UPC_INDIVIDUAL_FP|UPC_CREATE, is_shared=0, n=8, upc_flags=UPC_IN_NOSYNC|UPC_OUT_NOSYNC -> result=0
    /* Of what all threads read together, each has its part. */
    upc_all_fcntl(f, UPC_SET_COMMON_FP, NULL);
    //= 5 UPCC_ALL_FCNTL file=<0:0>, file_flags=UPC_RDWR|UPC_INDIVIDUAL_FP|UPC_CREATE, cmd=5 -> result=0
    upc_all_fread_shared(f, part, 4, 4, 4 * THREADS, UPC_IN_NOSYNC | UPC_OUT_NOSYNC);
    //= 5 UPCC_ALL_FREAD file=<0:0>, file_flags=UPC_RDWR|UPC_COMMON_FP|UPC_CREATE, is_shared=1, n=16, upc_flags=UPC_IN_NOSYNC|UPC_OUT_NOSYNC -> result=$16n
    /* The semantics of the file decide how its calls synchronise. */
    upc_all_fcntl(f, UPC_SET_STRONG_CA_SEMANTICS, NULL);
    //= 5 UPCC_ALL_FCNTL file=<0:0>, file_flags=UPC_RDWR|UPC_COMMON_FP|UPC_CREATE, cmd=3 -> result=0
    upc_all_fwrite_list_local_async(f, 1, &own, 1, &piece, UPC_IN_NOSYNC | UPC_OUT_NOSYNC);
    //= 5 UPCC_ALL_FWRITE_ASYNC file=<0:0>, file_flags=UPC_RDWR|UPC_COMMON_FP|UPC_CREATE|UPC_STRONG_CA, is_shared=0, n=8, upc_flags=UPC_IN_ALLSYNC|UPC_OUT_ALLSYNC
    upc_all_ftest_async(f, &done);
    //= 5 UPCC_ALL_FTEST_ASYNC file=<0:0>, file_flags=UPC_RDWR|UPC_COMMON_FP|UPC_CREATE|UPC_STRONG_CA -> done=1, result=8
    /* Errors: the program sees errno whatever a tool does. */
    failed = upc_all_fset_size(f, -1);
    //= 14 UPCC_ALL_FSET_SIZE file=<0:0>, file_flags=UPC_RDWR|UPC_COMMON_FP|UPC_CREATE|UPC_STRONG_CA, length=-1 -> result=-1
    check(failed == -1 && errno == EINVAL);
    upc_all_fclose(f);
    //= 5 UPCC_ALL_FCLOSE file=<0:0>, file_flags=UPC_RDWR|UPC_COMMON_FP|UPC_CREATE|UPC_STRONG_CA -> result=0
    f = upc_all_fopen("missing/data", UPC_RDONLY | UPC_COMMON_FP, 0, NULL);
    //= 9 UPCC_ALL_FOPEN name="missing/data", file_flags=UPC_RDONLY|UPC_COMMON_FP -> file=<null>
    check(f == NULL && errno == ENOENT);
    if (MYTHREAD == 0)
        remove_folder();
    return 0;
}
//= main:1 C_FUNC END funcsig="int main(void)"
//= - UPC_COLLECTIVE_EXIT status=0

/* The start of MPI and its end, also for programs that call it themselves. */
#include "runtime.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "transport/host/bind.h"
#include "transport/host/host.h"
#include "transport/messages/wire.h"
#include "transport/messages/wire_files.h"
#include "transport/mpi/pmpi.h"

/* upcc -uses-mpi defines this in the program. */
extern const char upcr_linked_uses_mpi[] __attribute__((__weak__));

const char wire_starter[] = "MPI";

/* Open MPI 5 knows its parameter by the older name as well, which will disappear. MPICH removes its files when they are open. */
#if defined(OMPI_MAJOR_VERSION) && OMPI_MAJOR_VERSION >= 5
const char *const wire_files_variable = "OMPI_MCA_btl_sm_backing_directory";
#elif defined(OMPI_MAJOR_VERSION)
const char *const wire_files_variable = "OMPI_MCA_btl_vader_backing_directory";
#else
const char *const wire_files_variable = NULL;
#endif

void wire_describe(char *text, size_t capacity)
{
    char library[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int length;
    PMPI_Get_library_version(library, &length);
    /* Open MPI says more behind a comma, MPICH in further lines. */
    library[strcspn(library, ",\n")] = '\0';
    snprintf(text, capacity, "messages by %s", library);
}

/* srun without an interface to MPI: Open MPI would end each process with messages of its own, or each would be a job. */
void wire_check_launcher(void)
{
    if (!host_launched_without_mpi())
        return;
    if (host_launched().number == 0)
        upcr_fatal("srun has started %d processes that MPI cannot connect: start them with srun --mpi=pmix (or another interface that "
                   "srun --mpi=list shows and this MPI knows), or with upcrun -n %d",
                   host_launched().processes, host_launched().processes);
    sleep(2); /* the end of a process may end all, and the first one reports */
    _exit(1);
}

/* Called when MPI knows only this process. If a launcher has started several, the launcher and the program use
   different MPI implementations. */
static void reject_single(int threads)
{
    struct host_launched launched = host_launched();
    if (launched.processes < 2)
        upcr_fatal("the program must run on %d threads, but MPI has started 1 process: start it with upcrun -n %d, or with MPI's own "
                   "launcher for as many",
                   threads, threads);
    upcr_fatal("the launcher that has started %d processes belongs to another MPI than the one that the program was compiled with: "
               "start it with upcrun -n %d, which finds the right one, or specify it with UPC_MPIRUN",
               launched.processes, threads);
}

int wire_start(int threads)
{
    bool is_users = upcr_linked_uses_mpi != NULL; /* the user's program calls MPI, too */
    int wanted = is_users ? MPI_THREAD_MULTIPLE : MPI_THREAD_SERIALIZED, got, processes;
    /* Until the runtime waits itself, processes without a processor of their own would wait for others that cannot run. */
    if (host_launched_here() > host_processors())
        setenv("OMPI_MCA_mpi_yield_when_idle", "1", 1);
    /* Open MPI's own report of a crash would be printed in addition to the runtime's. */
    setenv("OMPI_MCA_opal_signal", "", 0);
    if (PMPI_Init_thread(NULL, NULL, wanted, &got) != MPI_SUCCESS)
        upcr_fatal("MPI does not start");
    if (got < wanted)
        upcr_fatal("this MPI does not support calls from several threads (MPI_THREAD_%s)", is_users ? "MULTIPLE" : "SERIALIZED");
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_size(MPI_COMM_WORLD, &processes);
    if (processes == 1 && threads != 1)
        reject_single(threads);
    return processes;
}

int wire_number(void)
{
    int number;
    MPI_Comm_rank(MPI_COMM_WORLD, &number);
    return number;
}

void wire_end(void)
{
    PMPI_Finalize();
}

void wire_abort(int status)
{
    PMPI_Abort(MPI_COMM_WORLD, status);
}

/* ---- Programs that call MPI themselves (-uses-mpi) --------------------------------------------------------------- */

/* The runtime initialises MPI before main and finalises it afterwards, whatever the program does: the program's own
   calls have no effect. */
#pragma GCC visibility push(default)
int MPI_Init(int *argc, char ***argv);
int MPI_Init_thread(int *argc, char ***argv, int required, int *provided);
int MPI_Finalize(void);
#pragma GCC visibility pop

int MPI_Init(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    return MPI_SUCCESS;
}

int MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    (void)argc, (void)argv, (void)required;
    return PMPI_Query_thread(provided);
}

int MPI_Finalize(void)
{
    return MPI_SUCCESS;
}

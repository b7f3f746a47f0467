/* How the processes that the launchers of MPI and Slurm start find out about their launcher. */
#include "runtime.h"

#include <stdlib.h>

#include "transport/host/host.h"

struct host_launched host_launched(void)
{
    static const char *const variables[][2] = {
        {"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"}, {"PMI_SIZE", "PMI_RANK"}, {"SLURM_STEP_NUM_TASKS", "SLURM_PROCID"}};
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
        const char *size = getenv(variables[i][0]), *number = getenv(variables[i][1]);
        if (size != NULL && number != NULL && atoi(size) > 0)
            return (struct host_launched){.processes = atoi(size), .number = atoi(number)};
    }
    return (struct host_launched){.processes = 0};
}

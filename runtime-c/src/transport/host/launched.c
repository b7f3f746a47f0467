/* How the processes that the launchers of MPI and Slurm start find out about their launcher. */
#include "runtime.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "transport/host/host.h"

extern char **environ;

#define SLURM_TASKS "SLURM_STEP_NUM_TASKS"

struct host_launched host_launched(void)
{
    static const char *const variables[][2] = {{"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"}, {"PMI_SIZE", "PMI_RANK"}, {SLURM_TASKS, "SLURM_PROCID"}};
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
        const char *size = getenv(variables[i][0]), *number = getenv(variables[i][1]);
        if (size != NULL && number != NULL && atoi(size) > 0)
            return (struct host_launched){.processes = atoi(size), .number = atoi(number)};
    }
    return (struct host_launched){.processes = 0};
}

int host_launched_here(void)
{
    static const char *const variables[] = {"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS", "PMI_LOCAL_SIZE"};
    const char *tasks = getenv(SLURM_TASKS), *nodes = getenv("SLURM_STEP_NUM_NODES");
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
        if (getenv(variables[i]) != NULL)
            return atoi(getenv(variables[i]));
    if (tasks == NULL || nodes == NULL || atoi(nodes) < 1)
        return 0;
    return (atoi(tasks) + atoi(nodes) - 1) / atoi(nodes);
}

/* srun describes its interface to MPI by such variables, and mpirun, which srun may have started, by the last. */
bool host_launched_without_mpi(void)
{
    static const char *const prefixes[] = {"PMIX_", "PMI_", "PMI2_", "OMPI_COMM_WORLD_"};
    const char *tasks = getenv(SLURM_TASKS);
    if (tasks == NULL || atoi(tasks) < 2)
        return false;
    for (char **variable = environ; *variable != NULL; variable++)
        for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
            if (strncmp(*variable, prefixes[i], strlen(prefixes[i])) == 0)
                return false;
    return true;
}

/* The launchers of Open MPI and MPICH, which srun may have started, set the other variables. MPI itself may set them as it
   starts, so the first call comes before that. */
bool host_launched_by_srun(void)
{
    static enum { UNKNOWN, NO, YES } known;
    if (known == UNKNOWN)
        known = getenv(SLURM_TASKS) != NULL && getenv("OMPI_COMM_WORLD_SIZE") == NULL && getenv("MPI_LOCALNRANKS") == NULL ? YES : NO;
    return known == YES;
}

void host_report_status(int status)
{
    const char *name = getenv(HOST_STATUS_VARIABLE);
    struct sockaddr_un upcrun = {.sun_family = AF_UNIX};
    char text[16];
    if (name == NULL || strlen(name) > sizeof upcrun.sun_path - 1)
        return;
    /* An abstract name, which is in no file system. */
    memcpy(upcrun.sun_path + 1, name, strlen(name));
    socklen_t length = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + strlen(name));
    int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    size_t bytes = (size_t)snprintf(text, sizeof text, "%d", status);
    /* If it does not arrive, the status is that of MPI's launcher. */
    if (fd < 0)
        return;
    (void)sendto(fd, text, bytes, MSG_NOSIGNAL, (const struct sockaddr *)&upcrun, length);
    close(fd);
}

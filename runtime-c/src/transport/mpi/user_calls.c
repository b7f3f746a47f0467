/* What the events of a program's own MPI calls need (upcr/mpi_calls.h): the places of the calls, and the threads that they are about. */
#include "runtime.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/trace.h"
#include "transport/mpi/pmpi.h"
#include "upcr/inst.h"
#include "upcr/mpi_support.h"

enum { PLACES = 1 << 10, LONGEST_NAME = 1024 };

/* The places of calls by return address; a chain ends where an address is NULL. Places are never freed, as the tool may keep them. */
static struct {
    const void *address;
    upcr_site site;
} places[PLACES];
static size_t place_count;
static pthread_mutex_t places_lock = PTHREAD_MUTEX_INITIALIZER;

/* Stands for the places that do not fit. */
static upcr_site no_place;

/* Files by name, so that the same file has the same pointer. */
static const char *file_named(const char *name)
{
    static struct file {
        struct file *next;
        char name[];
    } * files;
    for (const struct file *file = files; file != NULL; file = file->next)
        if (strcmp(file->name, name) == 0)
            return file->name;
    struct file *fresh = malloc(sizeof *fresh + strlen(name) + 1);
    if (fresh == NULL)
        return NULL;
    strcpy(fresh->name, name);
    fresh->next = files;
    files = fresh;
    return fresh->name;
}

/* Finds the innermost line of the user's code at a call. Without line tables (-g) there is none. */
static void describe_place(upcr_site *site, const void *address)
{
    struct upcr_level levels[UPCR_TRACE_MOST_LEVELS];
    char name[LONGEST_NAME];
    int count = upcr_trace_levels((uintptr_t)address - 1, levels, UPCR_TRACE_MOST_LEVELS);
    for (int i = 0; i < count; i++) {
        if (!levels[i].user)
            continue;
        const char *folder = levels[i].folder;
        snprintf(name, sizeof name, "%s%s%s", folder != NULL ? folder : "", folder != NULL ? "/" : "", levels[i].file);
        site->file = file_named(name);
        site->line = site->file != NULL ? levels[i].line : 0;
        return;
    }
}

upcr_site *upcr_mpi_place(const char *call, const void *address)
{
    pthread_mutex_lock(&places_lock);
    size_t at = ((uintptr_t)address >> 2) * 31 % PLACES;
    while (places[at].address != NULL && places[at].address != address)
        at = (at + 1) % PLACES;
    upcr_site *site = &places[at].site;
    if (places[at].address == NULL && place_count + 1 == PLACES) {
        site = &no_place;
    } else if (places[at].address == NULL) {
        places[at].address = address;
        place_count++;
        site->name = call;
        describe_place(site, address);
    }
    pthread_mutex_unlock(&places_lock);
    return site;
}

int upcr_mpi_thread(MPI_Comm comm, int rank)
{
    MPI_Group theirs, ours;
    int thread = -1, is_inter = 0;
    if (rank < 0)
        return -1;
    PMPI_Comm_test_inter(comm, &is_inter);
    if ((is_inter ? PMPI_Comm_remote_group : PMPI_Comm_group)(comm, &theirs) != MPI_SUCCESS)
        return -1;
    PMPI_Comm_group(wire_threads, &ours);
    if (PMPI_Group_translate_ranks(theirs, 1, &rank, ours, &thread) != MPI_SUCCESS || thread < 0)
        thread = -1;
    PMPI_Group_free(&theirs);
    PMPI_Group_free(&ours);
    return thread;
}

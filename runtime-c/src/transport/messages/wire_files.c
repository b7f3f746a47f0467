/* The folder of the files by which the wire's processes on a machine share memory. MPI removes such files only when it
   ends normally. Each job has a folder of its own, and its launchers remove it with everything in it, so nothing depends
   on the names of the files, which differ between versions. */
#include "runtime.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "transport/messages/wire_files.h"

enum { PATH_CAPACITY = 600 };

static char folder[PATH_CAPACITY]; /* "": there is none */
static char *users;                /* what the user has set; NULL: nothing */

/* Takes a folder of this name that another launcher of the job has made, but nothing that belongs to another user. */
static bool make_folder(void)
{
    struct stat found;
    if (mkdir(folder, S_IRWXU) != 0 && errno != EEXIST)
        return false;
    return lstat(folder, &found) == 0 && S_ISDIR(found.st_mode) && found.st_uid == geteuid() && access(folder, W_OK | X_OK) == 0;
}

/* The launchers of a job on a machine have the same starter and the same namespace of PMIx. */
static bool name_folder(const char *base)
{
    const char *job = getenv("PMIX_NAMESPACE");
    int length = snprintf(folder, sizeof folder, "%s/upcc-mpi.%u.%d.%s", base, (unsigned)geteuid(), (int)getppid(), job != NULL ? job : "");
    if (length < 0 || (size_t)length >= sizeof folder)
        return false;
    for (char *at = folder + strlen(base) + 1; *at != '\0'; at++)
        if (*at == '/')
            *at = '_';
    return true;
}

void net_files_start(void)
{
    const char *set = wire_files_variable != NULL ? getenv(wire_files_variable) : NULL;
    if (wire_files_variable == NULL)
        return;
    users = set != NULL ? strdup(set) : NULL;
    if (name_folder(set != NULL ? set : "/dev/shm") && make_folder())
        setenv(wire_files_variable, folder, 1);
    else
        folder[0] = '\0'; /* MPI chooses another one, and removes the files if it can */
}

void net_files_started(void)
{
    if (folder[0] != '\0' && users != NULL)
        setenv(wire_files_variable, users, 1);
    else if (folder[0] != '\0')
        unsetenv(wire_files_variable);
}

void net_files_end(void)
{
    /* The last launcher of the machine succeeds. */
    if (folder[0] != '\0')
        (void)rmdir(folder);
}

void net_files_remove(void)
{
    int fd = folder[0] != '\0' ? open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) : -1;
    if (fd < 0)
        return;
    DIR *list = fdopendir(fd);
    for (const struct dirent *entry; list != NULL && (entry = readdir(list)) != NULL;)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            (void)unlinkat(fd, entry->d_name, 0);
    if (list != NULL)
        closedir(list);
    else
        close(fd);
    net_files_end();
}

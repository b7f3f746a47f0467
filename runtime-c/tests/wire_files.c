/* The folder of the wire's files: launchers of a job share it, it goes with everything in it, and what belongs to others stays. */
#define _GNU_SOURCE
#include "test.h"

#include "transport/messages/wire_files.c"

const char *const wire_files_variable = "UPC_TEST_FOLDER";

static char base[] = "/tmp/upcc-test-XXXXXX";

static bool is_there(const char *path)
{
    struct stat found;
    return lstat(path, &found) == 0;
}

static void make_file(const char *where, const char *name)
{
    char path[2 * PATH_CAPACITY];
    snprintf(path, sizeof path, "%s/%s", where, name);
    FILE *file = fopen(path, "w");
    CHECK(file != NULL && fclose(file) == 0);
}

static void start(void)
{
    folder[0] = '\0';
    setenv(wire_files_variable, base, 1);
    net_files_start();
}

/* The program itself has the user's value. */
static void check_variable(void)
{
    start();
    CHECK(folder[0] != '\0' && strcmp(getenv(wire_files_variable), folder) == 0);
    net_files_started();
    CHECK(strcmp(getenv(wire_files_variable), base) == 0);
    net_files_end();
    CHECK(!is_there(folder));
}

/* Two launchers: the first that ends normally leaves the folder to the other one. */
static void check_shared(void)
{
    char first[PATH_CAPACITY];
    start();
    strcpy(first, folder);
    start();
    CHECK(strcmp(first, folder) == 0);
    /* The names of Open MPI 4 and of Open MPI 5. */
    make_file(folder, "vader_segment.m.0.1.2");
    make_file(folder, "sm_segment.m.0.1.2");
    net_files_end();
    CHECK(is_there(folder));
    make_file(base, "vader_segment.of_others");
    net_files_remove();
    CHECK(!is_there(folder));
    net_files_remove();
}

/* Another user may have made the name into a link. */
static void check_link(void)
{
    char elsewhere[2 * PATH_CAPACITY];
    snprintf(elsewhere, sizeof elsewhere, "%s/elsewhere", base);
    CHECK(mkdir(elsewhere, S_IRWXU) == 0);
    make_file(elsewhere, "kept");
    CHECK(name_folder(base) && symlink(elsewhere, folder) == 0);
    net_files_remove();
    start();
    CHECK(folder[0] == '\0' && strcmp(getenv(wire_files_variable), base) == 0);
    strcat(elsewhere, "/kept");
    CHECK(is_there(elsewhere));
}

static void check_name(void)
{
    setenv("PMIX_NAMESPACE", "prterun-m-7@1/2", 1);
    CHECK(name_folder(base) && strstr(folder, ".prterun-m-7@1_2") != NULL);
    CHECK(strrchr(folder, '/') == folder + strlen(base));
    unsetenv("PMIX_NAMESPACE");
}

int main(void)
{
    char others[64], command[64];
    CHECK(mkdtemp(base) != NULL);
    check_variable();
    check_shared();
    check_link();
    check_name();
    snprintf(others, sizeof others, "%s/vader_segment.of_others", base);
    CHECK(is_there(others));
    snprintf(command, sizeof command, "rm -r %s", base);
    CHECK(system(command) == 0);
    return 0;
}

// question: do opening, closing, sizes, positions and fcntl of UPC-IO do what the specification says, errors included?
// counts: UPC_BARRIER=4*THREADS, UPC_MEMPUT=1, UPC_MEMGET=THREADS, UPC_MEMGET.remote=THREADS-1, C_FUNC=7*THREADS
#include "io_check.h"
#include <sys/stat.h>

#ifndef __UPC_IO__
#error "feature macro"
#endif

static void opening(const char *name)
{
    upc_file_t *f;
    errno = 0;
    CHECK(upc_all_fopen(name, UPC_RDONLY | UPC_INDIVIDUAL_FP, 0, NULL) == NULL && errno == ENOENT);
    CHECK(upc_all_fopen(name, UPC_RDWR | UPC_CREATE, 0, NULL) == NULL && errno == EINVAL);
    CHECK(upc_all_fopen(name, UPC_COMMON_FP | UPC_CREATE, 0, NULL) == NULL);
    CHECK(upc_all_fopen(name, UPC_RDONLY | UPC_WRONLY | UPC_COMMON_FP, 0, NULL) == NULL);
    f = upc_all_fopen(name, UPC_RDWR | UPC_CREATE | UPC_EXCL | UPC_COMMON_FP, 0, NULL);
    CHECK(f != NULL && upc_all_fget_size(f) == 0);
    CHECK(upc_all_fset_size(f, 5000) == 0 && upc_all_fget_size(f) == 5000);
    CHECK(upc_all_fclose(f) == 0);
    CHECK(upc_all_fopen(name, UPC_RDWR | UPC_CREATE | UPC_EXCL | UPC_COMMON_FP, 0, NULL) == NULL && errno == EEXIST);
    f = upc_all_fopen(name, UPC_RDWR | UPC_CREATE | UPC_APPEND | UPC_INDIVIDUAL_FP, 0, NULL);
    CHECK(f != NULL && upc_all_fseek(f, 0, UPC_SEEK_CUR) == 5000);
    CHECK(upc_all_fclose(f) == 0);
    CHECK(upc_all_fclose(f) == -1 && errno == EBADF);
    CHECK(upc_all_fclose(NULL) == -1 && upc_all_fsync(NULL) == -1 && upc_all_fget_size(NULL) == -1);
    f = upc_all_fopen(name, UPC_WRONLY | UPC_TRUNC | UPC_INDIVIDUAL_FP, 0, NULL);
    CHECK(f != NULL && upc_all_fget_size(f) == 0);
    CHECK(upc_all_fpreallocate(f, 3000) == 0 && upc_all_fget_size(f) == 3000);
    CHECK(upc_all_fpreallocate(f, 1000) == 0 && upc_all_fget_size(f) == 3000);
    CHECK(upc_all_fset_size(f, 10) == 0 && upc_all_fget_size(f) == 10 && upc_all_fset_size(f, -1) == -1);
    CHECK(upc_all_fclose(f) == 0);
    f = upc_all_fopen(name, UPC_RDONLY | UPC_INDIVIDUAL_FP, 0, NULL);
    CHECK(upc_all_fset_size(f, 10) == -1 && upc_all_fpreallocate(f, 10) == -1);
    CHECK(upc_all_fclose(f) == 0);
}

static void seeking(const char *name)
{
    upc_off_t large = (upc_off_t)1 << 40;
    upc_file_t *f = upc_all_fopen(name, UPC_RDWR | UPC_INDIVIDUAL_FP, 0, NULL);
    CHECK(upc_all_fset_size(f, 100) == 0);
    CHECK(upc_all_fseek(f, MYTHREAD, UPC_SEEK_SET) == MYTHREAD);
    CHECK(upc_all_fseek(f, 3, UPC_SEEK_CUR) == MYTHREAD + 3);
    CHECK(upc_all_fseek(f, -2, UPC_SEEK_END) == 98);
    CHECK(upc_all_fseek(f, -99, UPC_SEEK_CUR) == -1 && errno == EINVAL);
    CHECK(upc_all_fseek(f, 0, 77) == -1);
    CHECK(upc_all_fseek(f, large, UPC_SEEK_SET) == large && upc_all_fget_size(f) == 100);
    CHECK(upc_all_fclose(f) == 0);
}

static void control(const char *name)
{
    struct upc_hint hints[] = {{"access_style", "sequential,read_mostly"}, {"no_such_hint", "x"}, {"cb_nodes", "4"}};
    struct upc_hint changed = {"cb_nodes", "2"};
    const struct upc_hint *found;
    const char *got;
    upc_file_t *f = upc_all_fopen(name, UPC_RDWR | UPC_COMMON_FP, 3, hints);
    CHECK(upc_all_fcntl(f, UPC_GET_CA_SEMANTICS, NULL) == 0);
    CHECK(upc_all_fcntl(f, UPC_SET_STRONG_CA_SEMANTICS, NULL) == 0);
    CHECK(upc_all_fcntl(f, UPC_GET_CA_SEMANTICS, NULL) == UPC_STRONG_CA);
    CHECK(upc_all_fcntl(f, UPC_GET_FL, NULL) == (UPC_RDWR | UPC_COMMON_FP | UPC_STRONG_CA));
    CHECK(upc_all_fcntl(f, UPC_SET_WEAK_CA_SEMANTICS, NULL) == 0 && upc_all_fcntl(f, UPC_GET_FP, NULL) == UPC_COMMON_FP);
    CHECK(upc_all_fseek(f, 5, UPC_SEEK_SET) == 5);
    CHECK(upc_all_fcntl(f, UPC_SET_INDIVIDUAL_FP, NULL) == 0 && upc_all_fcntl(f, UPC_GET_FP, NULL) == UPC_INDIVIDUAL_FP);
    CHECK(upc_all_fseek(f, 0, UPC_SEEK_CUR) == 0);
    CHECK(upc_all_fcntl(f, UPC_SET_COMMON_FP, NULL) == 0 && upc_all_fcntl(f, UPC_GET_FL, NULL) == (UPC_RDWR | UPC_COMMON_FP));
    CHECK(upc_all_fcntl(f, UPC_GET_FN, &got) == 0 && strcmp(got, name) == 0);
    CHECK(upc_all_fcntl(f, UPC_GET_HINTS, &found) == 2 && strcmp(found[1].key, "cb_nodes") == 0 && strcmp(found[1].value, "4") == 0);
    CHECK(upc_all_fcntl(f, UPC_SET_HINT, &changed) == 0);
    CHECK(upc_all_fcntl(f, UPC_GET_HINTS, &found) == 2 && strcmp(found[1].value, "2") == 0);
    CHECK(upc_all_fcntl(f, UPC_ASYNC_OUTSTANDING, NULL) == 0);
    CHECK(upc_all_fcntl(f, 12345, NULL) == -1 && upc_all_fcntl(NULL, UPC_GET_FP, NULL) == -1);
    CHECK(upc_all_fclose(f) == 0);
}

static void permissions_and_deletion(const char *name)
{
    struct upc_hint hint = {"file_perm", "600"};
    struct stat status;
    upc_file_t *f = upc_all_fopen(name, UPC_WRONLY | UPC_CREATE | UPC_INDIVIDUAL_FP, 1, &hint);
    CHECK(f != NULL && stat(name, &status) == 0 && (status.st_mode & 0777) == 0600);
    CHECK(upc_all_fclose(f) == 0);
    f = upc_all_fopen(name, UPC_RDWR | UPC_DELETE_ON_CLOSE | UPC_INDIVIDUAL_FP, 0, NULL);
    CHECK(f != NULL && upc_all_fclose(f) == 0);
    CHECK(access(name, F_OK) != 0);
}

int main(void)
{
    const char *name = file_name();
    opening(name);
    seeking(name);
    control(name);
    upc_barrier;
    if (MYTHREAD == 0)
        remove(name);
    upc_barrier;
    permissions_and_deletion(name);
    return pass();
}

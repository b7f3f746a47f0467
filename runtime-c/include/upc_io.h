/* <upc_io.h> of UPC 1.3 (library section, "UPC parallel I/O"). A file is an ordinary file of the system: it can be listed, copied, moved and
   removed as such, and holds the bytes in their order. */
#pragma GCC system_header
#ifndef __UPC_IO_H__
#define __UPC_IO_H__

#include <stddef.h>
#include "upc_types.h"
#include "upcr/io_constants.h"

typedef __INT64_TYPE__ upc_off_t;
typedef shared struct upcr_file upc_file_t;

typedef struct upc_hint {
    const char *key;
    const char *value;
} upc_hint_t;

struct upc_local_memvec {
    void *baseaddr;
    size_t len;
};
struct upc_shared_memvec {
    shared void *baseaddr;
    size_t blocksize;
    size_t len;
};
struct upc_filevec {
    upc_off_t offset;
    size_t len;
};
typedef struct upc_local_memvec upc_local_memvec_t;
typedef struct upc_shared_memvec upc_shared_memvec_t;
typedef struct upc_filevec upc_filevec_t;

extern upc_file_t *upc_all_fopen(const char *fname, int flags, size_t numhints, struct upc_hint const *hints);
extern int upc_all_fclose(upc_file_t *fd);
extern int upc_all_fsync(upc_file_t *fd);
extern upc_off_t upc_all_fseek(upc_file_t *fd, upc_off_t offset, int origin);
extern int upc_all_fset_size(upc_file_t *fd, upc_off_t size);
extern upc_off_t upc_all_fget_size(upc_file_t *fd);
extern int upc_all_fpreallocate(upc_file_t *fd, upc_off_t size);
extern int upc_all_fcntl(upc_file_t *fd, int cmd, void *arg);

/* Reading and writing. The asynchronous forms return nothing: upc_all_fwait_async and upc_all_ftest_async give the result. */
#define UPCR_IO(result, suffix)                                                                                                                             \
    extern result upc_all_fread_local##suffix(upc_file_t *fd, void *buffer, size_t size, size_t nmemb, upc_flag_t flags);                                   \
    extern result upc_all_fwrite_local##suffix(upc_file_t *fd, void *buffer, size_t size, size_t nmemb, upc_flag_t flags);                                  \
    extern result upc_all_fread_shared##suffix(upc_file_t *fd, shared void *buffer, size_t blocksize, size_t size, size_t nmemb, upc_flag_t flags);         \
    extern result upc_all_fwrite_shared##suffix(upc_file_t *fd, shared void *buffer, size_t blocksize, size_t size, size_t nmemb, upc_flag_t flags);        \
    extern result upc_all_fread_list_local##suffix(upc_file_t *fd, size_t memvec_entries, struct upc_local_memvec const *memvec, size_t filevec_entries,    \
                                                   struct upc_filevec const *filevec, upc_flag_t flags);                                                    \
    extern result upc_all_fwrite_list_local##suffix(upc_file_t *fd, size_t memvec_entries, struct upc_local_memvec const *memvec, size_t filevec_entries,   \
                                                    struct upc_filevec const *filevec, upc_flag_t flags);                                                   \
    extern result upc_all_fread_list_shared##suffix(upc_file_t *fd, size_t memvec_entries, struct upc_shared_memvec const *memvec, size_t filevec_entries,  \
                                                    struct upc_filevec const *filevec, upc_flag_t flags);                                                   \
    extern result upc_all_fwrite_list_shared##suffix(upc_file_t *fd, size_t memvec_entries, struct upc_shared_memvec const *memvec, size_t filevec_entries, \
                                                     struct upc_filevec const *filevec, upc_flag_t flags);
UPCR_IO(upc_off_t, )
UPCR_IO(void, _async)
#undef UPCR_IO

extern upc_off_t upc_all_fwait_async(upc_file_t *fd);
extern upc_off_t upc_all_ftest_async(upc_file_t *fd, int *flag);

#endif

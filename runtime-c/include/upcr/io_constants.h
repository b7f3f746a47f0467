/* The constants of <upc_io.h> in a header of their own, so that the runtime, which is written in C, can include them too. */
#ifndef UPCR_IO_CONSTANTS_H
#define UPCR_IO_CONSTANTS_H

/* upc_all_fopen: exactly one of the first three and one of the next two */
#define UPC_RDONLY          1
#define UPC_WRONLY          2
#define UPC_RDWR            4
#define UPC_INDIVIDUAL_FP   8
#define UPC_COMMON_FP       16
#define UPC_APPEND          32
#define UPC_CREATE          64
#define UPC_EXCL            128
#define UPC_STRONG_CA       256
#define UPC_TRUNC           512
#define UPC_DELETE_ON_CLOSE 1024

/* upc_all_fseek */
#define UPC_SEEK_SET 0
#define UPC_SEEK_CUR 1
#define UPC_SEEK_END 2

/* upc_all_fcntl */
#define UPC_GET_CA_SEMANTICS        1
#define UPC_SET_WEAK_CA_SEMANTICS   2
#define UPC_SET_STRONG_CA_SEMANTICS 3
#define UPC_GET_FP                  4
#define UPC_SET_COMMON_FP           5
#define UPC_SET_INDIVIDUAL_FP       6
#define UPC_GET_FL                  7
#define UPC_GET_FN                  8
#define UPC_GET_HINTS               9
#define UPC_SET_HINT                10
#define UPC_ASYNC_OUTSTANDING       11

#endif

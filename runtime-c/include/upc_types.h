/* <upc_types.h> of UPC 1.3 (library section, "UPC standard types"). A strictly conforming C translation unit. */
#pragma GCC system_header
#ifndef __UPC_TYPES_H__
#define __UPC_TYPES_H__

/* Operations: every combination by | is distinct and below 65536. */
typedef int upc_op_t;
#define UPC_ADD    1
#define UPC_MULT   2
#define UPC_AND    4
#define UPC_OR     8
#define UPC_XOR    16
#define UPC_LOGAND 32
#define UPC_LOGOR  64
#define UPC_MIN    128
#define UPC_MAX    256

/* Types */
typedef int upc_type_t;
#define UPC_CHAR    1
#define UPC_UCHAR   2
#define UPC_SHORT   3
#define UPC_USHORT  4
#define UPC_INT     5
#define UPC_UINT    6
#define UPC_LONG    7
#define UPC_ULONG   8
#define UPC_LLONG   9
#define UPC_ULLONG  10
#define UPC_INT8    11
#define UPC_UINT8   12
#define UPC_INT16   13
#define UPC_UINT16  14
#define UPC_INT32   15
#define UPC_UINT32  16
#define UPC_INT64   17
#define UPC_UINT64  18
#define UPC_FLOAT   19
#define UPC_DOUBLE  20
#define UPC_LDOUBLE 21
#define UPC_PTS     22

/* Synchronization flags: every combination by | is distinct and below 64. */
typedef int upc_flag_t;
#define UPC_IN_ALLSYNC  1
#define UPC_IN_MYSYNC   2
#define UPC_IN_NOSYNC   4
#define UPC_OUT_ALLSYNC 8
#define UPC_OUT_MYSYNC  16
#define UPC_OUT_NOSYNC  32

#endif

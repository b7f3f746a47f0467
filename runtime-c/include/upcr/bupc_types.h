/* The types of bupc_atomic...: X(code in the names, type, cell of atomic/cell.h, kind of its operations). */
#ifndef UPCR_BUPC_TYPES_H
#define UPCR_BUPC_TYPES_H

#define UPCR_BUPC_TYPES(X)                \
    X(I, int, I32, INTEGER)               \
    X(UI, unsigned int, U32, INTEGER)     \
    X(L, long, LONG, INTEGER)             \
    X(UL, unsigned long, ULONG, INTEGER)  \
    X(I32, __INT32_TYPE__, I32, INTEGER)  \
    X(U32, __UINT32_TYPE__, U32, INTEGER) \
    X(I64, __INT64_TYPE__, I64, INTEGER)  \
    X(U64, __UINT64_TYPE__, U64, INTEGER) \
    X(F, float, FLOAT, FLOATING)          \
    X(D, double, DOUBLE, FLOATING)

#endif

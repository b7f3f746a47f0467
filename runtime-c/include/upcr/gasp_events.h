/* Made from src/events/table.rs: UPDATE=1 cargo test --test events_table */
#ifndef UPCR_GASP_EVENTS_H
#define UPCR_GASP_EVENTS_H

/* start, end: const char *funcsig */
#define GASP_C_FUNC 1023
/* start: size_t nbytes; end: size_t nbytes, void *returnptr */
#define GASP_C_MALLOC 1020
/* start: void *ptr, size_t size; end: void *ptr, size_t size, void *returnptr */
#define GASP_C_REALLOC 1021
/* start, end: void *ptr */
#define GASP_C_FREE 1022
/* start, end: int status */
#define GASP_UPC_COLLECTIVE_EXIT 1210
/* once: int status */
#define GASP_UPC_NONCOLLECTIVE_EXIT 1211
/* start, end: int named, int expr */
#define GASP_UPC_NOTIFY 1100
/* start, end: int named, int expr */
#define GASP_UPC_WAIT 1101
/* start, end: int named, int expr */
#define GASP_UPC_BARRIER 1102
/* start, end: no arguments */
#define GASP_UPC_FENCE 1103
/* start, end: no arguments */
#define GASP_UPC_FORALL 1104
/* start: size_t nblocks, size_t nbytes; end: size_t nblocks, size_t nbytes, gasp_upc_PTS_t *newshrd_ptr */
#define GASP_UPC_GLOBAL_ALLOC 1001
/* start: size_t nblocks, size_t nbytes; end: size_t nblocks, size_t nbytes, gasp_upc_PTS_t *newshrd_ptr */
#define GASP_UPC_ALL_ALLOC 1002
/* start: size_t nbytes; end: size_t nbytes, gasp_upc_PTS_t *newshrd_ptr */
#define GASP_UPC_ALLOC 1000
/* start, end: gasp_upc_PTS_t *shrd_ptr */
#define GASP_UPC_FREE 1003
/* start: no arguments; end: gasp_upc_lock_t *lck */
#define GASP_UPC_GLOBAL_LOCK_ALLOC 1010
/* start: no arguments; end: gasp_upc_lock_t *lck */
#define GASP_UPC_ALL_LOCK_ALLOC 1011
/* start, end: gasp_upc_lock_t *lck */
#define GASP_UPC_LOCK_FREE 1012
/* start, end: gasp_upc_lock_t *lck */
#define GASP_UPC_LOCK 1014
/* start: gasp_upc_lock_t *lck; end: gasp_upc_lock_t *lck, int result */
#define GASP_UPC_LOCK_ATTEMPT 1013
/* start, end: gasp_upc_lock_t *lck */
#define GASP_UPC_UNLOCK 1015
/* start, end: gasp_upc_PTS_t *dst, gasp_upc_PTS_t *src, size_t n */
#define GASP_UPC_MEMCPY 1032
/* start, end: void *dst, gasp_upc_PTS_t *src, size_t n */
#define GASP_UPC_MEMGET 1030
/* start, end: gasp_upc_PTS_t *dst, void *src, size_t n */
#define GASP_UPC_MEMPUT 1031
/* start, end: gasp_upc_PTS_t *dst, int c, size_t n */
#define GASP_UPC_MEMSET 1033
/* start, end: int is_relaxed, void *dst, gasp_upc_PTS_t *src, size_t n */
#define GASP_UPC_GET 1111
/* start, end: int is_relaxed, gasp_upc_PTS_t *dst, void *src, size_t n */
#define GASP_UPC_PUT 1110
/* start: int is_relaxed, void *dst, gasp_upc_PTS_t *src, size_t n; end: int is_relaxed, void *dst, gasp_upc_PTS_t *src, size_t n, gasp_upc_nb_handle_t handle */
#define GASP_UPC_NB_GET_INIT 1120
/* start, end: gasp_upc_nb_handle_t handle */
#define GASP_UPC_NB_GET_DATA 1123
/* start: int is_relaxed, gasp_upc_PTS_t *dst, void *src, size_t n; end: int is_relaxed, gasp_upc_PTS_t *dst, void *src, size_t n, gasp_upc_nb_handle_t handle */
#define GASP_UPC_NB_PUT_INIT 1121
/* start, end: gasp_upc_nb_handle_t handle */
#define GASP_UPC_NB_PUT_DATA 1124
/* start, end: gasp_upc_nb_handle_t handle */
#define GASP_UPC_NB_SYNC 1122
/* start: gasp_upc_nb_handle_t handle; end: gasp_upc_nb_handle_t handle, int result */
#define GASP_BUPC_NB_TRYSYNC 1130
/* start: gasp_upc_PTS_t *dst, gasp_upc_PTS_t *src, size_t n; end: gasp_upc_PTS_t *dst, gasp_upc_PTS_t *src, size_t n, gasp_upc_nb_handle_t handle */
#define GASP_BUPC_NB_MEMCPY_INIT 1133
/* start: gasp_upc_PTS_t *dst, int c, size_t n; end: gasp_upc_PTS_t *dst, int c, size_t n, gasp_upc_nb_handle_t handle */
#define GASP_UPCC_NB_MEMSET_INIT 1134
/* once: size_t n, size_t n_lines */
#define GASP_UPC_CACHE_MISS 1150
/* once: size_t n */
#define GASP_UPC_CACHE_HIT 1151
/* once: size_t n_dirty */
#define GASP_UPC_CACHE_INVALIDATE 1152
/* start, end: gasp_upc_PTS_t *dst, gasp_upc_PTS_t *src, size_t nbytes, int upc_flags */
#define GASP_UPC_ALL_BROADCAST 1300
/* start, end: gasp_upc_PTS_t *dst, gasp_upc_PTS_t *src, size_t nbytes, int upc_flags */
#define GASP_UPC_ALL_SCATTER 1310
/* start, end: gasp_upc_PTS_t *dst, gasp_upc_PTS_t *src, size_t nbytes, int upc_flags */
#define GASP_UPC_ALL_GATHER 1320
/* start, end: gasp_upc_PTS_t *dst, gasp_upc_PTS_t *src, size_t nbytes, int upc_flags */
#define GASP_UPC_ALL_GATHER_ALL 1330
/* start, end: gasp_upc_PTS_t *dst, gasp_upc_PTS_t *src, size_t nbytes, int upc_flags */
#define GASP_UPC_ALL_EXCHANGE 1340
/* start, end: gasp_upc_PTS_t *dst, gasp_upc_PTS_t *src, gasp_upc_PTS_t *perm, size_t nbytes, int upc_flags */
#define GASP_UPC_ALL_PERMUTE 1350
/* start, end: gasp_upc_PTS_t *dst, gasp_upc_PTS_t *src, int upc_op, size_t nelems, size_t blk_size, void *func, int upc_flags, gasp_upc_reduction_t type */
#define GASP_UPC_ALL_REDUCE 1400
/* start, end: gasp_upc_PTS_t *dst, gasp_upc_PTS_t *src, int upc_op, size_t nelems, size_t blk_size, void *func, int upc_flags, gasp_upc_reduction_t type */
#define GASP_UPC_ALL_PREFIX_REDUCE 1410
/* start, end: gasp_upc_PTS_t *target, int op, size_t n */
#define GASP_UPCC_ATOMIC 1160
/* once: size_t blocks, size_t bytes, gasp_upc_PTS_t *address, void *symbol, size_t elemsz, const char *name, const char *type */
#define GASP_BUPC_STATIC_SHARED 1140
/* start: const char *name, int file_flags; end: const char *name, int file_flags, gasp_upc_PTS_t *file */
#define GASP_UPCC_ALL_FOPEN 1170
/* start: gasp_upc_PTS_t *file, int file_flags; end: gasp_upc_PTS_t *file, int file_flags, int result */
#define GASP_UPCC_ALL_FCLOSE 1171
/* start: gasp_upc_PTS_t *file, int file_flags, int is_shared, size_t n, int upc_flags; end: gasp_upc_PTS_t *file, int file_flags, int is_shared, size_t n, int upc_flags, int64_t result */
#define GASP_UPCC_ALL_FREAD 1172
/* start: gasp_upc_PTS_t *file, int file_flags, int is_shared, size_t n, int upc_flags; end: gasp_upc_PTS_t *file, int file_flags, int is_shared, size_t n, int upc_flags, int64_t result */
#define GASP_UPCC_ALL_FWRITE 1173
/* start, end: gasp_upc_PTS_t *file, int file_flags, int is_shared, size_t n, int upc_flags */
#define GASP_UPCC_ALL_FREAD_ASYNC 1174
/* start, end: gasp_upc_PTS_t *file, int file_flags, int is_shared, size_t n, int upc_flags */
#define GASP_UPCC_ALL_FWRITE_ASYNC 1175
/* start: gasp_upc_PTS_t *file, int file_flags; end: gasp_upc_PTS_t *file, int file_flags, int64_t result */
#define GASP_UPCC_ALL_FWAIT_ASYNC 1176
/* start: gasp_upc_PTS_t *file, int file_flags; end: gasp_upc_PTS_t *file, int file_flags, int done, int64_t result */
#define GASP_UPCC_ALL_FTEST_ASYNC 1177
/* start: gasp_upc_PTS_t *file, int file_flags; end: gasp_upc_PTS_t *file, int file_flags, int result */
#define GASP_UPCC_ALL_FSYNC 1178
/* start: gasp_upc_PTS_t *file, int file_flags, int64_t offset, int origin; end: gasp_upc_PTS_t *file, int file_flags, int64_t offset, int origin, int64_t result */
#define GASP_UPCC_ALL_FSEEK 1179
/* start: gasp_upc_PTS_t *file, int file_flags, int64_t length; end: gasp_upc_PTS_t *file, int file_flags, int64_t length, int result */
#define GASP_UPCC_ALL_FSET_SIZE 1180
/* start: gasp_upc_PTS_t *file, int file_flags; end: gasp_upc_PTS_t *file, int file_flags, int64_t result */
#define GASP_UPCC_ALL_FGET_SIZE 1181
/* start: gasp_upc_PTS_t *file, int file_flags, int64_t length; end: gasp_upc_PTS_t *file, int file_flags, int64_t length, int result */
#define GASP_UPCC_ALL_FPREALLOCATE 1182
/* start: gasp_upc_PTS_t *file, int file_flags, int cmd; end: gasp_upc_PTS_t *file, int file_flags, int cmd, int result */
#define GASP_UPCC_ALL_FCNTL 1183
/* start: int sem_flags; end: int sem_flags, gasp_upc_PTS_t *sem */
#define GASP_UPCC_SEM_ALLOC 1190
/* start, end: gasp_upc_PTS_t *sem */
#define GASP_UPCC_SEM_FREE 1191
/* start, end: gasp_upc_PTS_t *sem, size_t count */
#define GASP_UPCC_SEM_POST 1192
/* start, end: gasp_upc_PTS_t *sem, size_t count */
#define GASP_UPCC_SEM_WAIT 1193
/* start: gasp_upc_PTS_t *sem, size_t count; end: gasp_upc_PTS_t *sem, size_t count, int result */
#define GASP_UPCC_SEM_TRY 1194
/* start, end: const char *call, int peer, size_t n */
#define GASP_UPCC_MPI_SEND 1200
/* start: const char *call, int peer, size_t n; end: const char *call, int peer, size_t n, int source, size_t received */
#define GASP_UPCC_MPI_RECV 1201
/* start: const char *call, int peer, size_t n; end: const char *call, int peer, size_t n, int source, size_t received */
#define GASP_UPCC_MPI_SENDRECV 1202
/* start, end: const char *call, int peer, size_t n */
#define GASP_UPCC_MPI_ISEND 1203
/* start, end: const char *call, int peer, size_t n */
#define GASP_UPCC_MPI_IRECV 1204
/* start, end: const char *call, size_t requests */
#define GASP_UPCC_MPI_WAIT 1205
/* start: const char *call, size_t requests; end: const char *call, size_t requests, int result */
#define GASP_UPCC_MPI_TEST 1206
/* start: const char *call, int peer; end: const char *call, int peer, int result */
#define GASP_UPCC_MPI_PROBE 1207
/* start, end: const char *call, int members */
#define GASP_UPCC_MPI_BARRIER 1208
/* start, end: const char *call, int peer, size_t n, int members */
#define GASP_UPCC_MPI_COLLECTIVE 1209

/* Tags that pupc_create_event gives, inclusive. */
#define GASP_UPC_USEREVT_START 10000
#define GASP_UPC_USEREVT_END 999999

#endif

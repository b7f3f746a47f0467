/* The file that all threads of a run append to. */
#ifndef MEASURE_FILE_H
#define MEASURE_FILE_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/measure/format.h"

/* Another number for an open file, out of the way of programs that count on the numbers of the files they open. */
int measure_file_move(int fd);

/* What these functions leave in errno, in words. */
const char *measure_file_reason(int error);

/* Makes the file anew, with its header; errno says why not. */
bool measure_file_create(const char *name);
/* Opens it to append blocks; if it is shared, only the one that thread 0 has made: `mark` is its measure_file_mark. */
bool measure_file_open(const char *name, uint32_t mark);
/* Tells this file from those of other runs, once its first block has been written. */
uint32_t measure_file_mark(void);
/* In the launcher: opens the file of the thread whose measure_run this is. */
bool measure_file_adopt(void);
/* In a process that the launcher has forked: appends blocks to this file from now on. */
void measure_file_use(int fd);

/* Under measure_run->lock: appends a block: `length` bytes of payload after MEASURE_BLOCK_HEADER bytes that this function fills. False if it could not be
   written. Async-signal-safe. */
bool measure_file_append(enum measure_block kind, uint8_t *block, size_t length);

/* Kinds of blocks (1 << enum measure_block) of which some could not be written, and why the first could not. */
unsigned measure_file_lost(int *error);

/* Between the two no signal comes: what has been written is not written again by a rescue. */
void measure_file_hold(sigset_t *before);
void measure_file_release(const sigset_t *before);

/* Whether the file will not be larger than `limit` with so many bytes more. */
bool measure_file_has_space(size_t bytes, uint64_t limit);

/* No more blocks: in a process that the user forked, too. */
void measure_file_close(void);

#endif

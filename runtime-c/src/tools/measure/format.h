/* Codes of the file: docs/trace-format.md says what they mean, src/prof/format.rs is the reader's side, which a test holds against this. */
#ifndef MEASURE_FORMAT_H
#define MEASURE_FORMAT_H

#define MEASURE_SIGNATURE "\x89UPCT\r\n\x1a"
enum { MEASURE_MAJOR = 2, MEASURE_MINOR = 1, MEASURE_BLOCK_MAGIC = 0x4b4c4255, MEASURE_FILE_HEADER = 16, MEASURE_BLOCK_HEADER = 24 };

enum measure_block { BLOCK_RUN = 1, BLOCK_THREAD, BLOCK_DEFINE, BLOCK_EVENTS, BLOCK_PROFILE, BLOCK_COUNTS, BLOCK_END, BLOCK_SAMPLES };

enum measure_field {
    FIELD_PROGRAM = 1,
    FIELD_ARGUMENT = 2,
    FIELD_THREADS = 3,
    FIELD_STATIC_THREADS = 4,
    FIELD_VERSION = 5,
    FIELD_START = 6,
    FIELD_MODE = 7,
    FIELD_COUNTER = 8,
    FIELD_SETTING = 9,
    FIELD_NETWORK = 10,
    FIELD_HOST = 16,
    FIELD_PROCESS = 17,
    FIELD_TICKS = 18,
    FIELD_NS = 19,
    FIELD_OFFSET = 20,
    FIELD_OFFSET_ERROR = 21,
    FIELD_PAIR_COST = 22,
    FIELD_PAIR_ERROR = 23,
    FIELD_HOW = 32,
    FIELD_STATUS = 33,
    FIELD_EVENTS = 34,
    FIELD_RAISED = 35,
    FIELD_DROPPED_SAMPLING = 36,
    FIELD_DROPPED_RATE = 37,
    FIELD_DROPPED_SIZE = 38,
    FIELD_DROPPED_DEPTH = 39,
    FIELD_DROPPED_CONTROL = 40,
    FIELD_DROPPED_REENTRY = 41,
    FIELD_NODES_FULL = 42,
};

enum measure_mode { MODE_TRACE = 1, MODE_PROFILE = 2, MODE_FLAT = 4 };
enum measure_how { HOW_EXIT, HOW_GLOBAL_EXIT, HOW_SIGNAL, HOW_JOB };
enum measure_definition { DEFINE_TEXT = 1, DEFINE_ORIGIN, DEFINE_USER_EVENT, DEFINE_OBJECT };
enum measure_side { SIDE_START, SIDE_END, SIDE_ATOMIC };
enum measure_origin_flag { ORIGIN_NOT_NESTED = 1 };
enum measure_note { NOTE_OFF = 1, NOTE_ON, NOTE_LOST, NOTE_WEIGHT };

enum measure_arg {
    ARG_INT = 1,
    ARG_SIZE,
    ARG_POINTER,
    ARG_SHARED,
    ARG_LOCK,
    ARG_TEXT,
    ARG_FLAGS,
    ARG_OPERATION,
    ARG_REDUCTION,
    ARG_HANDLE,
    ARG_REAL,
    ARG_PLACE,
    ARG_ELEMENT,
};

#endif

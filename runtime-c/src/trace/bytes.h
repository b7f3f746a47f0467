/* Reads binary data that may be damaged: all bytes after the end are 0. */
#ifndef UPCR_TRACE_BYTES_H
#define UPCR_TRACE_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct upcr_bytes {
    const unsigned char *at, *end;
};

static inline size_t upcr_left(const struct upcr_bytes *bytes)
{
    return (size_t)(bytes->end - bytes->at);
}

static inline void upcr_skip(struct upcr_bytes *bytes, uint64_t n)
{
    bytes->at = n > upcr_left(bytes) ? bytes->end : bytes->at + n;
}

/* Returns the part that begins at `offset`; empty if there is none. */
static inline struct upcr_bytes upcr_from(struct upcr_bytes bytes, uint64_t offset)
{
    upcr_skip(&bytes, offset);
    return bytes;
}

/* Returns the next n bytes and moves past them. */
static inline struct upcr_bytes upcr_part(struct upcr_bytes *bytes, uint64_t n)
{
    struct upcr_bytes part = *bytes;
    upcr_skip(bytes, n);
    part.end = bytes->at;
    return part;
}

/* Reads a number of `size` bytes (1, 2, 3, 4 or 8) in the machine's byte order, which is the program's. */
static inline uint64_t upcr_fixed(struct upcr_bytes *bytes, unsigned size)
{
    uint64_t wide = 0;
    uint32_t word = 0;
    uint16_t half = 0;
    const unsigned char *at = bytes->at;
    if (upcr_left(bytes) < size) {
        bytes->at = bytes->end;
        return 0;
    }
    bytes->at += size;
    switch (size) {
    case 1:
        return *at;
    case 2:
        memcpy(&half, at, sizeof half);
        return half;
    case 4:
        memcpy(&word, at, sizeof word);
        return word;
    case 8:
        memcpy(&wide, at, sizeof wide);
        return wide;
    default:
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
        for (unsigned i = 0; i < size; i++)
            wide = wide << 8 | at[i];
#else
        for (unsigned i = size; i > 0; i--)
            wide = wide << 8 | at[i - 1];
#endif
        return wide;
    }
}

static inline uint64_t upcr_uleb(struct upcr_bytes *bytes)
{
    uint64_t value = 0;
    for (unsigned shift = 0; upcr_left(bytes) != 0; shift += 7) {
        unsigned char byte = *bytes->at++;
        if (shift < 64)
            value |= (uint64_t)(byte & 0x7f) << shift;
        if ((byte & 0x80) == 0)
            break;
    }
    return value;
}

static inline int64_t upcr_sleb(struct upcr_bytes *bytes)
{
    uint64_t value = 0;
    unsigned shift = 0;
    unsigned char byte = 0;
    while (upcr_left(bytes) != 0) {
        byte = *bytes->at++;
        if (shift < 64)
            value |= (uint64_t)(byte & 0x7f) << shift;
        shift += 7;
        if ((byte & 0x80) == 0)
            break;
    }
    if ((byte & 0x40) != 0 && shift < 64)
        value |= ~(uint64_t)0 << shift;
    return (int64_t)value;
}

/* Returns the string that begins here and moves past its 0 byte; NULL if it has none. */
static inline const char *upcr_bytes_string(struct upcr_bytes *bytes)
{
    const unsigned char *zero = upcr_left(bytes) == 0 ? NULL : memchr(bytes->at, 0, upcr_left(bytes));
    const char *text = (const char *)bytes->at;
    if (zero == NULL) {
        bytes->at = bytes->end;
        return NULL;
    }
    bytes->at = zero + 1;
    return text;
}

#endif

/* The encoding of numbers in the file. */
#ifndef MEASURE_BYTES_H
#define MEASURE_BYTES_H

#include <stdint.h>
#include <string.h>

enum { VARINT_MAX = 10 };

static inline uint8_t *measure_put_long(uint8_t *to, uint64_t value)
{
    for (; value >= 0x80; value >>= 7)
        *to++ = (uint8_t)(value | 0x80);
    *to++ = (uint8_t)value;
    return to;
}

/* Writes a varint; most take one or two bytes. Returns the position after it. */
static inline uint8_t *measure_put(uint8_t *to, uint64_t value)
{
    if (value < 0x80) {
        *to = (uint8_t)value;
        return to + 1;
    }
    if (value < 0x4000) {
        to[0] = (uint8_t)(value | 0x80);
        to[1] = (uint8_t)(value >> 7);
        return to + 2;
    }
    return measure_put_long(to, value);
}

static inline uint64_t measure_zigzag(uint64_t difference)
{
    return difference << 1 ^ (uint64_t)((int64_t)difference >> 63);
}

static inline uint32_t measure_load32(const uint8_t *from)
{
    return (uint32_t)from[0] | (uint32_t)from[1] << 8 | (uint32_t)from[2] << 16 | (uint32_t)from[3] << 24;
}

static inline void measure_store32(uint8_t *to, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        to[i] = (uint8_t)(value >> 8 * i);
}

#endif

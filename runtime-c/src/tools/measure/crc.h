#ifndef MEASURE_CRC_H
#define MEASURE_CRC_H

#include <stddef.h>
#include <stdint.h>

/* Called before the first use; selects the processor's instruction if there is one. */
void measure_crc_prepare(void);

/* Returns the CRC-32C of `length` more bytes after those that gave `crc`, which is 0 at the beginning. Async-signal-safe. */
uint32_t measure_crc(uint32_t crc, const uint8_t *bytes, size_t length);

#endif

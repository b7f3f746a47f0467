#ifndef MEASURE_CRC_H
#define MEASURE_CRC_H

#include <stddef.h>
#include <stdint.h>

/* To be called before the first use; takes the processor's own instruction where there is one. */
void measure_crc_prepare(void);

/* CRC-32C of `length` more bytes behind those that gave `crc`, 0 at the front. Async-signal-safe. */
uint32_t measure_crc(uint32_t crc, const uint8_t *bytes, size_t length);

#endif

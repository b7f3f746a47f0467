/* CRC-32C, the checksum for which x86 has an instruction. */
#include "tools/measure/crc.h"

#include <string.h>

static const uint32_t polynomial = 0x82f63b78;

/* table[k][b]: the contribution of a byte b that k zero bytes follow. */
enum { SLICES = 8 };
static uint32_t crc_table[SLICES][256];

static uint32_t by_table(uint32_t crc, const uint8_t *bytes, size_t length)
{
    for (; length >= SLICES; bytes += SLICES, length -= SLICES) {
        uint32_t next = 0;
        for (int i = 0; i < SLICES; i++)
            next ^= crc_table[SLICES - 1 - i][(bytes[i] ^ (i < 4 ? crc >> 8 * i : 0)) & 0xff];
        crc = next;
    }
    for (; length > 0; length--)
        crc = crc >> 8 ^ crc_table[0][(crc ^ *bytes++) & 0xff];
    return crc;
}

static uint32_t (*chosen)(uint32_t, const uint8_t *, size_t) = by_table;

#if defined(__x86_64__)
__attribute__((__target__("sse4.2"))) static uint32_t by_instruction(uint32_t crc, const uint8_t *bytes, size_t length)
{
    uint64_t wide = crc;
    for (; length >= sizeof wide; bytes += sizeof wide, length -= sizeof wide) {
        uint64_t word;
        memcpy(&word, bytes, sizeof word);
        wide = __builtin_ia32_crc32di(wide, word);
    }
    crc = (uint32_t)wide;
    for (; length > 0; length--)
        crc = __builtin_ia32_crc32qi(crc, *bytes++);
    return crc;
}
#endif

void measure_crc_prepare(void)
{
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("sse4.2")) {
        chosen = by_instruction;
        return;
    }
#endif
    for (uint32_t b = 0; b < 256; b++) {
        uint32_t crc = b;
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? polynomial : 0);
        crc_table[0][b] = crc;
    }
    for (int k = 1; k < SLICES; k++)
        for (uint32_t b = 0; b < 256; b++)
            crc_table[k][b] = crc_table[k - 1][b] >> 8 ^ crc_table[0][crc_table[k - 1][b] & 0xff];
}

uint32_t measure_crc(uint32_t crc, const uint8_t *bytes, size_t length)
{
    return ~chosen(~crc, bytes, length);
}

/* Compresses and restores several kinds of data at every level, whole and as a stream, and prints sizes and checksums: the zlib half of real-c. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "zlib.h"

enum { SIZE = 300000, CHUNK = 777 };

static unsigned char data[SIZE], packed[SIZE + SIZE / 10 + 1000], restored[SIZE];

static void fill(int kind)
{
    unsigned x = 12345;
    for (int i = 0; i < SIZE; i++) {
        x = x * 1103515245u + 12345u;
        switch (kind) {
        case 0: data[i] = 0; break;
        case 1: data[i] = (unsigned char)(x >> 16); break;
        case 2: data[i] = (unsigned char)"the quick brown fox jumps over the lazy dog. "[(i + (x >> 29)) % 45]; break;
        default: data[i] = (unsigned char)(i * i / 1000); break;
        }
    }
}

static int whole(int kind, int level)
{
    uLongf size = sizeof packed, back = SIZE;
    if (compress2(packed, &size, data, SIZE, level) != Z_OK)
        return 1;
    memset(restored, 0xee, SIZE);
    if (uncompress(restored, &back, packed, size) != Z_OK || back != SIZE || memcmp(data, restored, SIZE))
        return 2;
    printf("kind %d level %d: %lu bytes, adler %08lx, crc %08lx\n", kind, level, size, adler32(1, packed, (uInt)size),
           crc32(0, packed, (uInt)size));
    return 0;
}

/* Feeds deflate and inflate CHUNK bytes at a time, in raw, zlib and gzip framing. */
static int stream(int kind, int bits, int strategy)
{
    z_stream z = {0};
    int status;
    size_t size;
    if (deflateInit2(&z, 6, Z_DEFLATED, bits, 8, strategy) != Z_OK)
        return 3;
    z.next_out = packed;
    z.avail_out = sizeof packed;
    for (int at = 0; at < SIZE; at += CHUNK) {
        int n = SIZE - at < CHUNK ? SIZE - at : CHUNK;
        z.next_in = data + at;
        z.avail_in = (uInt)n;
        status = deflate(&z, at + n == SIZE ? Z_FINISH : at % 5 ? Z_NO_FLUSH : Z_SYNC_FLUSH);
    }
    if (status != Z_STREAM_END)
        return 4;
    size = z.total_out;
    deflateEnd(&z);
    memset(&z, 0, sizeof z);
    if (inflateInit2(&z, bits) != Z_OK)
        return 5;
    z.next_in = packed;
    z.avail_in = (uInt)size;
    z.next_out = restored;
    do {
        z.avail_out = CHUNK;
        status = inflate(&z, Z_NO_FLUSH);
    } while (status == Z_OK);
    if (status != Z_STREAM_END || z.total_out != SIZE || memcmp(data, restored, SIZE))
        return 6;
    printf("kind %d bits %d strategy %d: %zu bytes, crc %08lx\n", kind, bits, strategy, size, crc32(0, packed, (uInt)size));
    inflateEnd(&z);
    return 0;
}

static int file(const char *name)
{
    gzFile gz = gzopen(name, "wb9");
    char line[64];
    long sum = 0;
    if (!gz)
        return 7;
    for (int i = 0; i < 5000; i++)
        gzprintf(gz, "line %d of %s\n", i * 7919 % 5000, "a file");
    gzclose(gz);
    gz = gzopen(name, "rb");
    while (gzgets(gz, line, sizeof line))
        sum += (long)strlen(line) + line[5];
    printf("file: %ld\n", sum);
    gzclose(gz);
    return 0;
}

int main(int argc, char **argv)
{
    int status = argc > 1 ? file(argv[1]) : 8;
    for (int kind = 0; kind < 4 && !status; kind++) {
        fill(kind);
        for (int level = 0; level <= 9 && !status; level++)
            status = whole(kind, level);
        for (int strategy = Z_DEFAULT_STRATEGY; strategy <= Z_FIXED && !status; strategy++)
            if ((status = stream(kind, 15, strategy)) == 0 && (status = stream(kind, -12, strategy)) == 0)
                status = stream(kind, 31, strategy);
    }
    printf("zlib %s, flags %lx, status %d\n", zlibVersion(), zlibCompileFlags() & 0xff, status);
    return status;
}

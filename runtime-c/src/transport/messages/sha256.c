#include "transport/messages/sha256.h"

#include <string.h>

enum { SHA256_BLOCK = 64, SHA256_ROUNDS = 64, SHA256_LENGTH = 8 };

struct sha256 {
    uint32_t state[SHA256_BYTES / 4];
    uint64_t bytes;
    uint8_t block[SHA256_BLOCK];
};

static const uint32_t sha256_round[SHA256_ROUNDS] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74,
    0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d,
    0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e,
    0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5,
    0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t sha256_rotate(uint32_t value, int bits)
{
    return value >> bits | value << (32 - bits);
}

static uint32_t sha256_read(const uint8_t *at)
{
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

static void sha256_schedule(const uint8_t *block, uint32_t *word)
{
    for (int i = 0; i < 16; i++)
        word[i] = sha256_read(block + 4 * i);
    for (int i = 16; i < SHA256_ROUNDS; i++) {
        uint32_t low = sha256_rotate(word[i - 15], 7) ^ sha256_rotate(word[i - 15], 18) ^ word[i - 15] >> 3;
        uint32_t high = sha256_rotate(word[i - 2], 17) ^ sha256_rotate(word[i - 2], 19) ^ word[i - 2] >> 10;
        word[i] = word[i - 16] + low + word[i - 7] + high;
    }
}

static void sha256_compress(uint32_t *state, const uint8_t *block)
{
    uint32_t word[SHA256_ROUNDS], v[8];
    sha256_schedule(block, word);
    memcpy(v, state, sizeof v);
    for (int i = 0; i < SHA256_ROUNDS; i++) {
        uint32_t high = sha256_rotate(v[4], 6) ^ sha256_rotate(v[4], 11) ^ sha256_rotate(v[4], 25);
        uint32_t first = v[7] + high + ((v[4] & v[5]) ^ (~v[4] & v[6])) + sha256_round[i] + word[i];
        uint32_t low = sha256_rotate(v[0], 2) ^ sha256_rotate(v[0], 13) ^ sha256_rotate(v[0], 22);
        uint32_t second = low + ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));
        memmove(v + 1, v, 7 * sizeof *v);
        v[4] += first;
        v[0] = first + second;
    }
    for (int i = 0; i < 8; i++)
        state[i] += v[i];
}

static void sha256_start(struct sha256 *hash)
{
    static const uint32_t state[] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    memcpy(hash->state, state, sizeof state);
    hash->bytes = 0;
}

static void sha256_add(struct sha256 *hash, const void *data, size_t bytes)
{
    const uint8_t *at = data;
    for (size_t i = 0; i < bytes; i++) {
        hash->block[hash->bytes++ % SHA256_BLOCK] = at[i];
        if (hash->bytes % SHA256_BLOCK == 0)
            sha256_compress(hash->state, hash->block);
    }
}

static void sha256_end(struct sha256 *hash, uint8_t *digest)
{
    uint8_t length[SHA256_LENGTH];
    for (int i = 0; i < SHA256_LENGTH; i++)
        length[i] = (uint8_t)(hash->bytes * 8 >> (56 - 8 * i));
    sha256_add(hash, "\x80", 1);
    while (hash->bytes % SHA256_BLOCK != SHA256_BLOCK - SHA256_LENGTH)
        sha256_add(hash, "", 1);
    sha256_add(hash, length, sizeof length);
    for (int i = 0; i < SHA256_BYTES; i++)
        digest[i] = (uint8_t)(hash->state[i / 4] >> (24 - 8 * (i % 4)));
}

void sha256_hmac(const void *key, size_t key_bytes, const void *data, size_t bytes, uint8_t code[SHA256_BYTES])
{
    enum { INNER = 0x36, OUTER = 0x5c };
    uint8_t inner[SHA256_BLOCK] = {0}, outer[SHA256_BLOCK];
    struct sha256 hash;
    sha256_start(&hash);
    if (key_bytes > sizeof inner) {
        sha256_add(&hash, key, key_bytes);
        sha256_end(&hash, inner);
        sha256_start(&hash);
    } else {
        memcpy(inner, key, key_bytes);
    }
    for (size_t i = 0; i < sizeof inner; i++) {
        outer[i] = inner[i] ^ OUTER;
        inner[i] ^= INNER;
    }
    sha256_add(&hash, inner, sizeof inner);
    sha256_add(&hash, data, bytes);
    sha256_end(&hash, code);
    sha256_start(&hash);
    sha256_add(&hash, outer, sizeof outer);
    sha256_add(&hash, code, SHA256_BYTES);
    sha256_end(&hash, code);
}

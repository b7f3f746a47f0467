/* HMAC-SHA-256 (RFC 2104, FIPS 180-4), by which launchers prove to one another that they belong to the job. It is
   here because the runtime links no library for it. */
#ifndef UPCR_MESSAGES_SHA256_H
#define UPCR_MESSAGES_SHA256_H

#include <stddef.h>
#include <stdint.h>

enum { SHA256_BYTES = 32 };

/* Computes the code of some bytes under a key. */
void sha256_hmac(const void *key, size_t key_bytes, const void *data, size_t bytes, uint8_t code[SHA256_BYTES]);

#endif

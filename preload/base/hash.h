/* SPDX-License-Identifier: MIT */
/* Multiplicative hashing: the high bits of the product with 2^64 / golden ratio depend on all bits
 * of the key (D. E. Knuth, "The Art of Computer Programming" 3, 6.4). Any context. */
#pragma once

#include <stdint.h>

static inline uint64_t hash_product(uint64_t key)
{
	return key * UINT64_C(0x9e3779b97f4a7c15);
}

/* A slot of a table. slots: a constant, 2 or a higher power of two. */
static inline __attribute__((always_inline)) uint32_t hash_slot(uint64_t key, uint64_t slots)
{
	return (uint32_t)(hash_product(key) >> (64 - __builtin_ctzll(slots)));
}

/* The upper 32 bits, for tables whose size is known only at run time. Bit i of the result depends
 * on the key's lower 33 + i bits. */
static inline uint32_t hash_bits(uint64_t key)
{
	return (uint32_t)(hash_product(key) >> 32);
}

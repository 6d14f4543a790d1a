/* SPDX-License-Identifier: MIT */
/* FNV-1a, 64 bit: a hash that is the same in every program and on every host. Any context. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define FNV_START UINT64_C(0xcbf29ce484222325)

/* piece: a byte; where nobody else computes the same hash, a word. */
static inline uint64_t fnv_step(uint64_t hash, uint64_t piece)
{
	return (hash ^ piece) * UINT64_C(0x100000001b3);
}

static inline uint64_t fnv_bytes(uint64_t hash, const char *bytes, size_t length)
{
	for (size_t i = 0; i < length; i++)
		hash = fnv_step(hash, (unsigned char)bytes[i]);
	return hash;
}

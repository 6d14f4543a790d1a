/* SPDX-License-Identifier: MIT */
/* The hash of a key that has several parts: each begins with the hash of what stands before it, 0
 * for the first. */
#pragma once

#include <libiberty/hashtab.h>
#include <stddef.h>
#include <string.h>

static inline unsigned hash_bytes(const void *bytes, size_t size, unsigned hash)
{
	return iterative_hash(bytes, size, hash);
}

static inline unsigned hash_text(const char *text, unsigned hash)
{
	return iterative_hash(text, strlen(text), hash);
}

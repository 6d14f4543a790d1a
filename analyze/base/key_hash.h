/* SPDX-License-Identifier: MIT */
/* Hashes of keys that have several parts: the hash of each part starts from the hash of the parts
 * before it, the first from 0. */
#pragma once

#include <stddef.h> /* first: hashtab.h uses it */

#include <libiberty/hashtab.h>
#include <string.h>

static inline unsigned hash_bytes(const void *bytes, size_t size, unsigned hash)
{
	return iterative_hash(bytes, size, hash);
}

static inline unsigned hash_text(const char *text, unsigned hash)
{
	return iterative_hash(text, strlen(text), hash);
}

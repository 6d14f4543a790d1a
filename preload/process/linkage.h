/* SPDX-License-Identifier: MIT */
/* What a call would have reached without us: the definition behind us in the order of loading, or
 * else one in the objects that the caller's object was linked with. Never one of our own.
 *
 * Context: any thread, not a signal handler; takes the loader's lock. errno stays as it was, and
 * dlerror reports none of our searches. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The object of an address, to be searched together with what it was linked with; NULL: not known.
 * It is not unloaded until it is closed. */
void *linkage_open(uint64_t address);
void linkage_close(void *object);

/* What an object finds by that name; object NULL: what lies behind us. Returns NULL if there is
 * nothing. */
void *linkage_search(void *object, const char *name);

static inline void *linkage_behind(const char *name)
{
	return linkage_search(NULL, name);
}

/* The same, only from what the caller's object was linked with. */
void *linkage_of_caller(const char *name, uint64_t caller);

/* The one of the two that the caller's object was bound to: objects are bound to what was visible
 * to the whole process when they were loaded. */
void *linkage_find(const char *name, uint64_t caller);

/* Where the object of an address is loaded, and its file; NULL and "": not known. */
const void *linkage_base(const void *address, const char **file);

/* Whether the object of `found`, which lies behind us, was loaded before the caller's object. */
bool linkage_was_there(const void *found, uint64_t caller);

/* Keeps the object of an address loaded for good, because what was found in it is remembered. */
void linkage_keep(const void *address);

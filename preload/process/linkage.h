/* SPDX-License-Identifier: MIT */
/* What a call would have reached without us: the definition behind us in the order of loading, or
 * else one among what the caller's own object was linked with. Never one of our own.
 *
 * Context: any thread, not a signal handler; takes the loader's lock. errno stays as it was, and
 * dlerror tells of none of our searches. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The object of an address, with what it was linked with, to be searched; NULL: not known. It is
 * kept from being unloaded until it is closed. */
void *linkage_open(uint64_t address);
void linkage_close(void *object);

/* What an object finds by that name; NULL for the object: what lies behind us. NULL: nothing. */
void *linkage_search(void *object, const char *name);

static inline void *linkage_behind(const char *name)
{
	return linkage_search(NULL, name);
}

/* What the caller's object was linked with alone. */
void *linkage_of_caller(const char *name, uint64_t caller);

/* The one of the two that the caller's object was bound to: objects are bound to what the whole
 * process saw when they were loaded. */
void *linkage_find(const char *name, uint64_t caller);

/* Where the object of an address is loaded, and its file; NULL and "": not known. */
const void *linkage_base(const void *address, const char **file);

/* Had the object of `found`, which lies behind us, been loaded when the caller's object was? */
bool linkage_was_there(const void *found, uint64_t caller);

/* The object of an address stays loaded from now on: what was found in it is remembered. */
void linkage_keep(const void *address);

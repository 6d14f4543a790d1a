/* SPDX-License-Identifier: MIT */
/* A store in a directory of its own, which is gone when the test's process ends; and its blocks as
 * a reader finds them. */
#pragma once

#include "preload/file/store.h"
#include "preload/stacks/unwind.h"

#include <pthread.h>

/* Returns store_open's result. */
int scratch_open(void);
const char *scratch_directory(void);

/* Goes by the framing from block to block, as far as is used at this instant; dies where that is
 * broken. Returns their number. */
unsigned scratch_walk(void (*visit)(const struct format_block *block, void *context),
		      void *context);

/* Sum of the 8-byte column at `offset` over all rows of a table that are there, and whose first 8
 * bytes match `key` (0: any). */
uint64_t scratch_sum(enum schema_table table, uint64_t key, uint32_t offset);

/* The calling thread's stack, from 64 KiB below this call's frame on. */
struct unwind_stack scratch_stack(void);

/* Runs the routine in so many threads at once, each with its number. */
void scratch_run(unsigned threads, void *(*routine)(void *));

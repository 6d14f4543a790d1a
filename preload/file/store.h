/* SPDX-License-Identifier: MIT */
/* The profile file: one bounded, shared mapping that holds everything that is measured.
 *
 * Nothing is written at the end: a block is reserved, its rows are filled in place, and what is
 * there when the process dies is the profile. Zeros are written to space before it is touched, so
 * that a full disk never raises SIGBUS.
 *
 * Context: store_open at start-up and in a fork child, while no other thread runs; the rest from
 * any thread and from signal handlers: lock-free, or refused (NULL, 0) if another thread is growing
 * the file, which it does with signals blocked, and the caller may not wait. Memory from here holds
 * rows until store_forget. Errors are negative errno values. */
#pragma once

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "preload/file/format.h"
#include "preload/file/schema.h"

/* Creates DIRECTORY/HOST-PID-SEQUENCE.profile with the first free sequence. */
int store_open(const char *directory, const char *host, uint32_t pid, uint64_t start_ns);

/* There is no store any more. In a fork child: the parent's file is never touched again; memory
 * from here stays mapped, but belongs to no file. */
void store_forget(void);

/* The header, for its live fields; NULL while there is no store. */
struct format_header *store_header(void);

/* A new, zeroed block, or NULL: the file is full or cannot grow (see store_failure). */
struct format_block *store_block(enum schema_table table, uint32_t row_bytes, uint32_t owner,
				 uint32_t first_row, uint32_t capacity);

/* The same for a block whose row numbers are its own: a reader sees no rows in it before
 * store_show_rows, which comes when it is where rows are looked for. A handler may jump out of this
 * in between: then another block has these numbers, and this one stays without rows. */
struct format_block *store_block_hidden(enum schema_table table, uint32_t row_bytes, uint32_t owner,
					uint32_t first_row, uint32_t capacity);
void store_show_rows(struct format_block *block, uint32_t capacity);

static inline void *store_rows(struct format_block *block)
{
	return block + 1;
}

/* Longest text that is kept whole; of a longer one the beginning is kept. */
enum { STORE_TEXT_BYTES = 2048 };

/* Stores a text, or two joined; the result goes into columns of type str. 0: there was no space. */
uint64_t store_string(const char *text);
uint64_t store_joined(const char *beginning, const char *text);

/* Why the file does not grow: STORE_FULL for its own limit, EFBIG for that of the process
 * (RLIMIT_FSIZE), or the errno of a system call; 0: it can. Permanent, except for EAGAIN
 * (descriptors.h, mlockall), ENOMEM, EMFILE and ENFILE, after which it is tried again, at most a
 * hundred times a second. */
enum { STORE_FULL = EOVERFLOW };
int store_failure(void);

/* Counts a row that did not fit. */
void store_count_loss(void);

/* Not even the row for everything else did: if the file cannot grow, sums are not whole from now
 * on. */
void store_tell_missing(void);

/* The caller is in a signal handler, which may have interrupted anything: it never waits for
 * another thread's growth. */
void store_forbid_waiting(bool forbid);

/* At the end: truncates the file to what is used of it. It grows again for whatever comes later. */
void store_trim(void);

/* The profile has ended, and the process goes on: what threads write here that are still in a call
 * of ours is in no file. */
void store_leave(void);

/* Frees what replaced the file before the latest (store_forget): no thread is in a call any more
 * that began with it. */
void store_free_buried(void);

/* Grows now, so that there is room for so much, or for as much as its limits allow: soon the file
 * may not be opened any more. Not from signal handlers. */
void store_keep_room(uint64_t bytes);

/* From now on the file never grows. */
void store_seal(void);

/* SPDX-License-Identifier: MIT */
/* The block in which libc keeps what belongs to one thread: errno, its cache of malloc, its number.
 * A thread that clone(2) made without a block of its own has that of its creator, who uses it at
 * the same time: such a thread may call no function. */
#pragma once

#include "object.h"
#include "registers.h"

#include <stdbool.h>

/* Where libc says that a block has the number of its thread (as to libthread_db). */
struct thread_block {
	uint32_t block_bytes; /* 0: not known */
	uint32_t number_offset;
};

void thread_block_prepare(struct thread_block *block, pid_t process, const struct object *libc);

/* False: it is known to be that of another thread, or none of libc's. */
bool thread_block_is_own(const struct thread_block *block, pid_t process, pid_t thread,
			 const registers_general *general);

/* SPDX-License-Identifier: MIT */
#include "thread_block.h"

#include "remote_memory.h"
#include "proc_text.h"

#include <stdlib.h>
#include <string.h>

/* Bits, number of elements, offset. */
enum { FIELD_WORDS = 3, FIELD_BITS = 8 * sizeof(uint32_t) };

void thread_block_prepare(struct thread_block *block, pid_t process, const struct object *libc)
{
	uint64_t field = object_symbol(process, libc, "_thread_db_pthread_tid");
	uint64_t size = object_symbol(process, libc, "_thread_db_sizeof_pthread");
	uint32_t words[FIELD_WORDS], bytes;

	*block = (struct thread_block){0};
	if (!field || !size || memory_read(process, field, words, sizeof words) < 0 ||
	    memory_read(process, size, &bytes, sizeof bytes) < 0 || words[0] != FIELD_BITS)
		return;
	*block = (struct thread_block){.block_bytes = bytes, .number_offset = words[2]};
}

/* As the process itself sees it: in its own pid namespace it has another one. */
static uint32_t own_number(pid_t process, pid_t thread)
{
	char numbers[200];

	proc_text_field(process, thread, "NSpid", numbers, sizeof numbers);
	const char *last = strrchr(numbers, '\t');
	return (uint32_t)strtol(last ? last : numbers, NULL, 10);
}

/* The first thread has the block with which the program began. Its number is that of its parent in
 * the child of a fork that libc does not know of. */
bool thread_block_is_own(const struct thread_block *block, pid_t process, pid_t thread,
			 const registers_general *general)
{
	uint64_t pointer = registers_thread_pointer(thread, general);
	uint32_t number, own = own_number(process, thread);

	if (thread == process || !block->block_bytes || !own)
		return true;
	uint64_t start = registers_block_is_before ? pointer - block->block_bytes : pointer;
	return memory_read(process, start + block->number_offset, &number, sizeof number) == 0 &&
	       number == own;
}

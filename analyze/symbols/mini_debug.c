/* SPDX-License-Identifier: MIT */
#include "analyze/symbols/mini_debug.h"

#include <lzma.h>
#include <stdint.h>
#include <stdlib.h>

#define DECODER_BYTES_MOST (128 << 20) /* xz -9 needs 65 MiB */

/* Size; 0: it is damaged, or too large. */
static size_t inflate(const Elf_Data *from, void *to)
{
	uint64_t memory = DECODER_BYTES_MOST;
	size_t taken = 0, given = 0;
	lzma_ret result = lzma_stream_buffer_decode(&memory, 0, NULL, from->d_buf, &taken,
						    from->d_size, to, &given, MINI_DEBUG_MOST);

	return result == LZMA_OK ? given : 0;
}

void mini_debug_open(struct mini_debug *mini, Elf_Scn *section)
{
	Elf_Data *data = elf_rawdata(section, NULL);

	*mini = (struct mini_debug){0};
	if (!data || !data->d_buf)
		return;
	/* no page of it is there before it is written; little may be left of the address space */
	mini->bytes = malloc(MINI_DEBUG_MOST);
	size_t size = mini->bytes ? inflate(data, mini->bytes) : 0;
	void *less = size ? realloc(mini->bytes, size) : NULL;

	if (less) {
		mini->bytes = less;
		mini->elf = elf_memory(less, size);
	}
	if (!mini->elf)
		mini_debug_close(mini);
}

void mini_debug_close(struct mini_debug *mini)
{
	elf_end(mini->elf);
	free(mini->bytes);
	*mini = (struct mini_debug){0};
}

/* SPDX-License-Identifier: MIT */
#include "analyze/symbols/text_pool.h"

#include "analyze/base/memory.h"

#include <stdlib.h>

const char *text_pool_keep(struct text_pool *pool, char *text)
{
	pool->texts = memory_grow(pool->texts, pool->count, &pool->capacity, sizeof *pool->texts);
	pool->texts[pool->count++] = text;
	return text;
}

void text_pool_clear(struct text_pool *pool)
{
	for (size_t i = 0; i < pool->count; i++)
		free(pool->texts[i]);
	free(pool->texts);
	*pool = (struct text_pool){0};
}

/* SPDX-License-Identifier: MIT */
/* Texts that live as long as the symbolizer. */
#pragma once

#include <stddef.h>

struct text_pool {
	char **texts;
	size_t count;
	size_t capacity;
};

/* Takes ownership of a block from malloc, and returns it. */
const char *text_pool_keep(struct text_pool *pool, char *text);
void text_pool_clear(struct text_pool *pool);

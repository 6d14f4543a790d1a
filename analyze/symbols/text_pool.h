/* SPDX-License-Identifier: MIT */
/* Texts that live until the symbolizer goes. */
#pragma once

#include <stddef.h>

struct text_pool {
	char **texts;
	size_t count;
	size_t capacity;
};

/* Takes over a block from malloc, and returns it. */
const char *text_pool_keep(struct text_pool *pool, char *text);
void text_pool_clear(struct text_pool *pool);

/* SPDX-License-Identifier: MIT */
/* A growing list of sentences: what was wrong with a file, what a report could not see.
 *
 * Equal sentences are kept once. Beyond `limit` sentences (0: no limit) further ones are only
 * counted, so that a damaged file cannot flood a report. The list owns its texts. */
#pragma once

#include <stddef.h>

struct text_list {
	char **texts;
	size_t count;
	size_t capacity;
	size_t limit;
	size_t left_out;
	void *index; /* hash table of the texts, once there are too many for a linear search */
};

void text_list_add(struct text_list *list, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void text_list_clear(struct text_list *list);

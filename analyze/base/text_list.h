/* SPDX-License-Identifier: MIT */
/* A growing list of sentences: what was wrong with a file, what a report could not see.
 *
 * Equal sentences are kept once; beyond `limit` (0: none) only their number is kept, so that a
 * damaged file cannot bury a report. The list owns its texts. */
#pragma once

#include <stddef.h>

struct text_list {
	char **texts;
	size_t count;
	size_t capacity;
	size_t limit;
	size_t left_out;
	void *index; /* of texts, once they are too many to look through */
};

void text_list_add(struct text_list *list, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void text_list_clear(struct text_list *list);

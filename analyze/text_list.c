/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE 1
#include "analyze/text_list.h"

#include "analyze/die.h"
#include "analyze/memory.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int has_text(const struct text_list *list, const char *text)
{
	for (size_t i = 0; i < list->count; i++)
		if (!strcmp(list->texts[i], text))
			return 1;
	return 0;
}

void text_list_add(struct text_list *list, const char *format, ...)
{
	va_list arguments;
	char *text;

	va_start(arguments, format);
	if (vasprintf(&text, format, arguments) < 0)
		die("out of memory");
	va_end(arguments);

	bool is_full = list->limit && list->count >= list->limit;

	if (is_full || has_text(list, text)) {
		list->left_out += is_full;
		free(text);
		return;
	}
	list->texts = memory_grow(list->texts, list->count, &list->capacity, sizeof *list->texts);
	list->texts[list->count++] = text;
}

void text_list_clear(struct text_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		free(list->texts[i]);
	free(list->texts);
	*list = (struct text_list){.limit = list->limit};
}

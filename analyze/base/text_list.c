/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE 1
#include "analyze/base/text_list.h"

#include "analyze/base/die.h"
#include "analyze/base/memory.h"

#include <libiberty/hashtab.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define INDEX_FROM 16 /* a run of many processes has a note for each */

static int texts_equal(const void *left, const void *right)
{
	return !strcmp(left, right);
}

static void add_to_index(struct text_list *list, char *text)
{
	*htab_find_slot(list->index, text, INSERT) = text;
}

static bool has_text(const struct text_list *list, const char *text)
{
	if (list->index)
		return htab_find(list->index, text) != NULL;
	for (size_t i = 0; i < list->count; i++)
		if (!strcmp(list->texts[i], text))
			return true;
	return false;
}

static void append(struct text_list *list, char *text)
{
	list->texts = memory_grow(list->texts, list->count, &list->capacity, sizeof *list->texts);
	list->texts[list->count++] = text;
	if (list->index)
		add_to_index(list, text);
	if (list->index || list->count < INDEX_FROM)
		return;
	list->index = htab_create_alloc(4 * INDEX_FROM, htab_hash_string, texts_equal, NULL,
					memory_allocate, free);
	for (size_t i = 0; i < list->count; i++)
		add_to_index(list, list->texts[i]);
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
	append(list, text);
}

void text_list_clear(struct text_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		free(list->texts[i]);
	free(list->texts);
	if (list->index)
		htab_delete(list->index);
	*list = (struct text_list){.limit = list->limit};
}

/* SPDX-License-Identifier: MIT */
#include "analyze/base/text_set.h"

#include "analyze/base/memory.h"

#include <libiberty/hashtab.h>
#include <stdlib.h>
#include <string.h>

struct text_set {
	htab_t texts;
};

static int texts_equal(const void *left, const void *right)
{
	return !strcmp(left, right);
}

struct text_set *text_set_create(void)
{
	struct text_set *set = memory_allocate(1, sizeof *set);

	set->texts =
		htab_create_alloc(256, htab_hash_string, texts_equal, free, memory_allocate, free);
	return set;
}

void text_set_destroy(struct text_set *set)
{
	if (!set)
		return;
	htab_delete(set->texts);
	free(set);
}

const char *text_set_keep(struct text_set *set, const char *text)
{
	void **slot = htab_find_slot(set->texts, text, INSERT);

	if (!*slot)
		*slot = memory_copy_text(text);
	return *slot;
}

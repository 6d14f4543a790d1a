/* SPDX-License-Identifier: MIT */
#include "analyze/tables/merged_columns.h"

#include <string.h>

static void add_real(uint64_t *into, uint64_t word)
{
	double sum, added;

	memcpy(&sum, into, sizeof sum);
	memcpy(&added, &word, sizeof added);
	sum += added;
	memcpy(into, &sum, sizeof sum);
}

static void unite_word(enum merged_kind kind, uint64_t *into, uint64_t from)
{
	switch (kind) {
	case MERGED_SUM:
	case MERGED_CAUSES:
		*into += from;
		break;
	case MERGED_REAL_SUM:
		add_real(into, from);
		break;
	case MERGED_MAX:
	case MERGED_LAST_LINE:
	case MERGED_GRADE: /* the worse is the larger one */
	case MERGED_FLAG:
		*into = from > *into ? from : *into;
		break;
	case MERGED_MIN:
		*into = from < *into ? from : *into;
		break;
	case MERGED_KNOWN_MIN:
		*into = from && (!*into || from < *into) ? from : *into;
		break;
	default:
		break;
	}
}

void merged_unite(enum merged_table table, void *into, const void *from)
{
	char *to = into;
	const char *added = from;

	for (const struct merged_column *column = merged_layouts[table].columns; column->name;
	     column++)
		for (size_t i = merged_column_words(column); i--; to += 8, added += 8) {
			uint64_t old, word;

			memcpy(&old, to, sizeof old);
			memcpy(&word, added, sizeof word);
			unite_word(column->kind, &old, word);
			memcpy(to, &old, sizeof old);
		}
}

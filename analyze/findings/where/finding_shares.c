/* SPDX-License-Identifier: MIT */
#include "analyze/findings/where/finding_shares.h"

#include "analyze/base/memory.h"
#include "analyze/model/common/finding_limits.h"

#include <stdlib.h>

void finding_shares_add(struct finding_shares *shares, size_t key, unsigned line, double part)
{
	if (!(part > 0))
		return;
	shares->rows =
		memory_grow(shares->rows, shares->count, &shares->capacity, sizeof *shares->rows);
	shares->rows[shares->count++] = (struct finding_share){key, line, part};
}

static int by_place(const void *a, const void *b)
{
	const struct finding_share *x = a, *y = b;

	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	return (x->line > y->line) - (x->line < y->line);
}

static int by_part(const void *a, const void *b)
{
	const struct finding_share *x = a, *y = b;

	return x->part != y->part ? (x->part < y->part ? 1 : -1) : by_place(a, b);
}

/* Adds up what is of one line. */
static void unite_lines(struct finding_shares *shares)
{
	size_t count = 0;

	qsort(shares->rows, shares->count, sizeof *shares->rows, by_place);
	for (size_t i = 0; i < shares->count; i++) {
		struct finding_share *last = count ? &shares->rows[count - 1] : NULL;

		if (last && !by_place(last, &shares->rows[i]))
			last->part += shares->rows[i].part;
		else
			shares->rows[count++] = shares->rows[i];
	}
	shares->count = count;
}

/* Then of one key: its line is the one with the most. */
static void unite_keys(struct finding_shares *shares)
{
	size_t count = 0;
	double most = 0;

	for (size_t i = 0; i < shares->count; i++) {
		struct finding_share row = shares->rows[i];
		struct finding_share *last = count ? &shares->rows[count - 1] : NULL;

		if (!last || last->key != row.key) {
			shares->rows[count++] = row;
			most = row.part;
			continue;
		}
		last->part += row.part;
		if (row.part > most) {
			last->line = row.line;
			most = row.part;
		}
	}
	shares->count = count;
	qsort(shares->rows, shares->count, sizeof *shares->rows, by_part);
}

struct finding_most finding_shares_most(struct finding_shares *shares)
{
	struct finding_most most = {0};

	if (shares->count) {
		unite_lines(shares);
		unite_keys(shares);
		most.key = shares->rows->key;
		most.line = shares->rows->line;
		most.part = shares->rows->part;
	}
	for (size_t i = 0; i < shares->count; i++) {
		most.whole += shares->rows[i].part;
		most.among += shares->rows[i].part >= finding_limits.part * most.part;
	}
	free(shares->rows);
	*shares = (struct finding_shares){0};
	return most;
}

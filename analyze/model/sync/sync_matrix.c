/* SPDX-License-Identifier: MIT */
#include "analyze/model/sync/sync_matrix.h"

#include "analyze/base/memory.h"

#include <stdlib.h>

struct places {
	struct sync_matrix_place *rows;
	size_t count, capacity;
};

static size_t find(const struct sync_matrix_place *rows, size_t count, size_t routine,
		   unsigned line)
{
	size_t i = 0;

	while (i < count && (rows[i].routine != routine || rows[i].line != line))
		i++;
	return i;
}

/* An object has few places: linear search. */
static void add(struct places *places, size_t routine, unsigned line, uint64_t time_ns)
{
	size_t at = find(places->rows, places->count, routine, line);

	if (at == places->count) {
		places->rows = memory_grow(places->rows, places->count, &places->capacity,
					   sizeof *places->rows);
		places->rows[places->count++] = (struct sync_matrix_place){routine, line, 0};
	}
	places->rows[at].time_ns += time_ns;
}

/* Equal ones stay in the order of the pairs, which does not depend on numbers. */
static void sort(struct places *places)
{
	for (size_t i = 1; i < places->count; i++) {
		struct sync_matrix_place row = places->rows[i];
		size_t to = i;

		for (; to && places->rows[to - 1].time_ns < row.time_ns; to--)
			places->rows[to] = places->rows[to - 1];
		places->rows[to] = row;
	}
}

/* Takes the first few, followed by the sum of the others; returns the number of the others. */
static size_t take(struct places *places, struct sync_matrix_place *rows, size_t *count)
{
	sort(places);
	for (size_t i = 0; i < places->count; i++)
		if (i < SYNC_MATRIX_SIDE)
			rows[(*count)++] = places->rows[i];
		else
			rows[SYNC_MATRIX_SIDE].time_ns += places->rows[i].time_ns;
	free(places->rows);
	return places->count - *count;
}

struct sync_matrix sync_matrix_of(const struct sync_pairs *pairs)
{
	struct sync_matrix matrix = {.grade = GRADE_EXACT};
	struct places holders = {0}, victims = {0};

	for (size_t i = 0; i < pairs->count; i++) {
		const struct sync_pair *pair = &pairs->rows[i];

		add(&holders, pair->holder, pair->holder_line, pair->time_ns);
		add(&victims, pair->victim, pair->victim_line, pair->time_ns);
	}
	matrix.other_holder_count = take(&holders, matrix.holders, &matrix.holder_count);
	matrix.other_victim_count = take(&victims, matrix.victims, &matrix.victim_count);
	for (size_t i = 0; i < pairs->count; i++) {
		const struct sync_pair *pair = &pairs->rows[i];
		size_t row =
			find(matrix.holders, matrix.holder_count, pair->holder, pair->holder_line);
		size_t column =
			find(matrix.victims, matrix.victim_count, pair->victim, pair->victim_line);
		uint64_t *cell = &matrix.cells[row][column];

		*cell += pair->time_ns;
		matrix.total_ns += pair->time_ns;
		matrix.most_ns = *cell > matrix.most_ns ? *cell : matrix.most_ns;
		matrix.grade = grade_worse(matrix.grade, pair->grade);
	}
	return matrix;
}

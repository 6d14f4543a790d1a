/* SPDX-License-Identifier: MIT */
#include "analyze/model/mpi/missing_ranks.h"

#include "analyze/base/memory.h"

#include <stdlib.h>

#define RANKS_MAX  (1u << 24) /* larger numbers are damage */
#define RANGES_MAX 20

static char *append_range(char *text, size_t first, size_t last)
{
	char *longer = last > first
			       ? memory_print("%s%s%zu-%zu", text, *text ? ", " : "", first, last)
			       : memory_print("%s%s%zu", text, *text ? ", " : "", first);

	free(text);
	return longer;
}

static char *list_ranges(const bool *is_there, size_t count)
{
	char *text = memory_copy_text("");
	size_t ranges = 0;

	for (size_t first = 0; first < count; first++) {
		size_t last = first;

		if (is_there[first])
			continue;
		while (last + 1 < count && !is_there[last + 1])
			last++;
		if (ranges++ == RANGES_MAX) {
			char *longer = memory_print("%s, ...", text);

			free(text);
			return longer;
		}
		text = append_range(text, first, last);
		first = last;
	}
	return text;
}

char *missing_ranks(const struct mpi_ranks *ranks, const struct mpi_job *job)
{
	if (!job->size || job->size > RANKS_MAX)
		return NULL;
	bool *is_there = memory_allocate(job->size, sizeof *is_there);

	for (size_t i = job->first; i < job->first + job->count; i++)
		if (ranks->rows[i].rank < job->size)
			is_there[ranks->rows[i].rank] = true;
	char *text = list_ranges(is_there, job->size);

	free(is_there);
	if (*text)
		return text;
	free(text);
	return NULL;
}

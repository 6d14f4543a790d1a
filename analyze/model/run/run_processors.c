/* SPDX-License-Identifier: MIT */
#include "analyze/model/run/run_processors.h"

#include "analyze/base/memory.h"

#include <stdbool.h>
#include <stdlib.h>

struct part {
	uint64_t first, size;
};

struct parts {
	struct part *rows;
	size_t count, capacity;
	uint64_t sum, largest, online;
};

static bool has_part(const struct parts *parts, const struct profile_process *row)
{
	for (size_t i = 0; i < parts->count; i++)
		if (parts->rows[i].first == row->processor_first &&
		    parts->rows[i].size == row->processors)
			return true;
	return false;
}

static void add_part(struct parts *parts, const struct profile_process *row)
{
	if (row->processors > parts->largest)
		parts->largest = row->processors;
	if (row->processors_online > parts->online)
		parts->online = row->processors_online;
	if (!row->processor_first || has_part(parts, row))
		return;
	parts->rows = memory_grow(parts->rows, parts->count, &parts->capacity, sizeof *parts->rows);
	parts->rows[parts->count++] = (struct part){row->processor_first, row->processors};
	parts->sum += row->processors;
}

static uint64_t count_of(const struct parts *parts)
{
	uint64_t most = parts->sum < parts->online ? parts->sum : parts->online;

	return most > parts->largest ? most : parts->largest;
}

static void add_parts(struct parts *parts, const struct process *processes, size_t count,
		      const char *host, bool with_replaced)
{
	for (size_t i = 0; i < count; i++)
		if (processes[i].file->process.host == host &&
		    (with_replaced || processes[i].life.state != LIFE_REPLACED))
			add_part(parts, &processes[i].file->process);
}

/* An image that exec replaced had the processors of the next one, or more: `taskset PROGRAM` passes
 * fewer on, and only those of the program count. */
uint64_t run_count_processors(const struct process *processes, size_t count,
			      const char *const *hosts, size_t host_count)
{
	uint64_t sum = 0;

	for (size_t h = 0; h < host_count; h++) {
		struct parts parts = {0};

		add_parts(&parts, processes, count, hosts[h], false);
		if (!parts.largest)
			add_parts(&parts, processes, count, hosts[h], true);
		sum += count_of(&parts);
		free(parts.rows);
	}
	return sum;
}

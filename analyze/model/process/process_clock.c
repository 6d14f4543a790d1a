/* SPDX-License-Identifier: MIT */
#include "analyze/model/process/process_clock.h"

#include "analyze/base/number.h"
#include "analyze/model/process/process.h"

#include <stdlib.h>
#include <string.h>

/* NTP makes both clocks of a host faster or slower, and sets the time of day only if it is wrong by
 * more than a fraction of a second. */
#define CLOCKS_AGREE_NS 1000000000

int64_t process_clock_offset_ns(const struct process *process)
{
	const struct format_header *header = &process->file->header;

	return (int64_t)(header->start_realtime_ns - header->start_ns);
}

static bool is_same_host(const struct process *a, const struct process *b)
{
	return !strcmp(a->file->process.host, b->file->process.host);
}

static int64_t apart_ns(int64_t offset_ns, int64_t other_ns)
{
	int64_t apart = number_difference(offset_ns, other_ns);

	return apart == INT64_MIN ? INT64_MAX : llabs(apart);
}

bool process_clock_is_one(int64_t offset_ns, int64_t other_ns)
{
	return apart_ns(offset_ns, other_ns) <= CLOCKS_AGREE_NS;
}

bool process_clocks_are_several(const struct process *processes, size_t count)
{
	for (size_t i = 1; i < count; i++)
		if (!is_same_host(&processes[i], &processes[0]) ||
		    !process_clock_is_one(process_clock_offset_ns(&processes[i]),
					  process_clock_offset_ns(&processes[0])))
			return true;
	return false;
}

/* The first process of the same host; linear in processes times hosts. */
static const struct process *first_of_host(const struct process *processes, size_t index)
{
	for (size_t i = 0; i < index; i++)
		if (is_same_host(&processes[i], &processes[index]))
			return &processes[i];
	return &processes[index];
}

int64_t process_clocks_apart_ns(const struct process *processes, size_t count)
{
	int64_t most = 0;

	for (size_t i = 1; i < count; i++) {
		int64_t apart = apart_ns(process_clock_offset_ns(&processes[i]),
					 process_clock_offset_ns(first_of_host(processes, i)));

		most = apart > most ? apart : most;
	}
	return most > CLOCKS_AGREE_NS ? most : 0;
}

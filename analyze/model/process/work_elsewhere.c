/* SPDX-License-Identifier: MIT */
#include "analyze/model/process/work_elsewhere.h"

#include <string.h>

static uint64_t end_of(const struct run_process *process)
{
	return process->header.end_ns ? process->header.end_ns : process->last_sign_ns;
}

static uint64_t overlap(const struct run_process *process, uint64_t start_ns, uint64_t end_ns)
{
	uint64_t start = process->header.start_ns, end = end_of(process);

	start = start > start_ns ? start : start_ns;
	end = end < end_ns ? end : end_ns;
	return end > start ? end - start : 0;
}

bool work_is_elsewhere(const struct run_files *files, size_t index, uint64_t life_end_ns)
{
	const struct run_process *process = &files->processes[index];
	uint64_t start_ns = process->header.start_ns;
	uint64_t half = life_end_ns > start_ns ? (life_end_ns - start_ns) / 2 : 0;

	if (process->rank_count || !half)
		return false;
	for (size_t i = 0; i < files->process_count + files->other_count; i++) {
		const struct run_process *other = run_files_process(files, i);

		if (other != process && !other->rank_count && other->worked_ns >= half &&
		    overlap(other, start_ns, life_end_ns) >= half &&
		    !strcmp(other->process.host, process->process.host))
			return true;
	}
	return false;
}

/* SPDX-License-Identifier: MIT */
#include "analyze/live/live_parts.h"
#include "analyze/live/live_save.h"

/* The last image of the process that has that number; process_count: there is none. */
static size_t find_process(const struct run_files *files, uint64_t pid)
{
	for (size_t i = files->process_count; i-- > 0;)
		if (files->processes[i].header.pid == pid)
			return i;
	return files->process_count;
}

static bool was_looked_at(struct live *live, uint64_t pid, uint64_t tid)
{
	bool is_same = live->looked_pid == pid && live->looked_tid == tid;

	live->looked_pid = pid;
	live->looked_tid = tid;
	return is_same;
}

struct live_detail *live_look_at(struct live *live, uint64_t pid, uint64_t tid)
{
	size_t index = find_process(live->files, pid);
	bool has_before = was_looked_at(live, pid, tid);
	const struct profile *profile =
		index < live->files->process_count ? run_files_profile(live->files, index) : NULL;

	if (!profile)
		return live_detail_nothing(pid, tid);
	struct live_detail *detail =
		live_detail_of(live->names, profile, tid, live->looked, has_before);

	names_forget(live->names);
	run_files_release(live->files, index);
	return detail;
}

/* Those that were alive at their last reading may have ended since. */
static void look_who_lives(struct run_files *files)
{
	for (size_t i = 0; i < files->process_count; i++)
		if (files->processes[i].is_alive && run_files_profile(files, i))
			run_files_release(files, i);
}

char *live_save(struct live *live, char **problem)
{
	look_who_lives(live->files);
	return live_save_run(live->files, problem);
}

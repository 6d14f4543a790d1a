/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE 1
#include "analyze/live/live_parts.h"

#include "analyze/base/memory.h"
#include "analyze/live/live_rows.h"
#include "analyze/read/process_alive.h"
#include "analyze/read/run_of_process.h"
#include "common/real_clock.h"

#include <dirent.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Profiles that are read for one frame; the others wait for their turn. */
#define READ_MAX 64
/* So many frames pass until profiles that could not be read are tried again. */
#define RETRY_FRAMES 8

static int is_profile_name(const struct dirent *entry)
{
	return !fnmatch("*.profile", entry->d_name, 0);
}

static size_t count_profiles(const char *directory)
{
	struct dirent **entries;
	int count = scandir(directory, &entries, is_profile_name, NULL);

	for (int i = 0; i < count; i++)
		free(entries[i]);
	if (count >= 0)
		free(entries);
	return count > 0 ? (size_t)count : 0;
}

static bool is_directory(const char *path)
{
	struct stat status;

	return !stat(path, &status) && S_ISDIR(status.st_mode);
}

struct live *live_open(const char *path, bool *is_waiting, char **problem)
{
	char *directory = run_find_named(path, problem);

	*is_waiting = false;
	if (!directory)
		return NULL;
	size_t listed = count_profiles(directory);
	struct run_files *files = run_files_open(directory, problem);

	if (files && files->merged_count) {
		run_files_destroy(files);
		files = NULL;
		*problem = memory_print("%s is a merged run, which cannot run any more: ask "
					"ptrace-report",
					directory);
	} else if (!files) {
		*is_waiting = is_directory(directory);
	}
	if (!files) {
		free(directory);
		return NULL;
	}
	struct live *live = memory_allocate(1, sizeof *live);

	live->directory = directory;
	live->listed = listed;
	live->files = files;
	live->symbolizer = symbolizer_create(NULL);
	live->names = names_create(live->symbolizer);
	live->watched = memory_allocate(files->process_count, sizeof *live->watched);
	live->watched_count = files->process_count;
	live->minute = live_minute_create();
	live->looked = live_sums_create();
	return live;
}

static void clear_frame(struct live_frame *frame)
{
	for (size_t i = 0; i < frame->thread_rows; i++) {
		free(frame->threads[i].name);
		free(frame->threads[i].object);
		free(frame->threads[i].place);
	}
	free(frame->threads);
	free(frame->rows);
	free(frame->processes);
	free(frame->status);
	*frame = (struct live_frame){0};
}

void live_close(struct live *live)
{
	clear_frame(&live->frame);
	for (size_t i = 0; i < live->watched_count; i++)
		if (live->watched[i])
			live_watched_destroy(live->watched[i]);
	free(live->watched);
	live_minute_destroy(live->minute);
	live_sums_destroy(live->looked);
	names_destroy(live->names);
	symbolizer_destroy(live->symbolizer);
	run_files_destroy(live->files);
	free(live->directory);
	free(live);
}

/* ---- processes that appear */

static struct live_watched *take_watched(struct live *live, const char *path)
{
	for (size_t i = 0; i < live->watched_count; i++) {
		struct live_watched *watched = live->watched[i];

		if (watched && !strcmp(watched->path, path)) {
			live->watched[i] = NULL;
			return watched;
		}
	}
	return NULL;
}

/* What is known of processes by now goes on. */
static void adopt(struct live *live, struct run_files *files)
{
	struct live_watched **watched = memory_allocate(files->process_count, sizeof *watched);

	for (size_t i = 0; i < files->process_count; i++)
		watched[i] = take_watched(live, files->processes[i].path);
	for (size_t i = 0; i < live->watched_count; i++)
		if (live->watched[i])
			live_watched_destroy(live->watched[i]);
	free(live->watched);
	run_files_destroy(live->files);
	live->files = files;
	live->watched = watched;
	live->watched_count = files->process_count;
}

/* A process that forks or executes another program makes one more profile. */
static void look_for_new(struct live *live)
{
	size_t listed = count_profiles(live->directory);
	/* one whose header was not written yet; others cannot be read ever */
	bool is_missing =
		live->files->process_count < live->listed && live->frames % RETRY_FRAMES == 0;
	char *problem = NULL;

	if (!listed || (listed == live->listed && !is_missing))
		return;
	struct run_files *files = run_files_open(live->directory, &problem);

	free(problem);
	if (!files || files->merged_count) {
		run_files_destroy(files);
		return;
	}
	live->listed = listed;
	adopt(live, files);
}

/* ---- one frame */

static void read_one(struct live *live, size_t index, size_t rows)
{
	const struct run_process *process = &live->files->processes[index];
	const struct profile *profile = run_files_profile(live->files, index);
	uint64_t now_ns = real_clock_ns(CLOCK_MONOTONIC);

	if (!profile)
		return;
	if (!live->watched[index])
		live->watched[index] = live_watched_create(process->path);
	struct process_life life = process_life_of(live->files, index);

	live_process_read(live->watched[index], live->names, profile, &life, now_ns, rows,
			  &live->frame);
	live->frame.read_count++;
	names_forget(live->names);
	run_files_release(live->files, index);
}

static bool needs_reading(const struct live *live, size_t index)
{
	return !live->watched[index] || !live->watched[index]->is_over;
}

/* Each in its turn, so that all are read in the course of some frames. */
static void read_some(struct live *live, size_t rows)
{
	size_t count = live->files->process_count, first = live->next;

	for (size_t i = 0; i < count && live->frame.read_count < READ_MAX; i++) {
		size_t index = (first + i) % count;

		live->next = (index + 1) % count;
		if (needs_reading(live, index))
			read_one(live, index, rows);
	}
}

/* CPU time of a process whose own interval was longer: its share of the frame's. */
static uint64_t share(const struct live_process *process, uint64_t interval_ns)
{
	if (process->interval_ns <= interval_ns + interval_ns / 4)
		return process->cpu_ns;
	return (uint64_t)((double)process->cpu_ns * (double)interval_ns /
			  (double)process->interval_ns);
}

static void add_process(struct live *live, size_t index, uint64_t *most_cpu)
{
	struct live_frame *frame = &live->frame;
	struct live_watched *watched = live->watched[index];
	struct live_process *shown = &frame->processes[frame->process_count++];

	*shown = watched->shown;
	watched->shown.is_fresh = false;
	frame->alive_count += shown->is_alive;
	if (!shown->is_fresh)
		return;
	frame->cpu_ns += share(shown, frame->interval_ns);
	if (shown->cpu_ns >= *most_cpu) {
		*most_cpu = shown->cpu_ns;
		frame->levels = watched->grown;
	}
}

/* From the beginning of the first process to the last reading, or end, of any. */
static void set_elapsed(struct live *live)
{
	uint64_t first = live->files->processes[0].header.start_ns, last = 0;

	for (size_t i = 0; i < live->watched_count; i++)
		if (live->watched[i] && live->watched[i]->usages.at_ns > last)
			last = live->watched[i]->usages.at_ns;
	live->frame.elapsed_ns = last > first ? last - first : 0;
	/* an end that is known later may lie before the reading in which it was not */
	if (live->frame.elapsed_ns < live->elapsed_ns)
		live->frame.elapsed_ns = live->elapsed_ns;
}

/* Ranks are often bound to processors of their own; processes that share some begin with the same
 * one. */
static uint64_t count_processors(const struct run_files *files)
{
	bool is_counted[1024] = {false};
	uint64_t sum = 0, online = 0;

	for (size_t i = 0; i < files->process_count; i++) {
		const struct profile_process *row = &files->processes[i].process;
		size_t first = row->processor_first % (sizeof is_counted / sizeof *is_counted);

		online = row->processors_online > online ? row->processors_online : online;
		sum += is_counted[first] ? 0 : row->processors;
		is_counted[first] = true;
	}
	return online && sum > online ? online : sum;
}

/* The program is the process that was started first. */
static void set_header(struct live *live)
{
	struct live_frame *frame = &live->frame;
	const struct run_files *files = live->files;
	struct process_life life = process_life_of(files, 0);

	frame->command = files->command ? files->command : files->processes[0].process.command;
	frame->directory = live->directory;
	frame->processors = count_processors(files);
	frame->is_over = true;
	for (size_t i = 0; i < files->process_count; i++)
		frame->is_over &= live->watched[i] && live->watched[i]->is_over;
	frame->status = process_life_text(&life);
	frame->problem = files->problems.count ? files->problems.texts[0] : NULL;
	set_elapsed(live);
	frame->interval_ns = frame->elapsed_ns - live->elapsed_ns;
	live->elapsed_ns = frame->elapsed_ns;
}

const struct live_frame *live_read(struct live *live, size_t rows)
{
	struct live_frame *frame = &live->frame;
	uint64_t most_cpu = 0;

	clear_frame(frame);
	live->frames++;
	if (is_directory(live->directory))
		look_for_new(live);
	live->files->now_ns = real_clock_ns(CLOCK_MONOTONIC);
	read_some(live, rows);
	set_header(live);
	frame->processes = memory_allocate(live->watched_count, sizeof *frame->processes);
	for (size_t i = 0; i < live->watched_count; i++)
		if (live->watched[i])
			add_process(live, i, &most_cpu);
	frame->known_count = live->watched_count;
	live_rows_unite(frame, rows);
	live_minute_add(live->minute, frame);
	return frame;
}

/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE 1
#include "analyze/read/run_read.h"

#include "analyze/base/memory.h"
#include "analyze/base/progress.h"
#include "analyze/base/text_set.h"
#include "analyze/read/process_alive.h"
#include "analyze/read/profile_read.h"
#include "analyze/read/run_of_process.h"
#include "analyze/tables/merged.h"
#include "common/real_clock.h"

#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- run.json; written by a program that we do not control, so it is parsed by a library that
 * many others test */

static char *join_words(struct json_object *words)
{
	char *joined = memory_copy_text("");

	for (size_t i = 0; i < json_object_array_length(words); i++) {
		const char *word = json_object_get_string(json_object_array_get_idx(words, i));
		char *longer = memory_print("%s%s%s", joined, i ? " " : "", word ? word : "");

		free(joined);
		joined = longer;
	}
	return joined;
}

static void read_run_json(struct run_files *files)
{
	char *path = memory_print("%s/run.json", files->directory);
	struct json_object *root = access(path, F_OK) ? NULL : json_object_from_file(path);
	struct json_object *command, *start;

	if (json_object_object_get_ex(root, "command", &command) &&
	    json_object_is_type(command, json_type_array))
		files->command = join_words(command);
	if (json_object_object_get_ex(root, "start", &start) &&
	    json_object_is_type(start, json_type_string))
		files->start = memory_copy_text(json_object_get_string(start));
	if (!root && !access(path, F_OK))
		text_list_add(
			&files->problems,
			"run.json cannot be read: command and start are those of the profiles");
	json_object_put(root);
	free(path);
}

/* ---- profiles */

static uint64_t last_sign_of_life(const struct profile *profile)
{
	uint64_t last = profile->header.heartbeat_ns;

	for (size_t i = 0; i < profile->threads.count; i++)
		if (profile->threads.rows[i].updated_ns > last)
			last = profile->threads.rows[i].updated_ns;
	return last;
}

/* A thread in a wait gives no sign of life until the wait is over; one that runs gives samples. */
static bool all_wait(const struct profile *profile)
{
	for (size_t i = 0; i < profile->threads.count; i++)
		if (profile->threads.rows[i].flags & THREAD_ALIVE &&
		    !profile->threads.rows[i].waiting_since_ns)
			return false;
	return profile->threads.count > 0;
}

static uint64_t longest_work(const struct profile *profile)
{
	uint64_t longest = 0;

	for (size_t i = 0; i < profile->threads.count; i++) {
		const struct profile_thread *row = &profile->threads.rows[i];
		uint64_t ns = row->user_ns + row->system_ns + row->ready_ns;

		longest = ns > longest ? ns : longest;
	}
	return longest;
}

/* The process as a rank, from the table mpi_process, which programs without MPI leave empty. */
static void describe_rank(struct run_process *process, const struct table_file *file)
{
	const struct table *table = table_file_find(file, "mpi_process");
	struct table_cursor cursor = {0};
	const unsigned char *row = table_next_row(table, &cursor);

	process->rank = process->rank_count = 0;
	if (!row)
		return;
	process->rank = schema_read_integer(schema_find_column(table->schema, "rank"), row, 0);
	process->rank_count =
		schema_read_integer(schema_find_column(table->schema, "size"), row, 0);
}

/* Copies everything of the profile that is needed after it is closed. */
static void describe(struct run_files *files, struct run_process *process,
		     const struct profile *profile)
{
	struct profile_process *row = &process->process;
	size_t bytes = profile->children.count * sizeof *process->children;

	process->header = profile->header;
	process->is_torn = profile->file->is_torn;
	process->last_sign_ns = last_sign_of_life(profile);
	process->is_idle = all_wait(profile);
	process->worked_ns = longest_work(profile);
	describe_rank(process, profile->file);
	*row = profile->process;
	row->command = text_set_keep(files->texts, row->command);
	row->executable = text_set_keep(files->texts, row->executable);
	row->host = text_set_keep(files->texts, row->host);
	free(process->children);
	process->children = memory_allocate(profile->children.count, sizeof *process->children);
	process->child_count = profile->children.count;
	if (bytes)
		memcpy(process->children, profile->children.rows, bytes);
}

static void add_problems(struct run_files *files, const struct profile *profile)
{
	for (size_t i = 0; i < profile->file->problems.count; i++)
		text_list_add(&files->problems, "%s: %s", profile->path,
			      profile->file->problems.texts[i]);
	files->is_damaged |= profile->file->is_torn;
}

static struct run_process *append_process(struct run_files *files)
{
	files->processes = memory_grow(files->processes, files->process_count,
				       &files->process_capacity, sizeof *files->processes);
	struct run_process *process = &files->processes[files->process_count++];

	*process = (struct run_process){0};
	return process;
}

void run_files_add_profile(struct run_files *files, struct profile *profile)
{
	struct run_process *process = append_process(files);

	process->profile = profile;
	describe(files, process, profile);
}

static void add_merged_process(struct run_files *files, const struct merged_processes *row)
{
	struct run_process *process = append_process(files);
	const struct process_facts *facts = &row->facts;

	process->merged = row;
	process->is_torn = facts->is_torn;
	process->rank = facts->rank;
	process->rank_count = facts->rank_count;
	process->header.pid = (uint32_t)facts->pid;
	process->header.sequence = (uint32_t)facts->sequence;
	process->header.start_ns = facts->start_ns;
	process->header.start_realtime_ns = facts->start_realtime_ns;
	process->process = (struct profile_process){
		.pid = facts->pid,
		.parent_pid = facts->parent_pid,
		.command = text_set_keep(files->texts, facts->command),
		.executable = text_set_keep(files->texts, facts->executable),
		.host = text_set_keep(files->texts, facts->host),
		.processors = facts->processors,
		.processor_first = facts->processor_first,
		.processors_online = facts->processors_online,
		.threads_peak = facts->threads_peak,
		.threads_started = facts->threads_started,
		.start_elapsed_ns = facts->start_elapsed_ns,
		.start_wait_ns = facts->start_wait_ns,
	};
}

void run_files_add_merged(struct run_files *files, struct merged_file *merged)
{
	size_t count;
	const struct merged_processes *rows = merged_file_rows(merged, MERGED_processes, &count);

	files->merged = memory_grow(files->merged, files->merged_count, &files->merged_capacity,
				    sizeof(struct merged_file *));
	files->merged[files->merged_count++] = merged;
	for (size_t i = 0; i < count; i++)
		add_merged_process(files, &rows[i]);
}

static bool add_merged(struct run_files *files, const char *path, char **problem)
{
	struct merged_file *merged = merged_file_open(path, problem);

	if (merged)
		run_files_add_merged(files, merged);
	return merged != NULL;
}

static bool add_file(struct run_files *files, const char *path, char **problem)
{
	if (!fnmatch("*.tables", path, 0))
		return add_merged(files, path, problem);
	struct profile *profile = profile_open_summary(path, problem);

	if (!profile)
		return false;
	struct run_process *process = append_process(files);

	add_problems(files, profile);
	process->path = text_set_keep(files->texts, path);
	process->is_alive = process_is_alive(profile);
	describe(files, process, profile);
	profile_destroy(profile);
	return true;
}

const struct profile *run_files_profile(struct run_files *files, size_t index)
{
	struct run_process *process = &files->processes[index];
	char *problem;

	if (!process->path)
		return process->profile;
	process->profile = profile_open_within(process->path, files->section, &problem);
	if (!process->profile) {
		text_list_add(&files->problems, "%s %s", process->path, problem);
		free(problem);
		files->is_damaged = process->is_torn = true;
		return NULL;
	}
	files->has_section |= process->profile->is_in_within;
	add_problems(files, process->profile);
	process->is_alive = process_is_alive(process->profile);
	describe(files, process, process->profile);
	if (process->is_alive)
		files->now_ns = real_clock_ns(CLOCK_MONOTONIC);
	return process->profile;
}

void run_files_release(struct run_files *files, size_t index)
{
	struct run_process *process = &files->processes[index];

	if (!process->path)
		return;
	profile_destroy(process->profile);
	process->profile = NULL;
}

static int is_profile_name(const struct dirent *entry)
{
	return !fnmatch("*.profile", entry->d_name, 0) || !fnmatch("*.tables", entry->d_name, 0);
}

/* All files of the given runs, in the order of their names. */
struct file_list {
	char **paths;
	size_t count, capacity;
};

static void append_path(struct file_list *list, char *path)
{
	list->paths = memory_grow(list->paths, list->count, &list->capacity, sizeof(char *));
	list->paths[list->count++] = path;
}

static void clear_list(struct file_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		free(list->paths[i]);
	free(list->paths);
}

static bool list_directory(struct file_list *list, const char *directory, char **problem)
{
	struct dirent **entries;
	int count = scandir(directory, &entries, is_profile_name, alphasort);

	if (count < 0) {
		*problem = memory_print("cannot read %s: %s", directory, strerror(errno));
		return false;
	}
	for (int i = 0; i < count; i++) {
		append_path(list, memory_print("%s/%s", directory, entries[i]->d_name));
		free(entries[i]);
	}
	free(entries);
	if (!count)
		*problem = memory_print(
			"%s holds no profile: name a directory that ptrace-run wrote", directory);
	return count > 0;
}

static bool list_path(struct file_list *list, const char *path, char **problem)
{
	struct stat status;

	if (stat(path, &status)) {
		*problem = memory_print("cannot read %s: %s", path, strerror(errno));
		return false;
	}
	if (S_ISDIR(status.st_mode))
		return list_directory(list, path, problem);
	append_path(list, memory_copy_text(path));
	return true;
}

/* Only for a process whose profile does not record its end may the end be found in another
 * profile. */
static bool needs_others(const struct run_files *files)
{
	for (size_t i = 0; i < files->process_count; i++)
		if (files->processes[i].path &&
		    files->processes[i].header.state == FORMAT_STATE_RUNNING)
			return true;
	return false;
}

static void add_other(struct run_files *files, const char *path)
{
	char *problem = NULL;
	struct profile *profile =
		fnmatch("*.tables", path, 0) ? profile_open_summary(path, &problem) : NULL;

	free(problem); /* reported by the reader to whose share it belongs */
	if (!profile)
		return;
	files->others = memory_grow(files->others, files->other_count, &files->other_capacity,
				    sizeof *files->others);
	files->others[files->other_count] = (struct run_process){0};
	describe(files, &files->others[files->other_count++], profile);
	profile_destroy(profile);
}

static void read_listed(struct run_files *files, const struct file_list *list,
			struct run_share share)
{
	for (size_t i = share.index; i < list->count; i += share.count) {
		char *reason;

		progress_step("listing profiles", i, list->count);
		if (add_file(files, list->paths[i], &reason))
			continue;
		files->is_damaged = true;
		text_list_add(&files->problems, "%s %s", list->paths[i], reason);
		free(reason);
	}
	bool is_wanted = share.count > 1 && needs_others(files);

	for (size_t i = 0; is_wanted && i < list->count; i++)
		if (i % share.count != share.index)
			add_other(files, list->paths[i]);
}

static int compare_starts(const void *left, const void *right)
{
	const struct format_header *a = &((const struct run_process *)left)->header;
	const struct format_header *b = &((const struct run_process *)right)->header;

	if (a->start_realtime_ns != b->start_realtime_ns)
		return a->start_realtime_ns < b->start_realtime_ns ? -1 : 1;
	return a->pid != b->pid ? (a->pid < b->pid ? -1 : 1)
				: (a->sequence > b->sequence) - (a->sequence < b->sequence);
}

struct run_files *run_files_create(const char *directory)
{
	struct run_files *files = memory_allocate(1, sizeof *files);

	files->directory = directory ? memory_copy_text(directory) : NULL;
	files->texts = text_set_create();
	return files;
}

static bool read_all(struct run_files *files, char *const *paths, size_t count,
		     struct run_share share, char **problem)
{
	struct file_list list = {0};
	bool is_listed = true;

	for (size_t i = 0; i < count && is_listed; i++)
		is_listed = list_path(&list, paths[i], problem);
	if (is_listed)
		read_listed(files, &list, share);
	clear_list(&list);
	if (!is_listed || files->process_count || share.count > 1)
		return is_listed;
	*problem = memory_print("%s", files->problems.count ? files->problems.texts[0]
							    : "no process in what was named");
	return false;
}

struct run_files *run_files_open_all(char *const *paths, size_t count, struct run_share share,
				     char **problem)
{
	struct run_files *files = run_files_create(paths[0]);

	read_run_json(files);
	files->processors = processors_used_read(files->directory);
	if (!read_all(files, paths, count, share, problem)) {
		run_files_destroy(files);
		return NULL;
	}
	files->now_ns = real_clock_ns(CLOCK_MONOTONIC);
	if (files->process_count)
		qsort(files->processes, files->process_count, sizeof *files->processes,
		      compare_starts);
	return files;
}

struct run_files *run_files_open(const char *path, char **problem)
{
	char *directory = run_find_named(path, problem);
	struct run_files *files = NULL;

	if (directory)
		files = run_files_open_all(&directory, 1, (struct run_share){0, 1}, problem);
	free(directory);
	return files;
}

void run_files_destroy(struct run_files *files)
{
	if (!files)
		return;
	for (size_t i = 0; i < files->process_count; i++) {
		profile_destroy(files->processes[i].profile);
		free(files->processes[i].children);
	}
	for (size_t i = 0; i < files->other_count; i++)
		free(files->others[i].children);
	for (size_t i = 0; i < files->merged_count; i++)
		merged_file_destroy(files->merged[i]);
	free(files->others);
	free(files->merged);
	free(files->processes);
	text_set_destroy(files->texts);
	text_list_clear(&files->problems);
	free(files->directory);
	free(files->command);
	free(files->start);
	free(files);
}

const struct run_process *run_files_process(const struct run_files *files, size_t index)
{
	return index < files->process_count ? &files->processes[index]
					    : &files->others[index - files->process_count];
}

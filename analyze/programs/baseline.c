/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE 1
#include "analyze/programs/baseline.h"

#include "analyze/base/die.h"
#include "analyze/base/memory.h"
#include "analyze/read/run_read.h"

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

struct kept_run {
	char *path;
	time_t start;
	struct timespec written; /* of two that were started in one second */
};

struct kept_runs {
	struct kept_run *rows;
	size_t count, capacity;
};

static struct timespec written_at(const char *path)
{
	struct stat status;

	return stat(path, &status) ? (struct timespec){0} : status.st_mtim;
}

/* When it was started, or, of a run that does not say so, when its directory was last written. */
static time_t start_of(const struct run_files *files, const char *path)
{
	struct tm time = {0};

	if (!files->start || !strptime(files->start, "%Y-%m-%dT%H:%M:%S%z", &time))
		return written_at(path).tv_sec;
	long offset = time.tm_gmtoff; /* timegm changes it */

	return timegm(&time) - offset;
}

/* What is no run is left alone, but for a word. */
static void add(struct kept_runs *runs, char *path)
{
	char *problem = NULL;
	struct run_files *files = run_files_open(path, &problem);

	if (!files) {
		warn_line("left out of the baseline: %s", problem);
		free(problem);
		free(path);
		return;
	}
	runs->rows = memory_grow(runs->rows, runs->count, &runs->capacity, sizeof *runs->rows);
	runs->rows[runs->count++] =
		(struct kept_run){path, start_of(files, path), written_at(path)};
	run_files_destroy(files);
}

static bool is_directory(const char *path)
{
	struct stat status;

	return !stat(path, &status) && S_ISDIR(status.st_mode);
}

static struct kept_runs read_directory(const char *directory)
{
	struct kept_runs runs = {0};
	DIR *open = opendir(directory);

	if (!open)
		die("--baseline %s cannot be read: %s", directory, strerror(errno));
	for (struct dirent *entry; (entry = readdir(open));) {
		char *path = memory_print("%s/%s", directory, entry->d_name);

		if (*entry->d_name != '.' && is_directory(path))
			add(&runs, path);
		else
			free(path);
	}
	closedir(open);
	return runs;
}

static int compare(const void *left, const void *right)
{
	const struct kept_run *a = left, *b = right;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	if (a->written.tv_sec != b->written.tv_sec)
		return a->written.tv_sec < b->written.tv_sec ? -1 : 1;
	if (a->written.tv_nsec != b->written.tv_nsec)
		return a->written.tv_nsec < b->written.tv_nsec ? -1 : 1;
	return strcmp(a->path, b->path);
}

void baseline_find(struct diff_options *options)
{
	struct kept_runs runs = read_directory(options->baseline);

	if (!runs.count)
		die("--baseline %s: there is no run in it; ptrace-merge -o %s/NAME RUN puts one "
		    "there",
		    options->baseline, options->baseline);
	qsort(runs.rows, runs.count, sizeof *runs.rows, compare);
	size_t first = runs.count > options->newest ? runs.count - options->newest : 0;

	for (size_t i = 0; i < first; i++)
		free(runs.rows[i].path);
	options->run_count[0] = runs.count - first;
	options->runs[0] = memory_allocate(options->run_count[0], sizeof *options->runs[0]);
	for (size_t i = first; i < runs.count; i++)
		options->runs[0][i - first] = runs.rows[i].path;
	free(runs.rows);
}

/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE 1
#include "analyze/read/run_find.h"

#include "analyze/base/memory.h"

#include <dirent.h>
#include <fnmatch.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static int is_part_of_run(const struct dirent *entry)
{
	return !fnmatch("*.profile", entry->d_name, 0) || !fnmatch("*.tables", entry->d_name, 0) ||
	       !strcmp(entry->d_name, "run.json");
}

static int is_run_name(const struct dirent *entry)
{
	return !fnmatch("*.ptrace.*", entry->d_name, 0);
}

static void free_entries(struct dirent **entries, int count)
{
	for (int i = 0; i < count; i++)
		free(entries[i]);
	if (count >= 0)
		free(entries);
}

static bool is_run(const char *directory)
{
	struct dirent **entries;
	int count = scandir(directory, &entries, is_part_of_run, NULL);

	free_entries(entries, count);
	return count > 0;
}

static bool is_newer(const struct timespec *a, const struct timespec *b)
{
	return a->tv_sec != b->tv_sec ? a->tv_sec > b->tv_sec : a->tv_nsec > b->tv_nsec;
}

char *run_find_newest(void)
{
	struct dirent **entries;
	int count = scandir(".", &entries, is_run_name, alphasort);
	struct timespec newest = {0};
	const char *best = NULL;
	struct stat status;

	for (int i = 0; i < count; i++) {
		const char *path = entries[i]->d_name;

		if (stat(path, &status) || !S_ISDIR(status.st_mode) || !is_run(path))
			continue;
		if (!best || is_newer(&status.st_mtim, &newest)) {
			best = path;
			newest = status.st_mtim;
		}
	}
	if (!best && is_run("."))
		best = ".";
	char *result = best ? memory_copy_text(best) : NULL;

	free_entries(entries, count);
	return result;
}

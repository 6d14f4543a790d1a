/* SPDX-License-Identifier: MIT */
#include "write_problem.h"

#include "preload/file/format.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/statvfs.h>

/* Of the nearest directory that exists. */
static int find_file_system(const char *path, struct statvfs *system)
{
	char name[PATH_MAX];

	snprintf(name, sizeof name, "%s", path);
	while (statvfs(name, system) < 0) {
		char *slash = strrchr(name, '/');

		if (errno != ENOENT)
			return -1;
		if (!slash)
			return statvfs(".", system);
		slash[slash == name && slash[1]] = '\0'; /* the root keeps its name */
	}
	return 0;
}

#define OR_ANOTHER ", or choose another with -o DIR"

/* The kernel has one error for both. */
static void say_full(const char *path, char *text, size_t size)
{
	struct statvfs system;

	if (find_file_system(path, &system) < 0)
		system = (struct statvfs){.f_favail = 1};
	unsigned long long free_bytes = (unsigned long long)system.f_bavail * system.f_frsize;
	if (system.f_files && !system.f_favail)
		snprintf(text, size,
			 "its file system has no inode left (df -i): remove files" OR_ANOTHER);
	else if (free_bytes < FORMAT_LEAST_BYTES)
		snprintf(text, size,
			 "no space left on its file system (%llu KiB are free, a profile needs "
			 "%u): make room" OR_ANOTHER,
			 free_bytes / 1024, FORMAT_LEAST_BYTES / 1024);
	else /* some other limit, as of entries of a directory */
		snprintf(text, size, "%s: make room" OR_ANOTHER, strerror(ENOSPC));
}

void write_problem_text(const char *path, int error, char *text, size_t size)
{
	if (error == ENOSPC)
		say_full(path, text, size);
	else if (error == EDQUOT)
		snprintf(text, size, "%s (quota -s): remove files of yours" OR_ANOTHER,
			 strerror(error));
	else
		snprintf(text, size, "%s; choose another with -o DIR", strerror(error));
}

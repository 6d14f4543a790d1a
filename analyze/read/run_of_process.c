/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE 1
#include "analyze/read/run_of_process.h"

#include "analyze/base/memory.h"
#include "analyze/read/run_find.h"
#include "preload/file/format.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PROFILE_END ".profile"
#define DELETED     " (deleted)"

bool run_is_process(const char *word)
{
	return *word && strspn(word, "0123456789") == strlen(word) && access(word, F_OK);
}

static bool ends_with(const char *text, const char *end)
{
	size_t length = strlen(text), size = strlen(end);

	return length >= size && !strcmp(text + length - size, end);
}

/* The kernel writes a line feed in a path as \012, and nothing else in another way. */
static void restore_line_feeds(char *path)
{
	char *to = path;

	for (const char *from = path; *from; to++) {
		bool is_escaped = !strncmp(from, "\\012", 4);

		*to = is_escaped ? '\n' : *from;
		from += is_escaped ? 4 : 1;
	}
	*to = '\0';
}

static bool is_profile(const char *path)
{
	char magic[sizeof FORMAT_MAGIC - 1] = "";
	FILE *file = fopen(path, "re");
	bool is_one = file && fread(magic, sizeof magic, 1, file) == 1 &&
		      !memcmp(magic, FORMAT_MAGIC, sizeof magic);

	if (file)
		fclose(file);
	return is_one;
}

/* A process in a container has its own tree of files, which its /proc entry leads to. NULL: it is
 * no profile. */
static char *reach(const char *number, const char *path)
{
	char *inside = is_profile(path) ? NULL : memory_print("/proc/%s/root%s", number, path);

	if (!inside)
		return memory_copy_text(path);
	if (is_profile(inside))
		return inside;
	free(inside);
	return NULL;
}

/* The path in a line of maps, whose other fields hold no slash; NULL: no profile is mapped there,
 * shared as the writer maps it. */
static char *path_of_line(char *line)
{
	char *path = strchr(line, '/'), permissions[5];

	line[strcspn(line, "\n")] = '\0';
	if (!path || sscanf(line, "%*x-%*x %4s", permissions) != 1 || permissions[3] != 's')
		return NULL;
	return ends_with(path, PROFILE_END) || ends_with(path, PROFILE_END DELETED) ? path : NULL;
}

/* A fork child has its parent's profile mapped as well. */
static bool is_own(const char *path, const char *number)
{
	char *middle = memory_print("-%s-", number);
	bool has_number = strstr(strrchr(path, '/'), middle) != NULL;

	free(middle);
	return has_number;
}

/* The last one of its own, which the image that runs now writes; or else the last one. *is_deleted:
 * there was one, whose file is gone. */
static char *find_mapped(FILE *maps, const char *number, bool *is_deleted)
{
	char *line = NULL, *found = NULL;
	size_t capacity = 0;

	while (getline(&line, &capacity, maps) >= 0) {
		char *path = path_of_line(line);

		if (!path || (found && is_own(found, number) && !is_own(path, number)))
			continue;
		restore_line_feeds(path);
		char *reached = reach(number, path);

		*is_deleted |= !reached && ends_with(path, DELETED);
		if (reached) {
			free(found);
			found = reached;
		}
	}
	free(line);
	return found;
}

static char *unreadable(const char *number, int error)
{
	if (error == ENOENT || error == ESRCH)
		return memory_print("there is no process %s", number);
	if (error == EACCES || error == EPERM)
		return memory_print("process %s belongs to another user, or may not be looked at: "
				    "ask as that user, or as root",
				    number);
	return memory_print("cannot read /proc/%s/maps: %s", number, strerror(error));
}

/* The name in parentheses, proc(5) comm; "" if it has gone meanwhile. */
static void read_name(const char *number, char *name, size_t size)
{
	char *path = memory_print("/proc/%s/comm", number);
	FILE *file = fopen(path, "re");

	*name = '\0';
	if (file && fgets(name, (int)size, file))
		name[strcspn(name, "\n")] = '\0';
	if (file)
		fclose(file);
	free(path);
}

/* Of a process that has ended and a parent that does not know yet, no memory is left. */
static bool is_zombie(const char *number)
{
	char *path = memory_print("/proc/%s/statm", number);
	FILE *file = fopen(path, "re");
	unsigned long pages = 1;
	bool is_empty = file && fscanf(file, "%lu", &pages) == 1 && !pages;

	if (file)
		fclose(file);
	free(path);
	return is_empty;
}

static char *unprofiled(const char *number, bool is_deleted)
{
	char name[64];

	read_name(number, name, sizeof name);
	if (is_deleted)
		return memory_print("process %s (%s) is profiled, but somebody removed its profile",
				    number, name);
	if (is_zombie(number))
		return memory_print("process %s (%s) has ended, or is of the kernel: name its run",
				    number, name);
	return memory_print("process %s (%s) is not profiled: ptrace-attach %s does that, or "
			    "start it by ptrace-run PROGRAM",
			    number, name, number);
}

char *run_profile_of_process(const char *number, char **problem)
{
	char *path = memory_print("/proc/%s/maps", number);
	FILE *maps = fopen(path, "re");
	bool is_deleted = false;

	free(path);
	if (!maps) {
		*problem = unreadable(number, errno);
		return NULL;
	}
	errno = 0;
	char *found = find_mapped(maps, number, &is_deleted);
	int error = ferror(maps) ? errno : 0;

	fclose(maps);
	if (!found)
		*problem = error ? unreadable(number, error) : unprofiled(number, is_deleted);
	return found;
}

char *run_find_named(const char *word, char **problem)
{
	if (word && !run_is_process(word))
		return memory_copy_text(word);
	char *found = word ? run_profile_of_process(word, problem) : run_find_newest();

	if (word && found)
		*strrchr(found, '/') = '\0';
	if (!word && !found)
		*problem = memory_copy_text("no run below the current directory: name one, or make "
					    "one with ptrace-run PROGRAM");
	return found;
}

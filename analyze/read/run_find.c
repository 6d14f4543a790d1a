/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE 1
#include "analyze/read/run_find.h"

#include "analyze/base/memory.h"

#include <dirent.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Directories that are looked into; a path that is in the queue is released there. */
struct search {
	struct place {
		char *path;
		unsigned level;
	} places[RUN_FIND_DIRECTORIES_MAX];
	size_t count;
	char *best; /* NULL: none so far */
	struct timespec newest;
	bool is_here; /* the current directory is a run */
};

static bool is_run_name(const char *path)
{
	return !strchr(path, '/') && !fnmatch("*.ptrace.*", path, 0);
}

/* Of a process, or of a merged run. Shells have a .profile. */
static bool is_profile(const char *name)
{
	return !fnmatch("*.profile", name, FNM_PERIOD) || !fnmatch("*.tables", name, FNM_PERIOD);
}

/* Other tools have files that are called *.profile, or run.json. */
static bool is_description(const char *directory)
{
	char *path = memory_print("%s/run.json", directory), text[128] = "";
	int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	free(path);
	if (file < 0)
		return false;
	ssize_t length = read(file, text, sizeof text - 1);
	close(file);
	return length > 0 && strstr(text, "\"format\"") && strstr(text, "\"ptrace-run\"");
}

static bool is_part_of_run(const char *directory, const char *name)
{
	bool is_ours = is_run_name(directory) || !strcmp(directory, ".");

	if (!strcmp(name, "run.json"))
		return is_ours || is_description(directory);
	return is_ours && is_profile(name);
}

static int may_be_part(const struct dirent *entry)
{
	return is_profile(entry->d_name) || !strcmp(entry->d_name, "run.json");
}

bool run_find_is(const char *directory)
{
	struct dirent **entries;
	int count = scandir(directory, &entries, may_be_part, NULL);

	for (int i = 0; i < count; i++)
		free(entries[i]);
	if (count >= 0)
		free(entries);
	return count > 0;
}

static bool is_newer(const struct timespec *a, const struct timespec *b)
{
	return a->tv_sec != b->tv_sec ? a->tv_sec > b->tv_sec : a->tv_nsec > b->tv_nsec;
}

static void add_place(struct search *search, const char *parent, const char *name, unsigned level)
{
	if (search->count == RUN_FIND_DIRECTORIES_MAX)
		return;
	char *path =
		!strcmp(parent, ".") ? memory_copy_text(name) : memory_print("%s/%s", parent, name);
	search->places[search->count++] = (struct place){path, level};
}

/* Of equally new ones, the first in the order of names. Nobody else's run is taken from deep
 * below. */
static void offer(struct search *search, const char *path)
{
	struct stat status;

	if (stat(path, &status) || (strchr(path, '/') && status.st_uid != geteuid()) ||
	    (search->best && !is_newer(&status.st_mtim, &search->newest)))
		return;
	free(search->best);
	search->best = memory_copy_text(path);
	search->newest = status.st_mtim;
}

/* Links are not followed, but for *.ptrace.* below the current directory. */
static bool is_directory(const char *parent, const struct dirent *entry, unsigned level)
{
	struct stat status;
	bool is_link =
		entry->d_type == DT_LNK && level == 0 && !fnmatch("*.ptrace.*", entry->d_name, 0);

	if (entry->d_type != DT_UNKNOWN && !is_link)
		return entry->d_type == DT_DIR;
	char *path = memory_print("%s/%s", parent, entry->d_name);
	bool is_one = (is_link ? stat : lstat)(path, &status) == 0 && S_ISDIR(status.st_mode);
	free(path);
	return is_one;
}

static void look_into(struct search *search, const struct place *place)
{
	struct dirent **entries;
	int count = scandir(place->path, &entries, NULL, alphasort);
	bool is_run = false;

	for (int i = 0; i < count; i++)
		is_run |= is_part_of_run(place->path, entries[i]->d_name);
	if (is_run && place->level)
		offer(search, place->path);
	search->is_here |= is_run && !place->level;
	for (int i = 0; i < count; i++) {
		bool is_wanted = entries[i]->d_name[0] != '.' && place->level < RUN_FIND_LEVELS &&
				 (!is_run || !place->level);

		if (is_wanted && is_directory(place->path, entries[i], place->level))
			add_place(search, place->path, entries[i]->d_name, place->level + 1);
		free(entries[i]);
	}
	if (count >= 0)
		free(entries);
}

char *run_find_newest(void)
{
	struct search *search = memory_allocate(1, sizeof *search);

	add_place(search, ".", ".", 0);
	for (size_t i = 0; i < search->count; i++) {
		const struct place place = search->places[i];

		look_into(search, &place);
	}
	for (size_t i = 0; i < search->count; i++)
		free(search->places[i].path);
	char *best = search->best || !search->is_here ? search->best : memory_copy_text(".");
	free(search);
	return best;
}

/* SPDX-License-Identifier: MIT */
#include "analyze/symbols/name_cache.h"

#include "analyze/base/memory.h"
#include "analyze/symbols/name_file.h"
#include "analyze/symbols/user_cache.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct name_cache {
	char *directory, *path, *identity;
	struct name_answers *answers;
	size_t known; /* answers that were read */
};

/* ---- where */

/* As root on somebody else's behalf (sudo) one may have another one's home. */
static bool is_own(const char *path, mode_t type)
{
	struct stat status;

	return !lstat(path, &status) && (status.st_mode & S_IFMT) == type &&
	       status.st_uid == geteuid();
}

/* The same, with links followed: the user's cache directory may be one. */
static bool leads_to_own_directory(const char *path)
{
	struct stat status;

	return !stat(path, &status) && S_ISDIR(status.st_mode) && status.st_uid == geteuid();
}

/* Made if it is not there, for the user alone, and only in a directory that is the user's own. */
static bool is_made(const char *path)
{
	char *parent = memory_print("%.*s", (int)(strrchr(path, '/') - path), path);
	bool is_new = leads_to_own_directory(parent) && !mkdir(path, 0700);

	free(parent);
	return is_new && !chmod(path, 0700); /* whatever the umask is */
}

static char *add_directory(char *parent, const char *name)
{
	char *path = parent ? memory_print("%s/%s", parent, name) : NULL;

	free(parent);
	if (!path || is_own(path, S_IFDIR) || is_made(path))
		return path;
	free(path);
	return NULL;
}

static char *cache_directory(void)
{
	char *root = user_cache_root();

	if (root && !leads_to_own_directory(root) && !is_made(root)) {
		free(root);
		root = NULL;
	}
	return add_directory(add_directory(root, "ptrace"), "names");
}

/* ---- how much is kept */

static int is_cache_file(const struct dirent *entry)
{
	return entry->d_name[0] != '.'; /* also what a report that was killed left unfinished */
}

/* Removes the oldest file if all together are too large; false: they are not. */
static bool remove_oldest(const char *directory, struct dirent **entries, int count)
{
	struct stat status;
	struct timespec oldest_time = {0};
	char *oldest = NULL;
	off_t total = 0;

	for (int i = 0; i < count; i++) {
		char *path = memory_print("%s/%s", directory, entries[i]->d_name);

		if (lstat(path, &status)) {
			free(path);
			continue;
		}
		total += status.st_size;
		if (!oldest || status.st_mtim.tv_sec < oldest_time.tv_sec ||
		    (status.st_mtim.tv_sec == oldest_time.tv_sec &&
		     status.st_mtim.tv_nsec < oldest_time.tv_nsec)) {
			free(oldest);
			oldest = path;
			oldest_time = status.st_mtim;
		} else {
			free(path);
		}
	}
	bool is_removed = oldest && total > NAME_CACHE_TOTAL_BYTES && !unlink(oldest);

	free(oldest);
	return is_removed;
}

static void keep_bounded(const char *directory)
{
	struct dirent **entries = NULL;
	int count = scandir(directory, &entries, is_cache_file, NULL);

	while (remove_oldest(directory, entries, count))
		;
	for (int i = 0; i < count; i++)
		free(entries[i]);
	free(entries);
}

/* ---- life */

static void write_answers(const struct name_cache *cache)
{
	struct stat status;
	char *unfinished = memory_print("%s.%ld", cache->path, (long)getpid());
	const struct sigaction ignored = {.sa_handler = SIG_IGN};
	struct sigaction before;

	unlink(unfinished);
	/* a limit for the size of files, which would be a signal, is an error */
	sigaction(SIGXFSZ, &ignored, &before);
	bool is_written =
		name_file_write(unfinished, cache->identity, cache->answers, NAME_CACHE_OLD_MAX);

	sigaction(SIGXFSZ, &before, NULL);
	if (!is_written || stat(unfinished, &status) || status.st_size > NAME_CACHE_FILE_BYTES ||
	    rename(unfinished, cache->path))
		unlink(unfinished);
	else
		keep_bounded(cache->directory);
	free(unfinished);
}

struct name_cache *name_cache_open(const char *build_id, const char *identity)
{
	char *directory = cache_directory();

	if (!directory)
		return NULL;
	struct name_cache *cache = memory_allocate(1, sizeof *cache);

	cache->directory = directory;
	cache->path = memory_print("%s/%s.sqlite", directory, build_id);
	cache->identity = memory_copy_text(identity);
	if (is_own(cache->path, S_IFREG))
		cache->answers = name_file_read(cache->path, identity);
	if (!cache->answers)
		cache->answers = name_answers_create();
	cache->known = name_answers_count(cache->answers);
	return cache;
}

struct name_answers *name_cache_answers(struct name_cache *cache)
{
	return cache->answers;
}

void name_cache_close(struct name_cache *cache, bool is_complete)
{
	if (!cache)
		return;
	if (is_complete && name_answers_count(cache->answers) > cache->known)
		write_answers(cache);
	name_answers_destroy(cache->answers);
	free(cache->directory);
	free(cache->path);
	free(cache->identity);
	free(cache);
}

/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "run_agree.h"

#include "common/real_clock.h"
#include "job_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
	PAUSE_LEAST_NS = 1000000,
	PAUSE_MOST_NS = 50000000,
	WAIT_SECONDS = 5, /* a lock is held for milliseconds; on a busy file server, for a second */
	BREAKS_MOST = 3,
};

/* Checks the owner: whoever puts a directory of his own here must not get our profiles. */
static bool is_of_job(int place, const char *name, const struct launcher_job *job)
{
	struct stat status;
	int directory = openat(place, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	if (directory < 0)
		return false;
	bool is_ours = fstat(directory, &status) == 0 && status.st_uid == geteuid() &&
		       job_file_matches(directory, job);
	close(directory);
	return is_ours;
}

bool run_agree_find(const struct launcher_job *job, char *name, size_t size)
{
	const struct dirent *entry;
	DIR *place = opendir(".");
	bool is_found = false;

	while (place && !is_found && (entry = readdir(place))) {
		if (fnmatch("*.ptrace.[0-9]*", entry->d_name, 0) != 0)
			continue;
		is_found = is_of_job(dirfd(place), entry->d_name, job);
		if (is_found)
			snprintf(name, size, "%s", entry->d_name);
	}
	if (place)
		closedir(place);
	return is_found;
}

static bool take_lock(const char *lock)
{
	int file = open(lock, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);

	if (file >= 0)
		close(file);
	return file >= 0;
}

static void pause_for(long *pause_ns)
{
	struct timespec pause = {.tv_nsec = *pause_ns};

	nanosleep(&pause, NULL);
	if (*pause_ns < PAUSE_MOST_NS)
		*pause_ns *= 2;
}

struct sight {
	ino_t inode;
	struct timespec made;
	uint64_t since_ns; /* when this process first saw this lock */
};

static bool is_sighted(const struct stat *status, const struct sight *sight)
{
	return status->st_ino == sight->inode && status->st_mtim.tv_sec == sight->made.tv_sec &&
	       status->st_mtim.tv_nsec == sight->made.tv_nsec;
}

/* Has the same lock been there for longer than any living rank holds it? */
static bool is_abandoned(const char *lock, struct sight *sight)
{
	struct stat status;

	if (lstat(lock, &status) < 0)
		return false;
	uint64_t now_ns = real_clock_ns(CLOCK_MONOTONIC);
	if (!is_sighted(&status, sight))
		*sight = (struct sight){status.st_ino, status.st_mtim, now_ns};
	return now_ns - sight->since_ns > WAIT_SECONDS * UINT64_C(1000000000);
}

/* Removes the lock that was seen, and no other: ranks that have waited equally long come here
 * together, and the first may have made a new lock already. A rank that removes the file holds its
 * flock, so that the file still has that name when it is removed. */
static void break_lock(const char *lock, const struct sight *sight)
{
	struct stat held, named;
	int file = open(lock, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);

	if (file < 0)
		return;
	if (flock(file, LOCK_EX) == 0 && fstat(file, &held) == 0 && is_sighted(&held, sight) &&
	    lstat(lock, &named) == 0 && named.st_ino == held.st_ino)
		unlink(lock);
	close(file);
}

bool run_agree(const struct launcher_job *job, char *name, size_t size, char lock[64])
{
	long pause_ns = PAUSE_LEAST_NS;
	struct sight sight = {0};
	int breaks = 0;
	char hash[17];

	job_file_hash(job, hash);
	snprintf(lock, 64, ".ptrace-lock-%s", hash);
	while (!run_agree_find(job, name, size)) {
		if (take_lock(lock)) {
			if (!run_agree_find(job, name, size))
				return false;
			run_agree_unlock(lock);
			return true;
		}
		if (errno != EEXIST || breaks > BREAKS_MOST) {
			*lock = '\0';
			return false;
		}
		if (is_abandoned(lock, &sight)) {
			break_lock(lock, &sight);
			breaks++;
		} else {
			pause_for(&pause_ns);
		}
	}
	return true;
}

void run_agree_unlock(const char *lock)
{
	unlink(lock);
}

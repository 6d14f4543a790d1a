/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "run_directory.h"

#include "job_file.h"
#include "message.h"
#include "preload/file/format.h"
#include "run_agree.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NUMBER_MAX = 1000000 };

static char held_lock[64]; /* of run_agree, while we make the job's directory */

static void unlock(void)
{
	if (*held_lock)
		run_agree_unlock(held_lock);
	*held_lock = '\0';
}

static _Noreturn void refuse(const char *path, const char *reason)
{
	unlock();
	message_fail(STATUS_CANNOT_PROFILE,
		     "cannot use '%s' as run directory: %s; choose another with -o DIR", path,
		     reason);
}

static bool is_part_of_run(const char *name)
{
	size_t length = strlen(name);

	return job_file_is_name(name) || strncmp(name, "run.json", 8) == 0 ||
	       strncmp(name, ".run.json", 9) == 0 || strcmp(name, "processors.json") == 0 ||
	       (length > 8 && strcmp(name + length - 8, ".profile") == 0);
}

enum description {
	DESCRIPTION_NONE,
	DESCRIPTION_OURS,
	DESCRIPTION_FOREIGN,
	DESCRIPTION_UNREAD /* errno says why */
};

/* Reads the beginning of run.json: "format" is its first member, as run_directory_describe writes
 * it. */
static enum description find_description(int directory)
{
	char text[128] = "";
	int file = openat(directory, "run.json", O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);

	if (file < 0)
		return errno == ENOENT   ? DESCRIPTION_NONE
		       : errno == EMFILE ? DESCRIPTION_UNREAD
					 : DESCRIPTION_FOREIGN;
	ssize_t length = read(file, text, sizeof text - 1);
	close(file);
	return length > 0 && strstr(text, "\"format\"") && strstr(text, "\"ptrace-run\"")
		       ? DESCRIPTION_OURS
		       : DESCRIPTION_FOREIGN;
}

/* Another rank may have created the directory, and not yet written run.json. One foreign file is
 * enough to refuse it. */
static const char *find_foreign_file(int directory)
{
	const struct dirent *entry;
	const char *objection = NULL;
	int copy = openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *listing = copy < 0 ? NULL : fdopendir(copy);

	if (!listing)
		return strerror(errno);
	while (!objection && (entry = readdir(listing)))
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 &&
		    !is_part_of_run(entry->d_name))
			objection = "it is neither empty nor a run of this tool";
	closedir(listing);
	return objection;
}

/* An existing directory is used if it is empty or a run. */
static const char *find_objection(int directory)
{
	struct stat status;

	if (fstat(directory, &status) < 0 || status.st_uid != geteuid())
		return "it belongs to another user";
	switch (find_description(directory)) {
	case DESCRIPTION_OURS:
		return NULL;
	case DESCRIPTION_NONE:
		return find_foreign_file(directory);
	case DESCRIPTION_UNREAD:
		return strerror(errno);
	default:
		return "its run.json is not one of this tool";
	}
}

static void make_path_absolute(struct run_directory *run, const char *path)
{
	char *absolute = realpath(path, NULL);

	if (!absolute || strlen(absolute) >= sizeof run->path)
		refuse(path, strerror(absolute ? ENAMETOOLONG : errno));
	strcpy(run->path, absolute);
	free(absolute);
}

static void open_at(struct run_directory *run, const char *path)
{
	run->file = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (run->file < 0 && (errno == ELOOP || errno == ENOTDIR))
		refuse(path, "it is a symbolic link or no directory");
	if (run->file < 0)
		refuse(path, strerror(errno));
	make_path_absolute(run, path);
}

/* The profiled program must be able to create its profile; root always may, so this asks the
 * kernel. */
static void check_writable(const struct run_directory *run, const char *path)
{
	if (faccessat(run->file, ".", W_OK | X_OK, AT_EACCESS) < 0)
		refuse(path, strerror(errno));
}

static void open_named(struct run_directory *run, const char *output)
{
	char path[PATH_MAX];
	size_t length = strlen(output);

	if (length >= sizeof path)
		refuse(output, strerror(ENAMETOOLONG));
	strcpy(path, output);
	while (length > 1 && path[length - 1] == '/')
		path[--length] =
			'\0'; /* O_NOFOLLOW looks at the last component only without these */

	run->is_new = mkdir(path, 0700) == 0;
	if (!run->is_new && errno != EEXIST)
		refuse(path, strerror(errno));
	open_at(run, path);
	const char *objection = run->is_new ? NULL : find_objection(run->file);
	if (objection)
		refuse(path, objection);
	check_writable(run, path);
}

static void open_numbered(struct run_directory *run, const char *name)
{
	char path[NAME_MAX + 32];
	const char *slash = strrchr(name, '/');

	if (slash)
		name = slash + 1;
	for (int number = 1; number <= NUMBER_MAX; number++) {
		snprintf(path, sizeof path, "%.200s.ptrace.%d", name, number);
		if (mkdir(path, 0700) == 0) {
			run->is_new = true;
			open_at(run, path);
			return;
		}
		if (errno != EEXIST)
			refuse(path, strerror(errno));
	}
	refuse(path, "no number is free");
}

/* The ranks of a job may run programs with different names: the first one names the directory. */
static void open_for_job(struct run_directory *run, const char *name, struct launcher_job *job)
{
	char found[NAME_MAX + 1];

	run->is_of_job = true;
	if (run_agree(job, found, sizeof found, held_lock)) {
		*held_lock = '\0';
		open_at(run, found);
		check_writable(run, found);
		return;
	}
	int error = *held_lock ? 0 : errno;
	open_numbered(run, name);
	if (*held_lock)
		error = job_file_publish(run->file, job);
	unlock();
	if (error)
		run_directory_leave_job(run, job, strerror(error));
}

void run_directory_open(struct run_directory *run, const char *output, const char *name,
			struct launcher_job *job)
{
	*run = (struct run_directory){.file = -1};
	if (output)
		open_named(run, output);
	else if (job->key[0])
		open_for_job(run, name, job);
	else
		open_numbered(run, name);
}

void run_directory_leave_job(const struct run_directory *run, struct launcher_job *job,
			     const char *reason)
{
	message_say("rank %d of %d is alone in %s, without agreement with the other ranks: %s",
		    job->rank, job->ranks, run->path, reason);
	job->key[0] = '\0';
}

void run_directory_enroll(const struct run_directory *run, struct launcher_job *job,
			  bool is_in_place)
{
	int error = job->key[0] ? job_file_publish(run->file, job) : 0;

	if (error)
		run_directory_leave_job(run, job, strerror(error));
	if (job->key[0])
		job_file_start(run->file, job, is_in_place);
}

int run_directory_find_refusal(const struct run_directory *run)
{
	struct stat status;

	if (fstat(run->file, &status) == 0 && status.st_nlink == 0)
		return ENOENT; /* it has been removed */
	int file = openat(run->file, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	if (file < 0) /* otherwise the file system has no unnamed files */
		return errno == EOPNOTSUPP || errno == EISDIR ? 0 : errno;
	int error = posix_fallocate(file, 0, FORMAT_LEAST_BYTES);
	close(file);
	return error;
}

void run_directory_discard(struct run_directory *run, const struct launcher_job *job)
{
	bool is_ours = run->is_new || run->is_of_job;

	if (job->key[0])
		job_file_end(run->file, job);
	is_ours &= !job->key[0] || job_file_is_over(run->file, job);
	if (is_ours)
		unlinkat(run->file, "run.json", 0);
	if (is_ours && job->key[0])
		job_file_discard(run->file, job);
	close(run->file);
	run->file = -1;
	if (is_ours)
		rmdir(run->path); /* succeeds only if it is still empty, as wanted */
}

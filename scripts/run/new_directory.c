/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "new_directory.h"

#include "common/message.h"
#include "job_file.h"
#include "open_path.h"
#include "preload/file/format.h"
#include "preload_environment.h"
#include "run_agree.h"
#include "run_claim.h"
#include "run_content.h"
#include "write_problem.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

enum { NUMBER_MAX = 1000000, AMPLE_BYTES = 16 << 20 };

static char held_lock[64]; /* of run_agree, while we make the job's directory */

static void unlock(void)
{
	if (*held_lock)
		run_agree_unlock(held_lock);
	*held_lock = '\0';
}

/* The profiles of two starts in one directory would read as those of one. */
static _Noreturn void refuse_taken(const char *path)
{
	message_fail(STATUS_CANNOT_PROFILE,
		     "'%s' has the run of another start, and two are not mixed: remove it, choose "
		     "another with -o DIR, or make one run of them with ptrace-run --add",
		     path);
}

static _Noreturn void refuse(const char *path, const char *reason)
{
	unlock();
	message_fail(STATUS_CANNOT_PROFILE,
		     "cannot use '%s' as run directory: %s; choose another with -o DIR", path,
		     reason);
}

static _Noreturn void refuse_error(const char *path, int error)
{
	char why[200];

	unlock();
	write_problem_text(path, error, why, sizeof why);
	message_fail(STATUS_CANNOT_PROFILE, "cannot use '%s' as run directory: %s", path, why);
}

static void judge_content(const char *path, enum run_content content, int error)
{
	switch (content) {
	case RUN_CONTENT_NONE:
		return;
	case RUN_CONTENT_RUN:
		refuse_taken(path);
	case RUN_CONTENT_FOREIGN:
		refuse(path, "it is neither empty nor a run of this tool");
	case RUN_CONTENT_UNKNOWN:
		refuse_error(path, error);
	}
}

static void check_owner(int directory, const char *path)
{
	struct stat status;

	if (fstat(directory, &status) < 0 || status.st_uid != geteuid())
		refuse(path, "it belongs to another user");
}

static void open_at(struct run_directory *run, const char *path)
{
	run->file = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (run->file < 0 && (errno == ELOOP || errno == ENOTDIR))
		refuse(path, "it is a symbolic link or no directory");
	if (run->file < 0)
		refuse_error(path, errno);
	if (!open_path_read(run->file, path, run->path, sizeof run->path))
		refuse_error(path, errno);
}

/* The profiled program must be able to create its profile; root always may, so this asks the
 * kernel. */
static void check_writable(const struct run_directory *run, const char *path)
{
	if (faccessat(run->file, ".", W_OK | X_OK, AT_EACCESS) < 0)
		refuse_error(path, errno);
}

/* Makes the directory the run's, unless it is that of an outer ptrace-run. What is in it is looked
 * at before the claim is: what another rank of this job has put there, it has put behind its claim.
 */
static void claim(struct run_directory *run, const char *path, const struct launcher_job *job,
		  pid_t process)
{
	char start[RUN_CLAIM_SIZE];
	int error = 0;

	if (preload_environment_is_inner(run->path))
		return;
	if (!run->is_new)
		check_owner(run->file, path);
	enum run_content content = run->is_new ? RUN_CONTENT_NONE : run_content_find(run->file);
	int content_error = errno;
	run_claim_name_start(start, job, process);
	if (run->is_added && content == RUN_CONTENT_RUN)
		return;
	enum run_claim found = run->is_new ? RUN_CLAIM_NONE : run_claim_find(run->file, start);
	if (found == RUN_CLAIM_NONE) {
		judge_content(path, content, content_error);
		found = run_claim_take(run->file, start, &error);
		run->is_claimed = found == RUN_CLAIM_OURS;
	}
	if (found == RUN_CLAIM_OTHER && !run->is_added) /* several may begin at once */
		refuse_taken(path);
	/* without space for it there is none for a profile: that is said later */
	if (error && error != ENOSPC && error != EDQUOT)
		refuse_error(path, error);
}

static void open_named(struct run_directory *run, const char *output,
		       const struct launcher_job *job, pid_t process)
{
	char path[PATH_MAX];
	size_t length = strlen(output);

	if (length >= sizeof path)
		refuse_error(output, ENAMETOOLONG);
	strcpy(path, output);
	while (length > 1 && path[length - 1] == '/')
		path[--length] =
			'\0'; /* O_NOFOLLOW looks at the last component only without these */

	run->is_new = mkdir(path, 0700) == 0;
	if (!run->is_new && errno != EEXIST)
		refuse_error(path, errno);
	open_at(run, path);
	run->is_named = true;
	claim(run, path, job, process);
	if (run->is_added) /* what its processors did is known of one start only */
		unlinkat(run->file, "processors.json", 0);
	if (!run->is_claimed) /* with a file in it */
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
			refuse_error(path, errno);
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

void run_directory_open(struct run_directory *run, const char *output, bool is_added,
			const char *name, struct launcher_job *job, pid_t process)
{
	*run = (struct run_directory){.file = -1, .is_added = is_added};
	if (output)
		open_named(run, output, job, process);
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

	if (error == EEXIST && run->is_named)
		refuse_taken(run->path);
	if (error)
		run_directory_leave_job(run, job, strerror(error));
	if (job->key[0])
		job_file_start(run->file, job, is_in_place);
}

static bool has_ample_space(int directory)
{
	struct statvfs space;

	return fstatvfs(directory, &space) == 0 && space.f_favail != 0 &&
	       space.f_bavail * space.f_frsize > AMPLE_BYTES;
}

int run_directory_find_refusal(const struct run_directory *run)
{
	struct stat status;

	if (fstat(run->file, &status) == 0 && status.st_nlink == 0)
		return ENOENT; /* it has been removed */
	/* where a file was just made, space is the question */
	if ((run->is_new || run->is_claimed) && has_ample_space(run->file))
		return 0;
	int file = openat(run->file, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	if (file < 0) /* otherwise the file system has no unnamed files */
		return errno == EOPNOTSUPP || errno == EISDIR ? 0 : errno;
	int error = posix_fallocate(file, 0, FORMAT_LEAST_BYTES);
	close(file);
	return error;
}

void run_directory_discard(struct run_directory *run, const struct launcher_job *job)
{
	bool is_made = run->is_new || run->is_of_job, is_ours = is_made || run->is_claimed;

	if (job->key[0])
		job_file_end(run->file, job);
	is_ours &= !job->key[0] || job_file_is_over(run->file, job);
	if (is_ours)
		unlinkat(run->file, "run.json", 0);
	if (is_ours && job->key[0])
		job_file_discard(run->file, job);
	/* what remains is still of this start */
	if (is_ours && run_content_find(run->file) == RUN_CONTENT_NONE)
		run_claim_give_back(run->file);
	close(run->file);
	run->file = -1;
	if (is_ours && is_made)
		rmdir(run->path); /* succeeds only if it is still empty, as wanted */
}

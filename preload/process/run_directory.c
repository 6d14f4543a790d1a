/* SPDX-License-Identifier: MIT */
#include "preload/process/run_directory.h"

#include "preload/base/system.h"
#include "preload/base/text.h"
#include "preload/process/module_map.h"
#include "preload/process/job.h"
#include "preload/process/settings.h"

#include <errno.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_RUNS = 10000 };

static char directory[PATH_MAX];

static bool add_working_directory(struct text *path)
{
	if (!system_working_directory(path->bytes, path->capacity))
		return false;
	path->length = strlen(path->bytes);
	return text_add(path, "/");
}

/* Most often it is there already. */
static bool make_shared(struct stat *status)
{
	if (!system_status_of(directory, status, AT_SYMLINK_NOFOLLOW))
		return S_ISDIR(status->st_mode);
	if (system_make_directory(directory, 0700) && errno != EEXIST)
		return false;
	return !system_status_of(directory, status, AT_SYMLINK_NOFOLLOW) &&
	       S_ISDIR(status->st_mode);
}

static bool use_given(void)
{
	struct text path = TEXT(directory);
	struct stat status;

	if (settings.output[0] != '/' && !add_working_directory(&path))
		return false;
	return text_add(&path, settings.output) && make_shared(&status);
}

/* job.ptrace.N, where N is a hash of the launcher's name for the job. Without a program's name:
 * ranks may run several programs and start others, which belong to the job as well. */
static bool make_for_job(uint64_t job)
{
	struct text path = TEXT(directory);
	struct stat status;

	if (!add_working_directory(&path) || !text_add(&path, "job.ptrace.") ||
	    !text_add_number(&path, job))
		return false;
	return make_shared(&status) && status.st_uid == (uid_t)kernel_call(SYS_geteuid);
}

static bool make_default(void)
{
	struct text path = TEXT(directory);
	const char *program = strrchr(module_map_program(), '/');

	if (!add_working_directory(&path) || !text_add(&path, program ? program + 1 : "program") ||
	    !text_add(&path, ".ptrace."))
		return false;
	size_t stem = path.length;
	for (unsigned n = 1; n < MOST_RUNS; n++) {
		path.length = stem;
		if (!text_add_number(&path, n))
			return false;
		if (!system_make_directory(directory, 0700))
			return true;
		if (errno != EEXIST)
			return false;
	}
	return false;
}

static bool make(void)
{
	if (settings.output)
		return use_given();
	uint64_t job = job_number();
	return job ? make_for_job(job) : make_default();
}

const char *run_directory(void)
{
	int saved = errno;

	if (!directory[0] && !make())
		directory[0] = '\0';
	errno = saved;
	return directory[0] ? directory : NULL;
}

void run_directory_forget(void)
{
	directory[0] = '\0';
}

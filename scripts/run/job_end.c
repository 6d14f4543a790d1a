/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "job_end.h"

#include "common/message.h"
#include "job_file.h"

#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

void job_end_mark(const struct run_directory *run, const struct launcher_job *job)
{
	if (job->key[0])
		job_file_end(run->file, job);
}

void job_end_announce(const struct run_directory *run, const struct launcher_job *job,
		      const char *program)
{
	if (!job->key[0])
		message_say("the profile of %s will be in %s", program, run->path);
	else if (job_file_is_first_in_place(run->file, job))
		message_say("the profiles of this job's ranks will be in %s", run->path);
}

static bool ends_job(const struct launcher_job *job, int status)
{
	return WIFSIGNALED(status) || (job->ends_on_status && WEXITSTATUS(status) != 0);
}

static void say_bad_end(const struct run_directory *run, const struct launcher_job *job, int status)
{
	const char *name = WIFSIGNALED(status) ? sigabbrev_np(WTERMSIG(status)) : NULL;
	char how[60];

	if (name)
		snprintf(how, sizeof how, "was killed by SIG%s", name);
	else if (WIFSIGNALED(status))
		snprintf(how, sizeof how, "was killed by signal %d", WTERMSIG(status));
	else
		snprintf(how, sizeof how, "ended with status %d", WEXITSTATUS(status));
	message_say("rank %d of %d %s while others ran, profile in %s", job->rank, job->ranks, how,
		    run->path);
}

bool job_end_is_speaker(const struct run_directory *run, const struct launcher_job *job, int status)
{
	int profiled;

	if (!job->key[0])
		return true;
	if (job_file_is_last(run->file, job, &profiled)) {
		if (profiled < job->ranks)
			message_say("%d of %d ranks have run under ptrace-run", profiled,
				    job->ranks);
		return true;
	}
	if (ends_job(job, status) && job_file_is_first_to_fail(run->file, job))
		say_bad_end(run, job, status);
	return false;
}

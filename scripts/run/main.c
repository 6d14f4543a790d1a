/* SPDX-License-Identifier: MIT */
/* ptrace-run: runs a program under the profiler. The whole of it, in order, is main(). */
#include "job_end.h"
#include "launcher.h"
#include "message.h"
#include "options.h"
#include "preload_environment.h"
#include "profile_end.h"
#include "program_check.h"
#include "report_end.h"
#include "run_directory.h"
#include "supervise.h"
#include "switches_warm.h"

#include <errno.h>
#include <string.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

static _Noreturn void fail_to_execute(const struct program *program, int error)
{
	if (error == ENOENT && *program->path && access(program->path, F_OK) == 0)
		message_fail(STATUS_CANNOT_EXECUTE,
			     "cannot execute %s: its interpreter does not exist", program->name);
	if (error == ENOENT || error == ENOTDIR)
		message_fail(STATUS_NOT_FOUND, "%s: not found", program->name);
	message_fail(STATUS_CANNOT_EXECUTE, "cannot execute %s: %s", program->name,
		     strerror(error));
}

static _Noreturn void run_unprofiled(const struct program *program, char **command)
{
	execv(program->path, command);
	fail_to_execute(program, errno);
}

/* Returns if the program can be profiled. */
static void judge_program(const struct program *program, const struct options *options)
{
	bool is_script = strcmp(program->file, program->path) != 0;
	const char *who = is_script ? program->file : program->name;

	if (!program->obstacle[0])
		return;
	if (!options->is_forced)
		message_fail(STATUS_CANNOT_PROFILE, "%s%s%s %s, or run it unprofiled with --force",
			     is_script ? program->name : "", is_script ? ": its interpreter " : "",
			     who, program->obstacle);
	message_say("%s %s; running it unprofiled", who, program->obstacle);
	run_unprofiled(program, options->command);
}

static uint64_t nanoseconds(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* The dynamic linker goes on without a library that it cannot load: somebody has to notice. */
static void warn_unprofiled(const struct program *program, const struct run_directory *run)
{
	struct statvfs space;
	bool is_full = fstatvfs(run->file, &space) == 0 && space.f_bavail == 0;

	if (is_full)
		message_say("%s ran without the profiler: no space is left in %s", program->name,
			    run->path);
	else
		message_say(
			"%s ran without the profiler: its environment was cleared, or its dynamic linker "
			"did not come to load %s",
			program->name, preload_environment_library());
}

static int run_program(const struct program *program, const struct options *options,
		       struct run_directory *run, const struct launcher_job *job, bool is_inner)
{
	uint64_t start_ns = nanoseconds(CLOCK_MONOTONIC);
	struct timespec start;
	pid_t child;

	clock_gettime(CLOCK_REALTIME, &start);
	int error = supervise_start(program->path, options->command, &child);
	if (error) {
		run_directory_discard(run, job);
		fail_to_execute(program, error);
	}
	if (!is_inner)
		run_directory_describe(run, job, options->command, child, &start);
	int status = supervise_wait(child, job->herald,
				    options->without_switches ? NULL : switches_warm);
	if (!profile_end_record(run->file, child, start_ns, status))
		warn_unprofiled(program, run);
	return status;
}

int main(int argc, char **argv)
{
	struct options options;
	struct program program;
	struct launcher_job job;
	struct run_directory run;

	options_read(argc, argv, &options);
	int error = program_find(&program, options.command[0]);
	if (error)
		fail_to_execute(&program, error);
	program_check(&program);
	judge_program(&program, &options);

	launcher_find(&job);
	run_directory_open(&run, options.output, program.name, &job);
	/* Below an outer ptrace-run of this run, which describes it and speaks for all. */
	bool is_inner = preload_environment_is_inner(run.path);
	if (is_inner)
		job.key[0] = '\0';
	preload_environment_set(&options, &program, run.path);
	run_directory_enroll(&run, &job);
	int status = run_program(&program, &options, &run, &job, is_inner);
	preload_environment_restore();
	job_end_mark(&run, &job);
	if (!is_inner && !options.is_quiet && job_end_is_speaker(&run, &job, status))
		report_end_print(run.path, options.is_report_wanted, supervise_caller_mask());
	supervise_end_as(status);
}

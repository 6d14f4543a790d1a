/* SPDX-License-Identifier: MIT */
/* ptrace-run: runs a program under the profiler. main() has all steps in order. */
#include "caller_state.h"
#include "common/message.h"
#include "common/real_clock.h"
#include "event_settings.h"
#include "events_print.h"
#include "exec_kept.h"
#include "hang_watch.h"
#include "job_end.h"
#include "launcher.h"
#include "options.h"
#include "own_process.h"
#include "perf_events.h"
#include "preload/file/format.h"
#include "preload_environment.h"
#include "processors_file.h"
#include "program_end.h"
#include "program_check.h"
#include "program_copy.h"
#include "report_end.h"
#include "routine_check.h"
#include "new_directory.h"
#include "sample_rate.h"
#include "supervise.h"
#include "write_problem.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* A name without a slash is looked for in PATH alone, in which the working directory rarely is. */
static _Noreturn void fail_to_find(const struct program *program)
{
	struct stat status;
	bool is_here = *program->name && !strchr(program->name, '/') &&
		       stat(program->name, &status) == 0 && S_ISREG(status.st_mode);

	if (is_here)
		message_fail(STATUS_NOT_FOUND,
			     "%s: not found in PATH; the one in this directory is ./%s%s",
			     program->name, program->name,
			     access(program->name, X_OK) < 0 ? " (and not executable)" : "");
	message_fail(STATUS_NOT_FOUND, "%s: not found", program->name);
}

static _Noreturn void fail_to_execute(const struct program *program, int error)
{
	if (error == ENOENT && *program->path && access(program->path, F_OK) == 0)
		message_fail(STATUS_CANNOT_EXECUTE,
			     "cannot execute %s: its interpreter does not exist", program->name);
	if (error == ENOENT || error == ENOTDIR)
		fail_to_find(program);
	message_fail(STATUS_CANNOT_EXECUTE, "cannot execute %s: %s", program->name,
		     strerror(error));
}

static _Noreturn void run_unprofiled(const struct program *program, char **command)
{
	caller_state_give_back();
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

/* Limits below which the profiler would end the program: writing more than the limit allows raises
 * SIGXFSZ, and without addresses or memory for a library the dynamic linker gives up. */
static const struct {
	__rlimit_resource_t resource;
	unsigned least;
	const char *what;
} limits[] = {
	{RLIMIT_FSIZE, FORMAT_LEAST_BYTES, "files of %llu bytes at most (ulimit -f)"},
	{RLIMIT_AS, 16u << 20, "%llu bytes of addresses at most (ulimit -v)"},
	{RLIMIT_DATA, 2u << 20, "%llu bytes of data at most (ulimit -d)"},
};

/* Returns if there is room for a profile. */
static void judge_limits(const struct program *program, const struct options *options)
{
	struct rlimit limit;
	char what[100];

	for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
		if (getrlimit(limits[i].resource, &limit) < 0 || limit.rlim_cur >= limits[i].least)
			continue;
		snprintf(what, sizeof what, limits[i].what, (unsigned long long)limit.rlim_cur);
		message_say("cannot write a profile: %s may have %s, a profile needs %u; running "
			    "it unprofiled",
			    program->name, what, limits[i].least);
		run_unprofiled(program, options->command);
	}
}

static void warn_refused(const struct program *program, const char *verb,
			 const struct run_directory *run, int error)
{
	char why[200];

	write_problem_text(run->path, error, why, sizeof why);
	message_say("%s %s without the profiler: cannot write to %s: %s", program->name, verb,
		    run->path, why);
}

/* The dynamic linker continues without a library that it cannot load: this must be noticed. */
static void warn_unprofiled(const struct program *program, const struct run_directory *run)
{
	int error = run_directory_find_refusal(run);

	if (error)
		warn_refused(program, "ran", run, error);
	else
		message_say(
			"%s ran without the profiler: its environment was cleared, or its dynamic linker "
			"did not come to load %s",
			program->name, preload_environment_library());
}

/* No ptrace-run is left to say anything at the end. */
static _Noreturn void take_place(const struct program *program, const struct options *options,
				 struct run_directory *run, const struct launcher_job *job)
{
	struct timespec start;

	real_clock_read(CLOCK_REALTIME, &start);
	run_directory_describe(run, job, options->command, own_process_number(), &start);
	program_copy_make(run, program->file);
	int error = supervise_take_place(program->path, options->command);
	program_copy_remove(run, program->file);
	run_directory_discard(run, job);
	fail_to_execute(program, error);
}

/* What would be said at the end is said in one line now. */
static _Noreturn void run_in_place(const struct program *program, const struct options *options,
				   struct run_directory *run, const struct launcher_job *job,
				   bool is_inner)
{
	if (options->hang_seconds)
		message_say(
			"--hang-timeout: no ptrace-run is left to look; ptrace-report --section "
			"stuck %s tells at any time",
			run->path);
	if (is_inner) {
		int error = supervise_take_place(program->path, options->command);
		fail_to_execute(program, error);
	}
	int error = run_directory_find_refusal(run);
	if (error)
		warn_refused(program, "runs", run, error);
	else if (!options->is_quiet)
		job_end_announce(run, job, program->name);
	take_place(program, options, run, job);
}

/* With a report a process is needed at the end, whatever the program loses. */
static bool is_exec_needed(const struct options *options, const struct program *program)
{
	const char *kept = exec_kept_find();

	if (kept && options->is_report_wanted && !options->is_quiet)
		message_say(
			"--report: as a child of ptrace-run %s will not have %s; with --exec it has",
			program->name, kept);
	return kept && !options->is_report_wanted;
}

/* The parent of a rank should be its launcher: a launcher that looks for failed ranks finds the one
 * that failed first, and not whichever ptrace-run ended first. The first process of a container
 * (pid 1) has other default actions of signals than its child, and inherits orphans; a user at a
 * terminal should get the final line all the same. */
static bool is_in_place_wanted(const struct options *options, const struct program *program,
			       const struct launcher_job *job)
{
	bool is_below_launcher = job->key[0] || job->is_direct;
	bool is_container = own_process_number() == 1 && !isatty(STDERR_FILENO);

	return options->is_in_place ||
	       (!options->is_report_wanted && (is_below_launcher || is_container)) ||
	       is_exec_needed(options, program);
}

/* *is_profiled: there is something to report. */
static int run_program(const struct program *program, const struct options *options,
		       struct run_directory *run, const struct launcher_job *job, bool is_inner,
		       bool *is_profiled)
{
	bool is_warmed = !options->without_switches && !perf_events_kill();
	uint64_t start_ns = real_clock_ns(CLOCK_MONOTONIC);
	struct timespec start;
	pid_t child;

	int refusal = run_directory_find_refusal(run);
	if (refusal)
		warn_refused(program, "runs", run, refusal);
	processors_used_begin();
	real_clock_read(CLOCK_REALTIME, &start);
	int error = supervise_start(program->path, options->command, &child);
	if (error && child < 0) {
		/* the limit of processes is reached: this one makes room */
		message_say("no further process may be started (ulimit -u): %s takes the place of "
			    "ptrace-run, its profile will be in %s",
			    program->name, run->path);
		take_place(program, options, run, job);
	}
	if (error) {
		run_directory_discard(run, job);
		fail_to_execute(program, error);
	}
	if (!is_inner && !refusal)
		error = run_directory_describe(run, job, options->command, child, &start);
	if (!refusal)
		program_copy_make(run, program->file);
	preload_environment_restore(); /* for what is started from here on */
	hang_watch_begin(run->path, is_inner ? 0 : options->hang_seconds, supervise_caller_mask());
	int status = supervise_wait(child, job->herald, is_warmed ? perf_events_warm : NULL);
	*is_profiled = profile_end_record(run->file, child, start_ns, status);
	/* each rank of a job would tell of its own processors and its own time, as each of several
	 * starts would */
	if (*is_profiled && !is_inner && !job->key[0] && !run->is_added)
		processors_used_end(run->file);
	if (!*is_profiled && !error && !refusal)
		warn_unprofiled(program, run);
	return status;
}

int main(int argc, char **argv)
{
	struct options options;
	struct program program;
	struct launcher_job job;
	struct run_directory run;
	bool is_profiled;

	message_speak_as("ptrace-run");
	caller_state_keep();
	options_read(argc, argv, &options);
	if (options.is_event_list_wanted) {
		events_print(options.event_pattern);
		return 0;
	}
	counters_prepare(options.events);
	int error = program_find(&program, options.command[0]);
	if (error)
		fail_to_execute(&program, error);
	program_check(&program);
	if (program.error)
		fail_to_execute(&program, program.error);
	judge_program(&program, &options);
	judge_limits(&program, &options);

	launcher_find(&job);
	options.is_added &= !job.key[0]; /* ranks are one run already, and jobs are not mixed */
	bool is_in_place = is_in_place_wanted(&options, &program, &job);
	run_directory_open(&run, options.output, options.is_added, program.name, &job,
			   own_process_number());
	/* Below an outer ptrace-run of this run, which describes it and reports on it. */
	bool is_inner = preload_environment_is_inner(run.path);
	if (is_inner)
		job.key[0] = '\0';
	/* one that gave its place to the program reports on nobody */
	bool is_spoken_for =
		is_inner && !(preload_environment_is_outer_gone() && options.is_report_wanted);
	if (!options.is_quiet && !is_inner && (!job.key[0] || job.rank == 0))
		sample_rate_tell(options.sample);
	if (options.section_routines && !is_inner)
		routine_check(&program, options.section_routines);
	preload_environment_set(&options, &program, run.path, is_in_place);
	run_directory_enroll(&run, &job, is_in_place);
	if (is_in_place)
		run_in_place(&program, &options, &run, &job, is_inner);
	int status = run_program(&program, &options, &run, &job, is_inner, &is_profiled);
	preload_environment_restore();
	job_end_mark(&run, &job);
	bool is_quiet = options.is_quiet || (!is_profiled && !job.key[0]);
	if (!is_spoken_for && !is_quiet && job_end_is_speaker(&run, &job, status))
		report_end_print(run.path, options.is_report_wanted, supervise_caller_mask());
	supervise_end_as(status);
}

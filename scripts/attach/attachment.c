/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "attachment.h"

#include "agent_call.h"
#include "attach_options.h"
#include "common/message.h"
#include "common/real_clock.h"
#include "proc_text.h"
#include "scripts/run/event_settings.h"
#include "scripts/run/launcher.h"
#include "scripts/run/new_directory.h"
#include "scripts/run/sample_rate.h"
#include "tracee.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* ---- what the library is told: PTRACE_* variables, as NAME=VALUE texts, each ended by 0, and one
 * more 0 */

/* Of ptrace-run and of the run that ptrace-attach may itself be part of: not of this one. */
static const char *const kept_back[] = {"PTRACE_LIBRARY", "PTRACE_REPORT", "PTRACE_QUIET",
					"PTRACE_FORCE", "PTRACE_EXEC", "PTRACE_JOB",
					"PTRACE_IN_PLACE", "PTRACE_EVENT_PATH",
					/* threads that exist cannot open them */
					"PTRACE_EVENTS", "PTRACE_METRICS"};

static bool is_passed(const char *variable)
{
	size_t length = strcspn(variable, "=");

	if (strncmp(variable, "PTRACE_", 7) != 0)
		return false;
	for (size_t i = 0; i < sizeof kept_back / sizeof kept_back[0]; i++)
		if (strlen(kept_back[i]) == length && strncmp(variable, kept_back[i], length) == 0)
			return false;
	return true;
}

/* From the options, and from variables that are set for ptrace-attach. Returns the bytes; ends the
 * program with a message and status 125 if size does not do. */
static size_t settings_make(const struct attach_options *options, const char *directory, char *text,
			    size_t size)
{
	size_t end = 0;

	setenv("PTRACE_OUTPUT", directory, 1);
	if (options->sample)
		setenv("PTRACE_SAMPLE", options->sample, 1);
	for (size_t i = 0; i < sizeof options->left_out / sizeof options->left_out[0]; i++)
		if (options->left_out[i])
			setenv(options->left_out[i], "0", 1);
	for (char **variable = environ; *variable; variable++) {
		size_t length = strlen(*variable) + 1;

		if (!is_passed(*variable))
			continue;
		if (end + length + 1 > size)
			message_fail(STATUS_CANNOT_PROFILE, "the PTRACE_* variables are too long");
		memcpy(text + end, *variable, length);
		end += length;
	}
	text[end++] = '\0';
	return end;
}

/* ---- the run */

enum { SETTINGS_MAX = 24 << 10, COMMAND_MAX = 16 << 10, WORDS_MAX = 1000 };

static struct run_directory run;

/* Of run.json: the command line and the working directory of the process that the user named. */
static void describe(pid_t process)
{
	static const struct launcher_job no_job;
	char text[COMMAND_MAX], directory[40], *words[WORDS_MAX + 1] = {NULL};
	struct timespec start;
	int count = 0;
	long length = proc_text_read(process, "cmdline", text, sizeof text);

	for (long at = 0; at < length && count < WORDS_MAX; at += (long)strlen(text + at) + 1)
		words[count++] = text + at;
	real_clock_read(CLOCK_REALTIME, &start);
	/* it is that of this process from now on: all paths are absolute */
	snprintf(directory, sizeof directory, "/proc/%ld/cwd", (long)process);
	int error = chdir(directory) < 0 ? errno : 0;
	if (error && proc_text_has_memory(process)) /* of one that has ended more is said later */
		message_say("the run has the working directory of ptrace-attach: %s: %s", directory,
			    strerror(error));
	run_directory_describe(&run, &no_job, words, process, &start);
}

/* The process makes the profile. If root attaches to that of another user, the new directory is
 * theirs. */
static void open_directory(const struct target *target, const struct attach_options *options)
{
	struct launcher_job no_job = {.key = ""};

	run_directory_open(&run, options->output, false, target->name, &no_job, options->process);
	if (run.is_new && target->user != geteuid() &&
	    fchown(run.file, target->user, target->group) < 0)
		message_say("cannot give %s to user %u: %s", run.path, target->user,
			    strerror(errno));
}

static void discard(void)
{
	static const struct launcher_job no_job;

	run_directory_discard(&run, &no_job);
}

static bool begin_one(const struct target *target, const char *library, const char *settings,
		      size_t size, const struct attach_options *options)
{
	if (target->is_filtered && !options->is_quiet)
		message_say("process %ld (%s) filters its system calls (seccomp): one of the "
			    "profiler's may be refused, or end it",
			    (long)target->process, target->name);
	if (!target_sees(target->process, run.path)) {
		if (!proc_text_has_memory(target->process))
			message_say("process %ld (%s) has ended, or is about to end",
				    (long)target->process, target->name);
		else
			message_say(
				"process %ld (%s) does not see the run directory %s (a container?): "
				"choose one with -o DIR that both see",
				(long)target->process, target->name, run.path);
		return false;
	}
	return agent_call_begin(target, library, settings, size, options);
}

int attachment_begin(struct target *targets, int count, const struct attach_options *options,
		     const char *library)
{
	static char settings[SETTINGS_MAX];
	int left = 0;

	open_directory(&targets[0], options);
	describe(options->process);
	if (!options->is_quiet)
		sample_rate_tell(options->sample);
	size_t size = settings_make(options, run.path, settings, sizeof settings);
	for (int i = 0; i < count; i++)
		if (begin_one(&targets[i], library, settings, size, options))
			targets[left++] = targets[i];
	if (!left)
		discard();
	return left;
}

static bool is_any_alive(const struct target *targets, int count)
{
	for (int i = 0; i < count; i++)
		if (kill(targets[i].process, 0) == 0 || errno != ESRCH)
			return true;
	return false;
}

void attachment_wait(const struct target *targets, int count, uint64_t duration_ns)
{
	const struct timespec slice = {.tv_nsec = 20000000};
	uint64_t until = tracee_now() + duration_ns;
	sigset_t end;

	sigemptyset(&end);
	sigaddset(&end, SIGINT);
	sigaddset(&end, SIGTERM);
	sigaddset(&end, SIGHUP);
	while (is_any_alive(targets, count)) {
		uint64_t now = tracee_now();
		struct timespec rest = slice;

		tracee_free_late();
		if (now >= until)
			return;
		if (until - now < (uint64_t)slice.tv_nsec)
			rest.tv_nsec = (long)(until - now);
		if (sigtimedwait(&end, NULL, &rest) > 0)
			return;
	}
	message_say("%s ended before the time was over",
		    count == 1 ? "the process" : "all processes");
}

int attachment_end(struct target *targets, int count, const struct attach_options *options)
{
	int done = 0;

	for (int i = 0; i < count; i++) {
		bool is_over = kill(targets[i].process, 0) < 0 && errno == ESRCH;

		done += is_over || agent_call_end(&targets[i], options);
	}
	return done;
}

void attachment_tell(void)
{
	message_say("the run is in %s: ptrace-report %s", run.path, run.path);
}

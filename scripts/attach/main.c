/* SPDX-License-Identifier: MIT */
/* ptrace-attach: profiles a process that runs already. main() has all steps in order. */
#define _GNU_SOURCE
#include "attach_options.h"
#include "attachment.h"
#include "call_filter.h"
#include "common/message.h"
#include "descendants.h"
#include "object.h"
#include "scripts/run/caller_state.h"
#include "scripts/run/event_settings.h"
#include "scripts/run/library_path.h"
#include "target.h"

#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Nothing ends ptrace-attach while a thread of the process is not as it was. It comes first, where
 * that is allowed, as the thread stands still for as long as ptrace-attach waits for a processor.
 */
static void become_careful(void)
{
	sigset_t all;

	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	sched_setscheduler(0, SCHED_RR, &(struct sched_param){.sched_priority = 1});
}

/* Loading one that cannot be told to begin would be of no use, and cannot be undone. */
static void check_library(const char *library)
{
	struct object object = {.path = ""};

	strcpy(object.path, library);
	if (!object_value(getpid(), &object, "ptrace_attach_begin"))
		message_fail(STATUS_CANNOT_PROFILE,
			     "%s cannot be loaded into a running process (it has no "
			     "ptrace_attach_begin); PTRACE_LIBRARY=FILE names another",
			     library);
}

static bool is_fit(const struct attach_options *options, struct target *target, pid_t process,
		   const char *library)
{
	target_check(target, process, library);
	if (!target->obstacle[0] && target->is_filtered && !options->is_forced &&
	    !options->is_detaching)
		strcpy(target->obstacle, call_filter_obstacle);
	if (!target->obstacle[0])
		return true;
	message_say("process %ld%s%s%s %s", (long)process, target->name[0] ? " (" : "",
		    target->name, target->name[0] ? ")" : "", target->obstacle);
	return false;
}

/* Those that can be attached to, or detached from. Ends the program if there are none. */
static int find_targets(const struct attach_options *options, const char *library,
			struct target **targets)
{
	pid_t *list = calloc(DESCENDANTS_MAX, sizeof *list);
	int count = 1, fit = 0;

	if (!list)
		message_fail(STATUS_CANNOT_PROFILE, "out of memory");
	list[0] = options->process;
	if (options->is_job)
		count = descendants_find(options->process, list);
	*targets = calloc((size_t)count + 1, sizeof **targets);
	if (!*targets)
		message_fail(STATUS_CANNOT_PROFILE, "out of memory");
	for (int i = 0; i < count; i++)
		fit += is_fit(options, &(*targets)[fit], list[i], library);
	free(list);
	if (fit)
		return fit;
	if (options->is_job)
		message_fail(STATUS_CANNOT_PROFILE,
			     "there is no process to be profiled below process %ld",
			     (long)options->process);
	exit((*targets)[0].is_gone ? STATUS_NOT_FOUND : STATUS_CANNOT_PROFILE);
}

int main(int argc, char **argv)
{
	struct attach_options options;
	struct target *targets;
	char library[PATH_MAX];
	int done;

	message_speak_as("ptrace-attach");
	caller_state_keep();
	attach_options_read(argc, argv, &options);
	if (options.is_detaching) {
		int count = find_targets(&options, NULL, &targets);
		become_careful();
		done = attachment_end(targets, count, &options);
		return done ? 0 : STATUS_CANNOT_PROFILE;
	}
	library_path_find(library, sizeof library);
	check_library(library);
	int count = find_targets(&options, library, &targets);
	become_careful();
	count = attachment_begin(targets, count, &options, library);
	if (!count)
		return STATUS_CANNOT_PROFILE;
	done = count;
	if (options.duration_ns) {
		attachment_wait(targets, count, options.duration_ns);
		done = attachment_end(targets, count, &options);
	}
	if (!options.is_quiet)
		attachment_tell();
	return done ? 0 : STATUS_CANNOT_PROFILE;
}

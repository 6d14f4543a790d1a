/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "report_end.h"

#include "common/message.h"
#include "own_process.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int start_report(char **arguments, const sigset_t *mask, pid_t *report)
{
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;

	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setsigmask(&attributes, mask);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
	int error = posix_spawn(report, arguments[0], &actions, &attributes, arguments, environ);
	posix_spawnattr_destroy(&attributes);
	posix_spawn_file_actions_destroy(&actions);
	return error;
}

void report_end_print(const char *directory, bool is_whole_report, const sigset_t *mask)
{
	char program[PATH_MAX];
	char *whole[] = {program, "--", (char *)directory, NULL};
	char *summary[] = {program, "--summary", "--", (char *)directory, NULL};
	pid_t report;

	own_process_beside(program, sizeof program, "ptrace-report");
	int error = start_report(is_whole_report ? whole : summary, mask, &report);
	if (error) {
		message_say("the run is in %s (no report: %s: %s)", directory, program,
			    strerror(error));
		return;
	}
	while (waitpid(report, NULL, 0) < 0 && errno == EINTR)
		continue;
}

pid_t report_end_start_stuck(const char *directory, const sigset_t *mask)
{
	char program[PATH_MAX];
	char *arguments[] = {program, "--if-stuck",      "--section", "stuck",
			     "--",    (char *)directory, NULL};
	pid_t report;

	own_process_beside(program, sizeof program, "ptrace-report");
	return start_report(arguments, mask, &report) ? 0 : report;
}

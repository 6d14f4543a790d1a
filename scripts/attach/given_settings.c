/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "given_settings.h"

#include "scripts/run/event_settings.h"
#include "common/message.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

size_t settings_make(const struct attach_options *options, const char *directory, char *text,
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

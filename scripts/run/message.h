/* SPDX-License-Identifier: MIT */
/* One line on standard error, beginning with the program's name, written at once so that lines of
 * several ranks do not mix.
 *
 * Context: ptrace-run and ptrace-attach themselves, never the profiled program. */
#pragma once

#include <stddef.h>

/* The tool's own exit statuses; every other status is the program's. */
enum message_status {
	STATUS_USAGE = 2,
	STATUS_CANNOT_PROFILE = 125,
	STATUS_CANNOT_EXECUTE = 126,
	STATUS_NOT_FOUND = 127,
};

/* Lines begin with this name; without it, with that of ptrace-run. */
void message_speak_as(const char *name);

void message_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Prints the line and ends ptrace-run with that status. */
_Noreturn void message_fail(enum message_status status, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Appends one character of a message; returns the new end. Messages repeat what users typed: a
 * control character, which would move what a terminal shows or begin a line of its own, is shown
 * as \xNN. */
size_t message_append(char *text, size_t end, size_t room, unsigned char character);

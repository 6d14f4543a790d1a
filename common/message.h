/* SPDX-License-Identifier: MIT */
/* One line on standard error, beginning with the program's name, written at once so that lines of
 * several ranks do not mix.
 *
 * Messages repeat what users typed and what files are called: a control character, which would move
 * what a terminal shows or begin a line of its own, is shown as \xNN. Context: our own programs,
 * never the profiled one. */
#pragma once

#include <stdarg.h>

/* The tools' own exit statuses; every other status is the profiled program's. */
enum message_status {
	STATUS_USAGE = 2,
	STATUS_CANNOT_PROFILE = 125,
	STATUS_CANNOT_EXECUTE = 126,
	STATUS_NOT_FOUND = 127,
};

/* Lines begin with this name; without it, with that by which the program was called. */
void message_speak_as(const char *name);

void message_say(const char *format, ...) __attribute__((format(printf, 1, 2)));
void message_say_list(const char *format, va_list arguments) __attribute__((format(printf, 1, 0)));

/* Prints the line and ends the program with that status. */
_Noreturn void message_fail(enum message_status status, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

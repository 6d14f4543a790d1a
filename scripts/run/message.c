/* SPDX-License-Identifier: MIT */
#include "message.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const char *program = "ptrace-run";

void message_speak_as(const char *name)
{
	program = name;
}

size_t message_append(char *text, size_t end, size_t room, unsigned char character)
{
	bool is_control = character < 0x20 || character == 0x7f;

	if (end + 4 >= room)
		return end;
	if (is_control)
		return end + (size_t)sprintf(text + end, "\\x%02x", character);
	text[end] = (char)character;
	return end + 1;
}

static void say(const char *format, va_list arguments)
{
	char said[8192], text[8192];
	size_t end = (size_t)snprintf(text, sizeof text, "%s: ", program);

	if (vsnprintf(said, sizeof said, format, arguments) < 0)
		said[0] = '\0';
	for (const char *at = said; *at; at++)
		end = message_append(text, end, sizeof text, (unsigned char)*at);
	text[end++] = '\n';
	if (write(STDERR_FILENO, text, end) < 0)
		return; /* there is nobody left to tell */
}

void message_say(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	say(format, arguments);
	va_end(arguments);
}

void message_fail(enum message_status status, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	say(format, arguments);
	va_end(arguments);
	exit(status);
}

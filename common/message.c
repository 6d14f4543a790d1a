/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE 1
#include "common/message.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *program;

void message_speak_as(const char *name)
{
	program = name;
}

/* Up to four characters for one; returns the new end. The controls are C0, DEL, and C1 as UTF-8 has
 * them. */
static char *append_visible(char *end, const char *text)
{
	const unsigned char *at = (const unsigned char *)text;

	for (; *at; at++) {
		bool is_c1 = at[0] == 0xc2 && at[1] >= 0x80 && at[1] < 0xa0;

		if (*at < 0x20 || *at == 0x7f)
			end += sprintf(end, "\\x%02x", *at);
		else if (is_c1)
			end += sprintf(end, "\\x%02x", *++at);
		else
			*end++ = (char)*at;
	}
	return end;
}

/* At once, but for a pipe that is full; when it fails there is nobody left to tell. */
static void write_all(const char *text, const char *end)
{
	ssize_t written;

	while (text < end && (written = write(STDERR_FILENO, text, (size_t)(end - text))) > 0)
		text += written;
}

void message_say_list(const char *format, va_list arguments)
{
	const char *name = program ? program : program_invocation_short_name;
	char *said = NULL;
	int saved = errno;

	if (vasprintf(&said, format, arguments) < 0)
		said = NULL;
	const char *text = said ? said : format; /* there may be no memory */
	char *line = malloc(strlen(name) + 4 * strlen(text) + 4);
	if (line) {
		char *end = append_visible(line + sprintf(line, "%s: ", name), text);

		*end++ = '\n';
		write_all(line, end);
	} else {
		write_all(text, text + strlen(text));
	}
	free(line);
	free(said);
	errno = saved;
}

void message_say(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	message_say_list(format, arguments);
	va_end(arguments);
}

void message_fail(enum message_status status, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	message_say_list(format, arguments);
	va_end(arguments);
	exit(status);
}

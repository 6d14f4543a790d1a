/* SPDX-License-Identifier: MIT */
#include "message.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void say(const char *format, va_list arguments)
{
	char text[8192] = "ptrace-run: ";
	const size_t head = 12;
	int length = vsnprintf(text + head, sizeof text - head - 1, format, arguments);
	size_t end = head + (length < 0 ? 0 : (size_t)length);

	if (end > sizeof text - 2)
		end = sizeof text - 2;
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

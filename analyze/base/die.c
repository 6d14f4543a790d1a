/* SPDX-License-Identifier: MIT */
#include "analyze/base/die.h"

#include "analyze/base/progress.h"
#include "common/message.h"

#include <stdlib.h>

void die(const char *format, ...)
{
	va_list arguments;

	progress_erase();
	va_start(arguments, format);
	message_say_list(format, arguments);
	va_end(arguments);
	exit(STATUS_USAGE);
}

void warn_line(const char *format, ...)
{
	va_list arguments;

	progress_erase();
	va_start(arguments, format);
	message_say_list(format, arguments);
	va_end(arguments);
}

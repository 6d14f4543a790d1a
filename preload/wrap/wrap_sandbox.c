/* SPDX-License-Identifier: MIT */
/* prctl; syscall is a jump in assembly (arch/.../syscall_door.c). */
#include "preload/base/likely.h"
#include "preload/life/sandbox.h"
#include "preload/process/real.h"

#include <stdarg.h>

EXPORTED int prctl(int option, ...)
{
	va_list rest;
	unsigned long words[4];

	/* as libc does: as many as there can be, whatever was given */
	va_start(rest, option);
	for (int i = 0; i < 4; i++)
		words[i] = va_arg(rest, unsigned long);
	va_end(rest);
	sandbox_before_prctl(option, words[0]);
	return real.prctl(option, words[0], words[1], words[2], words[3]);
}

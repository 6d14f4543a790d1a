/* SPDX-License-Identifier: MIT */
/* prctl. For syscall see syscall_door_ARCH.c: a jump in assembly. */
#include "preload/base/likely.h"
#include "preload/life/sandbox.h"
#include "preload/process/real.h"

#include <stdarg.h>

EXPORTED int prctl(int option, ...)
{
	va_list rest;
	unsigned long words[4];

	/* as libc does: always four, however many were given */
	va_start(rest, option);
	for (int i = 0; i < 4; i++)
		words[i] = va_arg(rest, unsigned long);
	va_end(rest);
	sandbox_before_prctl(option, words[0]);
	return real.prctl(option, words[0], words[1], words[2], words[3]);
}

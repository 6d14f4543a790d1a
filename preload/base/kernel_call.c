/* SPDX-License-Identifier: MIT */
#include "preload/base/kernel_call.h"

#include "arch.h"

#include <errno.h>
#include <stdarg.h>

enum { ERRORS = 4095 };

bool kernel_is_sealed;

long kernel_call(long number, ...)
{
	va_list rest;
	long words[6];

	if (__builtin_expect(__atomic_load_n(&kernel_is_sealed, __ATOMIC_RELAXED), 0)) {
		errno = EPERM;
		return -1;
	}
	/* as libc does: always six, however many were given */
	va_start(rest, number);
	for (int i = 0; i < 6; i++)
		words[i] = va_arg(rest, long);
	va_end(rest);
	long result = arch_kernel_call(number, words);

	if ((unsigned long)result < -(unsigned long)ERRORS)
		return result;
	errno = (int)-result;
	return -1;
}

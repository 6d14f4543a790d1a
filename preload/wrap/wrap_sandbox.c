/* SPDX-License-Identifier: MIT */
/* prctl: the program forbids itself system calls, on pain of death (seccomp), or the processor's
 * counter. It has weighed its own calls, not ours. Everything else passes through. */
#include "lifecycle.h"
#include "real.h"

#include <linux/seccomp.h>
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
	real_need();
	if (option == PR_SET_SECCOMP && words[0] != SECCOMP_MODE_DISABLED)
		lifecycle_seal(NOTE_SANDBOX);
	if (option == PR_SET_TSC && words[0] == PR_TSC_SIGSEGV)
		lifecycle_seal(NOTE_NO_CLOCK);
	return real.prctl(option, words[0], words[1], words[2], words[3]);
}

/* SPDX-License-Identifier: MIT */
#include "preload/life/sandbox.h"

#include "preload/life/sealed.h"
#include "preload/process/real.h"

#include <linux/prctl.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/syscall.h>

void *sandbox_real_syscall;

void sandbox_before_prctl(int option, unsigned long argument)
{
	bool is_filter = option == PR_SET_SECCOMP && argument != SECCOMP_MODE_DISABLED;
	/* system calls become signals to the program, except from one range of its code */
	bool is_dispatch = option == PR_SET_SYSCALL_USER_DISPATCH && argument == PR_SYS_DISPATCH_ON;

	real_need();
	if (is_filter || is_dispatch)
		sealed_begin(NOTE_SANDBOX);
	else if (option == PR_SET_TSC && argument == PR_TSC_SIGSEGV)
		sealed_begin(NOTE_NO_CLOCK);
}

void *sandbox_before_syscall(long number, unsigned long first, unsigned long second,
			     const void *third)
{
	/* libseccomp tests the kernel with a NULL filter */
	bool is_filter = first == SECCOMP_SET_MODE_FILTER && third;

	real_need();
	sandbox_real_syscall = (void *)real.syscall;
	if (number == SYS_seccomp && (first == SECCOMP_SET_MODE_STRICT || is_filter))
		sealed_begin(NOTE_SANDBOX);
	if (number == SYS_prctl)
		sandbox_before_prctl((int)first, second);
	return sandbox_real_syscall;
}

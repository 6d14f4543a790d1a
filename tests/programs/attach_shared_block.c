// SPDX-License-Identifier: MIT
// A thread that clone() made without a block of its own for thread-local variables: it has that of
// the first thread, waits in read, and calls no function of libc. The first thread computes.
//   attach_shared_block     says "ready", and ends with its input
#include "truth.h"

#include <poll.h>
#include <sched.h>

static char stack[65536] __attribute__((aligned(64)));
static int never[2];

// Without the wrapper of libc, which has errno.
static int wait_forever(void *unused)
{
	char byte;

	(void)unused;
#ifdef __x86_64__
	long result;

	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "a"(SYS_read), "D"(never[0]), "S"(&byte), "d"(1)
			 : "rcx", "r11", "memory");
#else
	register long number __asm__("x8") = SYS_read, result __asm__("x0") = never[0];
	register void *to __asm__("x1") = &byte;
	register long size __asm__("x2") = 1;

	__asm__ volatile("svc 0" : "+r"(result) : "r"(number), "r"(to), "r"(size) : "memory");
#endif
	__builtin_trap();
}

int main(void)
{
	const int flags =
		CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM;
	struct pollfd input = {.fd = 0, .events = POLLIN};

	if (pipe(never) < 0 || clone(wait_forever, stack + sizeof stack, flags, NULL) < 0)
		return 1;
	puts("ready");
	fflush(stdout);
	do
		for (volatile int i = 0; i < 10000000; i++)
			;
	while (poll(&input, 1, 0) == 0);
	return 0;
}

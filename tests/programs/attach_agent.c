// SPDX-License-Identifier: MIT
// Stands in for libptrace.so where ptrace-attach alone is tested: says what it was told, and does
// what a library should not do to the thread that calls it. It is told by settings of its own:
//   PTRACE_ANSWER=N     what ptrace_attach_begin returns
//   PTRACE_CRASH=1      it follows a null pointer
//   PTRACE_SLOW=MS      it takes so long
// A program that defines attach_visit is told of each call by it.
#include "truth.h"

#include <errno.h>
#include <fcntl.h>
#include <fenv.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#define PUBLIC __attribute__((visibility("default")))

PUBLIC int ptrace_attach_begin(const char *settings);
PUBLIC int ptrace_attach_end(void);

extern void attach_visit(void) __attribute__((weak, visibility("default")));

static int begun, ended;

static const char *setting(const char *settings, const char *name)
{
	size_t length = strlen(name);

	for (; settings && *settings; settings += strlen(settings) + 1)
		if (strncmp(settings, name, length) == 0 && settings[length] == '=')
			return settings + length + 1;
	return NULL;
}

// One line for each call, in the run directory.
static void say(const char *settings, const char *verb)
{
	const char *directory = setting(settings, "PTRACE_OUTPUT");
	sigset_t mask;
	char path[5000];

	if (!directory)
		return;
	snprintf(path, sizeof path, "%s/run.json.agent", directory);
	FILE *file = fopen(path, "ae");
	if (!file)
		return;
	pthread_sigmask(SIG_BLOCK, NULL, &mask);
	fprintf(file, "%s usr1=%d segv=%d aligned=%d", verb, sigismember(&mask, SIGUSR1),
		sigismember(&mask, SIGSEGV), ((uintptr_t)__builtin_frame_address(0) & 15) == 0);
	for (; *settings; settings += strlen(settings) + 1)
		fprintf(file, " %s", settings);
	fputc('\n', file);
	fclose(file);
}

// Registers that a function may change, and errno, and the rounding of floating point, which it may
// not.
static void spoil(void)
{
	fesetround(FE_UPWARD);
	errno = 77;
#ifdef __x86_64__
	__asm__ volatile(
		"pcmpeqd %%xmm0, %%xmm0\n\tpcmpeqd %%xmm7, %%xmm7\n\tpcmpeqd %%xmm15, %%xmm15" ::
			: "xmm0", "xmm7", "xmm15");
#endif
}

int ptrace_attach_begin(const char *settings)
{
	const char *answer = setting(settings, "PTRACE_ANSWER"),
		   *slow = setting(settings, "PTRACE_SLOW");

	say(settings, "begin");
	if (attach_visit)
		attach_visit();
	if (setting(settings, "PTRACE_CRASH"))
		*(volatile int *)(uintptr_t)(8 + begun) = 1;
	if (slow)
		usleep((useconds_t)atoi(slow) * 1000);
	begun++;
	spoil();
	return answer ? atoi(answer) : 0;
}

int ptrace_attach_end(void)
{
	ended++;
	spoil();
	return ended <= begun ? 0 : -EINVAL;
}

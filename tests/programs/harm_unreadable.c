/* SPDX-License-Identifier: MIT */
/* harm_unreadable: a process with a profile executes and spawns programs with an environment
 * that cannot be read, also beyond the end of what can be: the kernel says EFAULT. Then
 * it executes one with an environment of its own, whose last string ends with its page. */
#include "truth.h"
#include <spawn.h>
#include <stdint.h>
#include <sys/mman.h>

enum { PAGE = 4096 };

static char *volatile nowhere = (char *)(uintptr_t)(PAGE / 2);

/* Ends just before what cannot be read. */
static void *at_the_end(const void *from, size_t bytes)
{
	char *pages =
		mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	mprotect(pages + PAGE, PAGE, PROT_NONE);
	return memcpy(pages + PAGE - bytes, from, bytes);
}

static void try_both(const char *what, char *const environment[])
{
	char *arguments[] = {"true", NULL};
	pid_t child;
	errno = 0;
	int result = execve("/bin/true", arguments, environment);
	printf("%s: %d, %s\n", what, result, strerror(errno));
	printf("%s, spawned: %s\n", what,
	       strerror(posix_spawn(&child, "/bin/true", NULL, NULL, arguments, environment)));
	fflush(stdout);
}

int main(void)
{
	pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
	char *lost[] = {"A=1", NULL, NULL};
	char *last = at_the_end("LD", sizeof "LD");
	pthread_mutex_lock(&m);
	pthread_mutex_unlock(&m);
	lost[1] = nowhere;
	try_both("environment", (char *const *)nowhere);
	try_both("a string", lost);
	try_both("no end", at_the_end(lost, sizeof lost[0]));
	char *end[] = {last, NULL}, *echo[] = {"echo", "executed", NULL};
	execve("/bin/echo", echo, at_the_end(end, sizeof end));
	return 1;
}

/* SPDX-License-Identifier: MIT */
/* A thread that has been created, and does not run before the profile ends and another one begins.
 *
 *   attach_birth LIBRARY DIRECTORY
 *
 * All is on one processor, with a scheduler that takes it from nobody: what is created runs when
 * its creator sleeps. Says how many of the threads returned what they should; "none" if it may not.
 */
#include "truth.h"

#include <dlfcn.h>
#include <sched.h>
#include <stdbool.h>

enum { THREADS = 5, TRIES = 2000 };

static int (*begin)(const char *), (*end)(void);
static char settings[5000];

static void *return_next(void *number)
{
	return (char *)number + 1;
}

/* -EAGAIN: the library waits for something, which has to run for that. */
static int begin_again(void)
{
	int error = begin(settings);

	for (int i = 0; error == -EAGAIN && i < TRIES; i++) {
		nap_raw(0.001);
		error = begin(settings);
	}
	return error;
}

static bool is_born_right(char *number)
{
	pthread_t thread;
	void *result = NULL;

	if (begin_again())
		return false;
	int error = pthread_create(&thread, NULL, return_next, number);
	if (error || end() || begin_again())
		return false;
	pthread_join(thread, &result);
	return end() == 0 && result == number + 1;
}

static bool take_a_processor(void)
{
	const struct sched_param parameter = {.sched_priority = 1};
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET(sched_getcpu(), &one);
	return !sched_setaffinity(0, sizeof one, &one) &&
	       !sched_setscheduler(0, SCHED_FIFO, &parameter);
}

int main(int argc, char **argv)
{
	void *library = argc > 2 ? dlopen(argv[1], RTLD_NOW) : NULL;
	long right = 0;

	if (!library)
		return 2;
	alarm(60);
	begin = (int (*)(const char *))dlsym(library, "ptrace_attach_begin");
	end = (int (*)(void))dlsym(library, "ptrace_attach_end");
	int length = snprintf(settings, sizeof settings - 1, "PTRACE_OUTPUT=%s", argv[2]);
	settings[length + 1] = '\0';
	if (!take_a_processor()) {
		puts("none");
		return 0;
	}
	for (long i = 0; i < THREADS; i++)
		right += is_born_right((char *)(i * 1000));
	printf("right %ld\n", right);
	return 0;
}

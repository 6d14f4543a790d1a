/* SPDX-License-Identifier: MIT */
#include "caller_state.h"

#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

enum { DESCRIPTORS_NEEDED = 64 };

static struct signal_state {
	int number;
	void (*ours)(int);
	struct sigaction callers;
} signals[] = {{.number = SIGCHLD, .ours = SIG_DFL}, {.number = SIGXFSZ, .ours = SIG_IGN}};

enum { SIGNAL_COUNT = sizeof signals / sizeof signals[0] };

static const enum __itimer_which timers[] = {ITIMER_REAL, ITIMER_VIRTUAL, ITIMER_PROF};

enum { TIMER_COUNT = sizeof timers / sizeof timers[0] };

static struct {
	struct rlimit descriptors;
	bool has_descriptors; /* a limit to give back */
	struct itimerval timers[TIMER_COUNT];
} caller;

/* They are close-on-exec: the program finds them closed. */
static void occupy_standard_files(void)
{
	int file;

	do
		file = open("/dev/null", O_RDWR | O_CLOEXEC);
	while (file >= 0 && file <= STDERR_FILENO);
	if (file >= 0)
		close(file);
}

static void raise_descriptors(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) < 0 || limit.rlim_cur >= DESCRIPTORS_NEEDED)
		return;
	caller.descriptors = limit;
	limit.rlim_cur = limit.rlim_max < DESCRIPTORS_NEEDED ? limit.rlim_max : DESCRIPTORS_NEEDED;
	caller.has_descriptors = setrlimit(RLIMIT_NOFILE, &limit) == 0;
}

/* Where nothing is to be changed nothing is set: that would drop a pending signal of that number.
 */
static void keep_signals(void)
{
	for (int i = 0; i < SIGNAL_COUNT; i++) {
		const struct sigaction action = {.sa_handler = signals[i].ours};

		sigaction(signals[i].number, NULL, &signals[i].callers);
		if (signals[i].callers.sa_handler != signals[i].ours)
			sigaction(signals[i].number, &action, NULL);
	}
}

void caller_state_keep(void)
{
	keep_signals();
	for (int i = 0; i < TIMER_COUNT; i++) {
		const struct itimerval none = {0};

		setitimer(timers[i], &none, &caller.timers[i]);
	}
	raise_descriptors();
	occupy_standard_files();
}

void caller_state_give_back(void)
{
	for (int i = 0; i < SIGNAL_COUNT; i++)
		if (signals[i].callers.sa_handler != signals[i].ours)
			sigaction(signals[i].number, &signals[i].callers, NULL);
	for (int i = 0; i < TIMER_COUNT; i++)
		setitimer(timers[i], &caller.timers[i], NULL);
	if (caller.has_descriptors)
		setrlimit(RLIMIT_NOFILE, &caller.descriptors);
}

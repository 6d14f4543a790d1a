/* SPDX-License-Identifier: MIT */
/* Says its number, and then of each signal that a process sent to it, on a line: which, and by what
 * call; of those of the kernel only the terminal's. SIGKILL ends it.
 *   signalled             waits
 *   signalled stops       SIGTSTP has its default action
 *   signalled group       a child signals the process group ten times; ends after SIGUSR2
 *   signalled parent      signals its parent, so does a child of it, and both end */
#include "truth.h"
#include <signal.h>
#include <sys/wait.h>

enum { QUEUED = 40, TIMES = 10 };

static volatile sig_atomic_t is_over;

static void say(int number, siginfo_t *info, void *context)
{
	const char *how = info->si_code == SI_USER    ? "kill"
			  : info->si_code == SI_QUEUE ? "queue"
						      : "kernel";
	char text[64];

	(void)context;
	if (info->si_code > 0 && number == SIGCHLD)
		return;
	int length = snprintf(text, sizeof text, "%d %s %d\n", number, how,
			      info->si_code == SI_QUEUE ? info->si_value.sival_int : 0);
	if (write(1, text, (size_t)length) != length)
		_exit(3);
	if (number == SIGUSR2)
		is_over = 1;
}

static void handle_all(int is_stopping)
{
	struct sigaction action = {.sa_sigaction = say, .sa_flags = SA_SIGINFO | SA_RESTART};

	sigfillset(&action.sa_mask);
	for (int number = 1; number <= SIGRTMAX; number++)
		if (!(is_stopping && number == SIGTSTP))
			sigaction(number, &action, NULL); /* fails for some */
}

/* Queued, so that none of them is one with the next. */
static void signal_group(void)
{
	pid_t child = fork();

	if (child == 0) {
		signal(QUEUED, SIG_IGN);
		for (int i = 0; i < TIMES; i++)
			kill(0, QUEUED);
		_exit(0);
	}
	while (!is_over)
		usleep(1000);
	waitpid(child, NULL, 0);
}

static void signal_parent(void)
{
	pid_t parent = getppid(), child = fork();

	if (child == 0) {
		kill(parent, SIGUSR1);
		usleep(200000); /* one that is gone is nobody's child */
		_exit(0);
	}
	waitpid(child, NULL, 0);
	kill(parent, SIGUSR2);
}

int main(int count, char **arguments)
{
	const char *mode = count > 1 ? arguments[1] : "";

	handle_all(!strcmp(mode, "stops"));
	printf("%d\n", getpid());
	fflush(stdout);
	if (!strcmp(mode, "group"))
		signal_group();
	else if (!strcmp(mode, "parent"))
		signal_parent();
	else
		for (;;)
			pause();
	return 0;
}

/* SPDX-License-Identifier: MIT */
/* Two threads compute, and a child stops the whole process for most of its life, as a batch system
 * does, and lets it go on. Truth: for how long it was stopped. */
#include "truth.h"

#include <signal.h>
#include <sys/wait.h>

enum { STOPS = 3 };

static double stop_parent(void)
{
	double stopped = 0;
	pid_t parent = getppid();

	for (int i = 0; i < STOPS; i++) {
		usleep(30000);
		double begin = now();

		kill(parent, SIGSTOP);
		usleep(250000);
		kill(parent, SIGCONT);
		stopped += now() - begin;
	}
	return stopped;
}

static void *compute(void *seconds)
{
	BURN(*(double *)seconds);
	return NULL;
}

int main(void)
{
	double seconds = 0.2, stopped = 0;
	pthread_t thread;
	int ends[2];

	if (pipe(ends))
		return 9;
	pid_t child = fork();
	if (!child) {
		stopped = stop_parent();
		_exit(write(ends[1], &stopped, sizeof stopped) != sizeof stopped);
	}
	pthread_create(&thread, NULL, compute, &seconds);
	compute(&seconds);
	pthread_join(thread, NULL);
	waitpid(child, NULL, 0);
	if (read(ends[0], &stopped, sizeof stopped) != sizeof stopped)
		return 9;
	truth("stopped", stopped);
	truth_end();
	return 0;
}

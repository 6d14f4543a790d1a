/* SPDX-License-Identifier: MIT */
/* zombie SIGNAL late|waiting: a child computes for a tenth of a second and sends itself the signal;
 * its parent waits for it half a second later, or all the time. Truth: the child's life until then,
 * by its own clock. */
#include "truth.h"
#include <signal.h>
#include <stdbool.h>
#include <sys/resource.h>
#include <sys/wait.h>

static NOINLINE void compute(void)
{
	BURN(0.1);
	KEEP;
}

int main(int argc, char **argv)
{
	int ends[2], status, number = argc > 1 ? atoi(argv[1]) : SIGKILL;
	bool is_late = argc > 2 && !strcmp(argv[2], "late");
	struct rlimit no_core = {0, 0};
	double lived = 0;

	setrlimit(RLIMIT_CORE, &no_core);
	if (pipe(ends))
		return 2;
	pid_t child = fork();
	if (child == 0) {
		double from = now();
		compute();
		lived = now() - from;
		if (write(ends[1], &lived, sizeof lived) < 0)
			return 3;
		raise(number);
	}
	if (is_late) {
		if (read(ends[0], &lived, sizeof lived) < 0)
			return 4;
		nap_raw(0.5);
	}
	waitpid(child, &status, 0);
	if (!is_late && read(ends[0], &lived, sizeof lived) < 0)
		return 5;
	printf("killed by %d\n", WIFSIGNALED(status) ? WTERMSIG(status) : 0);
	fflush(stdout);
	truth("lived", lived);
	truth("child", child);
	truth_end();
	return 0;
}

/* SPDX-License-Identifier: MIT */
/* killed [thread | wait | first]: ends by SIGKILL in the body of the sixth region, by its second
 * thread; with `wait` while the first one waits at a barrier for it. Known: five regions have
 * ended, of one the begin is seen. With `first` that is the only one, and all but the waiting is
 * work of the second thread: half of the team's time is lost. */
#include "omp_truth.h"

#include <signal.h>

enum { EXECUTIONS = 5 };
static const double part = 0.004;
static double last = 5 * 0.004;

static NOINLINE void body(bool is_last)
{
	burn(part);
	if (is_last && omp_get_thread_num() == 1) {
		burn(last);
		kill(getpid(), SIGKILL);
	}
}

static NOINLINE void ending(bool is_last, bool waits)
{
#pragma omp parallel num_threads(2)
	{
		body(is_last);
		if (waits) {
#pragma omp barrier
		}
		body(is_last && !waits);
	}
	KEEP;
}

int main(int argc, char **argv)
{
	bool is_first = argc > 1 && !strcmp(argv[1], "first");
	bool waits = is_first || (argc > 1 && !strcmp(argv[1], "wait"));

	omp_set_dynamic(0);
	if (is_first)
		last = 0.3;
	for (int i = is_first ? EXECUTIONS : 0; i <= EXECUTIONS; i++)
		ending(i == EXECUTIONS, waits);
	return 3;
}

/* SPDX-License-Identifier: MIT */
/* page_faults: truth: how many pages the kernel provided to this process until main, and to a child
 * of fork that ends at once: the least of many, since others may share pages meanwhile. */
#include "truth.h"
#include <limits.h>
#include <sys/resource.h>
#include <sys/wait.h>

enum { CHILDREN = 50 };

static long faults_of_child(void)
{
	struct rusage usage = {0};
	pid_t child = fork();

	if (!child)
		_exit(0);
	if (wait4(child, NULL, 0, &usage) != child)
		abort();
	return usage.ru_minflt;
}

int main(void)
{
	struct rusage own;
	long least = LONG_MAX;

	getrusage(RUSAGE_SELF, &own);
	for (int i = 0; i < CHILDREN; i++) {
		long faults = faults_of_child();
		least = faults < least ? faults : least;
	}
	truth("own", (double)own.ru_minflt);
	truth("child", (double)least);
	truth("page", (double)sysconf(_SC_PAGESIZE));
	truth_end();
	return 0;
}

/* SPDX-License-Identifier: MIT */
/* child before | after | within: forks before the parent has used OpenMP, after it, or (killed) in
 * the body of a region; the child uses OpenMP itself, but for the last. libgomp's threads are not
 * in a child that was forked after them: `after` is for runtimes that start anew there. Known:
 * regions of parent and child. */
#include "omp_truth.h"

#include <sys/wait.h>

enum { OF_PARENT = 3, OF_CHILD = 5 };
static const double part = 0.002;

static NOINLINE void of_parent(void)
{
	struct region_run run = REGION();
#pragma omp parallel num_threads(2)
	burn(part);
	region_end(&run);
	KEEP;
}

static NOINLINE void of_child(void)
{
	int team = 0;
	struct region_run run = REGION();
#pragma omp parallel num_threads(2)
	{
		burn(part);
		increment(&team);
	}
	region_end(&run);
	check(team == 2, "the team of a child");
	KEEP;
}

static pid_t fork_child(bool uses_openmp)
{
	pid_t child = fork();

	if (child)
		return child;
	for (int i = 0; uses_openmp && i < OF_CHILD; i++)
		of_child();
	exit(mistakes ? 1 : 7);
}

/* The child is a copy of a thread in a body that never ends there. */
static NOINLINE pid_t within(void)
{
	pid_t child = 0;
	struct region_run run = REGION();
#pragma omp parallel num_threads(2)
	{
		burn(part);
		if (omp_get_thread_num() == 1)
			child = fork_child(false);
		burn(part);
	}
	region_end(&run);
	KEEP;
	return child;
}

int main(int argc, char **argv)
{
	const char *when = argc > 1 ? argv[1] : "before";
	int status = 0;
	pid_t child = 0;

	omp_set_dynamic(0);
	if (!strcmp(when, "before"))
		child = fork_child(true);
	for (int i = 0; i < OF_PARENT; i++)
		of_parent();
	if (!strcmp(when, "after"))
		child = fork_child(true);
	if (!strcmp(when, "within"))
		child = within();
	check(child > 0 && waitpid(child, &status, 0) == child, "a child");
	check(WIFEXITED(status) && WEXITSTATUS(status) == 7, "the child's exit");
	for (int i = 0; i < OF_PARENT; i++)
		of_parent();
	truth("child", child);
	truth("of_child", OF_CHILD);
	truth("of_parent", 2 * OF_PARENT);
	return end();
}

/* SPDX-License-Identifier: MIT */
/* A fork in a program that has used OpenMP: the runtime's threads are not in the child, which
 * therefore uses no OpenMP and ends by exit(). Known: the parent's regions before and after, and
 * that the child has none, whatever it inherits. Only the parent tells the truth. */
#include "omp_truth.h"

#include <sys/wait.h>

enum { BEFORE = 3, AFTER = 4 };
static const double part = 0.003, child_part = 0.02;

static NOINLINE void together(void)
{
	struct region_run run = REGION();
#pragma omp parallel
	{
		struct stretch mine = stretch_begin();
		burn(part);
		stretch_end(&run, &mine);
	}
	region_end(&run);
	KEEP;
}

static NOINLINE void in_child(void)
{
	burn(child_part);
	KEEP;
}

static pid_t fork_child(void)
{
	pid_t child = fork();

	if (child == 0) {
		in_child();
		exit(7);
	}
	return child;
}

int main(void)
{
	int status = 0;

	for (int i = 0; i < BEFORE; i++)
		together();
	pid_t child = fork_child();
	for (int i = 0; i < AFTER; i++)
		together();
	check(child > 0 && waitpid(child, &status, 0) == child, "a child");
	check(WIFEXITED(status) && WEXITSTATUS(status) == 7, "the child's exit");
	check(region_truths[0].executions == BEFORE + AFTER, "the parent's regions");
	truth("child", child);
	truth("child_part", child_part);
	truth("part", part);
	return end();
}

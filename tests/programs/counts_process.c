/* SPDX-License-Identifier: MIT */
/* fork, exec, posix_spawn and waits for children, in known numbers. Children end by _exit or by
 * exec of true. */
#include "truth.h"
#include <spawn.h>
#include <sys/wait.h>

extern char **environ;

int main(void)
{
	char *const arguments[] = {"true", NULL};
	int status, exit_sum = 0;
	for (int i = 0; i < 5; i++) {
		pid_t child = fork();
		if (child == 0)
			_exit(i);
		waitpid(child, &status, 0);
		exit_sum += WEXITSTATUS(status);
	}
	for (int i = 0; i < 3; i++) {
		pid_t child;
		if (i < 2 ? posix_spawn(&child, "/bin/true", NULL, NULL, arguments, environ)
			  : posix_spawnp(&child, "true", NULL, NULL, arguments, environ))
			return 1;
		wait(&status);
		exit_sum += status;
	}
	printf("%d\n", exit_sum);
	fflush(stdout);
	truth("FORK", 5);
	truth("SPAWN", 3);
	truth("WAIT_CHILD", 8);
	truth("pid", getpid());
	truth_end();
	return 0;
}

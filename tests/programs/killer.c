/* SPDX-License-Identifier: MIT */
/* killer PROGRAM [ARG...]: starts the program, waits until it has said a line, kills it a little
 * later, says how it ended. The child has a pipe as its stdout. */
#include "truth.h"
#include <signal.h>
#include <sys/wait.h>

int main(int argc, char **argv)
{
	int ends[2], status;
	char text[100];
	if (argc < 2 || pipe(ends))
		return 2;
	pid_t child = fork();
	if (child == 0) {
		dup2(ends[1], 1);
		execv(argv[1], argv + 1);
		_exit(127);
	}
	if (read(ends[0], text, sizeof text) <= 0)
		return 3;
	nap_raw(0.1);
	kill(child, SIGKILL);
	waitpid(child, &status, 0);
	printf("killed by %d\n", WIFSIGNALED(status) ? WTERMSIG(status) : 0);
	return 0;
}

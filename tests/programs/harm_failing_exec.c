/* SPDX-License-Identifier: MIT */
/* harm_failing_exec: a process with a profile tries programs that are not there: by their path, as
 * a directory, and in a PATH of three directories, 100 times each; then it works, and executes one
 * that is there. */
#include "truth.h"

enum { TRIES = 100 };

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

int main(void)
{
	char *arguments[] = {"nothing", NULL};
	pthread_mutex_lock(&m);
	pthread_mutex_unlock(&m);
	setenv("PATH", "/nonexistent:/:/usr", 1);
	for (int i = 0; i < TRIES; i++) {
		execv("/nonexistent/nothing", arguments);
		execv("/", arguments);
		execvp("a-program-of-no-such-name", arguments);
	}
	printf("%s\n", strerror(errno));
	fflush(stdout);
	BURN(0.2);
	execl("/bin/echo", "echo", "executed", NULL);
	return 1;
}

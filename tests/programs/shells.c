/* SPDX-License-Identifier: MIT */
/* Waits for children inside libc: system(), and pclose() of a pipe to a command; and a thread that
 * is cancelled within system(). Truth: seconds in both, their results. */
#include "truth.h"
#include <errno.h>
#include <sys/wait.h>

static void *shell(void *unused)
{
	system("exec sleep 60");
	return unused;
}

static double cancelled(void)
{
	pthread_t thread;
	void *result;

	pthread_create(&thread, NULL, shell, NULL);
	nap_raw(0.1);
	pthread_cancel(thread);
	pthread_join(thread, &result);
	return result == PTHREAD_CANCELED;
}

int main(void)
{
	double begin = now();
	int status = system("exec sleep 0.2; exit 1");

	truth("system", now() - begin);
	truth("system_status", status);
	FILE *pipe = popen("cat > /dev/null; sleep 0.15; exit 3", "w");

	fputs("all that is written\n", pipe);
	begin = now();
	status = pclose(pipe);
	truth("pclose", now() - begin);
	truth("pclose_status", WEXITSTATUS(status));
	errno = 0;
	truth("has_shell", system(NULL) != 0);
	truth("errno", errno);
	truth("cancelled", cancelled());
	truth_end();
	return 0;
}

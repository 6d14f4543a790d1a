/* SPDX-License-Identifier: MIT */
/* A fork child that makes a thread ends while memory is still in use, and so does the program: a
 * memory checker then looks through all memory for pointers to it. Ends with status 5. */
#include "truth.h"
#include <sys/wait.h>

static void *volatile kept;

static void *use(void *lock)
{
	for (int i = 0; i < 100; i++) {
		pthread_mutex_lock(lock);
		pthread_mutex_unlock(lock);
	}
	return NULL;
}

static void use_in_thread(void)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	pthread_t thread;
	pthread_create(&thread, NULL, use, &lock);
	pthread_join(thread, NULL);
}

int main(void)
{
	static char *const nothing[] = {"nothing", NULL};
	int status;
	kept = malloc(32);
	use_in_thread();
	execv("/nonexistent/program", nothing);
	for (int i = 0; i < 2; i++) {
		pid_t child = fork();
		if (!child) {
			use_in_thread();
			if (i)
				execl("/bin/sh", "sh", "-c", "exit 3", NULL);
			_exit(3);
		}
		waitpid(child, &status, 0);
		printf("child: %x\n", (unsigned)status);
	}
	return 5;
}

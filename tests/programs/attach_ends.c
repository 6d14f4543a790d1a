/* SPDX-License-Identifier: MIT */
/* A program to be attached to, with four threads that wait by system calls which no wrapper sees,
 * and end without another call at the first byte on stdin, which is answered by a line; the second
 * byte ends the program. Two more sleep and wake up all the time, so that records are read. */
#include "truth.h"

enum { THREADS = 4 };

static int ends[2];

static void *wait_unseen(void *unused)
{
	char byte;

	if (syscall(SYS_read, ends[0], &byte, 1) != 1)
		_exit(98);
	return unused;
}

static void *nap_often(void *unused)
{
	for (;;)
		usleep(500);
	return unused;
}

int main(void)
{
	pthread_t threads[THREADS], other;
	char bytes[THREADS] = "xxx";

	alarm(100);
	if (pipe(ends))
		return 97;
	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, wait_unseen, NULL);
	for (int i = 0; i < 2; i++)
		pthread_create(&other, NULL, nap_often, NULL);
	if (syscall(SYS_read, 0, bytes, 1) != 1 ||
	    syscall(SYS_write, ends[1], bytes, THREADS) != THREADS)
		return 96;
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	if (syscall(SYS_write, 1, "done\n", 5) != 5)
		return 95;
	syscall(SYS_read, 0, bytes, 1);
	return 0;
}

/* SPDX-License-Identifier: MIT */
/* Two threads write tables, each into a file of its own, one character after the other: stdio takes
 * and gives back the stream's lock for each, though nobody else has the stream. Fixed, by
 * putc_unlocked. Innocent: the lock of the totals.
 *
 * cause: stdio locks the stream for each character
 * finding: libc-locks
 * place: put_column
 */
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 2, LINES = 1500000, COLUMN = 60 };

static bool is_fixed;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long written;

__attribute__((noinline)) static void put_column(FILE *file, int fill)
{
	for (int i = 0; i < COLUMN; i++)
		if (is_fixed)
			putc_unlocked(fill, file);
		else
			fputc(fill, file);
}

static void *write_table(void *unused)
{
	static char buffers[THREADS][1 << 16];
	static int next;
	FILE *file = fopen("/dev/null", "w");

	if (!file)
		abort();
	setvbuf(file, buffers[__atomic_fetch_add(&next, 1, __ATOMIC_RELAXED)], _IOFBF, 1 << 16);
	for (int line = 0; line < LINES; line++)
		put_column(file, ' ' + line % 64);
	fclose(file);
	pthread_mutex_lock(&lock);
	written += LINES;
	pthread_mutex_unlock(&lock);
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t threads[THREADS];

	(void)argv;
	is_fixed = argc > 1;
	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, write_table, NULL);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	printf("%ld lines\n", written);
	return 0;
}

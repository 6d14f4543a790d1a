/* SPDX-License-Identifier: MIT */
/* scaling_truth HOW THREADS [SECONDS [PIPE]]: SECONDS of CPU time, shared out to THREADS threads as
 * HOW says:
 *
 *   even     in equal parts
 *   serial   40 % of it are the main thread's alone, in `prepare`, before the others begin
 *   lock     half of each thread's part is done with table_lock held, in `insert`
 *   copy     besides its part each thread does a quarter of the whole again, in `copy_all`
 *   weak     every thread does all of it
 *   output   in equal parts, in 40 pieces, after each of which 64 KiB are written to PIPE in `save`
 *   events   in 40 pieces, one for each byte that can be read from PIPE, which threads poll
 *            (and write one to PIPE.done for each piece that is done)
 *   early    all but one thread end at once, and before that one begins, which does everything
 *
 * Truth: CPU time, how long the main thread was alone in `prepare`, how long the last thread was
 * without the others, and how long all of it took from there on: before and after that, the program starts and ends. */
#include "truth.h"
#include <fcntl.h>
#include <poll.h>

static pthread_mutex_t table_lock = PTHREAD_MUTEX_INITIALIZER;
static const char *how;
static int threads, file = -1, done = -1;
static double work = 0.3;
static volatile int prepare_calls, compute_calls, copy_all_calls;

static NOINLINE void prepare(double seconds)
{
	BURN(seconds);
	prepare_calls++; /* or the compiler takes equal routines for one */
}

static NOINLINE void compute(double seconds)
{
	BURN(seconds);
	compute_calls++; /* or the compiler takes equal routines for one */
}

static NOINLINE void copy_all(double seconds)
{
	BURN(seconds);
	copy_all_calls++; /* or the compiler takes equal routines for one */
}

/* In pieces, so that the lock goes round. */
static NOINLINE void insert(double seconds)
{
	pthread_mutex_lock(&table_lock);
	BURN(seconds);
	pthread_mutex_unlock(&table_lock);
	KEEP;
}

static NOINLINE void save(void)
{
	static char bytes[65536];

	if (write(file, bytes, sizeof bytes) < 0)
		abort();
	KEEP;
}

/* Up to the first byte that is 0. */
static void serve(void)
{
	struct pollfd one = {.fd = file, .events = POLLIN};
	char byte = 1;

	do {
		ssize_t got = poll(&one, 1, -1) == 1 ? read(file, &byte, 1) : 0;

		if (got == 1 && byte) {
			compute(work / 40);
			if (write(done, &byte, 1) != 1)
				abort();
		}
		if (got == 0)
			abort(); /* nobody writes any more */
	} while (byte);
}

static _Atomic int ended;
static double ends[64]; /* of threads, in their order */

static void *run(void *data)
{
	double part = work / threads;

	if (!strcmp(how, "lock"))
		for (int i = 0; i < 20; i++) {
			compute(part / 40);
			insert(part / 40);
		}
	else if (!strcmp(how, "output"))
		for (int i = 0; i < 40 / threads; i++) {
			compute(work / 40);
			save();
		}
	else if (!strcmp(how, "events"))
		serve();
	else if (!strcmp(how, "serial"))
		compute(0.6 * part);
	else if (!strcmp(how, "weak"))
		compute(work);
	else if (!strcmp(how, "early"))
		compute(data ? work : 0);
	else
		compute(part);
	if (!strcmp(how, "copy"))
		copy_all(0.25 * work);
	ends[ended++] = now();
	return NULL;
}

/* How long the last thread was without the others. */
static double last_alone(void)
{
	return threads > 1 ? ends[threads - 1] - ends[threads - 2] : 0;
}

static void open_pipe(const char *path)
{
	char name[4096];

	snprintf(name, sizeof name, "%s.done", path);
	file = open(path, strcmp(how, "output") ? O_RDONLY | O_NONBLOCK : O_WRONLY);
	if (!strcmp(how, "events"))
		done = open(name, O_WRONLY);
}

int main(int count, char **words)
{
	pthread_t ids[64];

	if (count < 3)
		return 2;
	how = words[1];
	threads = atoi(words[2]);
	work = count > 3 ? atof(words[3]) : work;
	if (threads < 1 || threads > 64)
		return 2;
	if (count > 4)
		open_pipe(words[4]);
	double begin = now();
	if (!strcmp(how, "serial"))
		prepare(0.4 * work);
	double alone = now() - begin;
	int working = strcmp(how, "early") ? threads : 1;

	/* joined first: on a busy machine a thread that ends at once may live for milliseconds */
	for (int i = working; i < threads; i++)
		pthread_create(&ids[i], NULL, run, NULL);
	for (int i = working; i < threads; i++)
		pthread_join(ids[i], NULL);
	for (int i = 0; i < working; i++)
		pthread_create(&ids[i], NULL, run, i ? NULL : &threads);
	for (int i = 0; i < working; i++)
		pthread_join(ids[i], NULL);
	truth("threads", threads);
	truth("cpu", clock_seconds(CLOCK_PROCESS_CPUTIME_ID));
	truth("alone", alone);
	truth("last", last_alone());
	truth("whole", now() - begin);
	truth_end();
	return 0;
}

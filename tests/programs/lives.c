/* SPDX-License-Identifier: MIT */
/* lives KIND: threads and processes as they come and go.
 *
 *   many N    N threads one after the other, joined or detached by turns
 *   short N   N threads, four at a time, that compute for 0.1 ms each: what all of them computed,
 *             how long all of their routines took, and how long it took to start and join them
 *   timed     a thread computes; another joins it with a time limit that passes, again and again
 *   first     the first call of a fork child, and of a thread that libc itself started, is a lock
 *             that is free
 *   timers    a fork child looks at its timers
 *
 * Truth: counts, and what the program knows of the times. */
#include "truth.h"
#include <dlfcn.h>
#include <sys/wait.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static volatile int ended;

static void *nothing(void *unused)
{
	increment(&ended);
	return unused;
}

static void make_many(int count)
{
	pthread_t thread;
	for (int i = 0; i < count; i++) {
		if (pthread_create(&thread, NULL, nothing, NULL))
			abort();
		if (i % 2)
			pthread_join(thread, NULL);
		else
			pthread_detach(thread);
		await_raw(&ended, i + 1);
	}
	truth("threads", count + 1);
}

enum { AT_ONCE = 4, SHORT_STEPS = 200000 };

struct shorter {
	pthread_t handle;
	double created, computed, took;
};

static NOINLINE void compute_shortly(void)
{
	for (volatile int i = 0; i < SHORT_STEPS; i++)
		;
	KEEP;
}

static void *be_short(void *record)
{
	struct shorter *self = record;
	double begin = now(), before = cpu();
	compute_shortly();
	self->computed = cpu() - before;
	self->took = now() - begin;
	return NULL;
}

static void make_short(int count)
{
	double computed = 0, took = 0, started = 0,
	       before = clock_seconds(CLOCK_PROCESS_CPUTIME_ID);
	struct shorter threads[AT_ONCE];
	for (int i = 0; i < count / AT_ONCE; i++) {
		for (int t = 0; t < AT_ONCE; t++) {
			threads[t].created = now();
			pthread_create(&threads[t].handle, NULL, be_short, &threads[t]);
		}
		for (int t = 0; t < AT_ONCE; t++) {
			pthread_join(threads[t].handle, NULL);
			started += now() - threads[t].created;
			computed += threads[t].computed;
			took += threads[t].took;
		}
	}
	truth("threads", count / AT_ONCE * AT_ONCE + 1);
	truth("computed", computed);
	truth("took", took);
	truth("joined", started);
	truth("cpu", clock_seconds(CLOCK_PROCESS_CPUTIME_ID) - before);
}

static volatile int has_begun;

static NOINLINE void compute(void)
{
	BURN(0.6);
	KEEP;
}

static void *computing(void *unused)
{
	has_begun = 1;
	compute();
	nap_raw(0.3);
	return unused;
}

static double cpu_of(pthread_t thread)
{
	clockid_t clock;
	pthread_getcpuclockid(thread, &clock);
	return clock_seconds(clock);
}

static void join_in_time(void)
{
	pthread_t thread;
	double waited = 0, ran = 0;
	int limits = 0;
	pthread_create(&thread, NULL, computing, NULL);
	await_raw(&has_begun, 1);
	while (limits < 3) {
		double begin = now(), before = cpu_of(thread);
		struct timespec until = deadline(CLOCK_REALTIME, 0.1);
		limits += pthread_timedjoin_np(thread, NULL, &until) == ETIMEDOUT;
		ran += cpu_of(thread) - before;
		waited += now() - begin;
	}
	truth("waited", waited);
	truth("ran", ran);
	double begin = now();
	pthread_join(thread, NULL);
	truth("joined", now() - begin);
}

static void lock_once(void)
{
	pthread_mutex_lock(&mutex);
	pthread_mutex_unlock(&mutex);
}

static void *locking(void *unused)
{
	lock_once();
	return unused;
}

static void lock_first(void)
{
	void *libc = dlopen("libc.so.6", RTLD_NOW | RTLD_NOLOAD);
	int (*create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *) =
		(int (*)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *))dlsym(
			libc, "pthread_create");
	pthread_t thread;
	pthread_create(&thread, NULL, nothing, NULL);
	pthread_join(thread, NULL);
	for (int i = 0; i < 5; i++) {
		create(&thread, NULL, locking, NULL);
		pthread_join(thread, NULL);
		if (!fork()) {
			lock_once();
			exit(0);
		}
		wait(NULL);
	}
	truth("locks", 10);
}

static int count_timers(void)
{
	char line[256];
	int count = 0;
	FILE *file = fopen("/proc/self/timers", "r");
	while (file && fgets(line, sizeof line, file))
		count += !strncmp(line, "ID:", 3);
	if (file)
		fclose(file);
	return count;
}

static void look_at_timers(void)
{
	int pipes[2], timers = -1;
	if (pipe(pipes))
		abort();
	if (!fork()) {
		lock_once();
		timers = count_timers();
		if (write(pipes[1], &timers, sizeof timers) < 0)
			abort();
		exit(0);
	}
	if (read(pipes[0], &timers, sizeof timers) < 0)
		abort();
	wait(NULL);
	truth("timers", timers);
}

int main(int count, char **arguments)
{
	const char *kind = count > 1 ? arguments[1] : "timers";
	if (!strcmp(kind, "many"))
		make_many(count > 2 ? atoi(arguments[2]) : 10);
	else if (!strcmp(kind, "short"))
		make_short(count > 2 ? atoi(arguments[2]) : 100);
	else if (!strcmp(kind, "timed"))
		join_in_time();
	else if (!strcmp(kind, "first"))
		lock_first();
	else
		look_at_timers();
	truth_end();
	return 0;
}

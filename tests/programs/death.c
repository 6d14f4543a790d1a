/* SPDX-License-Identifier: MIT */
/* death KIND: two threads compute and lock for a while, then the process ends in the given way
 * while they go on. Truth, written just before: CPU time of both threads, and how often the mutex
 * was locked until both paused. */
#include "truth.h"
#include <semaphore.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

enum { THREADS = 2, LOCKS = 5000 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, first = PTHREAD_MUTEX_INITIALIZER,
		       second = PTHREAD_MUTEX_INITIALIZER;
static volatile int ready, go_on, embraced;
static double used[THREADS];

static NOINLINE void compute(void)
{
	for (int i = 0; i < LOCKS; i++) {
		pthread_mutex_lock(&lock);
		pthread_mutex_unlock(&lock);
	}
	BURN(0.12);
}

/* Seldom: naps are too short to be sampled. */
static void await_seldom(const volatile int *word, int least)
{
	while (__atomic_load_n(word, __ATOMIC_SEQ_CST) < least)
		nap_raw(0.01);
}

static void *worker(void *number)
{
	compute();
	used[(long)number] = cpu();
	increment(&ready);
	await_seldom(&go_on, 1); /* never, for most */
	return NULL;
}

static void *embrace(void *unused)
{
	pthread_mutex_lock(&second);
	increment(&embraced);
	await_raw(&embraced, 2);
	pthread_mutex_lock(&first);
	return unused;
}

static void *exit_in_thread(void *unused)
{
	exit(5);
	return unused;
}

static NOINLINE void compute_and_die(void)
{
	BURN(0.25);
	raise(SIGKILL);
	KEEP;
}

static void *kill_in_thread(void *unused)
{
	compute_and_die();
	return unused;
}

static void *doze(void *unused)
{
	increment(&ready);
	sleep(60);
	return unused;
}

static void at_quick_exit_say(void)
{
	if (write(1, "quick\n", 6) < 0)
		_exit(98);
}

static void die(const char *kind)
{
	pthread_t t;
	if (!strcmp(kind, "return"))
		return;
	if (!strcmp(kind, "exit_in_thread")) {
		pthread_create(&t, NULL, exit_in_thread, NULL);
		pthread_join(t, NULL);
	}
	if (!strcmp(kind, "asleep")) {
		pthread_create(&t, NULL, doze, NULL);
		await_seldom(&ready, THREADS + 1);
		nap_raw(0.2); /* of which it may spend half on its way */
	}
	if (!strcmp(kind, "_exit"))
		_exit(6);
	if (!strcmp(kind, "quick_exit")) {
		at_quick_exit(at_quick_exit_say);
		quick_exit(7);
	}
	if (!strcmp(kind, "raw_exit"))
		syscall(SYS_exit_group, 8);
	if (!strcmp(kind, "abort"))
		abort();
	if (!strcmp(kind, "segv"))
		raise(SIGSEGV);
	if (!strcmp(kind, "null"))
		*(volatile int *)(long)go_on = 1;
	if (!strcmp(kind, "term"))
		kill(getpid(), SIGTERM);
	if (!strcmp(kind, "kill"))
		kill(getpid(), SIGKILL);
	if (!strcmp(kind, "sleep"))
		for (;;)
			nap_raw(1);
	if (!strcmp(kind, "kill_joined")) {
		pthread_create(&t, NULL, kill_in_thread, NULL);
		pthread_join(t, NULL);
	}
	if (!strcmp(kind, "deadlock")) {
		pthread_mutex_lock(&first);
		pthread_create(&t, NULL, embrace, NULL);
		increment(&embraced);
		await_raw(&embraced, 2);
		pthread_mutex_lock(&second);
	}
	if (!strcmp(kind, "pthread_exit")) {
		increment(&go_on);
		pthread_exit(NULL);
	}
}

int main(int argc, char **argv)
{
	pthread_t t;
	struct rlimit no_core = {0, 0};
	setrlimit(RLIMIT_CORE, &no_core);
	for (long i = 0; i < THREADS; i++)
		pthread_create(&t, NULL, worker, (void *)i);
	await_seldom(&ready, THREADS);
	puts("alive");
	fflush(stdout);
	truth("cpu", used[0] + used[1]);
	truth("locks", THREADS * LOCKS);
	truth("pid", getpid());
	truth_end();
	die(argc > 1 ? argv[1] : "return");
	return 4;
}

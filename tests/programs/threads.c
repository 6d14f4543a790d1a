/* SPDX-License-Identifier: MIT */
/* threads KIND [NUMBER]: churn (short-lived threads), crowd (many at once), keys (destructors of
 * thread-specific data that lock), names, detached, small (smallest stacks), raw (a thread by
 * clone(2), unknown to libc), fork (from a thread, others lock). */
#include "truth.h"
#include <sched.h>
#include <sys/prctl.h>
#include <sys/mman.h>
#include <sys/wait.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_key_t key;
static volatile int count, ended, stop;
static pthread_barrier_t all_here;

static void *count_once(void *unused)
{
	pthread_mutex_lock(&lock);
	count++;
	pthread_mutex_unlock(&lock);
	return unused;
}

static void *churn_some(void *number)
{
	for (long i = 0; i < (long)number; i++) {
		pthread_t t;
		if (pthread_create(&t, NULL, count_once, NULL) == 0)
			pthread_join(t, NULL);
	}
	return NULL;
}

static void churn(long number)
{
	pthread_t t;
	pthread_create(&t, NULL, churn_some, (void *)(number / 2));
	churn_some((void *)(number - number / 2));
	pthread_join(t, NULL);
}

static void *stand(void *unused)
{
	count_once(NULL);
	pthread_barrier_wait(&all_here);
	BURN(0.0003);
	return unused;
}

static void crowd(int number)
{
	pthread_t *t = calloc((size_t)number, sizeof *t);
	pthread_attr_t attr;
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, 64 << 10);
	pthread_barrier_init(&all_here, NULL, (unsigned)number + 1);
	for (int i = 0; i < number; i++)
		if (pthread_create(&t[i], &attr, stand, NULL))
			abort();
	pthread_barrier_wait(&all_here);
	for (int i = 0; i < number; i++)
		pthread_join(t[i], NULL);
	free(t);
}

static void destroy_key(void *value)
{
	long rounds = (long)value;
	for (int i = 0; i < 10; i++)
		count_once(NULL);
	if (rounds > 1)
		pthread_setspecific(key, (void *)(rounds - 1));
}

static void *set_key(void *unused)
{
	pthread_setspecific(key, (void *)3);
	return unused;
}

static void keys(int number)
{
	pthread_key_create(&key, destroy_key);
	for (int i = 0; i < number; i++) {
		pthread_t t;
		pthread_create(&t, NULL, set_key, NULL);
		pthread_join(t, NULL);
	}
}

static void *named(void *unused)
{
	char name[16];
	pthread_setname_np(pthread_self(), "by-pthread");
	BURN(0.03);
	pthread_getname_np(pthread_self(), name, sizeof name);
	puts(name);
	return unused;
}

static void *named_prctl(void *unused)
{
	prctl(PR_SET_NAME, "by-prctl");
	BURN(0.03);
	return unused;
}

static void names(void)
{
	pthread_t t;
	pthread_create(&t, NULL, named, NULL);
	pthread_join(t, NULL);
	pthread_create(&t, NULL, named_prctl, NULL);
	pthread_join(t, NULL);
}

/* The smallest stacks there are, under samples. */
static void *compute_small(void *unused)
{
	BURN(0.05);
	count_once(NULL);
	return unused;
}

static void small(int number)
{
	pthread_attr_t attr;
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, (size_t)sysconf(_SC_THREAD_STACK_MIN));
	for (int i = 0; i < number; i++) {
		pthread_t t;
		if (pthread_create(&t, &attr, compute_small, NULL))
			abort();
		pthread_join(t, NULL);
	}
}

static void *end_later(void *unused)
{
	nap_raw(0.002);
	count_once(NULL);
	increment(&ended);
	return unused;
}

static void detached(int number)
{
	for (int i = 0; i < number; i++) {
		pthread_t t;
		pthread_create(&t, NULL, end_later, NULL);
		pthread_detach(t);
	}
	await_raw(&ended, number);
	nap_raw(0.02);
}

static int raw_thread(void *unused)
{
	(void)unused;
	for (volatile long i = 0; i < 30000000; i++)
		;
	increment(&count);
	return 0;
}

static void raw(void)
{
	char *stack =
		mmap(NULL, 1 << 16, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int flags =
		CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM;
	if (clone(raw_thread, stack + (1 << 16) - 64, flags, NULL) < 0)
		abort();
	await_raw(&count, 1);
	nap_raw(0.01);
}

static void *lock_much(void *unused)
{
	while (!stop) {
		pthread_mutex_lock(&lock);
		free(malloc(100));
		pthread_mutex_unlock(&lock);
	}
	return unused;
}

static void *fork_much(void *number)
{
	for (long i = 0; i < (long)number; i++) {
		int status;
		pid_t child = fork();
		if (child == 0) {
			pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER;
			pthread_mutex_lock(&own);
			pthread_mutex_unlock(&own);
			free(malloc(1000));
			if (i % 2)
				_exit(3);
			exit(3);
		}
		waitpid(child, &status, 0);
		count += WIFEXITED(status) && WEXITSTATUS(status) == 3;
	}
	return NULL;
}

static void fork_from_thread(long number)
{
	pthread_t locker, forker;
	pthread_create(&locker, NULL, lock_much, NULL);
	pthread_create(&forker, NULL, fork_much, (void *)number);
	pthread_join(forker, NULL);
	stop = 1;
	pthread_join(locker, NULL);
}

int main(int argc, char **argv)
{
	const char *kind = argc > 1 ? argv[1] : "";
	int number = argc > 2 ? atoi(argv[2]) : 1;
	if (!strcmp(kind, "churn"))
		churn(number);
	else if (!strcmp(kind, "crowd"))
		crowd(number);
	else if (!strcmp(kind, "keys"))
		keys(number);
	else if (!strcmp(kind, "names"))
		names();
	else if (!strcmp(kind, "detached"))
		detached(number);
	else if (!strcmp(kind, "small"))
		small(number);
	else if (!strcmp(kind, "raw"))
		raw();
	else if (!strcmp(kind, "fork"))
		fork_from_thread(number);
	else
		return 2;
	printf("%d\n", count);
	fflush(stdout);
	truth("count", count);
	truth_end();
	return 0;
}

/* SPDX-License-Identifier: MIT */
/* Programs that make no progress, and programs that only look so: the first argument says which. An
 * alarm ends each of them after ten seconds; when all of it is in place, it says so by the file
 * that READY_FILE names. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { LIFE_S = 10 };

static pthread_mutex_t first_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t second_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t third_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t table = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t meeting, start;
static sem_t tokens;
static volatile bool is_full;

static void nap(unsigned milliseconds)
{
	const struct timespec length = {milliseconds / 1000, milliseconds % 1000 * 1000000L};

	nanosleep(&length, NULL);
}

static void say_ready(void)
{
	const char *path = getenv("READY_FILE");

	if (path)
		close(open(path, O_CREAT | O_WRONLY, 0600));
}

static pthread_t make(void *(*routine)(void *), void *argument)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, routine, argument))
		exit(2);
	return thread;
}

/* ---- deadlocks */

struct order {
	pthread_mutex_t *has, *wants;
};

static void *take_both(void *argument)
{
	const struct order *order = argument;

	pthread_mutex_lock(order->has);
	pthread_barrier_wait(&start);
	pthread_mutex_lock(order->wants);
	return NULL;
}

/* As many threads as locks, each with one and waiting for the next. */
static void lock_order(unsigned count)
{
	static struct order orders[] = {{&first_lock, &second_lock},
					{&second_lock, &third_lock},
					{&third_lock, &first_lock}};

	pthread_barrier_init(&start, NULL, count);
	orders[count - 1].wants = &first_lock;
	pthread_t last = pthread_self();
	for (unsigned i = 0; i < count; i++)
		last = make(take_both, &orders[i]);
	pthread_join(last, NULL);
}

static void *lock_twice(void *argument)
{
	(void)argument;
	pthread_mutex_lock(&first_lock);
	pthread_mutex_lock(&first_lock);
	return NULL;
}

static void *write_alone(void *argument)
{
	(void)argument;
	pthread_rwlock_wrlock(&table);
	nap(200);
	pthread_mutex_lock(&first_lock);
	return NULL;
}

/* A reader that holds a lock wants the table that a writer has, who wants the lock. */
static void rwlock_cycle(void)
{
	pthread_mutex_lock(&first_lock);
	make(write_alone, NULL);
	nap(100);
	pthread_rwlock_rdlock(&table);
}

/* The reader would become the writer, and waits for itself to stop reading. */
static void *upgrade(void *argument)
{
	(void)argument;
	pthread_rwlock_rdlock(&table);
	pthread_rwlock_wrlock(&table);
	return NULL;
}

static void *wait_filled(void *argument)
{
	(void)argument;
	pthread_mutex_lock(&first_lock);
	while (!is_full)
		pthread_cond_wait(&filled, &first_lock);
	pthread_mutex_unlock(&first_lock);
	return NULL;
}

static void *lock_first(void *argument)
{
	(void)argument;
	pthread_mutex_lock(&first_lock);
	pthread_mutex_unlock(&first_lock);
	return NULL;
}

static void *meet(void *argument)
{
	(void)argument;
	pthread_barrier_wait(&meeting);
	return NULL;
}

/* Joins a thread that wants the lock which it holds. */
static void join_cycle(void)
{
	pthread_mutex_lock(&first_lock);
	pthread_join(make(lock_first, NULL), NULL);
}

static void *keep_lock(void *argument)
{
	(void)argument;
	pthread_mutex_lock(&first_lock);
	return NULL;
}

static void orphan(void)
{
	pthread_join(make(keep_lock, NULL), NULL);
	nap(50);
	pthread_mutex_lock(&first_lock);
}

struct ends {
	int in, out;
	bool is_child;
};

/* Of two processes with a pipe in each direction. words: that lie in the child's already. */
static struct ends two_processes(int words)
{
	int there[2], back[2];
	char word = 0;

	if (pipe(there) || pipe(back))
		exit(2);
	while (words--)
		if (write(there[1], &word, 1) != 1)
			exit(2);
	pid_t child = fork();
	struct ends ends = {child ? back[0] : there[0], child ? there[1] : back[1], !child};

	alarm(LIFE_S);
	/* their first calls that anybody sees */
	close(child ? there[0] : back[0]);
	close(child ? back[1] : there[1]);
	return ends;
}

/* Two processes that both read before they write. exchanges: words that each sends to the other
 * before. */
static void pipe_cycle(int exchanges)
{
	struct ends ends = two_processes(0);
	char word = 0;

	while (exchanges-- && write(ends.out, &word, 1) == 1 && read(ends.in, &word, 1) == 1)
		continue;
	while (read(ends.in, &word, 1) == 1 && write(ends.out, &word, 1) == 1)
		continue;
}

/* The same, of which the child has not waited for anything before. */
static void quick_pipes(void)
{
	enum { WORDS = 20 };
	struct ends ends = two_processes(WORDS);
	char word = 0;

	for (int i = 0; ends.is_child && i < WORDS; i++)
		if (read(ends.in, &word, 1) != 1 || write(ends.out, &word, 1) != 1)
			exit(2);
	while (read(ends.in, &word, 1) == 1)
		continue;
}

/* ---- what only looks so */

static void *serve(void *argument)
{
	struct epoll_event event;
	int set = epoll_create1(0);

	(void)argument;
	epoll_wait(set, &event, 1, -1);
	return NULL;
}

/* Waits for events, and would hand them to a pool. */
static void server_pool(void)
{
	for (int i = 0; i < 3; i++)
		make(wait_filled, NULL);
	serve(NULL);
}

static void *take_tokens(void *argument)
{
	(void)argument;
	for (;;)
		sem_wait(&tokens);
	return NULL;
}

static void producer(void)
{
	make(take_tokens, NULL);
	for (;;) {
		sem_post(&tokens);
		nap(20);
	}
}

static void *compute(void *argument)
{
	volatile unsigned long *sum = argument;

	for (;;)
		++*sum;
	return NULL;
}

static void *hold_and_compute(void *argument)
{
	pthread_mutex_lock(&first_lock);
	return compute(argument);
}

static unsigned long sum;

/* All wait for one who works. */
static void one_works(void)
{
	make(hold_and_compute, &sum);
	nap(50);
	make(wait_filled, NULL);
	pthread_join(make(lock_first, NULL), NULL);
}

static void *wait_limited(void *argument)
{
	struct timespec until;

	(void)argument;
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += LIFE_S;
	pthread_mutex_lock(&second_lock);
	pthread_cond_timedwait(&filled, &second_lock, &until);
	return NULL;
}

static void sleeper(void)
{
	make(wait_filled, NULL);
	for (;;)
		nap(10000);
}

static void signals(void)
{
	sigset_t set;
	int number;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigprocmask(SIG_BLOCK, &set, NULL);
	make(wait_filled, NULL);
	sigwait(&set, &number);
}

static void terminal(void)
{
	char word;

	make(wait_filled, NULL);
	while (read(0, &word, 1) == 1)
		continue;
}

static void parent(void)
{
	pid_t child = fork();

	if (!child) {
		alarm(LIFE_S);
		compute(&sum);
	}
	waitpid(child, NULL, 0);
}

static void yield(void)
{
	for (;;) {
		pthread_mutex_lock(&first_lock);
		nap(1);
		pthread_mutex_unlock(&first_lock);
	}
}

static void *yield_in_thread(void *argument)
{
	(void)argument;
	yield();
	return NULL;
}

static void *ready_later(void *argument)
{
	(void)argument;
	nap(600);
	say_ready();
	return NULL;
}

int main(int count, char **words)
{
	const char *what = count > 1 ? words[1] : "";

	alarm(LIFE_S);
	/* it has ended before anybody looks */
	make(ready_later, NULL);
	if (!strcmp(what, "two_locks"))
		lock_order(2);
	else if (!strcmp(what, "three_locks"))
		lock_order(3);
	else if (!strcmp(what, "self"))
		pthread_join(make(lock_twice, NULL), NULL);
	else if (!strcmp(what, "rwlock"))
		rwlock_cycle();
	else if (!strcmp(what, "upgrade"))
		pthread_join(make(upgrade, NULL), NULL);
	else if (!strcmp(what, "wake_up"))
		pthread_join(make(wait_filled, NULL), NULL);
	else if (!strcmp(what, "barrier")) {
		pthread_barrier_init(&meeting, NULL, 3);
		make(meet, NULL);
		pthread_join(make(meet, NULL), NULL);
	} else if (!strcmp(what, "join"))
		join_cycle();
	else if (!strcmp(what, "orphan"))
		orphan();
	else if (!strcmp(what, "pipes"))
		pipe_cycle(0);
	else if (!strcmp(what, "used_pipes"))
		pipe_cycle(20);
	else if (!strcmp(what, "quick_pipes"))
		quick_pipes();
	else if (!strcmp(what, "server"))
		server_pool();
	else if (!strcmp(what, "producer"))
		producer();
	else if (!strcmp(what, "one_works"))
		one_works();
	else if (!strcmp(what, "limited"))
		pthread_join(make(wait_limited, NULL), NULL);
	else if (!strcmp(what, "sleeper"))
		sleeper();
	else if (!strcmp(what, "signals"))
		signals();
	else if (!strcmp(what, "terminal"))
		terminal();
	else if (!strcmp(what, "parent"))
		parent();
	else if (!strcmp(what, "computing"))
		compute(&sum);
	else if (!strcmp(what, "yielding")) {
		make(yield_in_thread, NULL);
		yield();
	}
	return 0;
}

/* SPDX-License-Identifier: MIT */
/* A handler of the program at exactly one instruction of a wrapped call of libc's: locks,
 * semaphores, conditions, pipes, births; and of a sample. See interrupted.h. */
#include "interrupted_tracer.h"

enum { MANY = 8 };

struct objects {
	pthread_mutex_t mutex;
	pthread_cond_t condition;
	pthread_barrier_t barrier;
	sem_t semaphore, many[MANY];
};
static struct objects objects, unused;
static int pipe_ends[2];
static volatile bool is_signalled;

static void lock_and_unlock(void)
{
	DO(MUTEX_LOCK, pthread_mutex_lock(&objects.mutex));
	DO(UNLOCKS, pthread_mutex_unlock(&objects.mutex));
}

static void lock(void)
{
	DO(MUTEX_LOCK, pthread_mutex_lock(&objects.mutex));
}

static void unlock(void)
{
	DO(UNLOCKS, pthread_mutex_unlock(&objects.mutex));
}

static void post(void)
{
	DO(SEM_POST, sem_post(&objects.semaphore));
}

static void take(void)
{
	DO(SEM_WAIT, sem_wait(&objects.semaphore));
}

static void post_and_take(void)
{
	post();
	take();
}

/* Enough objects that the table of calls becomes larger in the middle of it. */
static void post_many(void)
{
	for (int i = 0; i < MANY; i++)
		DO(SEM_POST, sem_post(&objects.many[i]));
}

/* The same in two parts: little more than the growth. */
static void post_others(void)
{
	for (int i = 0; i < MANY - 1; i++)
		DO(SEM_POST, sem_post(&objects.many[i]));
}

static void post_last(void)
{
	DO(SEM_POST, sem_post(&objects.many[MANY - 1]));
}

static void time_out(void)
{
	struct timespec until = deadline(CLOCK_REALTIME, 0.002);
	volatile int result = 0;

	lock();
	while (!result)
		DO(COND_TIMEDWAIT,
		   result = pthread_cond_timedwait(&objects.condition, &objects.mutex, &until));
	unlock();
}

static void wait_for_signal(void)
{
	lock();
	while (!is_signalled)
		DO(COND_WAIT, pthread_cond_wait(&objects.condition, &objects.mutex));
	is_signalled = false;
	unlock();
}

/* Who waits is asleep: the mutex, which a jump would leave locked, is not needed. */
static void give_signal(void)
{
	is_signalled = true;
	DO(COND_SIGNAL, pthread_cond_signal(&objects.condition));
}

static void meet(void)
{
	DO(BARRIER_WAIT, pthread_barrier_wait(&objects.barrier));
}

static void write_byte(void)
{
	DO(WRITE, write(pipe_ends[1], "", 1));
}

static void read_byte(void)
{
	char byte;
	DO(READ, read(pipe_ends[0], &byte, 1));
}

static void write_and_read(void)
{
	write_byte();
	read_byte();
}

static void *nothing(void *unused_argument)
{
	return unused_argument;
}

static void give_birth(void)
{
	pthread_t thread;

	DO(CREATE, pthread_create(&thread, NULL, nothing, NULL));
	DO(JOIN, pthread_join(thread, NULL));
}

static NOINLINE void compute(void)
{
	BURN(0.03);
}

static const struct operation operations[] = {
	{.name = "lock", .work = lock_and_unlock},
	{.name = "lock_taken", .work = lock_and_unlock, .before = lock, .later = unlock},
	{.name = "post", .work = post, .again = post},
	{.name = "post_many", .work = post_many, .again = post_many},
	{.name = "post_last", .work = post_last, .prepare = post_others, .again = post_last},
	{.name = "post_awaited", .work = post, .later = take, .wake = post},
	{.name = "take", .work = post_and_take, .again = post_and_take},
	{.name = "take_awaited", .work = take, .later = post},
	{.name = "time_out", .work = time_out},
	{.name = "signal",
	 .work = give_signal,
	 .later = wait_for_signal,
	 .wake = give_signal,
	 .has_locks = true},
	{.name = "meet", .work = meet},
	{.name = "read", .work = write_and_read},
	{.name = "read_awaited", .work = read_byte, .later = write_byte},
	{.name = "birth", .work = give_birth, .has_locks = true},
	{.name = "sample", .work = compute, .way = {.from_sample = true}},
};

static void program_begin(void)
{
	if (pipe(pipe_ends))
		_exit(92);
}

static void program_renew(void)
{
	char byte;

	objects = unused;
	is_signalled = false;
	fcntl(pipe_ends[0], F_SETFL, O_NONBLOCK);
	while (syscall(SYS_read, pipe_ends[0], &byte, 1) == 1)
		;
	fcntl(pipe_ends[0], F_SETFL, 0);
}

static void program_end(void)
{
}

int main(int count, char **words)
{
	pthread_barrier_init(&objects.barrier, NULL, 1);
	unused = objects;
	return disturb_operation(operations, sizeof operations / sizeof *operations, count, words);
}

/* SPDX-License-Identifier: MIT */
/* A process that does an operation: once disturbed by a handler, and then several times more. */
#pragma once
#include "interrupted.h"

#include <semaphore.h>
#include <setjmp.h>

enum { REPEATS = 3, TIME_LIMIT = 120, HANDLER_POSTS = 8 };

static const struct operation *operation;

/* ---- the handler ---- */

enum { HANDLER_CALLS = 1, HANDLER_FORKS = 2, HANDLER_JUMPS = 4 };
static const struct handler {
	const char *name;
	int does;
} handlers[] = {
	{"calls", HANDLER_CALLS},
	{"fork", HANDLER_FORKS},
	{"jump", HANDLER_JUMPS},
	{"leap", HANDLER_CALLS | HANDLER_JUMPS},
};
enum { HANDLERS = sizeof handlers / sizeof *handlers };
static int handler_does;
static sigjmp_buf outside;
static volatile bool may_jump;

static struct {
	pthread_mutex_t mutex;
	sem_t posted[HANDLER_POSTS];
	int pipe[2];
} own; /* of the handler */

static void doze(void)
{
	struct timespec short_time = {0, 1};

	DO(NANOSLEEP, nanosleep(&short_time, NULL));
}

/* So many that the table of calls becomes larger in the middle of the work that does so, too. */
static void make_calls(void)
{
	DO(MUTEX_LOCK, pthread_mutex_lock(&own.mutex));
	DO(UNLOCKS, pthread_mutex_unlock(&own.mutex));
	for (int i = 0; i < HANDLER_POSTS; i++)
		DO(SEM_POST, sem_post(&own.posted[i]));
	doze();
	DO(WRITE, write(own.pipe[1], "", 1));
	if (operation->again)
		operation->again();
}

static void make_child(void)
{
	pid_t child;
	int status;

	DO(FORK, child = fork());
	if (!child)
		_exit(0);
	DO(WAIT_CHILD, waitpid(child, &status, 0));
}

static void handle(int number)
{
	int saved = errno;

	(void)number;
	shared->handled++;
	if (handler_does & HANDLER_CALLS)
		make_calls();
	if (handler_does & HANDLER_FORKS)
		make_child();
	errno = saved;
	if (handler_does & HANDLER_JUMPS && may_jump) {
		may_jump = false;
		siglongjmp(outside, 1);
	}
}

/* ---- the helper ---- */

static volatile int rounds_begun, rounds_ready, rounds_done, is_over;
static volatile bool is_working, may_go_on;
static pid_t first, helper;

/* The first thread also sleeps between the rounds. */
static void await_asleep(pid_t thread)
{
	while (!(is_asleep_raw(thread) && (thread != first || is_working)) && !may_go_on)
		nap_raw(0.0003);
}

static void *help(void *unused_argument)
{
	helper = (pid_t)syscall(SYS_gettid);
	for (int round = 1;; round++) {
		await_raw(&rounds_begun, round);
		if (is_over)
			return unused_argument;
		if (operation->before)
			operation->before();
		increment(&rounds_ready);
		if (!operation->wake)
			await_asleep(first);
		operation->later();
		increment(&rounds_done);
	}
}

static void begin_round(void)
{
	if (!operation->later)
		return;
	may_go_on = false;
	await_raw(&rounds_ready, increment(&rounds_begun));
	if (operation->wake)
		await_asleep(helper);
	is_working = true;
}

/* The helper has done its part, also if the first thread has left its own. */
static void end_round(void)
{
	is_working = false;
	may_go_on = true;
	for (double begin = now(); rounds_done < rounds_begun; nap_raw(0.0003))
		if (operation->wake && now() > begin + 0.2) {
			operation->wake();
			begin = now();
		}
}

/* ---- the child ---- */

/* A process without calls has no profile yet: that takes a million steps. After the rows of counts
 * lie others, so that what writes behind them does harm. */
static void make_profile(void)
{
	static pthread_mutex_t first_mutex;

	DO(MUTEX_LOCK, pthread_mutex_lock(&first_mutex));
	DO(UNLOCKS, pthread_mutex_unlock(&first_mutex));
	doze();
}

static void set_up(void)
{
	struct sigaction action = {.sa_handler = handle, .sa_flags = SA_RESTART};

	is_first = 1;
	first = (pid_t)syscall(SYS_gettid);
	alarm(TIME_LIMIT);
	sigaction(SIGUSR1, &action, NULL);
	if (pipe(own.pipe))
		_exit(92);
	program_begin();
	make_profile();
	if (operation->prepare)
		operation->prepare();
}

static void renew(void)
{
	shared->left = shared->under_way;
	shared->under_way = CALL_NONE;
	program_renew();
}

static void work_disturbed(void)
{
	begin_round();
	if (!sigsetjmp(outside, 1)) {
		may_jump = true;
		steps_begin();
		operation->work();
		shared->steps.is_over = true;
		may_jump = false;
		end_round();
	} else {
		end_round();
		renew();
	}
}

static int be_child(void)
{
	pthread_t thread;

	set_up();
	steps_let_trace();
	if (operation->later)
		DO(CREATE, pthread_create(&thread, NULL, help, NULL));
	work_disturbed();
	for (int i = 0; i < REPEATS; i++) {
		doze(); /* what a jump has left is closed at the thread's next wait */
		begin_round();
		operation->work();
		end_round();
	}
	is_over = 1;
	increment(&rounds_begun);
	if (operation->later)
		DO(JOIN, pthread_join(thread, NULL));
	program_end();
	return 0;
}

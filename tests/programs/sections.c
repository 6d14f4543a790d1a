/* SPDX-License-Identifier: MIT */
/* sections KIND: a program that names parts of its run, and knows what they took.
 *
 *   levels      "alone": the first thread computes; "pair": two do; "idle": both sleep
 *   intervals   90 times "step" of 1 ms and 10 of 20 ms, of which 5 wait for a file
 *   threads N   8 threads, each N times "work", and "inner" within it at every third
 *   frequent N  N times "step", empty
 *   phases      three phases, told by two threads
 *   marks       values at points
 *   odd         ends without begins, of other threads, of names that are not open; jumps over ends
 *   names N     N names, some very long, some of bytes that are no UTF-8
 *   forked      begun before a fork, ended after it by both; and exec within
 *   handlers    a signal handler that tells sections while the program does
 *   killed      within "outer" and "inner" when SIGKILL comes
 *   locks       a lock that has a name
 *
 * Truth: how often each began, and the program's own sums of their lengths. */
#include "ptrace.h"
#include "truth.h"

#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <sys/time.h>
#include <sys/wait.h>

static NOINLINE void compute(double seconds)
{
	SPIN(seconds);
	KEEP;
}

/* ---- T_i */

static pthread_barrier_t meeting;

static void *second(void *unused)
{
	pthread_barrier_wait(&meeting);
	compute(0.3);
	pthread_barrier_wait(&meeting);
	pthread_barrier_wait(&meeting);
	return unused;
}

static void levels(void)
{
	pthread_t thread;

	pthread_barrier_init(&meeting, NULL, 2);
	pthread_create(&thread, NULL, second, NULL);
	ptrace_begin("alone");
	compute(0.3);
	ptrace_end("alone");
	ptrace_begin("pair");
	pthread_barrier_wait(&meeting);
	compute(0.3);
	pthread_barrier_wait(&meeting);
	ptrace_end("pair");
	ptrace_begin("idle");
	usleep(200000);
	ptrace_end("idle");
	pthread_barrier_wait(&meeting);
	pthread_join(thread, NULL);
}

/* ---- lengths */

static void intervals(void)
{
	double sum = 0;

	for (int i = 0; i < 100; i++) {
		double begin = now();
		ptrace_begin("step");
		if (i % 20 == 7)
			usleep(20000);
		else
			compute(i % 10 == 7 ? 0.02 : 0.001);
		ptrace_end("step");
		sum += now() - begin;
	}
	truth("step", 100);
	truth("step_seconds", sum);
}

/* ---- threads */

enum { THREADS = 8 };
static int times;
static double lengths[THREADS];

static void *work(void *number)
{
	int self = (int)(intptr_t)number;

	for (int i = 0; i < times; i++) {
		double begin = now();
		ptrace_begin("work");
		compute(0.0002);
		if (i % 3 == 0) {
			ptrace_begin("inner");
			compute(0.0001);
			ptrace_end("inner");
		}
		ptrace_end("work");
		lengths[self] += now() - begin;
	}
	return NULL;
}

static void threads(int count)
{
	pthread_t handles[THREADS];
	double sum = 0;

	times = count;
	for (intptr_t i = 0; i < THREADS; i++)
		pthread_create(&handles[i], NULL, work, (void *)i);
	for (int i = 0; i < THREADS; i++)
		pthread_join(handles[i], NULL);
	for (int i = 0; i < THREADS; i++)
		sum += lengths[i];
	truth("work", THREADS * count);
	truth("inner", THREADS * ((count + 2) / 3));
	truth("work_seconds", sum);
}

static void frequent(int count)
{
	double begin = now();

	for (int i = 0; i < count; i++) {
		ptrace_begin("step");
		ptrace_end("step");
	}
	truth("step", count);
	truth("seconds", now() - begin);
}

/* ---- phases, marks */

static void *next_phase(void *unused)
{
	ptrace_phase("solve");
	compute(0.1);
	return unused;
}

static void phases(void)
{
	pthread_t thread;

	ptrace_phase("read");
	compute(0.1);
	pthread_create(&thread, NULL, next_phase, NULL);
	pthread_join(thread, NULL);
	ptrace_phase("write");
	usleep(50000);
	ptrace_phase(NULL);
	compute(0.05);
}

static void marks(void)
{
	for (int i = 0; i < 100; i++) {
		ptrace_mark("step", i);
		ptrace_mark("residual", 50 - 3 * i);
	}
}

/* ---- what is not as it should be */

static jmp_buf back;

static void *ends_of_others(void *unused)
{
	ptrace_end("mine");
	return unused;
}

static NOINLINE void leave(void)
{
	ptrace_begin("left");
	longjmp(back, 1);
}

static void odd(void)
{
	pthread_t thread;

	ptrace_end("never");
	ptrace_end(NULL);
	ptrace_begin("mine");
	pthread_create(&thread, NULL, ends_of_others, NULL);
	pthread_join(thread, NULL);
	ptrace_end("another");
	if (!setjmp(back))
		leave();
	ptrace_end("mine"); /* and "left" within it */
	ptrace_begin(NULL);
	ptrace_end(NULL);
	ptrace_begin("");
	ptrace_end("");
	for (int i = 0; i < 40; i++)
		ptrace_begin("deep");
	for (int i = 0; i < 40; i++)
		ptrace_end("deep");
	ptrace_begin("last");
	ptrace_end("last");
	ptrace_begin("open"); /* until the end of the process */
}

static void names(int count)
{
	static char longer[10240];

	memset(longer, 'n', sizeof longer - 1);
	ptrace_begin("first");
	ptrace_end("first");
	ptrace_begin(longer);
	ptrace_end(longer);
	ptrace_begin("\xff\xfe not text \x80");
	ptrace_end("\xff\xfe not text \x80");
	ptrace_begin("quote\" and \\ and <b>&amp;\n\t");
	ptrace_end("quote\" and \\ and <b>&amp;\n\t");
	for (int i = 0; i < count; i++) {
		char name[32];

		snprintf(name, sizeof name, "name %d", i);
		ptrace_begin(name);
		ptrace_end(name);
	}
	truth("all", 4 + count);
}

/* ---- processes, signals */

static void forked(const char *self)
{
	ptrace_begin("around");
	pid_t child = fork();

	if (!child) {
		compute(0.02);
		ptrace_end("around");
		ptrace_begin("of the child");
		compute(0.02);
		ptrace_end("of the child");
		_exit(0);
	}
	waitpid(child, NULL, 0);
	child = fork();
	if (!child) {
		ptrace_begin("before exec");
		execl(self, self, "marks", NULL);
		_exit(9);
	}
	waitpid(child, NULL, 0);
	ptrace_end("around");
}

static volatile sig_atomic_t handled;

static void handle(int number)
{
	(void)number;
	ptrace_begin("in a handler");
	ptrace_end("in a handler");
	handled++;
}

static void handlers(void)
{
	struct itimerval often = {{0, 200}, {0, 200}};
	double until = now() + 0.5;
	int count = 0;

	signal(SIGALRM, handle);
	setitimer(ITIMER_REAL, &often, NULL);
	while (now() < until) {
		ptrace_begin("step");
		count++;
		ptrace_end("step");
	}
	setitimer(ITIMER_REAL, &(struct itimerval){0}, NULL);
	truth("step", count);
	truth("handled", handled);
}

static void killed(void)
{
	ptrace_begin("outer");
	compute(0.1);
	ptrace_begin("inner");
	compute(0.2);
	truth("outer", 1);
	truth_end();
	kill(getpid(), SIGKILL);
}

static pthread_mutex_t table[4];

static void *lock_table(void *unused)
{
	for (int i = 0; i < 20; i++) {
		pthread_mutex_lock(&table[2]);
		compute(0.002);
		pthread_mutex_unlock(&table[2]);
	}
	return unused;
}

static void locks(void)
{
	pthread_t handles[2];

	for (int i = 0; i < 4; i++)
		pthread_mutex_init(&table[i], NULL);
	ptrace_name(table, sizeof table, "table");
	ptrace_begin("fill");
	for (int i = 0; i < 2; i++)
		pthread_create(&handles[i], NULL, lock_table, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(handles[i], NULL);
	ptrace_end("fill");
}

int main(int count, char **arguments)
{
	const char *kind = count > 1 ? arguments[1] : "";
	int number = count > 2 ? atoi(arguments[2]) : 0;

	if (!strcmp(kind, "levels"))
		levels();
	else if (!strcmp(kind, "intervals"))
		intervals();
	else if (!strcmp(kind, "threads"))
		threads(number);
	else if (!strcmp(kind, "frequent"))
		frequent(number);
	else if (!strcmp(kind, "phases"))
		phases();
	else if (!strcmp(kind, "marks"))
		marks();
	else if (!strcmp(kind, "odd"))
		odd();
	else if (!strcmp(kind, "names"))
		names(number);
	else if (!strcmp(kind, "forked"))
		forked(arguments[0]);
	else if (!strcmp(kind, "handlers"))
		handlers();
	else if (!strcmp(kind, "killed"))
		killed();
	else if (!strcmp(kind, "locks"))
		locks();
	else
		return 2;
	truth_end();
	return 0;
}

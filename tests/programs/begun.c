/* SPDX-License-Identifier: MIT */
/* What surrounds a routine whose begin is told (-pg, -mfentry), and must not be disturbed:
 * arguments of all kinds, results in memory, static chains, handlers on stacks of their own, small
 * stacks, code that runs before and after main, resolvers of ifuncs, vfork. Counts its own calls;
 * what it computes is on stdout. */
#include "truth.h"

#include <signal.h>
#include <stdint.h>
#include <sys/wait.h>

#define NOT_TOLD __attribute__((no_instrument_function))

#define ROUTINES(X)                                                                                \
	X(sum)                                                                                     \
	X(make)                                                                                    \
	X(mean) X(apply) X(nested) X(on_alarm) X(on_thread) X(of_child) X(early) X(late)

enum number {
#define NUMBER(name) N_##name,
	ROUTINES(NUMBER)
#undef NUMBER
		COUNT
};
static uint64_t counts[COUNT];

#define COUNT_CALL(name) __atomic_fetch_add(&counts[N_##name], 1, __ATOMIC_RELAXED)

/* In a library that is made ready before all others. */
int libbegun_value(void);
int libbegun_calls(void);

NOT_TOLD static void tell(void)
{
	static const char *const names[] = {
#define NAME(name) #name,
		ROUTINES(NAME)
#undef NAME
	};

	for (int i = 0; i < COUNT; i++)
		truth(names[i], (double)counts[i]);
	truth("libbegun_value", libbegun_calls());
	truth_end();
}

/* The first routine that runs, and before any library is ready. */
NOINLINE static double sum(int numbers, ...)
{
	va_list list;
	double result = 0;

	COUNT_CALL(sum);
	va_start(list, numbers);
	for (int i = 0; i < numbers; i++)
		result += va_arg(list, double);
	va_end(list);
	return result;
}

struct large {
	double values[6];
	long count;
};

NOINLINE static struct large make(double first, long double second, float third, long count)
{
	COUNT_CALL(make);
	return (struct large){.values = {first, (double)second, third}, .count = count};
}

NOINLINE static double mean(struct large large, double a, double b, double c, double d, double e,
			    double f, double g, double h)
{
	COUNT_CALL(mean);
	return (large.values[0] + large.values[1] + large.values[2] + a + b + c + d + e + f + g +
		h) /
	       (double)large.count;
}

NOINLINE static long apply(long (*function)(long), long value)
{
	COUNT_CALL(apply);
	return function(value) + function(value + 1);
}

/* A nested function of GNU C has its static chain in a register that no argument has. */
static long chained(long rounds)
{
	long total = 0;
#ifndef __clang__
	long step = rounds % 7;

	__attribute__((noinline)) long nested(long value)
	{
		COUNT_CALL(nested);
		total += step;
		return value * step;
	}
	for (long i = 0; i < rounds; i++)
		total += apply(nested, i);
#else
	(void)rounds;
	(void)apply;
#endif
	return total;
}

static void compute(void)
{
	double result = 0;

	for (int i = 0; i < 1000; i++) {
		struct large large = make(i, 0.5L * i, 0.25f, 11);
		result += sum(8, 1.0 * i, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0) +
			  mean(large, 1, 2, 3, 4, 5, 6, 7, i);
	}
	printf("%.17g %ld\n", result, chained(1000));
}

/* ---- stacks ---- */

static volatile sig_atomic_t alarms;

static void on_alarm(int unused)
{
	(void)unused;
	COUNT_CALL(on_alarm);
	alarms = alarms + 1;
}

NOT_TOLD static void handle(void)
{
	static char memory[32768];
	stack_t stack = {.ss_sp = memory, .ss_size = sizeof memory};
	struct sigaction action = {.sa_handler = on_alarm, .sa_flags = SA_ONSTACK};

	sigaltstack(&stack, NULL);
	sigaction(SIGUSR1, &action, NULL);
	for (int i = 0; i < 50; i++)
		raise(SIGUSR1);
	printf("%d signals\n", (int)alarms);
}

static void *on_thread(void *value)
{
	COUNT_CALL(on_thread);
	for (int i = 0; i < 100; i++)
		sum(3, 1.0, 2.0, 3.0);
	return value;
}

NOT_TOLD static void run_on_small_stacks(void)
{
	pthread_attr_t attributes;
	pthread_t threads[4];

	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, 32768);
	for (int i = 0; i < 4; i++)
		pthread_create(&threads[i], &attributes, on_thread, NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
}

/* ---- processes ---- */

NOINLINE static void of_child(int times)
{
	COUNT_CALL(of_child);
	if (times)
		of_child(times - 1);
	KEEP;
}

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
NOT_TOLD static void make_children(void)
{
	int status;
	pid_t child = vfork();

	if (!child) {
		of_child(9); /* in the parent's memory, and so one of its calls */
		_exit(7);
	}
	waitpid(child, &status, 0);
	printf("vfork child: %d\n", WEXITSTATUS(status));
}

/* ---- before and after ---- */

static int answer(void)
{
	return 42;
}

static int (*resolve(void))(void)
{
	return answer;
}

int resolved(void) __attribute__((ifunc("resolve")));

__attribute__((constructor)) static void early(void)
{
	COUNT_CALL(early);
	sum(1, 1.0);
}

__attribute__((destructor)) static void late(void)
{
	COUNT_CALL(late);
	tell();
}

NOT_TOLD int main(void)
{
	compute();
	handle();
	run_on_small_stacks();
	make_children();
	printf("%d %d\n", resolved(), libbegun_value());
	return 0;
}

/* SPDX-License-Identifier: MIT */
/* harm_replaced_handlers KIND: handlers on an alternate stack that are replaced by others. chain
 * (each calls the one that it has replaced, which it has asked libc for past all wrappers), other
 * (the same handler for a signal to which libc has moved it), many (more than a hundred). */
#include "truth.h"
#include <dlfcn.h>
#include <signal.h>
#include <stdint.h>

typedef void handler_with_info(int number, siginfo_t *info, void *context);

static char memory[65536];
static int (*libcs)(int number, const struct sigaction *action, struct sigaction *old);

static void set(int number, handler_with_info *handler)
{
	struct sigaction action = {.sa_sigaction = handler, .sa_flags = SA_ONSTACK | SA_SIGINFO};
	if (sigaction(number, &action, NULL))
		abort();
}

/* ---- chain, other */

enum { LINKS = 4, ROUNDS = 20 };

static struct sigaction replaced[LINKS];
static int called[LINKS];

static void print_mask(const char *where)
{
	uint64_t mask = 0;
	syscall(SYS_rt_sigprocmask, SIG_BLOCK, NULL, &mask, sizeof mask);
	printf("%s: blocked %lx\n", where, mask);
}

static void step(int link, int number, siginfo_t *info, void *context)
{
	if (++called[link] > ROUNDS) {
		puts("called again and again");
		exit(1);
	}
	BURN(0.001);
	if (replaced[link].sa_sigaction)
		replaced[link].sa_sigaction(number, info, context);
	if (called[link] == ROUNDS)
		print_mask("in a handler");
}

#define LINK(link)                                                                                 \
	static void link_##link(int number, siginfo_t *info, void *context)                        \
	{                                                                                          \
		step(link, number, info, context);                                                 \
	}

LINK(0)
LINK(1)
LINK(2)
LINK(3)

static void find_libcs(void)
{
	libcs = (int (*)(int, const struct sigaction *, struct sigaction *))dlsym(
		dlopen("libc.so.6", RTLD_NOW), "sigaction");
}

static void chain(void)
{
	static handler_with_info *const links[LINKS] = {link_0, link_1, link_2, link_3};
	find_libcs();
	for (int i = 0; i < LINKS; i++) {
		if (i)
			libcs(SIGUSR1, NULL, &replaced[i]);
		set(SIGUSR1, links[i]);
	}
	for (int i = 0; i < ROUNDS; i++) {
		raise(SIGUSR1);
		BURN(0.002);
	}
	for (int i = 0; i < LINKS; i++)
		printf("handler %d: called %d times\n", i, called[i]);
	print_mask("afterwards");
}

static void other(void)
{
	struct sigaction action;
	find_libcs();
	set(SIGUSR1, link_0);
	libcs(SIGUSR1, NULL, &action);
	set(SIGUSR1, link_1);
	libcs(SIGUSR2, &action, NULL);
	raise(SIGUSR1);
	raise(SIGUSR2);
	set(SIGTERM, action.sa_sigaction);
	raise(SIGTERM);
	sigaction(SIGTERM, NULL, &action);
	printf("called %d and %d times, the first now: %d\n", called[0], called[1],
	       action.sa_sigaction == link_0);
}

/* ---- many */

static int calls_of[256];

#define COUNTER(number)                                                                            \
	static void counter_##number(int signal)                                                   \
	{                                                                                          \
		calls_of[number] += signal;                                                        \
	}
#define ADDRESS(number)   counter_##number,
#define FOUR(use, digits) use(digits##0) use(digits##1) use(digits##2) use(digits##3)
#define SIXTEEN(use, digit)                                                                        \
	FOUR(use, digit##0) FOUR(use, digit##1) FOUR(use, digit##2) FOUR(use, digit##3)
#define ALL(use) SIXTEEN(use, 00) SIXTEEN(use, 01) SIXTEEN(use, 02) SIXTEEN(use, 03)

ALL(COUNTER)

static void many(void)
{
	static void (*const counters[])(int) = {ALL(ADDRESS)};
	int count = (int)(sizeof counters / sizeof *counters), wrong = 0, seen = 0;
	for (int i = 0; i < 4 * count; i++) {
		int number = i % 3 ? SIGUSR1 : SIGRTMIN + i % 7;
		struct sigaction action = {.sa_handler = counters[i % count]}, now;
		action.sa_flags = SA_ONSTACK | (i / count % 2 ? SA_SIGINFO : 0);
		sigaction(number, &action, NULL);
		raise(number);
		sigaction(number, NULL, &now);
		wrong += now.sa_handler != action.sa_handler ||
			 (now.sa_flags & (SA_ONSTACK | SA_SIGINFO)) != action.sa_flags;
	}
	for (int i = 0; i < 256; i++)
		seen += calls_of[i];
	printf("%d handlers, %d told wrongly, sum %d\n", count, wrong, seen);
}

int main(int argc, char **argv)
{
	const char *kind = argc > 1 ? argv[1] : "";
	stack_t stack = {.ss_sp = memory, .ss_size = sizeof memory};
	if (sigaltstack(&stack, NULL))
		return 1;
	if (!strcmp(kind, "chain"))
		chain();
	else if (!strcmp(kind, "other"))
		other();
	else if (!strcmp(kind, "many"))
		many();
	else
		return 2;
	return 0;
}

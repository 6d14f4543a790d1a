/* SPDX-License-Identifier: MIT */
/* signals KIND: masks (fill, read back), sigwait (with a full set), handlers (for every signal
 * there is), altstack (8 KiB), altstack_nested (samples inside its handlers), prof (owns SIGPROF by
 * setitimer), default (sets every signal to its default), chain (saves and restores handlers). */
#include "truth.h"
#include <signal.h>
#include <sys/time.h>

static volatile int seen, seen_of[65];

static void count_signal(int number)
{
	__atomic_add_fetch(&seen, 1, __ATOMIC_SEQ_CST);
	seen_of[number]++;
}

static void print_mask(const char *who, const sigset_t *set)
{
	printf("%s:", who);
	for (int i = 1; i <= 64; i++)
		if (i != 32 && i != 33)
			printf(" %d", sigismember(set, i));
	puts("");
}

static void *in_thread(void *who)
{
	sigset_t full, old, now_set, some;
	pthread_sigmask(SIG_SETMASK, NULL, &now_set);
	print_mask(who, &now_set);
	sigfillset(&full);
	pthread_sigmask(SIG_SETMASK, &full, &old);
	print_mask("old", &old);
	BURN(0.05);
	pthread_sigmask(SIG_BLOCK, NULL, &now_set);
	print_mask("filled", &now_set);
	sigemptyset(&some);
	sigaddset(&some, SIGUSR1);
	sigaddset(&some, SIGRTMAX);
	sigaddset(&some, SIGPROF);
	pthread_sigmask(SIG_UNBLOCK, &some, &old);
	sigprocmask(SIG_SETMASK, NULL, &now_set);
	print_mask("less", &now_set);
	pthread_sigmask(SIG_SETMASK, &some, NULL);
	pthread_sigmask(SIG_SETMASK, NULL, &now_set);
	print_mask("some", &now_set);
	BURN(0.05);
	return NULL;
}

static void masks(void)
{
	pthread_t t;
	sigset_t full;
	in_thread("main");
	sigfillset(&full);
	sigprocmask(SIG_SETMASK, &full, NULL);
	pthread_create(&t, NULL, in_thread, "inherited");
	pthread_join(t, NULL);
}

static volatile int waiting;

static void *wait_for_signals(void *unused)
{
	sigset_t full;
	sigfillset(&full);
	for (int i = 0; i < 4; i++) {
		int number = 0, error;
		siginfo_t info;
		BURN(0.02);
		increment(&waiting);
		error = i % 2 ? (number = sigwaitinfo(&full, &info)) < 0 : sigwait(&full, &number);
		printf("%d %d\n", error, number);
		BURN(0.02);
	}
	return unused;
}

static void sigwaits(void)
{
	static const int numbers[] = {SIGUSR1, SIGTERM, SIGALRM, SIGUSR2};
	pthread_t t;
	sigset_t full;
	sigfillset(&full);
	pthread_sigmask(SIG_SETMASK, &full, NULL);
	pthread_create(&t, NULL, wait_for_signals, NULL);
	for (int i = 0; i < 4; i++) {
		await_raw(&waiting, i + 1);
		nap_raw(0.01);
		kill(getpid(), numbers[i]);
	}
	pthread_join(t, NULL);
}

static void handlers(void)
{
	struct sigaction action = {.sa_handler = count_signal}, old;
	for (int i = 1; i <= 64; i++) {
		int result = sigaction(i, &action, &old);
		printf("%d: %d, %s\n", i, result,
		       result                      ? strerror(errno)
		       : old.sa_handler == SIG_DFL ? "default"
						   : "other");
	}
	BURN(0.1);
	for (int i = 1; i <= 64; i++) {
		if (i == SIGKILL || i == SIGSTOP || i == 32 || i == 33)
			continue;
		int before = seen_of[i];
		raise(i);
		sigaction(i, NULL, &old);
		printf("%d: seen %s, %s\n", i, seen_of[i] == before + 1 ? "once" : "otherwise",
		       old.sa_handler == count_signal ? "mine" : "not mine");
	}
	BURN(0.1);
}

/* Of 8 KiB the kernel's frames take up to 3.4 KiB each: this leaves a nested sample about 1 KiB. */
static volatile int compute_there;

static void on_small_stack(int number)
{
	(void)number;
	if (compute_there)
		BURN(0.03);
	increment(&seen);
}

static void *small_stack(void *unused)
{
	static __thread char stack[8192] __attribute__((aligned(16)));
	stack_t alternate = {.ss_sp = stack, .ss_size = sizeof stack};
	if (sigaltstack(&alternate, NULL))
		abort();
	for (int i = 0; i < 3; i++) {
		pthread_kill(pthread_self(), SIGUSR1);
		BURN(0.02);
	}
	return unused;
}

static void altstack(void)
{
	pthread_t t[2];
	struct sigaction action = {.sa_handler = on_small_stack,
				   .sa_flags = SA_ONSTACK | SA_RESTART};
	sigaction(SIGUSR1, &action, NULL);
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, small_stack, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	printf("%d\n", seen);
}

static void altstack_nested(void)
{
	compute_there = 1;
	altstack();
}

static void prof(void)
{
	struct itimerval every = {{0, 10000}, {0, 10000}}, off = {{0, 0}, {0, 0}};
	struct sigaction action = {.sa_handler = count_signal, .sa_flags = SA_RESTART}, old;
	sigaction(SIGPROF, &action, &old);
	puts(old.sa_handler == SIG_DFL ? "default before" : "not default before");
	setitimer(ITIMER_PROF, &every, NULL);
	BURN(0.3);
	setitimer(ITIMER_PROF, &off, NULL);
	sigaction(SIGPROF, NULL, &old);
	puts(old.sa_handler == count_signal ? "still mine" : "taken");
	puts(seen_of[SIGPROF] > 10 ? "many" : "few");
}

static void defaults(void)
{
	struct sigaction action = {.sa_handler = SIG_DFL};
	BURN(0.05);
	for (int i = 1; i <= 64; i++)
		sigaction(i, &action, NULL);
	BURN(0.2);
	for (int i = 1; i <= 64; i++)
		signal(i, SIG_DFL);
	BURN(0.1);
	puts("alive");
}

static void chain(void)
{
	struct sigaction mine = {.sa_handler = count_signal, .sa_flags = SA_RESTART}, old[65];
	for (int round = 0; round < 3; round++) {
		for (int i = 1; i <= 64; i++)
			sigaction(i, &mine, &old[i]);
		BURN(0.03);
		raise(SIGUSR1);
		for (int i = 64; i >= 1; i--)
			if (i != SIGKILL && i != SIGSTOP && i != 32 && i != 33)
				sigaction(i, &old[i], NULL);
		BURN(0.03);
	}
	printf("%d\n", seen_of[SIGUSR1]);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*run)(void);
	} kinds[] = {{"masks", masks},
		     {"sigwait", sigwaits},
		     {"handlers", handlers},
		     {"altstack", altstack},
		     {"altstack_nested", altstack_nested},
		     {"prof", prof},
		     {"default", defaults},
		     {"chain", chain}};
	for (unsigned i = 0; argc > 1 && i < sizeof kinds / sizeof *kinds; i++)
		if (!strcmp(argv[1], kinds[i].name))
			return kinds[i].run(), 0;
	return 2;
}

// SPDX-License-Identifier: MIT
// Signals that this program sends to itself while it is attached to, and counts itself: says its
// number ("target N"), and at the end "rounds N wrong M".
//   attach_signals queue | raise | handled | timers | waits | groups | stops | blocked | vfork for
//   3 s attach_signals default                                                      until SIGTERM
//   attach_signals order | sent | epoll | semop | sigwait                       one wait
//   attach_signals cancel | cancel-late                                         one thread
#include "truth.h"

#include <poll.h>
#include <semaphore.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/epoll.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/wait.h>

enum { QUEUED = 2000, LOST_S = 10, BIRTHS_S = 30 };
static const double work_seconds = 3;

static volatile long rounds, wrong;
static volatile sig_atomic_t seen;
static volatile double end_time;

static bool goes_on(void)
{
	return now() < end_time;
}

// By its name an allocator, in which no library can be loaded: ptrace-attach lets the thread run
// until it leaves it, and most signals come then.
static NOINLINE void malloc_stay(double seconds)
{
	SPIN(seconds);
	KEEP;
}

static void say_target(pid_t pid)
{
	printf("target %ld\n", (long)pid);
	fflush(stdout);
}

static void handle(int number, void (*handler)(int, siginfo_t *, void *))
{
	struct sigaction action = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO | SA_RESTART};

	sigaction(number, &action, NULL);
}

static void count(int number, siginfo_t *info, void *context)
{
	(void)number, (void)info, (void)context;
	seen++;
}

static void check(bool is_right)
{
	rounds++;
	wrong += !is_right;
}

// ---- queue: values of another process, each once, in order, with code and sender ----

static pid_t sender;

static void take_value(int number, siginfo_t *info, void *context)
{
	(void)number, (void)context;
	check(info->si_code == SI_QUEUE && info->si_pid == sender && info->si_uid == getuid() &&
	      info->si_value.sival_int == rounds);
}

static void send_values(pid_t to)
{
	for (int i = 0; i < QUEUED; i++) {
		const union sigval value = {.sival_int = i};

		while (sigqueue(to, SIGRTMIN + 1, value) && errno == EAGAIN)
			nap_raw(0.001);
		nap_raw(work_seconds / QUEUED / 2);
	}
	_exit(0);
}

static void run_queue(void)
{
	pid_t self = getpid();
	sigset_t values;

	sigemptyset(&values);
	sigaddset(&values, SIGRTMIN + 1);
	sigprocmask(SIG_BLOCK, &values, NULL); // until the sender's number is known
	handle(SIGRTMIN + 1, take_value);
	sender = fork();
	if (!sender)
		send_values(self);
	sigprocmask(SIG_UNBLOCK, &values, NULL);
	while (!waitpid(sender, NULL, WNOHANG))
		malloc_stay(0.003);
	wrong += labs(QUEUED - rounds);
}

// ---- raise: the handler has run when it returns ----

static NOINLINE void malloc_raise(void)
{
	for (int i = 0; i < 20; i++) {
		long before = seen;

		SPIN(0.0001);
		raise(SIGUSR1);
		check(seen == before + 1);
	}
	KEEP;
}

static void run_raise(void)
{
	handle(SIGUSR1, count);
	while (goes_on())
		malloc_raise();
}

// ---- handled: each SIGTERM is answered before the next is sent ----

static int answers[2];

static void answer(int number, siginfo_t *info, void *context)
{
	(void)context;
	if (number != SIGTERM || info->si_code != SI_USER || info->si_pid != sender ||
	    write(answers[1], "x", 1) != 1)
		wrong++;
}

static void send_and_await(pid_t to)
{
	struct pollfd end = {answers[0], POLLIN, 0};
	char byte;

	for (int sent = 0; goes_on(); sent++)
		if (kill(to, SIGTERM) || poll(&end, 1, LOST_S * 1000) != 1 ||
		    read(answers[0], &byte, 1) != 1)
			_exit(1);
	_exit(0);
}

static void run_handled(void)
{
	pid_t self = getpid();
	sigset_t term;
	int status;

	sigemptyset(&term);
	sigaddset(&term, SIGTERM);
	sigprocmask(SIG_BLOCK, &term, NULL);
	handle(SIGTERM, answer);
	sender = pipe(answers) ? -1 : fork();
	if (!sender)
		send_and_await(self);
	sigprocmask(SIG_UNBLOCK, &term, NULL);
	while (!waitpid(sender, &status, WNOHANG))
		malloc_stay(0.003);
	check(status == 0);
}

// ---- timers: each expiry arms the next one; a lost one is the last ----

static timer_t timer;

static void arm_next(int number, siginfo_t *info, void *context)
{
	const struct itimerspec next = {.it_value.tv_nsec = 200000};

	(void)number, (void)context;
	check(info->si_code == SI_TIMER && info->si_value.sival_int == 4711);
	timer_settime(timer, 0, &next, NULL);
}

static void run_timers(void)
{
	struct sigevent event = {.sigev_notify = SIGEV_SIGNAL,
				 .sigev_signo = SIGRTMIN + 2,
				 .sigev_value.sival_int = 4711};
	const struct itimerspec first = {.it_value.tv_nsec = 200000};

	handle(SIGRTMIN + 2, arm_next);
	timer_create(CLOCK_MONOTONIC, &event, &timer);
	timer_settime(timer, 0, &first, NULL);
	while (goes_on()) {
		long before = rounds;
		double limit = now() + LOST_S;

		while (rounds < before + 10 && now() < limit)
			malloc_stay(0.001);
		if (rounds == before)
			wrong++, end_time = 0;
	}
	timer_delete(timer);
}

// ---- waits: two processes wake each other in calls with a mask of their own ----

static int wait_with_mask(int kind, const sigset_t *mask)
{
	const struct timespec limit = {.tv_sec = LOST_S};
	static int set = -1;
	struct epoll_event event;

	if (set < 0)
		set = epoll_create1(EPOLL_CLOEXEC);
	switch (kind) {
	case 0:
		return ppoll(NULL, 0, &limit, mask);
	case 1:
		return pselect(0, NULL, NULL, NULL, &limit, mask);
	case 2:
		return epoll_pwait(set, &event, 1, LOST_S * 1000, mask);
	default:
		return sigsuspend(mask);
	}
}

static long turn;
static volatile bool *is_over; // shared: said by one of them, which then wakes the other

static NOINLINE void malloc_wait(pid_t other)
{
	sigset_t none, mask;
	long before = seen;

	sigemptyset(&none);
	for (int i = 0; i < 5 && !*is_over; i++, turn++, before++) {
		SPIN(0.00005);
		if (turn)
			kill(other, SIGUSR1);
		alarm(LOST_S + 5);
		while (seen == before)
			if (wait_with_mask((int)(turn & 3), &none) == 0)
				_exit(1); // lost
		sigprocmask(SIG_BLOCK, NULL, &mask);
		check(seen == before + 1 && sigismember(&mask, SIGUSR1) &&
		      !sigismember(&mask, SIGUSR2));
	}
}

static void ping_pong(pid_t other)
{
	while (!*is_over) {
		malloc_wait(other);
		SPIN(0.0005);
	}
}

// Both cannot look at the clock: one would begin a round that the other does not.
static void ping_pong_until_end(pid_t other)
{
	while (goes_on()) {
		malloc_wait(other);
		SPIN(0.0005);
	}
	*is_over = true;
	kill(other, SIGUSR1); // it waits
}

static void run_waits(void)
{
	pid_t self = getpid();
	sigset_t blocked;
	int status = 1;

	sigemptyset(&blocked);
	sigaddset(&blocked, SIGUSR1);
	sigprocmask(SIG_BLOCK, &blocked, NULL);
	handle(SIGUSR1, count);
	is_over = mmap(NULL, sizeof *is_over, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
		       -1, 0);
	pid_t child = fork();
	if (!child) {
		ping_pong(self);
		_exit(wrong != 0);
	}
	turn = 1; // this one begins
	ping_pong_until_end(child);
	waitpid(child, &status, 0);
	check(status == 0);
}

// ---- groups: a thread changes the group of all, by a signal to each. Threads that begin wait for
// that ----

static double pause_seconds = 0.001;

static void *sleep_long(void *unused)
{
	while (goes_on())
		nap_raw(0.05);
	return unused;
}

static void *change_group(void *unused)
{
	while (goes_on()) {
		check(setgid(getgid()) == 0);
		nap_raw(pause_seconds);
	}
	return unused;
}

static void *return_next(void *number)
{
	return (char *)number + 1;
}

static void *create_threads(void *unused)
{
	for (char *number = NULL; goes_on(); number++) {
		pthread_t thread;
		void *result = NULL;

		pthread_create(&thread, NULL, return_next, number);
		pthread_join(thread, &result);
		if (result != number + 1)
			wrong++;
	}
	return unused;
}

static void run_groups(void)
{
	void *(*const routines[])(void *) = {sleep_long, change_group, create_threads,
					     create_threads};
	enum { THREADS = sizeof routines / sizeof routines[0] };
	pthread_t threads[THREADS];

	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, routines[i], NULL);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
}

// ---- births: the same, all the time ----

static void end_births(int number, siginfo_t *info, void *context)
{
	(void)number, (void)info, (void)context;
	end_time = 0;
}

static void run_births(void)
{
	pause_seconds = 0;
	run_groups();
}

// ---- stops: a child is stopped and goes on; its parent is told of each ----

static bool changes(pid_t child, int number, int option)
{
	siginfo_t info;
	double limit = now() + LOST_S;

	kill(child, number);
	do {
		info.si_pid = 0;
		waitid(P_PID, (id_t)child, &info, option | WNOHANG);
		if (!info.si_pid)
			nap_raw(0.0002);
	} while (!info.si_pid && now() < limit);
	return info.si_pid == child;
}

static void work_until_term(void)
{
	handle(SIGCONT, count);
	signal(SIGTERM, SIG_DFL);
	for (;;) {
		malloc_stay(0.04); // longer than ptrace-attach waits for it
		SPIN(0.01);
	}
}

static void run_stops(void)
{
	pid_t child = fork();

	if (!child)
		work_until_term();
	say_target(child);
	while (goes_on() && !wrong) {
		check(changes(child, SIGSTOP, WSTOPPED));
		check(changes(child, SIGCONT, WCONTINUED));
		nap_raw(0.02);
	}
	check(changes(child, SIGTERM, WEXITED));
	kill(child, SIGKILL);
}

// ---- blocked: mask and handlers of a thread that blocks everything ----

static bool is_handled(int number)
{
	struct sigaction action;

	sigaction(number, NULL, &action);
	return action.sa_sigaction == count;
}

static void run_blocked(void)
{
	sigset_t all, mask;

	handle(SIGTRAP, count);
	handle(SIGSEGV, count);
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	while (goes_on()) {
		malloc_stay(0.002);
		sigprocmask(SIG_BLOCK, NULL, &mask);
		check(sigismember(&mask, SIGTRAP) && sigismember(&mask, SIGSEGV) &&
		      is_handled(SIGTRAP) && is_handled(SIGSEGV));
		SPIN(0.001);
	}
}

// ---- vfork: it waits for its child, and nothing can stop it ----

static NOINLINE void malloc_vfork(void)
{
	int status;

	SPIN(0.005);
	pid_t child = vfork();
	if (!child) {
		nap_raw(1.2);
		_exit(7);
	}
	waitpid(child, &status, 0);
	check(WEXITSTATUS(status) == 7);
	KEEP;
}

static void run_vfork(void)
{
	while (goes_on()) {
		malloc_vfork();
		SPIN(0.02);
	}
}

// ---- sent: the numbers of what an instruction raises, from another process, while the library is
// called ----

static void note_sender(int number, siginfo_t *info, void *context)
{
	(void)number, (void)context;
	check(info->si_code == SI_USER && info->si_pid == getppid());
}

static void run_sent(void)
{
	static const int numbers[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGSYS, SIGTRAP};
	struct timespec limit = {.tv_sec = LOST_S};

	for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
		handle(numbers[i], note_sender);
	handle(SIGUSR1, count);
	while (!seen && nanosleep(&limit, &limit))
		;
}

// ---- order: what sigsuspend blocks comes after what it waits for ----

static char order[20];

static void note_order(int number, siginfo_t *info, void *context)
{
	(void)info, (void)context;
	strcat(order, number == SIGUSR1 ? "1" : "2");
}

static void run_order(void)
{
	sigset_t mask;

	sigemptyset(&mask);
	sigaddset(&mask, SIGUSR1);
	sigprocmask(SIG_BLOCK, &mask, NULL);
	handle(SIGUSR1, note_order);
	handle(SIGUSR2, note_order);
	sigfillset(&mask);
	sigdelset(&mask, SIGUSR1);
	sigsuspend(&mask);
	check(strcmp(order, "12") == 0);
}

// ---- a wait of a call that a stop ends: a signal ends it as well, whenever it comes ----

static void wait_in(const char *call)
{
	struct sembuf take = {0, -1, 0};
	struct epoll_event event;
	sigset_t other;
	int result;

	handle(SIGUSR1, count);
	sigemptyset(&other);
	sigaddset(&other, SIGUSR2);
	alarm(20);
	if (strcmp(call, "epoll") == 0)
		result = epoll_wait(epoll_create1(EPOLL_CLOEXEC), &event, 1, -1);
	else if (strcmp(call, "semop") == 0)
		result = semop(semget(IPC_PRIVATE, 1, 0600), &take, 1);
	else
		result = sigwaitinfo(&other, NULL);
	check(result == -1 && errno == EINTR && seen == 1);
}

// ---- cancel: a thread in a call that is a point of cancellation ----

static int cleaned, ends[2];

static void clean(void *unused)
{
	(void)unused;
	cleaned++;
}

static void *read_for_ever(void *is_late)
{
	char byte;

	pthread_cleanup_push(clean, NULL);
	if (is_late)
		pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
	if (read(ends[0], &byte, 1) != 1)
		wrong++;
	pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, NULL);
	pthread_testcancel();
	pthread_cleanup_pop(0);
	return NULL;
}

// This thread computes, so that it is the other one that is stopped. SIGUSR1 says when.
static void cancel_one(void *is_late)
{
	pthread_t thread;
	sigset_t blocked;
	void *result = NULL;

	if (pipe(ends))
		return;
	handle(SIGUSR1, count);
	sigemptyset(&blocked);
	sigaddset(&blocked, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &blocked, NULL);
	pthread_create(&thread, NULL, read_for_ever, is_late);
	pthread_sigmask(SIG_UNBLOCK, &blocked, NULL);
	while (!seen)
		SPIN(0.001);
	pthread_cancel(thread);
	while (seen < 2)
		SPIN(0.001);
	if (is_late && write(ends[1], "x", 1) != 1)
		return;
	pthread_join(thread, &result);
	check(result == PTHREAD_CANCELED && cleaned == 1);
}

static void run_cancel(void)
{
	cancel_one(NULL);
}

static void run_cancel_late(void)
{
	cancel_one(&cleaned);
}

static const struct mode {
	const char *name;
	void (*run)(void);
} modes[] = {{"queue", run_queue},     {"raise", run_raise},
	     {"handled", run_handled}, {"timers", run_timers},
	     {"waits", run_waits},     {"groups", run_groups},
	     {"stops", run_stops},     {"default", work_until_term},
	     {"order", run_order},     {"blocked", run_blocked},
	     {"vfork", run_vfork},     {"sent", run_sent},
	     {"cancel", run_cancel},   {"cancel-late", run_cancel_late},
	     {"births", run_births}};

int main(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : "";
	void (*run)(void) = NULL;

	alarm(100);
	end_time = now() + work_seconds;
	for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++)
		if (strcmp(name, modes[i].name) == 0)
			run = modes[i].run;
	if (run == run_births) {
		handle(SIGUSR1, end_births);
		end_time = now() + BIRTHS_S;
	}
	if (run != run_stops)
		say_target(getpid());
	if (run)
		run();
	else
		wait_in(name);
	printf("rounds %ld wrong %ld\n", rounds, wrong);
	return 0;
}

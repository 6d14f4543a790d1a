// SPDX-License-Identifier: MIT
// Calls that take a while in the kernel before they wait, so that a tick, and with it a sample, is
// often due when a signal of the process ends them. Another process sends it when this one sleeps,
// and again if it sleeps on.
//   cut_calls ended     a handler without SA_RESTART ends the wait for a lock of a file
//   cut_calls masked    a signal that only the call's own mask lets in ends ppoll
//   cut_calls raw       the same by libc's syscall(), and pselect6
//   cut_calls paused    both kinds of sigpause let in the signal of a timer that is often due already
//   cut_calls answered  sigsuspend and sigpause, of which the handler lasts until the timer's signal
//                       and a sample are due again: they come when it returns
//   cut_calls continued a handler of SIGCONT ends sigsuspend
// Says "rounds N wrong M".
#include "truth.h"

#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <sys/time.h>

enum { ROUNDS = 400, PAUSES = 2000, ANSWERS = 100, LOCKS = 9000, DESCRIPTORS = 8000 };

// Shared with the process that sends the signals.
static struct {
	volatile long begun, ended; // rounds
	volatile long seen;         // signals
} * shared;

static void count(int number)
{
	(void)number;
	shared->seen++;
}

// Keeps out the signal of glibc's that samples may have, as no libc's call can.
static void count_slowly(int number)
{
	uint64_t setxid = UINT64_C(1) << 32, pending = 0;

	count(number);
	syscall(SYS_rt_sigprocmask, SIG_BLOCK, &setxid, NULL, sizeof setxid);
	for (long spun = 0; spun < 20000 || !(pending >> (SIGALRM - 1) & 1); spun++)
		syscall(SYS_rt_sigpending, &pending, sizeof pending);
}

static void await_sleep(pid_t process, long round)
{
	while (shared->ended < round && !is_asleep_raw(process))
		nap_raw(0.0002);
}

// The handler has run, and it sleeps all the same.
static bool sleeps_on(pid_t process, long round, long before)
{
	int looks = 0;

	while (shared->ended < round && looks < 100) {
		looks = shared->seen > before && is_asleep_raw(process) ? looks + 1 : 0;
		nap_raw(0.001);
	}
	return looks == 100;
}

static void send_signals(pid_t to, int number)
{
	for (long round = 1; round <= ROUNDS; round++) {
		while (shared->begun < round)
			nap_raw(0.0002);
		do {
			long before = shared->seen;
			await_sleep(to, round);
			kill(to, number);
			while (shared->ended < round && shared->seen == before)
				nap_raw(0.0002);
			if (!sleeps_on(to, round, before))
				break;
		} while (shared->ended < round);
	}
	_exit(0);
}

static int owner, other;

static int lock(int file, int command, long at)
{
	struct flock one = {.l_type = F_WRLCK, .l_start = at, .l_len = 1};

	return fcntl(file, command, &one);
}

// All locks of the file are looked at for the last one.
static void prepare_locks(void)
{
	char name[] = "/tmp/cut_calls.XXXXXX";

	owner = mkstemp(name);
	other = open(name, O_RDWR);
	unlink(name);
	for (long i = 0; i < LOCKS; i++)
		if (lock(owner, F_OFD_SETLK, 2 * i))
			exit(2);
}

static int wait_for_lock(void)
{
	return lock(other, F_OFD_SETLKW, 2 * (LOCKS - 1));
}

static struct pollfd polled[DESCRIPTORS];

static void prepare_descriptors(void)
{
	struct rlimit limit = {DESCRIPTORS + 10, DESCRIPTORS + 10};
	sigset_t blocked;
	int ends[2];

	setrlimit(RLIMIT_NOFILE, &limit); // poll takes no more than that
	if (pipe(ends))
		exit(2);
	for (int i = 0; i < DESCRIPTORS; i++)
		polled[i] = (struct pollfd){ends[0], POLLIN, 0};
	sigemptyset(&blocked);
	sigaddset(&blocked, SIGUSR1);
	sigprocmask(SIG_BLOCK, &blocked, NULL);
}

static int wait_with_mask(void)
{
	sigset_t none;

	sigemptyset(&none);
	return ppoll(polled, DESCRIPTORS, NULL, &none);
}

static int wait_by_syscall(void)
{
	uint64_t none = 0;
	struct {
		uint64_t *mask;
		size_t bytes;
	} masked = {&none, sizeof none};
	fd_set set;
	static long turns;

	if (turns++ % 2)
		return (int)syscall(SYS_ppoll, polled, DESCRIPTORS, NULL, &none, sizeof none);
	FD_ZERO(&set);
	FD_SET(polled[0].fd, &set);
	return (int)syscall(SYS_pselect6, polled[0].fd + 1, &set, NULL, NULL, NULL, &masked);
}

// The thread computes before it waits, so that samples are due as well.
static void prepare_timer(void)
{
	const struct itimerval often = {{0, 700}, {0, 700}};
	sigset_t blocked;

	sigemptyset(&blocked);
	sigaddset(&blocked, SIGUSR1);
	sigaddset(&blocked, SIGALRM);
	sigprocmask(SIG_BLOCK, &blocked, NULL);
	signal(SIGALRM, count);
	setitimer(ITIMER_REAL, &often, NULL);
}

static void prepare_continue(void)
{
	sigset_t blocked;

	sigemptyset(&blocked);
	sigaddset(&blocked, SIGCONT);
	sigprocmask(SIG_BLOCK, &blocked, NULL);
	signal(SIGCONT, count);
}

int pause_by_word(int word) __asm__("sigpause");
int __xpg_sigpause(int number);

static int wait_in_sigpause(void)
{
	static long turns;

	for (volatile long i = 0; i < 200000 + turns % 97 * 1000; i++)
		;
	return turns++ % 2 ? pause_by_word(1 << (SIGUSR1 - 1)) : __xpg_sigpause(SIGALRM);
}

static int wait_for_continue(void)
{
	sigset_t others;

	sigfillset(&others);
	sigdelset(&others, SIGCONT);
	return sigsuspend(&others);
}

static int wait_for_slow_handler(void)
{
	static long turns;
	sigset_t none;

	sigemptyset(&none);
	return turns++ % 2 ? __xpg_sigpause(SIGALRM) : sigsuspend(&none);
}

static long rounds, wrong;

static void check(int (*wait)(void))
{
	long before = shared->seen;

	shared->begun = ++rounds;
	int result = wait();
	bool is_right = result == -1 && errno == EINTR && shared->seen == before + 1;
	shared->ended = rounds;
	wrong += !is_right;
}

int main(int argc, char **argv)
{
	struct sigaction action = {.sa_handler = count};
	int (*wait)(void) = argc < 2 || strcmp(argv[1], "ended") == 0 ? wait_for_lock
			    : strcmp(argv[1], "masked") == 0          ? wait_with_mask
			    : strcmp(argv[1], "raw") == 0             ? wait_by_syscall
			    : strcmp(argv[1], "paused") == 0          ? wait_in_sigpause
			    : strcmp(argv[1], "continued") == 0       ? wait_for_continue
								      : wait_for_slow_handler;
	pid_t self = getpid();

	shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		      0);
	sigaction(SIGUSR1, &action, NULL);
	if (wait == wait_in_sigpause) {
		prepare_timer();
		while (rounds < PAUSES)
			check(wait);
	} else if (wait == wait_for_slow_handler) {
		prepare_timer();
		signal(SIGALRM, count_slowly);
		while (rounds < ANSWERS)
			check(wait);
	} else {
		if (wait == wait_for_lock)
			prepare_locks();
		else if (wait == wait_for_continue)
			prepare_continue();
		else
			prepare_descriptors();
		pid_t sender = fork();
		if (!sender)
			send_signals(self, wait == wait_for_continue ? SIGCONT : SIGUSR1);
		while (rounds < ROUNDS)
			check(wait);
		kill(sender, SIGKILL);
	}
	printf("rounds %ld wrong %ld\n", rounds, wrong);
	return 0;
}

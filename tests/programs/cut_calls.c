// SPDX-License-Identifier: MIT
// Calls that take a while in the kernel before they wait, so that a tick, and with it a sample, is
// often due when a signal of the process ends them. Another process sends it when this one sleeps,
// and again if it sleeps on.
//   cut_calls ended     a handler without SA_RESTART ends the wait for a lock of a file
//   cut_calls masked    a signal that only the call's own mask lets in ends ppoll
//   cut_calls raw       the same by libc's syscall(), and pselect6
//   cut_calls paused    both kinds of sigpause let in the signal of a timer that is often due already;
//                       one handler at least (a sample that comes right after it may let in another)
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

enum { ROUNDS = 400, PAUSES = 2000, LOCKS = 9000, DESCRIPTORS = 8000 };

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

static void send_signals(pid_t to)
{
	for (long round = 1; round <= ROUNDS; round++) {
		while (shared->begun < round)
			nap_raw(0.0002);
		do {
			long before = shared->seen;
			await_sleep(to, round);
			kill(to, SIGUSR1);
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

int pause_by_word(int word) __asm__("sigpause");
int __xpg_sigpause(int number);

static int wait_in_sigpause(void)
{
	static long turns;

	for (volatile long i = 0; i < 200000 + turns % 97 * 1000; i++)
		;
	return turns++ % 2 ? pause_by_word(1 << (SIGUSR1 - 1)) : __xpg_sigpause(SIGALRM);
}

static long rounds, wrong;

static void check(int (*wait)(void))
{
	long before = shared->seen;

	shared->begun = ++rounds;
	int result = wait();
	long handled = shared->seen - before;
	bool is_right = result == -1 && errno == EINTR &&
			(wait == wait_in_sigpause ? handled > 0 : handled == 1);
	shared->ended = rounds;
	wrong += !is_right;
}

int main(int argc, char **argv)
{
	struct sigaction action = {.sa_handler = count};
	int (*wait)(void) = argc < 2 || strcmp(argv[1], "ended") == 0 ? wait_for_lock
			    : strcmp(argv[1], "masked") == 0          ? wait_with_mask
			    : strcmp(argv[1], "raw") == 0             ? wait_by_syscall
								      : wait_in_sigpause;
	pid_t self = getpid();

	shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		      0);
	sigaction(SIGUSR1, &action, NULL);
	if (wait == wait_in_sigpause) {
		prepare_timer();
		while (rounds < PAUSES)
			check(wait);
	} else {
		if (wait == wait_for_lock)
			prepare_locks();
		else
			prepare_descriptors();
		pid_t sender = fork();
		if (!sender)
			send_signals(self);
		while (rounds < ROUNDS)
			check(wait);
		kill(sender, SIGKILL);
	}
	printf("rounds %ld wrong %ld\n", rounds, wrong);
	return 0;
}

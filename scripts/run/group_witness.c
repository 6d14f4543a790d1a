/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "group_witness.h"

#include "common/stat_line.h"
#include "own_process.h"
#include "pending_signals.h"
#include "raw_call.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <poll.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
	STACK_BYTES = 8192,
	NUMBER_COUNT = 65,
	FIRST_QUEUED = 32,  /* from this number on the kernel keeps all that come, not only one */
	CALL = SIGSTKFLT,   /* wakes a witness: nothing else uses it */
	PATIENCE_MOST = 50, /* times 20 ms */
};

struct witness {
	pid_t pid;         /* 0: there is none */
	int number;        /* what its parent asks for */
	uint32_t is_asked; /* a futex: its parent waits for 0 */
	uint64_t held;     /* which of `taken` it has; none is overwritten while it is held */
	siginfo_t taken[NUMBER_COUNT];
	char stack[STACK_BYTES] __attribute__((aligned(16)));
};

static struct {
	struct witness inside, outside; /* of the group */
	pid_t parent;
	char parent_stat[32];
	int file; /* a signalfd, to see what is pending and leave it there */
} group;

static uint64_t bit(int number)
{
	return UINT64_C(1) << (number - 1);
}

/* In the witness. What its parent sends has only woken it. False: nothing came in time. */
static bool take(struct witness *witness, uint64_t numbers, const struct timespec *limit)
{
	siginfo_t signal;
	long number = raw_call(SYS_rt_sigtimedwait, (long)&numbers, (long)&signal, (long)limit,
			       sizeof numbers);

	if (number > 0 && signal.si_pid != group.parent) {
		witness->taken[number] = signal;
		__atomic_fetch_or(&witness->held, bit((int)number), __ATOMIC_RELEASE);
	}
	return number != -EAGAIN;
}

static bool holds(const struct witness *witness, int number)
{
	return __atomic_load_n(&witness->held, __ATOMIC_ACQUIRE) & bit(number);
}

static void forget(struct witness *witness, uint64_t numbers)
{
	__atomic_fetch_and(&witness->held, ~numbers, __ATOMIC_RELEASE);
}

/* The next one of that number, if there is one. */
static void answer(struct witness *witness)
{
	const struct timespec now = {0, 0};

	while (!holds(witness, witness->number) && take(witness, bit(witness->number), &now))
		continue;
	__atomic_store_n(&witness->is_asked, 0, __ATOMIC_RELEASE);
	raw_call(SYS_futex, (long)&witness->is_asked, FUTEX_WAKE_PRIVATE, 1, 0);
}

/* A parent to which something has come would not sleep. */
static bool is_parent_asleep(void)
{
	char text[64];
	long file =
		raw_call(SYS_openat, AT_FDCWD, (long)group.parent_stat, O_RDONLY | O_CLOEXEC, 0);

	if (file < 0)
		return false;
	long length = raw_call(SYS_read, file, (long)text, sizeof text - 1, 0);
	raw_call(SYS_close, file, 0, 0, 0);
	text[length > 0 ? length : 0] = '\0';
	return stat_line_state(text) == 'S';
}

/* What came to the witness alone must not be taken for the group's later on; the one outside tells
 * that it came to all of them, and keeps it longer. A witness that a vfork child started has copies
 * of the descriptors. */
static int testify(void *argument)
{
	struct witness *witness = argument;
	const struct timespec limit = {witness == &group.inside ? 1 : 5, 0};

	raw_call(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL, 0, 0);
	raw_call(SYS_prctl, PR_SET_NAME, (long)"ptrace-witness", 0, 0);
#ifdef SYS_close_range
	raw_call(SYS_close_range, 0, (long)~0u, 0, 0);
#endif
	while (raw_call(SYS_getppid, 0, 0, 0, 0) == group.parent) {
		bool has_come = witness->held ? take(witness, bit(CALL), &limit)
					      : take(witness, ~UINT64_C(0), NULL);
		bool is_stale = !has_come && is_parent_asleep();

		/* asked last: a parent that waits for an answer sleeps as well */
		if (__atomic_load_n(&witness->is_asked, __ATOMIC_ACQUIRE))
			answer(witness);
		else if (is_stale)
			forget(witness, ~UINT64_C(0));
	}
	return 0;
}

/* clone, as libc's vfork would stop this process, and fork would copy it. */
static void start(struct witness *witness, int flags)
{
	pid_t pid = clone(testify, witness->stack + STACK_BYTES, CLONE_VM | flags, witness);

	witness->pid = pid > 0 ? pid : 0;
}

static void end(struct witness *witness)
{
	if (!witness->pid)
		return;
	kill(witness->pid, SIGKILL);
	while (waitpid(witness->pid, NULL, __WALL) < 0 && errno == EINTR)
		continue;
	witness->pid = 0;
}

/* Who signals each process of the name goes through their numbers, up or down. The witness outside
 * is the older one: it has had it whenever the one inside and this process have. */
void group_witness_prepare(void)
{
	sigset_t all;

	sigfillset(&all);
	group.parent = own_process_number();
	snprintf(group.parent_stat, sizeof group.parent_stat, "/proc/%d/stat", (int)group.parent);
	group.file = signalfd(-1, &all, SFD_CLOEXEC | SFD_NONBLOCK);
	start(&group.outside, 0);
	if (group.outside.pid)
		setpgid(group.outside.pid, group.outside.pid);
}

void group_witness_begin(void)
{
	if (group.file >= 0)
		start(&group.inside, CLONE_PARENT);
}

bool group_witness_is_there(void)
{
	return group.inside.pid;
}

/* One that was stopped goes on; one that was killed will not answer. */
static void urge(struct witness *witness)
{
	if (waitpid(witness->pid, NULL, __WALL | WNOHANG) == witness->pid)
		witness->pid = 0;
	else
		kill(witness->pid, SIGCONT);
}

/* Afterwards the witness holds what has come to it, if something has. */
static void ask(struct witness *witness, int number)
{
	const struct timespec soon = {.tv_nsec = 20000000};

	if (!witness->pid)
		return;
	witness->number = number;
	__atomic_store_n(&witness->is_asked, 1, __ATOMIC_RELEASE);
	kill(witness->pid, CALL);
	for (int i = 0; witness->pid && i < PATIENCE_MOST; i++) {
		if (!__atomic_load_n(&witness->is_asked, __ATOMIC_ACQUIRE))
			return;
		if (syscall(SYS_futex, &witness->is_asked, FUTEX_WAIT_PRIVATE, 1, &soon) < 0 &&
		    errno == ETIMEDOUT)
			urge(witness);
	}
	end(witness);
}

static bool is_same(const siginfo_t *one, const siginfo_t *other)
{
	return one->si_code == other->si_code && one->si_pid == other->si_pid &&
	       one->si_uid == other->si_uid && one->si_value.sival_ptr == other->si_value.sival_ptr;
}

static bool has_held(struct witness *witness, const siginfo_t *signal)
{
	int number = signal->si_signo;
	bool is_held =
		witness->pid && holds(witness, number) && is_same(&witness->taken[number], signal);

	if (is_held)
		forget(witness, bit(number));
	return is_held;
}

/* A group is signalled under the kernel's lock of all tasks, which this call takes, and changes
 * nothing: what the witness had before has now come to this process, too. */
static void await_senders(void)
{
	setpgid(0, getpgrp());
}

/* What the witness still has belongs to what is pending here. The rest has become one with the
 * signal that was taken just now (the kernel queues only the real-time signals), or was withdrawn
 * here, as SIGCONT is by a stop. */
static void forget_merged(int number)
{
	if (number < FIRST_QUEUED)
		ask(&group.inside, number);
	uint64_t held = __atomic_load_n(&group.inside.held, __ATOMIC_ACQUIRE);

	await_senders();
	forget(&group.inside, held & ~pending_signals());
}

static bool was_for_group(const siginfo_t *signal)
{
	bool is_for_group = has_held(&group.inside, signal);

	if (is_for_group) {
		ask(&group.outside, signal->si_signo);
		is_for_group = !has_held(&group.outside, signal);
	}
	forget_merged(signal->si_signo);
	return is_for_group;
}

static int wait_alone(siginfo_t *signal, const struct timespec *limit)
{
	sigset_t all;

	sigfillset(&all);
	int number = sigtimedwait(&all, signal, limit);

	return number < 0 && errno == EAGAIN ? 0 : number;
}

static int take_own(int number, siginfo_t *signal)
{
	const struct timespec now = {0, 0};
	sigset_t only;

	sigemptyset(&only);
	sigaddset(&only, number);
	return sigtimedwait(&only, signal, &now);
}

/* The witness takes it first. The other way round, a second one that comes in between would be one
 * with the first for the witness, but not here. SIGCHLD is nearly always the kernel's. */
int group_witness_await(siginfo_t *signal, const struct timespec *limit, bool *is_for_group)
{
	struct pollfd pending = {.fd = group.file, .events = POLLIN};

	*is_for_group = false;
	if (!group.inside.pid)
		return wait_alone(signal, limit);
	if (ppoll(&pending, 1, limit, NULL) == 0)
		return 0;
	uint64_t numbers = pending_signals();
	int number = numbers ? __builtin_ctzll(numbers) + 1 : 0;

	if (!number)
		return -1;
	if (number != SIGCHLD)
		ask(&group.inside, number);
	if (take_own(number, signal) != number)
		return -1;
	if (number == SIGCHLD && signal->si_code > 0)
		return number;
	if (number == SIGCHLD)
		ask(&group.inside, number);
	*is_for_group = was_for_group(signal);
	return number;
}

void group_witness_end(void)
{
	end(&group.inside);
	end(&group.outside);
	if (group.file > 0)
		close(group.file);
	group.file = -1;
}

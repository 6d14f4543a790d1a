/* SPDX-License-Identifier: MIT */
/* futexes_hostile KIND: a futex's wait is left, interrupted, shared. restarted, interrupted (a
 * signal with and without SA_RESTART), deferred, cancelled (pthread_cancel of the two types), jump
 * (siglongjmp out of a wait), forked (while others wait), vforked, cloned (children by raw
 * system calls), twin (a clone that shares the thread-local memory), shared (two processes and one
 * page), handler (a signal handler wakes), gone (a thread ends while others wait), robust (the
 * owner of a lock ends). */
#include "futexes.h"

#include <limits.h>
#include <linux/futex.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/wait.h>

static int gate, other_gate;
static volatile int signals, waiting;
static double waited;

/* ---- what all need ---- */

static void on_signal(int number)
{
	int saved = errno;

	(void)number;
	signals++;
	errno = saved;
}

static void handle(void (*handler)(int), int flags)
{
	struct sigaction action = {.sa_handler = handler, .sa_flags = flags};

	sigaction(SIGUSR1, &action, NULL);
}

static NOINLINE void *wait_for_gate(void *unused)
{
	(void)unused;
	errno = 77;
	increment(&waiting);
	double begin = now();
	long result = futex(&gate, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
	waited += now() - begin;
	tell("wait", result);
	return NULL;
}

static NOINLINE void open_gate(void)
{
	__atomic_store_n(&gate, 1, __ATOMIC_SEQ_CST);
	tell("wake", futex(&gate, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0));
	KEEP;
}

/* Threads that wait: they are asleep when this returns, or nearly. */
static void begin_waits(pthread_t *threads, int count, void *(*routine)(void *))
{
	for (int i = 0; i < count; i++)
		pthread_create(&threads[i], NULL, routine, NULL);
	await_raw(&waiting, count);
	nap_raw(0.05);
}

static void join_all(pthread_t *threads, int count)
{
	for (int i = 0; i < count; i++)
		pthread_join(threads[i], NULL);
	truth("waited", waited);
}

/* ---- signals ---- */

static void signalled(int flags)
{
	pthread_t thread;

	handle(on_signal, flags);
	begin_waits(&thread, 1, wait_for_gate);
	pthread_kill(thread, SIGUSR1);
	nap_raw(0.05);
	open_gate();
	join_all(&thread, 1);
	tell("signals", signals);
}

static void restarted(int unused)
{
	(void)unused;
	signalled(SA_RESTART);
}

static void interrupted(int unused)
{
	(void)unused;
	signalled(0);
}

static void wake_from_handler(int number)
{
	int saved = errno;

	(void)number;
	errno = 77;
	open_gate();
	errno = saved;
}

static void handler(int unused)
{
	pthread_t thread;

	(void)unused;
	handle(wake_from_handler, SA_RESTART);
	begin_waits(&thread, 1, wait_for_gate);
	raise(SIGUSR1);
	join_all(&thread, 1);
}

/* ---- waits that are left ---- */

static void *cancelled_wait(void *unused)
{
	int type;

	pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &type);
	return wait_for_gate(unused);
}

static void cancel(void *(*routine)(void *))
{
	pthread_t thread;
	void *result;

	begin_waits(&thread, 1, routine);
	pthread_cancel(thread);
	nap_raw(0.05);
	open_gate();
	pthread_join(thread, &result);
	tell("cancelled", result == PTHREAD_CANCELED);
	truth("waited", waited);
}

static void deferred(int unused)
{
	(void)unused;
	cancel(wait_for_gate);
}

static void cancelled(int unused)
{
	(void)unused;
	cancel(cancelled_wait);
}

static sigjmp_buf out;

static void jump_out(int number)
{
	(void)number;
	siglongjmp(out, 1);
}

static void *interrupt_first(void *first)
{
	nap_raw(0.1);
	pthread_kill(*(pthread_t *)first, SIGUSR1);
	return NULL;
}

static void jump(int unused)
{
	pthread_t first = pthread_self(), thread;
	struct timespec short_time = span(0.03);

	(void)unused;
	handle(jump_out, 0);
	pthread_create(&thread, NULL, interrupt_first, &first);
	double begin = now();
	if (!sigsetjmp(out, 1))
		futex(&gate, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
	truth("waited", now() - begin);
	BURN(0.1);
	errno = 77;
	for (int i = 0; i < 3; i++)
		tell("after", futex(&other_gate, FUTEX_WAIT_PRIVATE, 0, &short_time, NULL, 0));
	pthread_join(thread, NULL);
}

/* ---- processes ---- */

static void tell_of_child(const char *name, pid_t child)
{
	int status = -1;

	waitpid(child, &status, 0);
	tell(name, status);
}

static void forked(int unused)
{
	pthread_t threads[2];

	(void)unused;
	begin_waits(threads, 2, wait_for_gate);
	fflush(stdout);
	pid_t child = fork();
	if (!child) {
		struct timespec time = span(0.02);
		long woken = futex(&gate, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
		long result = futex(&gate, FUTEX_WAIT_PRIVATE, 0, &time, NULL, 0);
		_exit(woken == 0 && result == -1 && errno == ETIMEDOUT ? 42 : 1);
	}
	tell_of_child("child", child);
	open_gate();
	join_all(threads, 2);
}

static void vforked(int unused)
{
	struct timespec time = span(0.02);
	pthread_t threads[2];

	(void)unused;
	begin_waits(threads, 2, wait_for_gate);
	pid_t child = vfork();
	if (!child) {
		long me = syscall(SYS_getpid);
		futex(&other_gate, FUTEX_WAIT_PRIVATE, 0, &time, NULL, 0);
		futex(&gate, FUTEX_WAKE_PRIVATE, 0, NULL, NULL, 0);
		_exit(me == getpid() ? 42 : 1);
	}
	tell_of_child("child", child);
	open_gate();
	join_all(threads, 2);
}

static void cloned(int unused)
{
	pthread_t threads[2];

	(void)unused;
	begin_waits(threads, 2, wait_for_gate);
	pid_t child = (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
	if (!child) {
		long woken = futex(&gate, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
		syscall(SYS_exit, woken == 0 ? 42 : 1);
	}
	tell_of_child("child", child);
	open_gate();
	join_all(threads, 2);
}

static int wait_as_clone(void *unused)
{
	struct timespec time = span(0.1);

	(void)unused;
	for (int i = 0; i < 3; i++)
		futex(&other_gate, FUTEX_WAIT, 0, &time, NULL, 0);
	futex(&gate, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
	return 42;
}

/* It waits with this thread's thread-local memory, while this thread does. */
static void twin(int unused)
{
	static char stack[65536] __attribute__((aligned(16)));

	(void)unused;
	double begin = now();
	pid_t child = clone(wait_as_clone, stack + sizeof stack, CLONE_VM | SIGCHLD, NULL);
	long result = futex(&gate, FUTEX_WAIT, 0, NULL, NULL, 0);
	truth("waited", now() - begin);
	printf("wait: %ld\n", result);
	errno = 77;
	tell_of_child("child", child);
}

static void shared(int unused)
{
	int *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	(void)unused;
	fflush(stdout);
	pid_t child = fork();
	double begin = now();
	if (child) {
		long result = futex(page, FUTEX_WAIT, 0, NULL, NULL, 0);
		truth("waited", now() - begin);
		tell("wait", result);
		tell_of_child("child", child);
		return;
	}
	nap_raw(0.2);
	__atomic_store_n(page, 1, __ATOMIC_SEQ_CST);
	_exit(futex(page, FUTEX_WAKE, INT_MAX, NULL, NULL, 0) == 1 ? 42 : 1);
}

/* ---- threads that end ---- */

static void *end_at_once(void *unused)
{
	return unused;
}

static void gone(int unused)
{
	pthread_t threads[2], ending;

	(void)unused;
	begin_waits(threads, 2, wait_for_gate);
	pthread_create(&ending, NULL, end_at_once, NULL);
	pthread_join(ending, NULL);
	open_gate();
	join_all(threads, 2);
}

static struct {
	struct robust_list list;
	int lock;
} entry;
static struct robust_list_head robust = {
	.list = {&entry.list},
	.futex_offset = (char *)&entry.lock - (char *)&entry.list,
};

static void *die_as_owner(void *unused)
{
	entry.list.next = &robust.list;
	syscall(SYS_set_robust_list, &robust, sizeof robust);
	futex(&entry.lock, FUTEX_LOCK_PI, 0, NULL, NULL, 0);
	increment(&waiting);
	nap_raw(0.1);
	return unused;
}

static void robust_lock(int unused)
{
	pthread_t owner;

	(void)unused;
	begin_waits(&owner, 1, die_as_owner);
	tell("lock", futex(&entry.lock, FUTEX_LOCK_PI, 0, NULL, NULL, 0));
	tell("owner died", (entry.lock & FUTEX_OWNER_DIED) != 0);
	tell("unlock", futex(&entry.lock, FUTEX_UNLOCK_PI, 0, NULL, NULL, 0));
	pthread_join(owner, NULL);
}

int main(int count, char **arguments)
{
	static const struct futex_kind kinds[] = {
		{"restarted", restarted}, {"interrupted", interrupted},
		{"deferred", deferred},   {"cancelled", cancelled},
		{"jump", jump},           {"forked", forked},
		{"vforked", vforked},     {"cloned", cloned},
		{"twin", twin},           {"shared", shared},
		{"handler", handler},     {"gone", gone},
		{"robust", robust_lock},  {NULL, NULL},
	};

	return futex_kinds_run(kinds, count, arguments);
}

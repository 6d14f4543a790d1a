/* SPDX-License-Identifier: MIT */
#include "preload/base/descriptors.h"

#include "preload/base/kernel_call.h"
#include "preload/base/patience.h"
#include "preload/base/perf_filter.h"
#include "preload/base/signal_block.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <string.h>
#include <stdbool.h>
#include <sys/single_threaded.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
	LOW = 3, /* numbers below it are the standard streams */
	/* The kernel's descriptor table begins with 64 places. To enlarge it would make all threads
	 * of the process wait (synchronize_rcu, up to some 10 ms). */
	HIGH = 60,
	PATIENCE_NS = 1000000000, /* longer than a thread is without a processor */
	/* Once a thread took longer: it hangs in an open, or belongs to the process that this one
	 * was cloned from without libc. */
	IMPATIENCE_NS = 1000000,
};

/* Atomic, sequentially consistent: each side writes its own word first and then reads the other's,
 * so at least one of them sees the other. */
static struct {
	uint32_t stretches; /* under way */
	uint32_t openings;  /* those of them that have no number yet */
	uint32_t forks;     /* under way */
	bool is_hopeless;   /* a wait for another thread was given up */
	bool is_ending;     /* the process is */
} descriptors;

static bool is_zero(const uint32_t *word)
{
	return !__atomic_load_n(word, __ATOMIC_SEQ_CST);
}

static void await_zero(const uint32_t *word)
{
	struct patience patience = {0};

	while (!is_zero(word))
		if (!patience_left(&patience,
				   descriptors.is_hopeless ? IMPATIENCE_NS : PATIENCE_NS)) {
			descriptors.is_hopeless = true;
			return;
		}
}

static void end(const struct descriptor *descriptor)
{
	__atomic_fetch_sub(&descriptors.stretches, 1, __ATOMIC_SEQ_CST);
	signals_restore(descriptor->mask);
}

static bool begin(struct descriptor *descriptor)
{
	descriptor->mask = signals_block();
	__atomic_fetch_add(&descriptors.stretches, 1, __ATOMIC_SEQ_CST);
	if (is_zero(&descriptors.forks))
		return true;
	end(descriptor);
	return false;
}

static bool is_open(int number)
{
	return kernel_call(SYS_fcntl, number, F_GETFD) >= 0;
}

/* A lone thread cannot open anything between our opening and our closing. */
static bool may_take_low(void)
{
	return __libc_single_threaded || descriptors.is_ending;
}

/* The number that the system call gives, or a negative errno. */
static int take_number(long call, long a, long b, long c, long d, long e)
{
	if (!may_take_low() && !(is_open(0) && is_open(1) && is_open(2)))
		return -EAGAIN;
	int number = (int)kernel_call(call, a, b, c, d, e);
	if (number < 0)
		return -errno;
	if (number >= LOW || may_take_low())
		return number;
	kernel_call(SYS_close, number); /* just closed by the program, and expected back */
	return -EAGAIN;
}

static int take(struct descriptor *descriptor, long call, long a, long b, long c, long d, long e)
{
	int saved = errno;

	if (!begin(descriptor))
		return -EAGAIN;
	__atomic_fetch_add(&descriptors.openings, 1, __ATOMIC_SEQ_CST);
	descriptor->number = take_number(call, a, b, c, d, e);
	__atomic_fetch_sub(&descriptors.openings, 1, __ATOMIC_SEQ_CST);
	errno = saved;
	if (descriptor->number >= 0)
		return 0;
	end(descriptor);
	return descriptor->number;
}

int descriptors_open(struct descriptor *descriptor, const char *path, int flags)
{
	return take(descriptor, SYS_openat, AT_FDCWD, (long)path, flags, 0600, 0);
}

int descriptors_open_event(struct descriptor *descriptor, const struct perf_event_attr *attributes,
			   int tid, int cpu, int group)
{
	int error = perf_filter_error();

	if (error)
		return error;
	return take(descriptor, SYS_perf_event_open, (long)attributes, tid, cpu, group,
		    PERF_FLAG_FD_CLOEXEC);
}

void descriptors_move_up(struct descriptor *descriptor)
{
	descriptors_move(descriptor, HIGH);
}

void descriptors_move(struct descriptor *descriptor, int lowest)
{
	int saved = errno;
	int number = (int)kernel_call(SYS_fcntl, descriptor->number, F_DUPFD_CLOEXEC, lowest);

	errno = saved;
	if (number < 0)
		return; /* the limit of descriptors is too low: it stays where it is */
	kernel_call(SYS_close, descriptor->number);
	descriptor->number = number;
}

void descriptors_close(struct descriptor *descriptor)
{
	int saved = errno;

	kernel_call(SYS_close, descriptor->number);
	end(descriptor);
	errno = saved;
}

void descriptors_keep(const struct descriptor *descriptor)
{
	end(descriptor);
}

/* A thread that checked before the number was free may now be given that number; it notices and
 * gives it back. A thread that checks later sees that the number is free. */
void descriptors_settle(void)
{
	int saved = errno;

	await_zero(&descriptors.openings);
	errno = saved;
}

void descriptors_take_any(void)
{
	descriptors.is_ending = true;
}

void descriptors_before_fork(void)
{
	int saved = errno;

	__atomic_fetch_add(&descriptors.forks, 1, __ATOMIC_SEQ_CST);
	await_zero(&descriptors.stretches);
	errno = saved;
}

void descriptors_after_fork(bool is_child)
{
	if (is_child) /* this thread is the only one of the parent's that is here */
		memset(&descriptors, 0, sizeof descriptors);
	else
		__atomic_fetch_sub(&descriptors.forks, 1, __ATOMIC_SEQ_CST);
}

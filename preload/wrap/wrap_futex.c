/* SPDX-License-Identifier: MIT */
/* Futexes that a program uses itself: std::latch, atomic::wait and the like of C++20, Rust's Mutex,
 * Condvar and park, OpenMP's locks. All of them call the kernel through libc's syscall(), whose
 * wrapper (syscall_door_ARCH.c) jumps here with registers and stack as the program left them: to
 * the stack this is what the program called.
 *
 * Whether a call waits only the kernel can tell, so each that may is announced as a wait; one that
 * was refused, because the value had changed or an argument was wrong, is counted instead. The
 * address must not be read here: it may be invalid, for which the kernel has an error number. */
#include "preload/life/sync_thread.h"
#include "preload/process/real.h"
#include "preload/thread/thread_life.h"
#include "preload/waits/release.h"
#include "preload/waits/wait_call.h"

#include <errno.h>
#include <linux/futex.h>
#include <sys/syscall.h>

#ifndef FUTEX_LOCK_PI2 /* Linux 5.14 */
#define FUTEX_LOCK_PI2 13
#endif

enum role {
	ROLE_NONE, /* no operation that is known: passed on */
	ROLE_COUNT,
	ROLE_WAIT,
	ROLE_WAKE,
	ROLE_WAKE_BOTH, /* at the second address, too */
};

struct futex_operation {
	enum role role;
	enum operation operation, timed; /* timed: with a time-out */
};

static const struct futex_operation futex_operations[] = {
	[FUTEX_WAIT] = {ROLE_WAIT, OP_FUTEX_WAIT, OP_FUTEX_TIMEDWAIT},
	[FUTEX_WAIT_BITSET] = {ROLE_WAIT, OP_FUTEX_WAIT, OP_FUTEX_TIMEDWAIT},
	[FUTEX_WAIT_REQUEUE_PI] = {ROLE_WAIT, OP_FUTEX_WAIT, OP_FUTEX_TIMEDWAIT},
	[FUTEX_LOCK_PI] = {ROLE_WAIT, OP_FUTEX_LOCK, OP_FUTEX_LOCK},
	[FUTEX_LOCK_PI2] = {ROLE_WAIT, OP_FUTEX_LOCK, OP_FUTEX_LOCK},
	[FUTEX_TRYLOCK_PI] = {ROLE_COUNT, OP_FUTEX_TRYLOCK, OP_NONE},
	[FUTEX_UNLOCK_PI] = {ROLE_WAKE, OP_FUTEX_UNLOCK, OP_NONE},
	[FUTEX_WAKE] = {ROLE_WAKE, OP_FUTEX_WAKE, OP_NONE},
	[FUTEX_WAKE_BITSET] = {ROLE_WAKE, OP_FUTEX_WAKE, OP_NONE},
	[FUTEX_WAKE_OP] = {ROLE_WAKE_BOTH, OP_FUTEX_WAKE, OP_NONE},
	/* those that are moved keep waiting for the object that they began with */
	[FUTEX_REQUEUE] = {ROLE_WAKE, OP_FUTEX_REQUEUE, OP_NONE},
	[FUTEX_CMP_REQUEUE] = {ROLE_WAKE, OP_FUTEX_REQUEUE, OP_NONE},
	[FUTEX_CMP_REQUEUE_PI] = {ROLE_WAKE, OP_FUTEX_REQUEUE, OP_NONE},
};

/* The arguments behind the number, as the kernel has them: of futex address, operation, value,
 * time-out or second value, second address, third value; of futex_waitv others. */
struct arguments {
	long word[6];
};

static const void *address(const struct arguments *call, unsigned index)
{
	return (const void *)call->word[index]; // NOLINT: an address by contract
}

/* Without flags. An int: what is above it need not be clear. */
static int operation_of(const struct arguments *call)
{
	return (int)call->word[1] & FUTEX_CMD_MASK;
}

static long pass_on(long number, const struct arguments *call)
{
	const long *word = call->word;

	return real.syscall(number, word[0], word[1], word[2], word[3], word[4], word[5]);
}

/* It returned at once. FUTEX_WAIT_REQUEUE_PI also fails with EAGAIN after a wait, when it is woken
 * instead of moved. */
static bool was_refused(long result, bool may_wake_again)
{
	return result == -1 && errno != EINTR && errno != ETIMEDOUT &&
	       !(errno == EAGAIN && may_wake_again);
}

static enum outcome outcome_of(long result)
{
	return result != -1 ? OUTCOME_DONE : errno == ETIMEDOUT ? OUTCOME_TIMEOUT : OUTCOME_FAILED;
}

/* After the real call. */
static void end_wait(struct wait_call *wait, long result, bool may_wake_again)
{
	if (wait->is_measured && was_refused(result, may_wake_again)) {
		activity_cancel(wait->thread);
		wait->is_measured = false;
	}
	wait_call_end(wait, outcome_of(result));
}

static long wait_for_futex(struct thread *thread, const struct futex_operation *it,
			   const struct arguments *call, const struct site *site)
{
	enum operation operation = call->word[3] ? it->timed : it->operation;
	bool may_wake_again = operation_of(call) == FUTEX_WAIT_REQUEUE_PI;
	struct wait_call wait =
		thread_is_callers(thread)
			? wait_call_begin(thread, CAUSE_FUTEX, operation, address(call, 0), site)
			: wait_call_begun(thread, operation, address(call, 0), false, site);
	long result = pass_on(SYS_futex, call);

	end_wait(&wait, result, may_wake_again);
	return result;
}

/* ---- wakes ----
 *
 * Told before the call, as who is woken may run before it returns; taken back after it, if it woke
 * nobody: the bits were others, the value had changed, the lock was not its own. What is meant for
 * those who wait elsewhere is not to blame for those who wait here. */

/* At one address. */
struct wake {
	struct tried_release tried;
	uint32_t waits; /* measured ones, before the call */
};

/* Mostly nobody waits: then nothing but the two fields is written. */
static void begin_wake(struct wake *wake, struct thread *thread, const void *futex,
		       const struct site *site)
{
	wake->tried.object = NULL;
	wake->waits = 0;
	if (release_is_awaited(futex) && thread_is_callers(thread))
		wake->waits = release_try(thread, futex, OBJECT_FUTEX, site, &wake->tried);
}

static void end_wake(struct thread *thread, const struct wake *wake, uint64_t woken)
{
	if (!woken)
		release_withdraw(thread, &wake->tried);
}

/* By results: FUTEX_UNLOCK_PI returns 0, and the kernel has given the lock to who waits for it. All
 * others return how many they woke, FUTEX_REQUEUE and its like with those that they moved,
 * FUTEX_WAKE_OP the sum of both addresses. */
static uint64_t woken_by(int operation, long result)
{
	if (result < 0)
		return 0;
	return operation == FUTEX_UNLOCK_PI ? 1 : (uint64_t)result;
}

/* Of those whom FUTEX_WAKE_OP woke: it begins at the first address, and wakes one there although
 * none is wanted. */
static uint64_t woken_first(const struct wake *first, const struct arguments *call, uint64_t woken)
{
	uint32_t wanted = (uint32_t)call->word[2];
	uint64_t most = first->waits < wanted ? first->waits : wanted ? wanted : 1;

	return woken < most ? woken : most;
}

static long wake_both(struct thread *thread, const struct arguments *call, const struct site *site)
{
	struct wake first, second;

	begin_wake(&first, thread, address(call, 0), site);
	begin_wake(&second, thread, address(call, 4), site);
	long result = pass_on(SYS_futex, call);
	uint64_t woken = woken_by(FUTEX_WAKE_OP, result), here = woken_first(&first, call, woken);

	end_wake(thread, &first, here);
	end_wake(thread, &second, woken - here);
	return result;
}

static long wake_one(struct thread *thread, const struct arguments *call, const struct site *site)
{
	struct wake wake;

	begin_wake(&wake, thread, address(call, 0), site);
	long result = pass_on(SYS_futex, call);

	end_wake(thread, &wake, woken_by(operation_of(call), result));
	return result;
}

static long call_futex(struct thread *thread, const struct arguments *call, const struct site *site)
{
	unsigned number = (unsigned)operation_of(call);
	bool is_known = number < sizeof futex_operations / sizeof *futex_operations;
	const struct futex_operation *it = is_known ? &futex_operations[number] : NULL;

	if (it && it->role == ROLE_WAIT)
		return wait_for_futex(thread, it, call, site);
	if (it && it->role)
		activity_count(thread, address(call, 0), it->operation, site->caller);
	if (it && it->role == ROLE_WAKE)
		return wake_one(thread, call, site);
	return it && it->role == ROLE_WAKE_BOTH ? wake_both(thread, call, site)
						: pass_on(SYS_futex, call);
}

/* Waits for any of several: none of them is to blame. */
static long wait_for_any(struct thread *thread, long number, const struct arguments *call,
			 const struct site *site)
{
	struct wait_call wait =
		thread_is_callers(thread)
			? wait_call_begin(thread, CAUSE_FUTEX, OP_FUTEX_WAIT_ANY, NULL, site)
			: wait_call_begun(thread, OP_FUTEX_WAIT_ANY, NULL, false, site);
	long result = pass_on(number, call);

	end_wait(&wait, result, false);
	return result;
}

/* From syscall_door_ARCH.c, in the place of libc's syscall; number: SYS_futex or SYS_futex_waitv.
 * It reads six arguments, however many were given, as libc does. */
long wrap_futex(long number, long first, long second, long third, long fourth, long fifth,
		long sixth);
long wrap_futex(long number, long first, long second, long third, long fourth, long fifth,
		long sixth)
{
	struct arguments call = {{first, second, third, fourth, fifth, sixth}};
	struct thread *thread = sync_thread();

	if (unlikely(!thread))
		return pass_on(number, &call);
	return number == SYS_futex ? call_futex(thread, &call, SITE_HERE)
				   : wait_for_any(thread, number, &call, SITE_HERE);
}

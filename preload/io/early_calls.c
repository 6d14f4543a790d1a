/* SPDX-License-Identifier: MIT */
#include "preload/io/early_calls.h"

#include "preload/base/kernel_call.h"
#include "preload/io/io_descriptors.h"
#include "preload/io/io_names.h"
#include "preload/io/io_rows.h"
#include "preload/life/lifecycle.h"

#include <errno.h>
#include <poll.h>
#include <sys/syscall.h>
#include <time.h>

enum { EARLY_CALLS = 64 /* children that exec make fewer */ };

enum early_state {
	EARLY_UNDER_WAY,
	EARLY_DONE,
	EARLY_FAILED,
	EARLY_FORGOTTEN,
};

struct early_call {
	uint64_t caller, word, bytes;
	struct row_io_calls *row; /* once it is counted */
	int number;
	uint16_t operation;
	uint8_t state; /* enum early_state */
};

static struct {
	uint32_t count; /* atomic: entries given out; beyond EARLY_CALLS there are none */
	bool is_registered;
	struct early_call calls[EARLY_CALLS];
} early;

static uint32_t entries(void)
{
	uint32_t count = __atomic_load_n(&early.count, __ATOMIC_RELAXED);

	return count < EARLY_CALLS ? count : EARLY_CALLS;
}

/* In a fork child. A call of the parent in whose middle the process forked goes on in the child,
 * where it is to count nothing. */
static void forget(void)
{
	for (uint32_t i = 0; i < entries(); i++) {
		early.calls[i].row = NULL;
		early.calls[i].state = EARLY_FORGOTTEN;
	}
	early.count = 0;
}

/* ---- is it about to wait? ---- */

/* In a process that is asleep nobody sees a wait, however long it lasts. */
static bool is_ready(int number, short events)
{
	struct pollfd one = {.fd = number, .events = events};
	struct timespec now = {0, 0};
	int saved = errno;
	long ready = kernel_call(SYS_ppoll, &one, 1L, &now, NULL, 0L);

	errno = saved;
	return ready != 0 || io_is_nonblocking(number);
}

static bool is_about_to_wait(int number, enum cause cause)
{
	switch (cause) {
	case CAUSE_READ:
	case CAUSE_ACCEPT:
		return number >= 0 && !is_ready(number, POLLIN);
	case CAUSE_WRITE:
		return number >= 0 && !is_ready(number, POLLOUT);
	case CAUSE_EVENTS:
	case CAUSE_FILE_LOCK:
	case CAUSE_IPC:
		return true; /* that is what they are for */
	default:
		return false;
	}
}

/* ---- counting ---- */

/* The row that counts it: of what its number stands for, if that is worth a question. */
static struct row_io_calls *find_row(struct io_thread *io, const struct early_call *call)
{
	enum operation operation = (enum operation)call->operation;
	bool is_used = (unsigned)call->number < IO_DESCRIPTORS &&
		       io_descriptor_uses[call->number] >= IO_USES;
	uint16_t object = is_used ? io_descriptor_find(call->number, call->word, operation,
						       call->caller)
				  : 0;

	return io_rows_find(io, object, operation, call->caller);
}

static void add(struct early_call *call)
{
	if (!call->row)
		return;
	if (call->state == EARLY_DONE)
		call->row->bytes += call->bytes;
	else if (call->state == EARLY_FAILED)
		call->row->failed++;
}

/* The process is awake: thread is its first one, which made them. */
static void count_all(struct thread *thread)
{
	struct io_thread *io = entries() ? io_thread_of(thread) : NULL;

	for (uint32_t i = 0; io && i < entries(); i++) {
		struct early_call *call = &early.calls[i];
		if (call->state == EARLY_FORGOTTEN)
			continue;
		call->row = find_row(io, call);
		if (call->row)
			call->row->count++;
		add(call);
	}
	/* entries of calls under way stay theirs: no further ones are given out */
	__atomic_store_n(&early.count, EARLY_CALLS, __ATOMIC_RELAXED);
}

static void watch(void)
{
	if (early.is_registered)
		return;
	early.is_registered = true;
	lifecycle_call_in_child(forget);
	lifecycle_awoke = count_all;
}

/* ---- a call ---- */

struct early_call *early_call_begin(int number, enum cause cause, enum operation operation,
				    uint64_t caller)
{
	if (is_about_to_wait(number, cause))
		return NULL;
	watch();
	uint32_t at = __atomic_fetch_add(&early.count, 1, __ATOMIC_RELAXED);
	if (at >= EARLY_CALLS) {
		__atomic_store_n(&early.count, EARLY_CALLS, __ATOMIC_RELAXED);
		return NULL;
	}
	struct early_call *call = &early.calls[at];
	*call = (struct early_call){.caller = caller,
				    .word = io_descriptor_word(number),
				    .number = number,
				    .operation = (uint16_t)operation,
				    .state = EARLY_UNDER_WAY};
	return call;
}

void early_call_end(struct early_call *call, int number, int64_t result, uint64_t bytes)
{
	if (call->state == EARLY_FORGOTTEN)
		return;
	if (number != call->number) {
		call->number = number;
		call->word = io_descriptor_word(number);
	}
	call->bytes = bytes;
	call->state = result < 0 ? EARLY_FAILED : EARLY_DONE;
	io_descriptor_use(number, call->word, result > 0 ? bytes : 0);
	add(call); /* if it was counted meanwhile */
}

void early_call_forget(struct early_call *call)
{
	if (call->state != EARLY_FORGOTTEN && call->row)
		call->row->count--;
	call->state = EARLY_FORGOTTEN;
}

/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "moving_call.h"

#include "common/message.h"
#include "descriptor_facts.h"

#include <errno.h>
#include <limits.h>
#include <linux/aio_abi.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>

#define SECOND_NS UINT64_C(1000000000)

enum { MOST_AT_ONCE = 0x7ffff000 }; /* bytes of one call (MAX_RW_COUNT) */

enum kind {
	READ,    /* descriptor, memory, count */
	RECEIVE, /* and flags */
	WRITE,
	SEND,
	EVENTS,   /* context, least, most, memory, time-out */
	SENDFILE, /* descriptor, from, offset, count */
	RANDOM,   /* memory, count, flags */
};

enum memory { PLAIN, VECTOR, MESSAGE };

static const struct moving_call {
	long number;
	enum kind kind;
	enum memory memory;
} calls[] = {
	{SYS_read, READ, PLAIN},           {SYS_readv, READ, VECTOR},
	{SYS_recvfrom, RECEIVE, PLAIN},    {SYS_recvmsg, RECEIVE, MESSAGE},
	{SYS_write, WRITE, PLAIN},         {SYS_writev, WRITE, VECTOR},
	{SYS_sendto, SEND, PLAIN},         {SYS_sendmsg, SEND, MESSAGE},
	{SYS_io_getevents, EVENTS, PLAIN}, {SYS_sendfile, SENDFILE, PLAIN},
	{SYS_getrandom, RANDOM, PLAIN},
};

/* One call of a stopped thread. */
struct cut {
	pid_t process, thread;
	const struct moving_call *call;
	uint64_t arguments[6];
	uint64_t moved, goal; /* bytes, or events: the call ends when so many are moved */
};

static const struct moving_call *find(long number)
{
	for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++)
		if (calls[i].number == number)
			return &calls[i];
	return NULL;
}

static bool read_memory(const struct cut *cut, uint64_t address, void *bytes, size_t size)
{
	struct iovec own = {bytes, size}, other = {(void *)(uintptr_t)address, size};

	return process_vm_readv(cut->process, &own, 1, &other, 1, 0) == (ssize_t)size;
}

static uint64_t flags_of(const struct cut *cut)
{
	bool is_message = cut->call->memory == MESSAGE;

	return cut->arguments[is_message ? 2 : 3];
}

/* Where its memory is: an area, in whose array of areas it lies. The control data of a message were
 * moved with its first byte, but what else may come with the rest of one that is received? */
static bool find_vector(const struct cut *cut, uint64_t *areas, uint64_t *count)
{
	struct msghdr message;

	*areas = cut->arguments[1];
	*count = cut->arguments[2];
	if (cut->call->memory == MESSAGE) {
		if (!read_memory(cut, cut->arguments[1], &message, sizeof message) ||
		    (cut->call->kind == RECEIVE && message.msg_control))
			return false;
		*areas = (uint64_t)(uintptr_t)message.msg_iov;
		*count = message.msg_iovlen;
	}
	return *count <= IOV_MAX;
}

/* The piece that begins `from` bytes behind the begin; size 0: there is none, or it is not known.
 * *total: of all. */
static struct iovec find_piece(const struct cut *cut, uint64_t from, uint64_t *total)
{
	struct iovec area, piece = {0};
	uint64_t areas, count;

	*total = 0;
	if (cut->call->memory == PLAIN) {
		*total = cut->arguments[2];
		return (struct iovec){(char *)(uintptr_t)cut->arguments[1] + from,
				      *total > from ? *total - from : 0};
	}
	if (!find_vector(cut, &areas, &count))
		return piece;
	for (uint64_t i = 0; i < count; i++) {
		if (!read_memory(cut, areas + i * sizeof area, &area, sizeof area))
			return (struct iovec){0};
		if (from >= *total && from - *total < area.iov_len)
			piece = (struct iovec){(char *)area.iov_base + (from - *total),
					       area.iov_len - (from - *total)};
		*total += area.iov_len;
	}
	return piece;
}

/* So many bytes a call of `total` waits for that reads, or writes, that descriptor. */
static uint64_t wanted_bytes(const struct cut *cut, const struct descriptor_facts *facts,
			     uint64_t total)
{
	enum kind kind = cut->call->kind;
	uint64_t flags = kind == RECEIVE ? flags_of(cut) : 0;
	bool is_whole = facts->is_filled;

	if (kind == WRITE || kind == SEND) /* files on disks are written as if nobody had looked */
		is_whole = S_ISFIFO(facts->type) || S_ISSOCK(facts->type) || facts->is_terminal;
	if (flags & (MSG_PEEK | MSG_OOB | MSG_ERRQUEUE))
		return 0;
	if (flags & MSG_WAITALL)
		is_whole = facts->is_stream;
	return is_whole || facts->least > total ? total : facts->least;
}

static void find_goal(struct cut *cut, const struct descriptor_facts *facts)
{
	uint64_t total;

	switch (cut->call->kind) {
	case EVENTS:
		cut->goal = cut->arguments[1];
		return;
	case SENDFILE:
		total = cut->arguments[3];
		break;
	case RANDOM:
		total = cut->arguments[1];
		break;
	default:
		find_piece(cut, 0, &total);
		total = wanted_bytes(cut, facts, total);
	}
	cut->goal = total < MOST_AT_ONCE ? total : MOST_AT_ONCE;
}

static void look_at_descriptor(const struct cut *cut, struct descriptor_facts *facts)
{
	enum kind kind = cut->call->kind;

	*facts = (struct descriptor_facts){.least = 1};
	if (kind != EVENTS && kind != SENDFILE && kind != RANDOM)
		descriptor_facts_read(facts, cut->process, cut->thread, (int)cut->arguments[0]);
}

bool moving_call_may_hold(pid_t process, pid_t thread, long number, const uint64_t arguments[6],
			  bool *is_timed)
{
	struct cut cut = {.process = process, .thread = thread, .call = find(number)};
	struct descriptor_facts facts;

	if (!cut.call)
		return false;
	memcpy(cut.arguments, arguments, sizeof cut.arguments);
	look_at_descriptor(&cut, &facts);
	find_goal(&cut, &facts);
	*is_timed = facts.is_timed;
	if (cut.call->kind == RECEIVE && flags_of(&cut) & MSG_WAITALL)
		return facts.is_stream || !facts.type;
	return cut.goal > 1;
}

bool moving_call_is_again(const struct tracee *tracee, const registers_general *general,
			  const uint64_t *first_argument)
{
	uint64_t arguments[6];
	bool is_timed;

	return registers_arguments(general, first_argument, arguments) &&
	       moving_call_may_hold(tracee->process, tracee->thread,
				    registers_call_number(tracee->thread, general), arguments,
				    &is_timed);
}

/* ---- the rest ---- */

/* The call for it, which may be for a piece of it. Returns its number, and in *count what it is
 * to move; -1: there is none. */
static long make_rest(const struct cut *cut, uint64_t arguments[6], uint64_t *count)
{
	enum kind kind = cut->call->kind;
	uint64_t unused;

	memcpy(arguments, cut->arguments, sizeof cut->arguments);
	*count = cut->goal - cut->moved;
	if (kind == EVENTS) {
		arguments[1] -= cut->moved;
		arguments[2] -= cut->moved;
		arguments[3] += cut->moved * sizeof(struct io_event);
	} else if (kind == SENDFILE) {
		arguments[3] = *count; /* the offset has gone on */
	} else if (kind == RANDOM) {
		arguments[0] += cut->moved;
		arguments[1] = *count;
	} else {
		struct iovec piece = find_piece(cut, cut->moved, &unused);

		if (piece.iov_len < *count)
			*count = piece.iov_len;
		arguments[1] = (uint64_t)(uintptr_t)piece.iov_base;
		arguments[2] = *count;
		arguments[3] = kind == RECEIVE || kind == SEND ? flags_of(cut) : 0;
		arguments[4] = arguments[5] = 0;
	}
	static const long plain[] = {
		[READ] = SYS_read,       [RECEIVE] = SYS_recvfrom,    [WRITE] = SYS_write,
		[SEND] = SYS_sendto,     [EVENTS] = SYS_io_getevents, [SENDFILE] = SYS_sendfile,
		[RANDOM] = SYS_getrandom};
	return *count ? plain[kind] : -1;
}

/* Until the call ends: whoever it waits for runs. */
static enum stop await_end(struct tracee *tracee)
{
	enum stop stop = tracee_resume(tracee, PTRACE_SYSCALL, 3 * SECOND_NS);

	if (stop == STOP_LATE)
		message_say("thread %ld of process %ld was in a call that had moved a part of its "
			    "data; ptrace-attach waits until it has moved the rest, and must not "
			    "be ended before",
			    (long)tracee->thread, (long)tracee->process);
	while (stop == STOP_LATE)
		stop = tracee_wait(tracee, SECOND_NS);
	return stop;
}

/* With the thread's own signals, which end it as they would have ended the whole call. */
static int make_call(struct tracee *tracee, const registers_general *general, long number,
		     const uint64_t arguments[6], int64_t *result)
{
	registers_general call = *general;
	uint64_t mask;
	int error = tracee_get_mask(tracee, &mask);

	registers_set_system_call(&call, registers_pc(general) - registers_system_call.size, number,
				  arguments);
	if (!error)
		error = registers_write_call(tracee->thread, &call);
	if (!error)
		error = tracee_enter_call(tracee, mask);
	if (error)
		return error;
	tracee->is_free = true;
	enum stop stop = await_end(tracee);
	tracee->is_free = false;
	if (stop != STOP_CALL || registers_read_general(tracee->thread, &call) < 0)
		return -ESRCH;
	*result = (int64_t)registers_result(&call);
	return 0;
}

static int move_rest(struct tracee *tracee, const registers_general *general, struct cut *cut)
{
	uint64_t arguments[6], count;
	int64_t result;

	while (cut->moved < cut->goal) {
		long number = make_rest(cut, arguments, &count);
		if (number < 0)
			return 0;
		int error = make_call(tracee, general, number, arguments, &result);
		if (error)
			return error;
		if (result <= 0)
			return 0;
		cut->moved += (uint64_t)result;
		if ((uint64_t)result < count)
			return 0;
	}
	return 0;
}

int moving_call_finish(struct tracee *tracee, registers_general *general,
		       const uint64_t *first_argument)
{
	struct cut cut = {.process = tracee->process, .thread = tracee->thread};
	struct descriptor_facts facts;
	int64_t moved = (int64_t)registers_result(general);

	cut.call = find(registers_call_number(tracee->thread, general));
	if (!cut.call || moved <= 0 || !registers_arguments(general, first_argument, cut.arguments))
		return 0;
	look_at_descriptor(&cut, &facts);
	find_goal(&cut, &facts);
	cut.moved = (uint64_t)moved;
	/* with a time between the bytes it may have come to its end by itself */
	if (cut.moved >= cut.goal || facts.is_timed)
		return 0;
	if (move_rest(tracee, general, &cut) < 0)
		return -ESRCH;
	registers_set_result(general, cut.moved);
	return registers_write_call(tracee->thread, general) < 0 ? -ESRCH : 1;
}

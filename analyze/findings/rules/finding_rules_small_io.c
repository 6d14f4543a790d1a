/* SPDX-License-Identifier: MIT */
/* The rule on many calls of input and output for few bytes. Calls of stdio are those that its
 * buffer did not do; samples tell them from the program's own, so that each kind has its price. */
#include "analyze/findings/rules/finding_rules.h"

#include "analyze/base/memory.h"
#include "analyze/base/quantity.h"
#include "analyze/findings/where/finding_called.h"
#include "analyze/findings/where/finding_stake.h"
#include "analyze/findings/where/finding_where.h"
#include "analyze/model/common/finding_limits.h"
#include "analyze/model/common/io_direction.h"
#include "analyze/model/common/vocabulary_text.h"
#include "analyze/model/run/run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Calls that samples tell apart: read and write, recv and send, and what stdio calls. */
enum kind { PLAIN, OF_SOCKETS, OF_STDIO, KINDS };

static bool is_one_of(const char *kind, const char *const *kinds)
{
	while (*kinds && strcmp(kind, *kinds) != 0)
		kinds++;
	return *kinds != NULL;
}

static enum kind kind_of(uint64_t operation)
{
	bool is_received = operation >= OP_RECV && operation <= OP_RECVMMSG;
	bool is_sent = operation >= OP_SEND && operation <= OP_SENDMMSG;

	if (operation >= OP_FREAD && operation <= OP_PRINTF)
		return OF_STDIO;
	return is_received || is_sent ? OF_SOCKETS : PLAIN;
}

/* Messages have the size that they have. */
static bool is_transfer(uint64_t operation)
{
	static const enum operation messages[] = {OP_MSGRCV,  OP_MSGSND,          OP_MQ_RECEIVE,
						  OP_MQ_SEND, OP_MQ_TIMEDRECEIVE, OP_MQ_TIMEDSEND};
	enum io_direction direction = io_direction_of(operation);

	for (size_t i = 0; i < sizeof messages / sizeof *messages; i++)
		if (operation == messages[i])
			return false;
	return direction == IO_READ || direction == IO_WRITTEN;
}

/* Counters have the size that they have, and messages of sockets, which are answered one by one;
 * what is read from a pipe is as long as what was written. */
static bool can_be_larger(const struct run *run, const struct sync_row *row)
{
	static const char *const fixed[] = {"eventfd", "timerfd", "signalfd",
					    "inotify", "socket",  NULL};
	static const char *const streams[] = {"pipe", "terminal", NULL};
	const char *kind = run->synchronization.objects[row->object].kind;

	if (is_one_of(kind, fixed) ||
	    (is_one_of(kind, streams) && io_direction_of(row->operation) == IO_READ))
		return false;
	return is_transfer(row->operation);
}

/* Of stdio, the buffer is not full at the end only; a call without any byte has reached nobody. */
static bool is_small(const struct run *run, const struct sync_row *row)
{
	double bytes = (double)row->io.bytes, most = finding_limits.small_io;

	if (!can_be_larger(run, row) || !row->io.calls)
		return false;
	if (kind_of(row->operation) == OF_STDIO)
		return bytes > 0 && bytes < most / 2 * (double)row->io.calls;
	return bytes < most * (double)row->io.calls;
}

struct transfers {
	double calls, bytes;
	double other_calls, other_bytes; /* of larger ones */
};

struct small_io {
	struct transfers kinds[KINDS];
	double calls, bytes;
	const struct sync_row *most; /* with the most calls */
};

static void add(struct small_io *all, const struct sync_row *row, bool is_counted)
{
	struct transfers *sums = &all->kinds[kind_of(row->operation)];
	double calls = (double)row->io.calls, bytes = (double)row->io.bytes;

	*(is_counted ? &sums->calls : &sums->other_calls) += calls;
	*(is_counted ? &sums->bytes : &sums->other_bytes) += bytes;
	if (!is_counted)
		return;
	all->calls += calls;
	all->bytes += bytes;
	if (!all->most || row->io.calls > all->most->io.calls)
		all->most = row;
}

static struct small_io small_of(const struct run *run)
{
	struct small_io all = {0};

	for (size_t i = 0; i < run->synchronization.count; i++) {
		const struct sync_row *row = &run->synchronization.rows[i];

		if (is_transfer(row->operation))
			add(&all, row, is_small(run, row));
	}
	return all;
}

void finding_add_small_io(const struct run *run, struct finding *finding, const char *kind)
{
	struct finding_shares routines = {0}, objects = {0};
	double calls = 0;

	for (size_t i = 0; i < run->synchronization.count; i++) {
		const struct sync_row *row = &run->synchronization.rows[i];

		if (!is_small(run, row) ||
		    (kind && strcmp(run->synchronization.objects[row->object].kind, kind)))
			continue;
		calls += (double)row->io.calls;
		finding_shares_add(&objects, row->object, 0, (double)row->io.calls);
		for (size_t j = 0; j < row->callers.count; j++)
			finding_share_place(&routines, run, row->callers.rows[j].routine,
					    row->callers.rows[j].line,
					    (double)row->callers.rows[j].sums.calls);
	}
	finding_add_shared_routine(finding, run, &routines, calls);
	finding_add_shared_object(finding, run, &objects);
}

/* " in f (x.c:12)": who makes most of a row's calls, as far as that is known; else "". */
static char *caller_text(const struct run *run, const struct sync_row *row)
{
	const struct io_caller *caller = row->callers.rows;

	if (!row->callers.count || !finding_is_code(run, caller->routine) ||
	    2 * caller->sums.calls <= row->io.calls)
		return memory_copy_text("");
	char *place = names_place_text(run->names, caller->routine, caller->line);
	char *text = memory_print(" in %s", place);

	free(place);
	return text;
}

static void tell(const struct run *run, struct finding *finding, const struct small_io *all)
{
	const struct sync_row *row = all->most;
	char *caller = caller_text(run, row);

	finding->evidence = memory_print(
		"%s calls that read or wrote %s each on average, most of them %s of %s%s",
		quantity_count(all->calls).text,
		quantity_size((uint64_t)(all->bytes / all->calls + 0.5)).text,
		vocabulary_call(row->operation), run->synchronization.names[row->object], caller);
	free(caller);
	if (row->operation == OP_FFLUSH)
		finding->advice =
			"Flush only where somebody waits for what is written: by itself stdio "
			"writes whole buffers, and setvbuf makes these larger.";
	finding_add_small_io(run, finding, NULL);
}

/* ---- what they cost */

static double system_ns(const struct run *run)
{
	double ns = 0;

	for (size_t i = 0; i < run->process_count; i++)
		ns += (double)run->processes[i].sum.system_ns;
	return ns;
}

/* libc's names of a call: __GI___libc_read, __read_nocancel. */
static bool is_call_of(const char *name, const char *const *calls)
{
	static const char *const before[] = {"__GI_", "__libc_", "__", NULL};
	char call[16];

	for (size_t i = 0; before[i]; i++)
		if (!strncmp(name, before[i], strlen(before[i])))
			name += strlen(before[i]);
	size_t length = strcspn(name, "_");

	if (length >= sizeof call || (name[length] && strcmp(name + length, "_nocancel")))
		return false;
	memcpy(call, name, length);
	call[length] = 0;
	return is_one_of(call, calls);
}

static bool is_plain_call(const char *name)
{
	static const char *const calls[] = {"read",      "pread",    "pread64", "readv",
					    "preadv",    "preadv64", "preadv2", "write",
					    "pwrite",    "pwrite64", "writev",  "pwritev",
					    "pwritev64", "pwritev2", NULL};

	return is_call_of(name, calls);
}

static bool is_socket_call(const char *name)
{
	static const char *const calls[] = {"recv",   "recvfrom", "recvmsg",  "recvmmsg", "send",
					    "sendto", "sendmsg",  "sendmmsg", NULL};

	return is_call_of(name, calls);
}

/* CPU time of small calls by samples; 0: not known. Samples do not tell small calls from large
 * ones. */
static double sampled_ns(const struct run *run, const struct transfers *sums, enum kind kind)
{
	bool are_nearly_all = sums->other_calls < finding_limits.part * sums->calls &&
			      sums->other_bytes < sums->bytes;

	if (!(sums->calls > 0) || !are_nearly_all)
		return 0;
	return finding_sampled_ns(run, kind == OF_SOCKETS ? is_socket_call : is_plain_call,
				  kind == OF_STDIO);
}

/* What the calls cost beyond those that would do, and where samples do not say it, never more than
 * all system time. */
double judge_small_io(const struct run *run, struct finding *finding)
{
	struct small_io all = small_of(run);
	double known_ns = 0, guess_ns = 0;

	if (all.calls <= finding_limits.small_ios)
		return NAN;
	for (enum kind kind = 0; kind < KINDS; kind++) {
		const struct transfers *sums = &all.kinds[kind];
		double more = sums->calls - sums->bytes / finding_limits.small_io;
		double ns = sampled_ns(run, sums, kind);

		known_ns += ns > 0 ? ns * more / sums->calls : 0;
		guess_ns += ns > 0 ? 0 : more * finding_limits.io_call;
	}
	tell(run, finding, &all);
	finding->grade = GRADE_ESTIMATED;
	const struct finding_loss loss = {.work_ns = known_ns + fmin(guess_ns, system_ns(run))};

	return finding_stake(run, finding, &loss);
}

/* SPDX-License-Identifier: MIT */
/* A pool of processes whose items are too small: to pass one takes longer than to work on it. */
#include "analyze/findings/rules/finding_rules.h"

#include "analyze/base/memory.h"
#include "analyze/base/quantity.h"
#include "analyze/findings/where/finding_stake.h"
#include "analyze/findings/where/finding_where.h"
#include "analyze/model/common/finding_limits.h"
#include "analyze/model/run/run.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

/* ---- who passes items to whom */

struct flow {
	double calls, bytes;
};

/* One process writes items to workers, which write their answers to it. */
struct pool {
	const struct process *hub;
	struct flow items, answers;
	double taken; /* calls by which workers read items */
	size_t workers;
	double worker_cpu_ns, worker_system_ns;
};

/* What each process passes to the one that is looked at, or takes from it. */
struct partner {
	bool takes, gives;
	double taken; /* calls that read */
	struct flow answers;
};

static bool has_process(const struct pipe_ends *ends, const struct connection_side *side,
			size_t process)
{
	for (size_t i = 0; i < side->count; i++)
		if (ends->rows[side->ends[i]].process == process)
			return true;
	return false;
}

/* Through sockets requests go, which have the size that they have. */
static bool is_pipe(const struct pipe_ends *ends, const struct connection *connection)
{
	enum pipe_kind kind = ends->rows[connection->from.ends[0]].kind;

	return kind == PIPE_PIPE || kind == PIPE_FIFO;
}

/* Calls on a pipe; what goes another way belongs to the same items. */
static void add_flow(struct flow *to, const struct pipe_flow *flow, bool is_pipe)
{
	to->calls += is_pipe ? (double)flow->calls : 0;
	to->bytes += (double)flow->bytes;
}

static void add_takers(const struct pipe_ends *ends, const struct connection *connection,
		       struct partner *partners)
{
	for (size_t i = 0; i < connection->to.count; i++) {
		const struct pipe_end *end = &ends->rows[connection->to.ends[i]];
		partners[end->process].takes = true;
		partners[end->process].taken += (double)end->flows[PIPE_READ].calls;
	}
}

static void add_givers(const struct pipe_ends *ends, const struct connection *connection,
		       struct partner *partners, bool is_pipe)
{
	for (size_t i = 0; i < connection->from.count; i++) {
		const struct pipe_end *end = &ends->rows[connection->from.ends[i]];
		partners[end->process].gives |= is_pipe;
		add_flow(&partners[end->process].answers, &end->flows[PIPE_WRITE], is_pipe);
	}
}

/* What the process writes to those that answer: of a connection with several writers its own. */
static void add_items(const struct pipe_ends *ends, const struct connection *connection,
		      size_t process, struct flow *items, bool is_pipe)
{
	for (size_t i = 0; i < connection->from.count; i++) {
		const struct pipe_end *end = &ends->rows[connection->from.ends[i]];
		if (end->process == process)
			add_flow(items, &end->flows[PIPE_WRITE], is_pipe);
	}
}

static void add_connection(const struct pipe_ends *ends, const struct connection *connection,
			   struct pool *pool, struct partner *partners)
{
	size_t hub = pool->hub->index;
	bool writes = has_process(ends, &connection->from, hub);
	bool reads = has_process(ends, &connection->to, hub);
	bool through_pipe = is_pipe(ends, connection);

	/* who writes and reads one pipe passes tokens, as make does */
	if (writes && reads && through_pipe)
		return;
	if (writes && through_pipe)
		add_takers(ends, connection, partners);
	if (writes)
		add_items(ends, connection, hub, &pool->items, through_pipe);
	if (reads)
		add_givers(ends, connection, partners, through_pipe);
}

static struct pool pool_of(const struct run *run, size_t hub, struct partner *partners)
{
	struct pool pool = {.hub = &run->processes[hub]};

	for (size_t i = 0; i < run->pipelines.connections.count; i++)
		add_connection(&run->pipelines.ends, &run->pipelines.connections.rows[i], &pool,
			       partners);
	for (size_t i = 0; i < run->process_count; i++) {
		if (i == hub || !partners[i].takes || !partners[i].gives)
			continue;
		pool.workers++;
		pool.taken += partners[i].taken;
		pool.answers.calls += partners[i].answers.calls;
		pool.answers.bytes += partners[i].answers.bytes;
		pool.worker_cpu_ns += (double)run->processes[i].cpu_ns;
		pool.worker_system_ns += (double)run->processes[i].sum.system_ns;
	}
	return pool;
}

/* ---- the rule */

static bool is_small(const struct flow *flow)
{
	return flow->bytes < finding_limits.small_io * flow->calls;
}

/* An item has an answer; some libraries write either in two parts. */
static double items_of(const struct pool *pool)
{
	return fmin(pool->items.calls, pool->answers.calls);
}

/* Of the workers: what passing takes of the other one is what is lost. */
static double item_ns(const struct pool *pool)
{
	return pool->worker_cpu_ns / items_of(pool);
}

/* To pass is to call the kernel: who hardly does so has work of its own. */
static bool passes_most(const struct process *hub)
{
	return (double)hub->sum.system_ns >= finding_limits.part * (double)hub->cpu_ns;
}

/* Written in parts, an item is read at once. */
static bool are_whole(const struct pool *pool)
{
	return 2 * pool->taken >= pool->items.calls;
}

/* One partner may be asked for one thing after the other, of which none is known before. */
static bool is_tiny(const struct pool *pool)
{
	return pool->workers > 1 && passes_most(pool->hub) && are_whole(pool) &&
	       pool->items.calls + pool->answers.calls > finding_limits.small_ios &&
	       4 * items_of(pool) > fmax(pool->items.calls, pool->answers.calls) &&
	       is_small(&pool->items) && is_small(&pool->answers) &&
	       item_ns(pool) < finding_limits.pool_item;
}

/* By is_tiny there are less than four times as many answers as items, so that these are more than a
 * fifth of all: whether it writes so often, to whomever, is known without looking at all others. */
static bool may_be_hub(const struct run *run, size_t process)
{
	const struct pipe_ends *ends = &run->pipelines.ends;
	double calls = 0;

	for (size_t i = 0; i < ends->count; i++)
		if (ends->rows[i].process == process)
			calls += (double)ends->rows[i].flows[PIPE_WRITE].calls;
	return 5 * calls > finding_limits.small_ios;
}

/* The pool with the most items. */
static struct pool find_pool(const struct run *run)
{
	struct pool most = {0};

	for (size_t i = 0; i < run->process_count; i++) {
		if (!may_be_hub(run, i))
			continue;
		struct partner *partners = memory_allocate(run->process_count, sizeof *partners);
		struct pool pool = pool_of(run, i, partners);

		free(partners);
		if (is_tiny(&pool) && (!most.hub || items_of(&pool) > items_of(&most)))
			most = pool;
	}
	return most;
}

static void tell(const struct run *run, struct finding *finding, const struct pool *pool)
{
	finding->evidence = memory_print(
		"process %u passed at least %s items of %s each to %zu processes, which used %s "
		"of CPU time for an item, and answered %s times with %s each",
		pool->hub->file->header.pid, quantity_count(pool->items.calls).text,
		quantity_size((uint64_t)(pool->items.bytes / pool->items.calls + 0.5)).text,
		pool->workers, quantity_seconds(item_ns(pool)).text,
		quantity_count(pool->answers.calls).text,
		quantity_size((uint64_t)(pool->answers.bytes / pool->answers.calls + 0.5)).text);
	finding->grade = GRADE_ESTIMATED;
	finding_add_small_io(run, finding, "pipe");
}

/* With many items in one message there is next to nothing to be passed: the CPU time of who gives
 * them out is gone, and what the kernel does for the workers. */
double judge_tiny_items(const struct run *run, struct finding *finding)
{
	if (run->process_count < 2 || !run->pipelines.connections.count || run->mpi.ranks.count)
		return NAN;
	struct pool pool = find_pool(run);

	if (!pool.hub)
		return NAN;
	tell(run, finding, &pool);
	const struct finding_loss loss = {
		.work_ns = (double)pool.hub->cpu_ns + pool.worker_system_ns,
	};

	return finding_stake(run, finding, &loss);
}

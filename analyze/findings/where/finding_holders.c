/* SPDX-License-Identifier: MIT */
#include "analyze/findings/where/finding_holders.h"

#include "analyze/model/common/finding_limits.h"
#include "analyze/model/run/run.h"

#include <string.h>

/* Without idle threads, which nobody waits for. */
static double asleep_in(const struct run *run, size_t routine)
{
	double ns = 0;

	for (size_t i = 0; i < run->synchronization.count; i++) {
		const struct sync_row *row = &run->synchronization.rows[i];

		for (size_t j = 0; row->cause == CAUSE_SLEEP && j < row->waiters.count; j++)
			if (row->waiters.rows[j].routine == routine)
				ns += (double)sync_site_working_ns(&row->waiters.rows[j]);
	}
	return ns;
}

double finding_asleep_holding_ns(const struct run *run, const struct sync_row *lock)
{
	if (!cause_is_lock(lock->cause) || !lock->blame.count)
		return 0;
	double ns = asleep_in(run, lock->blame.rows->routine);

	return (double)sync_row_working_ns(lock) >= finding_limits.asleep_holding * ns ? ns : 0;
}

/* A routine may hold several locks: its sleep counts once. */
static bool is_holding(const struct run *run, size_t routine)
{
	for (size_t i = 0; i < run->synchronization.count; i++) {
		const struct sync_row *row = &run->synchronization.rows[i];

		if (row->blame.count && row->blame.rows->routine == routine &&
		    finding_asleep_holding_ns(run, row) > 0)
			return true;
	}
	return false;
}

double finding_asleep_holding_all_ns(const struct run *run)
{
	double ns = 0;

	for (size_t i = 0; i < run->synchronization.count; i++) {
		const struct sync_row *row = &run->synchronization.rows[i];

		for (size_t j = 0; row->cause == CAUSE_SLEEP && j < row->waiters.count; j++)
			if (is_holding(run, row->waiters.rows[j].routine))
				ns += (double)sync_site_working_ns(&row->waiters.rows[j]);
	}
	return ns;
}

/* Of a node that is a wait: "[nanosleep]". */
static bool is_sleep(const struct run *run, const struct path_node *node)
{
	const char *name = names_routine(run->names, node->routine)->name;

	for (size_t i = 0; i < run->synchronization.count; i++) {
		const struct sync_row *row = &run->synchronization.rows[i];
		const char *call = run->synchronization.names[row->object];
		size_t length = strlen(call);

		if (row->cause == CAUSE_SLEEP && *name == '[' && !strncmp(name + 1, call, length) &&
		    !strcmp(name + 1 + length, "]"))
			return true;
	}
	return false;
}

static bool is_blamed_for_lock(const struct run *run, size_t routine)
{
	for (size_t i = 0; i < run->synchronization.count; i++) {
		const struct sync_row *row = &run->synchronization.rows[i];

		for (size_t j = 0; cause_is_lock(row->cause) && j < row->blame.count; j++)
			if (row->blame.rows[j].routine == routine && row->blame.rows[j].time_ns)
				return true;
	}
	return false;
}

static bool is_below_holder(const struct run *run, size_t node)
{
	for (node = run->paths.nodes[node].parent; node; node = run->paths.nodes[node].parent)
		if (is_blamed_for_lock(run, run->paths.nodes[node].routine))
			return true;
	return false;
}

/* Call paths are not read for all reports; the routines that sleep themselves are known to all. */
bool finding_has_sleeping_holder(const struct run *run)
{
	for (size_t i = 0; i < run->synchronization.count; i++) {
		const struct sync_row *row = &run->synchronization.rows[i];

		for (size_t j = 0; row->cause == CAUSE_SLEEP && j < row->waiters.count; j++)
			if (is_blamed_for_lock(run, row->waiters.rows[j].routine))
				return true;
	}
	for (size_t i = 1; i < run->paths.count; i++) {
		const struct path_node *node = &run->paths.nodes[i];

		if (node->kind == PATH_WAIT && node->self.wait_ns && is_sleep(run, node) &&
		    is_below_holder(run, i))
			return true;
	}
	return false;
}

/* SPDX-License-Identifier: MIT */
#include "analyze/findings/where/finding_holders.h"

#include "analyze/model/common/finding_limits.h"
#include "analyze/model/run/run.h"

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

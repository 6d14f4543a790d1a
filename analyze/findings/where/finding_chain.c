/* SPDX-License-Identifier: MIT */
#include "analyze/findings/where/finding_chain.h"

#include "analyze/base/memory.h"
#include "analyze/base/quantity.h"
#include "analyze/findings/where/finding_where.h"
#include "analyze/model/common/finding_limits.h"
#include "analyze/model/run/run.h"

#include <stdlib.h>

/* A longer chain is told as far as this. */
#define LINKS_MAX 4

/* Waits that others end, and in which no lock is held for those who wait. */
#define WOKEN (FINDING_WOKEN | FINDING_CAUSE(BARRIER) | FINDING_CAUSE(JOIN))

static double waited_in(const struct sync_row *row, size_t routine)
{
	double ns = 0;

	for (size_t i = 0; i < row->waiters.count; i++)
		if (row->waiters.rows[i].routine == routine)
			ns += (double)sync_site_working_ns(&row->waiters.rows[i]);
	return ns;
}

/* What the one that is blamed most waited for itself. */
struct link {
	const struct sync_row *row; /* most of it was for this; NULL: it waited for nothing */
	double ns;                  /* so long for that, */
	double all_ns;              /* and for all */
};

/* By the routine that woke somebody. */
static struct link waits_of_waker(const struct run *run, const struct sync_row *row)
{
	size_t routine = row->blame.rows->routine;
	struct link link = {0};

	for (size_t i = 0; i < run->synchronization.count; i++) {
		const struct sync_row *other = &run->synchronization.rows[i];
		double ns = other->object != row->object && WOKEN & 1u << other->cause
				    ? waited_in(other, routine)
				    : 0;

		link.all_ns += ns;
		if (ns <= link.ns)
			continue;
		link.ns = ns;
		link.row = other;
	}
	return link;
}

/* A lock's: as recorded. */
static struct link waits_of_holder(const struct run *run, const struct sync_row *row)
{
	const struct sync_holder_io *wait = &row->blame.rows->holder_wait;
	struct link link = {.ns = (double)wait->ns, .all_ns = (double)wait->ns};

	for (size_t i = 0; wait->ns && i < run->synchronization.count; i++) {
		const struct sync_row *other = &run->synchronization.rows[i];

		if (other->object == wait->object && other->operation == wait->operation)
			link.row = other;
	}
	return link;
}

/* Without a row: who is blamed most did not wait for most of what it is blamed for. */
static struct link next_of(const struct run *run, const struct sync_row *row)
{
	struct link link = {0};

	if (!row->blame.count)
		return link;
	if (cause_is_lock(row->cause))
		link = waits_of_holder(run, row);
	else if (WOKEN & 1u << row->cause)
		link = waits_of_waker(run, row);
	bool is_late = link.all_ns >= finding_limits.most * (double)row->blame.rows->time_ns;

	return link.row && is_late && link.row->blame.count ? link : (struct link){0};
}

static char *link_text(const struct run *run, const struct link *link)
{
	const struct sync_site *by = link->row->blame.rows;
	char *place = names_place_text(run->names, by->routine, by->line);
	char *text = memory_print(", which itself waited %s for %s, kept waiting by %s",
				  quantity_seconds(link->ns).text,
				  run->synchronization.names[link->row->object], place);

	free(place);
	return text;
}

bool finding_is_in_chain(const struct run *run, const struct sync_row *row)
{
	return next_of(run, row).row;
}

char *finding_chain_text(const struct run *run, const struct sync_row *row)
{
	char *text = memory_copy_text("");
	struct link next = next_of(run, row);

	for (int i = 0; i < LINKS_MAX && next.row && next.row->object != row->object; i++) {
		char *link = link_text(run, &next);
		char *longer = memory_print("%s%s", text, link);

		free(link);
		free(text);
		text = longer;
		next = next_of(run, next.row);
	}
	return text;
}

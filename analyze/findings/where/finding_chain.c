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

struct link {
	const struct sync_row *row; /* what the one that is blamed waited for most; NULL: nothing */
	double all_ns;              /* how long it waited for all */
};

static struct link waits_of(const struct run *run, size_t routine, size_t object)
{
	struct link link = {0};
	double most_ns = 0;

	for (size_t i = 0; i < run->synchronization.count; i++) {
		const struct sync_row *row = &run->synchronization.rows[i];
		double ns = row->object != object && WOKEN & 1u << row->cause
				    ? waited_in(row, routine)
				    : 0;

		link.all_ns += ns;
		if (ns <= most_ns)
			continue;
		most_ns = ns;
		link.row = row;
	}
	return link;
}

/* NULL: who is blamed most did not wait for most of what it is blamed for. */
static const struct sync_row *next_of(const struct run *run, const struct sync_row *row)
{
	const struct sync_site *blamed = row->blame.count ? row->blame.rows : NULL;

	if (!blamed || !(WOKEN & 1u << row->cause))
		return NULL;
	struct link link = waits_of(run, blamed->routine, row->object);
	bool is_late = link.all_ns >= finding_limits.most * (double)blamed->time_ns;

	return is_late && link.row->blame.count ? link.row : NULL;
}

static char *link_text(const struct run *run, const struct sync_row *row, size_t routine)
{
	const struct sync_site *by = row->blame.rows;
	char *place = names_place_text(run->names, by->routine, by->line);
	char *text = memory_print(", which itself waited %s for %s, kept waiting by %s",
				  quantity_seconds(waited_in(row, routine)).text,
				  run->synchronization.names[row->object], place);

	free(place);
	return text;
}

char *finding_chain_text(const struct run *run, const struct sync_row *row)
{
	char *text = memory_copy_text("");
	const struct sync_row *next = next_of(run, row), *at = row;

	for (int i = 0; i < LINKS_MAX && next && next->object != row->object; i++) {
		char *link = link_text(run, next, at->blame.rows->routine);
		char *longer = memory_print("%s%s", text, link);

		free(link);
		free(text);
		text = longer;
		at = next;
		next = next_of(run, at);
	}
	return text;
}

/* SPDX-License-Identifier: MIT */
/* What people show to each other: processors used over time, for how long so many threads were
 * active, and what the threads of each name did. */
#include "analyze/html/html_picture.h"

#include "analyze/base/memory.h"
#include "analyze/html/html_sections.h"
#include "analyze/html/html_states.h"
#include "analyze/model/run/thread_groups.h"
#include "analyze/page/html_page.h"

#include <math.h>
#include <stdlib.h>

#define GROUPS_MAX 6

static double longest_ns(const struct thread_groups *groups, size_t count)
{
	double most = 0;

	for (size_t i = 0; i < count; i++)
		most = fmax(most, (double)groups->rows[i].time.lifetime_ns);
	return most;
}

static void print_group(struct html_bars *bars, const struct thread_group *group)
{
	char *name =
		group->threads > 1
			? memory_print("%llu x %s", (unsigned long long)group->threads, group->name)
			: memory_copy_text(group->name);

	html_bars_row(bars, name);
	html_states_parts(bars, &group->time, name);
	free(name);
}

static void print_groups(const struct report *report)
{
	struct thread_groups groups = thread_groups_of(report->run);
	size_t count = groups.count < GROUPS_MAX ? groups.count : GROUPS_MAX;
	struct html_bars bars;

	if (count) {
		html_bars_begin(&bars, report->out,
				"What the threads of each name did with their lifetimes, the most "
				"working time first",
				"Lifetimes of threads by name", count, longest_ns(&groups, count));
		for (size_t i = 0; i < count; i++)
			print_group(&bars, &groups.rows[i]);
		html_states_end(&bars);
		html_more(report->out, groups.count - count);
	}
	free(groups.rows);
}

void html_picture(const struct report *report)
{
	html_concurrency_picture(report);
	print_groups(report);
}

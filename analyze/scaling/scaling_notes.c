/* SPDX-License-Identifier: MIT */
#include "analyze/scaling/scaling_notes.h"

#include "analyze/base/quantity.h"
#include "analyze/scaling/scaling_words.h"

#include <stdlib.h>

#define BUSY_SHARE 0.1

/* A scale that the user gave need not be a number of threads. */
static void add_processors_note(struct scaling *it)
{
	for (size_t i = 0; i < it->count; i++) {
		const struct scaling_run *run = scaling_median(it, i);
		bool is_full = run->processors && it->points[i].p > (double)run->processors;

		if (!is_full || run->scale.kind == SCALE_GIVEN)
			continue;
		char *p = scaling_p_text(it, it->points[i].p);

		text_list_add(
			&it->notes,
			"from %s on there are more than the %llu processor%s: what lacks one is the "
			"machine's limit, not the program's",
			p, (unsigned long long)run->processors, run->processors == 1 ? "" : "s");
		free(p);
		return;
	}
}

/* A run that has a processor for each thread and still lacks processors shares them with other
 * programs. */
static void add_company_note(struct scaling *it)
{
	const struct scaling_point *worst = NULL;
	double most = BUSY_SHARE;

	for (size_t i = 0; i < it->count; i++) {
		const struct scaling_run *run = scaling_median(it, i);
		double share = run->ready_ns / (it->points[i].p * run->elapsed_ns);

		if (run->scale.kind != SCALE_GIVEN && it->points[i].p <= (double)run->processors &&
		    share > most) {
			worst = &it->points[i];
			most = share;
		}
	}
	if (!worst)
		return;
	char *p = scaling_p_text(it, worst->p);

	text_list_add(&it->notes,
		      "with %s, a processor was lacking for %s of the time, though there are "
		      "enough: other programs or threads were running",
		      p, quantity_percent(100 * most).text);
	free(p);
}

void scaling_add_notes(struct scaling *it)
{
	for (size_t i = 0; i < it->run_count; i++)
		if (!it->runs[i].is_complete)
			text_list_add(&it->notes,
				      "%s is incomplete: its figures are those until it ended or "
				      "was read",
				      it->runs[i].directory);
	add_company_note(it);
	add_processors_note(it);
	if (it->count < GROWTH_POINTS_MIN)
		text_list_add(&it->notes,
			      "no growth is fitted: it takes %d different p, and %d "
			      "for a good one",
			      GROWTH_POINTS_MIN, GROWTH_POINTS_GOOD);
	else if (it->count < GROWTH_POINTS_GOOD)
		text_list_add(&it->notes,
			      "growth is fitted to %zu points: with fewer than %d only the common "
			      "forms are tried, and it may be another one",
			      it->count, GROWTH_POINTS_GOOD);
}

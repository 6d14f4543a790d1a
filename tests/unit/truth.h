/* SPDX-License-Identifier: MIT */
/* What is known of a constructed run before findings are computed, and whether they agree, on
 * machines of every size. */
#pragma once

#include "analyze/model/run/run.h"
#include "tests/unit/told.h"
#include "tests/unit/unit.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* Processors. */
static const uint64_t sizes[] = {2, 8, 16, 64, 256};

#define SIZES (sizeof sizes / sizeof *sizes)

/* What a story costs in elapsed time: no finding has a larger stake, and one has at least
 * `least`. */
struct truth {
	double cause_ns, least_ns;
};

/* What was found, for messages. */
static inline const char *list_findings(void)
{
	static char text[1000];
	size_t used = 0;

	text[0] = 0;
	for (size_t i = 0; i < told.count && used < sizeof text - 80; i++)
		used += (size_t)snprintf(text + used, sizeof text - used, " %s %.1f%%",
					 told.rows[i].id, told.rows[i].elapsed_percent);
	return text;
}

/* wanted comes first (NULL: there are no findings), and no stake is larger than the cost. */
static inline void check_first(const struct run *run, const char *wanted, struct truth truth,
			       size_t story)
{
	const struct finding *first = findings_first(&told);
	int processors = (int)run->processors;

	ck_assert_msg(wanted ? first && !strcmp(first->id, wanted) : !first,
		      "story %zu on %d processors: %s is not first of%s", story, processors,
		      wanted ? wanted : "nothing", list_findings());
	if (first)
		ck_assert_msg(first->elapsed_ns >= truth.least_ns - 1 &&
				      first->elapsed_ns <= truth.cause_ns + 1,
			      "story %zu on %d processors: %g s at stake for %s, of %g s", story,
			      processors, first->elapsed_ns / 1e9, wanted, truth.cause_ns / 1e9);
	for (size_t i = 0; i < told.count; i++)
		ck_assert_double_le(told.rows[i].elapsed_ns, (double)run->elapsed_ns);
}

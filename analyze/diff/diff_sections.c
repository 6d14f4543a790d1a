/* SPDX-License-Identifier: MIT */
/* What all forms of a comparison say: its sections, the rows that are worth a line, and what is
 * known about chance. */
#include "analyze/base/memory.h"
#include "analyze/diff/decide.h"
#include "analyze/diff/diff.h"
#include "analyze/diff/metrics.h"
#include "analyze/diff/sharing.h"
#include "analyze/print/text_format.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* clang-format off: sentences break where they read best */
const struct diff_section diff_sections[SECTION_COUNT] = {
	[SECTION_OVERVIEW] =
		{"overview", "Overview",
		 "the run as a whole; verdicts in brackets: too small an effect to count"},
	[SECTION_CONCURRENCY] = {"concurrency", "Concurrency",
				 "elapsed time with i threads at once on a processor, and useful"},
	[SECTION_SECTIONS] =
		{"sections", "Sections",
		 "named parts of the run; effect: elapsed time, CPU time / processors in use"},
	[SECTION_STATES] =
		{"states", "States of threads",
		 "time of all threads by state; effect: CPU time / processors in use, other time / threads"},
	[SECTION_ROUTINES] = {"routines", "Routines",
			      "CPU time by routine; effect: their share of elapsed time"},
	[SECTION_LINES] =
		{"lines", "Source lines",
		 "CPU time, waits, MPI and blame by source line; only if all rows are asked for"},
	[SECTION_PATHS] = {"paths", "Call paths",
			   "CPU time and waits by call path, the innermost routine first"},
	[SECTION_WAITS] =
		{"waits", "Waits",
		 "waiting time and calls by object; effect: time / threads that could run"},
	[SECTION_HOLDERS] = {"holders", "Holders",
			     "the same waiting time by the routine that caused it"},
	[SECTION_REQUESTS] =
		{"requests", "Requests",
		 "what servers answered, or units of work (--per): their cost, and how long they took"},
	[SECTION_MPI] = {"mpi", "MPI", "MPI calls, by name and by place; effect: time / ranks"},
	[SECTION_OPENMP] = {"openmp", "OpenMP",
			    "OpenMP regions; effect: time of one member of the team"},
	[SECTION_COUNTERS] =
		{"counters", "Counters",
		 "counted events and metrics; of routines only if all rows are asked for"},
	[SECTION_TABLES] =
		{"tables", "Further tables",
		 "rows of tables of the profiles that this program does not know by name"},
};
/* clang-format on */

const struct diff_section diff_evidence = {
	"evidence", "Evidence",
	"what tells the sides apart at any noise: routines, shares of the CPU time, counts"};

/* ". Other programs ..."; "" where that is below 1 % of elapsed time. */
static char *disturbance_text(const struct changes *changes)
{
	const struct change_side *a = &changes->elapsed->sides[0], *b = &changes->elapsed->sides[1];

	if (!(a->disturbance > 0.01 * a->median) && !(b->disturbance > 0.01 * b->median))
		return memory_copy_text("");
	char *in_a = text_seconds(a->disturbance), *in_b = text_seconds(b->disturbance);
	char *text = memory_print(
		". Other programs may account for %s of elapsed time in A, %s in B", in_a, in_b);

	free(in_a);
	free(in_b);
	return text;
}

static const char *order_text(const struct changes *changes)
{
	if (changes->is_in_turn)
		return "";
	return ". All runs of one side were made before the other's: taken in turn, they tell a "
	       "slower machine from a slower program";
}

char *diff_noise_text(const struct diff *diff)
{
	size_t a = diff->sides[0].count, b = diff->sides[1].count;
	char *disturbed = disturbance_text(&diff->changes), *text;

	if (a == 1 && b == 1)
		text = memory_print("one run a side: only sampling errors are known; chance "
				    "between runs shows with three a side%s",
				    disturbed);
	else
		text = memory_print("%zu against %zu runs: rank test, and medians further apart "
				    "than the spread within the sides explains%s%s",
				    a, b, order_text(&diff->changes), disturbed);
	free(disturbed);
	return text;
}

/* ---- which rows are shown: hundreds would help nobody */

/* Smaller effects, in percent of A's elapsed time, are not shown unless the user asks for all. */
#define EFFECT_SHOWN 1

/* A routine that calls nothing: its total time is its self time. */
static bool says_the_same(const struct changes *changes, const struct change *total)
{
	const struct figure *figure = total->figure;

	if (figure->section != SECTION_ROUTINES || strcmp(figure->metric, "total") != 0)
		return false;
	const struct change *self = changes_find(changes, SECTION_ROUTINES, figure->key, "self");

	return self && self->sides[0].median == total->sides[0].median &&
	       self->sides[1].median == total->sides[1].median;
}

/* Counts that decide are listed as evidence: before the waits they would hide what took long. */
static bool is_decider(const struct changes *changes, const struct change *change)
{
	return change->decides &&
	       (change->evidence != EVIDENCE_COUNT || changes->metrics & METRIC_BIT(METRIC_COUNTS));
}

/* It decides, or was asked for; the self time of a new routine stands for a total that is the same.
 */
static bool is_foremost(const struct changes *changes, const struct change *change)
{
	const struct figure *figure = change->figure;
	bool is_of_one_side = !change->sides[0].present != !change->sides[1].present;
	const struct change *total =
		is_of_one_side && figure->section == SECTION_ROUTINES
			? changes_find(changes, SECTION_ROUTINES, figure->key, "total")
			: NULL;

	return is_decider(changes, change) ||
	       decide_metric_alone(changes, change) != METRIC_LIMIT ||
	       (total && total->decides && !strcmp(figure->metric, "self") &&
		says_the_same(changes, total));
}

static bool is_worth_a_line(const struct changes *changes, const struct change *change, size_t top)
{
	if (!top || change->figure->section == SECTION_OVERVIEW)
		return true;
	if (is_foremost(changes, change))
		return !says_the_same(changes, change);
	if (change->verdict <= VERDICT_NONE || change->figure->is_further)
		return false;
	if (sharing_is_figure(change->figure) && !(change->counts && sharing_of(changes, change)))
		return false;
	if (!isfinite(change->effect_ns))
		return change->verdict >= VERDICT_BETTER;
	return fabs(change->effect_ns) >= EFFECT_SHOWN * changes->elapsed_ns / 100 &&
	       !says_the_same(changes, change);
}

const struct change **diff_rows(const struct diff *diff, enum figure_section section, size_t top,
				size_t *count)
{
	const struct changes *changes = &diff->changes;
	const struct change **rows = memory_allocate(changes->count, sizeof *rows);
	bool is_in_order = section == SECTION_OVERVIEW; /* all of few rows are shown */

	*count = 0;
	for (size_t pass = is_in_order; pass < 2; pass++)
		for (size_t i = 0; i < changes->count; i++) {
			const struct change *change = &changes->rows[i];

			if (change->figure->section == section &&
			    (is_in_order || is_foremost(changes, change) == !pass) &&
			    is_worth_a_line(changes, change, top))
				rows[(*count)++] = change;
		}
	return rows;
}

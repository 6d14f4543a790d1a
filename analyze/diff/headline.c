/* SPDX-License-Identifier: MIT */
#include "analyze/diff/headline.h"

#include "analyze/diff/growth.h"
#include "analyze/diff/headline_routine.h"
#include "analyze/diff/verdict.h"
#include "analyze/diff/words.h"
#include "analyze/memory.h"
#include "analyze/print/text_format.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A cause is named for what it explains of the change, at least. */
#define SHARE_MIN 0.25
/* A routine goes before a wait so much larger. */
#define ROUTINE_WEIGHT 2

/* ---- which cause */

static int direction_of_run(const struct changes *changes)
{
	int status = changes_status(changes);

	return status == 1 ? 1 : status == 3 ? -1 : 0;
}

static double weight_of(const struct change *change)
{
	double weight = change->figure->section == SECTION_ROUTINES ? ROUTINE_WEIGHT : 1;

	return weight * fabs(change->effect_ns);
}

/* Where only CPU time has changed, waits are no cause of it, unless elapsed time goes along for
 * another reason than other programs. */
static bool is_of_kind(const struct changes *changes, const struct change *change)
{
	bool goes_along = changes->elapsed->verdict == VERDICT_NOISE &&
			  change_tendency(changes->elapsed) == change_tendency(changes->cpu);

	if (change->figure->section == SECTION_ROUTINES)
		return true;
	return !changes->is_undecided && (!changes_is_of_cpu(changes) || goes_along);
}

static const struct change *largest(const struct changes *changes, enum figure_role role,
				    int direction, double least_ns)
{
	const struct change *best = NULL;

	for (size_t i = 0; i < changes->count; i++) {
		const struct change *change = &changes->rows[i];

		if (change->figure->role != role || !change->counts ||
		    !is_of_kind(changes, change) || change_direction(change) != direction ||
		    fabs(change->effect_ns) < least_ns)
			continue;
		if (!best || weight_of(change) > weight_of(best))
			best = change;
	}
	return best;
}

const struct change *headline_cause(const struct changes *changes)
{
	int direction = direction_of_run(changes);

	if (!direction || !changes->elapsed)
		return NULL;
	double moved =
		change_direction(changes->elapsed) == direction
			? fabs(changes->elapsed->difference) - change_disturbance(changes->elapsed)
			: 0;
	const struct change *cause = largest(changes, ROLE_CAUSE, direction, SHARE_MIN * moved);

	if (!cause)
		cause = largest(changes, ROLE_SYMPTOM, direction, SHARE_MIN * moved);
	return cause ? cause : largest(changes, ROLE_CAUSE, direction, 0);
}

/* ---- in words */

/* Whoever caused most of the change of the wait. */
static const struct change *holder_of(const struct changes *changes, const struct change *wait)
{
	const struct change *best = NULL;

	for (size_t i = 0; i < changes->count; i++) {
		const struct change *change = &changes->rows[i];
		const char *subject = change->figure->subject;

		if (change->figure->section != SECTION_HOLDERS || !subject ||
		    strcmp(subject, wait->figure->key) != 0)
			continue;
		if (change_tendency(change) == change_tendency(wait) &&
		    (!best || fabs(change->difference) > fabs(best->difference)))
			best = change;
	}
	return best;
}

static char *wait_text(const struct changes *changes, const struct change *change)
{
	const struct change *holder = holder_of(changes, change);
	char *amount = words_amount(change);
	bool is_call = !strchr(change->figure->key, ',');
	char *text =
		memory_print("threads %s %s %s %s %s%s%s", is_call ? "spend" : "wait", amount,
			     words_more(change), is_call ? "in" : "for", words_name(change->figure),
			     holder ? ", " : "", holder ? holder->figure->place : "");

	free(amount);
	return text;
}

static const char *mpi_amount(const struct changes *changes, const struct change *change,
			      double *factor)
{
	static const char *const metrics[] = {"bytes sent", "bytes received", "calls"};

	for (size_t i = 0; i < sizeof metrics / sizeof *metrics; i++) {
		const struct change *row =
			changes_find(changes, SECTION_MPI, change->figure->key, metrics[i]);

		if (!row || row->verdict != VERDICT_CHANGED)
			continue;
		*factor = row->sides[1].median / row->sides[0].median;
		return i < 2 ? "bytes" : "calls";
	}
	return NULL;
}

static char *mpi_text(const struct changes *changes, const struct change *change)
{
	double factor = NAN;
	const char *what = mpi_amount(changes, change, &factor);
	char *amount = words_amount(change);
	char *why = what ? memory_print(" (%s x%.2g)", what, factor) : memory_copy_text("");
	char *text = memory_print("ranks spend %s %s in %s%s", amount, words_more(change),
				  words_name(change->figure), why);

	free(amount);
	free(why);
	return text;
}

static char *openmp_text(const struct change *change)
{
	char *amount = words_amount(change);
	char *text = memory_print("OpenMP threads wait %s %s in %s", amount, words_more(change),
				  words_name(change->figure));

	free(amount);
	return text;
}

static char *state_text(const struct changes *changes, const struct change *change)
{
	/* Only where it may have been others is there a disturbance. */
	bool is_of_others = changes->elapsed->sides[0].disturbance > 0 ||
			    changes->elapsed->sides[1].disturbance > 0;
	bool is_ready = !strcmp(change->figure->key, "ready");
	char *amount = words_amount(change);
	char *text = is_ready ? memory_print("threads were ready, but %s, %s %s",
					     is_of_others ? "other work had the processors"
							  : "found no free processor",
					     amount, words_more(change))
			      : memory_print("threads were blocked %s %s in what is not wrapped: "
					     "input and output, page faults",
					     amount, words_more(change));

	free(amount);
	return text;
}

static char *cause_text(const struct changes *changes, const struct change *cause)
{
	switch (cause->figure->section) {
	case SECTION_ROUTINES:
		return headline_routine_text(changes, cause);
	case SECTION_WAITS:
		return wait_text(changes, cause);
	case SECTION_MPI:
		return mpi_text(changes, cause);
	case SECTION_OPENMP:
		return openmp_text(cause);
	default:
		return state_text(changes, cause);
	}
}

static char *growth_text(const struct growth *growth)
{
	if (growth->kind == GROWTH_OF_WORK)
		return memory_print("%s work, x%.2g: calls or bytes %s by it, and the CPU time "
				    "of all routines with them (x%.2g)",
				    growth->factor > 1 ? "more" : "less", growth->factor,
				    growth->factor > 1 ? "grew" : "shrank", growth->cpu_factor);
	return memory_print("all routines took x%.2g the CPU time for as many calls: "
			    "other work, a slower processor or another build",
			    growth->factor);
}

/* Where no cause is found: the same work by more threads, or fewer. */
static char *sharing_text(const struct changes *changes)
{
	const struct change *use =
		changes_find(changes, SECTION_OVERVIEW, "processors in use", "average");

	if (!use || !change_direction(use) || changes_is_of_cpu(changes))
		return memory_copy_text("no single cause is large enough to name");
	char *before = text_number(use->sides[0].median),
	     *after = text_number(use->sides[1].median);
	char *text = memory_print("%s processors in use on average instead of %s", after, before);

	free(before);
	free(after);
	return text;
}

static char *why_text(const struct changes *changes)
{
	const struct growth growth = growth_of(changes);
	const struct change *cause = headline_cause(changes);
	int direction = direction_of_run(changes);

	if (growth.kind != GROWTH_NONE && (growth.factor > 1) == (direction > 0))
		return growth_text(&growth);
	return cause ? cause_text(changes, cause) : sharing_text(changes);
}

/* "elapsed time 1.21 s -> 1.93 s (+60 %)" */
static char *figure_text(const struct change *change, bool with_verdict)
{
	char *before = words_value(change->sides[0].median, change->figure->unit);
	char *after = words_value(change->sides[1].median, change->figure->unit);
	char *percent = words_change(change);
	bool is_noise = with_verdict && change->verdict == VERDICT_NOISE;
	char *text = memory_print("%s %s -> %s (%s%s)", change->figure->key, before, after, percent,
				  is_noise ? ", within noise" : "");

	free(before);
	free(after);
	free(percent);
	return text;
}

/* "beta: +82 % CPU time" of the routine that is the cause; otherwise, or where all of them grew,
 * the CPU time of the run. */
static char *sure_text(const struct changes *changes, const struct change *cause, bool is_growth)
{
	char *percent = cause ? words_change(cause) : memory_copy_text("");
	bool is_routine =
		!is_growth && cause && *percent && cause->figure->section == SECTION_ROUTINES;
	char *name = is_routine ? text_without_templates(cause->figure->key) : NULL;
	char *text = is_routine ? memory_print("%s: %s CPU time", name, percent)
				: figure_text(changes->cpu, false);

	free(name);
	free(percent);
	return text;
}

/* Other programs leave elapsed time undecided: what is sure besides. */
static char *undecided_text(const struct changes *changes, const char *word)
{
	const struct growth growth = growth_of(changes);
	bool is_growth = growth.kind != GROWTH_NONE;
	char *sure = sure_text(changes, headline_cause(changes), is_growth);
	char *why = is_growth ? growth_text(&growth) : NULL;
	char *text = memory_print("%s: %s; elapsed undecided, neighbours used %.2g processors%s%s",
				  word, sure, changes->neighbours, why ? ": " : "", why ? why : "");

	free(sure);
	free(why);
	return text;
}

static char *cannot_tell_text(const struct changes *changes)
{
	char *elapsed = figure_text(changes->elapsed, false);
	char *cpu = changes->cpu ? figure_text(changes->cpu, false) : NULL;
	char *text = memory_print("cannot tell: %s%s%s: neighbours used %.2g processors", elapsed,
				  cpu ? ", " : "", cpu ? cpu : "", changes->neighbours);

	free(elapsed);
	free(cpu);
	return text;
}

static bool is_told_by_cpu(const struct changes *changes)
{
	return changes->is_undecided && changes->cpu && !changes->elapsed->decides;
}

char *headline_text(const struct changes *changes, const struct side sides[2])
{
	static const char *const words[] = {"better", "no significant change", "worse"};
	int direction = direction_of_run(changes);

	if (changes_cannot_tell(changes))
		return cannot_tell_text(changes);
	if (is_told_by_cpu(changes))
		return undecided_text(changes, words[direction + 1]);
	char *elapsed = figure_text(changes->elapsed, true);
	char *cpu = changes_is_of_cpu(changes) ? figure_text(changes->cpu, false) : NULL;
	char *size = side_difference_in_size(sides);
	char *why = direction ? why_text(changes) : NULL;
	char *text = memory_print("%s: %s%s%s%s%s%s%s", words[direction + 1], cpu ? cpu : "",
				  cpu ? ", " : "", elapsed, size ? " " : "", size ? size : "",
				  why ? ": " : "", why ? why : "");

	free(elapsed);
	free(cpu);
	free(size);
	free(why);
	return text;
}

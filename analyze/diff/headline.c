/* SPDX-License-Identifier: MIT */
#include "analyze/diff/headline.h"

#include "analyze/base/memory.h"
#include "analyze/base/quantity.h"
#include "analyze/diff/evidence.h"
#include "analyze/diff/growth.h"
#include "analyze/diff/headline_asked.h"
#include "analyze/diff/headline_evidence.h"
#include "analyze/diff/headline_figure.h"
#include "analyze/diff/headline_routine.h"
#include "analyze/diff/sharing.h"
#include "analyze/diff/verdict.h"
#include "analyze/diff/words.h"
#include "analyze/print/text_format.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* More runs than that are not suggested. */
#define RUNS_MAX 30
/* ---- in words */

/* The holder that caused most of the change of the wait. */
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
	char *why = what ? memory_print(" (%s %s)", what, quantity_factor(factor).text)
			 : memory_copy_text("");
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
	/* their load explains most of it */
	bool is_of_others = change_disturbance(changes->elapsed) > fabs(change->effect_ns) / 2;
	bool is_ready = !strcmp(change->figure->key, "ready");
	char *amount = words_amount(change);
	char *text = is_ready ? memory_print("threads were ready, but %s, %s %s",
					     is_of_others ? "other work had the processors"
							  : "found no free processor",
					     amount, words_more(change))
			      : memory_print("threads were blocked %s %s in what is not wrapped: "
					     "page faults, other system calls, stops",
					     amount, words_more(change));

	free(amount);
	return text;
}

static char *shared_text(const struct changes *changes, const struct change *cause)
{
	char *name = headline_routine_name(changes, cause);
	char *text = sharing_text(changes, cause, name);

	free(name);
	return text;
}

static char *cause_text(const struct changes *changes, const struct change *cause)
{
	if (cause->figure->role == ROLE_SHARING)
		return shared_text(changes, cause);
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
		return memory_print("%s work, %s: calls or bytes %s by it, and the CPU time "
				    "of all routines with them (%s)",
				    growth->factor > 1 ? "more" : "less",
				    quantity_factor(growth->factor).text,
				    growth->factor > 1 ? "grew" : "shrank",
				    quantity_factor(growth->cpu_factor).text);
	return memory_print("all routines took %s the CPU time for as many calls: "
			    "other work, a slower processor or another build",
			    quantity_factor(growth->factor).text);
}

/* Evidence that says more than the cause does: a routine that is another one, or anything where
 * there is no cause. NULL: there is none. */
static const struct change *evidence_beside(const struct changes *changes,
					    const struct change *cause)
{
	const struct change *evidence = headline_evidence(changes);

	if (!evidence || !cause)
		return evidence;
	return evidence->evidence != EVIDENCE_COUNT &&
			       (cause->figure->section != SECTION_ROUTINES ||
				strcmp(evidence->figure->key, cause->figure->key) != 0)
		       ? evidence
		       : NULL;
}

static char *why_text(const struct changes *changes)
{
	const struct growth growth = growth_of(changes);
	const struct change *cause = headline_cause(changes);
	const struct change *evidence =
		cause && !changes_is_of_cpu(changes) ? NULL : evidence_beside(changes, cause);
	int direction = headline_direction(changes);

	if (growth.kind != GROWTH_NONE && (growth.factor > 1) == (direction > 0))
		return growth_text(&growth);
	if (evidence)
		return evidence_text(evidence);
	return cause ? cause_text(changes, cause)
		     : memory_copy_text("no single cause is large enough to name");
}

/* "elapsed time 1.21 s -> 1.93 s (+60 %)" */
static char *time_text(const struct change *change, bool with_verdict)
{
	return headline_figure(change->figure->key, change, with_verdict);
}

/* "beta: +82 % CPU time"; NULL: it is no routine that both sides have. */
static char *routine_text(const struct change *cause)
{
	char *percent = cause ? words_change(cause) : memory_copy_text("");
	bool is_routine = *percent && cause->figure->section == SECTION_ROUTINES;
	char *name = is_routine ? text_without_templates(cause->figure->key) : NULL;
	char *text = is_routine ? memory_print("%s: %s CPU time", name, percent) : NULL;

	free(name);
	free(percent);
	return text;
}

/* Why the CPU time of the run has changed; NULL: that is not known. */
static char *cpu_why_text(const struct changes *changes, const struct change *cause)
{
	const struct growth growth = growth_of(changes);
	const struct change *evidence = headline_evidence(changes);

	if (growth.kind != GROWTH_NONE)
		return growth_text(&growth);
	if (evidence && (!cause || evidence->evidence != EVIDENCE_COUNT))
		return evidence_text(evidence);
	if (cause)
		return cause_text(changes, cause);
	return headline_direction(changes) ? headline_routine_guess(changes) : NULL;
}

/* The routine that is the cause, or the CPU time of the run and why it has changed. */
static char *sure_text(const struct changes *changes)
{
	const struct change *cause = headline_cause(changes);
	bool is_by_cause =
		growth_of(changes).kind == GROWTH_NONE && !evidence_beside(changes, cause);
	char *routine = is_by_cause ? routine_text(cause) : NULL;

	if (routine)
		return routine;
	char *why = cpu_why_text(changes, cause), *cpu = time_text(changes->cpu, false);
	char *text = memory_print("%s%s%s", cpu, why ? ": " : "", why ? why : "");

	free(why);
	free(cpu);
	return text;
}

/* Other programs leave elapsed time undecided: what is certain nevertheless. */
static char *undecided_text(const struct changes *changes, const char *word)
{
	char *sure = sure_text(changes);
	char *text = memory_print("%s: %s; elapsed undecided, neighbours used %s processors", word,
				  sure, quantity_number(changes->neighbours).text);

	free(sure);
	return text;
}

/* ": about 6 runs a side would"; "" if nothing can be said. */
static char *needed_text(const struct changes *changes)
{
	size_t runs = changes_runs_needed(changes);

	if (!isfinite(diff_welch_limit(&changes_judged(changes)->welch)))
		return memory_copy_text("; three runs a side show what is chance");
	if (!runs || runs > RUNS_MAX)
		return memory_print(": it would take more than %d runs a side", RUNS_MAX);
	return memory_print(": about %zu runs a side would", runs);
}

/* With several runs a side it is known which change, and how many runs, would be needed. */
static char *cannot_tell_text(const struct changes *changes)
{
	bool is_chance_known = isfinite(diff_welch_limit(&changes->elapsed->welch));
	char *elapsed = time_text(changes->elapsed, is_chance_known);
	char *cpu = changes->cpu ? time_text(changes->cpu, false) : NULL;
	char *needed = is_chance_known && changes_runs_needed(changes) ? needed_text(changes)
								       : memory_copy_text("");
	char *text = memory_print("cannot tell: %s%s%s: neighbours used %s processors%s", elapsed,
				  cpu ? ", " : "", cpu ? cpu : "",
				  quantity_number(changes->neighbours).text, needed);

	free(elapsed);
	free(cpu);
	free(needed);
	return text;
}

/* The change is not beyond the spread, or the runs of both sides overlap. */
static char *unsure_text(const struct changes *changes)
{
	const struct change *time = changes_judged(changes);
	char *percent = words_change(time), *limit = words_limit(time);
	char *before = words_value(time->sides[0].median, UNIT_NS);
	char *after = words_value(time->sides[1].median, UNIT_NS);
	char *needed = needed_text(changes);
	bool is_overlap = fabs(time->difference) > time->noise;
	char *text = memory_print(
		"cannot tell: %s %s -> %s (%s, %s%s)%s", time->figure->key, before, after, percent,
		is_overlap ? "but runs overlap" : "would need ", is_overlap ? "" : limit, needed);

	free(percent);
	free(limit);
	free(before);
	free(after);
	free(needed);
	return text;
}

static bool is_told_by_cpu(const struct changes *changes)
{
	return changes->is_undecided && changes->cpu && !changes->elapsed->decides;
}

/* "worse: new: verify (job.c:13), 11 % of the CPU time; elapsed time 1.37 s -> 1.60 s (+17 %,
 * within noise: would need +30 %)" */
static char *decided_text(const struct changes *changes, const char *word, const char *decided)
{
	char *elapsed = time_text(changes->elapsed, true);
	char *text = memory_print("%s: %s; %s", word, decided, elapsed);

	free(elapsed);
	return text;
}

/* Neither time decides, or could: what became of what was asked for. */
static char *text_of_asked(const struct changes *changes, const char *word)
{
	bool is_changed = changes_status(changes);
	char *asked = is_changed ? sure_text(changes) : headline_asked(changes);
	char *elapsed = is_changed ? time_text(changes->elapsed, true) : NULL;
	char *text = memory_print("%s: %s%s%s", word, asked, elapsed ? "; " : "",
				  elapsed ? elapsed : "");

	free(asked);
	free(elapsed);
	return text;
}

static char *text_of_times(const struct changes *changes, const struct side sides[2])
{
	static const char *const words[] = {"better", "no significant change", "worse"};
	int direction = headline_direction(changes);

	if (changes_cannot_tell(changes))
		return cannot_tell_text(changes);
	if (changes_is_unsure(changes))
		return unsure_text(changes);
	if (is_told_by_cpu(changes))
		return undecided_text(changes, words[direction + 1]);
	if (!headline_is_of_times(changes))
		return text_of_asked(changes, words[direction + 1]);
	char *elapsed = time_text(changes->elapsed, true);
	char *cpu = changes_is_of_cpu(changes) ? time_text(changes->cpu, false) : NULL;
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

char *headline_text(const struct changes *changes, const struct side sides[2])
{
	int status = changes_status(changes);
	char *decided = headline_decided(changes);
	char *text = decided ? decided_text(changes, status == 1 ? "worse" : "better", decided)
			     : text_of_times(changes, sides);
	char *beside = status ? memory_copy_text("") : headline_beside(changes);
	char *whole = memory_print("%s%s", text, beside);

	free(decided);
	free(text);
	free(beside);
	return whole;
}

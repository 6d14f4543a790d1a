/* SPDX-License-Identifier: MIT */
/* Which cause the first line names. */
#include "analyze/diff/headline.h"
#include "analyze/diff/headline_figure.h"
#include "analyze/diff/sharing.h"
#include "analyze/diff/verdict.h"

#include <math.h>
#include <string.h>

/* A cause is named if it explains at least this share of the change. */
#define SHARE_MIN 0.25
/* A routine precedes a wait that is up to this many times larger. */
#define ROUTINE_WEIGHT 2
/* Totals of at least this share of the largest are as large as that. */
#define AS_LARGE 0.8
/* What ran alone because others waited follows what they waited for. */
#define ALONE_WEIGHT 0.5

/* Nothing explains more than the change: that many threads waited does not make a wait more of a
 * cause for it. */
static double weight_of(const struct changes *changes, const struct change *change, double moved)
{
	double effect = fabs(change->effect_ns);
	double weight = 1;

	if (change->figure->section == SECTION_ROUTINES)
		weight = sharing_of(changes, change) == SHARING_ALONE ? ALONE_WEIGHT
								      : ROUTINE_WEIGHT;
	return weight * (moved > 0 ? fmin(effect, moved) : effect);
}

/* Of two that explain everything, the one with the larger effect. */
static bool goes_before(const struct changes *changes, const struct change *change,
			const struct change *best, double moved)
{
	double weight = weight_of(changes, change, moved);
	double other = best ? weight_of(changes, best, moved) : 0;

	return !best || weight > other ||
	       (weight == other && fabs(change->effect_ns) > fabs(best->effect_ns));
}

/* If only CPU time has changed, waits are no cause of it, unless elapsed time changed in the same
 * direction for another reason than other programs. */
static bool is_of_kind(const struct changes *changes, const struct change *change)
{
	bool goes_along = changes->elapsed->verdict == VERDICT_NOISE &&
			  change_tendency(changes->elapsed) == change_tendency(changes->cpu);

	if (change->figure->role == ROLE_SHARING)
		return changes->elapsed->decides && sharing_of(changes, change);
	if (change->figure->section == SECTION_ROUTINES)
		return true;
	return !changes->is_undecided && (!changes_is_of_cpu(changes) || goes_along);
}

/* A total time, of a routine that a user would look at. */
static bool is_total(const struct change *change, int direction, double least_ns)
{
	return change->figure->section == SECTION_ROUTINES && change->counts &&
	       !strcmp(change->figure->metric, "total") && !change->figure->is_detail &&
	       change_direction(change) == direction && fabs(change->effect_ns) >= least_ns;
}

static bool is_role(const struct change *change, bool is_symptom)
{
	enum figure_role role = change->figure->role;

	return is_symptom ? role == ROLE_SYMPTOM : role == ROLE_CAUSE || role == ROLE_SHARING;
}

/* moved: the change to explain. */
static const struct change *largest(const struct changes *changes, bool is_symptom, int direction,
				    double least_ns, double moved)
{
	const struct change *best = NULL;

	for (size_t i = 0; i < changes->count; i++) {
		const struct change *change = &changes->rows[i];

		if (!is_role(change, is_symptom) || !change->counts ||
		    change_direction(change) != direction || fabs(change->effect_ns) < least_ns ||
		    !is_of_kind(changes, change))
			continue;
		if (goes_before(changes, change, best, moved))
			best = change;
	}
	return best;
}

/* For a change to which many small routines below one contribute, including those of locks and the
 * runtime. */
static const struct change *largest_total(const struct changes *changes, int direction,
					  double least_ns)
{
	const struct change *largest = NULL, *innermost = NULL;

	for (size_t i = 0; i < changes->count; i++)
		if (is_total(&changes->rows[i], direction, least_ns) &&
		    (!largest || fabs(changes->rows[i].effect_ns) > fabs(largest->effect_ns)))
			largest = &changes->rows[i];
	for (size_t i = 0; largest && i < changes->count; i++) {
		const struct change *row = &changes->rows[i];

		if (is_total(row, direction, AS_LARGE * fabs(largest->effect_ns)) &&
		    (!innermost || fabs(row->effect_ns) < fabs(innermost->effect_ns)))
			innermost = row;
	}
	return innermost;
}

const struct change *headline_cause(const struct changes *changes)
{
	int direction = headline_direction(changes);

	if (!direction || !changes->elapsed)
		return NULL;
	double moved =
		change_direction(changes->elapsed) == direction
			? fabs(changes->elapsed->difference) - change_disturbance(changes->elapsed)
			: 0;
	double least = SHARE_MIN * moved;
	const struct change *cause = largest(changes, false, direction, least, moved);

	if (!cause)
		cause = largest(changes, true, direction, least, moved);
	if (!cause && least > 0)
		cause = largest_total(changes, direction, least);
	if (!cause)
		cause = largest(changes, false, direction, 0, moved);
	return cause && cause->figure->role == ROLE_SHARING ? sharing_innermost(changes, cause)
							    : cause;
}

/* SPDX-License-Identifier: MIT */
#include "analyze/diff/decide.h"

#include "analyze/diff/metrics.h"
#include "analyze/diff/verdict.h"

#include <math.h>
#include <string.h>

#define CAUSE_CERTAINTY 2    /* times the noise: there are many possible causes */
#define NEIGHBOURS_MIN  0.05 /* processors: the system uses as much on an idle machine */
#define STATUS_SAME     0
#define STATUS_WORSE    1
#define STATUS_BETTER   3

static bool is_asked(const struct changes *changes, enum metric metric)
{
	return changes->metrics & METRIC_BIT(metric);
}

/* ---- times and routines */

/* Elapsed time has changed in the same direction, but not beyond its own noise. */
static bool is_supported(const struct change *cause, const struct change *elapsed)
{
	double moved = fabs(elapsed->difference) - change_disturbance(elapsed);

	return elapsed->verdict == VERDICT_NOISE && verdict_is_told_by_ranks(elapsed) &&
	       fabs(cause->difference) > verdict_noise(cause, CAUSE_CERTAINTY) &&
	       change_tendency(elapsed) == change_tendency(cause) &&
	       moved >= fabs(cause->effect_ns) / 2;
}

/* Where CPU time is certain by itself, a cause that counts only says where it went. */
static bool is_supported_by_cpu(const struct change *cause, const struct changes *changes)
{
	const struct change *cpu = changes->cpu;

	if (change_tendency(cpu) != change_tendency(cause) ||
	    fabs(cpu->difference) < fabs(cause->difference) / 2)
		return false;
	if (cpu->counts)
		return !changes->elapsed->counts ||
		       change_direction(changes->elapsed) == change_direction(cause);
	return changes->is_undecided && verdict_is_told_by_ranks(cpu) &&
	       fabs(cause->difference) > verdict_noise(cause, CAUSE_CERTAINTY);
}

static bool time_decides(const struct change *change, const struct changes *changes)
{
	const struct change *elapsed = changes->elapsed;

	if (change == elapsed)
		return is_asked(changes, METRIC_ELAPSED);
	return is_asked(changes, METRIC_CPU) &&
	       (!elapsed->counts || !is_asked(changes, METRIC_ELAPSED) ||
		change_direction(elapsed) == change_direction(change));
}

static bool routine_decides(const struct change *change, const struct changes *changes)
{
	return change->figure->role == ROLE_CAUSE && change->figure->section == SECTION_ROUTINES &&
	       is_asked(changes, METRIC_ROUTINES) &&
	       (is_supported(change, changes->elapsed) || is_supported_by_cpu(change, changes));
}

/* ---- evidence */

/* Neither time of the run has changed the other way. */
static bool is_contradicted(const struct changes *changes, int direction)
{
	return (changes->elapsed->counts && change_direction(changes->elapsed) == -direction) ||
	       (changes->cpu->counts && change_direction(changes->cpu) == -direction);
}

/* Has it moved this way by `percent`, whatever its noise? */
static bool has_moved(const struct change *time, int direction, double percent)
{
	return direction * time->change_percent >= percent;
}

/* Elapsed time drifts with whatever else runs: what it did is no support. */
static bool has_cpu_moved(const struct changes *changes, int direction, double percent)
{
	return has_moved(changes->cpu, direction, percent) &&
	       !has_moved(changes->elapsed, -direction, changes->threshold_percent);
}

/* The CPU time of the run may have changed by half of it: otherwise it came in the place of
 * something else. */
static bool has_room(const struct changes *changes, const struct change *change, int direction)
{
	double difference = fabs(change->difference);
	double spread = 2 * changes->cpu->deviation, noise = changes->cpu->noise;

	/* where the runs of a side have the same CPU time, nobody has disturbed it */
	if (spread < noise)
		noise = spread;
	return direction * changes->cpu->difference + noise >= difference / 2;
}

static bool is_named(const struct figure *figure, enum figure_section section, const char *metric)
{
	return figure->section == section && !strcmp(figure->metric, metric);
}

/* The figure that decides alone by that name of a metric. */
static bool is_figure_of(const struct figure *figure, enum metric metric)
{
	switch (metric) {
	case METRIC_INSTRUCTIONS:
		return is_named(figure, SECTION_COUNTERS, "instructions") &&
		       !strcmp(figure->key, "the run");
	case METRIC_MEMORY:
		return is_named(figure, SECTION_OVERVIEW, "memory");
	case METRIC_REQUESTS:
		return is_named(figure, SECTION_REQUESTS, REQUESTS_A_SECOND);
	case METRIC_UNITS:
		return is_named(figure, SECTION_REQUESTS, UNITS_A_SECOND);
	default:
		return false;
	}
}

enum metric decide_metric_alone(const struct changes *changes, const struct change *change)
{
	enum metric metric = 0;

	while (metric < METRIC_LIMIT &&
	       !(is_asked(changes, metric) && is_figure_of(change->figure, metric)))
		metric++;
	return metric;
}

static bool is_alone(const struct changes *changes, const struct change *change)
{
	return change->verdict >= VERDICT_BETTER &&
	       decide_metric_alone(changes, change) != METRIC_LIMIT;
}

static bool evidence_decides(const struct changes *changes, const struct change *change)
{
	int direction = change_evidence(change);

	if (change->evidence == EVIDENCE_COUNT && is_asked(changes, METRIC_COUNTS))
		return true;
	if (is_contradicted(changes, direction))
		return false;
	switch (change->evidence) {
	case EVIDENCE_NEW:
	case EVIDENCE_GONE:
		return is_asked(changes, METRIC_NEW) && !change->is_replaced &&
		       has_room(changes, change, direction);
	case EVIDENCE_SHARE:
		return is_asked(changes, METRIC_ROUTINES) &&
		       has_cpu_moved(changes, direction, fabs(change->share_effect) / 2);
	case EVIDENCE_COUNT:
		return is_asked(changes, METRIC_WORK) && change->is_of_work &&
		       has_cpu_moved(changes, direction, changes->threshold_percent);
	default:
		return false;
	}
}

static bool decides(const struct change *change, const struct changes *changes)
{
	if (!changes->elapsed || !changes->cpu)
		return change == changes->elapsed && change->counts;
	if (is_alone(changes, change) || (change->evidence && evidence_decides(changes, change)))
		return true;
	if (!change->counts)
		return false;
	return change == changes->elapsed || change == changes->cpu
		       ? time_decides(change, changes)
		       : routine_decides(change, changes);
}

enum metric decide_metric(const struct changes *changes, const struct change *change)
{
	if (change == changes->elapsed || change == changes->cpu)
		return change == changes->elapsed ? METRIC_ELAPSED : METRIC_CPU;
	if (is_alone(changes, change))
		return decide_metric_alone(changes, change);
	if (change->evidence == EVIDENCE_NEW || change->evidence == EVIDENCE_GONE)
		return METRIC_NEW;
	if (change->evidence != EVIDENCE_COUNT)
		return METRIC_ROUTINES;
	return is_asked(changes, METRIC_COUNTS) ? METRIC_COUNTS : METRIC_WORK;
}

/* ---- the run */

/* With one run a side, load that differs by the threshold may also hide a change. */
static bool is_undecided(const struct changes *changes)
{
	const struct change *elapsed = changes->elapsed;
	double least = changes->threshold_percent / 100 * changes->elapsed_ns;

	if (!elapsed || changes->neighbours < NEIGHBOURS_MIN)
		return false;
	if (elapsed->verdict == VERDICT_NOISE)
		return true;
	return !isfinite(elapsed->deviation) && elapsed->verdict == VERDICT_NONE &&
	       fabs(elapsed->sides[1].disturbance - elapsed->sides[0].disturbance) >= least;
}

void decide_all(struct changes *changes)
{
	changes->is_undecided = is_asked(changes, METRIC_ELAPSED) && is_undecided(changes);
	for (size_t i = 0; i < changes->count; i++)
		changes->rows[i].decides = decides(&changes->rows[i], changes);
}

int change_evidence(const struct change *change)
{
	return change->evidence ? (change->difference > 0) - (change->difference < 0) : 0;
}

int change_decided(const struct change *change)
{
	int direction = change_direction(change);

	if (direction || !change->decides)
		return direction;
	return change->difference > 0 ? 1 : -1; /* of counts, and of what is new, more is worse */
}

bool changes_is_of_cpu(const struct changes *changes)
{
	return changes->cpu->decides && !changes->elapsed->decides;
}

/* The time whose change within noise leaves the verdict open; NULL: no time is asked for. */
const struct change *changes_judged(const struct changes *changes)
{
	if (is_asked(changes, METRIC_ELAPSED))
		return changes->elapsed;
	return is_asked(changes, METRIC_CPU) ? changes->cpu : NULL;
}

bool changes_cannot_tell(const struct changes *changes)
{
	const struct change *cpu = changes->cpu;

	if (!changes->is_undecided || changes_status(changes) != STATUS_SAME)
		return false;
	/* CPU time that has changed, and that nobody asked for, does not say that nothing has */
	return !cpu || cpu->counts ||
	       cpu->noise > changes->threshold_percent / 100 * cpu->sides[0].median;
}

bool changes_is_unsure(const struct changes *changes)
{
	const struct change *judged = changes_judged(changes);

	return judged && !changes->is_undecided && judged->verdict == VERDICT_NOISE &&
	       changes_status(changes) == STATUS_SAME;
}

size_t changes_runs_needed(const struct changes *changes)
{
	const struct change *time = changes_judged(changes);

	if (!time || time->verdict != VERDICT_NOISE)
		return 0;
	double before = time->sides[0].median;
	double others = time->figure->is_cpu ? 0 : change_disturbance(time);
	double after = time->sides[1].median + (time->difference < 0 ? others : -others);
	double moved = log(after / before);

	/* What others may account for does not shrink with more runs. */
	if (!(before > 0) || !(after > 0) || (moved < 0) != (time->difference < 0))
		return 0;
	return diff_welch_runs(&time->welch, fabs(moved));
}

int changes_status(const struct changes *changes)
{
	int status = STATUS_SAME;

	for (size_t i = 0; i < changes->count; i++) {
		if (!changes->rows[i].decides)
			continue;
		if (change_decided(&changes->rows[i]) > 0)
			return STATUS_WORSE;
		status = STATUS_BETTER;
	}
	return status;
}

bool changes_is_open(const struct changes *changes)
{
	return changes_cannot_tell(changes) || changes_is_unsure(changes);
}

const char *changes_verdict(const struct changes *changes)
{
	int status = changes_status(changes);

	if (changes_is_open(changes))
		return "cannot tell";
	return status == STATUS_WORSE ? "worse" : status == STATUS_BETTER ? "better" : "same";
}

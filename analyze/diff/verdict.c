/* SPDX-License-Identifier: MIT */
#include "analyze/diff/verdict.h"

#include "analyze/diff/diff_test.h"

#include <math.h>

#define SAMPLING_ERRORS 3
#define REJECTED        0.05
#define CAUSE_CERTAINTY 2    /* times the noise: there are many possible causes */
#define NEIGHBOURS_MIN  0.05 /* processors: the system uses as much on an idle machine */
/* CPU time that other programs add through shared caches and execution units, and on a host that
 * serves others: 1.8 times the CPU time was measured where others ran for two thirds of the
 * time. */
#define INFLATION     1.5
#define DOMINATED     0.5 /* others ran for longer: few runs do not show all that they may cause */
#define STATUS_SAME   0
#define STATUS_WORSE  1
#define STATUS_BETTER 3

/* ---- one change */

/* Standard deviation of a time of the run; 0: one run a side. */
static double deviation_of(const struct change *change)
{
	double deviation = diff_welch_deviation(&change->welch);

	return isfinite(deviation) ? deviation : 0;
}

/* Standard deviation of elapsed time: its own, or what CPU time contributes to it. */
static double deviation_of_run(const struct changes *changes)
{
	const struct change *cpu = changes->cpu, *elapsed = changes->elapsed;
	double median = fmax(elapsed->sides[0].median, elapsed->sides[1].median);
	double busy = fmax(cpu->sides[0].effect_ns, cpu->sides[1].effect_ns);
	double share = median > 0 ? fmin(1, busy / median) : 0;

	return fmax(deviation_of(elapsed), share * deviation_of(cpu));
}

void verdict_spread(struct changes *changes)
{
	bool is_known = changes->elapsed && changes->cpu;
	double least_of_elapsed = is_known ? deviation_of_run(changes) : 0;
	double least_of_cpu = is_known ? deviation_of(changes->cpu) : 0;

	for (size_t i = 0; i < changes->count; i++) {
		struct change *change = &changes->rows[i];

		if (change->figure->unit == UNIT_NS)
			change->welch.least =
				change->figure->is_cpu ? least_of_cpu : least_of_elapsed;
	}
}

double change_disturbance(const struct change *change)
{
	double difference = change->sides[1].disturbance - change->sides[0].disturbance;

	return fmax(0, change->difference < 0 ? -difference : difference);
}

/* The share of others in the time in which the threads wanted to run. */
static double share_of_others(const struct change *change)
{
	double largest = 0;

	for (size_t side = 0; side < 2; side++)
		if (change->sides[side].mean > 0)
			largest = fmax(largest,
				       change->sides[side].disturbance / change->sides[side].mean);
	return largest;
}

/* By how much CPU time may be longer because of others. */
static double inflation(const struct change *change)
{
	return INFLATION * share_of_others(change) *
	       fmin(change->sides[0].median, change->sides[1].median);
}

/* With one run a side, how much of it others really took is not known. */
static double noise_of_one(const struct change *change, double sampling)
{
	const struct change_side *a = &change->sides[0], *b = &change->sides[1];

	return sampling +
	       (change->figure->is_cpu ? inflation(change) : fmax(a->disturbance, b->disturbance));
}

/* By how much the median of A must change for a distance of `logarithm` between the logarithms. */
static double difference_of(const struct change *change, double logarithm)
{
	double from = change->sides[0].median + change->shift;

	return change->difference < 0 ? -from * expm1(-logarithm) : from * expm1(logarithm);
}

/* The noise, with limits `times` as large. */
static double noise_of(const struct change *change, double times)
{
	double a = (double)change->sides[0].known, b = (double)change->sides[1].known;
	double sampling = SAMPLING_ERRORS * hypot(change->sides[0].error, change->sides[1].error);
	double limit = diff_welch_limit(&change->welch);

	if (!isfinite(limit))
		return times * noise_of_one(change, sampling);
	double noise = fmax(times * sampling, difference_of(change, times * limit));

	if (!change->figure->is_cpu)
		return noise + times * change_disturbance(change);
	if (share_of_others(change) <= DOMINATED)
		return noise;
	return fmax(noise, times * inflation(change) * sqrt((1 / a + 1 / b) / 2));
}

/* With several runs: does the rank test reject, or come as close to that as so few runs can? */
static bool is_told_by_ranks(const struct change *change)
{
	double least = diff_test_ranks_least(change->sides[0].known, change->sides[1].known);

	return !isfinite(change->probability) ||
	       change->probability <= fmax(REJECTED, least * (1 + 1e-9));
}

static bool is_beyond_noise(const struct change *change)
{
	return fabs(change->difference) > change->noise && is_told_by_ranks(change);
}

static bool is_new(const struct change *change)
{
	return !change->sides[0].present && change->sides[1].present;
}

static bool is_gone(const struct change *change)
{
	return change->sides[0].present && !change->sides[1].present;
}

static enum verdict verdict_of(const struct change *change, double threshold_percent)
{
	if (!change->sides[0].known || !change->sides[1].known)
		return VERDICT_UNKNOWN;
	if (!change->difference || fabs(change->change_percent) < threshold_percent)
		return VERDICT_NONE;
	if (!is_beyond_noise(change))
		return VERDICT_NOISE;
	if (is_new(change))
		return VERDICT_NEW;
	if (is_gone(change))
		return VERDICT_GONE;
	int tendency = change_tendency(change);

	return tendency > 0 ? VERDICT_WORSE : tendency < 0 ? VERDICT_BETTER : VERDICT_CHANGED;
}

static double effect_of(const struct change *change)
{
	const struct change_side *a = &change->sides[0], *b = &change->sides[1];
	double value = 0, effect = 0;

	for (size_t side = 0; side < 2; side++)
		if (change->sides[side].present) {
			value += change->sides[side].mean;
			effect += change->sides[side].effect_ns;
		}
	if (!a->present && !b->present)
		return NAN;
	/* elapsed time itself has its difference as effect */
	return value > 0 ? change->difference * effect / value : change->difference ? NAN : 0;
}

int change_tendency(const struct change *change)
{
	if (change->figure->sense == SENSE_NEUTRAL || !change->difference ||
	    !isfinite(change->difference))
		return 0;
	return (change->difference > 0) == (change->figure->sense == SENSE_LESS) ? 1 : -1;
}

int change_direction(const struct change *change)
{
	bool is_real = change->verdict >= VERDICT_BETTER;

	return is_real ? change_tendency(change) : 0;
}

/* A's elapsed time without what others may account for; at least its time on a processor. */
static double own_elapsed_ns(const struct changes *changes)
{
	double others = changes->elapsed ? changes->elapsed->sides[0].disturbance : 0;
	double busy = changes->cpu ? changes->cpu->sides[0].effect_ns : 0;

	return fmax(changes->elapsed_ns - others, fmin(busy, changes->elapsed_ns));
}

void verdict_judge(struct change *change, const struct changes *changes)
{
	double before = change->sides[0].median, after = change->sides[1].median;
	double least_effect = changes->threshold_percent / 100 * own_elapsed_ns(changes);

	change->difference = after - before;
	change->change_percent = 100 * change->difference / fabs(before);
	change->noise = noise_of(change, 1);
	change->limit = fmax(change->noise, changes->threshold_percent / 100 * fabs(before));
	change->effect_ns = effect_of(change);
	change->verdict = verdict_of(change, changes->threshold_percent);
	change->counts = change_direction(change) && fabs(change->effect_ns) >= least_effect;
}

/* ---- which of them decide */

/* Elapsed time has changed in the same direction, but not beyond its own noise. */
static bool is_supported(const struct change *cause, const struct change *elapsed)
{
	double moved = fabs(elapsed->difference) - change_disturbance(elapsed);

	return elapsed->verdict == VERDICT_NOISE && is_told_by_ranks(elapsed) &&
	       fabs(cause->difference) > noise_of(cause, CAUSE_CERTAINTY) &&
	       change_tendency(elapsed) == change_tendency(cause) &&
	       moved >= fabs(cause->effect_ns) / 2;
}

static bool is_supported_by_cpu(const struct change *cause, const struct changes *changes)
{
	const struct change *cpu = changes->cpu;

	return changes->is_undecided && cpu && is_told_by_ranks(cpu) &&
	       fabs(cause->difference) > noise_of(cause, CAUSE_CERTAINTY) &&
	       change_tendency(cpu) == change_tendency(cause) &&
	       fabs(cpu->difference) >= fabs(cause->difference) / 2;
}

static bool decides(const struct change *change, const struct changes *changes)
{
	const struct change *elapsed = changes->elapsed;

	if (!change->counts || !elapsed)
		return false;
	if (change == elapsed)
		return true;
	if (change == changes->cpu)
		return !elapsed->counts || change_direction(elapsed) == change_direction(change);
	return change->figure->role == ROLE_CAUSE && change->figure->section == SECTION_ROUTINES &&
	       (is_supported(change, elapsed) || is_supported_by_cpu(change, changes));
}

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

void verdict_decide(struct changes *changes)
{
	changes->is_undecided = is_undecided(changes);
	for (size_t i = 0; i < changes->count; i++)
		changes->rows[i].decides = decides(&changes->rows[i], changes);
}

bool changes_is_of_cpu(const struct changes *changes)
{
	return changes->cpu->decides && !changes->elapsed->decides;
}

bool changes_cannot_tell(const struct changes *changes)
{
	const struct change *cpu = changes->cpu;

	if (!changes->is_undecided || changes_status(changes) != STATUS_SAME)
		return false;
	return !cpu || cpu->noise > changes->threshold_percent / 100 * cpu->sides[0].median;
}

bool changes_is_unsure(const struct changes *changes)
{
	return changes->elapsed && !changes->is_undecided &&
	       changes->elapsed->verdict == VERDICT_NOISE && changes_status(changes) == STATUS_SAME;
}

size_t changes_runs_needed(const struct changes *changes)
{
	const struct change *elapsed = changes->elapsed;

	if (!elapsed || elapsed->verdict != VERDICT_NOISE)
		return 0;
	double before = elapsed->sides[0].median, others = change_disturbance(elapsed);
	double after = elapsed->sides[1].median + (elapsed->difference < 0 ? others : -others);
	double moved = log(after / before);

	/* What others may account for does not shrink with more runs. */
	if (!(before > 0) || !(after > 0) || (moved < 0) != (elapsed->difference < 0))
		return 0;
	return diff_welch_runs(&elapsed->welch, fabs(moved));
}

int changes_status(const struct changes *changes)
{
	int status = STATUS_SAME;

	for (size_t i = 0; i < changes->count; i++) {
		if (!changes->rows[i].decides)
			continue;
		if (change_direction(&changes->rows[i]) > 0)
			return STATUS_WORSE;
		status = STATUS_BETTER;
	}
	return status;
}

const char *verdict_text(enum verdict verdict)
{
	static const char *const texts[VERDICT_COUNT] = {
		[VERDICT_UNKNOWN] = "?",
		[VERDICT_NONE] = "",
		[VERDICT_NOISE] = "within noise",
		[VERDICT_BETTER] = "better",
		[VERDICT_WORSE] = "worse",
		[VERDICT_CHANGED] = "changed",
		[VERDICT_NEW] = "new",
		[VERDICT_GONE] = "gone",
	};

	return texts[verdict];
}

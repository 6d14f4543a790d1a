/* SPDX-License-Identifier: MIT */
#include "analyze/diff/verdict.h"

#include "analyze/diff/diff_test.h"

#include <math.h>

#define SAMPLING_ERRORS 3
#define REJECTED        0.05
/* CPU time that other programs add through shared caches and execution units, and on a host that
 * serves others: 1.8 times the CPU time was measured where others ran for two thirds of the
 * time. */
#define INFLATION 1.5
#define DOMINATED 0.5 /* others ran for longer: few runs do not show all that they may cause */
#define SHOWN     5   /* runs a side, taken in turn: their spread shows it */

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

/* The share of others in the time in which the threads of a side wanted to run. */
static double share_of_others(const struct change_side *side)
{
	return side->mean > 0 ? side->disturbance / side->mean : 0;
}

static double largest_share(const struct change *change)
{
	return fmax(share_of_others(&change->sides[0]), share_of_others(&change->sides[1]));
}

/* By how much CPU time may be longer because of others, as a fraction, beyond what the spread of
 * the runs shows. */
static double inflation_of(const struct change *change, bool is_in_turn)
{
	double a = (double)change->sides[0].known, b = (double)change->sides[1].known;
	double difference = change->sides[1].median - change->sides[0].median;
	double more = share_of_others(&change->sides[1]) - share_of_others(&change->sides[0]);

	if (a + b <= 2)
		return INFLATION * largest_share(change);
	if (largest_share(change) <= DOMINATED)
		return 0;
	if (is_in_turn && fmin(a, b) >= SHOWN)
		return INFLATION * fmax(0, difference < 0 ? -more : more);
	return INFLATION * largest_share(change) * sqrt((1 / a + 1 / b) / 2);
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
		if (change->figure->is_cpu)
			change->inflation = inflation_of(change, changes->is_in_turn);
	}
}

double change_disturbance(const struct change *change)
{
	double difference = change->sides[1].disturbance - change->sides[0].disturbance;

	return fmax(0, change->difference < 0 ? -difference : difference);
}

static double inflated(const struct change *change)
{
	return change->inflation * fmin(change->sides[0].median, change->sides[1].median);
}

/* With one run a side, how much of it others really took is not known. */
static double noise_of_one(const struct change *change, double sampling)
{
	const struct change_side *a = &change->sides[0], *b = &change->sides[1];

	return sampling +
	       (change->figure->is_cpu ? inflated(change) : fmax(a->disturbance, b->disturbance));
}

/* By how much the median of A must change for a distance of `logarithm` between the logarithms. */
static double difference_of(const struct change *change, double logarithm)
{
	double from = change->sides[0].median + change->shift;

	return change->difference < 0 ? -from * expm1(-logarithm) : from * expm1(logarithm);
}

double verdict_noise(const struct change *change, double times)
{
	double sampling = SAMPLING_ERRORS * hypot(change->sides[0].error, change->sides[1].error);
	double limit = diff_welch_limit(&change->welch);

	if (!isfinite(limit))
		return times * noise_of_one(change, sampling);
	double noise = fmax(times * sampling, difference_of(change, times * limit));

	if (!change->figure->is_cpu)
		return noise + times * change_disturbance(change);
	return fmax(noise, times * inflated(change));
}

bool verdict_is_told_by_ranks(const struct change *change)
{
	double least = diff_test_ranks_least(change->sides[0].known, change->sides[1].known);

	return !isfinite(change->probability) ||
	       change->probability <= fmax(REJECTED, least * (1 + 1e-9));
}

static bool is_beyond_noise(const struct change *change)
{
	return fabs(change->difference) > change->noise && verdict_is_told_by_ranks(change);
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
	change->noise = verdict_noise(change, 1);
	change->limit = fmax(change->noise, changes->threshold_percent / 100 * fabs(before));
	change->effect_ns = effect_of(change);
	change->verdict = verdict_of(change, changes->threshold_percent);
	change->counts = change_direction(change) && fabs(change->effect_ns) >= least_effect;
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

/* SPDX-License-Identifier: MIT */
/* The rules on what hardware counted: routines that wait for memory, that read what other cores
 * have modified, and that are slower while other threads run. Without the events there is nothing
 * to judge. */
#include "analyze/findings/rules/finding_rules.h"

#include "analyze/base/memory.h"
#include "analyze/base/quantity.h"
#include "analyze/findings/where/finding_stake.h"
#include "analyze/findings/where/finding_where.h"
#include "analyze/model/common/finding_limits.h"
#include "analyze/model/counters/counter_price.h"
#include "analyze/model/counters/counter_roles.h"
#include "analyze/model/counters/counter_sharing.h"
#include "analyze/model/run/run.h"

#include <math.h>
#include <stdlib.h>

/* What routines lose, and the one that loses most. */
struct toll {
	double ns, most_ns;
	const struct counter_place *most; /* NULL: none */
	size_t among;
};

static void add(struct toll *toll, const struct counter_place *place, double ns)
{
	toll->ns += ns;
	toll->among++;
	if (toll->most && ns <= toll->most_ns)
		return;
	toll->most = place;
	toll->most_ns = ns;
}

static double judge(const struct run *run, struct finding *finding, const struct toll *toll)
{
	const struct finding_loss loss = {.work_ns = fmin(toll->ns, (double)run->cpu_ns)};

	finding_add_routine(finding, run, toll->most->a, 0, toll->most_ns, toll->ns, toll->among);
	return finding_stake(run, finding, &loss);
}

/* ---- memory */

static double cpu_of(const struct counter_place *place)
{
	return counter_place_sum(place, COUNTER_CPU, COUNTER_SELF)->scaled;
}

/* Each miss for the latency of memory: less, where several are on their way at once. */
static double missing_ns(const struct counters *counters, const struct counter_place *place,
			 size_t misses)
{
	return finding_limits.memory_latency *
	       counters_value(counters, place, misses, COUNTER_SELF);
}

static bool is_memory_bound(const struct counters *counters, const struct counter_place *place,
			    size_t misses)
{
	uint64_t samples = counter_place_sum(place, misses, COUNTER_SELF)->samples;

	return (double)samples >= finding_limits.counter_samples &&
	       missing_ns(counters, place, misses) >= finding_limits.memory_part * cpu_of(place) &&
	       counters_ipc(counters, place, COUNTER_SELF) < finding_limits.memory_ipc;
}

static char *memory_evidence(const struct run *run, const struct toll *toll, size_t misses)
{
	const struct counters *counters = &run->counters;
	const struct counter_place *most = toll->most;
	double count = counters_value(counters, most, misses, COUNTER_SELF);
	double instructions = counters_value(
		counters, most, counters_role(counters, COUNTER_INSTRUCTIONS), COUNTER_SELF);
	char *place = names_place_text(run->names, most->a, 0);
	char *text = memory_print(
		"%s: %s cache misses per 1000 instructions, %s instructions per cycle; at %s each, "
		"one after the other, the misses would take %s, and it took %s of CPU time",
		place, quantity_amount(1000 * count / instructions, false).text,
		quantity_number(counters_ipc(counters, most, COUNTER_SELF)).text,
		quantity_seconds(finding_limits.memory_latency).text,
		quantity_seconds(missing_ns(counters, most, misses)).text,
		quantity_seconds(cpu_of(most)).text);

	free(place);
	return text;
}

double judge_memory(const struct run *run, struct finding *finding)
{
	const struct counters *counters = &run->counters;
	const struct counter_places *routines = &counters->of[COUNTER_ROUTINE];
	size_t misses = counters_role(counters, COUNTER_CACHE_MISSES);
	struct toll toll = {0};

	for (size_t i = 0; misses && i < routines->count; i++)
		if (is_memory_bound(counters, routines->rows[i], misses))
			add(&toll, routines->rows[i],
			    fmin(cpu_of(routines->rows[i]),
				 missing_ns(counters, routines->rows[i], misses)));
	if (!toll.most)
		return NAN;
	finding->evidence = memory_evidence(run, &toll, misses);
	finding->grade = GRADE_ESTIMATED;
	return judge(run, finding, &toll);
}

/* ---- company */

static bool is_slower_in_company(const struct counter_price *price)
{
	return (double)price->samples >= finding_limits.counter_samples &&
	       price->ns > 2 * price->error_ns &&
	       price->ipc_company <= finding_limits.company_ipc * price->ipc_alone;
}

static char *company_evidence(const struct run *run, const struct toll *toll)
{
	struct counter_price price = counters_price(&run->counters, toll->most);
	char *place = names_place_text(run->names, toll->most->a, 0);
	char *text = memory_print(
		"%s of CPU time is the price of company; %s: %s instructions per cycle while other "
		"threads run, %s alone, and so %s of the %s of CPU time that it has in company",
		quantity_seconds(toll->ns).text, place, quantity_number(price.ipc_company).text,
		quantity_number(price.ipc_alone).text, quantity_seconds(price.ns).text,
		quantity_seconds(price.company_ns).text);

	free(place);
	return text;
}

double judge_company(const struct run *run, struct finding *finding)
{
	const struct counters *counters = &run->counters;
	const struct counter_places *routines = &counters->of[COUNTER_ROUTINE];
	struct toll toll = {0};

	for (size_t i = 0; i < routines->count; i++) {
		struct counter_price price = counters_price(counters, routines->rows[i]);

		if (is_slower_in_company(&price))
			add(&toll, routines->rows[i], price.ns);
	}
	if (!toll.most)
		return NAN;
	finding->evidence = company_evidence(run, &toll);
	finding->grade = GRADE_SAMPLED;
	return judge(run, finding, &toll);
}

/* ---- lines that other cores had modified */

static bool is_covered(const struct counters *counters, enum counter_role role)
{
	size_t event = counters_role(counters, role);

	return event && counters->rows[event].coverage >= finding_limits.counter_coverage;
}

/* Alone too seldom to be known: most routines of threads that work all the time are never alone. */
static bool is_known_alone(const struct counter_sharing *sharing)
{
	return (double)sharing->samples_alone >= finding_limits.counter_samples;
}

static bool is_shared(const struct counter_sharing *sharing)
{
	return (double)sharing->samples >= finding_limits.counter_samples &&
	       sharing->rate >= finding_limits.shared_reads &&
	       (!is_known_alone(sharing) ||
		sharing->rate_alone <= finding_limits.shared_alone * sharing->rate);
}

static bool is_priced(const struct counter_price *price)
{
	return (double)price->samples >= finding_limits.counter_samples && isfinite(price->ns);
}

/* Each read for what a line takes to come, but no more than the routine is slower in company, where
 * that is known. */
static double fetching_ns(const struct counters *counters, const struct counter_place *place)
{
	struct counter_sharing sharing = counters_sharing(counters, place);
	struct counter_price price = counters_price(counters, place);
	double ns = fmin(finding_limits.shared_line * sharing.reads, sharing.company_ns);

	return is_priced(&price) ? fmin(ns, price.ns) : ns;
}

enum { HOT_LINES = 3 };

struct hot_line {
	size_t line;
	double reads;
};

static void insert_line(struct hot_line hot[HOT_LINES], struct hot_line line)
{
	for (size_t i = 0; i < HOT_LINES; i++) {
		struct hot_line other = hot[i];

		if (!(line.reads > other.reads))
			continue;
		hot[i] = line;
		line = other;
	}
}

/* Source lines of a routine with most of these reads: " (at source line 12: 60 %, 14: 30 %)". */
static char *hot_lines_text(const struct counters *counters, size_t routine, double whole)
{
	struct hot_line hot[HOT_LINES] = {0};
	char *text = memory_copy_text("");

	for (size_t i = 0; i < counters->lines.count; i++) {
		const struct counter_place *place = counters->lines.rows[i];

		if (place->a == routine && place->b)
			insert_line(hot, (struct hot_line){place->b,
							   counters_modified(counters, place,
									     COUNTER_COMPANY)});
	}
	for (size_t i = 0; i < HOT_LINES && hot[i].reads >= finding_limits.part * whole; i++) {
		char *longer = memory_print("%s%s%zu: %s", text, i ? ", " : " (at source line ",
					    hot[i].line,
					    quantity_percent(100 * hot[i].reads / whole).text);

		free(text);
		text = longer;
	}
	char *closed = memory_print("%s%s", text, *text ? ")" : "");

	free(text);
	return closed;
}

static char *alone_text(const struct counter_sharing *sharing)
{
	if (!is_known_alone(sharing))
		return memory_copy_text("how many alone is not known, as it hardly ever was");
	return memory_print("alone %s", quantity_amount(sharing->rate_alone, false).text);
}

static char *shared_evidence(const struct run *run, const struct counter_place *most)
{
	const struct counters *counters = &run->counters;
	struct counter_sharing sharing = counters_sharing(counters, most);
	char *place = names_place_text(run->names, most->a, 0);
	char *lines = hot_lines_text(counters, most->a, sharing.reads);
	char *alone = alone_text(&sharing);
	char *text = memory_print(
		"%s: %s reads of lines of memory that another core had modified%s, while other threads run: "
		"%s per 1000 instructions, %s; at %s each they would take %s of the %s of CPU time "
		"that it has in company; whether threads share the data or only the line is not "
		"known",
		place, quantity_rate(sharing.reads).text, lines,
		quantity_amount(sharing.rate, false).text, alone,
		quantity_seconds(finding_limits.shared_line).text,
		quantity_seconds(
			fmin(finding_limits.shared_line * sharing.reads, sharing.company_ns))
			.text,
		quantity_seconds(sharing.company_ns).text);

	free(alone);
	free(lines);
	free(place);
	return text;
}

double judge_shared_lines(const struct run *run, struct finding *finding)
{
	const struct counters *counters = &run->counters;
	const struct counter_places *routines = &counters->of[COUNTER_ROUTINE];
	bool is_counted = is_covered(counters, COUNTER_MODIFIED) &&
			  is_covered(counters, COUNTER_INSTRUCTIONS);
	struct toll toll = {0};

	for (size_t i = 0; is_counted && i < routines->count; i++) {
		struct counter_sharing sharing = counters_sharing(counters, routines->rows[i]);

		if (is_shared(&sharing))
			add(&toll, routines->rows[i], fetching_ns(counters, routines->rows[i]));
	}
	if (!toll.most)
		return NAN;
	finding->evidence = shared_evidence(run, toll.most);
	finding->grade = GRADE_ESTIMATED;
	return judge(run, finding, &toll);
}

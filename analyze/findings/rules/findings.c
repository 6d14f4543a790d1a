/* SPDX-License-Identifier: MIT */
#include "analyze/findings/rules/findings.h"

#include "analyze/base/memory.h"
#include "analyze/findings/rules/finding_rules.h"
#include "analyze/model/common/finding_limits.h"
#include "analyze/model/run/run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct finding_rule {
	const char *id;
	const char *title;
	enum finding_kind kind;
	double threshold_percent; /* below it there is no finding */
	const char *reason;       /* for the threshold */
	finding_judge *judge;
	const char *advice;
};

static const struct finding_rule rules[] = {
#define RULE(id, kind, from, judge, title, reason, advice)                                         \
	{id, title, FINDING_##kind, from, reason, judge_##judge, advice},
#include "analyze/findings/rules/finding_rules.def"
#undef RULE
};
#define RULES (sizeof rules / sizeof *rules)

/* ---- the order in which they are shown */

/* The percentage that is shown. */
static double shown(const struct finding *finding)
{
	return round(finding->elapsed_percent);
}

/* Problems of the program and of its environment are one group. */
static enum finding_kind group(const struct finding *finding)
{
	return finding->kind == FINDING_ENVIRONMENT ? FINDING_PROBLEM : finding->kind;
}

/* The one with the most at stake in the first group that remains. */
static const struct finding *most_of(const struct finding *findings, size_t count)
{
	const struct finding *most = findings;

	for (size_t i = 1; i < count; i++)
		if (group(&findings[i]) != group(most) ? group(&findings[i]) < group(most)
						       : shown(&findings[i]) > shown(most))
			most = &findings[i];
	return most;
}

/* Stakes are bounds: of those that differ by less than equal_stakes allows, the one of the earliest
 * rule comes first; rules go from causes to symptoms. */
static size_t next_of(const struct finding *findings, size_t count)
{
	const struct finding *most = most_of(findings, count);

	for (size_t i = 0; i < count; i++)
		if (group(&findings[i]) == group(most) &&
		    shown(&findings[i]) >= finding_limits.equal_stakes * shown(most))
			return i;
	return 0;
}

/* They are in the order of the rules before. */
static void sort_findings(struct finding *findings, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		size_t next = i + next_of(&findings[i], count - i);
		struct finding finding = findings[next];

		memmove(&findings[i + 1], &findings[i], (next - i) * sizeof *findings);
		findings[i] = finding;
	}
}

static void clear(struct finding *finding)
{
	free(finding->evidence);
	free(finding->objects);
	for (size_t i = 0; i < finding->step_count; i++)
		free(finding->steps[i].name);
}

static void add_stake(const struct run *run, struct finding *finding)
{
	if (!isfinite(finding->elapsed_percent))
		finding->elapsed_percent = finding->severity_percent;
	finding->elapsed_ns = finding->elapsed_percent / 100 * (double)run->elapsed_ns;
}

/* The severity of a caveat is how weak figures are; nothing could be gained. */
static void make_caveat(struct finding *finding)
{
	finding->severity_percent = finding->elapsed_percent = finding->elapsed_ns = 0;
	finding->grade = GRADE_EXACT;
}

/* ---- nothing is told twice: special rules tell of objects (finding_tell_object); the general
 * ones, which come later in finding_rules.def, see the run without the waits for these */

struct pair {
	const char *special, *general;
};

/* By object. */
static const struct pair told_by[] = {
	{"wake-ups", "condition-wait"}, {"gil", "condition-wait"},
	{"gil", "lock-contention"},     {"writer-starved", "lock-contention"},
	{"lock-io", "lock-contention"}, {"spinning-pools", "spin-wait"},
};

/* Whatever the object: who is slow is known from who waited at which pipe; the general rule infers
 * it from the times of processes. Who passes tiny items is slow for that, and its items are small
 * writes. And what one of two pools spins is a part of what both do. */
static const struct pair same[] = {{"slow-stage", "pipeline"},
				   {"tiny-items", "slow-stage"},
				   {"tiny-items", "pipeline"},
				   {"tiny-items", "small-io"},
				   {"spinning-pools", "omp-spinning"}};

static bool is_pair(const struct pair *pairs, size_t count, const char *special,
		    const char *general)
{
	for (size_t i = 0; i < count; i++)
		if (!strcmp(special, pairs[i].special) && !strcmp(general, pairs[i].general))
			return true;
	return false;
}

static bool is_told_by(const struct finding *general, const struct finding *special)
{
	return is_pair(same, sizeof same / sizeof *same, special->id, general->id);
}

/* Marks the objects; returns how many there are. */
static size_t mark_told(bool *is_told, const struct finding *found, size_t found_count,
			const char *general)
{
	size_t count = 0;

	for (size_t i = 0; i < found_count; i++) {
		const struct finding *special = &found[i];

		if (!is_pair(told_by, sizeof told_by / sizeof *told_by, special->id, general))
			continue;
		for (size_t j = 0; j < special->object_count; j++)
			is_told[special->objects[j]] = true;
		count += special->object_count;
	}
	return count;
}

static double judge_rest(const struct finding_rule *rule, const struct run *run,
			 const bool *is_told, struct finding *finding)
{
	const struct synchronization *all = &run->synchronization;
	struct run rest = *run;

	rest.synchronization.rows = memory_allocate(all->count + 1, sizeof *all->rows);
	rest.synchronization.count = 0;
	for (size_t i = 0; i < all->count; i++)
		if (!is_told[all->rows[i].object])
			rest.synchronization.rows[rest.synchronization.count++] = all->rows[i];
	double severity = rule->judge(&rest, finding);

	free(rest.synchronization.rows);
	return severity;
}

static double judge_untold(const struct finding_rule *rule, const struct run *run,
			   const struct finding *found, size_t found_count, struct finding *finding)
{
	size_t count = 0;

	for (size_t i = 0; i < run->synchronization.count; i++)
		if (run->synchronization.rows[i].object >= count)
			count = run->synchronization.rows[i].object + 1;
	bool *is_told = memory_allocate(count + 1, sizeof *is_told);
	double severity = mark_told(is_told, found, found_count, rule->id)
				  ? judge_rest(rule, run, is_told, finding)
				  : rule->judge(run, finding);

	free(is_told);
	return severity;
}

static bool is_told_already(const struct finding *findings, size_t count, size_t index)
{
	for (size_t i = 0; i < count; i++)
		if (i != index && is_told_by(&findings[index], &findings[i]))
			return true;
	return false;
}

static size_t drop_told(struct finding *findings, size_t count)
{
	for (size_t i = count; i-- > 0;) {
		if (!is_told_already(findings, count, i))
			continue;
		clear(&findings[i]);
		count--;
		memmove(&findings[i], &findings[i + 1], (count - i) * sizeof *findings);
	}
	return count;
}

/* ---- readiness */

/* That threads are ready is mostly a consequence of threads that spin, are woken or started, or
 * hand over. If another problem has at least half of its stake, that one comes first. */
static bool has_cause(const struct finding *findings, size_t count, const struct finding *ready)
{
	for (size_t i = 0; i < count; i++)
		if (&findings[i] != ready && findings[i].kind == FINDING_PROBLEM &&
		    2 * findings[i].elapsed_percent >= ready->elapsed_percent)
			return true;
	return false;
}

static void judge_readiness(struct finding *findings, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!strcmp(findings[i].id, "oversubscription") &&
		    findings[i].kind == FINDING_PROBLEM && has_cause(findings, count, &findings[i]))
			findings[i].kind = FINDING_SYMPTOM;
}

/* Nothing can be gained in a run that has hardly begun. */
static bool is_short(const struct run *run)
{
	return (double)run->elapsed_ns < finding_limits.short_run;
}

struct findings findings_of(const struct run *run)
{
	struct findings found = {memory_allocate(RULES, sizeof *found.rows), 0};

	for (size_t i = 0; i < RULES; i++) {
		const struct finding_rule *rule = &rules[i];
		struct finding finding = {.id = rule->id,
					  .title = rule->title,
					  .kind = rule->kind,
					  .threshold_percent = rule->threshold_percent,
					  .reason = rule->reason,
					  .elapsed_percent = NAN,
					  .advice = rule->advice};

		finding.severity_percent =
			judge_untold(rule, run, found.rows, found.count, &finding);
		if (!isfinite(finding.severity_percent) || is_short(run) ||
		    finding.severity_percent < rule->threshold_percent) {
			clear(&finding);
			continue;
		}
		add_stake(run, &finding);
		if (finding.kind == FINDING_CAVEAT)
			make_caveat(&finding);
		found.rows[found.count++] = finding;
	}
	found.count = drop_told(found.rows, found.count);
	judge_readiness(found.rows, found.count);
	sort_findings(found.rows, found.count);
	return found;
}

void findings_clear(struct findings *findings)
{
	for (size_t i = 0; i < findings->count; i++)
		clear(&findings->rows[i]);
	free(findings->rows);
	*findings = (struct findings){0};
}

void findings_keep(struct findings *findings, bool (*is_kept)(const char *id))
{
	size_t kept = 0;

	for (size_t i = 0; i < findings->count; i++)
		if (is_kept(findings->rows[i].id))
			findings->rows[kept++] = findings->rows[i];
		else
			clear(&findings->rows[i]);
	findings->count = kept;
}

const struct finding *findings_first(const struct findings *findings)
{
	const struct finding *first = findings->rows;

	for (size_t i = 0; i < findings->count; i++)
		if (findings->rows[i].kind < first->kind)
			first = &findings->rows[i];
	return findings->count && first->kind != FINDING_CAVEAT ? first : NULL;
}

const char *finding_kind_text(enum finding_kind kind)
{
	static const char *const texts[] = {"problem", "environment", "symptom", "caveat"};

	return texts[kind];
}

/* SPDX-License-Identifier: MIT */
#include "analyze/model/finding.h"

#include "analyze/memory.h"
#include "analyze/model/finding_rules.h"
#include "analyze/model/run.h"

#include <math.h>
#include <stdlib.h>

/* As it is shown. */
static double shown(const struct finding *finding)
{
	return round(finding->elapsed_percent);
}

/* Problems of the program and of its environment stand together. */
static enum finding_kind group(const struct finding *finding)
{
	return finding->kind == FINDING_ENVIRONMENT ? FINDING_PROBLEM : finding->kind;
}

static bool is_before(const struct finding *a, const struct finding *b)
{
	return group(a) != group(b) ? group(a) < group(b) : shown(a) > shown(b);
}

/* Insertion, as qsort is not stable: equal stakes keep the order of the rules, which goes from
 * causes to symptoms. */
static void sort_findings(struct finding *findings, size_t count)
{
	for (size_t i = 1; i < count; i++) {
		struct finding finding = findings[i];
		size_t at = i;

		for (; at && is_before(&finding, &findings[at - 1]); at--)
			findings[at] = findings[at - 1];
		findings[at] = finding;
	}
}

static void clear(struct finding *finding)
{
	free(finding->evidence);
	for (size_t i = 0; i < finding->step_count; i++)
		free(finding->steps[i].name);
}

static void add_stake(const struct run *run, struct finding *finding)
{
	if (!isfinite(finding->elapsed_percent))
		finding->elapsed_percent = finding->severity_percent;
	finding->elapsed_ns = finding->elapsed_percent / 100 * (double)run->elapsed_ns;
}

/* A caveat is judged by how weak figures are, and nothing could be won. */
static void make_caveat(struct finding *finding)
{
	finding->severity_percent = finding->elapsed_percent = finding->elapsed_ns = 0;
	finding->grade = GRADE_EXACT;
}

struct finding *findings_of(const struct run *run, size_t *count)
{
	struct finding *findings = memory_allocate(finding_rule_count, sizeof *findings);

	*count = 0;
	for (size_t i = 0; i < finding_rule_count; i++) {
		const struct finding_rule *rule = &finding_rules[i];
		struct finding finding = {.id = rule->id,
					  .title = rule->title,
					  .kind = rule->kind,
					  .threshold_percent = rule->threshold_percent,
					  .reason = rule->reason,
					  .elapsed_percent = NAN,
					  .advice = rule->advice};

		finding.severity_percent = rule->judge(run, &finding);
		if (!isfinite(finding.severity_percent) ||
		    finding.severity_percent < rule->threshold_percent) {
			clear(&finding);
			continue;
		}
		add_stake(run, &finding);
		if (finding.kind == FINDING_CAVEAT)
			make_caveat(&finding);
		findings[(*count)++] = finding;
	}
	sort_findings(findings, *count);
	return findings;
}

void findings_free(struct finding *findings, size_t count)
{
	for (size_t i = 0; i < count; i++)
		clear(&findings[i]);
	free(findings);
}

const struct finding *findings_first(const struct finding *findings, size_t count)
{
	return count && findings->kind != FINDING_CAVEAT ? findings : NULL;
}

const char *finding_kind_text(enum finding_kind kind)
{
	static const char *const texts[] = {"problem", "environment", "symptom", "caveat"};

	return texts[kind];
}

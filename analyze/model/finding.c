/* SPDX-License-Identifier: MIT */
#include "analyze/model/finding.h"

#include "analyze/memory.h"
#include "analyze/model/finding_rules.h"

#include <math.h>
#include <math.h>
#include <stdlib.h>

/* As it is shown. */
static double shown(const struct finding *finding)
{
	return round(finding->severity_percent);
}

/* Insertion, as qsort is not stable: equal severities keep the order of the rules, which goes from
 * causes to symptoms. */
static void sort_findings(struct finding *findings, size_t count)
{
	for (size_t i = 1; i < count; i++) {
		struct finding finding = findings[i];
		size_t at = i;

		for (; at && shown(&finding) > shown(&findings[at - 1]); at--)
			findings[at] = findings[at - 1];
		findings[at] = finding;
	}
}

struct finding *findings_of(const struct run *run, size_t *count)
{
	struct finding *findings = memory_allocate(finding_rule_count, sizeof *findings);

	*count = 0;
	for (size_t i = 0; i < finding_rule_count; i++) {
		const struct finding_rule *rule = &finding_rules[i];
		struct finding finding = {
			.id = rule->id, .title = rule->title, .advice = rule->advice};

		finding.severity_percent = rule->judge(run, &finding);
		if (isfinite(finding.severity_percent) &&
		    finding.severity_percent >= rule->threshold_percent)
			findings[(*count)++] = finding;
		else
			free(finding.evidence);
	}
	sort_findings(findings, *count);
	return findings;
}

void findings_free(struct finding *findings, size_t count)
{
	for (size_t i = 0; i < count; i++)
		free(findings[i].evidence);
	free(findings);
}

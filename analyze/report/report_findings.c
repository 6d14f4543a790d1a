/* SPDX-License-Identifier: MIT */
#include "analyze/memory.h"
#include "analyze/print/json.h"
#include "analyze/report/sections.h"
#include "analyze/print/text_format.h"

#include <stdlib.h>

static void print_finding(const struct report *report, const struct finding *finding)
{
	char *severity = text_percent(finding->severity_percent);
	char *first = memory_print("  %6s  ", severity);
	char *text = memory_print("%s: %s. %s", finding->title, finding->evidence, finding->advice);

	report_print_wrapped(report, first, text);
	free(severity);
	free(first);
	free(text);
}

void report_findings_text(const struct report *report)
{
	const struct run *run = report->run;

	if (!run->finding_count)
		fputs("  nothing to fix\n", report->out);
	for (size_t i = 0; i < report_rows(report, run->finding_count); i++)
		print_finding(report, &run->findings[i]);
}

struct json_object *report_findings_json(const struct report *report)
{
	struct json_object *list = json_object_new_array();

	for (size_t i = 0; i < report->run->finding_count; i++) {
		const struct finding *finding = &report->run->findings[i];
		struct json_object *object = json_object_new_object();

		json_add(object, "id", json_text(finding->id));
		json_add(object, "title", json_text(finding->title));
		json_add(object, "severity_percent", json_number(finding->severity_percent));
		json_add(object, "evidence", json_text(finding->evidence));
		json_add(object, "advice", json_text(finding->advice));
		json_object_array_add(list, object);
	}
	return list;
}

/* SPDX-License-Identifier: MIT */
#include "analyze/print/json.h"
#include "analyze/report/sections.h"

void report_notes_text(const struct report *report)
{
	const struct text_list *notes = &report->run->notes;

	if (!notes->count)
		fputs("  nothing was left out\n", report->out);
	for (size_t i = 0; i < report_rows(report, notes->count); i++)
		report_print_wrapped(report, "  - ", notes->texts[i]);
	report_print_rest(report, notes->count);
}

struct json_object *report_notes_json(const struct report *report)
{
	const struct text_list *notes = &report->run->notes;
	struct json_object *list = json_object_new_array();

	for (size_t i = 0; i < notes->count; i++)
		json_object_array_add(list, json_text(notes->texts[i]));
	return list;
}

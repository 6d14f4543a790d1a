/* SPDX-License-Identifier: MIT */
#include "analyze/report/report.h"

#include "analyze/base/memory.h"
#include "analyze/print/json.h"
#include "analyze/print/text_format.h"
#include "analyze/print/text_wrap.h"

#include <stdlib.h>
#include <string.h>

/* A line that says that one row is left out would take as much room as the row. */
size_t report_rows(const struct report *report, size_t count)
{
	return report->top && report->top + 1 < count ? report->top : count;
}

void report_print_rest(const struct report *report, size_t count)
{
	report_print_more(report, count - report_rows(report, count));
}

void report_print_more(const struct report *report, size_t count)
{
	if (count)
		fprintf(report->out, "  ... and %zu more (--top 0 shows all)\n", count);
}

void report_print_wrapped(const struct report *report, const char *first, const char *text)
{
	text_wrap(report->out, report->width, report->is_utf8, first, text);
}

char *report_graded_seconds(const struct report *report, double ns, enum grade grade)
{
	return text_graded(text_seconds(ns), grade, report->is_utf8);
}

char *report_error_text(const struct report *report, uint64_t samples)
{
	if (!samples)
		return memory_copy_text("");
	return text_graded(text_percent(sample_error_percent(samples)), GRADE_SAMPLED,
			   report->is_utf8);
}

char *report_place(const struct report *report, size_t routine, unsigned line)
{
	return names_place_text(report->run->names, routine, line);
}

void report_add_place(const struct report *report, struct json_object *object, size_t index,
		      unsigned line)
{
	const struct routine *routine = names_routine(report->run->names, index);

	json_add(object, "routine", json_text(routine->name));
	json_add(object, "file", json_text(routine->file));
	json_add(object, "line", line ? json_count(line) : NULL);
}

const struct sync_object *report_object(const struct report *report, const struct sync_row *row)
{
	return &report->run->synchronization.objects[row->object];
}

const char *report_object_name(const struct report *report, const struct sync_row *row)
{
	return report->run->synchronization.names[row->object];
}

const char *report_grade_text(enum grade grade)
{
	return text_grade(grade);
}

void report_facts_add(struct report_facts *facts, const char *name, char *text)
{
	if (text && facts->count < REPORT_FACTS_MAX)
		facts->rows[facts->count++] = (struct report_fact){name, text};
	else
		free(text);
}

void report_fact_print(const struct report *report, const char *name, const char *text, int columns)
{
	char *first = memory_print("  %-*s ", columns, name);

	report_print_wrapped(report, first, text);
	free(first);
}

void report_facts_print(const struct report *report, const struct report_facts *facts, int columns)
{
	for (size_t i = 0; i < facts->count; i++)
		report_fact_print(report, facts->rows[i].name, facts->rows[i].text, columns);
}

void report_facts_clear(struct report_facts *facts)
{
	for (size_t i = 0; i < facts->count; i++)
		free(facts->rows[i].text);
	facts->count = 0;
}

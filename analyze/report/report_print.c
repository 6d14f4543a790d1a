/* SPDX-License-Identifier: MIT */
#include "analyze/report/report_print.h"

#include "analyze/base/die.h"
#include "analyze/base/memory.h"
#include "analyze/base/quantity.h"
#include "analyze/print/csv.h"
#include "analyze/print/json.h"
#include "analyze/print/text_format.h"
#include "analyze/print/text_wrap.h"
#include "analyze/report/report_order.h"
#include "analyze/report/report_screen.h"
#include "analyze/report/report_within.h"
#include "analyze/report/row_fields.h"
#include "analyze/report/section_page.h"

#include <stdlib.h>
#include <string.h>

/* A table with fewer rows says little. */
#define TOP_MIN 5

const char *report_section_name(size_t index)
{
	for (size_t i = 0; i < report_section_count; i++)
		if (report_sections[i].print_text && !index--)
			return report_sections[i].name;
	return NULL;
}

void report_print_sections(FILE *out, bool with_help)
{
	for (size_t i = 0; i < report_section_count; i++) {
		const struct report_section *section = &report_sections[i];

		if (!section->print_text)
			continue;
		fprintf(out, "  %-16s %s\n", section->name, section->defines);
		for (const char *line = section->help; with_help && line;
		     line = strchr(line, '\n')) {
			line += *line == '\n';
			fprintf(out, "  %-16s   %.*s\n", "", (int)strcspn(line, "\n"), line);
		}
	}
}

/* ---- text */

/* What --section help says of it, wrapped anew, and where all of it is. */
static void print_definition(const struct report *report, const struct report_section *section)
{
	char *text = memory_print("%s. %s defines each figure", section->help,
				  section_page(section->name));

	for (char *at = text; (at = strchr(at, '\n'));)
		*at = ' ';
	report_print_wrapped(report, "  | ", text);
	free(text);
}

static void print_section(const struct report *report, const struct report_section *section)
{
	text_wrap_title(report->out, report->width, report->is_coloured, section->name,
			section->defines);
	if (report->is_explained)
		print_definition(report, section);
	report_within_print(report, section->name);
	section->print_text(report);
}

/* Prints the text into memory, to count its lines first. */
static char *make_text(const struct report *report, const char *names, unsigned *lines)
{
	struct report copy = *report;
	size_t bytes, count;
	const struct report_section **order = report_order(report, &count);
	bool is_first = true;
	char *text = NULL;

	copy.out = open_memstream(&text, &bytes);
	if (!copy.out)
		die("out of memory");
	for (size_t i = 0; i < count; i++) {
		if (!report_is_wanted(report, names, order[i]))
			continue;
		if (!is_first)
			fputc('\n', copy.out);
		print_section(&copy, order[i]);
		is_first = false;
	}
	fclose(copy.out);
	free(order);
	*lines = 0;
	for (const char *at = text; (at = strchr(at, '\n')); at++)
		++*lines;
	return text;
}

char *report_text(const struct report *report, const char *names, unsigned lines_max)
{
	struct report shorter = *report;
	char *more = report_more(report, REPORT_SCREEN_COLUMNS);
	unsigned lines;

	shorter.more = more;
	char *text = make_text(&shorter, names, &lines);

	while (lines_max && lines > lines_max && shorter.top > TOP_MIN) {
		shorter.top--;
		free(text);
		text = make_text(&shorter, names, &lines);
	}
	free(more);
	return text;
}

/* ---- JSON */

void report_print_json(const struct report *report, const char *names)
{
	struct json_object *root = json_object_new_object();

	json_add(root, "format", json_text("ptrace-report"));
	json_add(root, "version", json_object_new_int(1));
	if (report->within)
		json_add(root, "within", report_within_json(report, names));
	for (size_t i = 0; i < report_section_count; i++) {
		const struct report_section *section = &report_sections[i];

		/* sections may share a key */
		if (report_is_named(names, section->name) &&
		    !json_object_object_get_ex(root, section->json_key, NULL))
			json_add(root, section->json_key, section->make_json(report));
	}
	json_print(report->out, root);
	json_object_put(root);
}

/* ---- CSV */

static size_t count_chosen(const char *names)
{
	size_t count = 0;

	for (size_t i = 0; i < report_section_count; i++)
		count += report_sections[i].print_text &&
			 report_is_named(names, report_sections[i].name);
	return count;
}

char *report_section_head(const struct report_section *section)
{
	return section->fields ? row_fields_head(section->fields)
			       : memory_copy_text(section->columns);
}

static void print_csv_section(const struct report *report, const struct report_section *section,
			      struct json_object *part, bool has_title, bool *is_first)
{
	if (has_title)
		fprintf(report->out, "%s@ %s\n", *is_first ? "" : "\n", section->name);
	*is_first = false;
	char *head = report_section_head(section);

	csv_print(report->out, part, report->top, head);
	free(head);
}

void report_print_csv(const struct report *report, const char *names)
{
	bool has_titles = count_chosen(names) > 1, is_first = true;

	for (size_t i = 0; i < report_section_count; i++) {
		const struct report_section *section = &report_sections[i];

		if (!section->print_text || !report_is_named(names, section->name))
			continue;
		struct json_object *root = section->make_rows ? section->make_rows(report)
							      : section->make_json(report);
		struct json_object *part =
			root && section->part ? json_object_object_get(root, section->part) : root;

		if (part || names)
			print_csv_section(report, section, part, has_titles, &is_first);
		json_object_put(root);
	}
}

/* ---- one line */

void report_print_summary(const struct report *report)
{
	const struct run *run = report->run;
	char *efficiency = text_percent(run->efficiency_percent),
	     *elapsed = text_seconds((double)run->elapsed_ns);

	fprintf(report->out, "ptrace-run: efficiency %s of %s, elapsed %s, profile in %s\n",
		efficiency, quantity_things((double)run->processors, "processor").text, elapsed,
		run->files->directory);
	free(efficiency);
	free(elapsed);
}

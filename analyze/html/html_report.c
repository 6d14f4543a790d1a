/* SPDX-License-Identifier: MIT */
#include "analyze/html/html_report.h"

#include "analyze/base/memory.h"
#include "analyze/html/html_places.h"
#include "analyze/html/html_sections.h"
#include "analyze/html/html_source.h"
#include "analyze/page/html_json.h"
#include "analyze/page/html_page.h"
#include "analyze/print/json.h"
#include "analyze/report/report_order.h"
#include "analyze/report/sections.h"

#include <stdlib.h>
#include <string.h>

/* What to do comes before the figures from which it follows. */
static const char *const first_sections[] = {"overview", "findings"};

#define SOURCE "source"

#define FIRST (sizeof first_sections / sizeof *first_sections)

/* In the order of report_sections. */
static void (*const faces[])(const struct report *report, struct json_object *json) = {
#define SECTION(name, ...) html_##name,
#define KEY(key)           NULL,
#include "analyze/report/sections.def"
};

/* Text has the facts of the run and T_i at its ends or on request; a page has them in its overview,
 * and in a picture. */
static const char *const text_only[] = {"about"}, *const page_only[] = {"concurrency", "processes"};

static bool is_among(const struct report_section *section, const char *const *names, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!strcmp(names[i], section->name))
			return true;
	return false;
}

#define IS_AMONG(section, names) is_among(section, names, sizeof names / sizeof *names)

static bool is_worth_a_page(const struct report *report, const struct report_section *section)
{
	return strcmp(section->name, "processes") || report_has_processes(report);
}

/* Of what nobody named a page has what the text has, and the source if there is some. */
static bool is_on_page(const struct report *report, const char *names,
		       const struct report_section *section, bool has_source)
{
	if (!names && IS_AMONG(section, text_only))
		return false;
	return report_is_wanted(report, names, section) ||
	       (!names && IS_AMONG(section, page_only) && is_worth_a_page(report, section)) ||
	       (has_source && !strcmp(section->name, SOURCE));
}

/* The sections of the page in its order, into `order`. */
static size_t choose(const struct report *report, const char *names, bool has_source,
		     const struct report_section **order)
{
	size_t count = 0;

	for (size_t first = 0; first < FIRST; first++)
		for (size_t i = 0; i < report_section_count; i++)
			if (!strcmp(first_sections[first], report_sections[i].name) &&
			    is_on_page(report, names, &report_sections[i], has_source))
				order[count++] = &report_sections[i];
	for (size_t i = 0; i < report_section_count; i++)
		if (!IS_AMONG(&report_sections[i], first_sections) &&
		    is_on_page(report, names, &report_sections[i], has_source))
			order[count++] = &report_sections[i];
	return count;
}

/* What the sections are made of. */
struct content {
	struct json_object *root;   /* as in the JSON report */
	struct html_places *places; /* NULL: no source is shown */
};

/* The source comes first: the others lead to it. */
static struct content start_content(const struct report *report, const char *names)
{
	struct content content = {.root = json_object_new_object()};
	struct json_object *source = NULL;

	if (names ? report_is_named(names, SOURCE) : report->source_texts != NULL)
		source = html_source_json(report, !names);
	if (!html_json_count(source)) {
		json_object_put(source);
		return content;
	}
	json_add(content.root, SOURCE, source);
	content.places = html_places_create(source);
	return content;
}

/* Sections may share a key, whose JSON may be large: it is made once. */
static struct json_object *json_of(const struct report *report, const struct content *content,
				   const struct report_section *section)
{
	struct json_object *value;

	if (json_object_object_get_ex(content->root, section->json_key, &value))
		return value;
	value = section->make_json(report);
	if (content->places)
		html_places_mark(content->places, value);
	json_add(content->root, section->json_key, value);
	return value;
}

typedef void (*face)(const struct report *report, struct json_object *json);

static bool has_section(const struct report_section *const *order, size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++)
		if (!strcmp(order[i]->name, name))
			return true;
	return false;
}

/* What two sections would both show is on the page once, in the first of them. */
static face face_of(const struct report_section *section, const struct report_section *const *order,
		    size_t count)
{
	bool has_findings = has_section(order, count, "findings");
	bool has_picture = has_findings && has_section(order, count, "overview") &&
			   has_section(order, count, "concurrency");

	if (has_picture && !strcmp(section->name, "overview"))
		return html_overview_with_picture;
	if (has_picture && !strcmp(section->name, "concurrency"))
		return html_concurrency_tables;
	if (has_findings && !strcmp(section->name, "overview"))
		return html_overview_before_findings;
	return faces[section - report_sections];
}

static void print_section(const struct report *report, const struct content *content,
			  const struct report_section *section, face show,
			  const struct html_link *link)
{
	struct report all = *report;

	all.top = 0; /* pages say how many rows they leave out */
	struct json_object *json = json_of(&all, content, section);

	html_section_begin(report->out, link, section->defines, section->help);
	show(report, json);
	html_section_end(report->out);
}

static char *summary_of(const struct run *run)
{
	char *hosts = run->host_count == 1 ? memory_copy_text(run->hosts[0])
					   : memory_print("%zu hosts", run->host_count);
	char *text = memory_print("%s on %s%s", run->start, hosts,
				  run->is_complete ? "" : "; INCOMPLETE, see notes");

	free(hosts);
	return text;
}

void html_report_print(const struct report *report, const char *names)
{
	const struct report_section **order = memory_allocate(report_section_count, sizeof *order);
	struct html_link *links = memory_allocate(report_section_count, sizeof *links);
	struct content content = start_content(report, names);
	size_t count = choose(report, names, content.places != NULL, order);
	struct report page_report = *report;
	char *summary = summary_of(report->run);
	struct html_page page = {report->run->command, summary, "ptrace-report " PTRACE_VERSION,
				 links, count};

	page_report.is_utf8 = true;
	for (size_t i = 0; i < count; i++)
		links[i] = (struct html_link){order[i]->name, order[i]->title};
	html_page_begin(report->out, &page);
	for (size_t i = 0; i < count; i++)
		print_section(&page_report, &content, order[i], face_of(order[i], order, count),
			      &links[i]);
	html_page_end(report->out, &page);
	html_places_destroy(content.places);
	json_object_put(content.root);
	free(summary);
	free(links);
	free(order);
}

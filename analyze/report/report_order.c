/* SPDX-License-Identifier: MIT */
#include "analyze/report/report_order.h"

#include "analyze/base/memory.h"

#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

bool report_is_named(const char *names, const char *name)
{
	size_t length = strlen(name);

	for (const char *at = names; at; at = strchr(at, ','), at = at ? at + 1 : NULL)
		if (!strncmp(at, name, length) && (!at[length] || at[length] == ','))
			return true;
	return !names;
}

bool report_is_wanted(const struct report *report, const char *names,
		      const struct report_section *section)
{
	return section->print_text && report_is_named(names, section->name) &&
	       (names || !section->is_worth_text || section->is_worth_text(report));
}

/* ---- kinds of programs */

static bool is_job(const struct run *run)
{
	return run->mpi.ranks.count > 0;
}

static bool has_teams(const struct run *run)
{
	return run->omp.is_used;
}

static bool has_processes(const struct run *run)
{
	return run->process_count > 1;
}

static bool is_any(const struct run *run)
{
	(void)run;
	return true;
}

/* Each by the sections that it is judged by; the first kind that fits. */
static const struct {
	bool (*fits)(const struct run *run);
	const char *sections;
} kinds[] = {
	{is_job,
	 "mpi,ranks,mpi_sites,collectives,mpi_calls,mpi_sizes,peers,openmp,routines,threads"},
	{has_teams, "openmp,routines,threads"},
	{has_processes, "requests,programs,processes,pipelines,connections,threads,routines"},
	{is_any, "requests,threads,synchronization,routines"},
};

#define FIRST "overview,sections,stuck,findings"
#define LAST  "io,about,notes"

static const char *sections_of(const struct run *run)
{
	size_t kind = 0;

	while (!kinds[kind].fits(run))
		kind++;
	return kinds[kind].sections;
}

/* Input and output follow the findings if the first of these is about them. */
static bool is_io_first(const struct report *report)
{
	static const char *const ids[] = {"io-wait", "small-io", "lock-io"};
	const struct finding *first = findings_first(&report->findings);

	for (size_t i = 0; first && i < COUNT(ids); i++)
		if (!strcmp(first->id, ids[i]))
			return true;
	return false;
}

/* ---- order */

struct order {
	const struct report_section **sections;
	size_t count;
};

static void take(struct order *order, const struct report_section *section)
{
	for (size_t i = 0; i < order->count; i++)
		if (order->sections[i] == section)
			return;
	if (section->print_text)
		order->sections[order->count++] = section;
}

/* The sections of the list, in its order. */
static void take_names(struct order *order, const char *names)
{
	while (*names) {
		size_t length = strcspn(names, ",");

		for (size_t i = 0; i < report_section_count; i++)
			if (strlen(report_sections[i].name) == length &&
			    !strncmp(report_sections[i].name, names, length))
				take(order, &report_sections[i]);
		names += length + (names[length] == ',');
	}
}

const struct report_section **report_order(const struct report *report, size_t *count)
{
	struct order order = {memory_allocate(report_section_count, sizeof *order.sections), 0};

	take_names(&order, FIRST);
	take_names(&order, is_io_first(report) ? "io" : "");
	take_names(&order, sections_of(report->run));
	for (size_t i = 0; i < report_section_count; i++)
		if (!report_is_named(LAST, report_sections[i].name))
			take(&order, &report_sections[i]);
	take_names(&order, LAST);
	*count = order.count;
	return order.sections;
}

/* ---- where to read on */

#define MORE "concurrency | html"

static bool is_table(const struct report *report, const struct report_section *section)
{
	return section->fields && strcmp(section->name, "findings") &&
	       report_is_wanted(report, NULL, section);
}

char *report_more(const struct report *report, unsigned columns)
{
	unsigned taken = columns + 3, room = report->width > taken ? report->width - taken : 0;
	size_t count;
	const struct report_section **order = report_order(report, &count);
	char *text = memory_copy_text("ptrace-report ");

	for (size_t i = 0; i < count; i++) {
		const char *name = report_short_name(order[i]);

		if (!is_table(report, order[i]) ||
		    strlen(text) + strlen(name) + sizeof MORE + 2 > room)
			continue;
		char *longer = memory_print("%s%s | ", text, name);

		free(text);
		text = longer;
	}
	char *whole = memory_print("%s" MORE, text);

	free(text);
	free(order);
	return whole;
}

/* ---- short names */

const char *report_short_name(const struct report_section *section)
{
	return strcmp(section->name, "synchronization") ? section->name : "locks";
}

const char *report_section_of(const char *word)
{
	for (size_t i = 0; i < report_section_count; i++)
		if (report_sections[i].print_text &&
		    (!strcmp(word, report_sections[i].name) ||
		     !strcmp(word, report_short_name(&report_sections[i]))))
			return report_sections[i].name;
	return NULL;
}

char *report_sections_of(const char *words, char **unknown)
{
	char *copy = memory_copy_text(words), *rest = copy, *all = memory_copy_text("");

	*unknown = NULL;
	for (char *word; all && (word = strsep(&rest, ","));) {
		const char *name = report_section_of(word);
		char *longer = name ? memory_print("%s%s%s", all, *all ? "," : "", name) : NULL;

		if (!name)
			*unknown = memory_copy_text(*word ? word : "''");
		free(all);
		all = longer;
	}
	free(copy);
	return all;
}

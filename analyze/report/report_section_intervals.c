/* SPDX-License-Identifier: MIT */
/* Which times in a section were far longer than others, and why. */
#include "analyze/report/report_section_intervals.h"

#include "analyze/base/memory.h"
#include "analyze/base/quantity.h"
#include "analyze/model/common/names.h"
#include "analyze/model/common/vocabulary_text.h"
#include "analyze/print/text_format.h"
#include "analyze/report/row_fields.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

char *report_section_wait(uint64_t cause, const char *object)
{
	return *object ? memory_print("%s %s", vocabulary_cause(cause), object)
		       : memory_copy_text(vocabulary_cause(cause));
}

static uint64_t nowhere_ns(const struct section_interval *row)
{
	uint64_t known_ns = row->cpu_ns + row->waited_ns;

	return row->length_ns > known_ns ? row->length_ns - known_ns : 0;
}

static const char *reason_word(const struct section_interval *row)
{
	static const char *const words[] = {
		[SECTION_REASON_NO_PROCESSOR] = "no processor",
		[SECTION_REASON_WAIT] = "wait",
		[SECTION_REASON_FAULTS] = "page faults",
		[SECTION_REASON_CPU] = "CPU",
	};

	return words[row->reason];
}

/* "no processor 52 ms", "write out.dat 48 ms", "1200 page faults, CPU 50 ms". */
static char *reason_text(const struct section_interval *row)
{
	struct quantity time = quantity_seconds((double)row->reason_ns);

	if (row->reason == SECTION_REASON_FAULTS)
		return memory_print("%s, CPU %s",
				    quantity_things((double)row->faults, "page fault").text,
				    time.text);
	if (row->reason != SECTION_REASON_WAIT)
		return memory_print("%s %s", reason_word(row), time.text);
	char *what = report_section_wait(row->wait_cause, row->wait_object);
	char *text = memory_print("%s %s", what, time.text);

	free(what);
	return text;
}

static const char *routine_word(const struct report *report, const struct section_interval *row)
{
	return row->wait_routine == UINT64_MAX
		       ? NULL
		       : names_routine(report->run->names, row->wait_routine)->name;
}

#define ROW      const struct section_interval
#define ROW_NAME section_intervals
#include "analyze/report/define_fields.h"

/* "13", "13 of worker (4711)", "13 of rank 3, worker (4711)": as much as there is to tell apart. */
static char *number_text(const struct report *report, const struct section *section,
			 const struct section_interval *row)
{
	uint64_t rank = report->run->processes[row->process].rank;
	char *of_rank = rank != UINT64_MAX && section->spread.processes > 1
				? memory_print("rank %" PRIu64 ", ", rank)
				: memory_copy_text("");
	char *text = section->threads > 1
			     ? memory_print("%" PRIu64 " of %s%s (%" PRIu64 ")", row->number,
					    of_rank, row->thread, row->tid)
			     : memory_print("%" PRIu64, row->number);

	free(of_rank);
	return text;
}

enum { INTERVALS_SHOWN = 3 };

static char *with_interval(char *text, const struct report *report, const struct section *section,
			   const struct section_interval *row, bool is_first)
{
	char *number = number_text(report, section, row), *reason = reason_text(row);
	char *longer =
		memory_print("%s%s%s (%s)", text, is_first ? " number " : ", ", number, reason);

	free(number);
	free(reason);
	free(text);
	return longer;
}

/* "solve 2 of 50 longer than 4 x the shortest: number 13 (no processor 52 ms), ..." */
static char *anomalies_text(const struct report *report, const struct section_anomalies *anomalies)
{
	const struct section *section = &report->run->sections.rows[anomalies->section];
	char *text = memory_print("%s %s%s of %s longer than %d x the shortest:", section->path,
				  anomalies->is_exact ? "" : "at least ",
				  quantity_count((double)anomalies->count).text,
				  quantity_count((double)anomalies->of).text, SECTION_LONG_FACTOR);

	for (size_t i = 0; i < anomalies->row_count && i < INTERVALS_SHOWN; i++)
		text = with_interval(text, report, section, &anomalies->rows[i], !i);
	if (anomalies->count <= INTERVALS_SHOWN)
		return text;
	char *longer = memory_print("%s, ...", text);

	free(text);
	return longer;
}

void report_section_anomalies(const struct report *report)
{
	const struct sections *all = &report->run->sections;

	for (size_t i = 0; i < report_rows(report, all->anomaly_count); i++) {
		char *text = anomalies_text(report, &all->anomalies[i]);

		report_print_wrapped(report, i ? "             " : "  anomalies: ", text);
		free(text);
	}
}

/* ---- the first screen */

enum { SECTIONS_NAMED = 3, NAME_COLUMNS = 24 };

/* "; io 96.0 ms (5 times), CEFF 9 %" */
static char *with_section(char *text, const struct report *report, const struct section *row)
{
	char *name = text_fit(row->path, NAME_COLUMNS, report->is_utf8);
	char *ceff = isfinite(row->ceff_percent)
			     ? memory_print(", CEFF %s", quantity_percent(row->ceff_percent).text)
			     : memory_copy_text("");
	char *longer = memory_print("%s%s%s %s (%s)%s", text, *text ? "; " : "", name,
				    quantity_seconds((double)row->elapsed_ns).text,
				    quantity_things((double)row->count, "time").text, ceff);

	free(name);
	free(ceff);
	free(text);
	return longer;
}

static size_t count_outermost(const struct sections *all)
{
	size_t count = 0;

	for (size_t i = 0; i < all->count; i++)
		count += !all->rows[i].depth && !section_is_rest(&all->rows[i]);
	return count;
}

char *report_sections_summary(const struct report *report)
{
	const struct sections *all = &report->run->sections;
	size_t named = 0, outermost = count_outermost(all);
	char *text = memory_copy_text("");

	for (size_t i = 0; i < all->count && named < SECTIONS_NAMED; i++)
		if (!all->rows[i].depth && !section_is_rest(&all->rows[i])) {
			text = with_section(text, report, &all->rows[i]);
			named++;
		}
	if (outermost <= named)
		return text;
	char *longer = memory_print("%s; %zu more", text, outermost - named);

	free(text);
	return longer;
}

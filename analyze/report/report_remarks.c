/* SPDX-License-Identifier: MIT */
#include "analyze/report/report_remarks.h"

#include "analyze/base/die.h"
#include "analyze/base/memory.h"
#include "analyze/model/lines/source_listing.h"
#include "analyze/print/json.h"
#include "analyze/print/text_format.h"
#include "analyze/report/report_lines.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* DiagnosticSeverity of the protocol. */
enum { SEVERITY_WARNING = 2, SEVERITY_INFORMATION = 3 };

struct remark {
	const struct source_line *line;
	const struct finding *finding; /* NULL: the figures of the line */
};

struct remarks {
	const struct report *report;
	struct source_lines lines;
	struct line_totals totals;
	struct source_listing listing; /* what was asked for */
	struct remark *rows;
	size_t count, capacity;
};

/* ---- which */

static const char *file_of(const struct remarks *remarks, const struct source_line *line)
{
	return names_routine(remarks->report->run->names, line->routine)->file;
}

static void add(struct remarks *remarks, const struct source_line *line,
		const struct finding *finding)
{
	if (!line->line || !file_of(remarks, line))
		return;
	remarks->rows = memory_grow(remarks->rows, remarks->count, &remarks->capacity,
				    sizeof *remarks->rows);
	remarks->rows[remarks->count++] = (struct remark){line, finding};
}

/* The line at which a step of a finding is; NULL: none. */
static const struct source_line *line_of(const struct remarks *remarks,
					 const struct finding_step *step)
{
	for (size_t i = 0; step->has_place && i < remarks->lines.count; i++) {
		const struct source_line *line = &remarks->lines.rows[i];

		if (line->line && line->routine == step->routine && line->line == step->line)
			return line;
	}
	return NULL;
}

/* The innermost place: the last step that has one. */
static void add_finding(struct remarks *remarks, const struct finding *finding)
{
	const struct source_line *place = NULL;

	for (size_t i = 0; i < finding->step_count; i++) {
		const struct finding_step *step = &finding->steps[i];
		const struct source_line *line = step->is_single ? line_of(remarks, step) : NULL;

		place = line ? line : place;
	}
	if (place && finding->kind != FINDING_CAVEAT)
		add(remarks, place, finding);
}

static void add_asked(struct remarks *remarks)
{
	for (size_t i = 0; i < remarks->listing.count; i++)
		for (size_t row = 0; row < remarks->listing.blocks[i].count; row++)
			if (remarks->listing.blocks[i].rows[row].figures)
				add(remarks, remarks->listing.blocks[i].rows[row].figures, NULL);
}

static void add_hottest(struct remarks *remarks)
{
	size_t before = remarks->count, most = remarks->report->top;

	for (size_t i = 0; i < remarks->lines.count; i++) {
		const struct source_line *line = &remarks->lines.rows[i];

		if (most && remarks->count - before == most)
			return;
		if (source_line_spent_ns(line) > 0 || line->blame_ns)
			add(remarks, line, NULL);
	}
}

static struct remarks read_remarks(const struct report *report)
{
	const struct source_query *query = report->source;
	struct remarks remarks = {.report = report, .lines = source_lines_of(report->run)};

	remarks.totals = line_totals_of(report, &remarks.lines);
	if (query && (query->routine || query->file)) {
		remarks.listing =
			source_listing_of(report->run, &remarks.lines, query, report->source_texts);
		add_asked(&remarks);
		return remarks;
	}
	for (size_t i = 0; i < report->findings.count; i++)
		add_finding(&remarks, &report->findings.rows[i]);
	add_hottest(&remarks);
	return remarks;
}

static void clear_remarks(struct remarks *remarks)
{
	free(remarks->rows);
	source_listing_clear(&remarks->listing);
	source_lines_clear(&remarks->lines);
}

/* ---- where and what */

/* The file on this machine; released by the caller. */
static char *path_of(const struct remarks *remarks, const struct remark *remark,
		     const char **problem)
{
	const struct source_text *text =
		source_listing_text(remarks->report->run, &remarks->lines, remark->line->routine,
				    remarks->report->source_texts);

	*problem = text ? text->problem : NULL;
	return memory_copy_text(text && text->path ? text->path : file_of(remarks, remark->line));
}

/* Takes ownership of figure. */
static char *append(char *text, const char *name, char *figure)
{
	char *longer = memory_print("%s%s%s %s", text, *text ? ", " : "", name, figure);

	free(text);
	free(figure);
	return longer;
}

/* "self 323 ms (34 %), blame 229 ms: count_word" */
static char *figures_text(const struct remarks *remarks, const struct source_line *line)
{
	char *text = memory_copy_text("");

	if (line->cpu && line->cpu->self_ns) {
		char *self = text_seconds((double)line->cpu->self_ns);
		char *share =
			text_percent(100 * (double)line->cpu->self_ns / remarks->totals.cpu_ns);

		text = append(text, "self", memory_print("%s (%s)", self, share));
		free(self);
		free(share);
	}
	if (line->cpu && line->cpu->total_ns > line->cpu->self_ns)
		text = append(text, "total", text_seconds((double)line->cpu->total_ns));
	if (line->cpu && line->cpu->alone_ns)
		text = append(text, "alone", text_seconds((double)line->cpu->alone_ns));
	if (source_line_waited_ns(line) > 0)
		text = append(text, "waits", text_seconds(source_line_waited_ns(line)));
	if (line->mpi_ns)
		text = append(text, "MPI", text_seconds((double)line->mpi_ns));
	if (line->blame_ns)
		text = append(text, "blame", text_seconds((double)line->blame_ns));
	return text;
}

/* Released by the caller. */
static char *message_of(const struct remarks *remarks, const struct remark *remark,
			const char *problem)
{
	const char *routine =
		names_routine(remarks->report->run->names, remark->line->routine)->name;
	char *figures = remark->finding ? memory_copy_text(remark->finding->evidence)
					: figures_text(remarks, remark->line);
	char *text = memory_print("%s%s%s: %s%s%s%s", remark->finding ? remark->finding->title : "",
				  remark->finding ? ": " : "", figures, routine,
				  problem ? " (the file " : "", problem ? problem : "",
				  problem ? ")" : "");

	free(figures);
	return text;
}

/* Does the path have a part that reads like the number of a line? Editors would end the path there
 * (Vim's errorformat %f:%l:%m, Emacs' compile), and know no way to quote. */
static bool is_ambiguous(const char *path)
{
	for (const char *at = strchr(path, ':'); at; at = strchr(at + 1, ':')) {
		size_t digits = strspn(at + 1, "0123456789");

		if (digits && at[1 + digits] == ':')
			return true;
	}
	return false;
}

static void warn_ambiguous(size_t count, const char *path)
{
	if (count)
		warn_line(
			"%zu remark%s left out: the path %s reads like FILE:LINE:; --format diagnostics "
			"has them",
			count, count == 1 ? " is" : "s are", path);
}

static void print_quickfix(const struct remarks *remarks, const struct remark *remark,
			   const char *path, const char *problem)
{
	char *message = message_of(remarks, remark, problem);
	char *line = memory_print("%s:%zu: %s%s%s", path, remark->line->line,
				  remark->finding ? remark->finding->id : "",
				  remark->finding ? ": " : "", message);
	char *plain = text_fit(line, UINT_MAX, remarks->report->is_utf8);

	fprintf(remarks->report->out, "%s\n", plain);
	free(plain);
	free(line);
	free(message);
}

void report_print_quickfix(const struct report *report)
{
	struct remarks remarks = read_remarks(report);
	char *ambiguous = NULL;
	size_t left_out = 0;

	for (size_t i = 0; i < remarks.count; i++) {
		const char *problem;
		char *path = path_of(&remarks, &remarks.rows[i], &problem);

		if (!is_ambiguous(path)) {
			print_quickfix(&remarks, &remarks.rows[i], path, problem);
		} else if (!left_out++) {
			ambiguous = path;
			continue;
		}
		free(path);
	}
	warn_ambiguous(left_out, ambiguous);
	free(ambiguous);
	clear_remarks(&remarks);
}

/* ---- as a language server says it */

/* RFC 3986; released by the caller. */
static char *uri_of(const char *path)
{
	char *uri = memory_allocate(3 * strlen(path) + 8, 1), *at = uri;

	at = stpcpy(uri, "file://");
	for (; *path; path++)
		if (isalnum((unsigned char)*path) || strchr("/-._~", *path))
			*at++ = *path;
		else
			at += sprintf(at, "%%%02X", (unsigned char)*path);
	return uri;
}

static struct json_object *position_json(uint64_t line)
{
	struct json_object *object = json_object_new_object();

	json_add(object, "line", json_count(line));
	json_add(object, "character", json_count(0));
	return object;
}

/* Lines count from 0 there; the end is the beginning of the next one. */
static struct json_object *diagnostic_json(const struct remarks *remarks,
					   const struct remark *remark, const char *problem)
{
	struct json_object *object = json_object_new_object();
	struct json_object *range = json_object_new_object();
	char *message = message_of(remarks, remark, problem);

	json_add(range, "start", position_json(remark->line->line - 1));
	json_add(range, "end", position_json(remark->line->line));
	json_add(object, "range", range);
	json_add(object, "severity",
		 json_count(remark->finding ? SEVERITY_WARNING : SEVERITY_INFORMATION));
	json_add(object, "source", json_text("ptrace-report"));
	json_add(object, "code", json_text(remark->finding ? remark->finding->id : "line"));
	json_add(object, "message", json_text(message));
	free(message);
	return object;
}

/* The list of that file; a new one if there is none. */
static struct json_object *list_of(struct json_object *files, const char *uri)
{
	struct json_object *object, *list;

	for (size_t i = 0; i < json_object_array_length(files); i++) {
		object = json_object_array_get_idx(files, i);
		if (!strcmp(json_object_get_string(json_object_object_get(object, "uri")), uri))
			return json_object_object_get(object, "diagnostics");
	}
	object = json_object_new_object();
	list = json_object_new_array();
	json_add(object, "uri", json_text(uri));
	json_add(object, "diagnostics", list);
	json_object_array_add(files, object);
	return list;
}

void report_print_diagnostics(const struct report *report)
{
	struct remarks remarks = read_remarks(report);
	struct json_object *files = json_object_new_array();

	for (size_t i = 0; i < remarks.count; i++) {
		const char *problem;
		char *path = path_of(&remarks, &remarks.rows[i], &problem), *uri = uri_of(path);

		if (*path == '/') /* a relative path has no URI */
			json_object_array_add(list_of(files, uri),
					      diagnostic_json(&remarks, &remarks.rows[i], problem));
		free(uri);
		free(path);
	}
	fprintf(report->out, "%s\n",
		json_object_to_json_string_ext(files, JSON_C_TO_STRING_PRETTY |
							      JSON_C_TO_STRING_NOSLASHESCAPE));
	json_object_put(files);
	clear_remarks(&remarks);
}

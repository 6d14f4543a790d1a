/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "preset_file.h"

#include "text_trim.h"

#include <ctype.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { LINES_MAX = 10000 };

struct reader {
	const char *path;
	int line;
	const char *const *pmus;
	int pmu_count;
	struct preset *preset; /* the result */
	struct preset section; /* the one that is being read */
	bool is_in_section;
	char *error;
	size_t size;
};

__attribute__((format(printf, 2, 3))) static bool complain(struct reader *reader,
							   const char *format, ...)
{
	int length = snprintf(reader->error, reader->size, "%s:%d: ", reader->path, reader->line);
	va_list arguments;

	va_start(arguments, format);
	if (length > 0 && (size_t)length < reader->size)
		vsnprintf(reader->error + length, reader->size - (size_t)length, format, arguments);
	va_end(arguments);
	return false;
}

static char *trim(char *text)
{
	return text_trim(text, strlen(text));
}

static bool copy(struct reader *reader, const char *what, const char *text, char *target,
		 size_t size)
{
	if (!*text)
		return complain(reader, "the %s is missing", what);
	if (strlen(text) >= size)
		return complain(reader, "the %s is longer than %zu characters", what, size - 1);
	strcpy(target, text);
	return true;
}

static bool read_description(struct reader *reader, char *text)
{
	if (reader->is_in_section)
		return complain(reader, "the description stands above all sections");
	return copy(reader, "description", text, reader->preset->description,
		    sizeof reader->preset->description);
}

/* NAME, or NAME as SHORT */
static bool read_names(struct reader *reader, char *text, struct preset_event *event)
{
	char *called = text + strcspn(text, " \t"), *word = called;

	if (*called) {
		*called++ = '\0';
		word = trim(called);
		called = word + strcspn(word, " \t");
		if (strncmp(word, "as", 2) != 0 || called != word + 2 || !*called)
			return complain(
				reader,
				"an event is written 'event NAME' or 'event NAME as SHORT'");
		word = trim(called);
		if (!formula_is_name(word))
			return complain(
				reader,
				"'%.40s' cannot be used in formulas: take letters, digits and _, a "
				"letter first, and not cpu_seconds or elapsed_seconds",
				word);
	} else {
		word = text;
	}
	return copy(reader, "name of the event", text, event->name, sizeof event->name) &&
	       copy(reader, "short name of the event", word, event->called, sizeof event->called);
}

static bool read_event(struct reader *reader, char *text)
{
	struct preset *section = &reader->section;

	if (section->event_count == PRESET_EVENTS_MAX)
		return complain(reader, "a section has at most %d events", PRESET_EVENTS_MAX);
	if (strpbrk(text, "@{},"))
		return complain(reader,
				"a preset only counts: write '@', '{', '}' and ',' in the LIST "
				"of --events");
	struct preset_event *event = &section->events[section->event_count];
	if (!read_names(reader, text, event))
		return false;
	for (int i = 0; i < section->event_count; i++)
		if (strcmp(section->events[i].called, event->called) == 0)
			return complain(reader, "event %s stands in line %d already", event->called,
					section->events[i].line);
	event->line = reader->line;
	section->event_count++;
	return true;
}

/* NAME [UNIT] = FORMULA */
static bool read_metric(struct reader *reader, char *text)
{
	struct preset *section = &reader->section;
	const char *names[PRESET_EVENTS_MAX];
	char *formula = strchr(text, '='), *unit = strchr(text, '['), error[400];

	if (section->metric_count == PRESET_METRICS_MAX)
		return complain(reader, "a section has at most %d metrics", PRESET_METRICS_MAX);
	struct preset_metric *metric = &section->metrics[section->metric_count];
	if (!formula)
		return complain(reader, "a metric is written 'metric NAME [UNIT] = FORMULA'");
	*formula++ = '\0';
	if (unit) {
		char *end = strchr(unit, ']');
		if (!end || *trim(end + 1))
			return complain(reader, "the unit is written [UNIT], before the '='");
		*unit++ = *end = '\0';
		if (!copy(reader, "unit", trim(unit), metric->unit, sizeof metric->unit))
			return false;
	}
	if (!copy(reader, "name of the metric", trim(text), metric->name, sizeof metric->name) ||
	    !copy(reader, "formula", trim(formula), metric->text, sizeof metric->text))
		return false;
	for (int i = 0; i < section->event_count; i++)
		names[i] = section->events[i].called;
	if (!formula_parse(metric->text, names, section->event_count, &metric->formula, error,
			   sizeof error))
		return complain(reader, "formula of %s, %s", metric->name, error);
	section->metric_count++;
	return true;
}

/* The section that ends here is the result if it is the first that fits. */
static bool end_section(struct reader *reader)
{
	struct preset *preset = reader->preset;

	if (!reader->is_in_section)
		return true;
	if (reader->section.event_count == 0)
		return complain(reader, "section [%s] has no event: add a line 'event NAME'",
				reader->section.section);
	if (preset->has_section || !reader->section.has_section)
		return true;
	memcpy(reader->section.description, preset->description, sizeof preset->description);
	*preset = reader->section;
	return true;
}

static bool is_for(const struct reader *reader, const char *pattern)
{
	if (strcmp(pattern, "any") == 0)
		return true;
	for (int i = 0; i < reader->pmu_count; i++)
		if (fnmatch(pattern, reader->pmus[i], 0) == 0)
			return true;
	return false;
}

static bool begin_section(struct reader *reader, char *text)
{
	size_t length = strlen(text);
	char *rest = NULL, patterns[sizeof reader->section.section];

	if (!end_section(reader))
		return false;
	memset(&reader->section, 0, sizeof reader->section);
	if (text[length - 1] != ']')
		return complain(reader, "a section is written [PMU PMU...] or [any]");
	text[length - 1] = '\0';
	if (!copy(reader, "name of a PMU, or any,", trim(text + 1), reader->section.section,
		  sizeof reader->section.section))
		return false;
	strcpy(patterns, reader->section.section);
	for (char *word = strtok_r(patterns, " \t", &rest); word;
	     word = strtok_r(NULL, " \t", &rest))
		reader->section.has_section |= is_for(reader, word);
	reader->is_in_section = true;
	return true;
}

static const struct {
	const char *word;
	bool (*read)(struct reader *, char *);
	bool is_of_section;
} statements[] = {
	{"description", read_description, false},
	{"event", read_event, true},
	{"metric", read_metric, true},
};

static bool read_line(struct reader *reader, char *text)
{
	size_t length = strcspn(text, " \t");

	if (!*text || *text == '#')
		return true;
	if (*text == '[')
		return begin_section(reader, text);
	for (size_t i = 0; i < sizeof statements / sizeof statements[0]; i++) {
		if (length != strlen(statements[i].word) ||
		    strncmp(text, statements[i].word, length) != 0)
			continue;
		if (statements[i].is_of_section && !reader->is_in_section)
			return complain(reader, "no section is begun: write [any] or [PMU] above");
		return statements[i].read(reader, trim(text + length));
	}
	return complain(reader, "'%.*s' is none of description, [PMU...], event, metric",
			length > 30 ? 30 : (int)length, text);
}

/* What would end an entry of a variable, or a line of an output. */
static bool check_characters(struct reader *reader, const char *text, size_t length)
{
	if (strlen(text) != length)
		return complain(reader, "the line contains a zero byte: this is no text");
	for (const char *c = text; *c; c++)
		if (*c == ';' || *c == '|' || (iscntrl((unsigned char)*c) && *c != '\t'))
			return complain(reader, "%s may not be used in a preset",
					*c == ';'   ? "';'"
					: *c == '|' ? "'|'"
						    : "a control character");
	return true;
}

static bool read_lines(struct reader *reader, FILE *file)
{
	char *line = NULL;
	size_t size = 0;
	ssize_t length;
	bool is_good = true;

	while (is_good && (length = getline(&line, &size, file)) >= 0) {
		reader->line++;
		while (length > 0 && (line[length - 1] == '\n' || line[length - 1] == '\r'))
			line[--length] = '\0';
		if (reader->line > LINES_MAX)
			is_good = complain(reader, "a preset has at most %d lines", LINES_MAX);
		else if (*line != '#')
			is_good = check_characters(reader, line, (size_t)length) &&
				  read_line(reader, trim(line));
	}
	free(line);
	return is_good && end_section(reader);
}

static bool check_whole(struct reader *reader)
{
	if (!reader->is_in_section)
		return complain(reader,
				"there is no section: write [any], and below it the events");
	if (!*reader->preset->description)
		return complain(reader, "a description is missing: begin with 'description TEXT'");
	return true;
}

bool preset_read(const char *path, const char *const *pmus, int pmu_count, struct preset *preset,
		 char *error, size_t size)
{
	struct reader reader = {.path = path,
				.pmus = pmus,
				.pmu_count = pmu_count,
				.preset = preset,
				.error = error,
				.size = size};
	struct stat status;
	FILE *file = NULL;

	memset(preset, 0, sizeof *preset);
	/* a pipe would be waited for */
	bool is_file = stat(path, &status) == 0 && S_ISREG(status.st_mode);
	if (is_file)
		file = fopen(path, "re");
	if (!file) {
		snprintf(error, size, "cannot read the preset %s: %s", path,
			 is_file || stat(path, &status) < 0 ? strerror(errno)
							    : "it is no regular file");
		return false;
	}
	bool is_good = read_lines(&reader, file) && check_whole(&reader);
	fclose(file);
	return is_good;
}

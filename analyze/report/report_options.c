/* SPDX-License-Identifier: MIT */
#include "analyze/report/report_options.h"

#include "analyze/base/die.h"
#include "analyze/base/memory.h"
#include "analyze/report/report_order.h"
#include "analyze/report/report_print.h"
#include "analyze/report/report_runs.h"
#include "analyze/report/report_within.h"
#include "analyze/report/row_fields.h"
#include "common/command_line.h"
#include "common/nearest_names.h"

#include <getopt.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Rows per table if --top is not given. */
static const unsigned tops[] = {
	[REPORT_TEXT] = 10, [REPORT_HTML] = 100,       [REPORT_QUICKFIX] = 10, [REPORT_JSON] = 0,
	[REPORT_CSV] = 0,   [REPORT_DIAGNOSTICS] = 10, [REPORT_SUMMARY] = 0,
};

#define FIELD(name) .field = offsetof(struct report_options, name)

/* The names of sections, and short names, that are most like a word. */
static bool find_nearest(const char *word, char *meant, size_t size)
{
	struct nearest_names names;
	const char *name;

	nearest_begin(&names, word);
	nearest_offer(&names, "locks");
	for (size_t i = 0; (name = report_section_name(i)); i++)
		nearest_offer(&names, name);
	return nearest_text(&names, meant, size);
}

static void die_of_section(const char *unknown)
{
	char meant[NEAREST_MAX * NEAREST_NAME_SIZE];

	if (find_nearest(unknown, meant, sizeof meant))
		die("--section %s is unknown: did you mean %s? --section help lists them", unknown,
		    meant);
	die("--section %s is unknown: --section help lists them", unknown);
}

static void take_sections(void *sections, const char *names)
{
	if (!strcmp(names, "help")) {
		report_print_sections(stdout, true);
		exit(0);
	}
	char *unknown, *known = report_sections_of(names, &unknown);

	if (!known)
		die_of_section(unknown);
	*(const char **)sections = known;
}

static void take_summary(void *format, const char *argument)
{
	(void)argument;
	*(enum report_format *)format = REPORT_SUMMARY;
}

static void take_source_path(void *field, const char *argument)
{
	struct source_path_list *paths = field;
	const char *equals = strchr(argument, '='), *to = equals ? equals + 1 : argument;
	struct stat status;

	if (equals == argument)
		die("--source-path %s: nothing stands before the =", argument);
	if (stat(to, &status) || !S_ISDIR(status.st_mode))
		die("--source-path %s: there is no directory %s", argument, to);
	if (paths->count == SOURCE_PATHS_MAX)
		die("--source-path %s: at most %d are possible", argument, SOURCE_PATHS_MAX);
	paths->list[paths->count++] = argument;
}

/* "x.c:12": a file and a line; "x.c": all of it. */
static void take_file(void *field, const char *argument)
{
	struct report_options *options =
		(void *)((char *)field - offsetof(struct report_options, file));
	const char *colon = strrchr(argument, ':');
	char *end = NULL;
	unsigned long line = colon ? strtoul(colon + 1, &end, 10) : 0;
	bool has_line = colon && colon[1] >= '0' && colon[1] <= '9' && !*end;

	if (!*argument || colon == argument)
		die("--file %s: give the end of a path, such as x.c or src/x.c:120", argument);
	if (has_line && (!line || line > OPTION_ROWS_MAX))
		die("--file %s: there is no line %s", argument, colon + 1);
	options->file = memory_copy_text(argument);
	options->line = has_line ? (unsigned)line : 0;
	if (has_line)
		options->file[colon - argument] = '\0';
}

static const char *const formats[] = {"text",     "json",        "csv", "html",
				      "quickfix", "diagnostics", NULL};
static const char *const subjects[] = {"process", "thread", NULL};

static const struct command_option options_table[] = {
	{"section", 0, "NAME[,NAME]",
	 "only these sections; --section help says what each one shows", FIELD(sections),
	 .take = take_sections, .value = report_section_name},
	{"explain", 0, NULL,
	 "with what columns mean, and all that is known of each finding: --explain threads",
	 FIELD(is_explained)},
	{"list", 0, NULL,
	 "the runs below the current directory, or below the one that is named, the newest first",
	 FIELD(is_list)},
	{"if-stuck", 0, NULL, "print nothing unless something is stuck (--section stuck)",
	 FIELD(is_for_stuck)},
	{"format", 0, "FORMAT",
	 "text (the default), json, csv (one --section at a time), html (one file to read in a\n"
	 "browser), quickfix (FILE:LINE: text, for editors) or diagnostics (the same as JSON of\n"
	 "the language server protocol)",
	 FIELD(format), .choices = formats},
	{"sort", 0, "COLUMN", "sort the rows of the sections that are named by a column of theirs",
	 FIELD(sort)},
	{"top", 0, "N",
	 "rows per table (default 10, in HTML 100; 0 = all, as JSON and CSV do by default)",
	 FIELD(top), .most = OPTION_ROWS_MAX},
	{"by", 0, "process|thread",
	 "what the sections threads and routines compare (default thread)", FIELD(by),
	 .choices = subjects},
	{"width", 0, "COLUMNS",
	 "width of the text (default: the terminal's; 80 where there is none)", FIELD(width),
	 .least = OPTION_WIDTH_MIN, .most = OPTION_WIDTH_MAX},
	{"program", 0, "NAME", "only the processes of that program (section programs)",
	 FIELD(program)},
	{"within", 0, "NAME",
	 "only what happened in that section, or phase, of the program (section sections)",
	 FIELD(within)},
	{"per", 0, "CALL@ROUTINE",
	 "what one unit of work cost: units are these calls of that routine (read@serve,\n"
	 "MPI_Send@exchange), or calls of an instrumented ROUTINE",
	 FIELD(per)},
	{"routine", 0, "NAME", "section source: the lines of that routine", FIELD(routine)},
	{"file", 0, "NAME[:LINE]", "section source: of that file, or what is near the line",
	 FIELD(file), .take = take_file},
	{"source-path", 0, "FROM=TO",
	 "sources whose paths begin with FROM are below TO; or DIR, in which they are looked for\n"
	 "by the ends of their paths; may be given several times",
	 FIELD(source_paths), .take = take_source_path},
	{"symbols", 0, "DIR", "look for programs, libraries and their debug files below DIR, too",
	 FIELD(symbols)},
	{"summary", 0, NULL, "one line: efficiency, elapsed time, directory", FIELD(format),
	 .take = take_summary},
	{"output", 'o', "FILE", "write to FILE", FIELD(output)},
	OPTIONS_OF_ALL,
};

static void print_help(const struct command_line *line)
{
	fputs("Usage: ptrace-report [options] [SECTION...] [--] [RUN]\n"
	      "       ptrace-report html [options] [--] [RUN]\n"
	      "       ptrace-report --section lines|source [options] [--] RUN RUN...\n"
	      "       ptrace-report --list [options] [--] [DIRECTORY]\n"
	      "\n"
	      "Reports on RUN, a directory that ptrace-run wrote, one profile of it, or the number "
	      "of a process that is\n"
	      "profiled now; the default is the newest run below the current directory. Works on "
	      "finished, killed and\n"
	      "running programs. Several RUNs: their source lines side by side. SECTION is one of "
	      "those below (or locks,\n"
	      "for synchronization), as with --section; html writes the page NAME.html of the run "
	      "NAME. A file or directory\n"
	      "of that name is a RUN.\n"
	      "\n",
	      stdout);
	command_line_print_options(line);
	puts("\nSections:");
	report_print_sections(stdout, false);
	fputs("\n"
	      "Exit status: 0 report printed; 1 the run is incomplete (report printed, reason "
	      "given); 2 wrong usage or nothing\n"
	      "readable.\n",
	      stdout);
}

static const struct command_line command_line = {
	.program = "ptrace-report",
	.print_help = print_help,
	.options = options_table,
	.count = sizeof options_table / sizeof *options_table,
	.help_width = 22,
};

static bool has_source(const char *names)
{
	return names && report_is_named(names, "source");
}

static bool is_for_editors(const struct report_options *options)
{
	return options->format == REPORT_QUICKFIX || options->format == REPORT_DIAGNOSTICS;
}

/* What to list of the source says which section is wanted. */
static void complete_sections(struct report_options *options)
{
	const char *option = options->routine ? "--routine" : options->file ? "--file" : NULL;

	if (option && options->sections && !has_source(options->sections))
		die("%s is for --section source", option);
	if (is_for_editors(options) && options->sections)
		die("--format %s has no sections", formats[options->format]);
	if (option && !options->sections && !is_for_editors(options))
		options->sections = "source";
	options->has_source = has_source(options->sections) || is_for_editors(options) ||
			      (options->format == REPORT_HTML && !options->sections);
}

static void check_within_section(const char *within, const char *section)
{
	char *possible;

	if (report_within_lacks(section))
		return;
	possible = report_within_possible();
	die("--within %s: the section %s is of the whole run: %s can be of a part of it", within,
	    section, possible);
}

/* Of what has marks. */
static void check_within(const struct report_options *options)
{
	if (options->format > REPORT_CSV || options->is_list || options->is_for_stuck ||
	    options->run_count > 1 || options->per)
		die("--within %s: one run at a time, as text, json or csv, without --per",
		    options->within);
	for (size_t i = 0; options->sections && i < report_section_count; i++)
		if (report_sections[i].print_text &&
		    report_is_named(options->sections, report_sections[i].name))
			check_within_section(options->within, report_sections[i].name);
}

/* Each section that is named has the column. */
static void check_sort(const struct report_options *options)
{
	if (!options->sections || options->format != REPORT_TEXT)
		die("--sort %s is for sections that are named, as text: ptrace-report --sort %s "
		    "threads",
		    options->sort, options->sort);
	for (size_t i = 0; i < report_section_count; i++) {
		const struct report_section *section = &report_sections[i];

		if (!section->print_text || !report_is_named(options->sections, section->name))
			continue;
		if (!strcmp(section->name, "tree") || !strcmp(section->name, "wait_tree") ||
		    !section->fields || !row_fields_have(section->fields, options->sort))
			die("--sort %s: the section %s has no such column, by which it could be "
			    "sorted",
			    options->sort, section->name);
	}
}

/* Several runs are for what can be shown side by side. */
static void check_runs(struct report_options *options)
{
	bool has_columns = options->format <= REPORT_HTML;
	const char *problem =
		has_columns ? report_runs_problem(options->sections) : "this format shows one";

	if (problem)
		die("one RUN at a time: %s is one too many (%s; ptrace-diff compares all figures)",
		    options->runs[1], problem);
	if (options->run_count > REPORT_RUNS_MOST)
		die("at most %d RUNs at a time: %s is one too many", REPORT_RUNS_MOST,
		    options->runs[REPORT_RUNS_MOST]);
	options->has_source = true;
}

/* A list has no sections, and no page. */
static void check_list(const struct report_options *options)
{
	bool has_form = options->format == REPORT_TEXT || options->format == REPORT_JSON ||
			options->format == REPORT_CSV;

	if (options->sections || options->routine || options->file)
		die("--list has no sections");
	if (!has_form)
		die("--list: as text, json or csv");
	if (options->run_count > 1)
		die("--list: one directory at a time: %s is one too many", options->runs[1]);
}

/* "locks" among the runs is a section, unless there is such a file. */
static bool take_word(struct report_options *options, const char *word)
{
	const char *section = report_section_of(word);
	bool is_page = !strcmp(word, formats[REPORT_HTML]);
	struct stat status;

	if ((!section && !is_page) || !stat(word, &status))
		return false;
	if (is_page && options->format != REPORT_TEXT && options->format != REPORT_HTML)
		die("html is a page: leave out --format %s, or the word html",
		    formats[options->format]);
	if (is_page) {
		options->format = REPORT_HTML;
		options->is_page = true;
	} else {
		options->sections = options->sections
					    ? memory_print("%s,%s", options->sections, section)
					    : section;
	}
	return true;
}

/* It is no file, no path, and no number of a process. */
static bool is_no_run(const char *word)
{
	struct stat status;

	return stat(word, &status) && !strchr(word, '/') && word[strspn(word, "0123456789")];
}

/* A word that is no run may be a section that was not written as it is called. */
static void check_word(const char *word)
{
	char meant[NEAREST_MAX * NEAREST_NAME_SIZE];

	if (is_no_run(word) && find_nearest(word, meant, sizeof meant))
		die("%s is neither a run nor a section: did you mean %s?", word, meant);
}

/* Of several runs: one that is none would be called one too many. */
static void check_is_run(const char *word)
{
	if (is_no_run(word))
		die("%s is neither a run nor a section: --section help lists these", word);
}

/* Returns how many runs are left. */
static size_t take_words(struct report_options *options)
{
	size_t count = 0;

	for (size_t i = 0; i < options->run_count; i++)
		if (!take_word(options, options->runs[i])) {
			check_word(options->runs[i]);
			options->runs[count++] = options->runs[i];
		}
	for (size_t i = 0; count > 1 && i < count; i++)
		check_is_run(options->runs[i]);
	return count;
}

struct report_options report_options_read(int count, char **words)
{
	struct report_options options = {
		.width = OPTION_WIDTH_DEFAULT, .top = OPTION_NOT_GIVEN, .by = REPORT_BY_THREAD};

	while (command_line_take(&command_line, count, words, &options))
		;
	options.runs = words + optind;
	options.run_count = (size_t)(count - optind);
	if (!options.is_list && strcmp(words[optind - 1], "--"))
		options.run_count = take_words(&options);
	if (options.run_count)
		options.run = options.runs[0];
	if (options.is_list)
		check_list(&options);
	complete_sections(&options);
	if (options.run_count > 1)
		check_runs(&options);
	if (options.within)
		check_within(&options);
	if (options.sort)
		check_sort(&options);
	options.is_top_given = options.top != OPTION_NOT_GIVEN;
	if (!options.is_top_given)
		options.top = tops[options.format];
	return options;
}

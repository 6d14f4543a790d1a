/* SPDX-License-Identifier: MIT */
/* The printed report: its size, its sections, the keys that scripts rely on. */
#define _GNU_SOURCE 1
#include "analyze/model/lines/source_listing.h"
#include "analyze/report/report_order.h"
#include "analyze/report/report_print.h"
#include "analyze/print/text_format.h"
#include "tests/unit/scene_run.h"
#include "tests/unit/unit.h"

#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>

static char *text;
static size_t text_bytes;

static const struct source_query query = {.most = 3};

static struct report start_report(const struct run *run, size_t top)
{
	return (struct report){.run = run,
			       .findings = findings_of(run),
			       .out = open_memstream(&text, &text_bytes),
			       .top = top,
			       .width = 100,
			       .is_utf8 = true,
			       .source = &query};
}

static void end_report(struct report *report)
{
	findings_clear(&report->findings);
	fclose(report->out);
}

static void print_as_text(const struct report *report, const char *sections, unsigned lines_max)
{
	char *report_lines = report_text(report, sections, lines_max);

	fputs(report_lines, report->out);
	free(report_lines);
}

static void print_text(const struct run *run, const char *sections)
{
	struct report report = start_report(run, 10);

	print_as_text(&report, sections, 100);
	end_report(&report);
}

static struct json_object *print_json(const struct run *run, const char *sections)
{
	struct report report = start_report(run, 0);

	report_print_json(&report, sections);
	end_report(&report);
	struct json_object *root = json_tokener_parse(text);

	ck_assert_ptr_nonnull(root);
	ck_assert_ptr_null(strstr(text, "nan"));
	ck_assert_ptr_null(strstr(text, "inf\""));
	free(text);
	return root;
}

static size_t count_lines(unsigned *widest)
{
	size_t lines = 0;
	char *rest = text;

	*widest = 0;
	for (char *line; (line = strsep(&rest, "\n")) && rest; lines++)
		*widest = text_columns(line) > *widest ? text_columns(line) : *widest;
	return lines;
}

START_TEST(a_large_report_fits_a_hundred_lines_and_columns)
{
	struct scene_run scene;
	unsigned widest;

	print_text(scene_run_of(&scene, "crowd"), NULL);
	ck_assert_uint_le(count_lines(&widest), 100);
	ck_assert_uint_le(widest, 100);
	free(text);
	scene_run_clear(&scene);
}
END_TEST

START_TEST(every_scene_can_be_reported)
{
	for (size_t i = 0; i < scene_count; i++) {
		struct scene_run scene;
		const struct run *run = scene_run_of(&scene, scenes[i].name);

		print_text(run, NULL);
		ck_assert_ptr_eq(strstr(text, "@ overview: "), text);
		ck_assert_ptr_nonnull(strstr(text, "\n@ findings: "));
		free(text);
		json_object_put(print_json(run, NULL));
		scene_run_clear(&scene);
	}
}
END_TEST

START_TEST(sections_can_be_chosen)
{
	struct scene_run scene;
	struct run *run = scene_run_of(&scene, "workers");

	print_text(run, "threads,processes");
	ck_assert_ptr_nonnull(strstr(text, "@ threads: "));
	ck_assert_ptr_nonnull(strstr(
		text, "@ processes: ")); /* asked for, so printed, although there is one only */
	ck_assert_ptr_null(strstr(text, "@ overview: "));
	free(text);
	char *unknown, *known = report_sections_of("threads,locks", &unknown);

	ck_assert_str_eq(known, "threads,synchronization");
	free(known);
	ck_assert_ptr_null(report_sections_of("threads,thread", &unknown));
	ck_assert_str_eq(unknown, "thread");
	free(unknown);
	scene_run_clear(&scene);
}
END_TEST

static void expect_keys(struct json_object *object, const char *keys)
{
	char *copy = strdup(keys), *rest = copy;

	for (char *key; (key = strsep(&rest, " "));)
		ck_assert_msg(json_object_object_get_ex(object, key, NULL), "no key %s", key);
	free(copy);
}

static struct json_object *get(struct json_object *object, const char *key)
{
	struct json_object *value = NULL;

	json_object_object_get_ex(object, key, &value);
	return value;
}

START_TEST(all_keys_of_the_contract_are_there)
{
	struct scene_run scene;
	struct json_object *root = print_json(scene_run_of(&scene, "workers"), NULL);

	expect_keys(root, "format version run concurrency processes threads synchronization "
			  "routines mpi openmp counters "
			  "findings notes");
	expect_keys(
		get(root, "run"),
		"directory command start elapsed_seconds hosts processes threads processors complete "
		"overhead_percent");
	expect_keys(get(get(root, "concurrency"), "useful"),
		    "grade levels average efficiency_percent sequential_percent amdahl_limit cu "
		    "cavg ceff_percent executing_limit cautious_limit virtual_seconds projections");
	expect_keys(json_object_array_get_idx(get(root, "processes"), 0),
		    "rank host pid sequence parent_pid command status complete elapsed_seconds "
		    "cpu_seconds executing_seconds sequential_seconds threads");
	expect_keys(
		json_object_array_get_idx(get(root, "threads"), 0),
		"rank pid tid name elapsed_seconds user_seconds system_seconds ready_seconds "
		"blocked_seconds "
		"voluntary_switches involuntary_switches minor_faults major_faults samples waits");
	expect_keys(json_object_array_get_idx(get(root, "synchronization"), 0),
		    "kind object name created_at operation count contended wait_seconds "
		    "wait_max_seconds processes waiters blame");
	expect_keys(json_object_array_get_idx(get(root, "routines"), 0),
		    "name module file line calls self_seconds total_seconds elapsed_seconds "
		    "alone_seconds total_elapsed_seconds total_alone_seconds "
		    "elapsed_self_seconds elapsed_total_seconds average_concurrency threads "
		    "min_seconds mean_seconds max_seconds stddev_seconds max_at grade");
	expect_keys(json_object_array_get_idx(get(root, "findings"), 0),
		    "id kind title severity_percent elapsed_seconds elapsed_percent grade evidence "
		    "where spread advice threshold_percent threshold_reason");
	ck_assert_ptr_null(get(root, "mpi"));
	ck_assert_uint_eq(json_object_array_length(get(root, "counters")), 0);
	json_object_put(root);
	scene_run_clear(&scene);
}
END_TEST

START_TEST(figures_of_the_json_are_those_of_the_model)
{
	struct scene_run scene;
	struct json_object *root = print_json(scene_run_of(&scene, "workers"), NULL);
	struct json_object *on = get(get(root, "concurrency"), "on_processor"),
			   *run = get(root, "run");

	ck_assert_str_eq(json_object_get_string(get(on, "grade")), "exact");
	ck_assert_double_eq_tol(json_object_get_double(get(on, "average")), 1.1, 1e-9);
	ck_assert_double_eq_tol(json_object_get_double(get(on, "amdahl_limit")), 1.25, 1e-9);
	ck_assert_double_eq_tol(json_object_get_double(get(run, "elapsed_seconds")), 2, 1e-9);
	/* 95 calls of 5 ns of 2.2 s, and events for a thread on two processors; what the start took
	 * is no part of that */
	ck_assert_double_eq_tol(json_object_get_double(get(run, "overhead_percent")),
				100 * (0.000000475 + 0.00001) / 2.2, 1e-9);
	json_object_put(root);
	scene_run_clear(&scene);
}
END_TEST

static struct json_object *routine_of(struct json_object *root, const char *name)
{
	struct json_object *rows = get(root, "routines");

	for (size_t i = 0; i < json_object_array_length(rows); i++) {
		struct json_object *row = json_object_array_get_idx(rows, i);

		if (!strcmp(json_object_get_string(get(row, "name")), name))
			return row;
	}
	ck_abort_msg("no routine %s", name);
}

static double seconds_of(struct json_object *row, const char *key)
{
	return json_object_get_double(get(row, key));
}

/* The worker computes for 1 s and waits for half a second in a routine of the C library. */
START_TEST(routines_have_their_waits_where_there_is_room)
{
	struct scene_run scene;
	struct report report = start_report(scene_run_of(&scene, "workers"), 0);
	struct json_object *root;

	report.width = 109;
	print_as_text(&report, "routines", 0);
	report.width = 110;
	print_as_text(&report, "routines", 0);
	end_report(&report);
	const char *column = strstr(text, "total   +waits  elapsed"),
		   *narrow = strstr(text, "total  elapsed");
	ck_assert(column && narrow && narrow < column);
	ck_assert_ptr_nonnull(strstr(column, "1.50 s"));
	free(text);
	root = print_json(scene.run, "routines");
	struct json_object *worker = routine_of(root, "worker");
	ck_assert_double_eq_tol(seconds_of(worker, "total_seconds"), 1, 1e-9);
	ck_assert_double_eq_tol(seconds_of(worker, "elapsed_total_seconds"), 1.5, 1e-9);
	ck_assert_double_eq_tol(seconds_of(worker, "elapsed_self_seconds"),
				seconds_of(worker, "self_seconds"), 1e-9);
	json_object_put(root);
	scene_run_clear(&scene);
}
END_TEST

START_TEST(the_summary_is_one_line)
{
	struct scene_run scene;
	struct report report = start_report(scene_run_of(&scene, "workers"), 10);

	report_print_summary(&report);
	end_report(&report);
	ck_assert_str_eq(text, "ptrace-run: efficiency 55 % of 2 processors, elapsed 2.00 s, "
			       "profile in run.ptrace.1\n");
	free(text);
	scene_run_clear(&scene);
}
END_TEST

START_TEST(killed_programs_show_what_they_waited_for)
{
	struct scene_run scene;

	print_text(scene_run_of(&scene, "killed"), "notes");
	ck_assert_ptr_nonnull(strstr(text, "process 1000 ended without a word"));
	ck_assert_ptr_nonnull(strstr(
		text,
		"thread 1001 was waiting for mutex created at worker (program.c:15) at worker"));
	free(text);
	scene_run_clear(&scene);
}
END_TEST

/* Rows of the section, whose line of column names is the promised one, whether there are any. */
static size_t count_rows(const struct run *run, const struct report_section *section)
{
	struct report report = start_report(run, 0);

	report_print_csv(&report, section->name);
	end_report(&report);
	size_t length = strcspn(text, "\n");
	char *head = report_section_head(section);
	size_t promised = strlen(head);
	/* a region inside of another one has more behind: its parent's routine, file and line; and
	 * so has a line, if events were counted */
	ck_assert_msg(!strncmp(text, head, promised) &&
			      (promised == length || !strncmp(text + promised, ",parent.", 8) ||
			       (counters_are_there(&run->counters) &&
				!strncmp(text + promised, ",events.", 8))),
		      "%s has %s", section->name, text);
	bool has_rows = text_bytes > length + 1;
	free(head);
	free(text);
	return has_rows;
}

static void count_all(const struct run *run, size_t *rows)
{
	for (size_t i = 0; i < report_section_count; i++)
		if (report_sections[i].print_text)
			rows[i] += count_rows(run, &report_sections[i]);
}

START_TEST(every_section_names_its_columns)
{
	static const char *const both_ends[] = {"io", "reader", NULL};
	void (*const tell[])(struct builder * builder) = {scene_tell_rank, scene_tell_team};
	size_t rows[64] = {0};

	ck_assert_uint_lt(report_section_count, sizeof rows / sizeof *rows);

	for (size_t scene_number = 0; scene_number < scene_count + 2; scene_number++) {
		struct scene_run scene;
		size_t told = scene_number - scene_count;
		const struct run *run = scene_number < scene_count
						? scene_run_of(&scene, scenes[scene_number].name)
						: scene_run_told(&scene, tell[told], false);

		count_all(run, rows);
		scene_run_clear(&scene);
	}
	struct scene_run pipe;

	scene_run_read(&pipe, both_ends);
	scene_run_model(&pipe, 0);
	count_all(pipe.run, rows);
	scene_run_clear(&pipe);
	for (size_t i = 0; i < report_section_count; i++)
		ck_assert_msg(!report_sections[i].print_text || rows[i], "no rows of %s",
			      report_sections[i].name);
}
END_TEST

UNIT_MAIN("report", a_large_report_fits_a_hundred_lines_and_columns, every_scene_can_be_reported,
	  sections_can_be_chosen, all_keys_of_the_contract_are_there,
	  figures_of_the_json_are_those_of_the_model, routines_have_their_waits_where_there_is_room,
	  the_summary_is_one_line, killed_programs_show_what_they_waited_for,
	  every_section_names_its_columns)

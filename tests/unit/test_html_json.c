/* SPDX-License-Identifier: MIT */
/* Tables of pages out of JSON, and whole pages of all scenes. */
#define _GNU_SOURCE 1
#include "analyze/html/html_report.h"
#include "analyze/html/html_sections.h"
#include "analyze/page/html_json.h"
#include "analyze/page/html_table.h"
#include "analyze/report/report_print.h"
#include "tests/unit/scene_run.h"
#include "tests/unit/unit.h"

#include <stdlib.h>
#include <string.h>

static char *made;
static size_t made_bytes;

static FILE *start(void)
{
	return open_memstream(&made, &made_bytes);
}

static void has(const char *part)
{
	ck_assert_msg(strstr(made, part), "no %s in %s", part, made);
}

static void lacks(const char *part)
{
	ck_assert_msg(!strstr(made, part), "%s in %s", part, made);
}

static void detail(struct html_table *table, struct json_object *row)
{
	struct json_object *more = html_json_at(row, "more");
	struct json_object *site = html_json_at(row, "site");

	if (more)
		html_table_add_detail(table, strdup(json_object_get_string(more)));
	if (site)
		html_json_continue_place(table, site);
}

static void make_table(const char *json, size_t top)
{
	static const struct html_field fields[] = {
		HTML_FIELD("routine", "at", PLACE),
		HTML_FIELD("times.cpu_seconds", "CPU", SECONDS, .grade = "grade", .has_bar = true),
		HTML_FIELD("failed", "failed", COUNT, .is_quiet = true),
		HTML_FIELD("share", "share", FRACTION, .hint = "hint"),
	};
	struct json_object *list = json_tokener_parse(json);
	FILE *out = start();

	html_json_table(out, "Rows", fields, 4, list, top, detail);
	fclose(out);
	json_object_put(list);
}

START_TEST(known_columns)
{
	make_table(
		"[{\"routine\": \"f<int>\", \"file\": \"/a/x.c\", \"line\": 3, \"times\": "
		"{\"cpu_seconds\": 0.5}, \"grade\": \"sampled\", \"failed\": 0, \"share\": 0.25, "
		"\"hint\": \"a<b\", \"more\": \"see <g>\"}, {\"routine\": \"g\", \"times\": "
		"{\"cpu_seconds\": 1.0}, \"failed\": 0, \"share\": null}]",
		0);
	has("<th scope=\"row\" class=\"s\">f&lt;int&gt; (x.c:3)</th>");
	has("<td class=\"n bar\" data-v=\"0.5\" style=\"--s:50%\">\xc2\xb1"
	    "500 ms</td>");
	has("data-v=\"1.0\" style=\"--s:100%\">1.00 s</td>");
	lacks("failed"); /* of none of them */
	has("<td class=\"n\" data-v=\"0.25\" title=\"a&lt;b\">25 %</td>");
	has("<td class=\"n\">?</td>"); /* unknown, and not 0 */
	has("<td colspan=\"3\">see &lt;g&gt;</td>");
	free(made);
}
END_TEST

/* A place whose source the page shows is a link; an anchor is a text as any other. */
START_TEST(places_lead_to_their_source)
{
	make_table(
		"[{\"routine\": \"f\", \"file\": \"/a/x.c\", \"line\": 3, \"times\": "
		"{\"cpu_seconds\": 0.5}, \"failed\": 0, \"share\": 0.25, \"anchor\": \"a\\\"<b\", "
		"\"more\": \"by: \", \"site\": {\"routine\": \"g\", \"file\": \"/a/y.c\", "
		"\"line\": 4, \"anchor\": \"source-1-4\"}}, {\"routine\": \"h\", \"more\": "
		"\"by: \", \"site\": {\"routine\": \"i\"}}]",
		0);
	has("<th scope=\"row\" class=\"s\"><a href=\"#a&quot;&lt;b\">f (x.c:3)</a></th>");
	has("\">by: <a href=\"#source-1-4\">g (y.c:4)</a></td></tr>");
	has("<th scope=\"row\" class=\"s\">h</th>");
	has("\">by: i</td></tr>");
	free(made);
}
END_TEST

/* A line that may not be the one that was compiled has a question mark; long ones are cut. */
START_TEST(source_lines_are_marked_and_cut)
{
	static const struct html_field fields[] = {HTML_FIELD("line", "line", LINE),
						   HTML_FIELD("text", "source", CODE)};
	char long_line[2 * HTML_CODE_COLUMNS + 1];
	struct json_object *list = json_tokener_parse(
		"[{\"line\": 1, \"is_fitting\": true, \"id\": \"source-0-1\", \"text\": \"\\tif (a<b)\"}, "
		"{\"line\": 2, \"is_fitting\": false, \"text\": \"x\"}, "
		"{\"line\": 3, \"is_fitting\": null}, {\"line\": null, \"is_fitting\": true}]");

	memset(long_line, 'y', sizeof long_line - 1);
	long_line[sizeof long_line - 1] = '\0';
	json_object_object_add(json_object_array_get_idx(list, 1), "text",
			       json_object_new_string(long_line));
	FILE *out = start();
	html_json_table(out, "Source", HTML_ALL(fields), list, 0, NULL);
	fclose(out);
	has("<tr id=\"source-0-1\"><th scope=\"row\" class=\"n\" data-v=\"1\">1</th>"
	    "<td class=\"w code\">    if (a&lt;b)</td></tr>");
	has("data-v=\"2\">2?</th>");
	has("data-v=\"3\">3?</th>");
	has(">?</th>");
	lacks(long_line);
	has("yyyyyyyy");
	json_object_put(list);
	free(made);
}
END_TEST

START_TEST(what_is_left_out_is_said)
{
	make_table("[{\"routine\": \"f\"}, {\"routine\": \"g\"}, {\"routine\": \"h\"}]", 1);
	has(">f</th>");
	lacks(">g</th>");
	has("and 2 more (--top 0 shows all)");
	free(made);
	make_table("[]", 1);
	has("Rows: none");
	free(made);
}
END_TEST

START_TEST(findings_say_where_and_how_much)
{
	struct json_object *list = json_tokener_parse(
		"[{\"title\": \"locks\", \"kind\": \"problem\", \"elapsed_percent\": 25.0, "
		"\"elapsed_seconds\": 0.5, \"evidence\": \"a < b\", \"advice\": \"split it\", "
		"\"where\": [{\"level\": \"object\", \"name\": \"<l>\", \"share_percent\": 90.0}], "
		"\"spread\": [{\"level\": \"thread\", \"among\": 8, \"share_percent\": 14.0}]}, "
		"{\"title\": \"weak\", \"kind\": \"caveat\", \"severity_percent\": 0.0, "
		"\"evidence\": \"e\", \"advice\": \"f\"}]");
	struct finding finding = {.kind = FINDING_PROBLEM};
	struct report report = {.findings = {&finding, 1}, .out = start()};

	html_findings(&report, list);
	fclose(report.out);
	lacks("nothing");
	has("<h3>locks (up to 500 ms elapsed)</h3>");
	has("a &lt; b");
	has("where: object &lt;l&gt; 90 %; of 8, no thread has more than 14 %</p>");
	has("<span class=\"severity\">note</span>");
	has("width=\"25%\"");
	free(made);
	json_object_put(list);
}
END_TEST

START_TEST(every_scene_is_a_page)
{
	for (size_t i = 0; i < scene_count; i++) {
		struct scene_run scene;
		const char *one[] = {scenes[i].name, NULL};
		struct report report = {.top = 5, .width = 100};

		scene_run_read(&scene, one);
		scene_run_model(&scene, RUN_PATHS);
		report.run = scene.run;
		report.findings = findings_of(scene.run);
		report.out = start();
		html_report_print(&report, NULL);
		findings_clear(&report.findings);
		fclose(report.out);
		has("<section id=\"overview\">");
		has("<section id=\"findings\">");
		lacks("nan");
		ck_assert_str_eq(made + made_bytes - 8, "</html>\n");
		free(made);
		scene_run_clear(&scene);
	}
}
END_TEST

/* A section that is asked for by its name is shown, and nothing else. */
START_TEST(sections_by_name)
{
	struct scene_run scene;
	struct report report = {.run = scene_run_of(&scene, scenes[0].name), .out = start()};

	html_report_print(&report, "peers,openmp,mpi,collectives,notes");
	fclose(report.out);
	has("<section id=\"peers\">");
	has("<section id=\"openmp\">");
	has("<section id=\"collectives\">");
	lacks("<section id=\"overview\">");
	free(made);
	scene_run_clear(&scene);
}
END_TEST

/* Whether something exists is decided once: text and page do not each decide for themselves. */
START_TEST(pages_and_text_say_the_same_is_missing)
{
	static const char *const sentences[] = {
		"no process has come to MPI_Init", "no OpenMP runtime was seen",
		"nothing: no cause of lost processor time is above its threshold",
		"too little was measured to tell"};

	for (size_t i = 0; i < scene_count; i++)
		for (size_t s = 0; s < sizeof sentences / sizeof *sentences; s++) {
			struct scene_run scene;
			struct report report = {.run = scene_run_of(&scene, scenes[i].name),
						.width = 1000,
						.out = start()};

			report.findings = findings_of(report.run);
			char *text = report_text(&report, "mpi,openmp,findings", 0);

			fputs(text, report.out);
			free(text);
			fclose(report.out);
			bool is_in_text = strstr(made, sentences[s]);

			free(made);
			report.out = start();
			html_report_print(&report, "mpi,openmp,findings");
			fclose(report.out);
			ck_assert_msg(is_in_text == (strstr(made, sentences[s]) != NULL), "%s: %s",
				      scenes[i].name, sentences[s]);
			findings_clear(&report.findings);
			free(made);
			scene_run_clear(&scene);
		}
}
END_TEST

/* Of a damaged merged run the JSON may lack what the run has, and the other way round. */
START_TEST(a_job_is_one_by_its_ranks)
{
	struct scene_run scene;
	struct report report = {.run = scene_run_of(&scene, "rank"), .out = start()};
	struct json_object *json = json_tokener_parse("{\"efficiency\": {\"parallel\": 0.5}}");

	html_mpi(&report, NULL);
	fclose(report.out);
	lacks("no process has come to MPI_Init");
	has("parallel");
	free(made);
	scene_run_clear(&scene);

	report = (struct report){.run = scene_run_of(&scene, "workers"), .out = start()};
	html_mpi(&report, json);
	fclose(report.out);
	has("no process has come to MPI_Init");
	lacks("parallel");
	free(made);
	scene_run_clear(&scene);
	json_object_put(json);
}
END_TEST

UNIT_MAIN("html_json", known_columns, places_lead_to_their_source, source_lines_are_marked_and_cut,
	  what_is_left_out_is_said, findings_say_where_and_how_much, every_scene_is_a_page,
	  sections_by_name, pages_and_text_say_the_same_is_missing, a_job_is_one_by_its_ranks)

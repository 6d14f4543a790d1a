/* SPDX-License-Identifier: MIT */
/* Extra-P's text input, read back by the grammar of its manual. */
#include "analyze/base/memory.h"
#include "analyze/export/export_extrap.h"
#include "analyze/scaling/scaling_compute.h"
#include "tests/unit/unit.h"

#include <stdlib.h>
#include <string.h>

static struct scaling_run run_of(double p, double elapsed_ns, double wait_ns)
{
	struct scaling_run run = {
		.directory = memory_copy_text("r"),
		.program = memory_copy_text("my  program"),
		.scale = {.p = p},
		.elapsed_ns = elapsed_ns,
		.is_complete = true,
	};
	size_t rows = wait_ns > 0 ? 3 : 2;

	run.costs.rows = memory_allocate(3, sizeof *run.costs.rows);
	run.costs.count = run.costs.capacity = rows;
	run.costs.rows[0] = (struct scaling_cost){COST_ROUTINE,
						  memory_copy_text("T::operator->()\tconst (lib)"),
						  memory_copy_text(""), 1e9, 0};
	if (wait_ns > 0)
		run.costs.rows[1] = (struct scaling_cost){COST_WAIT, memory_copy_text("mutex m"),
							  memory_copy_text(""), wait_ns, 0};
	run.costs.rows[rows - 1] =
		(struct scaling_cost){COST_REST, memory_copy_text(""), memory_copy_text(""),
				      p * elapsed_ns - 1e9 - wait_ns, 0};
	return run;
}

static char *print(void)
{
	struct scaling_run *runs = memory_allocate(4, sizeof *runs);
	char *text = NULL;
	size_t bytes;

	runs[0] = run_of(1, 1e9, 0);
	runs[1] = run_of(2, 6e8, 1.5e8);
	runs[2] = run_of(2, 7e8, 2.5e8);
	runs[3] = run_of(4, 3e8, 1e-1);
	struct scaling it = scaling_of(runs, 4, false);
	FILE *out = open_memstream(&text, &bytes);

	extrap_print(out, &it);
	fclose(out);
	scaling_clear(&it);
	return text;
}

START_TEST(points_and_values_are_those_of_the_runs)
{
	char *text = print();
	static const char wanted[] =
		"PARAMETER p\nPOINTS (1) (2) (4)\n\n"
		"METRIC elapsed\nREGION run->my  program\n"
		"DATA 1.000000000\nDATA 0.600000000 0.700000000\nDATA 0.300000000\n";

	ck_assert_msg(strstr(text, wanted), "%s", text);
	ck_assert_msg(strstr(text, "REGION run->wait->mutex m\nDATA 0.000000000\n"
				   "DATA 0.150000000 0.250000000\n"),
		      "%s", text);
	free(text);
}
END_TEST

/* NUMBER of the grammar: a sign, digits, a point and digits; no exponent. */
static void check_numbers(const char *words, unsigned least)
{
	unsigned count = 0;

	for (const char *at = words; *at; count++) {
		ck_assert_msg(*at == ' ', "%s", words);
		at++;
		at += *at == '-';
		ck_assert_msg(strspn(at, "0123456789") > 0, "%s", words);
		at += strspn(at, "0123456789");
		if (*at == '.')
			at += 1 + strspn(at + 1, "0123456789");
	}
	ck_assert_uint_ge(count, least);
}

static void check_region(const char *path)
{
	unsigned arrows = 0;

	for (const char *at = path; (at = strstr(at, "->")); at += 2) {
		ck_assert_msg(at > path && at[2] && at[2] != '-', "an empty name in %s", path);
		arrows++;
	}
	ck_assert_msg(arrows >= 1 && arrows <= 2, "%s", path);
	ck_assert_msg(!strpbrk(path, "\t\r"), "%s", path);
}

/* Comments, parameters, points, then metrics, each with regions, each with a DATA for each point. A
 * metric stands once: the reader would take the second for another. */
START_TEST(the_grammar_holds)
{
	char *text = print(), *rest = NULL;
	unsigned data = 3, metrics = 0;
	const char *keywords = "P";

	for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
		if (*line == '#')
			continue;
		if (!strncmp(line, "PARAMETER ", 10)) {
			ck_assert_str_eq(keywords, "P");
			keywords = "O";
		} else if (!strncmp(line, "POINTS ", 7)) {
			ck_assert_str_eq(keywords, "O");
			keywords = "M";
		} else if (!strncmp(line, "METRIC ", 7)) {
			ck_assert_str_eq(keywords, "M");
			ck_assert_uint_eq(data, 3);
			metrics++;
		} else if (!strncmp(line, "REGION ", 7)) {
			ck_assert_uint_eq(data, 3);
			ck_assert_uint_ge(metrics, 1);
			check_region(line + 7);
			data = 0;
		} else {
			ck_assert_msg(!strncmp(line, "DATA ", 5), "%s", line);
			check_numbers(line + 4, data == 1 ? 2 : 1);
			data++;
		}
	}
	ck_assert_uint_eq(data, 3);
	ck_assert_uint_eq(metrics, 2);
	free(text);
}
END_TEST

UNIT_MAIN("extrap", points_and_values_are_those_of_the_runs, the_grammar_holds)

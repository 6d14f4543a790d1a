/* SPDX-License-Identifier: MIT */
/* What pages are made of: texts that stay texts, tables, numbers of plots. */
#define _GNU_SOURCE 1
#include "analyze/base/memory.h"
#include "analyze/page/html_page.h"
#include "analyze/page/html_svg.h"
#include "analyze/page/html_table.h"
#include "tests/unit/unit.h"

#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static char *made;
static size_t made_bytes;

static FILE *start(void)
{
	return open_memstream(&made, &made_bytes);
}

static void check_made(FILE *out, const char *wanted)
{
	fclose(out);
	ck_assert_str_eq(made, wanted);
	free(made);
}

static void check_text(const char *text, const char *wanted)
{
	FILE *out = start();

	html_text(out, text);
	check_made(out, wanted);
}

START_TEST(names_never_become_markup)
{
	check_text("<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;");
	check_text("</style>\"'&amp;", "&lt;/style&gt;&quot;&#39;&amp;amp;");
	check_text("std::vector<int>::push_back", "std::vector&lt;int&gt;::push_back");
}
END_TEST

START_TEST(what_is_no_text_is_replaced)
{
	check_text("a\x01"
		   "b\x1b[31m\x7f",
		   "a\xef\xbf\xbd"
		   "b\xef\xbf\xbd[31m\xef\xbf\xbd");
	check_text("a\tb\nc", "a\tb\nc");
	check_text("\xff\xc3(\xed\xa0\x80",
		   "\xef\xbf\xbd\xef\xbf\xbd(\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
	check_text("caf\xc3\xa9 \xe2\x82\xac", "caf\xc3\xa9 \xe2\x82\xac");
	/* U+0085, U+202E: a name that reads backwards */
	check_text("\xc2\x85\xe2\x80\xae"
		   "c.exe",
		   "\xef\xbf\xbd\xef\xbf\xbd"
		   "c.exe");
}
END_TEST

START_TEST(attributes_cannot_be_left)
{
	FILE *out = start();

	html_attribute(out, "title", "x\" onclick=\"alert(1)");
	check_made(out, " title=\"x&quot; onclick=&quot;alert(1)\"");
	out = start();
	html_element(out, "p", "note", "1 < 2");
	check_made(out, "<p class=\"note\">1 &lt; 2</p>");
}
END_TEST

static void check_number(double number, const char *wanted)
{
	FILE *out = start();

	html_svg_number(out, number);
	check_made(out, wanted);
}

START_TEST(numbers_are_short)
{
	check_number(0, "0");
	check_number(12.5, "12.5");
	check_number(-0.25, "-0.25");
	check_number(100.0 / 3, "33.3333");
	check_number(0.00004, "0");
	check_number(0.0001, "0.0001");
	check_number(1.00996, "1.01");
	check_number(NAN, "0");
	check_number(-INFINITY, "0");
	check_number(1e300, "1000000000000");
}
END_TEST

START_TEST(numbers_do_not_depend_on_the_locale)
{
	static const char *const names[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE"};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (setlocale(LC_NUMERIC, names[i]))
			check_number(1.5, "1.5");
	setlocale(LC_NUMERIC, "C");
}
END_TEST

START_TEST(a_grid_has_round_distances)
{
	ck_assert_double_eq_tol(html_svg_grid(10, 5), 2, 1e-12);
	ck_assert_double_eq_tol(html_svg_grid(2, 4), 0.5, 1e-12);
	ck_assert_double_eq_tol(html_svg_grid(0.73, 5), 0.2, 1e-12);
	ck_assert_double_eq_tol(html_svg_grid(99, 10), 10, 1e-12);
	ck_assert_double_eq(html_svg_grid(0, 5), 1);
	ck_assert_double_eq(html_svg_grid(NAN, 5), 1);
	for (double most = 1e-9; most < 1e12; most *= 1.7) {
		double lines = most / html_svg_grid(most, 5);

		ck_assert(lines > 1.9 && lines < 5 + 1e-9);
	}
}
END_TEST

START_TEST(steps_leave_gaps_for_the_unknown)
{
	static const double values[] = {1, NAN, 2, 0};
	FILE *out = start();

	html_svg_steps(out, "user", (struct html_box){0, 0, 100, 10}, values, 4, 2, false);
	fclose(out);
	ck_assert_ptr_nonnull(strstr(made, " d=\"M0 5H1M2 0H3V10H4\""));
	ck_assert_ptr_nonnull(strstr(made, "viewBox=\"0 0 4 10\""));
	free(made);
	out = start();
	html_svg_steps(out, "user", (struct html_box){0, 0, 100, 10}, values, 2, 2, true);
	fclose(out);
	ck_assert_ptr_nonnull(strstr(made, " d=\"M0 10V5H1V10Z\""));
	free(made);
}
END_TEST

START_TEST(curves_go_through_their_points)
{
	static const double x[] = {1, 2, 3, 4}, y[] = {1, 2, NAN, 4};
	FILE *out = start();

	html_svg_curve(out, "user", (struct html_box){0, 0, 100, 40}, x, y, 4, 4, 4);
	fclose(out);
	ck_assert_ptr_nonnull(strstr(made, " d=\"M250 30L500 20M1000 0\""));
	free(made);
}
END_TEST

START_TEST(a_plot_says_what_it_is)
{
	FILE *out = start();

	html_svg_begin(out, "plot", "a < b", 20);
	html_svg_rect(out, "user", (struct html_box){12.5, 0, 50, 20}, "\"x\"");
	html_svg_end(out);
	check_made(out, "<svg role=\"img\" width=\"100%\" height=\"20\" class=\"plot\">\n"
			"<title>a &lt; b</title>\n"
			"<rect class=\"user\" x=\"12.5%\" y=\"0\" width=\"50%\" height=\"20\">"
			"<title>&quot;x&quot;</title></rect>\n</svg>\n");
}
END_TEST

static struct html_table *table_of(char *name, char *rank)
{
	static const struct html_column columns[] = {
		{"rank", HTML_RIGHT}, {"name", HTML_LEFT}, {"time", HTML_RIGHT}};
	struct html_table *table = html_table_create("Threads & more", columns, 3);

	html_table_add(table, rank);
	html_table_add(table, name);
	html_table_add(table, memory_copy_text("1.50 s"));
	return table;
}

START_TEST(a_table_has_a_caption_and_heads)
{
	FILE *out = start();

	html_table_print(table_of(memory_copy_text("<b>"), memory_copy_text("7")), out);
	fclose(out);
	ck_assert_ptr_nonnull(strstr(made, "<caption>Threads &amp; more</caption>"));
	ck_assert_ptr_nonnull(strstr(made, "<th scope=\"col\" class=\"n\">rank</th>"));
	ck_assert_ptr_nonnull(
		strstr(made, "<tr><th scope=\"row\" class=\"n\">7</th>"
			     "<td class=\"s\">&lt;b&gt;</td><td class=\"n\">1.50 s</td></tr>"));
	free(made);
}
END_TEST

/* The next column names the row. */
START_TEST(empty_columns_are_left_out)
{
	FILE *out = start();

	html_table_print(table_of(memory_copy_text("main"), memory_copy_text("")), out);
	fclose(out);
	ck_assert_ptr_null(strstr(made, "rank"));
	ck_assert_ptr_nonnull(strstr(made, "<tr><th scope=\"row\" class=\"s\">main</th>"));
	free(made);
}
END_TEST

START_TEST(cells_carry_values_bars_and_details)
{
	struct html_table *table = table_of(memory_copy_text("main"), memory_copy_text("0"));
	FILE *out = start();

	html_table_set_value(table, memory_copy_text("1.5"));
	html_table_set_title(table, memory_copy_text("a \"b\""));
	html_table_set_share(table, 1.2);
	html_table_set_class(table, "bad");
	html_table_add_detail(table, memory_copy_text("waits: <x>"));
	html_table_print(table, out);
	fclose(out);
	ck_assert_ptr_nonnull(strstr(made, "<td class=\"n bar bad\" data-v=\"1.5\" "
					   "title=\"a &quot;b&quot;\" style=\"--s:100%\">"));
	ck_assert_ptr_nonnull(
		strstr(made, "<tr class=\"detail\"><td colspan=\"3\">waits: &lt;x&gt;</td></tr>"));
	free(made);
}
END_TEST

/* Short texts stay whole, longer ones share the width that is left. */
START_TEST(long_texts_may_break)
{
	FILE *out = start();

	html_table_print(
		table_of(memory_copy_text("std::vector<int>::push_back"), memory_copy_text("7")),
		out);
	fclose(out);
	ck_assert_ptr_nonnull(
		strstr(made, "<td class=\"w\">std::vector&lt;int&gt;::push_back</td>"));
	free(made);
}
END_TEST

START_TEST(no_rows_are_said)
{
	static const struct html_column columns[] = {{"name", HTML_LEFT}};
	FILE *out = start();

	html_table_print(html_table_create("Peers", columns, 1), out);
	check_made(out, "<p class=\"none\">Peers: none</p>\n");
}
END_TEST

/* The page's own parts must not end early what they stand in. */
START_TEST(style_and_script_are_inside)
{
	struct html_link link = {"a", "A"};
	struct html_page page = {"</title>", "x", "p", &link, 1};
	FILE *out = start();

	ck_assert_ptr_null(strstr(html_page_css, "</"));
	ck_assert_ptr_null(strstr(html_page_js, "</"));
	ck_assert_ptr_null(strstr(html_flame_js, "</"));
	ck_assert_ptr_null(strstr(html_page_css, "url("));
	html_page_begin(out, &page);
	html_section_begin(out, &link, "what", "more");
	html_section_end(out);
	html_page_end(out, &page);
	fclose(out);
	ck_assert_ptr_eq(strstr(made, "<!DOCTYPE html>\n"), made);
	ck_assert_ptr_nonnull(strstr(made, "<title>&lt;/title&gt;</title>"));
	ck_assert_ptr_nonnull(strstr(made, "default-src 'none'"));
	ck_assert_ptr_nonnull(strstr(made, html_page_css));
	ck_assert_ptr_nonnull(strstr(made, html_flame_js));
	free(made);
}
END_TEST

UNIT_MAIN("html", names_never_become_markup, what_is_no_text_is_replaced, attributes_cannot_be_left,
	  numbers_are_short, numbers_do_not_depend_on_the_locale, a_grid_has_round_distances,
	  steps_leave_gaps_for_the_unknown, curves_go_through_their_points, a_plot_says_what_it_is,
	  a_table_has_a_caption_and_heads, empty_columns_are_left_out,
	  cells_carry_values_bars_and_details, long_texts_may_break, no_rows_are_said,
	  style_and_script_are_inside)

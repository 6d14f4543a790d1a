/* SPDX-License-Identifier: MIT */
#include "analyze/html/html_parts.h"

#include "analyze/base/memory.h"
#include "analyze/page/html_page.h"
#include "analyze/page/html_table.h"
#include "analyze/print/json.h"
#include "analyze/print/text_format.h"

#include <stdlib.h>

#define ROW_HEIGHT 20
#define BAR_HEIGHT 14
#define NAME_WIDTH 25 /* percent */
#define BARS_LEFT  26

bool html_facts(FILE *out, struct report_facts facts, const char *none)
{
	if (!facts.count && none) {
		html_element(out, "p", "none", none);
		return false;
	}
	fputs("<dl class=\"facts\">\n", out);
	for (size_t i = 0; i < facts.count; i++) {
		html_element(out, "dt", NULL, facts.rows[i].name);
		html_element(out, "dd", NULL, facts.rows[i].text);
		fputc('\n', out);
	}
	fputs("</dl>\n", out);
	report_facts_clear(&facts);
	return true;
}

void html_figures_begin(FILE *out)
{
	fputs("<div class=\"figures\">\n", out);
}

void html_figure(FILE *out, char *text, const char *what)
{
	fputs("<div>", out);
	html_element(out, "b", NULL, text);
	html_element(out, "span", NULL, what);
	fputs("</div>\n", out);
	free(text);
}

void html_figures_end(FILE *out)
{
	fputs("</div>\n", out);
}

void html_legend(FILE *out, const struct html_key *keys, size_t count)
{
	fputs("<ul class=\"legend\">\n", out);
	for (size_t i = 0; i < count; i++) {
		fputs("<li><svg role=\"img\" width=\"10\" height=\"10\">", out);
		html_element(out, "title", NULL, keys[i].text);
		fprintf(out, "<rect class=\"%s\" width=\"10\" height=\"10\"/></svg>",
			keys[i].class);
		html_text(out, keys[i].text);
		fputs("</li>\n", out);
	}
	fputs("</ul>\n", out);
}

void html_plot_begin(FILE *out, const char *caption)
{
	fputs("<figure>\n", out);
	if (caption)
		html_element(out, "figcaption", NULL, caption);
}

void html_plot_end(FILE *out)
{
	fputs("</figure>\n", out);
}

void html_behind(struct html_table *table, FILE *out)
{
	fputs("<details><summary>As a table</summary>\n", out);
	html_table_print(table, out);
	fputs("</details>\n", out);
}

/* ---- bars */

void html_bars_begin(struct html_bars *bars, FILE *out, const char *caption, const char *title,
		     size_t rows, double most)
{
	*bars = (struct html_bars){.out = out, .most = most};
	html_plot_begin(out, caption);
	html_svg_begin(out, "plot", title, (double)(rows * ROW_HEIGHT));
}

void html_bars_row(struct html_bars *bars, const char *name)
{
	double y = (double)(bars->row++ * ROW_HEIGHT);
	double top = y + (ROW_HEIGHT - BAR_HEIGHT) / 2.0;

	html_svg_label(bars->out, "name", (struct html_box){0, y, NAME_WIDTH, ROW_HEIGHT - 2},
		       name);
	html_svg_rect(bars->out, "track",
		      (struct html_box){BARS_LEFT, top, 100 - BARS_LEFT, BAR_HEIGHT}, NULL);
}

void html_bars_part(struct html_bars *bars, const char *class, double start, double length,
		    char *title)
{
	double scale = bars->most > 0 ? (100 - BARS_LEFT) / bars->most : 0;
	double top = (double)((bars->row - 1) * ROW_HEIGHT) + (ROW_HEIGHT - BAR_HEIGHT) / 2.0;

	if (length > 0)
		html_svg_rect(bars->out, class,
			      (struct html_box){BARS_LEFT + scale * start, top, scale * length,
						BAR_HEIGHT},
			      title);
	free(title);
}

void html_bars_end(struct html_bars *bars, const struct html_key *keys, size_t count)
{
	html_svg_end(bars->out);
	if (keys)
		html_legend(bars->out, keys, count);
	html_plot_end(bars->out);
}

void html_add_seconds(struct html_table *table, double ns, enum grade grade)
{
	struct json_object *value = json_seconds_of(ns);

	html_table_add(table, text_graded(text_seconds(ns), grade, true));
	if (value)
		html_table_set_value(table, memory_copy_text(json_object_get_string(value)));
	json_object_put(value);
}

bool html_add_seconds_if_any(struct html_table *table, uint64_t ns, enum grade grade)
{
	if (ns)
		html_add_seconds(table, (double)ns, grade);
	else
		html_table_add(table, memory_copy_text(""));
	return ns;
}

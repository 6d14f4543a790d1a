/* SPDX-License-Identifier: MIT */
#include "analyze/html/html_parts.h"

#include "analyze/base/memory.h"
#include "analyze/page/html_page.h"
#include "analyze/page/html_table.h"
#include "analyze/print/json.h"
#include "analyze/print/text_format.h"

#include <stdlib.h>
#include <string.h>

#define AXIS_LABELLED 0.97 /* of it: a label at the very end would be cut off */

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

struct report_facts html_facts_without(struct report_facts facts, const char *name)
{
	struct report_facts rest = {0};

	for (size_t i = 0; i < facts.count; i++)
		if (strcmp(facts.rows[i].name, name))
			rest.rows[rest.count++] = facts.rows[i];
		else
			free(facts.rows[i].text);
	return rest;
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

void html_time_axis(FILE *out, struct html_box box, double length_ns, unsigned ticks)
{
	double step = html_svg_grid(length_ns, ticks);
	double end = box.x + box.width;

	html_svg_line(out, "axis", box.x, box.y, end, box.y);
	for (double at = 0; at <= length_ns * AXIS_LABELLED; at += step) {
		double x = box.x + (length_ns > 0 ? box.width * at / length_ns : 0);
		char *label = text_seconds(at);

		html_svg_line(out, "axis", x, box.y, x, box.y + 4);
		html_svg_text(out, x > 0 ? "muted middle" : "muted", x,
			      box.y + HTML_AXIS_HEIGHT - 3, label);
		free(label);
	}
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

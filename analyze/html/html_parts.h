/* SPDX-License-Identifier: MIT */
/* What several sections of a page have in common. Context: pure but for `out`. */
#pragma once

#include "analyze/page/html_svg.h"
#include "analyze/report/report_facts.h"

/* A list of names and sentences. */
void html_facts(FILE *out, const struct report_facts *facts);

/* A few figures, large: begin, figures, end. The text is taken over. */
void html_figures_begin(FILE *out);
void html_figure(FILE *out, char *text, const char *what);
void html_figures_end(FILE *out);

/* What the colours of a plot mean: a class and a word. */
struct html_key {
	const char *class, *text;
};
void html_legend(FILE *out, const struct html_key *keys, size_t count);

/* Around a plot, and around the table that says the same. */
void html_plot_begin(FILE *out, const char *caption);
void html_plot_end(FILE *out);
void html_behind_begin(FILE *out);
void html_behind_end(FILE *out);

/* A bar chart: a line for each of `rows` things, a name at its left, stacked parts of `most`. */
struct html_bars {
	FILE *out;
	double most;
	size_t row;
};
void html_bars_begin(struct html_bars *bars, FILE *out, const char *title, size_t rows,
		     double most);
void html_bars_row(struct html_bars *bars, const char *name);
/* The next part of the row that was begun last, from `start` on; title is taken over. */
void html_bars_part(struct html_bars *bars, const char *class, double start, double length,
		    char *title);
void html_bars_end(struct html_bars *bars);

/* A cell with its value; NAN: "?". */
struct html_table;
void html_add_seconds(struct html_table *table, double ns, enum grade grade);

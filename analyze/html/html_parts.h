/* SPDX-License-Identifier: MIT */
/* What several sections of a page have in common. Context: pure but for `out`. */
#pragma once

#include "analyze/page/html_svg.h"
#include "analyze/report/report.h"

/* A list of names and sentences, which it releases. If there are none it prints `none`, and returns
 * false. */
bool html_facts(FILE *out, struct report_facts facts, const char *none);

/* The facts but for one, which the page has elsewhere; releases that one. */
struct report_facts html_facts_without(struct report_facts facts, const char *name);

/* A few figures in large type: begin, figures, end. Takes ownership of the text. */
void html_figures_begin(FILE *out);
void html_figure(FILE *out, char *text, const char *what);
void html_figures_end(FILE *out);

/* The legend of a plot: a class for each colour, and what it means. */
struct html_key {
	const char *class, *text;
};
void html_legend(FILE *out, const struct html_key *keys, size_t count);

/* Around a plot and the table with the same content, which html_behind prints and destroys. */
void html_plot_begin(FILE *out, const char *caption);
void html_plot_end(FILE *out);
struct html_table;
void html_behind(struct html_table *table, FILE *out);

/* A time axis at the upper edge of the box, whose height is not used: labels below it, about as
 * many as `ticks`, from 0 to length_ns. It needs HTML_AXIS_HEIGHT pixels. */
#define HTML_AXIS_HEIGHT 18
void html_time_axis(FILE *out, struct html_box box, double length_ns, unsigned ticks);

/* Adds a cell with its value; NAN: "?". */
void html_add_seconds(struct html_table *table, double ns, enum grade grade);
/* The same; without time an empty cell, and returns false. */
bool html_add_seconds_if_any(struct html_table *table, uint64_t ns, enum grade grade);

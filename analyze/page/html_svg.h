/* SPDX-License-Identifier: MIT */
/* Plots as SVG: their building blocks.
 *
 * A plot is as wide as the page: x and widths are in percent of it, y and heights in pixels, so
 * that it fits without a script and its letters are as large as the page's. Colours are classes of
 * page.css. Every plot has a title, and a table with the same content. Context: pure but for `out`;
 * numbers do not depend on the locale. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct html_box {
	double x, y, width, height;
};

/* role=img; the title is what a screen reader says. */
void html_svg_begin(FILE *out, const char *class, const char *title, double height);
void html_svg_end(FILE *out);
/* title: a tooltip; NULL: none. */
void html_svg_rect(FILE *out, const char *class, struct html_box box, const char *title);
/* The text is clipped to the box; it begins at the left edge, and its baseline is 4 pixels above
 * the lower one. */
void html_svg_label(FILE *out, const char *class, struct html_box box, const char *text);
void html_svg_text(FILE *out, const char *class, double x, double y, const char *text);
/* A dot, x in percent, y and radius in pixels; title as above. */
void html_svg_dot(FILE *out, const char *class, double x, double y, double radius,
		  const char *title);
void html_svg_line(FILE *out, const char *class, double x1, double y1, double x2, double y2);
/* values[0..count) from the left edge of the box to the right one, 0 at its bottom, `most` at its
 * top: as steps, since the value of a bin is its average. is_area: filled down to 0. NAN is a
 * gap. */
void html_svg_steps(FILE *out, const char *class, struct html_box box, const double *values,
		    size_t count, double most, bool is_area);
/* A line through points; x between 0 and x_most, y between 0 and y_most fill the box. NAN is a gap.
 */
void html_svg_curve(FILE *out, const char *class, struct html_box box, const double *x,
		    const double *y, size_t count, double x_most, double y_most);
/* At most 4 decimals and no trailing zeros; 0 for what is not finite. */
void html_svg_number(FILE *out, double number);

/* The distance between about `wanted` grid lines from 0 to `most`: 1, 2 or 5 times a power of ten;
 * 1 if `most` is not positive. */
double html_svg_grid(double most, unsigned wanted);

/* SPDX-License-Identifier: MIT */
/* Bar plots: a row for each of several things, a name at its left, and stacked parts. A row has one
 * lane, or several side by side with scales of their own. Context: pure but for `out`. */
#pragma once

#include "analyze/html/html_parts.h"

#define HTML_BARS_COLOURS 16

struct html_bars {
	FILE *out;
	double most;                          /* the full width of a lane */
	size_t row;                           /* the next one */
	double left, width;                   /* of the lane, in percent of the plot */
	const char *drawn[HTML_BARS_COLOURS]; /* classes of parts, for the legend */
	size_t drawn_count;
};

/* rows: that will follow; most: the full width of those of html_bars_row. */
void html_bars_begin(struct html_bars *bars, FILE *out, const char *caption, const char *title,
		     size_t rows, double most);
/* A row with one lane at the right of its name. */
void html_bars_row(struct html_bars *bars, const char *name);
/* A row with a name only, or without: its lanes follow. */
void html_bars_name(struct html_bars *bars, const char *name);
/* The next lane of the current row. most: what its full width stands for. */
void html_bars_lane(struct html_bars *bars, double left, double width, double most);
/* Words in place of the lane's parts. */
void html_bars_words(struct html_bars *bars, double left, double width, const char *words);
/* The next part of the current lane, from `start` on; takes ownership of title. What is shorter
 * than a thousandth of the lane is not drawn: nobody would see it, and its edges would cover what
 * is beside it. */
void html_bars_part(struct html_bars *bars, const char *class, double start, double length,
		    char *title);
/* A part of any length, in a colour that stands for nothing: only its place tells something. */
void html_bars_life(struct html_bars *bars, double start, double length, char *title);
/* A thin strip below the parts of the current lane, from its beginning: what overlaps them. */
void html_bars_strip(struct html_bars *bars, const char *class, double length, char *title);
/* Upper edge of the current row in pixels. */
double html_bars_y(const struct html_bars *bars);
/* The keys, NULL for none, are its legend: those that were drawn. */
void html_bars_end(struct html_bars *bars, const struct html_key *keys, size_t count);

/* SPDX-License-Identifier: MIT */
#include "analyze/html/html_bars.h"

#include "analyze/base/memory.h"

#include <stdlib.h>
#include <string.h>

#define ROW_HEIGHT   20
#define BAR_HEIGHT   14
#define STRIP_HEIGHT 4
#define NAME_WIDTH   25 /* percent */
#define BARS_LEFT    26
#define VISIBLE      0.001 /* of a lane */

void html_bars_begin(struct html_bars *bars, FILE *out, const char *caption, const char *title,
		     size_t rows, double most)
{
	*bars = (struct html_bars){.out = out, .most = most};
	html_plot_begin(out, caption);
	html_svg_begin(out, "plot", title, (double)(rows * ROW_HEIGHT));
}

double html_bars_y(const struct html_bars *bars)
{
	return (double)((bars->row - 1) * ROW_HEIGHT);
}

static double top_of(const struct html_bars *bars)
{
	return html_bars_y(bars) + (ROW_HEIGHT - BAR_HEIGHT) / 2.0;
}

void html_bars_name(struct html_bars *bars, const char *name)
{
	bars->row++;
	if (!*name)
		return;
	html_svg_label(bars->out, "name",
		       (struct html_box){0, html_bars_y(bars), NAME_WIDTH, ROW_HEIGHT - 2}, name);
}

void html_bars_lane(struct html_bars *bars, double left, double width, double most)
{
	bars->left = left;
	bars->width = width;
	bars->most = most;
	html_svg_rect(bars->out, "track", (struct html_box){left, top_of(bars), width, BAR_HEIGHT},
		      NULL);
}

void html_bars_words(struct html_bars *bars, double left, double width, const char *words)
{
	html_svg_label(bars->out, "muted",
		       (struct html_box){left, html_bars_y(bars), width, ROW_HEIGHT - 2}, words);
}

void html_bars_row(struct html_bars *bars, const char *name)
{
	html_bars_name(bars, name);
	html_bars_lane(bars, BARS_LEFT, 100 - BARS_LEFT, bars->most);
}

static bool is_drawn(const struct html_bars *bars, const char *class)
{
	for (size_t i = 0; i < bars->drawn_count; i++)
		if (!strcmp(bars->drawn[i], class))
			return true;
	return false;
}

static struct html_box scaled(const struct html_bars *bars, struct html_box box)
{
	double scale = bars->most > 0 ? bars->width / bars->most : 0;

	box.x = bars->left + scale * box.x;
	box.width *= scale;
	return box;
}

static void draw(struct html_bars *bars, const char *class, struct html_box box, char *title)
{
	box = scaled(bars, box);
	if (box.width >= VISIBLE * bars->width) {
		html_svg_rect(bars->out, class, box, title);
		if (!is_drawn(bars, class) && bars->drawn_count < HTML_BARS_COLOURS)
			bars->drawn[bars->drawn_count++] = class;
	}
	free(title);
}

void html_bars_part(struct html_bars *bars, const char *class, double start, double length,
		    char *title)
{
	draw(bars, class, (struct html_box){start, top_of(bars), length, BAR_HEIGHT}, title);
}

void html_bars_life(struct html_bars *bars, double start, double length, char *title)
{
	struct html_box box = {start, top_of(bars), length, BAR_HEIGHT};

	html_svg_rect(bars->out, "life", scaled(bars, box), title);
	free(title);
}

void html_bars_strip(struct html_bars *bars, const char *class, double length, char *title)
{
	double y = top_of(bars) + BAR_HEIGHT - 1;

	draw(bars, class, (struct html_box){0, y, length, STRIP_HEIGHT}, title);
}

void html_bars_end(struct html_bars *bars, const struct html_key *keys, size_t count)
{
	struct html_key *drawn = memory_allocate(count, sizeof *drawn);
	size_t drawn_count = 0;

	for (size_t i = 0; i < count; i++)
		if (is_drawn(bars, keys[i].class))
			drawn[drawn_count++] = keys[i];
	html_svg_end(bars->out);
	if (drawn_count)
		html_legend(bars->out, drawn, drawn_count);
	html_plot_end(bars->out);
	free(drawn);
}

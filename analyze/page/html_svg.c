/* SPDX-License-Identifier: MIT */
#include "analyze/page/html_svg.h"

#include "analyze/page/html_page.h"

#include <math.h>
#include <stdlib.h>

#define NUMBER_MAX  1e12 /* nothing on a page is that long */
#define FRACTION    10000
#define CURVE_UNITS 1000 /* across a curve's box: a tenth of one is less than a pixel */
#define LABEL_RISE  4    /* from the lower edge of a label's box to its baseline */

/* Without printf, whose decimal point depends on LC_NUMERIC. */
void html_svg_number(FILE *out, double number)
{
	if (!isfinite(number))
		number = 0;
	long long parts = llround(FRACTION * fmax(-NUMBER_MAX, fmin(NUMBER_MAX, number)));
	long long rest = llabs(parts) % FRACTION;
	int digits = 4;

	fprintf(out, "%s%lld", parts < 0 ? "-" : "", llabs(parts) / FRACTION);
	if (!rest)
		return;
	for (; rest % 10 == 0; rest /= 10)
		digits--;
	fprintf(out, ".%0*lld", digits, rest);
}

static void number_attribute(FILE *out, const char *name, double number, const char *unit)
{
	fprintf(out, " %s=\"", name);
	html_svg_number(out, number);
	fprintf(out, "%s\"", unit);
}

static void box_attributes(FILE *out, struct html_box box)
{
	number_attribute(out, "x", box.x, "%");
	number_attribute(out, "y", box.y, "");
	number_attribute(out, "width", box.width, "%");
	number_attribute(out, "height", box.height, "");
}

void html_svg_begin(FILE *out, const char *class, const char *title, double height)
{
	fputs("<svg role=\"img\" width=\"100%\"", out);
	number_attribute(out, "height", height, "");
	html_attribute(out, "class", class);
	fputs(">\n", out);
	html_element(out, "title", NULL, title);
	fputc('\n', out);
}

void html_svg_end(FILE *out)
{
	fputs("</svg>\n", out);
}

void html_svg_rect(FILE *out, const char *class, struct html_box box, const char *title)
{
	fputs("<rect", out);
	html_attribute(out, "class", class);
	box_attributes(out, box);
	if (!title) {
		fputs("/>\n", out);
		return;
	}
	fputc('>', out);
	html_element(out, "title", NULL, title);
	fputs("</rect>\n", out);
}

/* A nested svg clips what is larger. */
void html_svg_label(FILE *out, const char *class, struct html_box box, const char *text)
{
	fputs("<svg", out);
	box_attributes(out, box);
	fputs("><text", out);
	html_attribute(out, "class", class);
	number_attribute(out, "y", box.height - LABEL_RISE, "");
	fputc('>', out);
	html_text(out, text);
	fputs("</text></svg>\n", out);
}

void html_svg_text(FILE *out, const char *class, double x, double y, const char *text)
{
	fputs("<text", out);
	html_attribute(out, "class", class);
	number_attribute(out, "x", x, "%");
	number_attribute(out, "y", y, "");
	fputc('>', out);
	html_text(out, text);
	fputs("</text>\n", out);
}

void html_svg_line(FILE *out, const char *class, double x1, double y1, double x2, double y2)
{
	fputs("<line", out);
	html_attribute(out, "class", class);
	number_attribute(out, "x1", x1, "%");
	number_attribute(out, "y1", y1, "");
	number_attribute(out, "x2", x2, "%");
	number_attribute(out, "y2", y2, "");
	fputs("/>\n", out);
}

void html_svg_dot(FILE *out, const char *class, double x, double y, double radius,
		  const char *title)
{
	fputs("<circle", out);
	html_attribute(out, "class", class);
	number_attribute(out, "cx", x, "%");
	number_attribute(out, "cy", y, "");
	number_attribute(out, "r", radius, "");
	fputc('>', out);
	if (title)
		html_element(out, "title", NULL, title);
	fputs("</circle>\n", out);
}

/* ---- steps and curves */

/* To a tenth of a pixel: more is not visible, and a line has hundreds of points. */
static void point(FILE *out, char command, double number)
{
	fputc(command, out);
	html_svg_number(out, round(10 * number) / 10);
}

/* A run of known values, from value `first` up to the next unknown one, which is returned. */
static size_t print_run(FILE *out, const double *values, size_t first, size_t count, double scale,
			double height, bool is_area)
{
	size_t i = first;

	point(out, 'M', (double)first);
	point(out, ' ', is_area ? height : height - scale * values[first]);
	for (; i < count && isfinite(values[i]); i++) {
		if (is_area || i > first)
			point(out, 'V', height - scale * values[i]);
		point(out, 'H', (double)i + 1);
	}
	if (is_area) {
		point(out, 'V', height);
		fputc('Z', out);
	}
	return i;
}

/* A path cannot use percentages: it has a coordinate system of its own, stretched over the box. */
static void begin_path(FILE *out, const char *class, struct html_box box, double units)
{
	fputs("<svg preserveAspectRatio=\"none\"", out);
	box_attributes(out, box);
	fputs(" viewBox=\"0 0 ", out);
	html_svg_number(out, units);
	fputc(' ', out);
	html_svg_number(out, box.height);
	fputs("\"><path vector-effect=\"non-scaling-stroke\"", out);
	html_attribute(out, "class", class);
	fputs(" d=\"", out);
}

static void end_path(FILE *out)
{
	fputs("\"/></svg>\n", out);
}

void html_svg_steps(FILE *out, const char *class, struct html_box box, const double *values,
		    size_t count, double most, bool is_area)
{
	double scale = most > 0 ? box.height / most : 0;

	begin_path(out, class, box, count ? (double)count : 1);
	for (size_t i = 0; i < count;)
		i = isfinite(values[i])
			    ? print_run(out, values, i, count, scale, box.height, is_area)
			    : i + 1;
	end_path(out);
}

void html_svg_curve(FILE *out, const char *class, struct html_box box, const double *x,
		    const double *y, size_t count, double x_most, double y_most)
{
	bool is_open = false;

	begin_path(out, class, box, CURVE_UNITS);
	for (size_t i = 0; i < count; i++) {
		bool is_known = isfinite(x[i]) && isfinite(y[i]);

		if (is_known) {
			point(out, is_open ? 'L' : 'M',
			      x_most > 0 ? CURVE_UNITS * x[i] / x_most : 0);
			point(out, ' ', box.height - (y_most > 0 ? box.height * y[i] / y_most : 0));
		}
		is_open = is_known;
	}
	end_path(out);
}

double html_svg_grid(double most, unsigned wanted)
{
	if (!(most > 0) || !isfinite(most) || !wanted)
		return 1;
	double rough = most / wanted, power = pow(10, floor(log10(rough)));
	double digit = rough / power;

	return power * (digit <= 1 ? 1 : digit <= 2 ? 2 : digit <= 5 ? 5 : 10);
}

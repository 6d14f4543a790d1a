/* SPDX-License-Identifier: MIT */
#include "analyze/base/quantity.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct quantity unknown = {"?"};

/* "1.43", "14.3", "143". */
static int decimals_of(double value)
{
	return value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2;
}

static struct quantity three_digits(double value, const char *unit)
{
	struct quantity quantity;

	snprintf(quantity.text, sizeof quantity.text, "%.*f %s", decimals_of(value), value, unit);
	return quantity;
}

static struct quantity whole(double value, const char *unit)
{
	struct quantity quantity;

	snprintf(quantity.text, sizeof quantity.text, "%.0f%s", value, unit);
	return quantity;
}

struct quantity quantity_seconds(double ns)
{
	if (!isfinite(ns))
		return unknown;
	if (ns <= 0)
		return (struct quantity){"0 s"};
	if (ns < 999.5)
		return whole(ns, " ns");
	if (ns < 999.5e3)
		return three_digits(ns / 1e3, "us");
	if (ns < 999.5e6)
		return three_digits(ns / 1e6, "ms");
	if (ns < 999.5e9)
		return three_digits(ns / 1e9, "s");
	if (ns < 0.99917 * 3600e9) /* 59.95 min */
		return three_digits(ns / 60e9, "min");
	return three_digits(ns / 3600e9, "h");
}

struct quantity quantity_percent(double percent)
{
	struct quantity quantity;

	if (!isfinite(percent))
		return unknown;
	snprintf(quantity.text, sizeof quantity.text, "%.*f %%",
		 percent < 9.95 && percent > 0 ? 1 : 0, percent);
	return quantity;
}

struct quantity quantity_number(double number)
{
	struct quantity quantity;

	if (!isfinite(number))
		return unknown;
	snprintf(quantity.text, sizeof quantity.text, "%.*f", number < 99.95 ? 2 : 0, number);
	return quantity;
}

struct quantity quantity_count(double count)
{
	return isfinite(count) ? whole(count, "") : unknown;
}

struct quantity quantity_things(double count, const char *thing)
{
	struct quantity quantity = quantity_count(count);
	bool ends_in_s = *thing && thing[strlen(thing) - 1] == 's';
	size_t length = strlen(quantity.text);

	snprintf(quantity.text + length, sizeof quantity.text - length, " %s%s", thing,
		 !strcmp(quantity.text, "1") ? ""
		 : ends_in_s                 ? "es"
					     : "s");
	return quantity;
}

struct quantity quantity_plain(double number)
{
	struct quantity quantity;

	if (!isfinite(number))
		return unknown;
	snprintf(quantity.text, sizeof quantity.text, "%.6f", number);
	if (strchr(quantity.text, '.')) {
		char *end = quantity.text + strlen(quantity.text);

		while (end[-1] == '0')
			*--end = 0;
		if (end[-1] == '.')
			end[-1] = 0;
	}
	return quantity;
}

/* Two digits: of small factors those that matter first. */
struct quantity quantity_factor(double factor)
{
	struct quantity quantity;

	if (!isfinite(factor))
		return unknown;
	int decimals = factor >= 9.95    ? 0
		       : factor >= 0.995 ? 1
		       : factor > 0      ? (int)fmin(9, 1 - floor(log10(factor)))
					 : 0;

	snprintf(quantity.text, sizeof quantity.text, "x%.*f", decimals, factor);
	return quantity;
}

struct quantity quantity_size(uint64_t bytes)
{
	static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
	double size = (double)bytes;
	size_t unit = 0;

	for (; size >= 999.5 && unit + 1 < sizeof units / sizeof *units; unit++)
		size /= 1024;
	return unit ? three_digits(size, units[unit]) : whole(size, " B");
}

struct quantity quantity_amount(double amount, bool is_whole)
{
	static const char *const units[] = {"k", "M", "G", "T", "P", "E"};
	double size = fabs(amount);
	size_t unit = 0;
	struct quantity quantity;

	if (!isfinite(amount))
		return unknown;
	if (size < 99.95 && !is_whole) {
		snprintf(quantity.text, sizeof quantity.text, "%.*f",
			 size >= 0.995 || size == 0 ? decimals_of(size)
						    : (int)fmin(9, 2 - floor(log10(size))),
			 amount);
		return quantity;
	}
	if (size < 9999.5)
		return whole(amount, "");
	for (size /= 1000, amount /= 1000; size >= 999.5 && unit + 1 < sizeof units / sizeof *units;
	     unit++)
		size /= 1000, amount /= 1000;
	return size < 1e6 ? three_digits(amount, units[unit]) : unknown;
}

struct quantity quantity_rate(double per_second)
{
	if (!isfinite(per_second))
		return unknown;
	if (per_second < 999.5)
		return whole(per_second, "");
	if (per_second < 999.5e3)
		return three_digits(per_second / 1e3, "thousand");
	if (per_second < 999.5e6)
		return three_digits(per_second / 1e6, "million");
	return three_digits(per_second / 1e9, "billion");
}

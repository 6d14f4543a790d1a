/* SPDX-License-Identifier: MIT */
#include "analyze/diff/words.h"

#include "analyze/base/memory.h"
#include "analyze/base/number.h"
#include "analyze/base/quantity.h"
#include "analyze/diff/verdict.h"
#include "analyze/print/text_format.h"

#include <math.h>
#include <stdlib.h>

char *words_value(double value, enum figure_unit unit)
{
	if (!isfinite(value))
		return memory_copy_text("?");
	switch (unit) {
	case UNIT_NS:
		return text_seconds(value);
	case UNIT_COUNT:
		return text_count(number_of_real(value + 0.5));
	case UNIT_BYTES:
		return value >= 1 ? text_size(number_of_real(value)) : memory_copy_text("0 B");
	case UNIT_PERCENT:
		return text_percent(value);
	case UNIT_NUMBER:
		return text_number(value);
	}
	return memory_copy_text("?");
}

/* after: the value that A's figure would change to. */
static char *ratio_text(enum figure_unit unit, double before, double after)
{
	double percent = 100 * (after - before) / before;

	if (unit == UNIT_PERCENT)
		return memory_print("%+.1f pts", after - before);
	if (!(before > 0))
		return memory_copy_text("");
	if (after >= 2 * before)
		return memory_copy_text(quantity_factor(after / before).text);
	return memory_print("%+.*f %%", fabs(percent) < 9.95 ? 1 : 0, percent);
}

char *words_change(const struct change *change)
{
	double before = change->sides[0].median, after = change->sides[1].median;

	if (!isfinite(before) || !isfinite(after))
		return memory_copy_text("?");
	return ratio_text(change->figure->unit, before, after);
}

char *words_limit(const struct change *change)
{
	double before = change->sides[0].median, limit = change->limit;

	if (!isfinite(before) || !isfinite(limit) || !change->difference || !(before > 0))
		return memory_copy_text("");
	if (change->difference < 0 && limit > before)
		return memory_copy_text("> 100 %");
	return ratio_text(change->figure->unit, before,
			  before + (change->difference < 0 ? -limit : limit));
}

char *words_effect(const struct change *change)
{
	if (!isfinite(change->effect_ns))
		return memory_copy_text("");
	char *amount = text_seconds(fabs(change->effect_ns));
	char *text = memory_print("%s%s", change->effect_ns < 0 ? "-" : "+", amount);

	free(amount);
	return text;
}

char *words_verdict(const struct change *change)
{
	bool is_small = change_direction(change) && !change->counts && isfinite(change->effect_ns);

	return memory_print(is_small ? "(%s)" : "%s", verdict_text(change->verdict));
}

char *words_amount(const struct change *change)
{
	return words_value(fabs(change->difference), change->figure->unit);
}

const char *words_more(const struct change *change)
{
	return change->difference > 0 ? "more" : "less";
}

const char *words_name(const struct figure *figure)
{
	return figure->shown ? figure->shown : figure->key;
}

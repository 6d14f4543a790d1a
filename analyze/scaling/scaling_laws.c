/* SPDX-License-Identifier: MIT */
#include "analyze/scaling/scaling_laws.h"

#include "analyze/base/memory.h"
#include "analyze/base/quantity.h"
#include "analyze/print/text_format.h"
#include "analyze/scaling/scaling_words.h"

#include <math.h>
#include <stdlib.h>

static char *growth_text(const struct scaling *it)
{
	if (it->count < GROWTH_POINTS_MIN)
		return memory_print("T(p) unknown: %zu different p are too few", it->count);
	if (!it->growth.is_known)
		return memory_print("T(p) unknown: no form comes within %d %% of the %zu points",
				    GROWTH_ERROR_MAX, it->count);
	char *formula = growth_fit_text(&it->growth);
	char *quality = isfinite(it->growth.r_squared)
				? memory_print(", R2 %.3f", it->growth.r_squared)
				: memory_copy_text("");
	char *text =
		memory_print("T(p) = %s, within %s of the %zu points%s", formula,
			     quantity_percent(it->growth.error_percent).text, it->count, quality);

	free(formula);
	free(quality);
	return text;
}

static char *amdahl_text(const struct scaling *it)
{
	const struct scaling_amdahl *law = &it->amdahl;

	if (isnan(law->serial))
		return memory_copy_text("unknown");
	const char *any = isfinite(law->limit) ? NULL : "any";

	return memory_print("serial share %s of T(1) = %s: at most %s times faster; "
			    "T(p) = T(1) (s + (1 - s) / p) within %s",
			    quantity_percent(100 * law->serial).text,
			    quantity_seconds(law->single_ns).text,
			    any ? any : quantity_number(law->limit).text,
			    quantity_percent(law->error_percent).text);
}

static char *measured_text(const struct scaling *it, bool is_utf8)
{
	const struct scaling_run *last = scaling_median(it, it->count - 1);

	if (!isfinite(it->measured_serial))
		return memory_copy_text(
			"unknown: the profiles do not tell the time with one thread "
			"useful");
	char *p = scaling_p_text(it, it->points[it->count - 1].p);
	char *time =
		text_graded(text_seconds(last->sequential_ns), last->sequential_grade, is_utf8);
	char *share = text_percent(100 * it->measured_serial);
	char *text = memory_print("with %s, one was useful for %s: %s of T(1)", p, time, share);

	free(p);
	free(time);
	free(share);
	return text;
}

static char *counters_text(const struct scaling *it)
{
	if (isnan(it->instruction_scaling))
		return memory_copy_text(
			"instruction and IPC scaling unknown: the runs did not count "
			"them (ptrace-run -e instructions,cycles)");
	return memory_print("instruction scaling %s, IPC scaling %s",
			    quantity_percent(100 * it->instruction_scaling).text,
			    quantity_percent(100 * it->ipc_scaling).text);
}

size_t scaling_laws_of(const struct scaling *it, bool is_utf8,
		       struct scaling_law laws[SCALING_LAWS])
{
	size_t count = 0;

	laws[count++] = (struct scaling_law){"growth", growth_text(it)};
	if (!it->is_weak) {
		laws[count++] = (struct scaling_law){"Amdahl", amdahl_text(it)};
		laws[count++] = (struct scaling_law){"measured", measured_text(it, is_utf8)};
	}
	laws[count++] = (struct scaling_law){"counters", counters_text(it)};
	return count;
}

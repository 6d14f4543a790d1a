/* SPDX-License-Identifier: MIT */
/* Figures of named parts of the run, by the names of what is around them: how often, elapsed and
 * CPU time, and how long one took. */
#include "analyze/base/memory.h"
#include "analyze/diff/extract.h"
#include "analyze/diff/figures.h"

#include <math.h>
#include <stdlib.h>

static void add_count(const struct extract *extract, const char *key, double count)
{
	const struct figure figure =
		figure_exact(SECTION_SECTIONS, key, "times", UNIT_COUNT, SENSE_NEUTRAL, count);

	figures_add(extract->figures, &figure);
}

/* Of several processes the mean: they run beside each other. */
static void add_elapsed(const struct extract *extract, const char *key, const struct section *row)
{
	double value = (double)row->elapsed_ns;
	struct figure figure =
		figure_exact(SECTION_SECTIONS, key, "elapsed", UNIT_NS, SENSE_LESS, value);
	double run_ns = (double)extract->run->elapsed_ns;

	figure.grade = (enum grade)row->grade;
	figure.effect_ns = row->spread.mean_ns;
	figure.disturbance = run_ns > 0 ? value * fmin(extract->load.elapsed_ns / run_ns, 1) : 0;
	figures_add(extract->figures, &figure);
}

static void add_cpu(const struct extract *extract, const char *key, const struct section *row)
{
	struct figure figure =
		figure_exact(SECTION_SECTIONS, key, "CPU", UNIT_NS, SENSE_LESS, row->active_ns);

	figure.grade = (enum grade)row->grade;
	figure.effect_ns = row->active_ns / extract->busy;
	figure.disturbance = row->active_ns * extract->load.share;
	figure.is_cpu = true;
	figures_add(extract->figures, &figure);
}

/* It lies anywhere between its bounds: an error of a quarter of their distance, which counts three
 * times, covers that. */
static void add_share(const struct extract *extract, const char *key, const struct section *row,
		      const char *metric, double percent)
{
	struct histogram_percentile at = section_percentile(row, percent);
	struct figure figure =
		figure_exact(SECTION_SECTIONS, key, metric, UNIT_NS, SENSE_LESS, at.value);

	figure.error = (at.high - at.low) / 4;
	figure.grade = at.low == at.high ? GRADE_EXACT : GRADE_ESTIMATED;
	figures_add(extract->figures, &figure);
}

static void add_row(const struct extract *extract, const char *key, const struct section *row)
{
	bool is_known = row->grade != GRADE_UNKNOWN;

	if (!section_is_rest(row))
		add_count(extract, key, (double)row->count);
	if (is_known)
		add_elapsed(extract, key, row);
	if (is_known)
		add_cpu(extract, key, row);
	if (!row->intervals)
		return;
	add_share(extract, key, row, "half", 50);
	add_share(extract, key, row, "99 %", 99);
}

void extract_sections(const struct extract *extract)
{
	const struct sections *sections = &extract->run->sections;

	for (size_t i = 0; i < sections->count; i++) {
		const struct section *row = &sections->rows[i];
		char *key =
			section_is_rest(row)
				? memory_copy_text("outside")
				: memory_print("%s%s", row->kind == SECTION_PHASE ? "phase " : "",
					       row->path);

		add_row(extract, key, row);
		free(key);
	}
}

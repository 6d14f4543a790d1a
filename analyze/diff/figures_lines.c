/* SPDX-License-Identifier: MIT */
/* Figures of source lines, those with a noticeable part of the elapsed time. A line is identified
 * by routine, file name and number: if lines were inserted above it, it is another one. */
#include "analyze/diff/extract.h"
#include "analyze/model/lines/source_lines.h"

#include <math.h>
#include <stdlib.h>

/* Below this share of the run's time a line is no figure of its own. */
#define LINE_SHARE_MIN 0.001

static void add_cpu(const struct extract *extract, const struct figure *like,
		    const struct source_line *line)
{
	struct figure figure = *like;

	if (!line->cpu || !line->cpu->samples)
		return;
	figure.metric = "self";
	figure.grade = GRADE_SAMPLED;
	figure.value = (double)line->cpu->self_ns;
	figure.error = figure.value / sqrt((double)line->cpu->samples);
	figure.effect_ns = figure.value / extract->busy;
	figure.disturbance = figure.value * extract->load.share;
	figure.is_cpu = true;
	figures_add(extract->figures, &figure);
}

static void add_time(const struct extract *extract, const struct figure *like, const char *metric,
		     double ns)
{
	struct figure figure = *like;

	if (!(ns > 0))
		return;
	figure.metric = metric;
	figure.value = ns;
	figure.effect_ns = ns / extract->threads;
	figures_add(extract->figures, &figure);
}

void extract_lines(const struct extract *extract)
{
	const struct run *run = extract->run;
	struct source_lines lines = source_lines_of(run);
	double least = LINE_SHARE_MIN * (double)run->elapsed_ns;

	for (size_t i = 0; i < lines.count; i++) {
		const struct source_line *line = &lines.rows[i];

		if (!line->line ||
		    (source_line_spent_ns(line) < least && (double)line->blame_ns < least))
			continue;
		char *key = names_place_text(run->names, line->routine, (unsigned)line->line);
		const struct figure like = {
			.section = SECTION_LINES,
			.key = key,
			.unit = UNIT_NS,
			.sense = SENSE_LESS,
			.is_further = true,
		};

		add_cpu(extract, &like, line);
		add_time(extract, &like, "waits", source_line_waited_ns(line));
		add_time(extract, &like, "MPI", (double)line->mpi_ns);
		add_time(extract, &like, "blame", (double)line->blame_ns);
		free(key);
	}
	source_lines_clear(&lines);
}

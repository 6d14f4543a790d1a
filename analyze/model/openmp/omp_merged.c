/* SPDX-License-Identifier: MIT */
#include "analyze/model/openmp/omp_merged.h"

#include "analyze/model/openmp/omp_accumulator_parts.h"

/* ---- the whole */

static void write_totals(const struct omp_accumulator *accumulator, struct merged_writer *writer)
{
	if (accumulator->totals.processes)
		merged_writer_add(writer, MERGED_omp_run, &accumulator->totals);
}

static void read_totals(struct omp_accumulator *accumulator, const struct merged_input *input)
{
	struct omp_totals totals;

	for (size_t next = 0; merged_next(input, MERGED_omp_run, &next, &totals);)
		omp_totals_unite(&accumulator->totals, &totals);
}

/* ---- regions: numbers in the file are ids here, less 1 */

static void write_regions(const struct omp_regions_accumulator *accumulator,
			  struct merged_writer *writer)
{
	for (size_t id = 1; id < omp_regions_count(accumulator); id++)
		merged_writer_add(writer, MERGED_omp_regions, omp_regions_region(accumulator, id));
}

static void read_regions(struct omp_regions_accumulator *accumulator, struct merged_input *input)
{
	struct omp_region row = {.id = 0};

	for (size_t next = 0; merged_next(input, MERGED_omp_regions, &next, &row);)
		if (row.kind)
			merged_number(input, MERGED_omp_regions, next,
				      omp_regions_unite(accumulator, &row) - 1);
}

/* ---- members */

/* Their regions are rows of the file. */
static void write_members(const struct omp_regions_accumulator *accumulator,
			  struct merged_writer *writer)
{
	size_t count;
	const struct omp_member *members = omp_regions_members(accumulator, &count);

	for (size_t i = 0; i < count; i++) {
		struct omp_member member = members[i];

		member.region--;
		merged_writer_add(writer, MERGED_omp_members, &member);
	}
}

static void read_members(struct omp_regions_accumulator *accumulator,
			 const struct merged_input *input)
{
	struct omp_member member;

	for (size_t next = 0; merged_next(input, MERGED_omp_members, &next, &member);) {
		member.region++;
		omp_regions_keep_member(accumulator, &member);
	}
}

/* ---- constructs and tasks */

static void write_constructs(const struct omp_regions_accumulator *accumulator,
			     struct merged_writer *writer)
{
	size_t count;
	const struct omp_construct_row *rows = omp_regions_constructs(accumulator, &count);

	for (size_t i = 0; i < count; i++)
		merged_writer_add(writer, MERGED_omp_constructs, &rows[i]);
}

static void write_tasks(const struct omp_regions_accumulator *accumulator,
			struct merged_writer *writer)
{
	size_t count;
	const struct omp_task_row *rows = omp_regions_tasks(accumulator, &count);

	for (size_t i = 0; i < count; i++)
		merged_writer_add(writer, MERGED_omp_tasks, &rows[i]);
}

static void read_constructs(struct omp_regions_accumulator *accumulator,
			    const struct merged_input *input)
{
	struct omp_construct_row row = {.ns = 0};

	for (size_t next = 0; merged_next(input, MERGED_omp_constructs, &next, &row);)
		omp_regions_unite_construct(accumulator, &row);
}

static void read_tasks(struct omp_regions_accumulator *accumulator,
		       const struct merged_input *input)
{
	struct omp_task_row row;

	for (size_t next = 0; merged_next(input, MERGED_omp_tasks, &next, &row);)
		omp_regions_unite_task(accumulator, &row);
}

/* ---- all of it */

void omp_accumulator_write(const struct omp_accumulator *accumulator, struct merged_writer *writer)
{
	write_totals(accumulator, writer);
	write_regions(accumulator->regions, writer);
	write_members(accumulator->regions, writer);
	write_constructs(accumulator->regions, writer);
	write_tasks(accumulator->regions, writer);
}

void omp_accumulator_read(struct omp_accumulator *accumulator, struct merged_input *input)
{
	read_totals(accumulator, input);
	read_regions(accumulator->regions, input);
	read_members(accumulator->regions, input);
	read_constructs(accumulator->regions, input);
	read_tasks(accumulator->regions, input);
}

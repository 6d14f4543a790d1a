/* SPDX-License-Identifier: MIT */
/* CPU time by source line: the lines of each routine, with figures as in routine_time.h.
 *
 *   self     CPU time of samples in the line's own code; code that was inlined there counts at its
 *            own lines, in its own routine
 *   total    CPU time of samples in whose call path the line occurs: with what it called
 *
 * The table is filled where routines are charged, sample by sample, so that the self times of the
 * lines of a routine add up to the self time of the routine, exactly, and so do elapsed and alone.
 * Code without a known line is line 0 of its routine. Context: pure but for names. */
#pragma once

#include "analyze/model/common/names.h"
#include "analyze/model/concurrency/sample_share.h"
#include "analyze/model/time/spread_values.h"

struct merged_writer;
struct merged_input;

struct line_time {
	size_t routine;
	unsigned line;  /* 0: unknown */
	unsigned begin; /* line in which the routine is declared; 0: unknown */
	uint64_t samples, self_ns, total_ns;
	uint64_t elapsed_ns, alone_ns; /* of the self time */
	bool is_share_known;
	struct spread spread; /* of the self time; of the total time without any (is_by_total) */
	bool is_by_total;
	struct spread_value *values; /* the times behind the spread, the largest first */
	size_t value_count;          /* fewer than spread.count: only the largest are known */
};

struct line_times {
	struct line_time *rows; /* the most self time first */
	size_t count;
};

struct line_table;

struct line_table *line_table_create(void);
/* A sample of the line's own code. */
void line_table_add_self(struct line_table *table, const struct frame *frame,
			 const struct profile_sample *sample, const struct sample_share *share);
/* A share of elapsed time that belongs to no single sample of it. */
void line_table_add_share(struct line_table *table, const struct frame *frame,
			  const struct sample_share *share);
/* A sample with that line in its call path. serial: its number, not 0. */
void line_table_add_total(struct line_table *table, const struct frame *frame,
			  const struct profile_sample *sample, size_t serial);
/* Ends a thread or a process (enum of spread.h). */
void line_table_close_unit(struct line_table *table, size_t way, const struct spread_unit *unit);
/* Merged runs (tables/merged.h). */
void line_table_write(const struct line_table *table, struct merged_writer *writer);
void line_table_read(struct line_table *table, const struct merged_input *input);
/* Releases the table. way: what spreads are over. */
struct line_times line_table_finish(struct line_table *table, const struct names *names,
				    size_t way);
void line_times_clear(struct line_times *times);

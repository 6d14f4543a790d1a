/* SPDX-License-Identifier: MIT */
/* Distributions in merged runs: several tables have the columns SPREAD of merged.def. */
#pragma once

#include "analyze/model/common/names.h"
#include "analyze/model/time/spread.h"
#include "analyze/tables/merged.h"

/* Initializers of those columns. */
#define SPREAD_TO_MERGED(from, way, total)                                                         \
	.is_total = (total), .by_process = (way) == BY_PROCESS, .count = (from)->spread.count,     \
	.mean_ns = (from)->spread.mean_ns, .min_ns = (from)->spread.min_ns,                        \
	.max_ns = (from)->spread.max_ns, .sum_squares = (from)->sum_squares,                       \
	.max_process = (from)->spread.max_at.process, .max_tid = (from)->spread.max_at.tid,        \
	.max_name = (from)->spread.max_at.name, .min_process = (from)->spread.min_at.process,      \
	.min_tid = (from)->spread.min_at.tid, .min_name = (from)->spread.min_at.name

/* False: the row is of no process. */
static inline bool spread_unit_of_merged(struct spread_unit *unit, const struct merged_input *input,
					 struct names *names, uint64_t process, uint64_t tid,
					 const char *name)
{
	if (process >= input->process_count)
		return false;
	*unit = (struct spread_unit){
		.process = input->process_of[process],
		.tid = tid,
		.name = name ? names_keep(names, name) : NULL,
	};
	return true;
}

#define SPREAD_FROM_MERGED(to, row, input, names)                                                  \
	(*(to) = (struct distribution){.sum_squares = (row)->sum_squares,                          \
				       .spread = {.count = (row)->count,                           \
						  .min_ns = (row)->min_ns,                         \
						  .mean_ns = (row)->mean_ns,                       \
						  .max_ns = (row)->max_ns}},                       \
	 spread_unit_of_merged(&(to)->spread.max_at, input, names, (row)->max_process,             \
			       (row)->max_tid, (row)->by_process ? NULL : (row)->max_name) &&      \
		 spread_unit_of_merged(&(to)->spread.min_at, input, names, (row)->min_process,     \
				       (row)->min_tid,                                             \
				       (row)->by_process ? NULL : (row)->min_name))

/* SPDX-License-Identifier: MIT */
/* Distributions in merged runs: several tables have the columns SPREAD of merged.def. */
#pragma once

#include "analyze/model/common/names.h"
#include "analyze/model/time/spread.h"
#include "analyze/tables/merged_input.h"

/* Of a row that has these columns. */
#define SHARE_OF_MERGED(row)                                                                       \
	(struct sample_share)                                                                      \
	{                                                                                          \
		(row)->elapsed_ns, (row)->alone_ns, (row)->active_ns                               \
	}

/* Initializers of those columns. */
#define SPREAD_TO_MERGED(from, way, total)                                                         \
	.is_total = (total), .by_process = (way) == BY_PROCESS, .count = (from)->spread.count,     \
	.mean_ns = (from)->spread.mean_ns, .min_ns = (from)->spread.min_ns,                        \
	.max_ns = (from)->spread.max_ns, .sum_squares = (from)->sum_squares,                       \
	.max_process = (from)->spread.max_at.process, .max_tid = (from)->spread.max_at.tid,        \
	.max_name = (from)->spread.max_at.name, .min_process = (from)->spread.min_at.process,      \
	.min_tid = (from)->spread.min_at.tid, .min_name = (from)->spread.min_at.name

#define UNIT_FROM_MERGED(row, of)                                                                  \
	{                                                                                          \
		(row)->of##_process, (row)->of##_tid, (row)->by_process ? NULL : (row)->of##_name  \
	}

/* Adds a row of merged_next to that of the two ways that it is of. */
#define SPREAD_UNITE_MERGED(by, row)                                                               \
	distribution_unite(                                                                        \
		&(by)[(row)->by_process ? BY_PROCESS : BY_THREAD],                                 \
		&(struct distribution){.sum_squares = (row)->sum_squares,                          \
				       .spread = {.count = (row)->count,                           \
						  .min_ns = (row)->min_ns,                         \
						  .mean_ns = (row)->mean_ns,                       \
						  .max_ns = (row)->max_ns,                         \
						  .max_at = UNIT_FROM_MERGED(row, max),            \
						  .min_at = UNIT_FROM_MERGED(row, min)}})

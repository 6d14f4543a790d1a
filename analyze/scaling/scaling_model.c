/* SPDX-License-Identifier: MIT */
#include "analyze/scaling/scaling_model.h"

#include <stdlib.h>

const struct scaling_run *scaling_median(const struct scaling *scaling, size_t point)
{
	return &scaling->runs[scaling->points[point].median];
}

void scaling_clear(struct scaling *it)
{
	for (size_t i = 0; i < it->run_count; i++)
		scaling_run_clear(&it->runs[i]);
	for (size_t i = 0; i < it->cause_count; i++) {
		free(it->causes[i].time_ns);
		free(it->causes[i].lost_ns);
	}
	free(it->runs);
	free(it->points);
	free(it->causes);
	text_list_clear(&it->notes);
}

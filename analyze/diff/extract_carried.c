/* SPDX-License-Identifier: MIT */
#include "analyze/base/memory.h"
#include "analyze/diff/extract.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SECONDS "_seconds"

/* "flight" of "flight_seconds", "bytes sent" of "bytes_sent". */
static char *metric_of(const struct carried_sum *sum)
{
	char *metric = memory_copy_text(sum->shown);
	size_t length = strlen(metric), cut = sizeof SECONDS - 1;

	if (length > cut && !strcmp(metric + length - cut, SECONDS))
		metric[length - cut] = '\0';
	for (char *at = metric; *at; at++)
		if (*at == '_')
			*at = ' ';
	return metric;
}

void extract_carried(const struct extract *extract, const struct figure *like,
		     const struct carried *carried, const void *row)
{
	for (size_t i = 0; i < carried->count; i++) {
		struct figure figure = *like;
		char *metric = metric_of(&carried->rows[i]);

		figure.key = like->key ? like->key : metric;
		figure.metric = like->key ? metric : "sum";
		figure.unit = figures_unit(carried->rows[i].unit);
		figure.is_further |= figure.unit != UNIT_BYTES;
		figure.value = row ? carried_real(&carried->rows[i], row) : NAN;
		figure.effect_ns = NAN;
		if (!(figure.value <= 0))
			figures_add(extract->figures, &figure);
		free(metric);
	}
}

/* SPDX-License-Identifier: MIT */
#include "analyze/diff/change.h"

#include <stdlib.h>
#include <string.h>

const struct change *changes_find(const struct changes *changes, enum figure_section section,
				  const char *key, const char *metric)
{
	for (size_t i = 0; i < changes->count; i++) {
		const struct figure *figure = changes->rows[i].figure;

		if (figure->section == section && !strcmp(figure->key, key) &&
		    !strcmp(figure->metric, metric))
			return &changes->rows[i];
	}
	return NULL;
}

void changes_clear(struct changes *changes)
{
	for (size_t i = 0; i < changes->count; i++)
		for (size_t side = 0; side < 2; side++)
			free(changes->rows[i].sides[side].values);
	free(changes->rows);
}

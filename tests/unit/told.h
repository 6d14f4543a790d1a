/* SPDX-License-Identifier: MIT */
/* The findings of the run that was examined last. */
#pragma once

#include "analyze/findings/rules/findings.h"

#include <string.h>

static struct findings told;

static inline void told_of(const struct run *run)
{
	findings_clear(&told);
	told = findings_of(run);
}

/* Of what was told. */
static inline const struct finding *told_finding(const char *id)
{
	for (size_t i = 0; i < told.count; i++)
		if (!strcmp(told.rows[i].id, id))
			return &told.rows[i];
	return NULL;
}

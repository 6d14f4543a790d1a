/* SPDX-License-Identifier: MIT */
/* Lines of memory that go from core to core: reads of a routine that found their line in another
 * core's cache, modified there, alone and in company.
 *
 * What a routine reads while no other thread of its process runs was modified before, and is handed
 * over once; what threads write while others read it comes again and again. Whether they share the
 * data or only the line (false sharing) nothing that is counted can tell. Context: pure. */
#pragma once

#include "analyze/model/counters/counters.h"

struct counter_sharing {
	double reads;      /* of modified lines, in company; NAN: not counted */
	double rate;       /* per 1000 instructions, in company; NAN: not counted */
	double rate_alone; /* the same alone; NAN: no instruction was counted there */
	uint64_t samples;  /* that counted instructions in company */
	uint64_t samples_alone;
	double company_ns; /* CPU time in company, sampled */
};

struct counter_sharing counters_sharing(const struct counters *counters,
					const struct counter_place *place);
/* Reads of modified lines at a routine or one of its lines, from the own socket, and from others
 * where these were counted; NAN: not counted. */
double counters_modified(const struct counters *counters, const struct counter_place *place,
			 enum counter_part part);

/* SPDX-License-Identifier: MIT */
/* The price of sharing: what a routine takes longer because other threads run at the same time, by
 * its instructions per cycle alone and in company.
 *
 *     price = CPU time in company x (1 - IPC in company / IPC alone)
 *
 * The instructions that it executed in company would have taken so much less at the rate that it
 * has alone, and at the same frequency. Threads that share caches, the memory's bandwidth or a
 * core's units cost each other so much; so does work that is of another kind when others run, which
 * this cannot tell apart. Context: pure. */
#pragma once

#include "analyze/model/counters/counters.h"

struct counter_price {
	double ipc_alone, ipc_company; /* NAN: cycles or instructions were not counted there */
	uint64_t samples;              /* the fewer of those alone and in company */
	double company_ns;             /* CPU time in company, sampled */
	double ns;                     /* 0 where it is faster in company; NAN: unknown */
	double error_ns;               /* one standard deviation of it, by the numbers of samples */
};

struct counter_price counters_price(const struct counters *counters,
				    const struct counter_place *place);

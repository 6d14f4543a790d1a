/* SPDX-License-Identifier: MIT */
/* How a program behaves as it gets more threads or ranks: the arithmetic of ptrace-diff --scaling,
 * on runs that were read.
 *
 * p0 is the smallest scale. Of several runs with the same p the one with the median time represents
 * all (of two, the shorter), with all its figures, so that these add up. w = 1 if the work is the
 * same (strong scaling), p / p0 if it grows with p (weak).
 *
 *   speedup     = w T(p0) / T(p)                      weak: Gustafson's scaled speedup
 *   efficiency  = speedup / (p / p0)
 *   serial      Karp and Flatt's metric (CACM 33:5, 1990) with P = p / p0 and S the speedup:
 *               (1/S - 1/P) / (1 - 1/P);  weak: (P - S) / (P - 1), Gustafson (CACM 31:5, 1988)
 *   computation = w useful(p0) / useful(p)            POP's computation scaling
 *   lost        = p T(p) - w p0 T(p0)                 processor time
 *   lost by a cause = its cost at p - w its cost at p0; these sum to lost
 *   requests    where all runs answered at least 100, their work is what they answered: all times
 *               of a run are those of as many requests as the first run at p0 answered, in
 *               proportion. A load test lasts as long as it is told to. The same with the units of
 *               work that the user names, however few
 *   Amdahl      T(p) = T1 (s + (1 - s) / p), least squares of relative errors over all p
 *
 * Context: pure. Times in nanoseconds; unknown figures are NAN. */
#pragma once

#include "analyze/base/text_list.h"
#include "analyze/scaling/growth_fit.h"
#include "analyze/scaling/scaling_run.h"

#define SCALING_GOOD 0.80 /* efficiency; POP advises to look into what is below */
/* A doubling that makes the program less than this times faster ends its scaling. */
#define SCALING_STEP_GAIN 1.20

struct scaling_point {
	double p;
	size_t first, count; /* of runs */
	size_t median;       /* the run that represents all */
	double speedup, efficiency, serial, computation;
	double step_gain; /* factor per doubling since the point before; NAN for the first */
	double lost_ns;
};

struct scaling_cause {
	enum cost_kind kind;
	const char *key, *place; /* of the last point that has it */
	double *time_ns;         /* by point */
	double *lost_ns;         /* by point */
	double noise; /* relative error of sampled times: of the point with the fewest samples */
	struct growth_fit growth; /* of the time */
};

struct scaling_amdahl {
	double serial;        /* s */
	double single_ns;     /* T1 */
	double limit;         /* 1 / s; INFINITY: none */
	double error_percent; /* mean relative error of T */
};

enum scaling_end { SCALING_HOLDS, SCALING_LOSES, SCALING_STOPS };

struct scaling {
	bool is_weak;
	double requests;          /* of which times are told; 0: of the runs as they are */
	struct scaling_run *runs; /* by p and time */
	size_t run_count;
	struct scaling_point *points; /* by p */
	size_t count;
	struct scaling_cause *causes; /* the most lost at the last point first, the rest last */
	size_t cause_count;
	struct growth_fit growth;     /* of T */
	struct scaling_amdahl amdahl; /* NAN for weak scaling */
	double measured_serial; /* time with one thread useful at the last point / T1; NAN: weak */
	double instruction_scaling, ipc_scaling; /* POP's; NAN: not counted */
	enum scaling_end end;
	size_t end_point; /* where scaling ends, or the last one */
	size_t end_cause; /* index: the cause that loses most there; cause_count: nothing is lost */
	struct text_list notes;
};

void scaling_clear(struct scaling *scaling);

const struct scaling_run *scaling_median(const struct scaling *scaling, size_t point);

/* SPDX-License-Identifier: MIT */
#include "analyze/model/run/omp_runtime.h"

#include "analyze/model/common/runtime_code.h"
#include "analyze/model/run/run.h"

#include <math.h>

static double work_ns(const struct run *run, bool with_profiler)
{
	double ns = 0;

	for (size_t i = 0; i < run->routines.count; i++) {
		const struct routine_time *row = &run->routines.rows[i];
		const struct routine *routine = names_routine(run->names, row->routine);

		if (row->samples && routine->is_machinery &&
		    (with_profiler || runtime_is_openmp(routine->module)))
			ns += (double)row->self_ns;
	}
	return fmax(0, ns - run->omp.totals.spin_ns);
}

double omp_runtime_work_ns(const struct run *run)
{
	return work_ns(run, false);
}

double omp_machinery_work_ns(const struct run *run)
{
	return work_ns(run, true);
}

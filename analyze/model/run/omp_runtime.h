/* SPDX-License-Identifier: MIT */
/* The CPU time that an OpenMP runtime takes besides waiting: for creating and queueing tasks,
 * handing out pieces of loops, taking locks and handing them over. Sampled. Context: pure but for
 * names. Times in nanoseconds. */
#pragma once

struct run;

/* CPU time of samples in OpenMP runtimes, less the time that threads spun there. 0: there were no
 * such samples, or all of it was spinning. */
double omp_runtime_work_ns(const struct run *run);
/* The same, including the profiler, whose wrappers are called before the runtime. */
double omp_machinery_work_ns(const struct run *run);

/* SPDX-License-Identifier: MIT */
/* The CPU time that an OpenMP runtime takes beyond waiting: what it costs to make and queue tasks,
 * to hand out pieces, to take locks and to hand them over. Sampled. Context: pure but for names.
 * Times in nanoseconds. */
#pragma once

struct run;

/* CPU time of samples in runtimes of OpenMP, less the time spent spinning there. 0: no sample was
 * there, or all of it was spinning. */
double omp_runtime_work_ns(const struct run *run);
/* The same with the profiler, which stands in front of them. */
double omp_machinery_work_ns(const struct run *run);

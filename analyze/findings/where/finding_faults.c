/* SPDX-License-Identifier: MIT */
#include "analyze/findings/where/finding_faults.h"

#include "analyze/model/common/finding_limits.h"
#include "analyze/model/process/process.h"

#include <math.h>

/* Larger ones need fewer faults. */
#define PAGE_BYTES 4096

double finding_repeated_faults(const struct process *process)
{
	double pages = (double)process->memory_peak_bytes / PAGE_BYTES;

	return pages > 0 ? fmax(0, (double)process->minor_faults - pages) : 0;
}

double finding_fault_ns(double faults, double system_ns, double calls_ns)
{
	return fmin(finding_limits.page_fault * faults, fmax(0, system_ns - calls_ns));
}

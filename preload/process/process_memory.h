/* SPDX-License-Identifier: MIT */
/* The largest resident memory of the process image, in its row: what a killed process leaves, too.
 *
 * The kernel tells ru_maxrss with every getrusage, but as the largest of all images that the
 * process ran through exec. What exceeds its value at the beginning is this image's own; where
 * nothing did, the end reads VmHWM, which is of this image alone. The profiler's memory is within
 * both. Context: any thread, signal handlers; no allocation. */
#pragma once

#include <stdint.h>

/* Start-up and fork child: before anything is noted. */
void process_memory_begin(void);

/* ru_maxrss of any getrusage of this process but of its children. */
void process_memory_note(long largest_kib);

/* The end: asks the kernel if nothing was noted. */
void process_memory_finish(void);

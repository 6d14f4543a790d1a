/* SPDX-License-Identifier: MIT */
/* What the kernel says of a thread now. Context: reads /proc. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct live_kernel {
	bool is_known;
	char state;                /* proc(5) stat, field 3 */
	uint64_t cpu_ns, ready_ns; /* schedstat: since the thread began; a thread that runs now is
				      accounted up to the last tick */
};

/* pid_namespace: that of the profile; numbers of another one mean nothing here. */
struct live_kernel live_kernel_read(uint64_t pid, uint64_t tid, uint64_t pid_namespace);

/* CPU time of all threads of a process, also of those that have ended, since its number was given
 * out: more than its profile has if it ran another program before. Exact. False: not known. */
bool live_kernel_cpu(uint64_t pid, uint64_t pid_namespace, uint64_t *cpu_ns);

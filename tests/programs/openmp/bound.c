/* SPDX-License-Identifier: MIT */
/* A team of two that works at once. Truth: bounds of T_2 on a machine of any load, from the CPU
 * times of its members, and the CPU time of all. The environment says to what they are bound. */
#include "../truth.h"

#include <omp.h>

static double begin[2], end[2], used[2];

int main(void)
{
#pragma omp parallel num_threads(2)
	{
		int own = omp_get_thread_num();
#pragma omp barrier
		begin[own] = now();
		used[own] = cpu();
		SPIN(0.3);
		used[own] = cpu() - used[own];
		end[own] = now();
	}
	double first = begin[0] < begin[1] ? begin[0] : begin[1];
	double last = end[0] > end[1] ? end[0] : end[1];
	double least = used[0] + used[1] - (last - first);
	truth("two_least", least > 0 ? least : 0);
	truth("two_most", used[0] < used[1] ? used[0] : used[1]);
	truth("cpu", clock_seconds(CLOCK_PROCESS_CPUTIME_ID));
	truth_end();
	return 0;
}

/* SPDX-License-Identifier: MIT */
/* Commands to a tool, before the first region and after it: what the runtime answers. */
#include <omp.h>
#include <stdio.h>

int main(void)
{
	int before = omp_control_tool(omp_control_tool_start, 0, NULL);

#pragma omp parallel num_threads(2)
	{
#pragma omp barrier
	} printf("%d %d\n", before, omp_control_tool(omp_control_tool_end, 0, NULL));
	return 0;
}

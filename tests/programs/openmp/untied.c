/* SPDX-License-Identifier: MIT */
/* Untied tasks of two parts, whose first part lingers after it has handed on the task: another
 * thread runs the last part to its end meanwhile. With libomp alone, where such a part ends with a
 * call of __kmpc_omp_task, which this program makes slow. */
#include "omp_truth.h"

enum { TASKS = 40 };
static const double body = 0.002, lingering = 0.006;
static int bodies;

typedef int omp_task_call(void *place, int thread, void *task);

int __kmpc_omp_task(void *place, int thread, void *task);
int __kmpc_omp_task(void *place, int thread, void *task)
{
	static omp_task_call *next;
	if (!next)
		next = (omp_task_call *)dlsym(RTLD_NEXT, "__kmpc_omp_task");
	int result = next(place, thread, task);
	nap_raw(lingering);
	return result;
}

static NOINLINE void untied(void)
{
	struct region_run run = REGION();
#pragma omp parallel num_threads(3)
#pragma omp single
	for (int i = 0; i < TASKS; i++) {
#pragma omp task untied
		{
			burn(body);
			increment(&bodies);
		}
	}
	region_end(&run);
	check(bodies == TASKS, "untied tasks");
	counted("task", TASKS);
	truth("bodies", body * TASKS);
	KEEP;
}

int main(void)
{
	untied();
	return end();
}

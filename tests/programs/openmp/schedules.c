/* SPDX-License-Identifier: MIT */
/* The same loop in every schedule, with signed and unsigned long long iterations, as a combined
 * construct and in a region of its own. Known: each iteration is done once, and how often each
 * region is executed; who does which iteration is known for static schedules only. */
#include "omp_truth.h"

enum { ITERATIONS = 64, EXECUTIONS = 3 };
static const double iteration_seconds = 20e-6;
/* Beyond the signed numbers: such a loop must be an unsigned one. */
static const unsigned long long far = 1ull << 63;

static int done[ITERATIONS];

static inline void iterate(unsigned long long i)
{
	burn(iteration_seconds);
	increment(&done[i]);
}

static void check_done(const char *name)
{
	for (int i = 0; i < ITERATIONS; i++)
		check(done[i] == 1, name);
	memset(done, 0, sizeof done);
}

/* A macro's region stands on the line where the macro is used. */
#define COMBINED(routine, schedule)                                                                \
	static NOINLINE void routine(void)                                                         \
	{                                                                                          \
		struct region_run run = region_begin(__func__, __LINE__);                          \
		_Pragma(schedule) for (long i = 0; i < ITERATIONS; i++) iterate(i);                \
		region_end(&run);                                                                  \
		check_done(__func__);                                                              \
	}

#define SEPARATE(routine, type, from, schedule, body)                                              \
	static NOINLINE void routine(void)                                                         \
	{                                                                                          \
		struct region_run run = region_begin(__func__, __LINE__);                          \
		_Pragma("omp parallel")                                                            \
		{                                                                                  \
			struct stretch mine = stretch_begin();                                     \
			_Pragma(schedule) for (type i = (from); i < (from) + ITERATIONS;           \
					       i++){body} stretch_end(&run, &mine);                \
		}                                                                                  \
		region_end(&run);                                                                  \
		check_done(__func__);                                                              \
	}

#define LONG(routine, schedule) SEPARATE(routine, long, -10L, schedule, iterate(i + 10);)
#define HUGE_(routine, schedule)                                                                   \
	SEPARATE(routine, unsigned long long, far, schedule, iterate(i - far);)

COMBINED(combined_static, "omp parallel for schedule(static)")
COMBINED(combined_static_1, "omp parallel for schedule(static, 1)")
COMBINED(combined_dynamic, "omp parallel for schedule(dynamic)")
COMBINED(combined_dynamic_4, "omp parallel for schedule(dynamic, 4)")
COMBINED(combined_monotonic, "omp parallel for schedule(monotonic : dynamic, 4)")
COMBINED(combined_guided, "omp parallel for schedule(guided)")
COMBINED(combined_monotonic_guided, "omp parallel for schedule(monotonic : guided, 2)")
COMBINED(combined_runtime, "omp parallel for schedule(runtime)")
COMBINED(combined_monotonic_runtime, "omp parallel for schedule(monotonic : runtime)")
COMBINED(combined_auto, "omp parallel for schedule(auto)")
LONG(long_static, "omp for schedule(static)")
LONG(long_static_5, "omp for schedule(static, 5)")
LONG(long_dynamic, "omp for schedule(dynamic)")
LONG(long_monotonic, "omp for schedule(monotonic : dynamic, 3) nowait")
LONG(long_guided, "omp for schedule(guided) nowait")
LONG(long_runtime, "omp for schedule(runtime)")
HUGE_(huge_static, "omp for schedule(static)")
HUGE_(huge_dynamic, "omp for schedule(dynamic)")
HUGE_(huge_monotonic, "omp for schedule(monotonic : dynamic, 3)")
HUGE_(huge_guided, "omp for schedule(guided) nowait")
HUGE_(huge_runtime, "omp for schedule(runtime)")

/* Each iteration in its turn. */
static unsigned long long turn;
static void take_turn(unsigned long long i)
{
	check(turn == i, "iterations in order");
	turn = (turn + 1) % ITERATIONS;
}

#define IN_ORDER(index)                                                                            \
	iterate(index);                                                                            \
	_Pragma("omp ordered") take_turn(index);

#define LONG_ORDERED(routine, schedule) SEPARATE(routine, long, -10L, schedule, IN_ORDER(i + 10))
#define HUGE_ORDERED(routine, schedule)                                                            \
	SEPARATE(routine, unsigned long long, far, schedule, IN_ORDER(i - far))

LONG_ORDERED(ordered_static, "omp for ordered schedule(static)")
LONG_ORDERED(ordered_static_2, "omp for ordered schedule(static, 2)")
LONG_ORDERED(ordered_dynamic, "omp for ordered schedule(dynamic)")
LONG_ORDERED(ordered_guided, "omp for ordered schedule(guided)")
LONG_ORDERED(ordered_runtime, "omp for ordered schedule(runtime)")
HUGE_ORDERED(huge_ordered_static, "omp for ordered schedule(static, 2)")
HUGE_ORDERED(huge_ordered_dynamic, "omp for ordered schedule(dynamic)")
HUGE_ORDERED(huge_ordered_guided, "omp for ordered schedule(guided)")
HUGE_ORDERED(huge_ordered_runtime, "omp for ordered schedule(runtime)")

static void (*const combined[])(void) = {
	combined_static, combined_static_1,          combined_dynamic,   combined_dynamic_4,
	combined_guided, combined_runtime,           combined_monotonic, combined_monotonic_guided,
	combined_auto,   combined_monotonic_runtime,
};
static void (*const separate[])(void) = {
	long_static, long_static_5, long_dynamic, long_monotonic, long_guided,  long_runtime,
	huge_static, huge_dynamic,  huge_guided,  huge_monotonic, huge_runtime,
};
static void (*const ordered[])(void) = {
	ordered_static,       ordered_static_2,    ordered_dynamic,
	ordered_guided,       ordered_runtime,     huge_ordered_static,
	huge_ordered_dynamic, huge_ordered_guided, huge_ordered_runtime,
};

#define ROWS(table) ((long long)(sizeof(table) / sizeof *(table)))

static void each(void (*const table[])(void), long long rows)
{
	for (long long i = 0; i < rows; i++)
		for (int k = 0; k < EXECUTIONS; k++)
			table[i]();
	counted("parallel", rows * EXECUTIONS);
	counted("for", rows * EXECUTIONS * omp_get_max_threads());
}

int main(void)
{
	omp_set_schedule(omp_sched_dynamic, 4);
	each(combined, ROWS(combined));
	each(separate, ROWS(separate));
	each(ordered, ROWS(ordered));
	counted("ordered", ROWS(ordered) * EXECUTIONS * ITERATIONS);
	truth("iterations", ITERATIONS);
	truth("iteration_seconds", iteration_seconds);
	return end();
}

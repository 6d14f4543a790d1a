/* SPDX-License-Identifier: MIT */
/* Findings from what hardware counted: a routine that is slower in company, one that waits for
 * memory. */
#include "analyze/model/counters/counter_price.h"
#include "tests/unit/finding_scene.h"

#include <stdlib.h>

#define MILLION 1000000.

enum { INSTRUCTIONS = 1, CYCLES, MISSES, LIMIT };

/* "work" has all of the CPU time, half of it alone. */
struct counted {
	struct counter rows[LIMIT];
	struct counter_place place;
	const struct counter_place *places[1];
};

static void set(struct counted *counted, size_t event, enum counter_part part, double count,
		uint64_t samples)
{
	counter_place_sums(&counted->place, event)->part[part] =
		(struct counter_sum){(uint64_t)count, count, samples};
}

static void count(struct scene *scene, struct counted *counted)
{
	*counted = (struct counted){.rows = {[INSTRUCTIONS] = {.name = "instructions", .config = 1},
					     [CYCLES] = {.name = "cycles", .config = 0},
					     [MISSES] = {.name = "cache-misses", .config = 3}},
				    .place = {.kind = COUNTER_ROUTINE,
					      .a = scene->routines[0].routine,
					      .b = COUNTER_WHOLE}};
	counted->places[0] = &counted->place;
	scene->run.counters = (struct counters){
		.rows = counted->rows,
		.limit = LIMIT,
		.of[COUNTER_ROUTINE] = {counted->places, 1},
	};
	set(counted, COUNTER_CPU, COUNTER_SELF, 2e9, 400);
	set(counted, COUNTER_CPU, COUNTER_ALONE, 1e9, 200);
	set(counted, COUNTER_CPU, COUNTER_COMPANY, 1e9, 200);
	for (enum counter_part part = COUNTER_ALONE; part <= COUNTER_COMPANY; part++) {
		set(counted, INSTRUCTIONS, part, 2000 * MILLION, 200);
		set(counted, CYCLES, part, 2000 * MILLION, 200);
	}
	set(counted, INSTRUCTIONS, COUNTER_SELF, 4000 * MILLION, 400);
	set(counted, CYCLES, COUNTER_SELF, 4000 * MILLION, 400);
}

static void finish(struct scene *scene, struct counted *counted)
{
	free(counted->place.sums);
	end(scene);
}

/* Half of the instructions in the same cycles: of 1 s in company 0.5 s is the price. */
START_TEST(what_is_slower_in_company_is_found)
{
	struct counted counted;
	struct scene scene;

	begin(&scene);
	count(&scene, &counted);
	ck_assert_ptr_null(find(&scene, "low-ipc-in-company"));
	set(&counted, INSTRUCTIONS, COUNTER_COMPANY, 1000 * MILLION, 200);
	struct counter_price price = counters_price(&scene.run.counters, &counted.place);

	ck_assert_double_eq_tol(price.ns, 5e8, 1);
	ck_assert_double_eq_tol(price.error_ns, 5e8 * sqrt(2. / 200), 1);
	const struct finding *finding = find(&scene, "low-ipc-in-company");

	ck_assert_ptr_nonnull(finding);
	ck_assert_double_eq_tol(finding->elapsed_percent, 25, 1e-9); /* 0.5 of 2 s */
	ck_assert_int_eq(finding->grade, GRADE_SAMPLED);
	ASSERT_SAYS(finding, "500 ms of CPU time is the price of company; work: 0.50 instructions "
			     "per cycle while other threads run, 1.00 alone");
	ck_assert_str_eq(step(finding, FINDING_ROUTINE)->name, "work");
	finish(&scene, &counted);
}
END_TEST

START_TEST(few_samples_and_small_differences_are_none)
{
	struct counted counted;
	struct scene scene;

	begin(&scene);
	count(&scene, &counted);
	set(&counted, INSTRUCTIONS, COUNTER_COMPANY, 1840 * MILLION, 200); /* 8 % less */
	ck_assert_ptr_null(find(&scene, "low-ipc-in-company"));
	set(&counted, INSTRUCTIONS, COUNTER_COMPANY, 1000 * MILLION, 29);
	set(&counted, CYCLES, COUNTER_COMPANY, 2000 * MILLION, 29);
	ck_assert_ptr_null(find(&scene, "low-ipc-in-company"));
	set(&counted, CYCLES, COUNTER_COMPANY, 0, 0);
	ck_assert_ptr_null(find(&scene, "low-ipc-in-company"));
	finish(&scene, &counted);
}
END_TEST

/* 20 million misses at 80 ns are 1.6 s of its 2 s. */
START_TEST(what_waits_for_memory_is_found)
{
	struct counted counted;
	struct scene scene;

	begin(&scene);
	count(&scene, &counted);
	set(&counted, MISSES, COUNTER_SELF, 20 * MILLION, 400);
	ck_assert_ptr_null(find(&scene, "memory-bound")); /* an instruction per cycle */
	set(&counted, INSTRUCTIONS, COUNTER_SELF, 1000 * MILLION, 400);
	const struct finding *finding = find(&scene, "memory-bound");

	ck_assert_ptr_nonnull(finding);
	ck_assert_double_eq_tol(finding->elapsed_percent, 80, 1e-9);
	ck_assert_int_eq(finding->grade, GRADE_ESTIMATED);
	ASSERT_SAYS(finding, "work: 20.0 cache misses per 1000 instructions, 0.25 instructions per "
			     "cycle; at 80 ns each, one after the other, the misses would take "
			     "1.60 s, and it took 2.00 s of CPU time");
	set(&counted, MISSES, COUNTER_SELF, 12 * MILLION, 400); /* 0.96 s: less than half */
	ck_assert_ptr_null(find(&scene, "memory-bound"));
	set(&counted, MISSES, COUNTER_SELF, 60 * MILLION, 400); /* overlapping: no more than all */
	ck_assert_double_eq_tol(find(&scene, "memory-bound")->elapsed_percent, 100, 1e-9);
	finish(&scene, &counted);
}
END_TEST

START_TEST(without_the_events_nothing_is_said)
{
	struct counted counted;
	struct scene scene;

	begin(&scene);
	ck_assert_ptr_null(find(&scene, "memory-bound"));
	count(&scene, &counted);
	set(&counted, INSTRUCTIONS, COUNTER_SELF, 1000 * MILLION, 400);
	set(&counted, MISSES, COUNTER_SELF, 20 * MILLION, 400);
	counted.rows[CYCLES].grade = GRADE_UNKNOWN;
	ck_assert_ptr_null(find(&scene, "memory-bound"));
	ck_assert_ptr_null(find(&scene, "low-ipc-in-company"));
	finish(&scene, &counted);
}
END_TEST

UNIT_MAIN("findings from counters", what_is_slower_in_company_is_found,
	  few_samples_and_small_differences_are_none, what_waits_for_memory_is_found,
	  without_the_events_nothing_is_said)

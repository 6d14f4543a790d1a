/* SPDX-License-Identifier: MIT */
/* Findings from what hardware counted: a routine that is slower in company, one that waits for
 * memory, one that reads what other cores have modified. */
#include "analyze/model/counters/counter_price.h"
#include "analyze/model/counters/counter_roles.h"
#include "analyze/model/counters/counter_sharing.h"
#include "tests/unit/finding_scene.h"

#include <stdio.h>
#include <stdlib.h>

#define MILLION 1000000.
#define NEAR    "MEM_LOAD_L3_HIT_RETIRED:XSNP_HITM"
#define FAR     "MEM_LOAD_L3_MISS_RETIRED:REMOTE_HITM"

enum { INSTRUCTIONS = 1, CYCLES, MISSES, MODIFIED, MODIFIED_FAR, LIMIT };
enum { LINES = 2 };

/* "work" has all of the CPU time, half of it alone. */
struct counted {
	struct counter rows[LIMIT];
	struct counter_place place, lines[LINES];
	const struct counter_place *places[1], *line_places[LINES];
};

static void set_at(struct counter_place *place, size_t event, enum counter_part part, double count,
		   uint64_t samples)
{
	counter_place_sums(place, event)->part[part] =
		(struct counter_sum){(uint64_t)count, count, samples};
}

static void set(struct counted *counted, size_t event, enum counter_part part, double count,
		uint64_t samples)
{
	set_at(&counted->place, event, part, count, samples);
}

static void count(struct scene *scene, struct counted *counted)
{
	*counted = (struct counted){.rows = {[INSTRUCTIONS] = {.name = "instructions", .config = 1},
					     [CYCLES] = {.name = "cycles", .config = 0},
					     [MISSES] = {.name = "cache-misses", .config = 3},
					     [MODIFIED] = {.name = NEAR, .type = 4},
					     [MODIFIED_FAR] = {.name = FAR, .type = 4}},
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
	for (size_t i = 0; i < LINES; i++)
		free(counted->lines[i].sums);
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

/* ---- lines that other cores had modified */

/* In company 8 million reads from the socket and 2 million from another one, with 1000 million
 * instructions; alone 0.02 million with 2000. */
static void share(struct scene *scene, struct counted *counted)
{
	static const unsigned lines[LINES] = {12, 14};

	count(scene, counted);
	for (size_t i = 1; i < LIMIT; i++)
		counted->rows[i].coverage = 1;
	for (size_t i = 0; i < LINES; i++) {
		counted->lines[i] = (struct counter_place){
			.kind = COUNTER_ROUTINE, .a = counted->place.a, .b = lines[i]};
		counted->line_places[i] = &counted->lines[i];
	}
	scene->run.counters.lines = (struct counter_places){counted->line_places, LINES};
	set_at(&counted->lines[0], MODIFIED, COUNTER_COMPANY, 2 * MILLION, 50);
	set_at(&counted->lines[1], MODIFIED, COUNTER_COMPANY, 6 * MILLION, 150);
	set_at(&counted->lines[1], MODIFIED_FAR, COUNTER_COMPANY, 1 * MILLION, 150);
	set(counted, INSTRUCTIONS, COUNTER_COMPANY, 1000 * MILLION, 200);
	set(counted, MODIFIED, COUNTER_COMPANY, 8 * MILLION, 200);
	set(counted, MODIFIED_FAR, COUNTER_COMPANY, 2 * MILLION, 200);
	set(counted, MODIFIED, COUNTER_ALONE, 0.02 * MILLION, 200);
}

/* 10 million reads at 40 ns are 0.4 of 2 s; by its instructions per cycle it lost 0.5. */
START_TEST(lines_that_others_had_modified_are_found)
{
	struct counted counted;
	struct scene scene;

	begin(&scene);
	share(&scene, &counted);
	struct counter_sharing sharing = counters_sharing(&scene.run.counters, &counted.place);

	ck_assert_double_eq_tol(sharing.reads, 10 * MILLION, 1);
	ck_assert_double_eq_tol(sharing.rate, 10, 1e-9);
	ck_assert_double_eq_tol(sharing.rate_alone, 0.01, 1e-9);
	const struct finding *finding = find(&scene, "shared-lines");

	ck_assert_ptr_nonnull(finding);
	ck_assert_double_eq_tol(finding->elapsed_percent, 20, 1e-9);
	ck_assert_int_eq(finding->grade, GRADE_ESTIMATED);
	ASSERT_SAYS(finding, "work: 10.0 million reads of lines of memory that another core had "
			     "modified (at source line 14: 70 %, 12: 20 %), while other threads "
			     "run: 10.0 per 1000 instructions, alone 0.0100; at 40 ns each they "
			     "would take 400 ms of the 1.00 s of CPU time that it has in company; "
			     "whether threads share the data or only the line is not known");
	ck_assert_str_eq(step(finding, FINDING_ROUTINE)->name, "work");
	counted.rows[MODIFIED_FAR].grade = GRADE_UNKNOWN; /* a processor without that event */
	ASSERT_SAYS(find(&scene, "shared-lines"), "work: 8.00 million reads");
	finish(&scene, &counted);
}
END_TEST

/* What is read alone as often is handed over; a few reads cost little. */
START_TEST(what_is_no_sharing_is_not_found)
{
	struct counted counted;
	struct scene scene;

	begin(&scene);
	share(&scene, &counted);
	set(&counted, MODIFIED, COUNTER_ALONE, 11 * MILLION, 200); /* 5.5: more than half of 10 */
	ck_assert_ptr_null(find(&scene, "shared-lines"));
	set(&counted, MODIFIED, COUNTER_ALONE, 9 * MILLION, 200); /* 4.5 */
	ck_assert_ptr_nonnull(find(&scene, "shared-lines"));
	set(&counted, MODIFIED, COUNTER_COMPANY, 0.9 * MILLION, 200);
	set(&counted, MODIFIED_FAR, COUNTER_COMPANY, 0, 200);
	set(&counted, MODIFIED, COUNTER_ALONE, 0, 200);
	set(&counted, INSTRUCTIONS, COUNTER_COMPANY, 100 * MILLION, 200); /* 9, but 36 ms */
	ck_assert_ptr_null(find(&scene, "shared-lines"));
	set(&counted, MODIFIED, COUNTER_COMPANY, 9 * MILLION, 200); /* 360 ms, but 0.9 */
	set(&counted, INSTRUCTIONS, COUNTER_COMPANY, 10000 * MILLION, 200);
	set(&counted, CYCLES, COUNTER_COMPANY, 40000 * MILLION, 200);
	ck_assert_ptr_null(find(&scene, "shared-lines"));
	set(&counted, INSTRUCTIONS, COUNTER_COMPANY, 9000 * MILLION, 200); /* 1 */
	ck_assert_ptr_nonnull(find(&scene, "shared-lines"));
	finish(&scene, &counted);
}
END_TEST

/* A stake is no more than what the routine is slower in company, if that is known. */
START_TEST(who_is_no_slower_loses_nothing)
{
	struct counted counted;
	struct scene scene;

	begin(&scene);
	share(&scene, &counted);
	set(&counted, INSTRUCTIONS, COUNTER_COMPANY, 1500 * MILLION, 200); /* 0.25 s of 1 s */
	ck_assert_double_eq_tol(find(&scene, "shared-lines")->elapsed_percent, 12.5, 1e-9);
	set(&counted, INSTRUCTIONS, COUNTER_COMPANY, 2000 * MILLION, 200);
	ck_assert_ptr_null(find(&scene, "shared-lines"));
	counted.rows[CYCLES].grade = GRADE_UNKNOWN; /* then that is not known */
	ck_assert_double_eq_tol(find(&scene, "shared-lines")->elapsed_percent, 20, 1e-9);
	set(&counted, MODIFIED, COUNTER_COMPANY, 90 * MILLION, 200); /* 3.6 s: all of company */
	ck_assert_double_eq_tol(find(&scene, "shared-lines")->elapsed_percent, 50, 1e-9);
	finish(&scene, &counted);
}
END_TEST

/* Threads that always work together are never alone. */
START_TEST(what_never_ran_alone_is_suspected)
{
	struct counted counted;
	struct scene scene;

	begin(&scene);
	share(&scene, &counted);
	set(&counted, INSTRUCTIONS, COUNTER_ALONE, 20 * MILLION, 29);
	set(&counted, CYCLES, COUNTER_ALONE, 20 * MILLION, 29);
	set(&counted, MODIFIED, COUNTER_ALONE, 0.2 * MILLION, 29); /* as often */
	ASSERT_SAYS(
		find(&scene, "shared-lines"),
		"10.0 per 1000 instructions, how many alone is not known, as it hardly ever was");
	set(&counted, INSTRUCTIONS, COUNTER_ALONE, 20 * MILLION, 30);
	ck_assert_ptr_null(find(&scene, "shared-lines"));
	set(&counted, INSTRUCTIONS, COUNTER_ALONE, 0, 0);
	set(&counted, INSTRUCTIONS, COUNTER_COMPANY, 1000 * MILLION, 29);
	ck_assert_ptr_null(find(&scene, "shared-lines"));
	finish(&scene, &counted);
}
END_TEST

START_TEST(what_was_hardly_counted_says_nothing)
{
	static const double too_low[] = {0.09, NAN};
	static const size_t needed[] = {INSTRUCTIONS, MODIFIED};
	struct counted counted;
	struct scene scene;

	begin(&scene);
	share(&scene, &counted);
	for (size_t i = 0; i < 4; i++) {
		struct counter *row = &counted.rows[needed[i / 2]];

		row->coverage = too_low[i % 2];
		ck_assert_ptr_null(find(&scene, "shared-lines"));
		row->coverage = 0.1;
		ck_assert_ptr_nonnull(find(&scene, "shared-lines"));
		row->grade = GRADE_UNKNOWN;
		ck_assert_ptr_null(find(&scene, "shared-lines"));
		row->grade = GRADE_EXACT;
	}
	finish(&scene, &counted);
}
END_TEST

static bool has_role(const char *name, enum counter_role role)
{
	struct counter rows[2] = {[1] = {.name = name, .type = 4}};
	const struct counters counters = {.rows = rows, .limit = 2};

	return counters_role(&counters, role) == 1;
}

/* Names of libpfm4 on each kind of processor; events that also count lines nobody modified. */
START_TEST(modified_lines_have_names)
{
	static const struct {
		const char *name;
		enum counter_role role;
		bool is_it;
	} cases[] = {
		{NEAR, COUNTER_MODIFIED, true},
		{"skx::" NEAR ":u", COUNTER_MODIFIED, true},
		{"MEM_LOAD_UOPS_L3_HIT_RETIRED:XSNP_HITM", COUNTER_MODIFIED, true},
		{"mem_load_uops_llc_hit_retired:xsnp_hitm", COUNTER_MODIFIED, true},
		{"OCR:DEMAND_DATA_RD_L3_HIT_SNOOP_HITM", COUNTER_MODIFIED, true},
		{"OCR:DEMAND_DATA_RD_L3_HIT_SNOOP_HIT_WITH_FWD", COUNTER_MODIFIED, false},
		{"MEM_LOAD_L3_HIT_RETIRED:XSNP_HIT", COUNTER_MODIFIED, false},
		{"MEM_LOAD_L3_HIT_RETIRED:XSNP_FWD", COUNTER_MODIFIED, false},
		{FAR, COUNTER_MODIFIED, false},
		{FAR, COUNTER_MODIFIED_FAR, true},
		{"MEM_LOAD_UOPS_L3_MISS_RETIRED:REMOTE_HITM", COUNTER_MODIFIED_FAR, true},
		{"MEM_LOAD_UOPS_LLC_MISS_RETIRED:REMOTE_HITM", COUNTER_MODIFIED_FAR, true},
		{"OCR:DEMAND_DATA_RD_REMOTE_CACHE_SNOOP_HITM", COUNTER_MODIFIED_FAR, true},
		{"MEM_LOAD_L3_MISS_RETIRED:REMOTE_FWD", COUNTER_MODIFIED_FAR, false},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		ck_assert_msg(has_role(cases[i].name, cases[i].role) == cases[i].is_it, "%s",
			      cases[i].name);
}
END_TEST

/* What the preset counts is what the finding is made of, on each processor. */
START_TEST(the_preset_counts_what_is_looked_for)
{
	FILE *file = fopen("scripts/events/sharing.events", "r");
	char line[300], name[200], called[100];
	int same = 0, other = 0;

	ck_assert_ptr_nonnull(file);
	while (fgets(line, sizeof line, file)) {
		if (sscanf(line, "event %199s as %99s", name, called) != 2)
			continue;
		bool is_same = !strcmp(called, "from_same_socket");

		ck_assert(is_same || !strcmp(called, "from_other_socket"));
		ck_assert_msg(has_role(name, is_same ? COUNTER_MODIFIED : COUNTER_MODIFIED_FAR),
			      "%s", name);
		same += is_same;
		other += !is_same;
	}
	fclose(file);
	ck_assert_int_eq(same, 8);
	ck_assert_int_eq(other, 4);
}
END_TEST

UNIT_MAIN("findings from counters", what_is_slower_in_company_is_found,
	  few_samples_and_small_differences_are_none, what_waits_for_memory_is_found,
	  without_the_events_nothing_is_said, lines_that_others_had_modified_are_found,
	  what_is_no_sharing_is_not_found, who_is_no_slower_loses_nothing,
	  what_never_ran_alone_is_suspected, what_was_hardly_counted_says_nothing,
	  modified_lines_have_names, the_preset_counts_what_is_looked_for)

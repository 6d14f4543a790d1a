/* SPDX-License-Identifier: MIT */
/* Which cause the first line of a comparison names. */
#include "analyze/base/memory.h"
#include "analyze/diff/compare.h"
#include "analyze/diff/extract.h"
#include "analyze/diff/headline.h"
#include "analyze/diff/sharing.h"
#include "analyze/model/run/run.h"
#include "tests/unit/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MS 1e6

static struct side sides[2];

static void add(size_t side, const struct figure *figure, double value_ms, double effect_ms)
{
	struct figure copy = *figure;

	if (!copy.unit)
		copy.sense = SENSE_LESS;
	copy.value = copy.unit ? value_ms : value_ms * MS;
	copy.effect_ns = effect_ms * MS;
	figures_add(sides[side].runs[0].figures, &copy);
}

/* One run a side. */
static void start(double a_ms, double b_ms)
{
	const double elapsed_ms[] = {a_ms, b_ms};
	const struct figure elapsed = {.section = SECTION_OVERVIEW,
				       .key = "elapsed time",
				       .metric = "time",
				       .role = ROLE_DECIDES};
	const struct figure cpu = {.section = SECTION_OVERVIEW,
				   .key = "CPU time",
				   .metric = "time",
				   .is_cpu = true,
				   .role = ROLE_DECIDES};

	for (size_t side = 0; side < 2; side++) {
		sides[side] = (struct side){memory_allocate(1, sizeof *sides->runs), 1};
		sides[side].runs[0] = (struct side_run){.figures = figures_create(),
							.elapsed_ns = elapsed_ms[side] * MS};
		add(side, &elapsed, elapsed_ms[side], elapsed_ms[side]);
		add(side, &cpu, 1000, 800);
		add(side,
		    &(struct figure){.section = SECTION_OVERVIEW,
				     .key = "processors in use",
				     .metric = "average",
				     .unit = UNIT_NUMBER,
				     .sense = SENSE_MORE},
		    1000 / elapsed_ms[side], NAN);
	}
}

/* Waiting time and what it means. */
static void add_wait(const char *key, enum figure_role role, const double waits_ms[2],
		     const double effects_ms[2])
{
	for (size_t side = 0; side < 2; side++)
		add(side,
		    &(struct figure){
			    .section = SECTION_WAITS, .key = key, .metric = "wait", .role = role},
		    waits_ms[side], effects_ms[side]);
}

struct worked {
	double total_ms, elapsed_ms, alone_ms, longest_ms, threads;
};

static void add_routine(const char *key, const struct worked worked[2])
{
	for (size_t side = 0; side < 2; side++) {
		const struct worked *at = &worked[side];
		const double average = at->total_ms / at->elapsed_ms;
		const struct {
			const char *metric;
			double value, effect_ms;
			enum figure_role role;
			enum figure_unit unit;
		} rows[] = {
			{"self", at->total_ms, at->total_ms / average, ROLE_CAUSE, UNIT_NS},
			{"total", at->total_ms, at->total_ms / average, ROLE_EXPLAINS, UNIT_NS},
			{"elapsed", at->elapsed_ms, at->elapsed_ms, ROLE_SHARING, UNIT_NS},
			{"alone", at->alone_ms, at->alone_ms, ROLE_EXPLAINS, UNIT_NS},
			{"longest", at->longest_ms, at->longest_ms, ROLE_SHARING, UNIT_NS},
			{"threads", at->threads, NAN, ROLE_EXPLAINS, UNIT_NUMBER},
		};

		for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
			add(side,
			    &(struct figure){.section = SECTION_ROUTINES,
					     .key = key,
					     .metric = rows[i].metric,
					     .role = rows[i].role,
					     .unite = UNITE_SUM,
					     .unit = rows[i].unit},
			    rows[i].value, rows[i].effect_ms);
	}
}

/* What the first line says behind the change of elapsed time. */
static void check(const char *wanted)
{
	struct changes changes = changes_of(sides, 5);
	char *headline = headline_text(&changes, sides);
	const char *why = strstr(headline, "): ");

	ck_assert_ptr_nonnull(why);
	ck_assert_str_eq(why + strlen("): "), wanted);
	free(headline);
	changes_clear(&changes);
	side_clear(&sides[0]);
	side_clear(&sides[1]);
}

static const struct worked serial = {1000, 980, 960, 1000, 1}, parallel = {1010, 520, 30, 510, 2};

START_TEST(alone_that_became_parallel)
{
	start(1200, 740);
	add_routine("parse", (const struct worked[]){serial, parallel});
	check("parse ran in one thread, alone for 960 ms; now in 2 threads, alone for 30.0 ms");
	start(740, 1200);
	add_routine("parse", (const struct worked[]){parallel, serial});
	check("parse ran in 2 threads, alone for 30.0 ms; now in one thread, alone for 960 ms");
}
END_TEST

/* What calls it has the same share, and what it calls nearly so. */
START_TEST(innermost_routine_that_became_parallel)
{
	start(1200, 740);
	add_routine("run",
		    (const struct worked[]){{1100, 1000, 965, 1000, 1}, {1110, 540, 35, 510, 2}});
	add_routine("parse", (const struct worked[]){serial, parallel});
	add_routine("skip",
		    (const struct worked[]){{500, 490, 480, 500, 1}, {505, 260, 15, 255, 2}});
	check("parse ran in one thread, alone for 960 ms; now in 2 threads, alone for 30.0 ms");
}
END_TEST

/* It runs in more threads, and takes less CPU time: that is the cause. */
START_TEST(less_work_is_not_sharing)
{
	start(1200, 740);
	add_routine("parse", (const struct worked[]){serial, {500, 480, 470, 300, 2}});
	check("parse takes 500 ms less CPU time (-50 %)");
}
END_TEST

/* One routine of two threads that had most of it, and hardly any later: it was not shared out. */
START_TEST(work_that_went_elsewhere_is_not_sharing)
{
	start(1000, 700);
	add_routine("send", (const struct worked[]){{1000, 900, 800, 990, 2}, {8, 7, 5, 4, 2}});
	check("send takes 992 ms less CPU time (-99 %)");
}
END_TEST

static void add_cpu(const struct figure *figure, double before_ms, double after_ms)
{
	add(0, figure, before_ms, before_ms);
	if (after_ms > 0)
		add(1, figure, after_ms, after_ms);
}

/* Locks of the library that are taken for every word: none of them is much, and they are symptoms.
 */
START_TEST(what_a_routine_calls_is_the_cause)
{
	start(2000, 500);
	add_cpu(&(struct figure){.section = SECTION_ROUTINES, .key = "main", .metric = "total"},
		1900, 450);
	add_cpu(&(struct figure){.section = SECTION_ROUTINES, .key = "count", .metric = "total"},
		1800, 400);
	add_cpu(&(struct figure){.section = SECTION_ROUTINES, .key = "hash", .metric = "total"},
		900, 200);
	add_cpu(&(struct figure){.section = SECTION_ROUTINES,
				 .key = "lock",
				 .metric = "total",
				 .is_detail = true},
		1700, 300);
	check("count takes 1.40 s less CPU time (-78 %) with all that it calls");
}
END_TEST

/* operator[] is inlined into at(), and that into serve(): who reads of it wants to know of serve().
 */
START_TEST(inlined_leaf_is_named_with_who_calls_it)
{
	static const char *const leaves[] = {"at", "operator[]"};

	start(2000, 500);
	for (size_t i = 0; i < 2; i++)
		add_cpu(&(struct figure){.section = SECTION_ROUTINES,
					 .key = leaves[i],
					 .metric = "self",
					 .role = ROLE_CAUSE,
					 .is_detail = true},
			i ? 1800 : 100, i ? 400 : 90);
	add_cpu(&(struct figure){.section = SECTION_PATHS,
				 .key = "main > serve > at > operator[]",
				 .metric = "self"},
		1800, 400);
	check("operator[] takes 1.40 s less CPU time (-78 %), called by serve");
}
END_TEST

/* Several threads on both sides, one of which had most of it. */
START_TEST(work_shared_more_evenly)
{
	start(1000, 700);
	add_routine("count",
		    (const struct worked[]){{1000, 900, 800, 800, 2}, {1000, 550, 100, 510, 2}});
	check("count is shared out more evenly: the thread that ran it longest had 800 ms of it, "
	      "now 510 ms of 1.00 s");
}
END_TEST

/* Threads that wait for a lock let each other run alone. */
START_TEST(alone_because_of_a_lock)
{
	static const double waits[] = {900, 20}, effects[] = {450, 10};
	static const struct worked before = {1000, 950, 900, 500, 2},
				   after = {1000, 520, 40, 500, 2};

	start(1000, 550);
	add_routine("work", (const struct worked[]){before, after});
	add_wait("mutex m, lock", ROLE_CAUSE, waits, effects);
	check("threads wait 880 ms less for mutex m, lock");
	/* and if nobody waited more for it, that is not why */
	start(1000, 550);
	add_routine("work", (const struct worked[]){before, after});
	add_wait("mutex m, lock", ROLE_CAUSE, (const double[]){30, 20}, (const double[]){15, 10});
	check("work ran alone for 900 ms, now for 40.0 ms");
}
END_TEST

/* Waits of the wrong sign, however large. */
START_TEST(a_cause_goes_the_way_of_the_run)
{
	start(1000, 600);
	add_wait("mutex grows, lock", ROLE_CAUSE, (const double[]){10, 900},
		 (const double[]){5, 450});
	add_wait("mutex shrinks, lock", ROLE_CAUSE, (const double[]){500, 10},
		 (const double[]){250, 5});
	check("threads wait 490 ms less for mutex shrinks, lock");
}
END_TEST

/* Ten threads waited, elapsed time was 400 ms longer: the routine explains as much of that. */
START_TEST(nothing_explains_more_than_there_is)
{
	start(1000, 600);
	add_wait("barrier b, wait", ROLE_CAUSE, (const double[]){9000, 400},
		 (const double[]){900, 40});
	add_routine("solve",
		    (const struct worked[]){{900, 850, 800, 450, 2}, {500, 475, 450, 250, 2}});
	check("solve takes 400 ms less CPU time (-44 %)");
}
END_TEST

START_TEST(more_processors_in_use_is_no_cause)
{
	start(1000, 600);
	check("no single cause is large enough to name");
}
END_TEST

/* A watchdog sleeps as long as the run lasts: its wait means nothing. */
START_TEST(waits_of_idle_threads)
{
	struct extract extract = {.idle = {.lifetime_ns = 2e9}};

	extract.idle.by_cause_ns[CAUSE_SLEEP] = 2e9;
	extract.idle.others_ns[CAUSE_SLEEP] = 0.3e9;
	extract.idle.others_ns[CAUSE_MUTEX] = 1e9;
	ck_assert_double_eq(extract_idle_part(&extract, CAUSE_SLEEP, 2e9), 1.7e9);
	ck_assert_double_eq(extract_idle_part(&extract, CAUSE_SLEEP, 0.2e9), 0);
	ck_assert_double_eq(extract_idle_part(&extract, CAUSE_MUTEX, 1e9), 0);
	ck_assert_double_eq(extract_idle_part(&extract, CAUSE_CONDITION, 1e9), 0);
	start(2000, 1500);
	add_wait("usleep", ROLE_CAUSE, (const double[]){2000, 1500}, (const double[]){0, 0});
	check("no single cause is large enough to name");
}
END_TEST

/* A worker that waits for a lock now and then, a watchdog, and the main thread, which joins. */
START_TEST(idle_threads_of_a_run)
{
	struct thread_time threads[] = {
		{.lifetime_ns = 1000 * MS, .user_ns = 800 * MS, .blocked_ns = 200 * MS},
		{.lifetime_ns = 990 * MS, .user_ns = 1 * MS, .blocked_ns = 989 * MS},
		{.lifetime_ns = 1000 * MS, .user_ns = 100 * MS, .blocked_ns = 900 * MS},
	};
	struct process process = {.rank = MPI_NO_RANK, .threads = threads, .thread_count = 3};
	const struct run run = {.processes = &process, .process_count = 1};

	threads[0].by_cause_ns[CAUSE_MUTEX] = 150 * MS;
	threads[0].by_cause_ns[CAUSE_SLEEP] = 50 * MS;
	threads[1].by_cause_ns[CAUSE_SLEEP] = 980 * MS;
	threads[1].by_cause_ns[CAUSE_MUTEX] = 9 * MS;
	threads[2].by_cause_ns[CAUSE_JOIN] = 900 * MS;
	const struct idle idle = extract_idle(&run);

	ck_assert_double_eq(idle.lifetime_ns, 990e6);
	ck_assert_double_eq(idle.by_cause_ns[CAUSE_SLEEP], 980e6);
	ck_assert_double_eq(idle.others_ns[CAUSE_SLEEP], 50e6);
	/* who waits for a lock is in the way of the work */
	ck_assert_double_eq(idle.by_cause_ns[CAUSE_MUTEX], 0);
	ck_assert_double_eq(idle.others_ns[CAUSE_MUTEX], 159e6);
	/* a thread that works is none, whatever it waits for */
	threads[1].user_ns = 300 * MS;
	ck_assert_double_eq(extract_idle(&run).lifetime_ns, 0);
}
END_TEST

UNIT_MAIN("causes", idle_threads_of_a_run, alone_that_became_parallel,
	  innermost_routine_that_became_parallel, less_work_is_not_sharing, work_shared_more_evenly,
	  alone_because_of_a_lock, a_cause_goes_the_way_of_the_run,
	  nothing_explains_more_than_there_is, more_processors_in_use_is_no_cause,
	  waits_of_idle_threads, work_that_went_elsewhere_is_not_sharing,
	  what_a_routine_calls_is_the_cause, inlined_leaf_is_named_with_who_calls_it)

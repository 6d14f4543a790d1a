/* SPDX-License-Identifier: MIT */
/* Each rule on OpenMP, and each advice for a region, with a run that has the problem and with one
 * that has not. */
#include "analyze/model/openmp/omp_advice.h"
#include "analyze/model/run/run.h"
#include "preload/file/vocabulary.h"
#include "tests/unit/told.h"
#include "tests/unit/unit.h"

#include <math.h>
#include <string.h>

#define MS     1000000.0
#define SECOND 1000000000ull

/* Two threads on two processors for a second, in ten executions of one region in which both work
 * all the time. A test spoils one thing. */
struct team {
	struct symbolizer *symbolizer;
	struct run_process file;
	struct process process;
	struct omp_construct_row construct;
	struct omp_task_row task;
	struct omp_region region;
	struct sync_row lock;
	char *lock_name;
	struct sync_object object;
	struct routine_time routine; /* the samples are enough */
	struct run run;
};

static void begin(struct team *team)
{
	*team = (struct team){.symbolizer = symbolizer_create(NULL), .lock_name = "till"};
	team->run = (struct run){
		.names = names_create(team->symbolizer),
		.processes = &team->process,
		.process_count = 1,
		.processors = 2,
		.elapsed_ns = SECOND,
		.cpu_ns = 2 * SECOND,
		.efficiency_percent = 100,
		.useful = {.efficiency_percent = 100},
		.omp = {.is_used = true,
			.totals = {.threads = 2, .processors = 2, .processes = 1},
			.regions = {.rows = &team->region, .count = 1}},
	};
	team->process = (struct process){.file = &team->file, .rank = MPI_NO_RANK};
	team->file.process.threads_peak = team->file.process.threads_started = 2;
	team->file.process.processors = 2;
	team->routine = (struct routine_time){.routine = names_special(team->run.names, "work"),
					      .samples = 400};
	team->run.routines = (struct routine_times){.rows = &team->routine, .count = 1};
	team->run.focus = &team->process;
	team->object.kind = "critical";
	team->run.synchronization.names = &team->lock_name;
	team->run.synchronization.objects = &team->object;
	team->region = (struct omp_region){
		.place = {names_special(team->run.names, "compute"), 12},
		.kind = OMP_REGION_PARALLEL,
		.parent = OMP_NO_REGION,
		.team_min = 2,
		.team_max = 2,
		.count = 10,
		.team_count = 20,
		.members = 20,
		.elapsed_ns = 1000 * MS,
		.team_elapsed_ns = 2000 * MS,
		.work_ns = 2000 * MS,
		.spread = {.members = 2,
			   .sum_ns = 2000 * MS,
			   .min_ns = 1000 * MS,
			   .max_ns = 1000 * MS,
			   .most = {.number = 1}},
		.constructs = &team->construct,
		.tasks = &team->task,
	};
	team->construct.routine = team->task.routine = team->region.place.routine;
	team->construct.line = team->task.line = team->region.place.line;
}

/* Of the 2 s of the two processors so much was no useful time. */
static void lose(struct team *team, double ns)
{
	team->run.useful.efficiency_percent = 100 - 100 * ns / (2 * (double)SECOND);
}

static void end(struct team *team)
{
	findings_clear(&told);
	names_destroy(team->run.names);
	symbolizer_destroy(team->symbolizer);
}

static const struct finding *find(struct team *team, const char *id)
{
	told_of(&team->run);
	return told_finding(id);
}

#define ASSERT_SAYS(finding, text)                                                                 \
	ck_assert_msg(strstr((finding)->evidence, text), "not there: %s", (finding)->evidence)
#define ASSERT_ADVICE(team, text)                                                                  \
	ck_assert_msg(omp_advice_for(&(team)->region) &&                                           \
			      strstr(omp_advice_for(&(team)->region), text),                       \
		      "not that: %s", omp_advice_for(&(team)->region))

START_TEST(a_good_run_has_no_finding)
{
	struct team team;

	begin(&team);
	ck_assert_ptr_null(find(&team, "omp-imbalance"));
	ck_assert_uint_eq(told.count, 0);
	ck_assert_ptr_null(omp_advice_for(&team.region));
	end(&team);
}
END_TEST

/* Thread 1 works for 1 s, thread 0 for 0.6 s. */
static void make_uneven(struct team *team)
{
	team->region.work_ns = 1600 * MS;
	team->region.spread.sum_ns = 1600 * MS;
	team->region.spread.min_ns = 600 * MS;
	team->region.imbalance_ns = 200 * MS;
	team->region.join_ns = team->region.barrier_ns = 400 * MS;
	lose(team, 400 * MS);
}

START_TEST(uneven_work_is_found)
{
	struct team team;

	begin(&team);
	make_uneven(&team);
	const struct finding *finding = find(&team, "omp-imbalance");

	ck_assert_ptr_nonnull(finding);
	ck_assert_double_eq_tol(finding->severity_percent, 20, 1e-6); /* of 1 s, which one worked */
	ASSERT_SAYS(finding, "thread 1 worked for 1.00 s, the others for 600 ms on average");
	ck_assert_uint_eq(finding->step_count, 1);
	ck_assert_int_eq(finding->steps[0].level, FINDING_REGION);
	ck_assert_double_eq_tol(finding->steps[0].share_percent, 100, 1e-6);
	struct omp_member members[2] = {{.number = 0, .work_ns = SECOND * 6 / 10},
					{.number = 1, .work_ns = SECOND}};

	team.region.member_rows = members;
	team.region.member_count = 2;
	finding = find(&team, "omp-imbalance");
	ck_assert_uint_eq(finding->step_count, 2);
	ck_assert_str_eq(finding->steps[1].name, "1 of the team");
	ck_assert_double_eq_tol(finding->steps[1].share_percent, 100, 1e-6);
	ASSERT_ADVICE(&team, "schedule(dynamic) for a static loop, tasks for other work");
	/* a loop whose pieces are handed out already, but few of them */
	team.construct = (struct omp_construct_row){
		.construct = OMP_CONSTRUCT_LOOP, .count = 20, .pieces = 60};
	team.region.construct_count = 1;
	ASSERT_ADVICE(&team, "smaller chunks");
	team.construct =
		(struct omp_construct_row){.construct = OMP_CONSTRUCT_SECTIONS, .count = 20};
	ASSERT_ADVICE(&team, "sections of equal length");
	team.run.omp.totals.ready_ns =
		390 * MS; /* that a member had no processor may be all of it */
	ck_assert_ptr_null(find(&team, "omp-imbalance"));
	end(&team);
}
END_TEST

/* Members that spin at the end of the region were ready to: that is not in the work. */
START_TEST(who_is_ready_to_spin_makes_no_work_unequal)
{
	struct team team;

	begin(&team);
	make_uneven(&team);
	team.run.omp.totals.ready_ns = 390 * MS;
	team.run.omp.totals.wait_ns = 600 * MS;
	team.run.omp.totals.spin_ns = 200 * MS;
	team.run.omp.totals.blocked_ns = 100 * MS;
	/* 390 - 300 ms were not in waits */
	ck_assert_double_eq_tol(find(&team, "omp-imbalance")->elapsed_percent, 100 * 31 / 191.0,
				1e-6);
	end(&team);
}
END_TEST

/* Both threads had a processor for half of the time in which they wanted one. */
START_TEST(members_that_had_no_processor_have_unequal_work_for_all_that)
{
	struct team team;
	struct profile_thread rows[2] = {{.tid = 7}, {.tid = 8}};
	struct thread_time threads[2] = {
		{.thread = &rows[0], .user_ns = 500 * MS, .ready_ns = 500 * MS},
		{.thread = &rows[1], .user_ns = 500 * MS, .ready_ns = 500 * MS}};
	struct omp_member members[2] = {{.number = 0, .tid = 7, .work_ns = 600 * MS},
					{.number = 1, .tid = 8, .work_ns = SECOND}};

	begin(&team);
	make_uneven(&team);
	team.run.omp.totals.ready_ns = SECOND;
	ck_assert_ptr_null(find(&team, "omp-imbalance"));
	team.process.threads = threads;
	team.process.thread_count = 2;
	team.region.member_rows = members;
	team.region.member_count = 2;
	const struct finding *finding = find(&team, "omp-imbalance");

	/* 500 - 300 ms, beside 1.6 s of useful time */
	ck_assert_double_eq_tol(finding->elapsed_percent, 100 * 0.2 / 1.8, 1e-6);
	ck_assert_int_eq(finding->grade, GRADE_ESTIMATED);
	/* equal work, of which one had the processor for less */
	threads[0].user_ns = 750 * MS;
	threads[0].ready_ns = 50 * MS;
	threads[1].user_ns = 750 * MS;
	threads[1].ready_ns = 583 * MS;
	ck_assert_ptr_null(find(&team, "omp-imbalance"));
	/* whose thread has no row */
	members[1].tid = 9;
	ck_assert_ptr_null(find(&team, "omp-imbalance"));
	end(&team);
}
END_TEST

/* Two members burn 0.24 s and 0.08 s; other programs have the rest of 1 s of each processor, so
 * that both end at the same time. */
START_TEST(unequal_work_that_ends_at_once_is_found_beside_other_programs)
{
	struct team team;
	struct profile_thread rows[2] = {{.tid = 7}, {.tid = 8}};
	struct thread_time threads[2] = {{.thread = &rows[0],
					  .lifetime_ns = SECOND,
					  .user_ns = 240 * MS,
					  .ready_ns = 760 * MS},
					 {.thread = &rows[1],
					  .lifetime_ns = SECOND,
					  .user_ns = 80 * MS,
					  .ready_ns = 920 * MS}};
	struct omp_member members[2] = {{.number = 0, .tid = 7, .work_ns = SECOND},
					{.number = 1, .tid = 8, .work_ns = SECOND}};

	begin(&team);
	team.process.threads = threads;
	team.process.thread_count = 2;
	team.region.member_rows = members;
	team.region.member_count = 2;
	team.run.cpu_ns = 320 * MS;
	team.run.ready_ns = 1680 * MS;
	team.run.efficiency_percent = team.run.useful.efficiency_percent = 16;
	team.region.imbalance_ns = 200 * MS; /* in each execution one or the other ended later */
	const struct finding *finding = find(&team, "omp-imbalance");

	ck_assert_ptr_nonnull(finding);
	/* 80 ms of 240 ms, as it would be without the others */
	ck_assert_double_eq_tol(finding->elapsed_percent, 100 / 3.0, 0.5);
	ck_assert_int_eq(finding->grade, GRADE_ESTIMATED);
	ASSERT_SAYS(finding, "thread 0 worked for 240 ms of CPU time, the members for 160 ms");
	/* who takes what is there ends with the others each time */
	team.region.imbalance_ns = 40 * MS;
	ck_assert_ptr_null(find(&team, "omp-imbalance"));
	team.region.imbalance_ns = 200 * MS;
	/* pieces that are handed out go to whom is free: who is slowed down does less */
	team.construct = (struct omp_construct_row){
		.construct = OMP_CONSTRUCT_LOOP, .count = 20, .pieces = 60};
	team.region.construct_count = 1;
	ck_assert_ptr_null(find(&team, "omp-imbalance"));
	team.region.construct_count = 0;
	/* 0.16 s may have been spun, and by the one with the most */
	team.run.omp.totals.spin_ns = 170 * MS;
	threads[0].omp_ns = threads[1].omp_ns = 500 * MS;
	ck_assert_ptr_null(find(&team, "omp-imbalance"));
	/* the other one worked for 10 ms of elapsed time: it has not done the rest */
	members[1].work_ns = 10 * MS;
	ck_assert_ptr_nonnull(find(&team, "omp-imbalance"));
	members[1].work_ns = SECOND;
	team.run.omp.totals.spin_ns = 0;
	threads[0].omp_ns = threads[1].omp_ns = 0;
	/* equal work, of which one member had the processor for less */
	threads[0].user_ns = threads[1].user_ns = 160 * MS;
	members[0].work_ns = SECOND / 2;
	threads[0].ready_ns = 340 * MS;
	threads[0].lifetime_ns = SECOND / 2;
	make_uneven(&team);
	team.run.ready_ns = 1180 * MS;
	ck_assert_ptr_null(find(&team, "omp-imbalance"));
	end(&team);
}
END_TEST

START_TEST(serial_time_is_found_once)
{
	struct team team;

	begin(&team);
	team.run.omp.totals.serial_ns = 500 * MS;
	team.run.omp.totals.region_ns = 500 * MS;
	team.run.omp.totals.lost_serial_ns = 500 * MS;
	lose(&team, 500 * MS);
	const struct finding *finding = find(&team, "omp-serial");

	ck_assert_ptr_nonnull(finding);
	ck_assert_double_eq_tol(finding->severity_percent, 25, 1e-6);
	ASSERT_SAYS(finding, "500 ms outside of regions");
	ck_assert_ptr_null(find(&team, "sequential"));
	end(&team);
}
END_TEST

static struct routine_time own_routine(struct team *team, const char *name, uint64_t self_ns,
				       uint64_t serial_ns)
{
	return (struct routine_time){
		.routine = names_number(team->run.names, name, "/bin/program", NULL),
		.samples = 100,
		.self_ns = self_ns,
		.total_ns = self_ns,
		.serial_ns = serial_ns,
		.total_serial_ns = serial_ns};
}

/* Teams call the kernel as well, and main is in all that the first thread does. */
START_TEST(the_place_of_serial_time_is_what_runs_outside_of_regions)
{
	struct team team;

	begin(&team);
	team.run.omp.totals.serial_ns = 500 * MS;
	team.run.omp.totals.region_ns = 500 * MS;
	team.run.omp.totals.lost_serial_ns = 500 * MS;
	lose(&team, 500 * MS);
	struct routine_time rows[] = {
		own_routine(&team, "kernel", 900 * MS, 380 * MS),
		own_routine(&team, "prepare_all", 0, 0),
		own_routine(&team, "prepare", 20 * MS, 20 * MS),
		own_routine(&team, "read_input", 60 * MS, 60 * MS),
		own_routine(&team, "main", 20 * MS, 20 * MS),
	};

	rows[1].total_ns = rows[1].total_serial_ns = 420 * MS;
	rows[2].total_ns = rows[2].total_serial_ns = 400 * MS;
	rows[4].total_ns = 1000 * MS;
	rows[4].total_serial_ns = 480 * MS;
	team.run.routines = (struct routine_times){.rows = rows, .count = 5};
	const struct finding *finding = find(&team, "omp-serial");

	ck_assert_str_eq(finding->steps[0].name, "prepare");
	ck_assert_double_eq_tol(finding->steps[0].share_percent, 100 * 400. / 480, 1e-6);
	ASSERT_SAYS(finding, "outside ran mostly prepare: 400 ms");
	names_set_inlined(team.run.names, rows[2].routine); /* its caller, if it is a leaf */
	rows[2].self_ns = rows[2].serial_ns = 400 * MS;
	rows[0].serial_ns = rows[0].total_serial_ns = 0;
	ck_assert_str_eq(find(&team, "omp-serial")->steps[0].name, "prepare_all");
	for (size_t i = 0; i < 5; i++) /* no sample was outside */
		rows[i].serial_ns = rows[i].total_serial_ns = 0;
	ck_assert_uint_eq(find(&team, "omp-serial")->step_count, 0);
	end(&team);
}
END_TEST

START_TEST(locks_are_found_in_the_words_of_openmp)
{
	struct team team;

	begin(&team);
	team.lock = (struct sync_row){
		.operation = OP_CRITICAL, .cause = CAUSE_OPENMP, .count = 9, .wait_ns = SECOND / 2};
	team.run.synchronization.rows = &team.lock;
	team.run.synchronization.count = 1;
	lose(&team, 500 * MS);
	const struct finding *finding = find(&team, "omp-lock");

	ck_assert_ptr_nonnull(finding);
	ck_assert_double_eq_tol(finding->severity_percent, 25, 1e-6);
	ASSERT_SAYS(finding, "of waiting for till");
	ck_assert_str_eq(finding->steps[finding->step_count - 1].name, "till");
	ck_assert_ptr_nonnull(strstr(finding->advice, "reduction"));
	ck_assert_ptr_null(find(&team, "lock-contention"));
	team.construct = (struct omp_construct_row){
		.construct = OMP_CONSTRUCT_CRITICAL, .time_ns = 500 * MS, .ns = 500 * MS};
	team.region.construct_count = 1;
	ASSERT_ADVICE(&team, "critical");
	end(&team);
}
END_TEST

/* 8 million times 20 ns, of 2 s of CPU time on two processors. */
START_TEST(a_critical_section_costs_by_being_entered)
{
	struct team team;

	begin(&team);
	team.lock =
		(struct sync_row){.operation = OP_CRITICAL, .cause = CAUSE_OTHER, .count = 8000000};
	team.run.synchronization.rows = &team.lock;
	team.run.synchronization.count = 1;
	const struct finding *finding = find(&team, "omp-lock");

	ck_assert_ptr_nonnull(finding);
	ck_assert_double_eq_tol(finding->severity_percent, 8, 1e-6);
	ck_assert_int_eq(finding->grade, GRADE_ESTIMATED);
	ck_assert_str_eq(finding->title, "OpenMP locks are entered very often for very little");
	ASSERT_SAYS(finding, "till was entered 8000000 times; without a wait that takes about 20 "
			     "ns each, for all of them 160 ms");
	ck_assert_str_eq(finding->steps[0].name, "till");
	team.lock.cause = CAUSE_OPENMP; /* half of them with a short wait */
	team.lock.contended = 4000000;
	team.lock.wait_ns = 400 * MS;
	lose(&team, 400 * MS);
	finding = find(&team, "omp-lock");
	ck_assert_double_eq_tol(finding->severity_percent, 28, 1e-6);
	ASSERT_SAYS(finding, "400 ms of waiting for till");
	ASSERT_SAYS(finding, "about 160 ms of CPU time for handing them over 8000000 times");
	team.lock.contended = 79999; /* less than one in a hundred */
	ASSERT_SAYS(find(&team, "omp-lock"),
		    "till was entered 8000000 times; without a wait that takes about 20 ns each, "
		    "for all of them 160 ms");
	team.lock.count = 1000000; /* 20 ms beside 400 */
	ck_assert_ptr_null(strstr(find(&team, "omp-lock")->evidence, "million"));
	end(&team);
}
END_TEST

START_TEST(short_regions_are_found)
{
	struct team team;

	begin(&team);
	team.region.count = 20000; /* 50 us each */
	team.region.team_count = 40000;
	team.region.fork_ns = 200 * MS;
	team.region.join_ns = team.region.barrier_ns = 400 * MS;
	lose(&team, 600 * MS);
	const struct finding *finding = find(&team, "omp-short-regions");

	ck_assert_ptr_nonnull(finding);
	ck_assert_double_eq_tol(finding->severity_percent, 30, 1e-6);
	ASSERT_SAYS(finding, "20000 executions of 50.0 us");
	ASSERT_ADVICE(&team, "fewer, longer regions");
	ck_assert_ptr_null(find(&team, "omp-imbalance"));
	end(&team);
}
END_TEST

START_TEST(small_pieces_are_found)
{
	struct team team;

	begin(&team);
	team.construct = (struct omp_construct_row){.construct = OMP_CONSTRUCT_LOOP,
						    .routine = team.region.place.routine,
						    .line = team.region.place.line,
						    .count = 20,
						    .pieces = 1e6};
	team.region.construct_count = 1;
	team.region.scheduling_ns = 300 * MS; /* a part of the work */
	const struct finding *finding = find(&team, "omp-small-pieces");

	ck_assert_ptr_nonnull(finding);
	ck_assert_double_eq_tol(finding->severity_percent, 15, 1e-6);
	ASSERT_SAYS(finding, "1000000 pieces with 2.00 us of work each");
	ASSERT_ADVICE(&team, "larger chunks");
	team.region.scheduling_ns = NAN; /* nothing was timed */
	ck_assert_ptr_null(find(&team, "omp-small-pieces"));
	end(&team);
}
END_TEST

/* Two members take 10 million pixels by turns, 150 ns each; samples of 0.45 s were in the runtime,
 * which spun for 0.05 s. */
START_TEST(pieces_taken_by_turns_cost_more_than_is_measured)
{
	struct team team;

	begin(&team);
	team.construct = (struct omp_construct_row){.construct = OMP_CONSTRUCT_LOOP,
						    .routine = team.region.place.routine,
						    .line = team.region.place.line,
						    .count = 20,
						    .pieces = 1e7};
	team.region.construct_count = 1;
	team.region.work_ns = 1500 * MS;
	team.region.scheduling_ns = 200 * MS;
	team.run.omp.totals.spin_ns = 50 * MS;
	team.routine = (struct routine_time){
		.routine = names_number(team.run.names, "dynamic", "/lib/libgomp.so.1", NULL),
		.samples = 200,
		.self_ns = 450000000};
	const struct finding *finding = find(&team, "omp-small-pieces");

	ck_assert_double_eq_tol(finding->severity_percent, 40, 1e-6);
	ck_assert_int_eq(finding->grade, GRADE_ESTIMATED);
	ASSERT_SAYS(finding, "200 ms in handing out pieces of loops, about 800 ms with the memory "
			     "that members take from each other; most in compute: 10000000 pieces "
			     "with 150 ns of work each, all of that included");
	team.region.work_ns = 600 * MS; /* not more than all of the work */
	ck_assert_double_eq_tol(find(&team, "omp-small-pieces")->severity_percent, 30, 1e-6);
	team.region.team_count = 10; /* of one member each: nothing travels */
	finding = find(&team, "omp-small-pieces");
	ck_assert_double_eq_tol(finding->severity_percent, 10, 1e-6);
	ck_assert_int_eq(finding->grade, GRADE_SAMPLED);
	team.region.team_count = 20;
	team.construct.pieces = 1e6; /* no more than 150 ns for each line */
	ck_assert_double_eq_tol(find(&team, "omp-small-pieces")->severity_percent, 15, 1e-6);
	team.region.work_ns = 1500 * MS; /* larger ones: 1.5 us each */
	ck_assert_double_eq_tol(find(&team, "omp-small-pieces")->severity_percent, 10, 1e-6);
	end(&team);
}
END_TEST

/* 10 million times, of which the samples explain 0.4 s. */
START_TEST(handing_over_locks_costs_cpu_time)
{
	struct team team;

	begin(&team);
	team.lock = (struct sync_row){.operation = OP_CRITICAL,
				      .cause = CAUSE_OPENMP,
				      .count = 10000000,
				      .contended = 10000000,
				      .wait_ns = 600 * MS};
	team.run.synchronization.rows = &team.lock;
	team.run.synchronization.count = 1;
	team.run.omp.totals.spin_ns = 600 * MS;
	lose(&team, 600 * MS);
	team.routine = (struct routine_time){
		.routine = names_number(team.run.names, "[profiler]", "", NULL),
		.samples = 250,
		.self_ns = 1000000000};
	const struct finding *finding = find(&team, "omp-lock");

	ck_assert_double_eq_tol(finding->severity_percent, 50, 1e-6);
	ck_assert_int_eq(finding->grade, GRADE_ESTIMATED);
	ASSERT_SAYS(finding, "600 ms of waiting for till");
	ASSERT_SAYS(finding, "about 400 ms of CPU time for handing them over 10000000 times");
	team.lock.count = team.lock.contended = 2000000; /* 0.3 s */
	ck_assert_double_eq_tol(find(&team, "omp-lock")->severity_percent, 45, 1e-6);
	team.lock.count = team.lock.contended = 1000; /* 0.08 ms */
	finding = find(&team, "omp-lock");
	ck_assert_double_eq_tol(finding->severity_percent, 30, 1e-6);
	ck_assert_int_eq(finding->grade, GRADE_EXACT);
	end(&team);
}
END_TEST

START_TEST(small_tasks_are_found)
{
	struct team team;

	begin(&team);
	team.task.executed = team.task.created = 1e6;
	team.task.work_ns = 1000 * MS;
	team.region.task_count = 1;
	team.region.task_wait_ns = 500 * MS;
	lose(&team, 500 * MS);
	const struct finding *finding = find(&team, "omp-small-tasks");

	ck_assert_ptr_nonnull(finding);
	ck_assert_double_eq_tol(finding->severity_percent, 25, 1e-6);
	ASSERT_SAYS(finding, "1000000 tasks with 1.00 us of work each");
	ASSERT_ADVICE(&team, "fewer, larger tasks");
	end(&team);
}
END_TEST

/* Of the CPU time in the runtime 0.2 s were spinning. */
START_TEST(tasks_cost_on_the_processors_as_well)
{
	struct team team;

	begin(&team);
	team.task.executed = team.task.created = 1e6;
	team.task.work_ns = 1000 * MS;
	team.region.task_count = 1;
	team.region.task_wait_ns = 500 * MS;
	team.run.omp.totals.spin_ns = 200 * MS;
	lose(&team, 500 * MS);
	team.routine = (struct routine_time){
		.routine = names_number(team.run.names, "GOMP_task", "/lib/libgomp.so.1", NULL),
		.samples = 200,
		.self_ns = 800000000};
	const struct finding *finding = find(&team, "omp-small-tasks");

	/* 0.5 s of waiting and 0.6 s of work, of 2 s on two processors */
	ck_assert_double_eq_tol(finding->severity_percent, 55, 1e-6);
	ck_assert_int_eq(finding->grade, GRADE_ESTIMATED);
	ASSERT_SAYS(finding,
		    "500 ms of waiting while tasks were made, queued and fetched, and about "
		    "600 ms of work on that; most by");
	team.routine.self_ns = 1500000000; /* no more than 1 us for each of a million */
	ck_assert_double_eq_tol(find(&team, "omp-small-tasks")->severity_percent, 75, 1e-6);
	team.routine.self_ns = 100000000; /* all of it was spinning */
	finding = find(&team, "omp-small-tasks");
	ck_assert_double_eq_tol(finding->severity_percent, 25, 1e-6);
	ck_assert_int_eq(finding->grade, GRADE_EXACT);
	end(&team);
}
END_TEST

/* Four threads on two processors: two are always ready. */
START_TEST(large_teams_are_found_once)
{
	struct team team;

	begin(&team);
	team.run.omp.totals.threads = 4;
	team.run.omp.totals.spin_ns = 800 * MS;
	team.file.process.threads_peak = 4;
	team.run.ready_ns = 2 * SECOND;
	lose(&team, 800 * MS);
	const struct finding *finding = find(&team, "omp-oversubscription");

	ck_assert_ptr_nonnull(finding);
	ck_assert_double_eq_tol(finding->severity_percent, 50, 1e-6);
	ASSERT_SAYS(finding, "up to 4 threads on 2 processors");
	ck_assert_ptr_null(find(&team, "oversubscription"));
	finding = find(&team, "omp-spinning");
	ck_assert_ptr_nonnull(finding);
	ck_assert_double_eq_tol(finding->severity_percent, 40, 1e-6);
	team.run.omp.totals.wait_policy = OMP_WAIT_PASSIVE;
	ck_assert_ptr_null(find(&team, "omp-spinning"));
	end(&team);
}
END_TEST

/* Four threads that had half of the processors: with all of these two would have been ready for
 * half of the second, each. What is left is the other programs'. */
START_TEST(teams_and_other_programs_are_told_apart)
{
	struct team team;

	begin(&team);
	team.run.omp.totals.threads = 4;
	team.file.process.threads_peak = 4;
	team.run.cpu_ns = SECOND;
	team.run.ready_ns = 3 * SECOND;
	team.run.efficiency_percent = 50;
	const struct finding *finding = find(&team, "omp-oversubscription");

	ck_assert_double_eq_tol(finding->severity_percent, 50, 1e-6);
	ASSERT_SAYS(finding, "threads were ready to run for 3.00 s, of which these explain 1.00 s");
	finding = find(&team, "oversubscription");
	ck_assert_int_eq(finding->kind, FINDING_ENVIRONMENT);
	ASSERT_SAYS(finding, "of which other programs explain 2.00 s");
	end(&team);
}
END_TEST

/* Two threads of a team, each of which starts teams of four for all of the second. */
static void make_nested(struct team *team, struct omp_region rows[2])
{
	rows[0] = rows[1] = team->region;
	rows[0].parent = 1;
	rows[0].team_min = rows[0].team_max = 4;
	rows[0].count = 20;
	rows[0].team_count = 80;
	rows[0].elapsed_ns = 2000 * MS;
	rows[0].place.routine = names_special(team->run.names, "inner");
	team->run.omp.regions.rows = rows;
	team->run.omp.regions.count = 2;
	team->run.ready_ns = 6 * SECOND;
	team->file.process.threads_peak = 8;
	lose(team, 800 * MS);
}

START_TEST(teams_within_teams_are_found_once)
{
	struct team team;
	struct omp_region rows[2];

	begin(&team);
	make_nested(&team, rows);
	const struct finding *finding = find(&team, "nested-teams");

	ck_assert_ptr_nonnull(finding);
	ck_assert_double_eq_tol(finding->severity_percent, 75, 1e-6);
	ASSERT_SAYS(finding, "2 x 4 threads on 2 processors: in compute, 2 threads at once start "
			     "teams of 4 in inner; threads were ready");
	ck_assert_str_eq(finding->steps[0].name, "inner");
	team.run.omp.totals.threads = 4; /* an outer team that is too large by itself */
	ck_assert_ptr_null(find(&team, "omp-oversubscription"));
	ck_assert_ptr_null(find(&team, "oversubscription"));
	end(&team);
}
END_TEST

/* One member of the outer team starts the inner ones, or they have one thread each. */
START_TEST(a_team_of_one_or_of_one_member_is_not_nested)
{
	struct team team;
	struct omp_region rows[2];

	begin(&team);
	make_nested(&team, rows);
	rows[0].elapsed_ns = 1000 * MS;
	ck_assert_ptr_null(find(&team, "nested-teams"));
	rows[0].elapsed_ns = 2000 * MS;
	rows[0].team_count = 20;
	ck_assert_ptr_null(find(&team, "nested-teams"));
	rows[0].team_count = 80;
	team.run.omp.totals.processors = 8;
	ck_assert_ptr_null(find(&team, "nested-teams"));
	end(&team);
}
END_TEST

START_TEST(sleeping_through_short_waits_is_found)
{
	struct team team;

	begin(&team);
	team.run.omp.totals.wait_policy = OMP_WAIT_PASSIVE;
	team.run.omp.totals.blocked_ns = 400 * MS;
	team.run.omp.totals.switches = 10000; /* 40 us each */
	lose(&team, 400 * MS);
	const struct finding *finding = find(&team, "omp-blocking");

	ck_assert_ptr_nonnull(finding);
	ck_assert_double_eq_tol(finding->severity_percent, 20, 1e-6);
	ASSERT_SAYS(finding, "for 40.0 us on average");
	team.run.omp.totals.switches = 4; /* long waits are what sleeping is for */
	ck_assert_ptr_null(find(&team, "omp-blocking"));
	end(&team);
}
END_TEST

START_TEST(barriers_of_equal_members_ask_for_nowait)
{
	struct team team;

	begin(&team);
	struct omp_construct_row barriers[2] = {{.construct = OMP_CONSTRUCT_BARRIER},
						{.construct = OMP_CONSTRUCT_LOOP_END}};

	team.region.barrier_ns = 400 * MS;
	team.region.constructs = barriers;
	team.region.construct_count = 2;
	ASSERT_ADVICE(&team, "no barrier (after a loop: nowait)");
	team.region.construct_count = 1; /* behind which there may be nothing */
	ck_assert_ptr_null(omp_advice_for(&team.region));
	team.region.constructs = &team.construct;
	team.construct = (struct omp_construct_row){
		.construct = OMP_CONSTRUCT_SINGLE_END, .time_ns = 300 * MS, .ns = 300 * MS};
	team.region.construct_count = 1;
	ASSERT_ADVICE(&team, "let the others go on");
	end(&team);
}
END_TEST

UNIT_MAIN("finding_omp", a_good_run_has_no_finding, uneven_work_is_found,
	  who_is_ready_to_spin_makes_no_work_unequal,
	  members_that_had_no_processor_have_unequal_work_for_all_that,
	  unequal_work_that_ends_at_once_is_found_beside_other_programs, serial_time_is_found_once,
	  the_place_of_serial_time_is_what_runs_outside_of_regions,
	  locks_are_found_in_the_words_of_openmp, a_critical_section_costs_by_being_entered,
	  short_regions_are_found, small_pieces_are_found,
	  pieces_taken_by_turns_cost_more_than_is_measured, handing_over_locks_costs_cpu_time,
	  small_tasks_are_found, tasks_cost_on_the_processors_as_well, large_teams_are_found_once,
	  teams_and_other_programs_are_told_apart, teams_within_teams_are_found_once,
	  a_team_of_one_or_of_one_member_is_not_nested, sleeping_through_short_waits_is_found,
	  barriers_of_equal_members_ask_for_nowait)

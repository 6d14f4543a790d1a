/* SPDX-License-Identifier: MIT */
/* Each rule on threads, their waits and their grain, with a run that has the problem and with one
 * that has not; what is at stake, and where. */
#include "analyze/model/finding.h"
#include "analyze/model/run.h"
#include "preload/vocabulary.h"
#include "tests/unit/unit.h"

#include <math.h>
#include <string.h>

#define MS     1000000ull
#define SECOND 1000000000ull
#define ROWS   3

/* A main thread that waits for two others, which work all of the second on two processors. A test
 * spoils one thing. */
struct scene {
	struct symbolizer *symbolizer;
	struct run_process file;
	struct process process;
	struct profile_thread rows[ROWS];
	struct thread_time threads[ROWS];
	struct efficiency_level levels[2][3];
	struct routine_time routines[2];
	struct sync_row syncs[2];
	struct sync_site site;
	struct sync_object objects[2];
	char *names[2];
	struct run run;
};

static struct efficiency efficiency_of_levels(struct efficiency_level *levels)
{
	return (struct efficiency){.levels = levels,
				   .level_count = 3,
				   .total_ns = SECOND,
				   .average = 2,
				   .efficiency_percent = 100};
}

static void begin_threads(struct scene *scene)
{
	for (size_t i = 0; i < ROWS; i++) {
		scene->rows[i] = (struct profile_thread){
			.tid = (uint32_t)(10 + i), .lives = 1, .flags = i ? 0 : THREAD_FIRST};
		scene->threads[i] = (struct thread_time){.thread = &scene->rows[i],
							 .lifetime_ns = SECOND,
							 .user_ns = i ? SECOND : 0};
	}
	scene->process = (struct process){.file = &scene->file,
					  .rank = MPI_NO_RANK,
					  .threads = scene->threads,
					  .thread_count = ROWS};
	scene->file.process.threads_peak = scene->file.process.threads_started = ROWS;
	scene->file.process.processors = 2;
}

static void begin(struct scene *scene)
{
	*scene =
		(struct scene){.symbolizer = symbolizer_create(NULL), .names = {"first", "second"}};
	scene->run = (struct run){
		.names = names_create(scene->symbolizer),
		.processes = &scene->process,
		.process_count = 1,
		.focus = &scene->process,
		.processors = 2,
		.elapsed_ns = SECOND,
		.cpu_ns = 2 * SECOND,
		.efficiency_percent = 100,
		.on_processor = efficiency_of_levels(scene->levels[0]),
		.useful = efficiency_of_levels(scene->levels[1]),
		.routines = {.rows = scene->routines, .count = 1},
		.synchronization = {.objects = scene->objects,
				    .names = scene->names,
				    .rows = scene->syncs},
	};
	begin_threads(scene);
	scene->objects[0].kind = scene->objects[1].kind = "mutex";
	scene->routines[0] = (struct routine_time){
		.routine = names_special(scene->run.names, "work"),
		.samples = 400,
		.self_ns = 2 * SECOND,
		.spread = {.count = 2, .mean_ns = 1e9, .max_ns = 1e9, .max_tid = 11}};
	scene->site.routine = scene->routines[0].routine;
}

static void end(struct scene *scene)
{
	findings_free(scene->run.findings, scene->run.finding_count);
	names_destroy(scene->run.names);
	symbolizer_destroy(scene->symbolizer);
}

/* Half of each of the two processors is idle. */
static void make_idle(struct scene *scene)
{
	scene->run.cpu_ns = SECOND;
	scene->run.efficiency_percent = 50;
	scene->run.useful.efficiency_percent = 50;
	scene->run.useful.average = scene->run.on_processor.average = 1;
	scene->run.on_processor.efficiency_percent = 50;
	for (size_t i = 1; i < ROWS; i++)
		scene->threads[i].user_ns = SECOND / 2;
}

/* Row 0 of the synchronization. */
static void make_wait(struct scene *scene, enum operation operation, enum cause cause,
		      uint64_t count, uint64_t wait_ns)
{
	scene->syncs[0] = (struct sync_row){.operation = operation,
					    .cause = cause,
					    .count = count,
					    .contended = count,
					    .wait_ns = wait_ns,
					    .waiters = {.rows = &scene->site, .count = 1}};
	scene->site.time_ns = wait_ns;
	scene->run.synchronization.count = 1;
	scene->run.synchronization.wait_ns_by_cause[cause] = wait_ns;
}

/* Thread i blocked for a cause. */
static void block(struct scene *scene, size_t i, enum cause cause, uint64_t ns)
{
	scene->threads[i].by_cause_ns[cause] += ns;
	scene->process.sum.by_cause_ns[cause] += ns;
}

static void make_alone(struct scene *scene, uint64_t alone_ns, double most_of_one)
{
	scene->levels[0][1] = (struct efficiency_level){1, alone_ns};
	scene->routines[0].alone_ns = alone_ns;
	scene->routines[0].spread.max_ns = most_of_one * 2e9;
}

static void check(const struct finding *finding)
{
	ck_assert_double_ge(finding->severity_percent, 0);
	ck_assert_double_le(finding->severity_percent, 100);
	ck_assert_double_ge(finding->elapsed_percent, 0);
	ck_assert_double_le(finding->elapsed_percent, 100);
	ck_assert_ptr_nonnull(finding->evidence);
	ck_assert_ptr_nonnull(finding->reason);
	for (size_t i = 0; i < finding->step_count; i++) {
		ck_assert_double_gt(finding->steps[i].share_percent, 0);
		ck_assert_double_le(finding->steps[i].share_percent, 100);
	}
}

static const struct finding *find(struct scene *scene, const char *id)
{
	struct run *run = &scene->run;
	const struct finding *found = NULL;

	findings_free(run->findings, run->finding_count);
	run->findings = findings_of(run, &run->finding_count);
	for (size_t i = 0; i < run->finding_count; i++) {
		check(&run->findings[i]);
		if (!strcmp(run->findings[i].id, id))
			found = &run->findings[i];
	}
	return found;
}

static const struct finding_step *step(const struct finding *finding, enum finding_level level)
{
	for (size_t i = 0; i < finding->step_count; i++)
		if (finding->steps[i].level == level)
			return &finding->steps[i];
	return NULL;
}

#define ASSERT_SAYS(finding, text)                                                                 \
	ck_assert_msg(strstr((finding)->evidence, text), "not there: %s", (finding)->evidence)

START_TEST(a_good_run_has_no_finding)
{
	struct scene scene;

	begin(&scene);
	ck_assert_ptr_null(find(&scene, "sequential"));
	ck_assert_uint_eq(scene.run.finding_count, 0);
	end(&scene);
}
END_TEST

/* 0.8 s of 2 s; without it the work, 1 s of 2, would take 1 / 1.8 of the time. */
START_TEST(a_lock_is_found_with_thread_routine_and_object)
{
	struct scene scene;

	begin(&scene);
	make_idle(&scene);
	make_wait(&scene, OP_MUTEX_LOCK, CAUSE_MUTEX, 10, 800 * MS);
	block(&scene, 1, CAUSE_MUTEX, 800 * MS);
	const struct finding *finding = find(&scene, "lock-contention");

	ck_assert_ptr_nonnull(finding);
	ck_assert_ptr_eq(finding, scene.run.findings);
	ck_assert_double_eq_tol(finding->severity_percent, 40, 1e-9);
	ck_assert_double_eq_tol(finding->elapsed_percent, 100 * 0.4 / 0.9, 1e-9);
	ck_assert_double_eq_tol(finding->elapsed_ns, 1e9 * 0.4 / 0.9, 1e-3);
	ck_assert_int_eq(finding->grade, GRADE_EXACT);
	ck_assert_str_eq(step(finding, FINDING_THREAD)->name, "11");
	ck_assert_str_eq(step(finding, FINDING_ROUTINE)->name, "work");
	ck_assert_str_eq(step(finding, FINDING_OBJECT)->name, "first");
	ck_assert(step(finding, FINDING_OBJECT)->is_single);
	end(&scene);
}
END_TEST

START_TEST(refinement_ends_where_nobody_has_most)
{
	struct scene scene;

	begin(&scene);
	make_idle(&scene);
	make_wait(&scene, OP_MUTEX_LOCK, CAUSE_MUTEX, 10, 400 * MS);
	scene.syncs[1] = scene.syncs[0];
	scene.syncs[1].object = 1;
	scene.run.synchronization.count = 2;
	block(&scene, 1, CAUSE_MUTEX, 420 * MS);
	block(&scene, 2, CAUSE_MUTEX, 380 * MS);
	const struct finding *finding = find(&scene, "lock-contention");

	ck_assert_ptr_nonnull(finding);
	ck_assert(!step(finding, FINDING_THREAD)->is_single);
	ck_assert_uint_eq(step(finding, FINDING_THREAD)->among, 2);
	ck_assert_double_eq_tol(step(finding, FINDING_THREAD)->share_percent, 52.5, 1e-9);
	ck_assert(!step(finding, FINDING_OBJECT)->is_single);
	end(&scene);
}
END_TEST

/* Both were on a processor whenever they got one; others had it for the rest. */
START_TEST(time_that_others_took_is_not_sequential)
{
	struct scene scene;

	begin(&scene);
	make_idle(&scene);
	make_alone(&scene, 900 * MS, 0.5);
	ck_assert_ptr_nonnull(find(&scene, "sequential"));
	scene.run.ready_ns = scene.process.ready_ns = 900 * MS;
	scene.file.process.threads_peak = 2;
	ck_assert_ptr_null(find(&scene, "sequential"));
	ck_assert_ptr_nonnull(find(&scene, "oversubscription"));
	end(&scene);
}
END_TEST

/* What is at stake is never more than what is idle. */
START_TEST(nothing_is_lost_while_all_processors_are_busy)
{
	struct scene scene;

	begin(&scene);
	make_wait(&scene, OP_MUTEX_LOCK, CAUSE_MUTEX, 10, 800 * MS);
	ck_assert_ptr_null(find(&scene, "lock-contention"));
	scene.run.efficiency_percent = scene.run.useful.efficiency_percent = 94;
	const struct finding *finding = find(&scene, "lock-contention");

	ck_assert_ptr_nonnull(finding);
	ck_assert_double_eq_tol(finding->severity_percent, 6, 1e-9);
	ck_assert_double_eq_tol(finding->elapsed_percent, 6, 1e-9);
	scene.run.efficiency_percent = scene.run.useful.efficiency_percent = 96;
	ck_assert_ptr_null(find(&scene, "lock-contention"));
	end(&scene);
}
END_TEST

/* 0.8 s of waiting by a thread that was blocked for 0.3 s and ready for 0.5 s: others had the
 * processors. */
START_TEST(a_lock_costs_what_threads_are_blocked_for_it)
{
	struct scene scene;

	begin(&scene);
	make_idle(&scene);
	make_wait(&scene, OP_MUTEX_LOCK, CAUSE_MUTEX, 10, 800 * MS);
	block(&scene, 1, CAUSE_MUTEX, 300 * MS);
	scene.threads[1].ready_ns = 500 * MS;
	const struct finding *finding = find(&scene, "lock-contention");

	ck_assert_ptr_nonnull(finding);
	ck_assert_double_eq_tol(finding->severity_percent, 15, 1e-9);
	ck_assert_int_eq(finding->grade, GRADE_EXACT);
	ASSERT_SAYS(finding, "for 0.5 s of 0.8 s waiting threads were ready");
	/* who did not wait may have been ready for any time */
	scene.threads[1].ready_ns = 0;
	scene.threads[2].ready_ns = 900 * MS;
	finding = find(&scene, "lock-contention");
	ck_assert_double_eq_tol(finding->severity_percent, 40, 1e-9);
	ck_assert_ptr_null(strstr(finding->evidence, "ready"));
	end(&scene);
}
END_TEST

/* 0.1 s of 0.8 s ready, 0.3 s blocked: 0.4 s were on a processor, and waited all the same. */
START_TEST(time_on_a_processor_in_a_wait_is_lost_to_it)
{
	struct scene scene;

	begin(&scene);
	make_idle(&scene);
	make_wait(&scene, OP_MUTEX_LOCK, CAUSE_MUTEX, 200000, 800 * MS);
	block(&scene, 1, CAUSE_MUTEX, 300 * MS);
	scene.threads[1].ready_ns = 100 * MS;
	scene.threads[1].blocked_grade = GRADE_ESTIMATED;
	const struct finding *finding = find(&scene, "lock-contention");

	ck_assert_ptr_nonnull(finding);
	ck_assert_double_eq_tol(finding->severity_percent, 35, 1e-9);
	ck_assert_int_eq(finding->grade, GRADE_ESTIMATED);
	/* blocked is never more than waiting, whatever the rows say */
	block(&scene, 1, CAUSE_MUTEX, 900 * MS);
	finding = find(&scene, "lock-contention");
	ck_assert_double_eq_tol(finding->severity_percent, 40, 1e-9);
	ck_assert_int_eq(finding->grade, GRADE_EXACT);
	end(&scene);
}
END_TEST

/* Without rows of threads the ready time is that of the process. */
START_TEST(a_process_without_rows_waits_as_a_whole)
{
	struct scene scene;

	begin(&scene);
	make_idle(&scene);
	make_wait(&scene, OP_BARRIER_WAIT, CAUSE_BARRIER, 10, 800 * MS);
	block(&scene, 1, CAUSE_BARRIER, 300 * MS);
	scene.process.sum.ready_ns = 500 * MS;
	scene.process.threads = NULL;
	scene.process.thread_count = 0;
	const struct finding *finding = find(&scene, "barrier-wait");

	ck_assert_ptr_nonnull(finding);
	ck_assert_double_eq_tol(finding->severity_percent, 15, 1e-9);
	end(&scene);
}
END_TEST

START_TEST(of_several_pairs_the_first_is_named)
{
	struct scene scene;

	begin(&scene);
	make_idle(&scene);
	make_wait(&scene, OP_MUTEX_LOCK, CAUSE_MUTEX, 10, 800 * MS);
	size_t flush = names_special(scene.run.names, "flush");
	size_t other = names_special(scene.run.names, "[other]");
	struct sync_pair pairs[] = {
		{.holder = flush, .victim = scene.site.routine, .time_ns = 400 * MS},
		{.holder = flush, .victim = other, .time_ns = 400 * MS},
	};

	scene.syncs[0].pairs = (struct sync_pairs){.rows = pairs, .count = 2};
	ASSERT_SAYS(find(&scene, "lock-contention"), "between two: work for flush, 50 %");
	pairs[0].grade = GRADE_ESTIMATED;
	ASSERT_SAYS(find(&scene, "lock-contention"), "between two: work for flush, about 50 %");
	/* no news: the only pair, a routine and itself, and what is no routine */
	scene.syncs[0].pairs.count = 1;
	ck_assert_ptr_null(strstr(find(&scene, "lock-contention")->evidence, "between"));
	scene.syncs[0].pairs.count = 2;
	pairs[0].victim = flush;
	ck_assert_ptr_null(strstr(find(&scene, "lock-contention")->evidence, "between"));
	pairs[0].victim = other;
	ck_assert_ptr_null(strstr(find(&scene, "lock-contention")->evidence, "between"));
	end(&scene);
}
END_TEST

START_TEST(short_waits_for_a_lock_ask_for_fewer_lockings)
{
	struct scene scene;

	begin(&scene);
	make_idle(&scene);
	make_wait(&scene, OP_MUTEX_LOCK, CAUSE_MUTEX, 200000, 800 * MS);
	const struct finding *finding = find(&scene, "lock-contention");

	ASSERT_SAYS(finding, "200000 waits of 4 us");
	ck_assert_ptr_nonnull(strstr(finding->advice, "less often"));
	end(&scene);
}
END_TEST

START_TEST(a_spinlock_is_spinning_and_looks_busy)
{
	struct scene scene;

	begin(&scene);
	make_wait(&scene, OP_SPIN_LOCK, CAUSE_SPINLOCK, 10, 900 * MS);
	scene.run.useful.efficiency_percent = 55;
	scene.run.useful.average = 1.1;
	const struct finding *finding = find(&scene, "spin-wait");

	ck_assert_ptr_nonnull(finding);
	ck_assert_double_eq_tol(finding->severity_percent, 45, 1e-9);
	ck_assert_ptr_null(find(&scene, "lock-contention"));
	finding = find(&scene, "false-parallelism");
	ck_assert_ptr_nonnull(finding);
	ck_assert_double_eq_tol(finding->severity_percent, 45, 1e-9);
	ck_assert_int_eq(finding->kind, FINDING_SYMPTOM);
	ASSERT_SAYS(finding, "0.9 s of waiting for spinlocks");
	scene.run.useful.average = 1.9;
	ck_assert_ptr_null(find(&scene, "false-parallelism"));
	end(&scene);
}
END_TEST

/* A program that is mostly idle fools nobody. */
START_TEST(an_idle_program_is_not_falsely_parallel)
{
	struct scene scene;

	begin(&scene);
	make_idle(&scene);
	scene.run.on_processor.efficiency_percent = 45;
	scene.run.useful.average = 0.5;
	ck_assert_ptr_null(find(&scene, "false-parallelism"));
	end(&scene);
}
END_TEST

static void make_yields(struct scene *scene, uint64_t self_ns)
{
	scene->routines[1] = (struct routine_time){
		.routine = names_special(scene->run.names, "__sched_yield"),
		.samples = 50,
		.self_ns = self_ns,
		.spread = {.count = 1, .mean_ns = (double)self_ns, .max_ns = (double)self_ns}};
	scene->run.routines.count = 2;
	make_wait(scene, OP_YIELD, CAUSE_OTHER, 100000, 0);
}

START_TEST(a_loop_around_sched_yield_is_spinning)
{
	struct scene scene;

	begin(&scene);
	make_yields(&scene, 300 * MS);
	const struct finding *finding = find(&scene, "spin-wait");

	ck_assert_ptr_nonnull(finding);
	ck_assert_double_eq_tol(finding->severity_percent, 15, 1e-9);
	ck_assert_int_eq(finding->grade, GRADE_SAMPLED);
	ASSERT_SAYS(finding, "0.3 s of CPU time inside of 100000 calls");
	make_yields(&scene, 50 * MS);
	ck_assert_ptr_null(find(&scene, "spin-wait"));
	end(&scene);
}
END_TEST

START_TEST(sleep_is_found_with_its_routine)
{
	struct scene scene;

	begin(&scene);
	make_idle(&scene);
	make_wait(&scene, OP_NANOSLEEP, CAUSE_SLEEP, 4, 900 * MS);
	scene.objects[0].kind = "call";
	block(&scene, 1, CAUSE_SLEEP, 500 * MS);
	block(&scene, 2, CAUSE_SLEEP, 400 * MS);
	const struct finding *finding = find(&scene, "sleep");

	ck_assert_ptr_nonnull(finding);
	ck_assert_double_eq_tol(finding->severity_percent, 45, 1e-9);
	ck_assert_str_eq(finding->title, "threads sleep");
	ck_assert_ptr_nonnull(step(finding, FINDING_CALL));
	ck_assert_ptr_null(find(&scene, "blocked"));
	/* 2.25 ms each */
	scene.syncs[0].contended = 400;
	finding = find(&scene, "sleep");
	ck_assert_ptr_nonnull(strstr(finding->title, "poll"));
	end(&scene);
}
END_TEST

/* The main thread does nothing but sleep beside two that work. */
START_TEST(a_helper_is_meant_to_sleep)
{
	struct scene scene;

	begin(&scene);
	make_idle(&scene);
	make_wait(&scene, OP_NANOSLEEP, CAUSE_SLEEP, 4, 900 * MS);
	block(&scene, 0, CAUSE_SLEEP, 900 * MS);
	ck_assert_ptr_null(find(&scene, "sleep"));
	scene.threads[0].user_ns = 50 * MS;
	ck_assert_ptr_nonnull(find(&scene, "sleep"));
	end(&scene);
}
END_TEST

START_TEST(helpers_that_wait_for_work_are_no_problem)
{
	struct scene scene;

	begin(&scene);
	make_idle(&scene);
	make_wait(&scene, OP_COND_WAIT, CAUSE_CONDITION, 4, 900 * MS);
	block(&scene, 0, CAUSE_CONDITION, 900 * MS);
	ck_assert_ptr_null(find(&scene, "condition-wait"));
	scene.threads[0].by_cause_ns[CAUSE_CONDITION] = 0;
	scene.threads[1].by_cause_ns[CAUSE_CONDITION] = 900 * MS;
	ck_assert_ptr_nonnull(find(&scene, "condition-wait"));
	end(&scene);
}
END_TEST

START_TEST(input_and_output_is_blocked)
{
	struct scene scene;

	begin(&scene);
	make_idle(&scene);
	block(&scene, 2, CAUSE_OTHER, 500 * MS);
	const struct finding *finding = find(&scene, "blocked");

	ck_assert_ptr_nonnull(finding);
	ck_assert_double_eq_tol(finding->severity_percent, 25, 1e-9);
	ck_assert_str_eq(step(finding, FINDING_THREAD)->name, "12");
	ck_assert_ptr_null(find(&scene, "sleep"));
	scene.process.sum.by_cause_ns[CAUSE_OTHER] = 150 * MS;
	ck_assert_ptr_null(find(&scene, "blocked"));
	end(&scene);
}
END_TEST

START_TEST(a_routine_of_one_thread_is_sequential)
{
	struct scene scene;

	begin(&scene);
	make_idle(&scene);
	make_alone(&scene, 600 * MS, 1);
	block(&scene, 2, CAUSE_OTHER, 900 * MS);
	const struct finding *finding = find(&scene, "sequential");

	ck_assert_ptr_nonnull(finding);
	ck_assert_double_eq_tol(finding->severity_percent, 30, 1e-9);
	ck_assert_str_eq(step(finding, FINDING_THREAD)->name, "11");
	/* which both run: alone because the other one is blocked */
	make_alone(&scene, 600 * MS, 0.5);
	ck_assert_ptr_null(find(&scene, "sequential"));
	end(&scene);
}
END_TEST

START_TEST(waits_at_a_barrier_are_not_sequential)
{
	struct scene scene;

	begin(&scene);
	make_idle(&scene);
	make_alone(&scene, 600 * MS, 0.5);
	make_wait(&scene, OP_BARRIER_WAIT, CAUSE_BARRIER, 10, 600 * MS);
	ck_assert_ptr_nonnull(find(&scene, "barrier-wait"));
	ck_assert_ptr_null(find(&scene, "sequential"));
	end(&scene);
}
END_TEST

START_TEST(short_threads_are_found)
{
	struct scene scene;

	begin(&scene);
	scene.rows[1].lives = 5000;
	scene.threads[1].lifetime_ns = 500 * MS; /* 0.1 ms each */
	const struct finding *finding = find(&scene, "short-threads");

	ck_assert_ptr_nonnull(finding);
	/* 5000 x 25 us of the one thread, while the other processor is busy; of 2 s */
	ck_assert_double_eq_tol(finding->severity_percent, 6.25, 1e-9);
	ck_assert_int_eq(finding->grade, GRADE_ESTIMATED);
	ASSERT_SAYS(finding, "5000 threads that lived for 100 us");
	ASSERT_SAYS(finding, "about 0.125 s");
	/* and where it is idle for 0.4 of the time, that of this one besides */
	scene.run.efficiency_percent = 60;
	finding = find(&scene, "short-threads");
	ck_assert_double_eq_tol(finding->severity_percent, 6.25 * 1.4, 1e-9);
	ASSERT_SAYS(finding, "40 % of the other processors");
	scene.run.processors = 1;
	finding = find(&scene, "short-threads");
	ck_assert_double_eq_tol(finding->severity_percent, 12.5, 1e-9);
	scene.run.processors = 2;
	scene.threads[1].lifetime_ns = 6 * SECOND;
	ck_assert_ptr_null(find(&scene, "short-threads"));
	scene.rows[1].lives = 90;
	scene.threads[1].lifetime_ns = 1;
	ck_assert_ptr_null(find(&scene, "short-threads"));
	end(&scene);
}
END_TEST

START_TEST(tiny_lock_sections_are_found)
{
	struct scene scene;

	begin(&scene);
	make_wait(&scene, OP_MUTEX_LOCK, CAUSE_OTHER, 20000000, 0);
	scene.syncs[0].contended = 0;
	const struct finding *finding = find(&scene, "fine-locks");

	ck_assert_ptr_nonnull(finding);
	ck_assert_double_eq_tol(finding->severity_percent, 20, 1e-9);
	ASSERT_SAYS(finding, "20 million times");
	scene.syncs[0].count = 4000000;
	ck_assert_ptr_null(find(&scene, "fine-locks"));
	scene.syncs[0].count = 20000000; /* all of which waited: contention tells of them */
	scene.syncs[0].contended = 20000000;
	ck_assert_ptr_null(find(&scene, "fine-locks"));
	end(&scene);
}
END_TEST

START_TEST(few_samples_stand_behind_everything)
{
	struct scene scene;

	begin(&scene);
	make_idle(&scene);
	block(&scene, 2, CAUSE_OTHER, 500 * MS);
	scene.routines[0].samples = 64;
	const struct finding *finding = find(&scene, "few-samples");

	ck_assert_ptr_nonnull(finding);
	ck_assert_int_eq(finding->kind, FINDING_CAVEAT);
	ck_assert_ptr_eq(finding, scene.run.findings + scene.run.finding_count - 1);
	ck_assert_double_eq(finding->severity_percent, 0);
	ck_assert_double_eq(finding->elapsed_percent, 0);
	ASSERT_SAYS(finding, "64 samples");
	ASSERT_SAYS(finding, "to 12 % at best");
	scene.routines[0].samples = 100;
	ck_assert_ptr_null(find(&scene, "few-samples"));
	scene.routines[0].samples = 0;
	finding = find(&scene, "few-samples");
	ck_assert_str_eq(finding->title, "no samples");
	end(&scene);
}
END_TEST

START_TEST(other_programs_are_told_from_own_threads)
{
	struct scene scene;

	begin(&scene);
	make_idle(&scene);
	block(&scene, 2, CAUSE_OTHER, 300 * MS);
	scene.run.ready_ns = 900 * MS;
	scene.file.process.threads_peak = 2;
	const struct finding *finding = find(&scene, "oversubscription");

	ck_assert_ptr_nonnull(finding);
	ck_assert_int_eq(finding->kind, FINDING_ENVIRONMENT);
	ck_assert_str_eq(finding->title, "other programs use the processors");
	/* three threads, of which one is a helper that wants no processor */
	scene.file.process.threads_peak = 3;
	finding = find(&scene, "oversubscription");
	ck_assert_int_eq(finding->kind, FINDING_ENVIRONMENT);
	/* five threads on average */
	scene.file.process.threads_peak = 6;
	scene.run.ready_ns = 4 * SECOND;
	finding = find(&scene, "oversubscription");
	ck_assert_str_eq(finding->title,
			 "more threads than processors, and other programs besides");
	ck_assert_int_eq(finding->kind, FINDING_PROBLEM);
	/* no helper, and the three had nearly all there is */
	scene.file.process.threads_peak = 3;
	scene.run.ready_ns = 900 * MS;
	scene.threads[0].user_ns = 500 * MS;
	scene.run.cpu_ns = 1900 * MS;
	finding = find(&scene, "oversubscription");
	ck_assert_str_eq(finding->title, "more threads than processors");
	ck_assert_int_eq(finding->kind, FINDING_PROBLEM);
	end(&scene);
}
END_TEST

START_TEST(missing_threads_would_be_as_busy_as_the_others)
{
	struct scene scene;

	begin(&scene);
	make_idle(&scene);
	scene.file.process.threads_peak = 1;
	const struct finding *finding = find(&scene, "too-few-threads");

	ck_assert_ptr_nonnull(finding);
	ck_assert_double_eq_tol(finding->severity_percent, 50, 1e-9);
	/* blocked for most of the time: more threads would be it, too */
	scene.run.cpu_ns = 150 * MS;
	ck_assert_ptr_null(find(&scene, "too-few-threads"));
	end(&scene);
}
END_TEST

UNIT_MAIN("finding_threads", of_several_pairs_the_first_is_named,
	  a_lock_costs_what_threads_are_blocked_for_it, time_on_a_processor_in_a_wait_is_lost_to_it,
	  a_process_without_rows_waits_as_a_whole, a_good_run_has_no_finding,
	  a_lock_is_found_with_thread_routine_and_object, time_that_others_took_is_not_sequential,
	  refinement_ends_where_nobody_has_most, nothing_is_lost_while_all_processors_are_busy,
	  short_waits_for_a_lock_ask_for_fewer_lockings, a_spinlock_is_spinning_and_looks_busy,
	  an_idle_program_is_not_falsely_parallel, a_loop_around_sched_yield_is_spinning,
	  sleep_is_found_with_its_routine, a_helper_is_meant_to_sleep,
	  helpers_that_wait_for_work_are_no_problem, input_and_output_is_blocked,
	  a_routine_of_one_thread_is_sequential, waits_at_a_barrier_are_not_sequential,
	  short_threads_are_found, tiny_lock_sections_are_found,
	  few_samples_stand_behind_everything, other_programs_are_told_from_own_threads,
	  missing_threads_would_be_as_busy_as_the_others)

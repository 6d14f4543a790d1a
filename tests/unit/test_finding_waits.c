/* SPDX-License-Identifier: MIT */
/* Each rule on threads that wait, with a run that has the problem and with one that has not; what
 * is at stake, and where. */
#include "tests/unit/finding_scene.h"

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

/* One waits for 0.8 s; but the work, 1 s of 2, takes half of the time at least. */
START_TEST(a_lock_is_found_with_thread_routine_and_object)
{
	struct scene scene;

	begin(&scene);
	make_idle(&scene);
	make_wait(&scene, OP_MUTEX_LOCK, CAUSE_MUTEX, 10, 800 * MS);
	block(&scene, 1, CAUSE_MUTEX, 800 * MS);
	const struct finding *finding = find(&scene, "lock-contention");

	ck_assert_ptr_nonnull(finding);
	ck_assert_ptr_eq(finding, told.rows);
	ck_assert_double_eq_tol(finding->severity_percent, 50, 1e-9);
	ck_assert_double_eq_tol(finding->elapsed_percent, 50, 1e-9);
	ck_assert_double_eq_tol(finding->elapsed_ns, 5e8, 1e-3);
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
	ck_assert_uint_eq(step(finding, FINDING_OBJECT)->among, 2);
	/* all of it is one routine's, however many objects there are */
	ck_assert(step(finding, FINDING_ROUTINE)->is_single);
	ck_assert_double_eq(step(finding, FINDING_ROUTINE)->share_percent, 100);
	ck_assert_uint_eq(step(finding, FINDING_ROUTINE)->among, 1);
	ASSERT_SAYS(finding, "800 ms of waiting for all of them; 400 ms of waiting for first");
	end(&scene);
}
END_TEST

/* An object has a row for each operation: its waits, and who is to blame, are of all. */
START_TEST(an_object_is_one_however_it_is_waited_for)
{
	struct scene scene;

	begin(&scene);
	make_idle(&scene);
	make_wait(&scene, OP_MUTEX_LOCK, CAUSE_MUTEX, 10, 400 * MS);
	size_t flush = names_special(scene.run.names, "flush");
	size_t drain = names_special(scene.run.names, "drain");
	struct sync_site by[] = {
		{.routine = drain, .time_ns = 400 * MS},
		{.routine = flush, .time_ns = 250 * MS},
		{.routine = drain, .time_ns = 150 * MS},
	};

	scene.syncs[0].blame = (struct sync_sites){.rows = by, .count = 1};
	scene.syncs[1] = scene.syncs[0];
	scene.syncs[1].operation = OP_MUTEX_TIMEDLOCK;
	scene.syncs[1].blame = (struct sync_sites){.rows = by + 1, .count = 2};
	scene.run.synchronization.count = 2;
	block(&scene, 1, CAUSE_MUTEX, 800 * MS);
	const struct finding *finding = find(&scene, "lock-contention");

	ck_assert(step(finding, FINDING_OBJECT)->is_single);
	ck_assert_uint_eq(step(finding, FINDING_OBJECT)->among, 1);
	ck_assert_double_eq(step(finding, FINDING_OBJECT)->share_percent, 100);
	ck_assert_msg(strstr(finding->evidence, "800 ms of waiting for first") == finding->evidence,
		      "%s", finding->evidence);
	ASSERT_SAYS(finding, "mostly in work; held by drain (69 %)");
	ck_assert_ptr_null(strstr(finding->evidence, "all of them"));
	end(&scene);
}
END_TEST

/* Two threads work for 0.5 s each, and a third one, which is to join them, waits at their barrier.
 * For 0.9 s the two had no processor, which other programs had: without the barrier they would have
 * had none either. */
START_TEST(what_others_took_stays_taken)
{
	struct scene scene;

	begin(&scene);
	make_idle(&scene);
	make_wait(&scene, OP_BARRIER_WAIT, CAUSE_BARRIER, 4, 800 * MS);
	block(&scene, 0, CAUSE_JOIN, 500 * MS);
	block(&scene, 1, CAUSE_BARRIER, 800 * MS);
	ck_assert_double_eq_tol(find(&scene, "barrier-wait")->elapsed_percent, 40, 1e-9);
	ck_assert_int_eq(find(&scene, "barrier-wait")->grade, GRADE_EXACT);
	scene.threads[1].ready_ns = scene.threads[2].ready_ns = 400 * MS;
	scene.run.ready_ns = 800 * MS;
	const struct finding *finding = find(&scene, "barrier-wait");

	ck_assert_double_eq_tol(finding->elapsed_percent, 10, 0.01);
	ck_assert_int_eq(finding->grade, GRADE_ESTIMATED);
	ck_assert_str_eq(told.rows->id, "oversubscription");
	ck_assert_int_eq(told.rows->kind, FINDING_ENVIRONMENT);
	ck_assert_double_eq_tol(told.rows->elapsed_percent, 100 * 0.8 / 1.8, 1e-9);
	end(&scene);
}
END_TEST

/* 0.3 s of 1 s of CPU time are in sched_yield; and of the 0.8 s for which threads were ready, they
 * were ready for 0.24 s to call it. */
START_TEST(who_needs_less_is_ready_for_less)
{
	struct scene scene;

	begin(&scene);
	make_idle(&scene);
	make_yields(&scene, 300 * MS);
	block(&scene, 0, CAUSE_JOIN, 500 * MS);
	scene.threads[1].ready_ns = scene.threads[2].ready_ns = 400 * MS;
	scene.run.ready_ns = 800 * MS;
	ck_assert_double_eq_tol(find(&scene, "spin-wait")->elapsed_percent, 30, 0.01);
	end(&scene);
}
END_TEST

/* It was ready for eight ninths of its life, and of its wait. */
START_TEST(who_is_ready_spins_nothing_away)
{
	struct scene scene;

	begin(&scene);
	make_wait(&scene, OP_SPIN_LOCK, CAUSE_SPINLOCK, 10, 900 * MS);
	scene.run.useful.efficiency_percent = 55;
	scene.run.useful.average = 1.1;
	scene.threads[1].user_ns = 100 * MS;
	scene.threads[1].ready_ns = 800 * MS;
	scene.threads[1].spinlock_ns = 900 * MS;
	const struct finding *finding = find(&scene, "spin-wait");

	ck_assert_ptr_nonnull(finding);
	ck_assert_double_eq_tol(finding->elapsed_percent, 100 * 0.1 / 1.2, 1e-9);
	ck_assert_int_eq(finding->grade, GRADE_ESTIMATED);
	ASSERT_SAYS(finding, "900 ms of waiting for first");
	ASSERT_SAYS(finding, "for 800 ms of 900 ms waiting threads were ready");
	ASSERT_SAYS(find(&scene, "false-parallelism"), "100 ms of CPU time waiting for spinlocks");
	/* never more than its CPU time, where nobody knows how long it was ready */
	scene.threads[1].ready_ns = 0;
	ASSERT_SAYS(find(&scene, "false-parallelism"), "100 ms of CPU time waiting for spinlocks");
	scene.threads[1].user_ns = SECOND;
	finding = find(&scene, "spin-wait");
	ck_assert_double_eq_tol(finding->elapsed_percent, 45, 1e-9);
	ck_assert_int_eq(finding->grade, GRADE_EXACT);
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
	ck_assert_double_eq_tol(finding->severity_percent, 30, 1e-9);
	ck_assert_int_eq(finding->grade, GRADE_EXACT);
	ASSERT_SAYS(finding, "for 500 ms of 800 ms waiting threads were ready");
	/* who did not wait may have been ready for any time */
	scene.threads[1].ready_ns = 0;
	scene.threads[2].ready_ns = 900 * MS;
	finding = find(&scene, "lock-contention");
	ck_assert_double_eq_tol(finding->severity_percent, 100 * 0.8 / 1.8, 1e-9);
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
	ck_assert_double_eq_tol(finding->severity_percent, 100 * 0.7 / 1.7, 1e-9);
	ck_assert_int_eq(finding->grade, GRADE_ESTIMATED);
	/* blocked is never more than waiting, whatever the rows say */
	block(&scene, 1, CAUSE_MUTEX, 900 * MS);
	finding = find(&scene, "lock-contention");
	ck_assert_double_eq_tol(finding->severity_percent, 50, 1e-9);
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
	ck_assert_double_eq_tol(finding->severity_percent, 100 * 0.3 / 2, 1e-9);
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

	ASSERT_SAYS(finding, "200000 waits of 4.00 us");
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
	ASSERT_SAYS(finding, "900 ms of CPU time waiting for spinlocks");
	scene.run.useful.average = 1.9;
	ck_assert_ptr_null(find(&scene, "false-parallelism"));
	end(&scene);
}
END_TEST

START_TEST(a_loop_around_sched_yield_is_spinning)
{
	struct scene scene;

	begin(&scene);
	make_yields(&scene, 300 * MS);
	const struct finding *finding = find(&scene, "spin-wait");

	ck_assert_ptr_nonnull(finding);
	ck_assert_double_eq_tol(finding->severity_percent, 15, 1e-9);
	ck_assert_int_eq(finding->grade, GRADE_SAMPLED);
	ASSERT_SAYS(finding, "300 ms of CPU time inside of 100000 calls");
	/* 60 ms of them, and half of the calls, are an MPI library's, which polls */
	scene.routines[1].mpi_ns = 60 * MS;
	scene.syncs[0].of_mpi = 50000;
	finding = find(&scene, "spin-wait");
	ck_assert_double_eq_tol(finding->severity_percent, 12, 1e-9);
	ASSERT_SAYS(finding, "240 ms of CPU time inside of 50000 calls");
	scene.routines[1].mpi_ns = 300 * MS;
	ck_assert_ptr_null(find(&scene, "spin-wait"));
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
	ck_assert_double_eq_tol(finding->severity_percent, 50, 1e-9);
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

/* Two threads sleep for 0.15 s each and wait for a lock for 0.7 s, which they would without the
 * sleep as well: no more than the 0.15 s can be won. */
START_TEST(waits_for_locks_are_not_slept)
{
	struct scene scene;

	begin(&scene);
	make_idle(&scene);
	make_wait(&scene, OP_NANOSLEEP, CAUSE_SLEEP, 4, 300 * MS);
	for (size_t i = 1; i < ROWS; i++) {
		block(&scene, i, CAUSE_SLEEP, 150 * MS);
		block(&scene, i, CAUSE_MUTEX, 700 * MS);
	}
	const struct finding *finding = find(&scene, "sleep");

	ck_assert_ptr_nonnull(finding);
	ck_assert_double_eq_tol(finding->elapsed_percent, 15, 1e-9);
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

/* Two threads take turns: one holds the lock for 0.4 s, in which it sleeps, and the other waits. */
START_TEST(who_sleeps_under_a_lock_does_not_poll)
{
	struct scene scene;

	begin(&scene);
	make_idle(&scene);
	make_wait(&scene, OP_MUTEX_LOCK, CAUSE_MUTEX, 100, 400 * MS);
	scene.syncs[0].blame = (struct sync_sites){.rows = &scene.site, .count = 1};
	struct sync_site sleeper = scene.site;

	scene.syncs[1] = (struct sync_row){.operation = OP_NANOSLEEP,
					   .object = 1,
					   .cause = CAUSE_SLEEP,
					   .count = 400,
					   .contended = 400,
					   .wait_ns = 400 * MS,
					   .waiters = {.rows = &sleeper, .count = 1}};
	scene.run.synchronization.count = 2;
	for (size_t i = 1; i < ROWS; i++) {
		block(&scene, i, CAUSE_MUTEX, 200 * MS);
		block(&scene, i, CAUSE_SLEEP, 200 * MS);
	}
	const struct finding *finding = find(&scene, "lock-contention");

	ck_assert_ptr_nonnull(finding);
	ASSERT_SAYS(finding, "who holds it sleeps there, for 400 ms");
	/* 0.4 of 1 + 0.4 and the sleep, which stays: that of two of three threads */
	ck_assert_double_eq_tol(finding->elapsed_percent, 100 * 0.4 / (1.4 + 0.4 * 2 / 3), 1e-9);
	ck_assert_ptr_null(find(&scene, "sleep"));
	/* nobody waited for long: the sleep is a sleep */
	scene.syncs[0].wait_ns = scene.site.time_ns = 150 * MS;
	finding = find(&scene, "sleep");
	ck_assert_ptr_nonnull(finding);
	/* nor where another routine held the lock */
	scene.syncs[0].wait_ns = scene.site.time_ns = 400 * MS;
	sleeper.routine = names_special(scene.run.names, "elsewhere");
	finding = find(&scene, "sleep");
	ck_assert_ptr_nonnull(finding);
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
	scene.syncs[0].idle_ns = scene.site.idle_ns = 900 * MS;
	ck_assert_ptr_null(find(&scene, "condition-wait"));
	scene.threads[0].by_cause_ns[CAUSE_CONDITION] = 0;
	scene.threads[1].by_cause_ns[CAUSE_CONDITION] = 400 * MS;
	scene.syncs[0].idle_ns = scene.site.idle_ns = 500 * MS;
	const struct finding *finding = find(&scene, "condition-wait");

	ck_assert_ptr_nonnull(finding);
	ASSERT_SAYS(finding, "400 ms of waiting for first");
	ASSERT_SAYS(finding, "idle threads, which do not count, waited for 500 ms more");
	ck_assert_str_eq(step(finding, FINDING_THREAD)->name, "11");
	end(&scene);
}
END_TEST

/* Who moved them is to blame for the whole wait, but did not wake them. */
START_TEST(moved_waiters_were_not_woken)
{
	struct scene scene;

	begin(&scene);
	make_idle(&scene);
	make_wait(&scene, OP_FUTEX_WAIT, CAUSE_FUTEX, 4, 900 * MS);
	block(&scene, 1, CAUSE_FUTEX, 900 * MS);
	scene.syncs[0].blame = scene.syncs[0].waiters;
	ASSERT_SAYS(find(&scene, "condition-wait"), "; woken by work");
	scene.syncs[1] = (struct sync_row){.operation = OP_FUTEX_REQUEUE, .object = 1, .count = 1};
	scene.run.synchronization.count = 2;
	ASSERT_SAYS(find(&scene, "condition-wait"), "; woken by work");
	scene.syncs[1].object = 0;
	ASSERT_SAYS(find(&scene, "condition-wait"), "; woken or moved by work");
	end(&scene);
}
END_TEST

START_TEST(a_futex_that_is_a_lock_is_one)
{
	struct scene scene;

	begin(&scene);
	make_idle(&scene);
	make_wait(&scene, OP_FUTEX_WAIT, CAUSE_MUTEX, 4, 900 * MS);
	block(&scene, 1, CAUSE_MUTEX, 900 * MS);
	scene.syncs[0].blame = scene.syncs[0].waiters;
	ck_assert_ptr_null(find(&scene, "condition-wait"));
	ASSERT_SAYS(find(&scene, "lock-contention"), "; held by work");
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
	ck_assert_double_eq_tol(finding->severity_percent, 50, 1e-9);
	ck_assert_str_eq(step(finding, FINDING_THREAD)->name, "12");
	ck_assert_ptr_null(find(&scene, "sleep"));
	scene.process.sum.by_cause_ns[CAUSE_OTHER] = 80 * MS;
	scene.threads[2].by_cause_ns[CAUSE_OTHER] = 80 * MS;
	ck_assert_ptr_null(find(&scene, "blocked"));
	end(&scene);
}
END_TEST

/* Two that wait alike are late in turn; one that waits for nobody is always late. */
START_TEST(who_is_late_at_a_barrier_may_alternate)
{
	struct scene scene;

	begin(&scene);
	make_idle(&scene);
	make_wait(&scene, OP_BARRIER_WAIT, CAUSE_BARRIER, 10, 600 * MS);
	block(&scene, 0, CAUSE_JOIN, 1000 * MS);
	block(&scene, 1, CAUSE_BARRIER, 320 * MS);
	block(&scene, 2, CAUSE_BARRIER, 280 * MS);
	ASSERT_SAYS(find(&scene, "barrier-wait"), "who is late alternates");
	block(&scene, 1, CAUSE_BARRIER, 280 * MS);
	scene.threads[2].by_cause_ns[CAUSE_BARRIER] = 0;
	ck_assert_ptr_null(strstr(find(&scene, "barrier-wait")->evidence, "alternates"));
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

UNIT_MAIN("finding_waits", a_lock_is_found_with_thread_routine_and_object,
	  refinement_ends_where_nobody_has_most, an_object_is_one_however_it_is_waited_for,
	  what_others_took_stays_taken, who_is_ready_spins_nothing_away,
	  who_needs_less_is_ready_for_less, nothing_is_lost_while_all_processors_are_busy,
	  a_lock_costs_what_threads_are_blocked_for_it, time_on_a_processor_in_a_wait_is_lost_to_it,
	  a_process_without_rows_waits_as_a_whole, of_several_pairs_the_first_is_named,
	  short_waits_for_a_lock_ask_for_fewer_lockings, a_spinlock_is_spinning_and_looks_busy,
	  a_loop_around_sched_yield_is_spinning, sleep_is_found_with_its_routine,
	  moved_waiters_were_not_woken, a_futex_that_is_a_lock_is_one,
	  waits_for_locks_are_not_slept, a_helper_is_meant_to_sleep,
	  who_sleeps_under_a_lock_does_not_poll, helpers_that_wait_for_work_are_no_problem,
	  input_and_output_is_blocked, who_is_late_at_a_barrier_may_alternate,
	  waits_at_a_barrier_are_not_sequential)

/* SPDX-License-Identifier: MIT */
/* What is at stake where nobody works: waits that end by their time-out, sleep that others wait
 * for, locks whose holders sleep. */
#include "tests/unit/finding_scene.h"

/* Two threads work for 50 ms each. */
static void make_lazy(struct scene *scene)
{
	make_idle(scene);
	scene->run.cpu_ns = 100 * MS;
	scene->run.efficiency_percent = scene->run.useful.efficiency_percent = 5;
	for (size_t i = 1; i < ROWS; i++)
		scene->threads[i].user_ns = 50 * MS;
}

static struct sync_site site_of(struct scene *scene, const char *name, uint64_t time_ns)
{
	return (struct sync_site){.routine = names_special(scene->run.names, name),
				  .time_ns = time_ns};
}

/* The other thread works for 50 ms: if it woke the one that waits, no more could be won. */
START_TEST(nobody_did_anything_in_a_wait_that_timed_out)
{
	struct scene scene;

	begin(&scene);
	make_lazy(&scene);
	make_wait(&scene, OP_COND_TIMEDWAIT, CAUSE_CONDITION, 9, 900 * MS);
	block(&scene, 1, CAUSE_CONDITION, 900 * MS);
	struct sync_site blamed[] = {site_of(&scene, "[time-out]", 900 * MS),
				     site_of(&scene, "signaller", 0)};

	scene.syncs[0].blame = (struct sync_sites){.rows = blamed, .count = 2};
	const struct finding *finding = find(&scene, "condition-wait");

	ck_assert_double_eq_tol(finding->elapsed_percent, 90, 1e-9);
	ASSERT_SAYS(finding, "; ended by [time-out] (100 %)");
	ck_assert_str_eq(step(finding, FINDING_THREAD)->name, "11");
	ck_assert_ptr_nonnull(strstr(finding->advice, "is a signal missing"));
	/* two ninths of it are a time-out's */
	blamed[0].time_ns = 200 * MS;
	blamed[1].time_ns = 700 * MS;
	finding = find(&scene, "condition-wait");
	ck_assert_double_eq_tol(finding->elapsed_percent, 20 + 5, 1e-9);
	ck_assert_ptr_null(strstr(finding->advice, "is a signal missing"));
	blamed[0].routine = blamed[1].routine;
	ck_assert_double_eq_tol(find(&scene, "condition-wait")->elapsed_percent, 5, 1e-9);
	end(&scene);
}
END_TEST

/* Nine sleeps, 0.9 s in all. */
static void make_sleeper(struct scene *scene)
{
	make_lazy(scene);
	make_wait(scene, OP_NANOSLEEP, CAUSE_SLEEP, 9, 900 * MS);
}

/* One sleeps and writes, the other one waits to read. Were the pipe another program's, two would
 * wait where one sleeps. */
START_TEST(who_reads_from_a_sleeper_waits_for_the_sleep)
{
	struct scene scene;

	begin(&scene);
	make_sleeper(&scene);
	block(&scene, 1, CAUSE_SLEEP, 900 * MS);
	block(&scene, 2, CAUSE_READ, 900 * MS);
	double outside = find(&scene, "sleep")->elapsed_percent;

	scene.run.pipelines.connections.within_ns = 900 * MS;
	ck_assert_double_eq_tol(find(&scene, "sleep")->elapsed_percent, 90, 1e-9);
	ck_assert_double_lt(outside, 67);
	/* who writes may be among the calls that were not looked up, if these have as many bytes */
	scene.run.pipelines.connections.within_ns = 0;
	scene.run.pipelines.connections.half = (struct pipe_flow){.bytes = 6, .wait_ns = 900 * MS};
	ck_assert_double_lt(find(&scene, "sleep")->elapsed_percent, 67);
	scene.run.pipelines.connections.unseen = (struct pipe_flow){.calls = 6, .bytes = 6};
	ck_assert_double_eq_tol(find(&scene, "sleep")->elapsed_percent, 90, 1e-9);
	scene.run.pipelines.connections.half = (struct pipe_flow){0};
	/* the ends of a socketpair have no address */
	scene.objects[1] = (struct sync_object){.kind = "socket", .created_at = "main"};
	scene.syncs[1] = (struct sync_row){.operation = OP_READ,
					   .object = 1,
					   .cause = CAUSE_READ,
					   .contended = 9,
					   .wait_ns = 900 * MS};
	scene.run.synchronization.count = 2;
	ck_assert_double_eq_tol(find(&scene, "sleep")->elapsed_percent, 90, 1e-9);
	end(&scene);
}
END_TEST

/* Two take turns in a lock of a file, or in a queue of messages. */
START_TEST(sleeps_in_turn_follow_each_other)
{
	static const enum cause causes[] = {CAUSE_FILE_LOCK, CAUSE_IPC};

	for (size_t i = 0; i < sizeof causes / sizeof *causes; i++) {
		struct scene scene;

		begin(&scene);
		make_sleeper(&scene);
		for (size_t j = 1; j < ROWS; j++) {
			block(&scene, j, CAUSE_SLEEP, 450 * MS);
			block(&scene, j, causes[i], 450 * MS);
		}
		ck_assert_double_eq_tol(find(&scene, "sleep")->elapsed_percent, 90, 1e-9);
		end(&scene);
	}
}
END_TEST

/* The program's own calls of the kernel, as the sleeper's of a pipe. */
START_TEST(what_blocks_is_waited_for_as_a_sleep_is)
{
	struct scene scene;

	begin(&scene);
	make_lazy(&scene);
	block(&scene, 1, CAUSE_OTHER, 900 * MS);
	block(&scene, 2, CAUSE_READ, 900 * MS);
	scene.run.pipelines.connections.within_ns = 900 * MS;
	ck_assert_double_eq_tol(find(&scene, "blocked")->elapsed_percent, 90, 1e-9);
	end(&scene);
}
END_TEST

/* The lock is held by a routine that calls one that sleeps. */
START_TEST(a_holder_may_sleep_in_what_it_calls)
{
	struct scene scene;

	begin(&scene);
	make_sleeper(&scene);
	struct sync_site holder = site_of(&scene, "use", 900 * MS);
	struct path_node nodes[] = {
		{.routine = names_special(scene.run.names, "")},
		{.routine = holder.routine},
		{.parent = 1, .routine = names_special(scene.run.names, "nap")},
		{.parent = 2,
		 .routine = names_special(scene.run.names, "[first]"),
		 .kind = PATH_WAIT,
		 .self.wait_ns = 900 * MS},
	};

	scene.syncs[1] = (struct sync_row){.operation = OP_MUTEX_LOCK,
					   .object = 1,
					   .cause = CAUSE_MUTEX,
					   .contended = 9,
					   .wait_ns = 900 * MS,
					   .waiters = {.rows = &holder, .count = 1},
					   .blame = {.rows = &holder, .count = 1}};
	scene.run.synchronization.count = 2;
	for (size_t i = 1; i < ROWS; i++) {
		block(&scene, i, CAUSE_SLEEP, 450 * MS);
		block(&scene, i, CAUSE_MUTEX, 450 * MS);
	}
	ck_assert_double_lt(find(&scene, "sleep")->elapsed_percent, 65);
	scene.run.paths = (struct path_tree){.nodes = nodes, .count = 4};
	ck_assert_double_eq_tol(find(&scene, "sleep")->elapsed_percent, 90, 1e-9);
	/* the sleep is elsewhere */
	nodes[2].parent = 0;
	ck_assert_double_lt(find(&scene, "sleep")->elapsed_percent, 65);
	end(&scene);
}
END_TEST

/* Two threads sleep under a lock in turn, on one processor. The first one to be done is there for
 * half of the time, beside the other one: what that one waited for may be won. */
START_TEST(who_waits_for_a_sleeping_holder_can_win_all_of_its_wait)
{
	struct scene scene;

	begin(&scene);
	make_lazy(&scene);
	scene.run.processors = 1;
	scene.run.efficiency_percent = scene.run.useful.efficiency_percent = 10;
	make_wait(&scene, OP_MUTEX_LOCK, CAUSE_MUTEX, 9, 900 * MS);
	block(&scene, 0, CAUSE_JOIN, SECOND);
	block(&scene, 1, CAUSE_MUTEX, 700 * MS);
	block(&scene, 2, CAUSE_MUTEX, 200 * MS);
	block(&scene, 1, CAUSE_SLEEP, 200 * MS);
	block(&scene, 2, CAUSE_SLEEP, 200 * MS);
	scene.threads[2].lifetime_ns = 500 * MS;
	ck_assert_double_ge(find(&scene, "lock-contention")->elapsed_percent, 70);
	ck_assert_double_le(find(&scene, "lock-contention")->elapsed_percent, 75);
	end(&scene);
}
END_TEST

/* One sleeps for 0.95 s, and the other one calls sched_yield for 0.2 s until that is over, ready
 * for the rest while other programs have the processors. */
static void make_poller(struct scene *scene)
{
	make_sleeper(scene);
	scene->run.cpu_ns = 210 * MS;
	scene->run.efficiency_percent = scene->run.useful.efficiency_percent = 10.5;
	block(scene, 0, CAUSE_JOIN, SECOND);
	block(scene, 1, CAUSE_SLEEP, 950 * MS);
	scene->threads[1].user_ns = 10 * MS;
	scene->threads[2].user_ns = 200 * MS;
	scene->threads[2].ready_ns = scene->run.ready_ns = 790 * MS;
}

START_TEST(who_polls_for_a_sleeper_needs_no_processor)
{
	struct scene scene;

	begin(&scene);
	make_poller(&scene);
	ck_assert_ptr_nonnull(find(&scene, "oversubscription"));
	/* it is idle, as it seems, beside one that works */
	ck_assert_ptr_null(find(&scene, "sleep"));
	scene.threads[2].yields = 500000;
	ck_assert_ptr_null(find(&scene, "oversubscription"));
	ck_assert_double_ge(find(&scene, "sleep")->elapsed_percent, 90);
	/* a half of it polls */
	scene.threads[2].yields = 200000;
	ASSERT_SAYS(find(&scene, "oversubscription"), "for 395 ms they were ready to spin");
	ck_assert_double_le(find(&scene, "oversubscription")->elapsed_percent, 39.5);
	end(&scene);
}
END_TEST

/* Members of a team that spin in the OpenMP runtime. */
START_TEST(who_spins_beside_a_sleeper_does_not_work)
{
	struct scene scene;

	begin(&scene);
	make_poller(&scene);
	scene.threads[2].omp_ns = 980 * MS;
	ck_assert_ptr_null(find(&scene, "oversubscription"));
	ck_assert_double_ge(find(&scene, "sleep")->elapsed_percent, 85);
	end(&scene);
}
END_TEST

UNIT_MAIN("finding_sleep", nobody_did_anything_in_a_wait_that_timed_out,
	  who_reads_from_a_sleeper_waits_for_the_sleep, sleeps_in_turn_follow_each_other,
	  what_blocks_is_waited_for_as_a_sleep_is, a_holder_may_sleep_in_what_it_calls,
	  who_waits_for_a_sleeping_holder_can_win_all_of_its_wait,
	  who_polls_for_a_sleeper_needs_no_processor, who_spins_beside_a_sleeper_does_not_work)

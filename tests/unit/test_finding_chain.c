/* SPDX-License-Identifier: MIT */
/* Threads that wait to be woken or for a lock: for whom, if that one waited itself, and how much
 * that can cost. */
#include "tests/unit/finding_scene.h"

#define LINKS 3

/* Rows of `three` that waits for `two`, and so on; how long each waited. */
struct chain {
	struct scene scene;
	size_t routines[LINKS + 1];
	struct sync_row rows[LINKS];
	struct sync_site waiters[LINKS], blame[LINKS];
	struct sync_object objects[LINKS];
	char *names[LINKS];
};

static void begin_chain(struct chain *chain, const uint64_t waits_ms[LINKS])
{
	static const char *const routines[] = {"three", "two", "one", "nobody"};
	static char *const names[] = {"s23", "s12", "s30"};

	begin(&chain->scene);
	make_idle(&chain->scene);
	for (size_t i = 0; i <= LINKS; i++)
		chain->routines[i] = names_special(chain->scene.run.names, routines[i]);
	for (size_t i = 0; i < LINKS; i++) {
		chain->waiters[i] = (struct sync_site){.routine = chain->routines[i],
						       .time_ns = waits_ms[i] * MS};
		chain->blame[i] = (struct sync_site){.routine = chain->routines[i + 1],
						     .time_ns = waits_ms[i] * MS};
		chain->rows[i] = (struct sync_row){.operation = OP_SEM_WAIT,
						   .object = i,
						   .cause = CAUSE_SEMAPHORE,
						   .count = 10,
						   .contended = 10,
						   .wait_ns = waits_ms[i] * MS,
						   .waiters = {&chain->waiters[i], 1, 1},
						   .blame = {&chain->blame[i], 1, 1}};
		chain->objects[i].kind = "semaphore";
		chain->names[i] = names[i];
	}
	chain->scene.run.synchronization.rows = chain->rows;
	chain->scene.run.synchronization.count = LINKS;
	chain->scene.run.synchronization.objects = chain->objects;
	chain->scene.run.synchronization.names = chain->names;
	block(&chain->scene, 1, CAUSE_SEMAPHORE, 500 * MS);
	block(&chain->scene, 2, CAUSE_SEMAPHORE, 450 * MS);
}

START_TEST(who_waited_itself_is_told_with_whom_it_waited_for)
{
	struct chain chain;

	begin_chain(&chain, (uint64_t[]){500, 450, 50});
	const struct finding *finding = find(&chain.scene, "condition-wait");

	ASSERT_SAYS(finding, "; woken by two (100 %), which itself waited 450 ms for s12, kept "
			     "waiting by one");
	ck_assert_ptr_null(strstr(finding->evidence, "s30"));
	ck_assert_str_eq(step(finding, FINDING_OBJECT)->name, "s23");
	end(&chain.scene);
}
END_TEST

START_TEST(who_worked_most_of_it_is_the_cause)
{
	struct chain chain;

	begin_chain(&chain, (uint64_t[]){500, 100, 50});
	ck_assert_ptr_null(strstr(find(&chain.scene, "condition-wait")->evidence, "itself"));
	end(&chain.scene);
}
END_TEST

/* Each waits for the next one for most of the time, as in a ring: once round is enough. */
START_TEST(a_ring_is_told_once)
{
	struct chain chain;

	begin_chain(&chain, (uint64_t[]){500, 490, 480});
	chain.blame[LINKS - 1].routine = chain.routines[0];
	const struct finding *finding = find(&chain.scene, "condition-wait");

	ASSERT_SAYS(finding, "which itself waited 490 ms for s12, kept waiting by one, which "
			     "itself waited 480 ms for s30, kept waiting by three");
	ck_assert_ptr_null(strstr(strstr(finding->evidence, "for s23") + 1, "for s23"));
	end(&chain.scene);
}
END_TEST

/* `three` wants a lock that `two` holds while it waits for a semaphore. */
static void begin_held(struct chain *chain, uint64_t held_ms)
{
	begin_chain(chain, (uint64_t[]){500, 480, 50});
	chain->rows[0].operation = OP_MUTEX_LOCK;
	chain->rows[0].cause = CAUSE_MUTEX;
	chain->objects[0].kind = "mutex";
	chain->blame[0].holder_wait = (struct sync_holder_io){.ns = held_ms * MS,
							      .most_ns = held_ms * MS,
							      .routine = chain->routines[1],
							      .object = 1,
							      .operation = OP_SEM_WAIT};
	block(&chain->scene, 1, CAUSE_MUTEX, 500 * MS);
}

START_TEST(a_holder_who_waited_is_told_with_whom_it_waited_for)
{
	struct chain chain;

	begin_held(&chain, 400);
	const struct finding *finding = find(&chain.scene, "lock-contention");

	ASSERT_SAYS(finding, "; held by two (100 %), which itself waited 400 ms for s12, kept "
			     "waiting by one");
	ck_assert_ptr_null(strstr(finding->evidence, "s30"));
	ck_assert_ptr_nonnull(strstr(finding->advice, "before waiting for another thread"));
	end(&chain.scene);
}
END_TEST

/* It may have waited elsewhere for as long: not with the lock. */
START_TEST(a_holder_who_did_not_wait_under_the_lock_is_the_cause)
{
	struct chain chain;

	begin_held(&chain, 100);
	const struct finding *finding = find(&chain.scene, "lock-contention");

	ck_assert_ptr_null(strstr(finding->evidence, "itself"));
	ck_assert_ptr_null(strstr(finding->advice, "before waiting for another thread"));
	end(&chain.scene);
}
END_TEST

/* One thread waited for 0.5 s, in which the others worked for 0.1 s: the rest is what they waited
 * for, from outside. */
START_TEST(no_more_is_lost_than_others_work)
{
	struct scene scene;

	begin(&scene);
	make_idle(&scene);
	scene.run.useful.efficiency_percent = scene.run.efficiency_percent = 30;
	scene.threads[2].user_ns = 100 * MS;
	make_wait(&scene, OP_SEM_WAIT, CAUSE_SEMAPHORE, 10, 500 * MS);
	block(&scene, 1, CAUSE_SEMAPHORE, 500 * MS);
	ck_assert_double_eq_tol(find(&scene, "condition-wait")->elapsed_percent, 10, 1e-9);
	/* a lock is another matter: it is held, or not */
	make_wait(&scene, OP_MUTEX_LOCK, CAUSE_MUTEX, 10, 500 * MS);
	block(&scene, 1, CAUSE_MUTEX, 500 * MS);
	ck_assert_double_eq_tol(find(&scene, "lock-contention")->elapsed_percent, 50, 1e-9);
	end(&scene);
}
END_TEST

UNIT_MAIN("finding_chain", who_waited_itself_is_told_with_whom_it_waited_for,
	  who_worked_most_of_it_is_the_cause, a_ring_is_told_once,
	  a_holder_who_waited_is_told_with_whom_it_waited_for,
	  a_holder_who_did_not_wait_under_the_lock_is_the_cause, no_more_is_lost_than_others_work)

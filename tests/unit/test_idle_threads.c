/* SPDX-License-Identifier: MIT */
/* Which threads are idle: by how little they work, compared to which others, and what they wait
 * for. */
#include "analyze/model/process/idle_roles.h"
#include "analyze/model/process/idle_threads.h"
#include "analyze/model/process/process.h"
#include "analyze/model/process/work_elsewhere.h"
#include "tests/unit/unit.h"

#include <math.h>

#define MS 1000000ull

/* A second of life, of which so much was on a processor, and the rest in waits for a cause. */
static struct thread_time lived(uint64_t cpu_ms, enum cause cause)
{
	struct thread_time time = {.lifetime_ns = 1000 * MS, .user_ns = cpu_ms * MS};

	time.by_cause_ns[cause] = time.blocked_ns = (1000 - cpu_ms) * MS;
	return time;
}

START_TEST(who_waits_for_work_time_or_input_is_idle)
{
	static const enum cause idle[] = {
		CAUSE_CONDITION, CAUSE_SEMAPHORE, CAUSE_SLEEP,  CAUSE_SIGNAL, CAUSE_OTHER,
		CAUSE_FUTEX,     CAUSE_READ,      CAUSE_EVENTS, CAUSE_ACCEPT, CAUSE_IPC};
	static const enum cause in_the_way[] = {CAUSE_MUTEX, CAUSE_RWLOCK, CAUSE_BARRIER,
						CAUSE_JOIN,  CAUSE_MPI,    CAUSE_OPENMP,
						CAUSE_WRITE, CAUSE_DISK,   CAUSE_FILE_LOCK};

	for (size_t i = 0; i < sizeof idle / sizeof *idle; i++) {
		struct thread_time time = lived(10, idle[i]);

		ck_assert_msg(idle_thread(&time, 900e6), "cause %d", (int)idle[i]);
	}
	for (size_t i = 0; i < sizeof in_the_way / sizeof *in_the_way; i++) {
		struct thread_time time = lived(10, in_the_way[i]);

		ck_assert_msg(!idle_thread(&time, 900e6), "cause %d", (int)in_the_way[i]);
	}
}
END_TEST

START_TEST(who_works_is_not_idle)
{
	struct thread_time time = lived(60, CAUSE_CONDITION);

	ck_assert(!idle_thread(&time, 900e6));
}
END_TEST

/* In a program that only waits, waiting is what it loses its time to. */
START_TEST(nobody_is_idle_beside_others_that_do_as_little)
{
	struct thread_time time = lived(10, CAUSE_OTHER);

	ck_assert(!idle_thread(&time, 10e6));
	ck_assert(!idle_thread(&time, 0));
}
END_TEST

/* Half of its life it wanted to run: it is not known to have little to do. */
START_TEST(readiness_is_no_wait)
{
	struct thread_time time = lived(10, CAUSE_SLEEP);

	time.by_cause_ns[CAUSE_SLEEP] -= 500 * MS;
	ck_assert(!idle_thread(&time, 900e6));
	time.ready_ns = 500 * MS;
	ck_assert(idle_thread(&time, 900e6));
}
END_TEST

START_TEST(the_busiest_is_of_the_rows)
{
	struct thread_time rows[] = {lived(10, CAUSE_SLEEP), lived(700, CAUSE_SLEEP),
				     lived(300, CAUSE_SLEEP)};
	struct process process = {.threads = rows, .thread_count = 3};

	ck_assert_double_eq(idle_busiest_ns(&process), 700e6);
	/* a parent that waits for its children */
	rows[1].by_cause_ns[CAUSE_SLEEP] = 0;
	rows[1].user_ns = 20 * MS;
	rows[0].user_ns = rows[2].user_ns = 10 * MS;
	rows[1].by_cause_ns[CAUSE_PROCESS] = 980 * MS;
	ck_assert(isinf(idle_busiest_ns(&process)));
	ck_assert(idle_thread(&rows[0], idle_busiest_ns(&process)));
	process.thread_count = 0;
	ck_assert_double_eq(idle_busiest_ns(&process), 0);
}
END_TEST

/* Threads that did nothing but start and wait: which one used most is chance. */
START_TEST(tiny_cpu_times_are_not_compared)
{
	struct thread_time rows[] = {lived(0, CAUSE_JOIN), lived(0, CAUSE_SLEEP),
				     lived(0, CAUSE_FUTEX)};
	struct process process = {.threads = rows, .thread_count = 3};

	for (uint64_t us = 10; us < 10000; us *= 2) {
		rows[0].user_ns = us * 1000; /* a main thread that joins the others */
		rows[1].user_ns = 100000;
		rows[2].user_ns = 5000;
		ck_assert_double_eq(idle_busiest_ns(&process), 0);
		ck_assert(!idle_thread(&rows[1], idle_busiest_ns(&process)));
		ck_assert(!idle_thread(&rows[2], idle_busiest_ns(&process)));
	}
	rows[0].user_ns = 10 * MS;
	ck_assert_double_eq(idle_busiest_ns(&process), 10e6);
	ck_assert(idle_thread(&rows[1], idle_busiest_ns(&process)));
	/* one of them waits for a child, which works; it need not be the one that used most */
	rows[0].user_ns = 0;
	rows[0].by_cause_ns[CAUSE_JOIN] = 0;
	rows[0].by_cause_ns[CAUSE_PROCESS] = 990 * MS;
	ck_assert(isinf(idle_busiest_ns(&process)));
}
END_TEST

/* Of a pool some used a little less than a twentieth of their lives, and some a little more. */
START_TEST(threads_of_one_role_are_judged_alike)
{
	struct thread_time rows[] = {lived(900, CAUSE_OTHER),    lived(49, CAUSE_CONDITION),
				     lived(48, CAUSE_CONDITION), lived(47, CAUSE_CONDITION),
				     lived(51, CAUSE_CONDITION), lived(53, CAUSE_CONDITION)};

	rows[0].role = "main";
	for (size_t i = 1; i < 6; i++)
		rows[i].role = "work";
	idle_roles_compare(rows, 6);
	for (size_t i = 1; i < 6; i++)
		ck_assert_msg(idle_thread(&rows[i], 900e6), "thread %zu", i);
	ck_assert(!idle_thread(&rows[0], 900e6));
	/* what the middle one does is what they do */
	rows[1].user_ns = 52 * MS;
	rows[2].user_ns = 54 * MS;
	idle_roles_compare(rows, 6);
	for (size_t i = 1; i < 6; i++)
		ck_assert_msg(!idle_thread(&rows[i], 900e6), "thread %zu", i);
	/* far from the limit each is judged for itself */
	rows[3] = lived(20, CAUSE_CONDITION);
	rows[3].role = "work";
	idle_roles_compare(rows, 6);
	ck_assert(idle_thread(&rows[3], 900e6));
	rows[1].user_ns = rows[2].user_ns = 40 * MS;
	rows[4].user_ns = 120 * MS;
	idle_roles_compare(rows, 6);
	ck_assert(!idle_thread(&rows[4], 900e6));
	ck_assert(idle_thread(&rows[5], 900e6));
}
END_TEST

/* A lock of the program's own, made of a futex. */
START_TEST(who_takes_turns_at_a_futex_is_not_idle)
{
	struct thread_time time = lived(10, CAUSE_FUTEX);

	time.turns_ns = 50 * MS;
	ck_assert_uint_eq(idle_time_ns(&time, 900e6), 940 * MS);
	idle_take_out(&time, 900e6);
	ck_assert_uint_eq(time.idle_ns, 940 * MS);
	ck_assert_uint_eq(time.by_cause_ns[CAUSE_FUTEX], 50 * MS);
	time = lived(10, CAUSE_FUTEX);
	time.turns_ns = 200 * MS;
	ck_assert(!idle_thread(&time, 900e6));
	ck_assert_uint_eq(idle_time_ns(&time, 900e6), 0);
}
END_TEST

/* A worker of a pool that waits, beside another one that works from start_ms on; of which host it
 * is, and whether it is a rank. */
static bool is_elsewhere(uint64_t start_ms, uint64_t worked_ms, const char *host, uint64_t ranks)
{
	struct run_process processes[] = {
		{.header = {.start_ns = 1000 * MS, .end_ns = 2000 * MS},
		 .process = {.host = "here"},
		 .worked_ns = 2 * MS},
		{.header = {.start_ns = start_ms * MS, .end_ns = 3000 * MS},
		 .process = {.host = host},
		 .rank_count = ranks,
		 .worked_ns = worked_ms * MS},
	};
	const struct run_files files = {.processes = processes,
					.process_count = 1,
					.others = &processes[1],
					.other_count = 1};

	return work_is_elsewhere(&files, 0, processes[0].header.end_ns);
}

START_TEST(another_process_works)
{
	ck_assert(is_elsewhere(1000, 900, "here", 0));
	ck_assert(is_elsewhere(500, 500, "here", 0));
	ck_assert(!is_elsewhere(1000, 499, "here", 0));
	ck_assert(!is_elsewhere(1501, 900, "here", 0)); /* not for half of the time */
	ck_assert(!is_elsewhere(1000, 900, "there", 0));
	ck_assert(!is_elsewhere(1000, 900, "here", 2));
}
END_TEST

START_TEST(who_waits_while_another_process_works_is_idle)
{
	struct thread_time time = lived(30, CAUSE_OTHER);
	struct process process = {.threads = &time, .thread_count = 1};

	ck_assert(!idle_thread(&time, idle_busiest_ns(&process)));
	process.has_work_elsewhere = true;
	ck_assert(idle_thread(&time, idle_busiest_ns(&process)));
	time.user_ns = 200 * MS;
	ck_assert(!idle_thread(&time, idle_busiest_ns(&process)));
}
END_TEST

/* A worker waits for requests for a fifth of its life, and for a lock for another one. */
START_TEST(waits_for_events_are_idle_time_of_any_thread)
{
	struct thread_time time = lived(600, CAUSE_EVENTS);

	time.by_cause_ns[CAUSE_EVENTS] = time.by_cause_ns[CAUSE_MUTEX] = 200 * MS;
	ck_assert_uint_eq(idle_time_ns(&time, 600e6), 200 * MS);
	idle_take_out(&time, 600e6);
	ck_assert_uint_eq(time.idle_ns, 200 * MS);
	ck_assert_uint_eq(time.by_cause_ns[CAUSE_EVENTS], 0);
	ck_assert_uint_eq(time.by_cause_ns[CAUSE_MUTEX], 200 * MS);
	ck_assert_uint_eq(time.blocked_ns, 400 * MS);
}
END_TEST

/* The same waits of one that works are the lack of what it waits for. */
START_TEST(conditions_are_idle_time_of_idle_threads_alone)
{
	struct thread_time helper = lived(10, CAUSE_CONDITION),
			   worker = lived(500, CAUSE_CONDITION);

	ck_assert_uint_eq(idle_time_ns(&helper, 900e6), 990 * MS);
	ck_assert_uint_eq(idle_time_ns(&worker, 900e6), 0);
}
END_TEST

UNIT_MAIN("idle_threads", threads_of_one_role_are_judged_alike, tiny_cpu_times_are_not_compared,
	  who_takes_turns_at_a_futex_is_not_idle, another_process_works,
	  who_waits_while_another_process_works_is_idle, who_waits_for_work_time_or_input_is_idle,
	  who_works_is_not_idle, nobody_is_idle_beside_others_that_do_as_little,
	  readiness_is_no_wait, the_busiest_is_of_the_rows,
	  waits_for_events_are_idle_time_of_any_thread,
	  conditions_are_idle_time_of_idle_threads_alone)

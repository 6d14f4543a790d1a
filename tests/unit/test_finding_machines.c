/* SPDX-License-Identifier: MIT */
/* Each rule on threads, on machines of 2 to 256 processors: the cause of a run's loss is found and
 * comes first, and the stake is never more than the time of the cause. */
#include "tests/unit/machine.h"
#include "tests/unit/truth.h"

/* ---- stories */

static struct truth of_both(double cause_ns, double least_ns)
{
	return (struct truth){cause_ns, least_ns};
}

/* One works, the others wait, by turns. */
static struct truth take_turns(struct machine *m, enum operation operation, enum cause cause)
{
	double n = (double)m->workers, waits = (n - 1) * (double)SECOND;
	double at_once = fmin(n, (double)m->run.processors);

	for (size_t i = 1; i <= m->workers; i++)
		machine_worker(m, i, SECOND, SECOND / m->workers, cause);
	machine_level(m, 1, 1, SECOND);
	machine_wait(m, operation, cause, 100, waits);
	return of_both(waits, 0.99 * (double)SECOND * (1 - 1 / at_once));
}

static struct truth tell_lock(struct machine *m)
{
	return take_turns(m, OP_MUTEX_LOCK, CAUSE_MUTEX);
}

static struct truth tell_barrier(struct machine *m)
{
	return take_turns(m, OP_BARRIER_WAIT, CAUSE_BARRIER);
}

/* The same, but they spin. */
static struct truth tell_spinlock(struct machine *m)
{
	double n = (double)m->workers, waits = (n - 1) * (double)SECOND;

	machine_level(m, m->workers, 1, SECOND);
	machine_wait(m, OP_SPIN_LOCK, CAUSE_SPINLOCK, 100, waits);
	return of_both(waits, 0.99 * (double)SECOND * (n - 1) / n);
}

/* All are off the processor for half of the time. */
static struct truth all_pause(struct machine *m, enum operation operation, enum cause cause)
{
	double waits = (double)m->workers * (double)SECOND / 2;

	for (size_t i = 1; i <= m->workers; i++)
		machine_worker(m, i, SECOND, SECOND / 2, cause);
	machine_level(m, m->workers, m->workers, SECOND / 2);
	machine_level(m, 0, 0, SECOND / 2);
	machine_wait(m, operation, cause, 4, waits);
	return of_both(waits, 0.49 * (double)SECOND);
}

/* For something from outside of the program: a thread that works alone meanwhile would be the
 * cause. */
static struct truth tell_condition(struct machine *m)
{
	return all_pause(m, OP_COND_WAIT, CAUSE_CONDITION);
}

static struct truth tell_sleep(struct machine *m)
{
	return all_pause(m, OP_NANOSLEEP, CAUSE_SLEEP);
}

static struct truth tell_blocked(struct machine *m)
{
	return all_pause(m, OP_NONE, CAUSE_OTHER);
}

/* One pauses for half of the time, when the others have done their work and ended. */
static struct truth one_pauses(struct machine *m, enum operation operation, enum cause cause)
{
	machine_worker(m, 1, SECOND, SECOND / 2, cause);
	for (size_t i = 2; i <= m->workers; i++)
		machine_worker(m, i, SECOND / 2, SECOND / 2, cause);
	machine_level(m, m->workers, m->workers, SECOND / 2);
	machine_level(m, 0, 0, SECOND / 2);
	machine_wait(m, operation, cause, 4, (double)SECOND / 2);
	return of_both((double)SECOND / 2, 0.49 * (double)SECOND);
}

static struct truth tell_sleeper(struct machine *m)
{
	return one_pauses(m, OP_NANOSLEEP, CAUSE_SLEEP);
}

static struct truth tell_reader(struct machine *m)
{
	return one_pauses(m, OP_NONE, CAUSE_OTHER);
}

/* One reads for half of the time, while the others wait for what it reads. */
static struct truth tell_starved(struct machine *m)
{
	for (size_t i = 2; i <= m->workers; i++)
		machine_worker(m, i, SECOND, SECOND / 2, CAUSE_CONDITION);
	machine_worker(m, 1, SECOND, SECOND / 2, CAUSE_OTHER);
	machine_level(m, m->workers, m->workers, SECOND / 2);
	machine_level(m, 0, 0, SECOND / 2);
	machine_wait(m, OP_COND_WAIT, CAUSE_CONDITION, 4,
		     (double)(m->workers - 1) * (double)SECOND / 2);
	return of_both((double)SECOND / 2, 0.49 * (double)SECOND);
}

/* One works for twice as long as the others, which end. */
static struct truth tell_imbalance(struct machine *m)
{
	double n = (double)m->workers, half = (double)SECOND / 2, excess = half * (n - 1) / n;

	for (size_t i = 2; i <= m->workers; i++)
		machine_worker(m, i, SECOND / 2, SECOND / 2, CAUSE_OTHER);
	machine_level(m, m->workers, m->workers, SECOND / 2);
	machine_level(m, 1, 1, SECOND / 2);
	m->run.imbalance = (struct imbalance){.count = m->workers,
					      .sum_ns = (n + 1) * half,
					      .max_ns = 2 * half,
					      .lost_ns = (n - 1) * half,
					      .excess_ns = excess,
					      .longest_tid = 11,
					      .start = {.routine = m->site.routine}};
	return of_both(excess, 0.99 * excess);
}

/* The main thread works for half of the time, before it starts the others. */
static struct truth tell_serial(struct machine *m)
{
	double all = (double)m->run.processors, half = (double)SECOND / 2;

	m->threads[0].user_ns = SECOND / 2;
	m->threads[0].by_cause_ns[CAUSE_JOIN] = SECOND / 2;
	for (size_t i = 1; i <= m->workers; i++) {
		m->rows[i].birth_ns = 1 + SECOND / 2;
		m->threads[i].lifetime_ns = m->threads[i].user_ns = SECOND / 2;
	}
	machine_level(m, m->workers, m->workers, SECOND / 2);
	machine_level(m, 1, 1, SECOND / 2);
	m->routine.total_spread.count = 1;
	return of_both(half, 0.99 * half * (1 - 1 / all));
}

/* A quarter of the time goes by with starting threads. */
static struct truth tell_short_threads(struct machine *m)
{
	double quarter = (double)SECOND / 4;

	m->rows[1].lives = 10000;
	m->threads[1].lifetime_ns = SECOND;
	machine_level(m, m->workers, m->workers, SECOND * 3 / 4);
	machine_level(m, 1, 1, SECOND / 4);
	for (size_t i = 1; i <= m->workers; i++)
		m->threads[i].user_ns = SECOND * 3 / 4;
	m->threads[0].user_ns = SECOND / 4;
	return of_both(quarter, 0.4 * quarter);
}

/* A tenth of all work is taking locks. */
static struct truth tell_fine_locks(struct machine *m)
{
	double cost = 0.1 * (double)SECOND * (double)m->workers;

	machine_level(m, m->workers, m->workers, SECOND);
	machine_wait(m, OP_MUTEX_LOCK, CAUSE_OTHER, (uint64_t)(cost / 20), 0);
	m->sync.contended = 0;
	return of_both(cost, 0.099 * (double)SECOND);
}

/* Each has had a processor for half of the time. */
static struct truth tell_ready(struct machine *m)
{
	for (size_t i = 1; i <= m->workers; i++) {
		m->threads[i].user_ns = SECOND / 2;
		m->threads[i].ready_ns = SECOND / 2;
	}
	machine_level(m, m->workers / 2, m->workers / 2, SECOND);
	return of_both((double)SECOND / 2 * (double)m->workers, 0);
}

/* ---- on all machines */

static struct truth tell_busy(struct machine *m)
{
	machine_level(m, m->workers, m->workers, SECOND);
	return of_both((double)SECOND, 0);
}

enum size { AS_MANY, TWICE, HALF, TWO }; /* workers, of the processors */

static size_t workers_of(enum size size, uint64_t processors)
{
	switch (size) {
	case TWICE:
		return 2 * processors;
	case HALF:
		return processors / 2;
	case TWO:
		return 2;
	default:
		return processors;
	}
}

static const struct {
	const char *id; /* NULL: nothing is found */
	struct truth (*tell)(struct machine *m);
	enum size size;
} stories[] = {
	{NULL, tell_busy, AS_MANY},
	{"too-few-threads", tell_busy, HALF},
	{"lock-contention", tell_lock, AS_MANY},
	{"lock-contention", tell_lock, TWO},
	{"lock-contention", tell_lock, TWICE},
	{"spin-wait", tell_spinlock, AS_MANY},
	{"spin-wait", tell_spinlock, TWO},
	{"barrier-wait", tell_barrier, AS_MANY},
	{"barrier-wait", tell_barrier, TWO},
	{"condition-wait", tell_condition, AS_MANY},
	{"sleep", tell_sleep, AS_MANY},
	{"sleep", tell_sleeper, AS_MANY},
	{"blocked", tell_blocked, AS_MANY},
	{"blocked", tell_reader, AS_MANY},
	{"blocked", tell_starved, AS_MANY},
	{"imbalance", tell_imbalance, AS_MANY},
	{"sequential", tell_serial, AS_MANY},
	{"short-threads", tell_short_threads, AS_MANY},
	{"fine-locks", tell_fine_locks, AS_MANY},
	{"oversubscription", tell_ready, TWICE},
	{"oversubscription", tell_ready, AS_MANY},
};

#define STORIES (sizeof stories / sizeof *stories)

static void check_story(size_t story, uint64_t processors)
{
	if (stories[story].size == HALF && processors == 2)
		return; /* one worker is a part that runs alone */
	struct machine *m = malloc(sizeof *m);

	machine_begin(m, processors, workers_of(stories[story].size, processors));
	struct truth truth = stories[story].tell(m);

	machine_find(m);
	check_first(&m->run, stories[story].id, truth, story);
	machine_end(m);
	free(m);
}

START_TEST(the_cause_is_first_on_every_machine)
{
	for (size_t story = 0; story < STORIES; story++)
		for (size_t size = 0; size < SIZES; size++)
			check_story(story, sizes[size]);
}
END_TEST

/* ---- what looks like it, and what is weak */

START_TEST(spinning_looks_busy_on_every_machine)
{
	for (size_t size = 0; size < SIZES; size++) {
		struct machine *m = malloc(sizeof *m);

		machine_begin(m, sizes[size], 2);
		tell_spinlock(m);
		m->routine.samples = 10;
		machine_find(m);
		const struct finding *busy = told_finding("false-parallelism");

		ck_assert_msg(busy != NULL, "on %d processors:%s", (int)sizes[size],
			      list_findings());
		ck_assert_double_eq_tol(busy->elapsed_percent, 50, 1e-6);
		ck_assert_ptr_nonnull(told_finding("few-samples"));
		machine_end(m);
		free(m);
	}
}
END_TEST

/* The same run, in which two threads share a lock, has the same finding on every machine. */
START_TEST(a_stake_is_the_same_on_every_machine)
{
	double stake_ns = 0;

	for (size_t size = 0; size < SIZES; size++) {
		struct machine *m = malloc(sizeof *m);

		machine_begin(m, sizes[size], 2);
		tell_lock(m);
		machine_find(m);
		const struct finding *found = told_finding("lock-contention");

		ck_assert_ptr_nonnull(found);
		if (size)
			ck_assert_double_eq_tol(found->elapsed_ns, stake_ns, 1);
		stake_ns = found->elapsed_ns;
		ck_assert_ptr_null(told_finding("too-few-threads"));
		ck_assert_ptr_null(told_finding("sequential"));
		machine_end(m);
		free(m);
	}
}
END_TEST

/* 40 ms alone, as a part of 64 processors' time, are 2.5 s. */
START_TEST(a_part_that_runs_alone_wins_no_more_than_its_time)
{
	for (size_t size = 0; size < SIZES; size++) {
		struct machine *m = malloc(sizeof *m);
		uint64_t alone_ns = SECOND / 10;

		machine_begin(m, sizes[size], 2);
		machine_level(m, 1, 1, alone_ns);
		machine_level(m, 2, 2, SECOND - alone_ns);
		m->routine.total_spread.count = 1;
		machine_find(m);
		const struct finding *found = told_finding("sequential");

		ck_assert_ptr_nonnull(found);
		ck_assert_double_le(found->elapsed_ns, (double)alone_ns);
		machine_end(m);
		free(m);
	}
}
END_TEST

UNIT_MAIN("finding_machines", the_cause_is_first_on_every_machine,
	  spinning_looks_busy_on_every_machine, a_stake_is_the_same_on_every_machine,
	  a_part_that_runs_alone_wins_no_more_than_its_time)

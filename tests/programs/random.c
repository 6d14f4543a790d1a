/* SPDX-License-Identifier: MIT */
/* random SEED: a program made up from a number. 2 to 6 threads go through 1 to 4 phases, in each of
 * which all of them work under locks, hand things over in a queue, take turns by a condition or
 * pass tokens by a semaphore, and which a barrier ends. In half of the programs each phase has
 * threads of its own. Nothing can deadlock: locks are taken in their order, tokens are put before
 * any is taken, and of a queue as much is taken as was put.
 *
 * Truth: how often each call was made for each object; how long the calls took; for how much of
 * that each section held the lock that others waited for; CPU time by section and by thread. */
#include "truth.h"
#include <semaphore.h>
#include <stdbool.h>
#include <stdint.h>

enum { THREADS = 6, PHASES = 4, LOCKS = 4, SECTIONS = 4, STEPS = 30, SLOTS = 3, SPANS = 1024 };

static pthread_mutex_t lock_a = PTHREAD_MUTEX_INITIALIZER, lock_b, lock_c, lock_d,
		       queue_lock = PTHREAD_MUTEX_INITIALIZER,
		       turn_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t *const locks[LOCKS] = {&lock_a, &lock_b, &lock_c, &lock_d};
static pthread_rwlock_t table = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER, not_empty = PTHREAD_COND_INITIALIZER,
		      next_turn = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t phase_end;
static sem_t tokens;

/* What calls are counted and timed for. The first ones are the locks. */
enum what {
	TABLE = LOCKS,
	QUEUE_LOCK,
	TURN_LOCK,
	NOT_FULL,
	NOT_EMPTY,
	NEXT_TURN,
	PHASE_END,
	TOKENS,
	WHATS
};
static const char *const names[WHATS] = {"lock_a",    "lock_b",     "lock_c",    "lock_d",
					 "table",     "queue_lock", "turn_lock", "not_full",
					 "not_empty", "next_turn",  "phase_end", "tokens"};

struct span {
	int what, section;
	double from, to;
};

static struct person {
	uint64_t chance;
	int number, phase;
	double cpu, section_cpu[SECTIONS], waited[WHATS];
	int calls[WHATS], timeouts[LOCKS], busy[LOCKS];
	int waits, holds;
	struct span wait[SPANS], hold[SPANS];
} people[PHASES][THREADS];

enum kind { LOCKING, QUEUEING, TURNS, PASSING, KINDS };
static struct plan {
	int threads, phases;
	bool are_renewed; /* each phase has threads of its own */
	enum kind kinds[PHASES];
	int steps[PHASES];
	int cost_us[SECTIONS];
} plan;

static int slots, turn;

/* S. Vigna, splitmix64 */
static uint64_t draw(uint64_t *chance)
{
	uint64_t z = *chance += UINT64_C(0x9e3779b97f4a7c15);
	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

static int below(uint64_t *chance, int limit)
{
	return (int)(draw(chance) % (uint64_t)limit);
}

/* ---- what is counted ---- */

static void add_wait(struct person *p, int what, double from)
{
	double to = now();
	p->calls[what]++;
	p->waited[what] += to - from;
	if (p->waits < SPANS)
		p->wait[p->waits++] = (struct span){what, 0, from, to};
}

/* CALL: any that may wait; its result. */
#define TIMED(p, what, call)                                                                       \
	({                                                                                         \
		double from_ = now();                                                              \
		int result_ = call;                                                                \
		add_wait(p, what, from_);                                                          \
		result_;                                                                           \
	})

static void add_hold(struct person *p, int what, int section, double from)
{
	if (p->holds < SPANS)
		p->hold[p->holds++] = (struct span){what, section, from, now()};
}

/* ---- sections: each holds a lock for its own cost ---- */

static inline __attribute__((always_inline)) void work(struct person *p, int section)
{
	double from = cpu(), end = from + 1e-6 * plan.cost_us[section];
	while (cpu() < end)
		for (volatile int i = 0; i < 500; i++)
			;
	p->section_cpu[section] += cpu() - from;
}

/* Locks with work done under them, and maybe another one within; inner LOCKS and above: none. A
 * macro, so that the section itself is the routine that takes and lets go. */
#define SECTION(n)                                                                                 \
	static NOINLINE void section_##n(struct person *p, int which, int inner)                   \
	{                                                                                          \
		TIMED(p, which, pthread_mutex_lock(locks[which]));                                 \
		double from = now(), inner_from = 0;                                               \
		if (inner < LOCKS) {                                                               \
			TIMED(p, inner, pthread_mutex_lock(locks[inner]));                         \
			inner_from = now();                                                        \
		}                                                                                  \
		work(p, n);                                                                        \
		if (inner < LOCKS) {                                                               \
			add_hold(p, inner, n, inner_from);                                         \
			pthread_mutex_unlock(locks[inner]);                                        \
		}                                                                                  \
		add_hold(p, which, n, from);                                                       \
		pthread_mutex_unlock(locks[which]);                                                \
		KEEP;                                                                              \
	}
SECTION(0)
SECTION(1)
SECTION(2)
SECTION(3)
static void (*const sections[SECTIONS])(struct person *, int, int) = {section_0, section_1,
								      section_2, section_3};

static NOINLINE void try_lock(struct person *p, int which)
{
	double from = now();
	int result = TIMED(p, which, pthread_mutex_trylock(locks[which]));
	if (result) {
		p->busy[which]++;
		return;
	}
	from = now();
	work(p, 0);
	add_hold(p, which, SECTIONS, from);
	pthread_mutex_unlock(locks[which]);
	KEEP;
}

static NOINLINE void timed_lock(struct person *p, int which)
{
	struct timespec end = deadline(CLOCK_REALTIME, 1e-6 * (20 + below(&p->chance, 300)));
	if (TIMED(p, which, pthread_mutex_timedlock(locks[which], &end))) {
		p->timeouts[which]++;
		return;
	}
	double from = now();
	work(p, 1);
	add_hold(p, which, SECTIONS, from);
	pthread_mutex_unlock(locks[which]);
	KEEP;
}

static NOINLINE void look_up(struct person *p)
{
	TIMED(p, TABLE, pthread_rwlock_rdlock(&table));
	work(p, 2);
	pthread_rwlock_unlock(&table);
}

static NOINLINE void change(struct person *p)
{
	TIMED(p, TABLE, pthread_rwlock_wrlock(&table));
	work(p, 3);
	pthread_rwlock_unlock(&table);
}

static NOINLINE void alone(struct person *p)
{
	work(p, below(&p->chance, SECTIONS));
}

static void step_locking(struct person *p)
{
	int which = below(&p->chance, LOCKS), inner = which + 1 + below(&p->chance, LOCKS);

	switch (below(&p->chance, 10)) {
	case 0:
		try_lock(p, which);
		break;
	case 1:
		timed_lock(p, which);
		break;
	case 2:
		look_up(p);
		break;
	case 3:
		change(p);
		break;
	case 4:
		alone(p);
		break;
	case 5:
		nap_raw(1e-6 * below(&p->chance, 300));
		break;
	default:
		sections[below(&p->chance, SECTIONS)](p, which, inner);
	}
}

/* ---- the other kinds of phases ---- */

static void put(struct person *p)
{
	work(p, 0);
	TIMED(p, QUEUE_LOCK, pthread_mutex_lock(&queue_lock));
	while (slots == SLOTS)
		TIMED(p, NOT_FULL, pthread_cond_wait(&not_full, &queue_lock));
	slots++;
	pthread_cond_signal(&not_empty);
	pthread_mutex_unlock(&queue_lock);
}

static void take(struct person *p)
{
	TIMED(p, QUEUE_LOCK, pthread_mutex_lock(&queue_lock));
	while (!slots)
		TIMED(p, NOT_EMPTY, pthread_cond_wait(&not_empty, &queue_lock));
	slots--;
	pthread_cond_signal(&not_full);
	pthread_mutex_unlock(&queue_lock);
	work(p, 1);
}

/* The first threads put, the others take as much. */
static void go_queueing(struct person *p, int steps)
{
	int takers = plan.threads / 2, putters = plan.threads - takers;
	int number = p->number < putters ? steps * takers : steps * putters;

	for (int i = 0; i < number; i++)
		(p->number < putters ? put : take)(p);
}

static void go_in_turns(struct person *p, int steps)
{
	for (int i = 0; i < steps; i++) {
		TIMED(p, TURN_LOCK, pthread_mutex_lock(&turn_lock));
		while (turn % plan.threads != p->number)
			TIMED(p, NEXT_TURN, pthread_cond_wait(&next_turn, &turn_lock));
		work(p, 2);
		turn++;
		pthread_cond_broadcast(&next_turn);
		pthread_mutex_unlock(&turn_lock);
	}
}

static void go_passing(struct person *p, int steps)
{
	for (int i = 0; i < steps; i++) {
		if (p->number % 2)
			work(p, 3);
		sem_post(&tokens);
	}
	for (int i = 0; i < steps; i++)
		TIMED(p, TOKENS, sem_wait(&tokens));
}

static void go_locking(struct person *p, int steps)
{
	for (int i = 0; i < steps; i++)
		step_locking(p);
}

static void (*const kinds[KINDS])(struct person *, int) = {go_locking, go_queueing, go_in_turns,
							   go_passing};

static void go(struct person *p, int phase)
{
	kinds[plan.kinds[phase]](p, plan.steps[phase]);
	TIMED(p, PHASE_END, pthread_barrier_wait(&phase_end));
}

/* ---- threads ---- */

static void *live(void *argument)
{
	struct person *p = argument;
	char name[16];

	snprintf(name, sizeof name, "w%d-%d", p->phase, p->number);
	pthread_setname_np(pthread_self(), name);
	for (int phase = p->phase; phase < (plan.are_renewed ? p->phase + 1 : plan.phases); phase++)
		go(p, phase);
	p->cpu = cpu();
	return NULL;
}

static void run_threads(int phase)
{
	pthread_t threads[THREADS];

	for (int i = 0; i < plan.threads; i++) {
		people[phase][i].phase = phase;
		people[phase][i].number = i;
		people[phase][i].chance = (uint64_t)(phase * THREADS + i) * 7919 + plan.cost_us[0];
		if (pthread_create(&threads[i], NULL, live, &people[phase][i]))
			abort();
	}
	for (int i = 0; i < plan.threads; i++)
		pthread_join(threads[i], NULL);
}

static void draw_plan(uint64_t seed)
{
	static const int types[] = {PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_RECURSIVE,
				    PTHREAD_MUTEX_ERRORCHECK, PTHREAD_MUTEX_ADAPTIVE_NP};
	uint64_t chance = seed;
	pthread_mutexattr_t attributes;

	plan.threads = 2 + below(&chance, THREADS - 1);
	plan.phases = 1 + below(&chance, PHASES);
	plan.are_renewed = below(&chance, 2);
	for (int i = 0; i < plan.phases; i++) {
		int kind = below(&chance, 2 * KINDS);
		plan.kinds[i] = kind < KINDS ? (enum kind)kind : LOCKING;
		plan.steps[i] = 1 + below(&chance, STEPS);
	}
	for (int i = 0; i < SECTIONS; i++)
		plan.cost_us[i] = 5 + below(&chance, 300);
	pthread_mutexattr_init(&attributes);
	for (int i = 1; i < LOCKS; i++) {
		pthread_mutexattr_settype(&attributes, types[below(&chance, 4)]);
		pthread_mutexattr_setprotocol(
			&attributes, below(&chance, 4) ? PTHREAD_PRIO_NONE : PTHREAD_PRIO_INHERIT);
		pthread_mutex_init(locks[i], &attributes);
	}
	pthread_barrier_init(&phase_end, NULL, (unsigned)plan.threads);
	sem_init(&tokens, 0, 0);
}

/* ---- truth ---- */

static void say(const char *name, const char *of, double value)
{
	char text[64];
	snprintf(text, sizeof text, "%s.%s", name, of);
	truth(text, value);
}

#define EACH_PERSON(p)                                                                             \
	for (struct person *p = people[0]; p < people[0] + (size_t)PHASES * THREADS; p++)

static double overlap(const struct span *a, const struct span *b)
{
	double from = a->from > b->from ? a->from : b->from, to = a->to < b->to ? a->to : b->to;
	return to > from ? to - from : 0;
}

/* For how much of the waits for this lock each section had it. */
static void say_blame(int which)
{
	double blame[SECTIONS + 1] = {0};

	EACH_PERSON(waiter)
	EACH_PERSON(holder)
	for (int i = 0; waiter != holder && i < waiter->waits; i++)
		for (int k = 0; waiter->wait[i].what == which && k < holder->holds; k++)
			if (holder->hold[k].what == which)
				blame[holder->hold[k].section] +=
					overlap(&waiter->wait[i], &holder->hold[k]);
	for (int i = 0; i < SECTIONS; i++) {
		char text[16];
		snprintf(text, sizeof text, "section_%d", i);
		say(names[which], text, blame[i]);
	}
}

static void say_calls(int what)
{
	double calls = 0, waited = 0;

	EACH_PERSON(p)
	{
		calls += p->calls[what];
		waited += p->waited[what];
	}
	say(names[what], "calls", calls);
	say(names[what], "waited", waited);
}

static void say_rest(int which)
{
	double timeouts = 0, busy = 0;

	EACH_PERSON(p)
	{
		timeouts += p->timeouts[which];
		busy += p->busy[which];
	}
	say(names[which], "timeouts", timeouts);
	say(names[which], "busy", busy);
}

static void say_cpu(void)
{
	double sections_cpu[SECTIONS] = {0}, all = 0;
	char text[16];

	EACH_PERSON(p)
	{
		all += p->cpu;
		for (int i = 0; i < SECTIONS; i++)
			sections_cpu[i] += p->section_cpu[i];
		if (p->cpu > 0) {
			snprintf(text, sizeof text, "w%d-%d", p->phase, p->number);
			say("cpu", text, p->cpu);
		}
	}
	truth("cpu", all);
	for (int i = 0; i < SECTIONS; i++) {
		snprintf(text, sizeof text, "worked_%d", i);
		truth(text, sections_cpu[i]);
	}
}

int main(int argc, char **argv)
{
	draw_plan(argc > 1 ? strtoull(argv[1], NULL, 10) : 1);
	for (int phase = 0; phase < (plan.are_renewed ? plan.phases : 1); phase++)
		run_threads(phase);
	for (int i = 0; i < WHATS; i++)
		say_calls(i);
	for (int i = 0; i < LOCKS; i++) {
		say_rest(i);
		say_blame(i);
	}
	say_cpu();
	truth("threads", plan.threads * (plan.are_renewed ? plan.phases : 1));
	printf("%d threads, %d phases%s\n", plan.threads, plan.phases,
	       plan.are_renewed ? ", new threads for each" : "");
	fflush(stdout);
	truth_end();
	return 0;
}

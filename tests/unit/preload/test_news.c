/* SPDX-License-Identifier: MIT */
#include "preload/concurrency/news.h"

#include "tests/unit/unit.h"

#include <pthread.h>
#include <sched.h>
#include <string.h>

enum { MANY = 7000, ENOUGH = 3, FEW = 40, TELLERS = 4, TURNS = 3000 };

static struct event_ring event_rings[MANY];
static struct event_ring *found[MANY];

static struct event_ring *event_ring_at(uint32_t index)
{
	return &event_rings[index];
}

static void prepare(unsigned count)
{
	memset(event_rings, 0, sizeof event_rings);
	event_ring_forget_all();
	news_forget_all();
	event_ring_set_all(event_ring_at, count);
	for (unsigned i = 0; i < count; i++)
		event_rings[i].index = i;
}

static unsigned drain(void)
{
	unsigned count = news_find(found, MANY);

	for (unsigned i = 0; i < count; i++)
		__atomic_store_n(&found[i]->tail,
				 __atomic_load_n(&found[i]->head, __ATOMIC_ACQUIRE),
				 __ATOMIC_RELEASE);
	return count;
}

static unsigned drain_often(void)
{
	unsigned looked_at = 0;

	for (int i = 0; i < ENOUGH; i++) {
		looked_at = news_strike_off();
		drain();
	}
	return looked_at;
}

static void tell_all(void)
{
	for (unsigned i = 0; i < MANY; i++)
		news_push(&event_rings[i], 1, WHAT_ENTER);
}

START_TEST(a_drain_looks_at_those_that_told_something_since_the_last_one)
{
	prepare(MANY);
	tell_all();
	ck_assert_uint_eq(drain_often(), MANY);
	ck_assert_uint_eq(news_strike_off(), MANY); /* once more, after they were struck off */
	ck_assert_uint_eq(news_strike_off(), 0);
	news_push(&event_rings[MANY / 2], 2, WHAT_LEAVE);
	news_push(&event_rings[MANY - 1], 2, WHAT_LEAVE);
	ck_assert_uint_eq(news_strike_off(), 2);
	ck_assert_uint_eq(drain(), 2);
	ck_assert_ptr_eq(found[0], &event_rings[MANY / 2]);
	ck_assert_ptr_eq(found[1], &event_rings[MANY - 1]);
}
END_TEST

/* It saw its bit, and told, and then the bit was cleared: nothing but the second look finds it. */
START_TEST(who_tells_while_it_is_struck_off_is_found)
{
	struct event_ring *late = &event_rings[MANY / 3];

	prepare(MANY);
	tell_all();
	drain_often();
	ck_assert_uint_eq(*news_word(news_listed, late) & news_bit(late), 0);
	late->head++; /* as if its look had come before */
	news_strike_off();
	ck_assert_uint_eq(drain(), 1);
	ck_assert_ptr_eq(found[0], late);
	late->head++;
	news_strike_off();
	ck_assert_uint_eq(drain(), 1);
}
END_TEST

START_TEST(a_few_quiet_threads_stay_listed)
{
	prepare(MANY);
	for (unsigned i = 0; i < 8; i++)
		news_push(&event_rings[i * 100], 1, WHAT_ENTER);
	drain_often();
	drain_often();
	ck_assert_uint_eq(news_strike_off(), 8);
}
END_TEST

START_TEST(who_makes_calls_is_looked_at_until_it_ends)
{
	struct event_ring *caller = &event_rings[77];

	prepare(MANY);
	news_keep(caller);
	tell_all();
	drain_often();
	drain_often();
	ck_assert_uint_eq(news_strike_off(), 1);
	caller->open_since_ns = OPEN_STATES; /* told of by nothing else */
	ck_assert_uint_eq(news_find(found, MANY), 1);
	caller->open_since_ns = OPEN_NONE;
	news_end(caller);
	tell_all();
	drain_often();
	drain_often();
	ck_assert_uint_eq(news_strike_off(), 0);
}
END_TEST

/* ---- beside a drain that strikes off all the time ---- */

static struct {
	unsigned rounds; /* atomic */
	unsigned told;   /* atomic */
	unsigned missed; /* atomic */
	bool is_over;    /* atomic */
} stress;

static void *drain_always(void *unused)
{
	while (!__atomic_load_n(&stress.is_over, __ATOMIC_ACQUIRE)) {
		news_strike_off();
		drain();
		__atomic_fetch_add(&stress.rounds, 1, __ATOMIC_SEQ_CST);
		sched_yield();
	}
	return unused;
}

/* Two whole rounds begin after it was told: it must have been seen. */
static void await(const struct event_ring *event_ring)
{
	unsigned from = __atomic_load_n(&stress.rounds, __ATOMIC_SEQ_CST);

	while (__atomic_load_n(&stress.rounds, __ATOMIC_SEQ_CST) - from < ENOUGH)
		sched_yield();
	if (__atomic_load_n(&event_ring->tail, __ATOMIC_ACQUIRE) != event_ring->head)
		__atomic_fetch_add(&stress.missed, 1, __ATOMIC_RELAXED);
}

static void *tell(void *first)
{
	for (unsigned turn = 0; turn < TURNS; turn++) {
		struct event_ring *event_ring =
			(struct event_ring *)first + turn % (FEW / TELLERS) * TELLERS;
		news_push(event_ring, turn, turn % 2 ? WHAT_ENTER : WHAT_LEAVE);
		if (turn % 5 < 4)
			await(event_ring);
		__atomic_fetch_add(&stress.told, 1, __ATOMIC_RELAXED);
	}
	return NULL;
}

START_TEST(nothing_is_missed_beside_a_drain)
{
	pthread_t drainer, tellers[TELLERS];

	prepare(FEW);
	pthread_create(&drainer, NULL, drain_always, NULL);
	for (unsigned i = 0; i < TELLERS; i++)
		pthread_create(&tellers[i], NULL, tell, &event_rings[i]);
	for (unsigned i = 0; i < TELLERS; i++)
		pthread_join(tellers[i], NULL);
	__atomic_store_n(&stress.is_over, true, __ATOMIC_RELEASE);
	pthread_join(drainer, NULL);
	drain_often();
	ck_assert_uint_eq(stress.told, TELLERS * TURNS);
	ck_assert_uint_eq(stress.missed, 0);
	for (unsigned i = 0; i < FEW; i++)
		ck_assert_uint_eq(event_rings[i].tail, event_rings[i].head);
}
END_TEST

UNIT_MAIN("news", a_drain_looks_at_those_that_told_something_since_the_last_one,
	  who_tells_while_it_is_struck_off_is_found, a_few_quiet_threads_stay_listed,
	  who_makes_calls_is_looked_at_until_it_ends, nothing_is_missed_beside_a_drain)

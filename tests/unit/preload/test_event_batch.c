/* SPDX-License-Identifier: MIT */
#include "preload/concurrency/event_batch.h"

#include "preload/concurrency/news.h"
#include "tests/unit/unit.h"

enum { MANY = 6000, EVENTS = EVENT_RING_EVENTS };

static struct event_ring event_rings[MANY];

static struct event_ring *event_ring_at(uint32_t index)
{
	return &event_rings[index];
}

static void prepare(void)
{
	event_batch_start(1);
	event_ring_forget_all();
	news_forget_all();
	ck_assert(event_batch_have_room(MANY));
	event_ring_set_all(event_ring_at, MANY);
	for (unsigned i = 0; i < MANY; i++)
		event_rings[i].index = i;
}

/* As many passes as it has events would each look at all threads. */
START_TEST(one_pass_takes_all_events_of_a_thread_among_thousands)
{
	uint64_t horizon_ns = 1000000;
	unsigned count;

	prepare();
	for (unsigned i = 0; i < EVENTS; i++)
		news_push(&event_rings[MANY / 2], i, i % 2 ? WHAT_LEAVE : WHAT_ENTER);
	const struct event *events = event_batch_gather(&horizon_ns, &count);
	ck_assert_uint_eq(count, EVENTS);
	ck_assert_uint_eq(horizon_ns, 1000000);
	for (unsigned i = 0; i < count; i++) {
		ck_assert_uint_eq(events[i].time_ns, 1 + i);
		event_batch_consume(&events[i]);
	}
	event_batch_gather(&horizon_ns, &count);
	ck_assert_uint_eq(count, 0);
}
END_TEST

/* What finds no room draws the horizon in: nothing later is taken before it, and nothing is lost.
 */
START_TEST(thousands_with_more_events_than_room_are_taken_in_order)
{
	uint64_t last_ns = 0, taken = 0;
	unsigned count;

	prepare();
	for (unsigned event = 0; event < 4; event++)
		for (unsigned i = 0; i < MANY; i++)
			news_push(&event_rings[i], (uint64_t)event * MANY + i, WHAT_ENTER);
	do {
		uint64_t horizon_ns = 1000000;
		const struct event *events = event_batch_gather(&horizon_ns, &count);

		for (unsigned i = 0; i < count; i++) {
			ck_assert_uint_ge(events[i].time_ns, last_ns);
			last_ns = events[i].time_ns;
			event_batch_consume(&events[i]);
		}
		taken += count;
	} while (count);
	ck_assert_uint_eq(taken, 4 * MANY);
}
END_TEST

UNIT_MAIN("event_batch", one_pass_takes_all_events_of_a_thread_among_thousands,
	  thousands_with_more_events_than_room_are_taken_in_order)

/* SPDX-License-Identifier: MIT */
#include "preload/concurrency/event_ring.h"

#include <stddef.h>

static struct {
	event_ring_function *at_index;
	uint32_t count; /* atomic: release when a thread is added, acquire by the drain */
} all;

void event_ring_set_all(event_ring_function *at_index, uint32_t count)
{
	uint32_t seen = __atomic_load_n(&all.count, __ATOMIC_RELAXED);

	all.at_index = at_index;
	/* threads that are made at the same time arrive in any order */
	while (seen < count && !__atomic_compare_exchange_n(&all.count, &seen, count, true,
							    __ATOMIC_RELEASE, __ATOMIC_RELAXED))
		;
}

void event_ring_forget_all(void)
{
	all.at_index = NULL;
	__atomic_store_n(&all.count, 0, __ATOMIC_RELAXED);
}

struct event_ring *event_ring_of(uint32_t index)
{
	return all.at_index(index);
}

uint32_t event_ring_count(void)
{
	return __atomic_load_n(&all.count, __ATOMIC_ACQUIRE);
}

void event_ring_cover(struct event_ring *event_ring, uint64_t now_ns)
{
	if (!event_ring->cover_since_ns || now_ns < event_ring->cover_since_ns)
		return;
	event_ring->row->covered_ns += now_ns - event_ring->cover_since_ns;
	event_ring->cover_since_ns = now_ns;
}

void event_ring_go_off(struct event_ring *event_ring, uint64_t now_ns, bool is_preempted)
{
	event_ring->off_since_ns = now_ns;
	event_ring->is_preempted = is_preempted;
	event_ring->row->off_since_ns = now_ns;
	event_ring_cover(event_ring, now_ns);
}

static unsigned off_cause(const struct event_ring *event_ring)
{
	if (event_ring->is_preempted)
		return CAUSE_PREEMPTED;
	return event_ring->is_waiting ? event_ring->cause : (unsigned)CAUSE_OTHER;
}

void event_ring_come_on(struct event_ring *event_ring, uint64_t now_ns)
{
	struct row_threads *row = event_ring->row;

	if (event_ring->off_since_ns && now_ns > event_ring->off_since_ns) {
		uint64_t ns = now_ns - event_ring->off_since_ns;
		row->off_ns += ns;
		row->off_by_cause_ns[off_cause(event_ring)] += ns;
	}
	event_ring->off_since_ns = 0;
	row->off_since_ns = 0;
	event_ring_cover(event_ring, now_ns);
}

void event_ring_end_cover(struct event_ring *event_ring, uint64_t now_ns)
{
	event_ring_come_on(event_ring, now_ns);
	if (event_ring->cover_since_ns)
		event_ring->covered_ns = event_ring->cover_since_ns;
	event_ring->cover_since_ns = 0;
}

void event_ring_cover_single(struct event_ring *event_ring, uint64_t elapsed_ns, uint64_t cpu_ns,
			     const uint64_t waited_ns[CAUSE_COUNT])
{
	struct row_threads *row = event_ring->row;
	uint64_t left = elapsed_ns > cpu_ns ? elapsed_ns - cpu_ns : 0;

	row->covered_ns += elapsed_ns;
	row->off_ns += left;
	for (unsigned cause = CAUSE_OTHER + 1; cause < CAUSE_COUNT; cause++) {
		uint64_t ns = waited_ns[cause] < left ? waited_ns[cause] : left;
		row->off_by_cause_ns[cause] += ns;
		left -= ns;
	}
	row->off_by_cause_ns[CAUSE_OTHER] += left;
}

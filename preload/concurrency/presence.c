/* SPDX-License-Identifier: MIT */
#include "preload/concurrency/presence.h"

#include <stddef.h>

static struct {
	presence_function *at_index;
	uint32_t count; /* atomic: release when a thread is added, acquire by the drain */
} all;

void presence_set_all(presence_function *at_index, uint32_t count)
{
	uint32_t seen = __atomic_load_n(&all.count, __ATOMIC_RELAXED);

	all.at_index = at_index;
	/* threads that are made at the same time arrive in any order */
	while (seen < count && !__atomic_compare_exchange_n(&all.count, &seen, count, true,
							    __ATOMIC_RELEASE, __ATOMIC_RELAXED))
		;
}

void presence_forget_all(void)
{
	all.at_index = NULL;
	__atomic_store_n(&all.count, 0, __ATOMIC_RELAXED);
}

struct presence *presence_of(uint32_t index)
{
	return all.at_index(index);
}

uint32_t presence_count(void)
{
	return __atomic_load_n(&all.count, __ATOMIC_ACQUIRE);
}

void presence_cover(struct presence *presence, uint64_t now_ns)
{
	if (!presence->cover_since_ns || now_ns < presence->cover_since_ns)
		return;
	presence->row->covered_ns += now_ns - presence->cover_since_ns;
	presence->cover_since_ns = now_ns;
}

void presence_go_off(struct presence *presence, uint64_t now_ns, bool is_preempted)
{
	presence->off_since_ns = now_ns;
	presence->is_preempted = is_preempted;
	presence->row->off_since_ns = now_ns;
	presence_cover(presence, now_ns);
}

static unsigned off_cause(const struct presence *presence)
{
	if (presence->is_preempted)
		return CAUSE_PREEMPTED;
	return presence->is_waiting ? presence->cause : (unsigned)CAUSE_OTHER;
}

void presence_come_on(struct presence *presence, uint64_t now_ns)
{
	struct row_threads *row = presence->row;

	if (presence->off_since_ns && now_ns > presence->off_since_ns) {
		uint64_t ns = now_ns - presence->off_since_ns;
		row->off_ns += ns;
		row->off_by_cause_ns[off_cause(presence)] += ns;
	}
	presence->off_since_ns = 0;
	row->off_since_ns = 0;
	presence_cover(presence, now_ns);
}

void presence_end_cover(struct presence *presence, uint64_t now_ns)
{
	presence_come_on(presence, now_ns);
	presence->cover_since_ns = 0;
}

void presence_cover_single(struct presence *presence, uint64_t elapsed_ns, uint64_t cpu_ns,
			   const uint64_t waited_ns[CAUSE_COUNT])
{
	struct row_threads *row = presence->row;
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

/* SPDX-License-Identifier: MIT */
#include "analyze/model/process/process.h"
#include "analyze/model/process/process_clock.h"
#include "analyze/model/run/run_sketch.h"
#include "tests/unit/unit.h"

#define S 1000000000ull

struct told {
	struct run_process files[3];
	struct process processes[3];
};

/* One after the other for a second each, by the time of day; the clock of the last one is ahead. */
static struct told tell(uint64_t ahead_ns, const char *last_host)
{
	struct told told = {0};

	for (size_t i = 0; i < 3; i++) {
		told.files[i].process.host = i == 2 ? last_host : "a";
		told.files[i].header.start_realtime_ns = 1700000000 * S + i * S;
		told.files[i].header.start_ns = 50 * S + i * S + (i == 2 ? ahead_ns : 0);
		told.processes[i].elapsed_ns = S;
	}
	return told;
}

static struct process *all(struct told *told)
{
	for (size_t i = 0; i < 3; i++)
		told->processes[i].file = &told->files[i];
	return told->processes;
}

START_TEST(a_time_namespace_is_another_clock)
{
	struct told told = tell(100000 * S, "a");

	ck_assert(process_clocks_are_several(all(&told), 3));
	ck_assert_int_eq(process_clocks_apart_ns(all(&told), 3), 100000 * (int64_t)S);
	ck_assert_uint_eq(run_elapsed_ns(all(&told), 3), 3 * S);
	told = tell(-(uint64_t)(20 * S), "a");
	ck_assert_int_eq(process_clocks_apart_ns(all(&told), 3), 20 * (int64_t)S);
	ck_assert_uint_eq(run_elapsed_ns(all(&told), 3), 3 * S);
}
END_TEST

START_TEST(a_host_has_one_clock)
{
	struct told told = tell(S / 100, "a");

	ck_assert(!process_clocks_are_several(all(&told), 3));
	ck_assert_int_eq(process_clocks_apart_ns(all(&told), 3), 0);
	ck_assert_uint_eq(run_elapsed_ns(all(&told), 3), 3 * S + S / 100);
}
END_TEST

START_TEST(clocks_of_hosts_differ_without_a_note)
{
	struct told told = tell(100000 * S, "b");

	ck_assert(process_clocks_are_several(all(&told), 3));
	ck_assert_int_eq(process_clocks_apart_ns(all(&told), 3), 0);
	ck_assert_uint_eq(run_elapsed_ns(all(&told), 3), 3 * S);
}
END_TEST

START_TEST(damage_ends)
{
	struct told told = tell(UINT64_MAX / 2, "a");

	told.files[0].header.start_realtime_ns = 0;
	ck_assert(process_clocks_are_several(all(&told), 3));
	ck_assert_int_gt(process_clocks_apart_ns(all(&told), 3), 0);
}
END_TEST

UNIT_MAIN("clocks of processes", a_time_namespace_is_another_clock, a_host_has_one_clock,
	  clocks_of_hosts_differ_without_a_note, damage_ends)

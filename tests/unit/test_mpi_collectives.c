/* SPDX-License-Identifier: MIT */
/* Time lost to ranks that enter a collective call late. */
#include "analyze/model/mpi/mpi_collectives.h"
#include "preload/file/vocabulary.h"
#include "tests/unit/unit.h"

#define MS      1000000ull
#define NO_ROOT 99ull
#define NEVER   999999ull

static struct symbolizer *symbolizer;
static struct names *names;
static struct mpi_occurrences accumulator;

static void begin(void)
{
	symbolizer = symbolizer_create(NULL);
	names = names_create(symbolizer);
	mpi_occurrences_create(&accumulator, names);
}

/* Call number 0 on a communicator of three, as this rank saw it, which is rank 2 - rank there.
 * root: of the job; the rank made `calls` of them, all recorded but for the stride. */
static void add_rooted(const char *call, uint64_t rank, uint64_t root, uint64_t calls,
		       uint64_t enter_ms, uint64_t leave_ms)
{
	struct profile_mpi_name call_names[] = {{.name = ""},
						{.name = call, .class = MPI_CLASS_COLLECTIVE}};
	struct profile_mpi_communicator communicators[] = {
		{0}, {.identity = 77, .size = 3, .rank = 2 - rank + 1}};
	struct profile_mpi_collective row = {.communicator = 1,
					     .call = 1,
					     .root = root == NO_ROOT ? 0 : 2 - root + 1,
					     .enter_ns = 1000000 * MS + enter_ms * MS,
					     .leave_ns = 1000000 * MS + leave_ms * MS};
	struct profile_mpi_call count = {.call = 1, .communicator = 1, .count = calls};
	struct profile profile = {.process = {.host = "a"},
				  .mpi_names = {.rows = call_names, .count = 2},
				  .mpi_communicators = {.rows = communicators, .count = 2},
				  .mpi_calls = {.rows = &count, .count = 1},
				  .mpi_collectives = {.rows = &row, .count = enter_ms != NEVER}};
	struct mpi_source source = {.names = names, .profile = &profile, .rank = rank};

	mpi_occurrences_add(&accumulator, &source);
}

static void add(const char *call, uint64_t rank, uint64_t calls, uint64_t enter_ms,
		uint64_t leave_ms)
{
	add_rooted(call, rank, NO_ROOT, calls, enter_ms, leave_ms);
}

/* A call like that by rank 0 of two, on a machine of its own, or with so much time in all calls. */
static void add_pair(const char *call, uint64_t rank, const char *host, uint64_t calls,
		     uint64_t enter_ms, uint64_t leave_ms, uint64_t time_ms)
{
	struct profile_mpi_name call_names[] = {{.name = ""},
						{.name = call, .class = MPI_CLASS_COLLECTIVE}};
	struct profile_mpi_communicator communicators[] = {
		{0}, {.identity = 7, .size = 2, .rank = rank + 1}};
	struct profile_mpi_collective row = {.communicator = 1,
					     .call = 1,
					     .instance = 77,
					     .enter_ns = 1000000 * MS + enter_ms * MS,
					     .leave_ns = 1000000 * MS + leave_ms * MS};
	struct profile_mpi_call count = {
		.call = 1, .communicator = 1, .count = calls, .sum_ns = time_ms * MS};
	struct profile profile = {.process = {.host = host},
				  .mpi_names = {.rows = call_names, .count = 2},
				  .mpi_communicators = {.rows = communicators, .count = 2},
				  .mpi_calls = {.rows = &count, .count = 1},
				  .mpi_collectives = {.rows = &row, .count = 1}};
	struct mpi_source source = {.names = names, .profile = &profile, .rank = rank};

	mpi_occurrences_add(&accumulator, &source);
}

static struct mpi_collective end(struct mpi_collectives *all)
{
	*all = mpi_collectives_of(&accumulator);
	ck_assert_uint_eq(all->count, 1);
	return all->rows[0];
}

static void clear(struct mpi_collectives *all)
{
	mpi_collectives_clear(all);
	names_destroy(names);
	symbolizer_destroy(symbolizer);
}

START_TEST(all_wait_for_the_last)
{
	struct mpi_collectives all;

	begin();
	add("MPI_Allreduce", 0, 1, 10, 101);
	add("MPI_Allreduce", 2, 1, 100, 101); /* the last to enter, in the middle of the reading */
	add("MPI_Allreduce", 1, 1, 40, 101);
	struct mpi_collective row = end(&all);

	ck_assert_double_eq_tol(row.lost_ns, 150.0 * MS, 1);
	ck_assert_uint_eq(row.recorded, 1);
	ck_assert_int_eq(row.grade, GRADE_EXACT);
	ck_assert_uint_eq(row.late_count, 1);
	ck_assert_uint_eq(row.late[0].rank, 2);
	clear(&all);
}
END_TEST

/* A call without elements: ranks 0 and 1 have left long before rank 2 comes. */
START_TEST(who_left_before_the_last_came_did_not_wait)
{
	struct mpi_collectives all;

	begin();
	add("MPI_Allreduce", 0, 1, 10, 12);
	add("MPI_Allreduce", 2, 1, 100, 101);
	add("MPI_Allreduce", 1, 1, 40, 41);
	ck_assert_double_eq(end(&all).lost_ns, 0);
	clear(&all);
}
END_TEST

/* Rank 0 has left before; rank 1 stayed until the last came: perhaps it waited. */
START_TEST(where_one_did_not_wait_others_need_not_have)
{
	struct mpi_collectives all;

	begin();
	add("MPI_Alltoall", 0, 1, 10, 12);
	add("MPI_Alltoall", 1, 1, 40, 102);
	add("MPI_Alltoall", 2, 1, 100, 101);
	struct mpi_collective row = end(&all);

	ck_assert_double_eq_tol(row.lost_ns, 60.0 * MS, 1);
	ck_assert_int_eq(row.grade, GRADE_ESTIMATED);
	clear(&all);
}
END_TEST

START_TEST(a_root_that_left_before_the_last_came_did_not_wait)
{
	struct mpi_collectives all;

	begin();
	add_rooted("MPI_Gather", 0, 1, 1, 0, 1);
	add_rooted("MPI_Gather", 1, 1, 1, 0, 2);
	add_rooted("MPI_Gather", 2, 1, 1, 90, 91);
	ck_assert_double_eq(end(&all).lost_ns, 0);
	clear(&all);
}
END_TEST

/* The clocks of two hosts are 50 ms apart: still nobody lost more than it was in the call. */
START_TEST(between_hosts_nobody_waits_longer_than_the_call)
{
	struct mpi_collectives all;

	begin();
	add_pair("MPI_Barrier", 0, "a", 1, 0, 30, 30);
	add_pair("MPI_Barrier", 1, "b", 1, 50, 51, 1);
	struct mpi_collective row = end(&all);

	ck_assert_double_eq_tol(row.lost_ns, 30.0 * MS, 1);
	ck_assert_int_eq(row.grade, GRADE_ESTIMATED);
	clear(&all);
}
END_TEST

/* One of ten calls is recorded, and it was the one that waited. */
START_TEST(no_sample_is_extrapolated_beyond_the_time_in_the_calls)
{
	struct mpi_collectives all;

	begin();
	add_pair("MPI_Barrier", 0, "a", 10, 0, 30, 32);
	add_pair("MPI_Barrier", 1, "a", 10, 29, 30, 2);
	struct mpi_collective row = end(&all);

	ck_assert_double_eq_tol(row.lost_ns, 34.0 * MS, 1);
	ck_assert_double_eq_tol(row.late[0].lost_ns, 34.0 * MS, 1);
	clear(&all);
}
END_TEST

START_TEST(a_sample_is_extrapolated_and_says_so)
{
	struct mpi_collectives all;

	begin();
	for (uint64_t rank = 0; rank < 3; rank++)
		add("MPI_Barrier", rank, 4, rank * 10, 50);
	struct mpi_collective row = end(&all);

	ck_assert_double_eq_tol(row.lost_ns, 4 * 30.0 * MS, 1);
	ck_assert_uint_eq(row.count, 4);
	ck_assert_int_eq(row.grade, GRADE_ESTIMATED);
	clear(&all);
}
END_TEST

/* Two ranks of three: the third may have been the late one. */
START_TEST(what_a_rank_did_not_record_is_not_judged)
{
	struct mpi_collectives all;

	begin();
	add("MPI_Barrier", 0, 1, 0, 50);
	add("MPI_Barrier", 1, 1, 40, 50);
	struct mpi_collective row = end(&all);

	ck_assert_uint_eq(row.recorded, 0);
	ck_assert_uint_eq(row.count, 1);
	ck_assert_double_eq(row.lost_ns, 0);
	clear(&all);
}
END_TEST

/* Rank 1 is the root; the others are gone before rank 2 comes. */
START_TEST(of_a_reduction_the_root_waits)
{
	struct mpi_collectives all;

	begin();
	add_rooted("MPI_Reduce", 0, 1, 1, 0, 1);
	add_rooted("MPI_Reduce", 1, 1, 1, 10, 91);
	add_rooted("MPI_Reduce", 2, 1, 1, 90, 90);
	struct mpi_collective row = end(&all);

	ck_assert_double_eq_tol(row.lost_ns, 80.0 * MS, 1);
	ck_assert_uint_eq(row.late[0].rank, 2);
	ck_assert_int_eq(row.grade, GRADE_EXACT);
	clear(&all);
}
END_TEST

/* Rank 0 passes on what rank 2 gives, and stays until it has come: that is only likely. */
START_TEST(who_stays_in_a_reduction_until_the_last_has_come_probably_waits)
{
	struct mpi_collectives all;

	begin();
	add_rooted("MPI_Reduce", 0, 1, 1, 20, 91);
	add_rooted("MPI_Reduce", 1, 1, 1, 10, 91);
	add_rooted("MPI_Reduce", 2, 1, 1, 90, 91);
	struct mpi_collective row = end(&all);

	ck_assert_double_eq_tol(row.lost_ns, 150.0 * MS, 1);
	ck_assert_int_eq(row.grade, GRADE_ESTIMATED);
	clear(&all);
}
END_TEST

/* The root comes at 50, rank 2 later, which costs nobody. */
START_TEST(of_a_broadcast_all_wait_for_the_root)
{
	struct mpi_collectives all;

	begin();
	add_rooted("MPI_Bcast", 0, 1, 1, 10, 51);
	add_rooted("MPI_Bcast", 1, 1, 1, 50, 52);
	add_rooted("MPI_Bcast", 2, 1, 1, 90, 91);
	struct mpi_collective row = end(&all);

	/* rank 2 is in the call when the last, itself, enters: 0 more */
	ck_assert_double_eq_tol(row.lost_ns, 40.0 * MS, 1);
	ck_assert_uint_eq(row.late_count, 1);
	ck_assert_uint_eq(row.late[0].rank, 1);
	ck_assert_int_eq(row.grade, GRADE_EXACT);
	clear(&all);
}
END_TEST

START_TEST(without_a_root_nobody_is_said_to_wait_for_one)
{
	struct mpi_collectives all;

	begin();
	add("MPI_Bcast", 0, 1, 10, 51);
	add("MPI_Bcast", 1, 1, 50, 52);
	add("MPI_Bcast", 2, 1, 90, 91);
	ck_assert_double_eq(end(&all).lost_ns, 0);
	clear(&all);
}
END_TEST

/* The root and rank 1 have left before rank 2 comes: nobody waited for it. */
START_TEST(a_late_receiver_of_a_broadcast_costs_nobody)
{
	struct mpi_collectives all;

	begin();
	add_rooted("MPI_Bcast", 0, 0, 1, 0, 1);
	add_rooted("MPI_Bcast", 1, 0, 1, 0, 2);
	add_rooted("MPI_Bcast", 2, 0, 1, 90, 91);
	ck_assert_double_eq(end(&all).lost_ns, 0);
	clear(&all);
}
END_TEST

/* Every second call was kept, and it happened to be another one each time. */
START_TEST(calls_that_were_made_but_not_recorded_are_unknown)
{
	struct mpi_collectives all;

	begin();
	for (uint64_t rank = 0; rank < 3; rank++)
		add("MPI_Alltoall", rank, 8, NEVER, 0);
	struct mpi_collective row = end(&all);

	ck_assert_uint_eq(row.count, 8);
	ck_assert_uint_eq(row.recorded, 0);
	ck_assert_int_eq(row.grade, GRADE_UNKNOWN);
	clear(&all);
}
END_TEST

/* More ranks than instants are kept of: root 0 of a broadcast is 100 ms later than all others. */
START_TEST(of_many_ranks_a_part_speaks_for_all)
{
	struct mpi_collectives all;
	struct profile_mpi_name call_names[] = {{.name = ""}, {.name = "MPI_Bcast"}};

	begin();
	for (uint64_t rank = 0; rank < 1000; rank++) {
		struct profile_mpi_communicator communicators[] = {{0},
								   {.identity = 1, .size = 1000}};
		struct profile_mpi_collective row = {.communicator = 1,
						     .call = 1,
						     .root = 1,
						     .enter_ns = rank ? 50 * MS : 150 * MS,
						     .leave_ns = 151 * MS};
		struct profile profile = {.process = {.host = "a"},
					  .mpi_names = {.rows = call_names, .count = 2},
					  .mpi_communicators = {.rows = communicators, .count = 2},
					  .mpi_collectives = {.rows = &row, .count = 1}};
		struct mpi_source source = {.names = names, .profile = &profile, .rank = rank};

		mpi_occurrences_add(&accumulator, &source);
	}
	struct mpi_collective row = end(&all);

	/* the root is among those that are kept, so one of them is not late */
	ck_assert_double_eq_tol(row.lost_ns, 999 * 100.0 * MS, 0.03 * 999 * 100.0 * MS);
	ck_assert_int_eq(row.grade, GRADE_ESTIMATED);
	ck_assert_uint_eq(row.late[0].rank, 0);
	clear(&all);
}
END_TEST

UNIT_MAIN("mpi_collectives", all_wait_for_the_last, who_left_before_the_last_came_did_not_wait,
	  where_one_did_not_wait_others_need_not_have,
	  a_root_that_left_before_the_last_came_did_not_wait,
	  between_hosts_nobody_waits_longer_than_the_call,
	  no_sample_is_extrapolated_beyond_the_time_in_the_calls,
	  a_sample_is_extrapolated_and_says_so, what_a_rank_did_not_record_is_not_judged,
	  of_a_reduction_the_root_waits,
	  who_stays_in_a_reduction_until_the_last_has_come_probably_waits,
	  of_a_broadcast_all_wait_for_the_root, without_a_root_nobody_is_said_to_wait_for_one,
	  a_late_receiver_of_a_broadcast_costs_nobody,
	  calls_that_were_made_but_not_recorded_are_unknown, of_many_ranks_a_part_speaks_for_all)

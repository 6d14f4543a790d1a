/* SPDX-License-Identifier: MIT */
#include "fake_mpi.h"
#include "preload/mpi/mpi_process.h"
#include "preload/mpi/mpi_request.h"
#include "scratch.h"
#include "tests/unit/unit.h"

enum { THREADS = 4, ROUNDS = 20000, MANY = 18000, TOO_MANY = 60000 };

static void prepare(void)
{
	ck_assert_int_eq(scratch_open(), 0);
	fake_mpi_start(4, 0);
}

/* Scattered, as the memory of a program that has run for long. */
static mpi_word handle_of(unsigned index)
{
	uint32_t mixed = (index + 1) * 2654435761u;

	return 0x7f0000000000u + (mpi_word)(mixed ^ mixed >> 15) * 16;
}

static void add(mpi_word handle, uint64_t key)
{
	mpi_request_add(handle, &(struct mpi_request){.key = key, .is_active = true});
}

/* Key of the request that a completion takes; 0: none. */
static uint64_t take(mpi_word handle)
{
	struct mpi_request request;

	return mpi_request_take(handle, &request) ? request.key : 0;
}

START_TEST(is_found_until_it_is_taken)
{
	prepare();
	ck_assert_ptr_null(mpi_request_find(4096));
	add(4096, 7);
	ck_assert_ptr_nonnull(mpi_request_find(4096));
	ck_assert_ptr_null(mpi_request_find(4097));
	ck_assert_uint_eq(take(4096), 7);
	ck_assert_uint_eq(take(4096), 0);
	ck_assert_ptr_null(mpi_request_find(4096));
}
END_TEST

/* MPI_REQUEST_NULL may be a null word, or anything that nobody has added. */
START_TEST(null_is_no_request)
{
	prepare();
	ck_assert_uint_eq(take(0), 0);
	ck_assert_uint_eq(take(1), 0);
	mpi_request_forget(0);
	mpi_request_forget(0x2c000000);
}
END_TEST

START_TEST(a_handle_serves_one_request_after_the_other)
{
	prepare();
	for (uint64_t key = 1; key <= 1000; key++) {
		add(4096, key);
		ck_assert_uint_eq(take(4096), key);
	}
}
END_TEST

START_TEST(equal_handles_are_taken_as_often_as_given)
{
	uint64_t keys = 0;

	prepare();
	for (uint64_t i = 0; i < 30; i++)
		add(4096, UINT64_C(1) << i);
	for (int i = 0; i < 30; i++)
		keys |= take(4096);
	ck_assert_uint_eq(keys, (UINT64_C(1) << 30) - 1);
	ck_assert_uint_eq(take(4096), 0);
}
END_TEST

START_TEST(persistent_ones_stay_and_become_inactive)
{
	struct mpi_request request;

	prepare();
	mpi_request_add(4096,
			&(struct mpi_request){.key = 5, .is_persistent = true, .is_active = true});
	ck_assert(mpi_request_take(4096, &request));
	ck_assert(request.is_active);
	ck_assert(mpi_request_take(4096, &request));
	ck_assert(!request.is_active);
	mpi_request_find(4096)->is_active = true;
	ck_assert(mpi_request_take(4096, &request) && request.is_active);
	mpi_request_forget(4096);
	ck_assert(!mpi_request_take(4096, &request));
}
END_TEST

/* Many lie in buckets behind their own; those that went before leave gaps there. */
START_TEST(a_crowded_table_loses_none)
{
	prepare();
	for (unsigned i = 0; i < MANY; i++)
		add(handle_of(i), i + 1);
	for (unsigned i = 0; i < MANY; i++)
		ck_assert_uint_eq(take(handle_of(i)), i + 1);
	for (unsigned i = 0; i < MANY; i++)
		ck_assert_ptr_null(mpi_request_find(handle_of(i)));
}
END_TEST

static void add_lost(const struct format_block *block, void *context)
{
	const struct row_mpi_process *row = (const void *)(block + 1);

	if (block->table == TABLE_mpi_process)
		*(uint64_t *)context += row->requests_lost;
}

START_TEST(what_finds_no_room_is_counted)
{
	uint64_t found = 0, lost = 0;

	prepare();
	mpi_process_grow(4, 0);
	for (unsigned i = 0; i < TOO_MANY; i++)
		add(handle_of(i), i + 1);
	for (unsigned i = 0; i < TOO_MANY; i++)
		found += take(handle_of(i)) == i + 1;
	scratch_walk(add_lost, &lost);
	ck_assert_uint_gt(found, MANY);
	ck_assert_uint_eq(found + lost, TOO_MANY);
}
END_TEST

START_TEST(forgetting_lets_go_of_the_communicator)
{
	struct mpi_comm comm = {.size = 1, .peers = 1, .is_inter = true};

	prepare();
	comm.world = &comm.size; /* asked already */
	mpi_request_add(4096, &(struct mpi_request){.comm = &comm});
	ck_assert_uint_eq(comm.holds, 1);
	mpi_request_forget(4096);
	ck_assert_uint_eq(comm.holds, 0);
	mpi_request_forget(4096);
	ck_assert_uint_eq(comm.holds, 0);
}
END_TEST

static uint64_t taken[THREADS * ROUNDS + 1];

/* Half of the handles are the thread's own, half are the one that all threads are given. */
static void *post_and_complete(void *number)
{
	uint64_t first = (uintptr_t)number * ROUNDS + 1;

	for (uint64_t i = 0; i < ROUNDS; i += 2) {
		mpi_word own = handle_of((unsigned)(first + i));
		add(own, first + i);
		add(4096, first + i + 1);
		uint64_t mine = take(own), any = take(4096);
		if (mine == first + i)
			taken[mine]++;
		__atomic_add_fetch(&taken[any], 1, __ATOMIC_RELAXED);
	}
	return NULL;
}

START_TEST(threads_take_each_request_once)
{
	prepare();
	scratch_run(THREADS, post_and_complete);
	ck_assert_uint_eq(taken[0], 0);
	for (unsigned i = 1; i <= THREADS * ROUNDS; i++)
		ck_assert_msg(taken[i] == 1, "request %u was taken %lu times", i, taken[i]);
}
END_TEST

UNIT_MAIN("mpi_request", is_found_until_it_is_taken, null_is_no_request,
	  a_handle_serves_one_request_after_the_other, equal_handles_are_taken_as_often_as_given,
	  persistent_ones_stay_and_become_inactive, a_crowded_table_loses_none,
	  what_finds_no_room_is_counted, forgetting_lets_go_of_the_communicator,
	  threads_take_each_request_once)

/* SPDX-License-Identifier: MIT */
#include "fake_mpi.h"
#include "preload/mpi/mpi_comm.h"
#include "preload/mpi/mpi_window.h"
#include "preload/stacks/callpath.h"
#include "scratch.h"
#include "tests/unit/unit.h"

#include <unistd.h>

enum { RANKS = 4, THREADS = 4, NEW = 0x84000000 };

static void prepare(int32_t rank)
{
	ck_assert_int_eq(scratch_open(), 0);
	callpath_reset();
	fake_mpi_start(RANKS, rank);
}

static struct mpi_comm *world(void)
{
	return mpi_comm_find(FAKE_WORLD, 0);
}

/* What a constructor with that parent returns: a communicator of all ranks, or of two. */
static struct mpi_comm *make(struct mpi_comm *parent, mpi_word handle, int32_t size, int32_t first)
{
	struct fake_comm comm = {.handle = handle, .size = size};

	for (int32_t i = 0; i < size; i++)
		comm.ranks[i] = first + i;
	fake_mpi_make(&comm);
	struct mpi_descent descent = mpi_comm_descent(parent);
	mpi_comm_made(&descent, handle, 0);
	return mpi_comm_find(handle, 0);
}

static uint64_t identity(mpi_word handle)
{
	return mpi_comm_find(handle, 0)->identity;
}

static void release(mpi_word handle)
{
	fake_mpi_free(handle);
	mpi_comm_freed(handle);
}

/* What rank `rank` of the job makes: a copy, one half, a copy of that; another copy of the world.
 * Handles are each rank's own matter. Returns a text of the identities. */
static void make_all(int32_t rank, uint64_t identities[4])
{
	mpi_word base = NEW + (mpi_word)(rank * 16);

	prepare(rank);
	make(world(), base, RANKS, 0);
	make(world(), base + 1, 2, rank / 2 * 2);
	make(mpi_comm_find(base + 1, 0), base + 2, 2, rank / 2 * 2);
	make(world(), base + 3, RANKS, 0);
	for (int i = 0; i < 4; i++)
		identities[i] = identity(base + (mpi_word)i);
}

/* Each rank in a process of its own, as they are. */
static void as_rank(int32_t rank, uint64_t identities[4])
{
	int ends[2];

	ck_assert_int_eq(pipe(ends), 0);
	if (!fork()) {
		make_all(rank, identities);
		if (write(ends[1], identities, 4 * sizeof *identities) < 0)
			_exit(1);
		_exit(0);
	}
	ck_assert_int_eq(read(ends[0], identities, 4 * sizeof *identities), 4 * sizeof *identities);
}

START_TEST(all_members_agree_and_others_differ)
{
	uint64_t of[RANKS][4];

	for (int32_t rank = 0; rank < RANKS; rank++)
		as_rank(rank, of[rank]);
	for (int32_t rank = 1; rank < RANKS; rank++) {
		ck_assert_uint_eq(of[rank][0], of[0][0]);
		ck_assert_uint_eq(of[rank][3], of[0][3]);
	}
	for (int made = 1; made <= 2; made++) {
		ck_assert_uint_eq(of[1][made], of[0][made]);
		ck_assert_uint_eq(of[3][made], of[2][made]);
		ck_assert_uint_ne(of[2][made], of[0][made]);
	}
	for (int i = 0; i < 4; i++)
		for (int j = 0; j < i; j++)
			ck_assert_uint_ne(of[0][i], of[0][j]);
}
END_TEST

START_TEST(the_world_and_oneself_have_fixed_identities)
{
	prepare(3);
	ck_assert_uint_eq(identity(FAKE_WORLD), 1);
	ck_assert_uint_eq(identity(FAKE_SELF), 2);
	ck_assert(world()->is_world);
	ck_assert_uint_eq(world()->family->row->size, RANKS);
	ck_assert_int_eq(mpi_comm_world_rank(world(), 2), 2);
	ck_assert_int_eq(mpi_comm_world_rank(mpi_comm_find(FAKE_SELF, 0), 0), 3);
	ck_assert_int_eq(mpi_comm_find(FAKE_SELF, 0)->family->row->leader, 3);
}
END_TEST

START_TEST(null_is_no_communicator)
{
	prepare(0);
	ck_assert_ptr_null(mpi_comm_find(0, 0));
	ck_assert_ptr_null(mpi_comm_find(FAKE_NULL, 0));
	mpi_comm_made(&(struct mpi_descent){.parent = 1, .order = 1}, FAKE_NULL, 0);
	ck_assert_ptr_null(mpi_comm_find(FAKE_NULL, 0));
	ck_assert_int_eq(mpi_comm_world_rank(NULL, 0), -1);
}
END_TEST

/* A rank that is left out of a constructor gets the null communicator, and counts it. */
START_TEST(being_left_out_keeps_the_order)
{
	uint64_t in;

	prepare(0);
	make(world(), NEW, 2, 0);
	in = make(world(), NEW + 1, RANKS, 0)->identity;
	release(NEW);
	release(NEW + 1);
	world()->made = 0;
	struct mpi_descent descent = mpi_comm_descent(world());
	mpi_comm_made(&descent, FAKE_NULL, 0);
	ck_assert_uint_eq(make(world(), NEW + 1, RANKS, 0)->identity, in);
}
END_TEST

START_TEST(ranks_beyond_the_communicator_are_nobody)
{
	prepare(0);
	struct mpi_comm *half = make(world(), NEW, 2, 2);
	ck_assert_int_eq(mpi_comm_world_rank(half, 0), 2);
	ck_assert_int_eq(mpi_comm_world_rank(half, 1), 3);
	ck_assert_int_eq(mpi_comm_world_rank(half, 2), -1);
	ck_assert_int_eq(mpi_comm_world_rank(half, -1), -1);
}
END_TEST

START_TEST(peers_of_two_groups_are_those_of_the_other)
{
	prepare(0);
	fake_mpi_make(&(struct fake_comm){
		.handle = NEW, .size = 1, .ranks = {0}, .remote_size = 3, .remote = {3, 1, 2}});
	struct mpi_comm *both = mpi_comm_find(NEW, 0);
	ck_assert(both->is_inter);
	ck_assert_int_eq(both->peers, 3);
	ck_assert_int_eq(mpi_comm_world_rank(both, 0), 3);
	ck_assert_uint_eq(both->family->row->size, 4);
	ck_assert_uint_eq(both->family->row->leader, 0); /* the lower of the two groups' */
}
END_TEST

START_TEST(a_handle_that_comes_again_is_another_communicator)
{
	prepare(0);
	struct mpi_comm *half = make(world(), NEW, 2, 2);
	uint64_t before = half->identity;
	uint32_t number = half->number, generation = mpi_comm_generation;
	ck_assert_int_eq(mpi_comm_world_rank(half, 0), 2);
	release(NEW);
	ck_assert_uint_ne(mpi_comm_generation, generation);
	struct mpi_comm *other = make(world(), NEW, 2, 0);
	ck_assert_int_eq(mpi_comm_world_rank(other, 0), 0);
	ck_assert_uint_ne(other->identity, before);
	ck_assert_uint_ne(other->number, number);
}
END_TEST

START_TEST(what_is_held_outlives_its_handle)
{
	prepare(0);
	struct mpi_comm *half = make(world(), NEW, 2, 2);
	mpi_comm_hold(half);
	release(NEW);
	struct mpi_comm *other = make(world(), NEW, 2, 0);
	ck_assert_ptr_ne(other, half);
	ck_assert_int_eq(mpi_comm_world_rank(half, 1), 3);
	ck_assert_int_eq(mpi_comm_world_rank(other, 1), 1);
	mpi_comm_release(half);
	release(NEW);
	/* both places are free again */
	struct mpi_comm *third = make(world(), NEW, 2, 2);
	ck_assert(third == half || third == other);
	ck_assert_uint_eq(half->holds, 0);
}
END_TEST

START_TEST(a_freed_handle_is_not_asked_about)
{
	prepare(0);
	struct mpi_comm *half = make(world(), NEW, 2, 2);
	release(NEW);
	ck_assert_int_eq(mpi_comm_world_rank(half, 0), -1);
}
END_TEST

START_TEST(windows_have_the_ranks_of_their_communicator)
{
	prepare(0);
	struct mpi_comm *half = make(world(), NEW, 2, 2);
	mpi_window_made(77, half);
	mpi_window_made(78, half);
	release(NEW);
	make(world(), NEW, 2, 0);
	mpi_window_freed(77);
	ck_assert_ptr_null(mpi_window_comm(77));
	ck_assert_int_eq(mpi_comm_world_rank(mpi_window_comm(78), 0), 2);
	mpi_window_freed(78);
	ck_assert_ptr_null(mpi_window_comm(78));
	ck_assert_uint_eq(half->holds, 0);
}
END_TEST

/* 1,000 made and freed, and a few kept: places come back, and nothing is mixed up. */
START_TEST(many_come_and_go)
{
	uint64_t identities[1000];

	prepare(0);
	struct mpi_comm *kept = make(world(), NEW, 2, 2);
	for (mpi_word i = 0; i < 1000; i++) {
		struct mpi_comm *comm = make(world(), NEW + 1 + i, 3, 1);
		ck_assert_ptr_nonnull(comm);
		ck_assert_int_eq(mpi_comm_world_rank(comm, 2), 3);
		ck_assert_ptr_eq(comm->family, mpi_comm_find(NEW + 1 + i, 0)->family);
		identities[i] = comm->identity;
		for (mpi_word j = i < 20 ? 0 : i - 20; j < i; j++)
			ck_assert_uint_ne(identities[i], identities[j]);
		release(NEW + 1 + i);
	}
	ck_assert_int_eq(mpi_comm_world_rank(kept, 1), 3);
}
END_TEST

/* As many as there are: each is found, and of one origin are those that are alike. */
START_TEST(any_number_is_alive)
{
	prepare(0);
	for (mpi_word i = 0; i < 3000; i++) {
		/* the fake library knows the newest only */
		make(world(), NEW + i, 2, (int32_t)(i % 3));
		fake_mpi_free(NEW + i);
	}
	for (mpi_word i = 0; i < 3000; i++) {
		struct mpi_comm *comm = mpi_comm_find(NEW + i, 0);
		ck_assert_int_eq(comm->size, 2);
		ck_assert_ptr_eq(comm->family, mpi_comm_find(NEW + i % 3, 0)->family);
		ck_assert_uint_eq(comm->family->row->leader, i % 3);
	}
}
END_TEST

/* Only the members make them: each has an identity of its own, and all members arrive at it. */
START_TEST(members_alone_agree)
{
	struct mpi_descent first = {.is_by_members = true, .tag = 3}, second = first;
	uint64_t made[4];

	second.tag = 4;
	for (int32_t rank = 0; rank < 2; rank++) {
		prepare(rank);
		mpi_comm_reset();
		if (rank) /* what others make does not matter */
			mpi_comm_made(&first, FAKE_SELF, 0);
		for (mpi_word i = 0; i < 3; i++) {
			fake_mpi_make(&(struct fake_comm){
				.handle = NEW + i, .size = 2, .ranks = {0, 1}, .rank = rank});
			mpi_comm_made(i < 2 ? &first : &second, NEW + i, 0);
			ck_assert_uint_ne(identity(NEW + i), MPI_IDENTITY_NONE);
			if (rank)
				ck_assert_uint_eq(identity(NEW + i), made[i]);
			made[i] = identity(NEW + i);
			fake_mpi_free(NEW + i);
		}
	}
	ck_assert_uint_ne(made[0], made[1]);
	ck_assert_uint_ne(made[0], made[2]);
	ck_assert_uint_ne(made[1], made[2]);
}
END_TEST

/* Both sides of an intercommunicator, too. */
START_TEST(both_sides_agree)
{
	struct mpi_descent descent = {.is_by_members = true, .tag = 3};
	uint64_t made[2];

	for (int32_t side = 0; side < 2; side++) {
		prepare(side * 3);
		mpi_comm_reset();
		fake_mpi_make(side ? &(struct fake_comm){.handle = NEW,
							 .size = 3,
							 .ranks = {1, 2, 3},
							 .remote_size = 1,
							 .remote = {0}}
				   : &(struct fake_comm){.handle = NEW,
							 .size = 1,
							 .ranks = {0},
							 .remote_size = 3,
							 .remote = {1, 2, 3}});
		mpi_comm_made(&descent, NEW, 0);
		made[side] = identity(NEW);
	}
	ck_assert_uint_ne(made[0], MPI_IDENTITY_NONE);
	ck_assert_uint_eq(made[0], made[1]);
}
END_TEST

/* A handle that was freed unseen, and came again, is what it was made as last. */
START_TEST(what_was_made_last_is_true)
{
	prepare(0);
	make(world(), NEW, 2, 2);
	fake_mpi_free(NEW);
	ck_assert_int_eq(make(world(), NEW, 3, 1)->size, 3);
	release(NEW);
	ck_assert_int_eq(make(world(), NEW, 1, 0)->size, 1);
}
END_TEST

static struct mpi_comm *found[THREADS][8];

static void *find_all(void *number)
{
	for (mpi_word i = 0; i < 8; i++) {
		struct mpi_comm *comm = mpi_comm_find(NEW + i, 0);
		found[(uintptr_t)number][i] = comm;
		if (mpi_comm_world_rank(comm, 1) != 1)
			found[(uintptr_t)number][i] = NULL;
	}
	return NULL;
}

START_TEST(threads_find_the_same)
{
	prepare(0);
	for (mpi_word i = 0; i < 8; i++)
		fake_mpi_make(&(struct fake_comm){.handle = NEW + i, .size = 2, .ranks = {0, 1}});
	scratch_run(THREADS, find_all);
	for (int thread = 0; thread < THREADS; thread++)
		for (int i = 0; i < 8; i++) {
			ck_assert_ptr_nonnull(found[thread][i]);
			ck_assert_int_eq(found[thread][i]->size, 2);
		}
}
END_TEST

START_TEST(a_fork_child_knows_none)
{
	prepare(0);
	make(world(), NEW, 2, 2);
	fake_mpi_free(NEW);
	mpi_comm_reset();
	fake_mpi_make(&(struct fake_comm){.handle = NEW, .size = 3, .ranks = {1, 2, 3}});
	ck_assert_int_eq(mpi_comm_find(NEW, 0)->size, 3);
}
END_TEST

UNIT_MAIN("mpi_comm", all_members_agree_and_others_differ,
	  the_world_and_oneself_have_fixed_identities, null_is_no_communicator,
	  being_left_out_keeps_the_order, ranks_beyond_the_communicator_are_nobody,
	  peers_of_two_groups_are_those_of_the_other,
	  a_handle_that_comes_again_is_another_communicator, what_is_held_outlives_its_handle,
	  a_freed_handle_is_not_asked_about, windows_have_the_ranks_of_their_communicator,
	  many_come_and_go, any_number_is_alive, members_alone_agree, both_sides_agree,
	  what_was_made_last_is_true, threads_find_the_same, a_fork_child_knows_none)

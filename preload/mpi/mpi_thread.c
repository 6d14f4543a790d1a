/* SPDX-License-Identifier: MIT */
#include "preload/mpi/mpi_thread.h"

#include "preload/base/hash.h"
#include "preload/base/pages.h"
#include "preload/file/vocabulary.h"
#include "preload/mpi/mpi_process.h"
#include "preload/mpi/mpi_request.h"
#include "preload/mpi/mpi_window.h"
#include "preload/stacks/callpath.h"

enum {
	/* first and most rows of a thread's tables */
	CALLS_FIRST = 16,
	CALLS_MOST = 16384,
	PEERS_FIRST = 16,
	PEERS_MOST = 4096,
	SCRATCH_BYTES = 16384,
};

uint32_t mpi_type_freed_count;

void mpi_thread_forget(void)
{
	mpi_process_forget();
	mpi_comm_reset();
	mpi_window_reset();
	mpi_request_reset();
}

struct mpi_thread *mpi_thread_of(struct thread *thread)
{
	if (likely(thread->mpi != NULL))
		return thread->mpi;
	struct mpi_thread *mpi = pages_new(sizeof *mpi);
	if (!mpi)
		return NULL;
	row_hash_prepare(&mpi->calls, TABLE_mpi_calls, sizeof(struct row_mpi_calls), thread->number,
			 CALLS_FIRST, CALLS_MOST);
	row_hash_prepare(&mpi->peers, TABLE_mpi_peers, sizeof(struct row_mpi_peers), thread->number,
			 PEERS_FIRST, PEERS_MOST);
	thread->mpi = mpi;
	return mpi;
}

void *mpi_thread_scratch(struct mpi_thread *mpi, size_t bytes)
{
	if (bytes <= mpi->scratch_bytes)
		return mpi->scratch;
	size_t wanted = bytes < SCRATCH_BYTES ? SCRATCH_BYTES : bytes * 2;
	char *larger = pages_new(wanted);
	if (!larger)
		return NULL;
	if (mpi->scratch)
		pages_free(mpi->scratch, mpi->scratch_bytes);
	mpi->scratch = larger;
	mpi->scratch_bytes = wanted;
	return larger;
}

struct row_mpi_calls *mpi_call_row(struct mpi_thread *mpi, uint64_t key)
{
	uint64_t call = key & (uint64_t)UINT16_MAX << 32;

	return row_hash_find(&mpi->calls, key, callpath_mark(MARK_OTHER) | call);
}

struct row_mpi_peers *mpi_peer_row(struct mpi_thread *mpi, int32_t rank)
{
	return row_hash_find(&mpi->peers, (uint64_t)rank + 1, UINT32_MAX);
}

struct mpi_comm *mpi_thread_comm(struct mpi_thread *mpi, mpi_word handle, uint64_t place)
{
	uint32_t generation = __atomic_load_n(&mpi_comm_generation, __ATOMIC_ACQUIRE);

	if (likely(mpi->comm_handle == handle && mpi->comm_generation == generation && mpi->comm))
		return mpi->comm;
	mpi->comm = mpi_comm_find(handle, place);
	mpi->comm_handle = handle;
	mpi->comm_generation = generation;
	return mpi->comm;
}

static uint64_t ask_bytes(mpi_word type)
{
	int32_t size = 0;
	int64_t large = 0;

	if (MPI_ASK(Type_size, type, &size))
		return 0;
	if (size >= 0)
		return (uint64_t)size;
	/* MPI_UNDEFINED: it does not fit an int */
	return MPI_ASK(Type_size_x, type, &large) || large < 0 ? 0 : (uint64_t)large;
}

/* From one element to the next, and within one. A structure whose members are aligned has less. */
static bool ask_gaps(mpi_word type, uint64_t bytes)
{
	int64_t begin = 0, next = 0, span = 0;

	if (MPI_ASK(Type_get_extent, type, &begin, &next) ||
	    MPI_ASK(Type_get_true_extent, type, &begin, &span))
		return false;
	int64_t larger = next > span ? next : span;
	return larger > 0 && bytes && 3 * bytes <= 2 * (uint64_t)larger;
}

uint64_t mpi_type_bytes(struct mpi_thread *mpi, mpi_word type)
{
	uint32_t generation = mpi_type_generation();
	unsigned at = hash_slot(type, MPI_TYPES);

	if (unlikely(mpi->type_generation != generation)) {
		for (unsigned i = 0; i < MPI_TYPES; i++)
			mpi->types[i].type = 0;
		mpi->type_generation = generation;
	}
	if (unlikely(mpi->types[at].type != type)) {
		mpi->types[at].bytes = ask_bytes(type);
		mpi->types[at].has_gaps = ask_gaps(type, mpi->types[at].bytes);
		mpi->types[at].type = type;
	}
	mpi->has_gaps |= mpi->types[at].has_gaps;
	return mpi->types[at].bytes;
}

void mpi_type_freed(void)
{
	__atomic_fetch_add(&mpi_type_freed_count, 1, __ATOMIC_RELEASE);
}

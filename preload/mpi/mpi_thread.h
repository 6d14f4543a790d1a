/* SPDX-License-Identifier: MIT */
/* What a thread needs for its MPI calls: its rows, and what is remembered of the sites (callpath.h)
 * of its calls. Made at its first MPI call. Context: own thread only. */
#pragma once

#include <stdint.h>

#include "preload/base/hash.h"
#include "preload/base/tsc_clock.h"
#include "preload/mpi/mpi_comm.h"
#include "preload/stacks/site.h"
#include "preload/thread/thread.h"

enum {
	MPI_SITES = 64, /* sites whose call path and row are remembered; a power of 2 */
	MPI_TYPES = 32, /* types whose size is remembered; a power of 2 */
	MPI_REPEAT_WORDS = 8,
};

/* The latest call from a site, and what followed from it: mpi_repeat.h. */
struct mpi_repeat {
	mpi_word words[MPI_REPEAT_WORDS];
	const struct mpi_comm *comm;
	uint32_t comm_generation, type_generation;
	uint16_t number;
	uint8_t arity; /* 0: nothing is remembered */
	bool has_status, has_gaps;
	uint64_t sent, received;
	struct row_mpi_peers *target; /* NULL: the call has none */
};

/* What is remembered of a site. */
struct mpi_site {
	struct stack_memo memo;
	uint64_t key; /* of `row` */
	struct row_mpi_calls *row;
	struct mpi_repeat repeat;
};

struct mpi_thread {
	struct row_hash calls, peers;
	struct tsc_clock clock;
	mpi_word comm_handle; /* the communicator of the latest call */
	struct mpi_comm *comm;
	uint32_t comm_generation, type_generation;
	struct {
		mpi_word type;
		uint64_t bytes;
		bool has_gaps;
	} types[MPI_TYPES];
	bool has_gaps; /* a type of the call that is recorded */
	struct row_mpi_calls *open; /* of the call under way; NULL: none, or it has no row */
	char *scratch;              /* copies of requests, and statuses that the program ignores */
	size_t scratch_bytes;
	struct mpi_site sites[MPI_SITES];
};

/* Fork child: all that was known of MPI belongs to the parent's file. */
void mpi_thread_forget(void);

/* NULL: no memory. */
struct mpi_thread *mpi_thread_of(struct thread *thread);

/* Memory for that many bytes, until the next call of this; NULL: none. */
void *mpi_thread_scratch(struct mpi_thread *mpi, size_t bytes);

/* Where a site is remembered; the memo may be of another site, and is then replaced by
 * stack_memo_path. */
static inline struct mpi_site *mpi_site_at(struct mpi_thread *mpi, const struct site *site)
{
	uint64_t hash = hash_product(site->caller ^ site->sp);
	struct mpi_site *first = &mpi->sites[hash >> 58];
	struct mpi_site *second = &mpi->sites[hash >> 52 & (MPI_SITES - 1)];

	if (first->memo.caller == site->caller && first->memo.sp == site->sp)
		return first;
	if (second->memo.caller == site->caller && second->memo.sp == site->sp)
		return second;
	return first->memo.sp ? second : first;
}

/* The row of mpi_calls with that key; NULL: no room. */
struct row_mpi_calls *mpi_call_row(struct mpi_thread *mpi, uint64_t key);

/* The row of mpi_peers of a rank in the job. */
struct row_mpi_peers *mpi_peer_row(struct mpi_thread *mpi, int32_t rank);

struct mpi_comm *mpi_thread_comm(struct mpi_thread *mpi, mpi_word handle, uint64_t place);

/* Bytes of one element; asks the library once, until a type is freed. Sets mpi->has_gaps if a third
 * or more of the memory that elements span is not theirs. */
uint64_t mpi_type_bytes(struct mpi_thread *mpi, mpi_word type);
void mpi_type_freed(void);

/* Changes when a type is freed, because its handle may be reused. */
extern uint32_t mpi_type_freed_count __attribute__((visibility("hidden")));

static inline uint32_t mpi_type_generation(void)
{
	return __atomic_load_n(&mpi_type_freed_count, __ATOMIC_ACQUIRE);
}

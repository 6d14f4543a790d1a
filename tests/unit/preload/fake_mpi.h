/* SPDX-License-Identifier: MIT */
/* An MPI library of a few functions, for tests of what the recorder asks a library: one process,
 * which plays one of the ranks of a job. Communicators are rows that the test fills in; to ask
 * about one that is not there ends the test, as a real library ends the job. */
#pragma once

#include "preload/mpi/mpi_abi.h"

enum { FAKE_WORLD = 0x44000000, FAKE_SELF, FAKE_NULL = 0x04000000, FAKE_RANKS = 8 };

struct fake_comm {
	mpi_word handle;           /* 0: there is no such communicator */
	int32_t size, rank;        /* of this process's group */
	int32_t ranks[FAKE_RANKS]; /* rank in the job of each */
	int32_t remote_size;       /* 0: it is no intercommunicator */
	int32_t remote[FAKE_RANKS];
};

/* MPICH's constants; the world has `size` ranks, of which this is `rank`. */
void fake_mpi_start(int32_t size, int32_t rank);

/* What MPI makes out of a communicator, or frees. */
void fake_mpi_make(const struct fake_comm *comm);
void fake_mpi_free(mpi_word handle);

/* Types are their own size in bytes; to ask for that of the null type ends the test. */
enum { FAKE_NO_TYPE = 0x0c000000 };
/* A column: the next element begins after three times its size; and one of which a quarter is gaps.
 * Others have none. */
enum { FAKE_COLUMN = 4096, FAKE_QUARTER = 6 };

/* How often a size was asked for: */
extern unsigned fake_mpi_sizes_asked;

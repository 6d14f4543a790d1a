/* SPDX-License-Identifier: MIT */
/* Requests under way: where and when they were posted, kept from the call that posts them to the
 * call that completes them, which may be another thread's.
 *
 * Libraries return one handle for several requests that are complete at once (short sends, null
 * processes): equal handles are kept as often as they were returned. Context: any thread,
 * lock-free. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "preload/mpi/mpi_comm.h"

/* PARTS: a partitioned receive, whose size is known when it is started. ALL: a collective call.
 * COMM: a communicator that is being made. NOBODY: a message to or from MPI_PROC_NULL. */
enum mpi_request_kind {
	REQUEST_SEND,
	REQUEST_RECEIVE,
	REQUEST_READ,
	REQUEST_PARTS,
	REQUEST_ALL,
	REQUEST_COMM,
	REQUEST_NOBODY,
	REQUEST_OTHER,
};

/* Whose message it is. rank: in the job, + 1; 0: none, UINT32_MAX: anybody's. */
struct mpi_awaited {
	uint32_t rank;
	int32_t tag;
};

struct mpi_request {
	uint64_t handle; /* atomic; 0: free */
	uint64_t key;    /* row of mpi_calls of the call that posted it */
	uint64_t posted_ns;
	union {
		struct { /* persistent: counted at each start */
			uint64_t bytes_sent, bytes_received;
		};
		struct {                /* of REQUEST_COMM */
			mpi_word made;  /* address where the new handle will be */
			uint64_t order; /* among those made from `comm` */
		};
	};
	struct mpi_comm *comm; /* of the message, or the parent; held. NULL: none */
	int32_t peer;          /* rank in the job; -1: none, or see the status */
	struct mpi_awaited awaited;
	uint8_t kind; /* enum mpi_request_kind */
	bool is_persistent, is_active;
};

/* Keeps a copy; counts a loss if there is no room. */
void mpi_request_add(mpi_word handle, const struct mpi_request *request);

/* NULL: not known. */
struct mpi_request *mpi_request_find(mpi_word handle);

/* It is complete: copies it, and forgets it unless it is persistent, which is then no longer
 * active. False: not known. Of equal handles each is taken once, by whichever thread. The caller
 * must release the communicator of one that is not persistent. */
bool mpi_request_take(mpi_word handle, struct mpi_request *copy);

/* It ended without being completed. */
void mpi_request_forget(mpi_word handle);

void mpi_request_reset(void);

/* SPDX-License-Identifier: MIT */
/* Requests under way: where they were posted and when, from the call that posts them to the one
 * that completes them, which may be another thread's.
 *
 * Libraries give out one handle for several requests that were complete at once (short sends, null
 * processes): equal handles are kept as often as they were given. Context: any thread, lock-free.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "preload/mpi/mpi_comm.h"

/* PARTS: a partitioned receive, whose size is known when it is started. COMM: a communicator that
 * is being made. */
enum mpi_request_kind {
	REQUEST_SEND,
	REQUEST_RECEIVE,
	REQUEST_READ,
	REQUEST_PARTS,
	REQUEST_COMM,
	REQUEST_OTHER,
};

struct mpi_request {
	uint64_t handle; /* atomic; 0: free */
	uint64_t key;    /* row of mpi_calls of the call that posted it */
	uint64_t posted_ns;
	union {
		struct { /* of a persistent one: counted at each start */
			uint64_t bytes_sent, bytes_received;
		};
		struct {                /* of REQUEST_COMM */
			mpi_word made;  /* address where the new handle will be */
			uint64_t order; /* among those made out of `comm` */
		};
	};
	struct mpi_comm *comm; /* that the message comes on, or the parent; held. NULL: none */
	int32_t peer;          /* rank in the job; -1: none, or the status tells */
	uint8_t kind;          /* enum mpi_request_kind */
	bool is_persistent, is_active;
};

/* Keeps a copy; counts a loss when there is no room. */
void mpi_request_add(mpi_word handle, const struct mpi_request *request);

/* NULL: not known. */
struct mpi_request *mpi_request_find(mpi_word handle);

/* It is complete: copies it, and forgets it unless it is persistent; that one is no longer active.
 * False: not known. Of equal handles each is taken once, whatever threads do so. The caller has to
 * release the communicator of one that is not persistent. */
bool mpi_request_take(mpi_word handle, struct mpi_request *copy);

/* It is gone without having been completed. */
void mpi_request_forget(mpi_word handle);

void mpi_request_reset(void);

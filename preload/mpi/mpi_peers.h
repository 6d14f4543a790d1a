/* SPDX-License-Identifier: MIT */
/* Messages to and from other ranks, in the thread's row of that rank. Context: own thread. */
#pragma once

#include "preload/mpi/mpi_thread.h"

/* rank: in the job. NULL: it is none, or there is no room. */
static inline struct row_mpi_peers *mpi_peers_row(struct mpi_thread *mpi, int32_t rank)
{
	return rank >= 0 ? mpi_peer_row(mpi, rank) : NULL;
}

static inline void mpi_peers_add_sent(struct row_mpi_peers *row, uint64_t bytes)
{
	if (!row)
		return;
	row->messages_sent++;
	row->bytes_sent += bytes;
}

/* wait_ns: how long this message was waited for, and no other one. */
static inline void mpi_peers_add_received(struct row_mpi_peers *row, uint64_t bytes,
					  uint64_t wait_ns)
{
	if (!row)
		return;
	row->messages_received++;
	row->bytes_received += bytes;
	row->wait_ns += wait_ns;
}

/* SPDX-License-Identifier: MIT */
/* Windows, and the communicators that they were made for. Context: any thread; lock-free. Handles
 * are normalized (mpi_handle). */
#pragma once

#include "preload/mpi/mpi_comm.h"

void mpi_window_made(mpi_word window, struct mpi_comm *comm);
void mpi_window_freed(mpi_word window);

/* The communicator that a window was made for; NULL: not known. */
struct mpi_comm *mpi_window_comm(mpi_word window);

/* Fork child. */
void mpi_window_reset(void);

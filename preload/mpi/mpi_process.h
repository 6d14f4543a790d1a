/* SPDX-License-Identifier: MIT */
/* The process as a rank: its row in mpi_process, and whether calls are being recorded. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "preload/mpi/mpi_abi.h"

/* Between MPI_Init and MPI_Finalize: the library can be asked. */
extern bool mpi_process_is_live __attribute__((visibility("hidden")));
/* MPI_Pcontrol(0) was called. */
extern bool mpi_process_is_paused __attribute__((visibility("hidden")));

/* Fork child: what the parent knew does not apply. */
void mpi_process_forget(void);

/* A call of MPI in a process that was attached to: it may have been initialized before. */
void mpi_process_look(uint64_t now_ns);

/* Around MPI_Init, MPI_Init_thread, MPI_Session_init. provided: what MPI_Init_thread wrote, or
 * NULL. */
void mpi_process_begin_init(uint64_t now_ns);
void mpi_process_end_init(uint64_t now_ns, const int32_t *provided, bool is_session);

/* Without MPI_COMM_WORLD (sessions): the largest communicator seen is the job. */
void mpi_process_grow(int32_t size, int32_t rank);

/* This process was the root of an MPI_Comm_spawn that started so many processes. */
void mpi_process_spawned(int32_t count);

void mpi_process_begin_finalize(uint64_t now_ns);
void mpi_process_end_finalize(uint64_t now_ns);
void mpi_process_abort(int32_t code);
void mpi_process_pause(bool pause, uint64_t now_ns);
void mpi_process_lost_request(void);

/* The row of mpi_names of a call. */
uint16_t mpi_process_name(enum mpi_call_number number);

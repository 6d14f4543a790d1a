/* SPDX-License-Identifier: MIT */
/* What differs between MPI libraries in memory: constants, sizes of handles, the layout of a
 * status. One struct for each binary interface; which one it is is found at run time from the
 * library's own version text. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "preload/file/vocabulary.h"
#include "preload/mpi/mpi_real.h"

enum { MPI_STATUS_ROOM = 64 }; /* bytes that hold a status of any library */

struct mpi_abi {
	enum mpi_abi_kind kind;
	mpi_word in_place, status_ignore, statuses_ignore;
	int32_t proc_null, any_source, root;
	uint8_t handle_bytes; /* of communicators, types, requests */
	uint8_t status_bytes;
	uint8_t source_at; /* of the sender's rank in a status */
	uint8_t error_at;
	uint8_t error_in_status; /* MPI_ERR_IN_STATUS: each status has an error of its own */
	uint16_t level_unit;     /* thread levels are 0, 1, 2, and 3 or 4 times this */
	int32_t cart, graph;     /* what MPI_Topo_test returns */
	mpi_word comm_world, comm_self, comm_null;
};

/* NULL until the library is known, or if its kind is unknown. */
extern const struct mpi_abi *mpi_abi __attribute__((visibility("hidden")));

/* Once the library is initialized. */
void mpi_abi_find(void);

/* First line of the library's version text. */
const char *mpi_abi_library(void);

/* The bits of a word that a handle has. */
static inline mpi_word mpi_handle(mpi_word word)
{
	return mpi_abi->handle_bytes == 4 ? word & UINT32_MAX : word;
}

/* Entry `index` of an array of handles. */
static inline mpi_word mpi_handle_at(mpi_word array, uint64_t index)
{
	if (mpi_abi->handle_bytes == 4)
		return ((const uint32_t *)array)[index];
	return ((const mpi_word *)array)[index];
}

/* 0 single, 1 funneled, 2 serialized, 3 multiple: that one is 4096 in the standard's interface. */
static inline uint32_t mpi_abi_level(int32_t level)
{
	uint32_t units = level > 0 ? (uint32_t)level / mpi_abi->level_unit : 0;

	return units < 3 ? units : 3;
}

static inline int32_t mpi_status_int(const void *status, uint8_t where)
{
	int32_t value;

	memcpy(&value, (const char *)status + where, sizeof value);
	return value;
}

static inline int32_t mpi_status_source(const void *status)
{
	return mpi_status_int(status, mpi_abi->source_at);
}

/* Only after a call that failed with MPI_ERR_IN_STATUS: others leave it as it was. */
static inline int32_t mpi_status_error(const void *status)
{
	return mpi_status_int(status, mpi_abi->error_at);
}

/* Bytes that a completed receive, or read, brought. */
uint64_t mpi_status_bytes(const void *status);

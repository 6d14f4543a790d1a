/* SPDX-License-Identifier: MIT */
/* The MPI library's own functions, found at the first MPI call: the process may have no MPI, or one
 * that a plugin loads later (Python's mpi4py), which is not behind us in the loader's order.
 *
 * Each call has two names, MPI_ and PMPI_, and both are interposed: Open MPI's Fortran bindings and
 * MPICH's for mpi_f08 call PMPI_ names, and so do other tools. A call is passed on by the name that
 * was called, so that such tools keep working.
 *
 * A library without PMPI_ names is a stand-in for programs without ranks, which many codes bring
 * along (libmpiseq of MUMPS): it is called and not measured, because it cannot be asked anything. A
 * process may have one beside an MPI, each for the objects that were linked with it.
 *
 * Context: any thread; all functions are resolved at the first call. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "preload/mpi/mpi_call.h"

/* An argument: integer, pointer or handle. Of an int the upper half is undefined. */
typedef uint64_t mpi_word;

enum mpi_entry { ENTRY_MPI, ENTRY_PMPI, ENTRIES };

/* Functions of the library that is measured. */
extern void *mpi_next[ENTRIES][MPI_CALL_COUNT] __attribute__((visibility("hidden")));
/* Atomic; 1: every call of the process goes to that library. */
extern int mpi_real_state __attribute__((visibility("hidden")));

static inline bool mpi_real_serves_all(void)
{
	return __builtin_expect(__atomic_load_n(&mpi_real_state, __ATOMIC_ACQUIRE) == 1, 1);
}

/* The function that a call from there reaches; NULL: there is none. is_measured: it is of the
 * library that is measured. */
void *mpi_real_route(enum mpi_entry entry, enum mpi_call_number number, uint64_t caller,
		     bool *is_measured);

/* The same for a function that is not in the table: one of a binding, or MPI_Pcontrol. */
void *mpi_real_find(const char *name, uint64_t caller, bool *is_measured);

/* The library's file; "": not known. */
const char *mpi_real_library(void);

/* Asks the library: MPI_ASK(Comm_size, handle, &size) is what PMPI_Comm_size returns. Up to 5
 * arguments; more words than a function takes do no harm, because they are passed in registers.
 * Non-zero also if the library lacks the call. */
#define MPI_ASK(name, ...)                                                                         \
	mpi_ask(MPI_CALL_##name, (const mpi_word[5]){ASK_PICK(__VA_ARGS__, ASK_5, ASK_4, ASK_3,    \
							      ASK_2, ASK_1)(__VA_ARGS__)})
#define ASK_PICK(a, b, c, d, e, pick, ...) pick
#define ASK_1(a)                           (mpi_word)(a)
#define ASK_2(a, ...)                      (mpi_word)(a), ASK_1(__VA_ARGS__)
#define ASK_3(a, ...)                      (mpi_word)(a), ASK_2(__VA_ARGS__)
#define ASK_4(a, ...)                      (mpi_word)(a), ASK_3(__VA_ARGS__)
#define ASK_5(a, ...)                      (mpi_word)(a), ASK_4(__VA_ARGS__)

int mpi_ask(enum mpi_call_number number, const mpi_word arguments[5]);

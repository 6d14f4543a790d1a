/* SPDX-License-Identifier: MIT */
/* Calls that Fortran's bindings make for their own purposes. A binding calls the C function that it
 * stands for, where the program's call is counted. But first some ask for the number of ranks,
 * dimensions or neighbours, to convert so many arguments (MPI_Alltoallv of Open MPI, MPI_Alltoallw
 * of MPICH's mpi_f08), or make a type for a section of an array (MPICH's mpi_f08). The program did
 * not make these calls: they are not counted.
 *
 * They are recognized by the binding's routine that calls: MPI_Comm_size in mpi_comm_size_ is the
 * program's, in mpi_alltoallv_ it is not. Found by reading the machine code of the bindings of Open
 * MPI 4.1.4 and MPICH 4.0.2; tests/cases/mpi_fortran.py has a call of each kind.
 *
 * Context: any thread, never a signal handler. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "preload/mpi/mpi_call.h"

/* The only calls that bindings are known to make in this way. */
static inline bool mpi_binding_may_make(enum mpi_call_number number)
{
	switch (number) {
	case MPI_CALL_Comm_size:
	case MPI_CALL_Cartdim_get:
	case MPI_CALL_Dist_graph_neighbors_count:
	case MPI_CALL_Type_contiguous:
	case MPI_CALL_Type_create_hvector:
	case MPI_CALL_Type_commit:
	case MPI_CALL_Type_free:
		return true;
	default:
		return false;
	}
}

/* True: the binding's own call. caller: return address of the call. Asks the loader once for each
 * place. */
bool mpi_binding_makes(enum mpi_call_number number, uint64_t caller);

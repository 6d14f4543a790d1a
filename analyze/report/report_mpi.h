/* SPDX-License-Identifier: MIT */
/* The parts of the section mpi, shared by its files, and what the overview has of it. All texts are
 * released by the caller. */
#pragma once

#include "analyze/report/report.h"

/* "load balance 84 % x communication 99 %" */
char *report_mpi_factors(const struct report *report, const struct mpi_efficiency *efficiency);
/* "19 %", "~19 %", "?" */
char *report_mpi_share(const struct report *report, const struct mpi_share *share);
/* Lines of the section: between MPI_Init and MPI_Finalize. */
void report_mpi_add_between(struct report_facts *facts, const struct report *report);
/* Threads that the MPI library started for itself, of all ranks. */
uint64_t report_mpi_library_threads(const struct mpi *mpi);
/* "9 threads and 6 of the MPI library"; without such a library all threads of the run. */
char *report_mpi_threads_text(const struct run *run);
/* What the overview says behind the number of ranks. */
char *report_mpi_efficiency_summary(const struct report *report);

/* SPDX-License-Identifier: MIT */
/* Where libptrace.so comes to life and where it ends. */
#include "preload/life/lifecycle.h"
#include "preload/mpi/mpi_unseen.h"
#include "preload/openmp/ompt_absence.h"
#include "preload/process/process_row.h"

/* libc passes main's arguments to constructors. */
__attribute__((constructor)) static void start(int count, const char *const *arguments)
{
	if (count > 0)
		process_row_know_arguments(arguments);
	lifecycle_exits = mpi_unseen_note;
	lifecycle_start();
	ompt_absence_note();
}

/* Libraries that end after us may still call wrapped functions, so everything stays in place and
 * only the figures are brought up to date once more. The handler that lifecycle_start registered
 * has seen the exit code. */

/* SPDX-License-Identifier: MIT */
/* Where libptrace.so comes to life and where it ends. */
#include "preload/attach/routine_doors.h"
#include "preload/life/lifecycle.h"
#include "preload/mpi/mpi_unseen.h"
#include "preload/openmp/ompt_absence.h"
#include "preload/process/process_row.h"

static void note_unseen(void)
{
	mpi_unseen_note();
	routine_doors_note();
}

/* libc passes main's arguments to constructors. */
__attribute__((constructor)) static void start(int count, const char *const *arguments)
{
	if (count > 0)
		process_row_know_arguments(arguments);
	lifecycle_exits = note_unseen;
	lifecycle_start();
	ompt_absence_note();
	routine_doors_open();
}

/* Libraries that end after us may still call wrapped functions, so everything stays in place and
 * only the figures are brought up to date once more. The handler that lifecycle_start registered
 * has seen the exit code. */

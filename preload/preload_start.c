/* SPDX-License-Identifier: MIT */
/* Where libptrace.so comes to life and where it ends. */
#include "preload/life/lifecycle.h"
#include "preload/openmp/ompt_absence.h"

__attribute__((constructor)) static void start(void)
{
	lifecycle_start();
	ompt_absence_note();
}

/* Libraries that end after us may still call wrapped functions: everything stays in place, only the
 * figures are brought up to date once more. The exit code was seen by the handler that
 * lifecycle_start registered. */

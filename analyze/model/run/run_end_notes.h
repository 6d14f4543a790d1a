/* SPDX-License-Identifier: MIT */
/* What is to be said of how the processes of a run ended: ranks that called MPI_Abort, and ends
 * that nobody saw or that were none. Context: pure but for names. */
#pragma once

struct run;

/* First what makes the run incomplete: the first note is the reason. */
void run_note_ends(struct run *run);

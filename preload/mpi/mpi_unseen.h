/* SPDX-License-Identifier: MIT */
/* An MPI that the program opened with dlopen, and calls by what dlsym returned: no wrapper of ours
 * is in its way. */
#pragma once

/* At the process's exit, in its last handler of it: leaves a note if no call of MPI was ever seen,
 * though a library that is loaded says that it was initialized. May take the loader's lock, as the
 * rest of exit does. */
void mpi_unseen_note(void);

/* SPDX-License-Identifier: MIT */
/* What a process keeps when it executes a program, and no child of it gets: a caller that did not
 * fork, `exec ptrace-run ...`, has left it to the program. What a child can be given is given to it
 * (child_state.h); with anything else the program has to take the place of ptrace-run. */
#pragma once

/* What this process has of it, as the end of "the program would not have ..."; NULL: nothing. To be
 * called before ptrace-run has children or files of its own. */
const char *exec_kept_find(void);

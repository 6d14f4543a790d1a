/* SPDX-License-Identifier: MIT */
/* Looks from time to time whether anything of the run moves (--hang-timeout), and has ptrace-report
 * say who waits for whom where nothing has for that long. Once per hang.
 *
 * What moves is seen from outside: a thread that is in a wait, by the profiles, has moved if it is
 * in another wait than before, however much it polls meanwhile; a thread that is in none, if it was
 * on a processor. The profiles are read, the program is not touched. Context: ptrace-run. */
#pragma once

#include <signal.h>
#include <time.h>

/* seconds: 0 for never. directory: of the run, which must last; mask: as in report_end_print. */
void hang_watch_begin(const char *directory, unsigned seconds, const sigset_t *mask);

/* How long to wait between two looks; NULL: for ever. */
const struct timespec *hang_watch_pause(void);

/* One look. The report is not waited for. */
void hang_watch_look(void);

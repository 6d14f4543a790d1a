/* SPDX-License-Identifier: MIT */
/* One run of a program under the ptrace-run that lies beside this program. Its output goes to a
 * file, as standard output is the comparison's; there is nothing to read on its standard input. */
#pragma once

/* words: the program and its arguments, ended by NULL; directory: of the run; output: the file.
 * Waits until it has ended. Anything but status 0 ends this program with a line and status 2:
 * output and directory stay, and the line names them, unless the program was not run at all and
 * there is nothing else in the directory of both. */
void trial_start(char *const *words, const char *directory, const char *output);

/* SPDX-License-Identifier: MIT */
/* A process that seals itself: from then on no wrapper makes a system call that the program did not
 * make. */
#pragma once

#include "preload/file/vocabulary.h"

/* From now on a system call of ours, or reading a clock, may kill the process: its profile ends
 * here, except for how the process ends. Not from signal handlers. Never changes errno. */
void sealed_begin(enum note_code why);

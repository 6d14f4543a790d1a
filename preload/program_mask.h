/* SPDX-License-Identifier: MIT */
/* The sampling signal as the program believes it to be: blocked by a thread or not, masked in a
 * handler or not. In truth it is never blocked; what the program reads back is what it set. */
#pragma once

#include <signal.h>
#include <stdbool.h>

/* Does the calling thread believe that our signal is blocked? */
bool program_mask_blocks(void);
void program_mask_set(bool blocks);

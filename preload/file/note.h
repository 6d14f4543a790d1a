/* SPDX-License-Identifier: MIT */
/* Notes: what could not be measured, or did not go as planned. They are written to the profile,
 * never to the program's output. Context: any thread, signal handlers; lock-free. */
#pragma once

#include <stdint.h>

#include "preload/file/vocabulary.h"

/* Counts the note; makes its row the first time. The row keeps the latest detail. */
void note_once(enum note_code code, uint32_t detail);

/* Start-up and fork child. */
void note_reset(void);

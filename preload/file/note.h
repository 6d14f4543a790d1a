/* SPDX-License-Identifier: MIT */
/* Notes: what could not be seen, or went otherwise than planned. They stand in the profile, never
 * on the program's output. Context: any thread, signal handlers; lock-free. */
#pragma once

#include <stdint.h>

#include "preload/file/vocabulary.h"

/* Counts the note; the first time a row is made. The detail is the latest one. */
void note_once(enum note_code code, uint32_t detail);

/* Start-up and fork child. */
void note_reset(void);

/* SPDX-License-Identifier: MIT */
/* Why the kernel gives no context-switch records, as far as more is known than the error: several
 * causes have the same one, and each has another remedy. Context: start-up, never changes errno. */
#pragma once

#include "preload/file/vocabulary.h"

#include <stdint.h>

/* error: a negative errno of switches_open. NOTE_NONE: nothing more is known. */
enum note_code switches_refusal(int error, uint32_t *detail);

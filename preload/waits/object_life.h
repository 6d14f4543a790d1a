/* SPDX-License-Identifier: MIT */
/* An object begins or ends: what is counted or waited for at its address from then on is another
 * one's, in all threads. After the real call, if that has succeeded. Context: any thread. */
#pragma once

#include <stdint.h>

#include "preload/locks/objects.h"

void object_life_begin(const void *address, enum object_kind kind, uint64_t caller);
void object_life_end(const void *address, enum object_kind kind);

/* A thread waits for it: its releases are recorded from now on. If its calls were counted together
 * with other objects', they get a row of their own. NULL: no room. */
struct object *object_life_awaited(const void *address, enum object_kind kind, uint64_t place);

/* SPDX-License-Identifier: MIT */
/* An object begins to live, or ends: whatever is counted or waited for at its address from then on
 * is another one's, in all threads. After the real call, when that has succeeded. Context: any
 * thread. */
#pragma once

#include <stdint.h>

#include "preload/locks/objects.h"

void object_life_begin(const void *address, enum object_kind kind, uint64_t caller);
void object_life_end(const void *address, enum object_kind kind);

/* Somebody waits for it: releases are kept with it from now on. Where its calls have been counted
 * together with others', they get a row of their own. NULL: no room. */
struct object *object_life_awaited(const void *address, enum object_kind kind, uint64_t place);

/* SPDX-License-Identifier: MIT */
/* Whether a call on a descriptor is going to wait, as far as the kernel can say before it: a system
 * call, 0.3 us. For the few first calls after which nothing may come any more.
 *
 * Context: any thread, signal handlers. errno is never changed. */
#pragma once

#include <stdbool.h>

#include "preload/file/vocabulary.h"

bool is_about_to_wait(int number, enum cause cause);

/* SPDX-License-Identifier: MIT */
/* The call path of a wrapper's caller, without a walk where the same stack was walked before.
 *
 * A walk is remembered with what it depended on: where the caller is, the words of the stack that
 * led from frame to frame, and the objects whose code it met, for these can be unloaded and others
 * loaded in their place. As long as all of it is as it was, so is the path. Context: own thread,
 * is_busy. */
#pragma once

#include <stdint.h>

#include "preload/stacks/site.h"
#include "preload/thread/thread.h"

/* The memo is the caller's own, for that place. */
uint32_t stack_memo_path(struct thread *thread, struct stack_memo *memo, const struct site *site);

/* The same by a memory of the thread's own, for places that are few. */
uint32_t stack_memo_site_path(struct thread *thread, const struct site *site);

/* SPDX-License-Identifier: MIT */
/* The call path of a wrapper's caller, without a walk if the same stack was walked before.
 *
 * A walk is remembered with what it depended on: the site, the words of the stack that led from
 * frame to frame, and the loaded objects on it, because they can be unloaded and others loaded in
 * their place. As long as all of that is unchanged, so is the path. Context: own thread,
 * is_busy. */
#pragma once

#include <stdint.h>

#include "preload/stacks/site.h"
#include "preload/thread/thread.h"

/* The memo is the caller's, for that place. */
uint32_t stack_memo_path(struct thread *thread, struct stack_memo *memo, const struct site *site);

/* The same with one of the thread's own memos: as many sites as there are memos are remembered. */
uint32_t stack_memo_site_path(struct thread *thread, const struct site *site);

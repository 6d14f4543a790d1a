/* SPDX-License-Identifier: MIT */
/* For wrappers of synchronization: the calling thread's record; NULL if nothing is to be measured,
 * or with --no-sync. */
#pragma once

#include "preload/life/lifecycle.h"
#include "preload/process/settings.h"

static inline struct thread *sync_thread(void)
{
	struct thread *thread = sync_self;

	if (likely(thread))
		return thread;
	thread = thread_or_adopt();
	return settings.sync ? thread : NULL;
}

/* SPDX-License-Identifier: MIT */
/* For wrappers of synchronization: the calling thread's record, NULL when nothing is to be measured
 * or --no-sync was given. */
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

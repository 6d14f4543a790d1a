/* SPDX-License-Identifier: MIT */
/* The name of the wait in which a thread was when its process ended, or when the profile was read:
 * "mutex queue_lock", "MPI_Recv", "OpenMP runtime". Context: pure but for names. */
#pragma once

#include "analyze/model/common/names.h"
#include "analyze/model/threads/thread_time.h"

/* Released by the caller; NULL: it was in no wait. */
char *chrome_wait_name(struct names *names, const struct profile *profile,
		       const struct thread_time *time);

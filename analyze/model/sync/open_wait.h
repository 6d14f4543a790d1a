/* SPDX-License-Identifier: MIT */
/* The call in which a thread was when its process ended, or when the profile was read. Context:
 * pure. */
#pragma once

#include "analyze/read/profile.h"

/* thread: in a wait (waiting_cause is set). */
enum operation open_wait_operation(const struct profile *profile,
				   const struct profile_thread *thread);

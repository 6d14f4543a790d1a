/* SPDX-License-Identifier: MIT */
/* The call that a thread was in when its process ended, or was looked at. Context: pure. */
#pragma once

#include "analyze/read/profile.h"

/* thread: in a wait (waiting_cause is set). */
enum operation open_wait_operation(const struct profile *profile,
				   const struct profile_thread *thread);

/* SPDX-License-Identifier: MIT */
/* Records of other threads, as long as those do not know. Context: any thread. errno may change. */
#pragma once

#include <stdbool.h>

#include "preload/thread/thread.h"

/* Whether its thread does. */
bool thread_record_lives(const struct thread *thread);

/* The thread has no record from its next wrapped call on. */
void thread_record_take_away(const struct thread *thread);

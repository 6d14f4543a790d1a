/* SPDX-License-Identifier: MIT */
/* Threads of one role do the same, and which of them got a little more of it is chance: where the
 * limits of idle threads (idle_threads.h) are near, the middle one stands for all of them. Context:
 * pure. */
#pragma once

#include <stddef.h>

struct thread_time;

/* Sets role_share of all threads of a process. */
void idle_roles_compare(struct thread_time *threads, size_t count);

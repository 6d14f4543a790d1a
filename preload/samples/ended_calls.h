/* SPDX-License-Identifier: MIT */
/* System calls that a handler without SA_RESTART ends with EINTR, and that the kernel makes again
 * after a handler with it (signal(7)). Not here: those that EINTR ends in either case (poll,
 * nanosleep, msgrcv, semop, pause), and those that no signal ends. Context: any. */
#pragma once

#include <stdbool.h>

bool ended_calls_have(long number);

/* SPDX-License-Identifier: MIT */
/* libc's syscall() is not interposed here yet: a process that calls seccomp through it, and not
 * through prctl, continues to be measured. */
#include "preload/life/sandbox.h"

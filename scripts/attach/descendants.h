/* SPDX-License-Identifier: MIT */
/* The processes below a launcher that do the work of a job. */
#pragma once

#include <sys/types.h>

enum { DESCENDANTS_MAX = 4096 };

/* All descendants of `ancestor` that are no shells and no launchers, ascending. Returns their
 * number. */
int descendants_find(pid_t ancestor, pid_t list[DESCENDANTS_MAX]);

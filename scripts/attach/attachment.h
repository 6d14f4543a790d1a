/* SPDX-License-Identifier: MIT */
/* One run of one or several processes: its directory, and attaching and detaching all of them. */
#pragma once

#include "attach_options.h"
#include "target.h"

/* targets: that can be attached to. Those that could not be are dropped from the list; returns how
 * many are left. Without any, no run directory is left. */
int attachment_begin(struct target *targets, int count, const struct attach_options *options,
		     const char *library);

/* Until --seconds are over, all processes have ended, or somebody says so (SIGINT, SIGTERM,
 * SIGHUP). */
void attachment_wait(const struct target *targets, int count, uint64_t duration_ns);

/* Returns how many of them could be detached. */
int attachment_end(struct target *targets, int count, const struct attach_options *options);

void attachment_tell(void);

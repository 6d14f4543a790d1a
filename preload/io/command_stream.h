/* SPDX-License-Identifier: MIT */
/* The end of a stream that popen has opened: pclose and fclose alike write what its buffer holds,
 * close it, and wait for the command. Context: own thread, in the wrapper of such a call. */
#pragma once

#include <stdio.h>

#include "preload/stacks/site.h"
#include "preload/thread/thread.h"

/* thread NULL: nothing is measured. close: libc's. Returns its result. */
int command_stream_close(struct thread *thread, FILE *stream, int (*close)(FILE *),
			 const struct site *site);

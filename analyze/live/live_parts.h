/* SPDX-License-Identifier: MIT */
/* What the files of live.h share. */
#pragma once

#include "analyze/live/live.h"
#include "analyze/live/live_minute.h"
#include "analyze/live/live_process.h"
#include "analyze/read/run_read.h"

struct live {
	char *directory; /* or a profile */
	size_t listed;   /* profiles in it, when it was opened */
	struct run_files *files;
	struct symbolizer *symbolizer;
	struct names *names;
	struct live_watched **watched; /* as files->processes; NULL: not read yet */
	size_t watched_count, next;
	struct live_minute *minute;
	struct live_frame frame;
	uint64_t elapsed_ns; /* of the frame before */
	uint64_t frames;
	/* the thread that was looked at last, and its samples then */
	struct live_sums *looked;
	uint64_t looked_pid, looked_tid; /* 0: none */
};

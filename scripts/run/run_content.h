/* SPDX-License-Identifier: MIT */
/* What is in a directory that a new run is to be written into. Context: ptrace-run. */
#pragma once

enum run_content {
	RUN_CONTENT_NONE,    /* empty, but for what starts leave that are under way (run_claim.h) */
	RUN_CONTENT_RUN,     /* a run of this tool */
	RUN_CONTENT_FOREIGN, /* one foreign file is enough */
	RUN_CONTENT_UNKNOWN  /* errno says why */
};

/* directory: open. Nothing is written. */
enum run_content run_content_find(int directory);

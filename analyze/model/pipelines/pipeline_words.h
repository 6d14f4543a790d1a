/* SPDX-License-Identifier: MIT */
/* Pipelines in words: who is slow, and who waits for it. Context: pure; texts are released by the
 * caller. */
#pragma once

#include "analyze/model/pipelines/pipelines.h"

struct process;

/* "pipe", "tcp 127.0.0.1:6379", "fifo /tmp/x" */
char *connection_name(const struct pipelines *all, const struct connection *connection);
const char *pipe_kind_text(enum pipe_kind kind);
/* "4711 (xz)" */
char *stage_name(const struct process *processes, const struct stage *stage);
const char *pipeline_verdict_text(enum pipeline_verdict verdict);
/* "4711 (xz) is busy 97 %: 4710 (cat) waits to write to it 80 %, 4712 (wc) to read 71 %"; what is
 * said of a pipeline without a slow stage. Without a full stop. */
char *pipeline_sentence(const struct pipelines *all, const struct pipeline *pipeline,
			const struct process *processes);

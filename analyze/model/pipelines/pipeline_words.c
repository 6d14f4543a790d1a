/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE 1
#include "analyze/model/pipelines/pipeline_words.h"

#include "analyze/base/memory.h"
#include "analyze/base/quantity.h"
#include "analyze/model/common/finding_limits.h"
#include "analyze/model/process/process.h"

#include <stdlib.h>
#include <string.h>

const char *pipe_kind_text(enum pipe_kind kind)
{
	static const char *const texts[PIPE_KIND_COUNT] = {
		[PIPE_UNSEEN] = "[other]", [PIPE_PIPE] = "pipe", [PIPE_FIFO] = "fifo",
		[PIPE_TCP] = "tcp",        [PIPE_UNIX] = "unix",
	};

	return texts[kind];
}

const char *pipeline_verdict_text(enum pipeline_verdict verdict)
{
	static const char *const texts[PIPELINE_VERDICTS] = {
		[PIPELINE_BALANCED] = "balanced", [PIPELINE_ALTERNATING] = "alternating",
		[PIPELINE_BUSY] = "busy",         [PIPELINE_OUTSIDE] = "outside",
		[PIPELINE_ITSELF] = "itself",
	};

	return texts[verdict];
}

char *connection_name(const struct pipelines *all, const struct connection *connection)
{
	const struct pipe_end *end = &all->ends.rows[connection->from.ends[0]];

	return *end->name ? memory_print("%s %s", pipe_kind_text(end->kind), end->name)
			  : memory_copy_text(pipe_kind_text(end->kind));
}

/* "/usr/bin/xz -dc" is xz. */
char *stage_name(const struct process *processes, const struct stage *stage)
{
	const struct run_process *file = processes[stage->process].file;
	const char *command = file->process.command ? file->process.command : "";
	size_t length = strcspn(command, " ");
	const char *slash = memrchr(command, '/', length);

	if (slash) {
		length -= (size_t)(slash + 1 - command);
		command = slash + 1;
	}
	return memory_print("%u (%.*s)", file->header.pid, (int)length, command);
}

/* Of the elapsed time of the stage. */
static struct quantity share(double ns, const struct stage *stage)
{
	return quantity_percent(stage->elapsed_ns > 0 ? 100 * ns / stage->elapsed_ns : 0);
}

enum { SHARE_TOLD = 100 }; /* a wait of one part in so many is told */

/* Appends ", 4710 (cat) waits to write to it 80 %", if it does. */
static char *with_waiter(char *text, const struct pipelines *all, const struct process *processes,
			 const struct stage_waiter *waiter, const char *what)
{
	if (waiter->stage == SIZE_MAX)
		return text;
	const struct stage *stage = &all->stages[waiter->stage];
	if (!(waiter->ns * SHARE_TOLD >= stage->elapsed_ns))
		return text;
	bool is_first = !strchr(text, ':');
	char *name = stage_name(processes, stage);
	char *longer = memory_print("%s%s %s waits %s %s", text, is_first ? ":" : ",", name, what,
				    share(waiter->ns, stage).text);

	free(name);
	free(text);
	return longer;
}

static char *about_slow(const struct pipelines *all, const struct pipeline *pipeline,
			const struct process *processes)
{
	const struct stage *stage = &all->stages[pipeline->slow];
	char *name = stage_name(processes, stage), *text;

	if (pipeline->verdict == PIPELINE_OUTSIDE)
		text = memory_print("%s waits for input and output of its own %s", name,
				    share(stage->outside_ns, stage).text);
	else if (pipeline->verdict == PIPELINE_ITSELF)
		text = memory_print("%s keeps the others waiting, busy %s", name,
				    share(stage->busy_ns, stage).text);
	else if (stage->ready_ns >= finding_limits.ready_elapsed * stage->elapsed_ns)
		text = memory_print("%s is busy %s and ready for a processor %s", name,
				    share(stage->busy_ns, stage).text,
				    share(stage->ready_ns, stage).text);
	else
		text = memory_print("%s is busy %s", name, share(stage->busy_ns, stage).text);
	free(name);
	text = with_waiter(text, all, processes, &stage->writer, "to write to it");
	text = with_waiter(text, all, processes, &stage->reader, "to read from it");
	return with_waiter(text, all, processes, &stage->watcher,
			   "for events, and has no other peer,");
}

static char *about_two(const struct pipelines *all, const struct pipeline *pipeline,
		       const struct process *processes)
{
	const struct stage *a = &all->stages[pipeline->first], *b = a + 1;
	char *first = stage_name(processes, a), *second = stage_name(processes, b);
	char *text = memory_print("%s and %s take turns: the one waits %s, the other %s", first,
				  second, share(stage_own_wait_ns(a), a).text,
				  share(stage_own_wait_ns(b), b).text);

	free(first);
	free(second);
	return text;
}

char *pipeline_sentence(const struct pipelines *all, const struct pipeline *pipeline,
			const struct process *processes)
{
	if (pipeline->slow != SIZE_MAX)
		return about_slow(all, pipeline, processes);
	if (pipeline->verdict == PIPELINE_ALTERNATING)
		return about_two(all, pipeline, processes);
	return memory_copy_text("no stage keeps others waiting while it does not wait itself");
}

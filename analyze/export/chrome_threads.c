/* SPDX-License-Identifier: MIT */
/* Lives of processes and threads in a trace, and waits that were open at the end. */
#include "analyze/base/memory.h"
#include "analyze/export/chrome.h"
#include "analyze/export/export_text.h"
#include "analyze/model/common/names.h"
#include "analyze/model/common/vocabulary_text.h"
#include "analyze/model/sync/open_wait.h"
#include "analyze/model/sync/sync_object.h"
#include "analyze/model/threads/thread_time.h"

#include <stdlib.h>
#include <string.h>

/* ---- the wait in which a thread was when its process ended, or when the profile was read: "mutex
 * queue_lock", "MPI_Recv", "OpenMP runtime" */

static char *mpi_call_name(const struct profile *profile, const struct thread_time *time)
{
	for (size_t i = 0; i < profile->mpi_calls.count; i++) {
		const struct profile_mpi_call *row = &profile->mpi_calls.rows[i];

		if (row->thread == time->index && row->callpath == time->thread->waiting_path)
			return memory_copy_text(profile->mpi_names.rows[row->call].name);
	}
	return memory_copy_text("an MPI call");
}

static char *object_name(struct names *names, const struct profile *profile,
			 const struct profile_thread *thread)
{
	struct sync_object object = sync_object_of(names, profile, thread->waiting_object,
						   open_wait_operation(profile, thread));
	char *name = sync_object_name(&object);
	bool is_call =
		!strcmp(object.kind, "call") || !strncmp(name, object.kind, strlen(object.kind));
	char *whole = is_call ? memory_copy_text(name) : memory_print("%s %s", object.kind, name);

	free(name);
	return whole;
}

/* Released by the caller; NULL: it was in no wait. */
static char *chrome_wait_name(struct names *names, const struct profile *profile,
			      const struct thread_time *time)
{
	if (!time->open_wait_ns)
		return NULL;
	if (time->thread->waiting_cause == CAUSE_MPI)
		return mpi_call_name(profile, time);
	if (time->thread->waiting_cause == CAUSE_OPENMP && !time->thread->waiting_object)
		return memory_copy_text("OpenMP runtime");
	return object_name(names, profile, time->thread);
}

/* ---- processes */

void chrome_write_process(struct chrome *chrome, const struct process *process)
{
	size_t index = process->index;
	const struct run_process *file = process->file;
	bool is_rank = process->rank != MPI_NO_RANK;
	char *name = is_rank ? memory_print("rank %llu: %s", (unsigned long long)process->rank,
					    file->process.command)
			     : memory_copy_text(file->process.command);

	chrome_name_track(chrome, "process_name", index, 0, name);
	free(name);
	name = memory_print("%s, pid %u, %s", file->process.host, file->header.pid,
			    process->status);
	chrome_begin_event(chrome, 'M', index, 0, "process_labels");
	fputs(",\"args\":{", chrome->out);
	chrome_put_text(chrome, "labels", name);
	fputs("}}", chrome->out);
	free(name);
	chrome_begin_event(chrome, 'M', index, 0, "process_sort_index");
	fprintf(chrome->out, ",\"args\":{\"sort_index\":%llu}}",
		(unsigned long long)(is_rank ? process->rank : index));
	chrome_begin_event(chrome, 'i', index, 0, process->status);
	chrome_put_instant(chrome, "ts", chrome_instant(chrome, index, process->life.end_ns));
	fputs(",\"s\":\"p\"}", chrome->out);
}

/* ---- threads */

static void put_seconds(struct chrome *chrome, const char *key, uint64_t ns)
{
	fprintf(chrome->out, ",\"%s\":%llu.%09llu", key, (unsigned long long)(ns / 1000000000u),
		(unsigned long long)(ns % 1000000000u));
}

static void put_states(struct chrome *chrome, const struct thread_time *time)
{
	static const char *const grades[] = {"\"exact\"", "\"sampled\"", "\"estimated\"", "null"};

	fprintf(chrome->out, "\"tid\":%llu,\"lives\":%llu", (unsigned long long)time->thread->tid,
		(unsigned long long)time->thread->lives);
	put_seconds(chrome, "user_seconds", time->user_ns);
	put_seconds(chrome, "system_seconds", time->system_ns);
	if (time->is_ready_known)
		put_seconds(chrome, "ready_seconds", time->ready_ns);
	else
		fputs(",\"ready_seconds\":null", chrome->out);
	put_seconds(chrome, "blocked_seconds", time->blocked_ns);
	fprintf(chrome->out, ",\"blocked_grade\":%s", grades[time->blocked_grade]);
	for (size_t i = 0; i < CAUSE_LIMIT; i++)
		if (time->by_cause_ns[i] && i < CAUSE_COUNT) {
			char *key = memory_print("blocked_%s_seconds", vocabulary_cause(i));

			put_seconds(chrome, key, time->by_cause_ns[i]);
			free(key);
		}
}

/* A row that several short threads shared shows the last of them. */
static void write_thread(struct chrome *chrome, const struct process *process,
			 const struct thread_time *time)
{
	const struct profile_thread *row = time->thread;
	bool is_alive = row->flags & THREAD_ALIVE;
	uint64_t end = is_alive ? process->life.end_ns : row->updated_ns;

	chrome_name_track(chrome, "thread_name", process->index, row->tid,
			  *row->name ? row->name : "[unnamed]");
	if (end < row->birth_ns)
		return;
	chrome_begin_event(chrome, 'X', process->index, row->tid, "thread");
	chrome_put_instant(chrome, "ts", chrome_instant(chrome, process->index, row->birth_ns));
	chrome_put_instant(chrome, "dur", (int64_t)(end - row->birth_ns));
	fputs(",\"cat\":\"life\",\"args\":{", chrome->out);
	put_states(chrome, time);
	fputs("}}", chrome->out);
}

static void write_open_wait(struct chrome *chrome, const struct profile *profile,
			    const struct process *process, const struct thread_time *time)
{
	const struct profile_thread *row = time->thread;
	char *name = chrome_wait_name(chrome->export->run->names, profile, time);

	if (name) {
		chrome_begin_event(chrome, 'X', process->index, row->tid, name);
		chrome_put_instant(chrome, "ts",
				   chrome_instant(chrome, process->index, row->waiting_since_ns));
		chrome_put_instant(chrome, "dur", (int64_t)time->open_wait_ns);
		fputs(",\"cat\":\"wait\",\"args\":{", chrome->out);
		chrome_put_place(chrome, profile, row->waiting_path);
		fputs("}}", chrome->out);
	}
	free(name);
}

void chrome_write_threads(struct chrome *chrome, const struct profile *profile,
			  const struct process *process)
{
	for (size_t i = 0; i < process->thread_count; i++) {
		write_thread(chrome, process, &process->threads[i]);
		write_open_wait(chrome, profile, process, &process->threads[i]);
	}
}

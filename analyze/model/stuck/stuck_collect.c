/* SPDX-License-Identifier: MIT */
#include "analyze/model/stuck/stuck_collect.h"

#include "analyze/base/memory.h"
#include "analyze/model/common/futex_cause.h"
#include "analyze/model/common/io_direction.h"
#include "analyze/model/common/vocabulary_text.h"
#include "analyze/model/process/process.h"
#include "analyze/model/sync/open_wait.h"
#include "analyze/model/sync/sync_object.h"
#include "analyze/model/threads/thread_role.h"
#include "analyze/read/process_look.h"

#include <stdlib.h>
#include <string.h>

/* ---- what a wait is */

/* "mutex queue_lock", "mutex created at main (x.c:12)", "" */
static const char *object_text(struct names *names, const struct profile *profile, uint64_t number)
{
	if (!number)
		return "";
	struct sync_object object = sync_object_of(names, profile, number, OP_NONE);
	char *name = sync_object_name(&object);
	bool says_kind = strstr(name, " at ") || !strncmp(name, "thread", 6);
	char *text = says_kind ? memory_copy_text(name) : memory_print("%s %s", object.kind, name);
	const char *kept = names_keep(names, text);

	free(name);
	free(text);
	return kept;
}

static const char *place_text(struct names *names, const struct profile *profile, uint64_t path)
{
	const struct frame *frame = names_user_frame(names, profile, path);
	char *text = frame ? names_place_text(names, frame->routine, frame->line) : NULL;
	const char *kept = text ? names_keep(names, text) : NULL;

	free(text);
	return kept;
}

/* Where a thread spent most of its CPU time. */
static uint64_t busiest_path(const struct profile *profile, size_t thread)
{
	uint64_t most_ns = 0, path = 0;

	for (size_t i = 0; i < profile->samples.count; i++) {
		const struct profile_sample *sample = &profile->samples.rows[i];

		if (sample->thread != thread || sample->cpu_ns <= most_ns)
			continue;
		most_ns = sample->cpu_ns;
		path = sample->callpath;
	}
	return path;
}

/* The wait's call. Profiles of older versions do not have it. */
static enum operation operation_of(const struct profile *profile, const struct profile_thread *row)
{
	bool has_own = row->waiting_operation && row->waiting_operation < OP_COUNT &&
		       !cause_is_io(row->waiting_cause) && row->waiting_cause != CAUSE_OPENMP;

	return has_own ? (enum operation)row->waiting_operation : open_wait_operation(profile, row);
}

static void read_object(struct stuck_wait *wait, const struct profile *profile,
			const struct profile_thread *row)
{
	const struct profile_object *object = &profile->objects.rows[row->waiting_object];

	if (!row->waiting_object)
		return;
	wait->object_kind = object->kind;
	wait->participants = object->kind == OBJECT_BARRIER ? object->detail : 0;
	if (!cause_is_io(row->waiting_cause) || object->flags & OBJECT_MANY)
		return;
	wait->device = object->offset;
	wait->inode = object->address;
	wait->is_writing = row->waiting_cause == CAUSE_WRITE;
}

static void read_mpi(struct stuck_wait *wait, const struct profile *profile,
		     const struct profile_thread *row)
{
	wait->call = profile->mpi_names.count > row->waiting_call && row->waiting_call
			     ? profile->mpi_names.rows[row->waiting_call].name
			     : "MPI";
	wait->peer = row->waiting_peer;
	wait->tag = row->waiting_tag;
	wait->requests = row->waiting_requests;
	wait->instance = row->waiting_instance;
	wait->sequence = row->waiting_sequence;
	if (row->waiting_communicator)
		wait->comm_size = profile->mpi_communicators.rows[row->waiting_communicator].size;
}

static uint64_t joined_thread(const struct profile *profile, const struct profile_thread *row)
{
	return row->waiting_holder < profile->threads.count
		       ? profile->threads.rows[row->waiting_holder].tid
		       : 0;
}

static void read_wait(struct stuck_wait *wait, struct names *names, const struct profile *profile,
		      const struct profile_thread *row, uint64_t end_ns)
{
	wait->since_ns = row->waiting_since_ns;
	wait->wait_ns = end_ns > wait->since_ns ? end_ns - wait->since_ns : 0;
	wait->operation = operation_of(profile, row);
	wait->cause =
		futex_cause(names, profile, row->waiting_cause, wait->operation, row->waiting_path);
	wait->call = wait->cause == CAUSE_OPENMP && !wait->operation
			     ? "the OpenMP runtime"
			     : vocabulary_call(wait->operation);
	if (wait->cause == CAUSE_MPI) {
		read_mpi(wait, profile, row);
		wait->call = names_keep(names, wait->call);
	} else {
		wait->object = object_text(names, profile, row->waiting_object);
		wait->address = row->waiting_address;
		wait->mutex = row->waiting_mutex;
		wait->holder = wait->cause == CAUSE_JOIN ? joined_thread(profile, row)
							 : row->waiting_holder;
		wait->object_kind = vocabulary_operand(wait->operation);
		read_object(wait, profile, row);
	}
	wait->place = place_text(names, profile, row->waiting_path);
}

/* ---- what a process has */

static void add_pipe(struct stuck_facts *facts, const struct profile *profile, size_t process,
		     uint64_t number, enum io_direction direction)
{
	const struct profile_object *object = &profile->objects.rows[number];

	if (!number || object->kind != OBJECT_PIPE ||
	    (direction != IO_READ && direction != IO_WRITTEN))
		return;
	facts->pipes = memory_grow(facts->pipes, facts->pipe_count, &facts->pipe_capacity,
				   sizeof *facts->pipes);
	facts->pipes[facts->pipe_count++] = (struct stuck_pipe){
		process, object->offset, object->address, direction == IO_WRITTEN};
}

static void add_comms(struct stuck_facts *facts, const struct profile *profile, size_t process)
{
	for (size_t i = 1; i < profile->mpi_communicators.count; i++) {
		const struct profile_mpi_communicator *row = &profile->mpi_communicators.rows[i];

		facts->comms = memory_grow(facts->comms, facts->comm_count, &facts->comm_capacity,
					   sizeof *facts->comms);
		facts->comms[facts->comm_count++] =
			(struct stuck_comm){process, row->identity, row->collectives};
	}
}

static struct stuck_process *process_at(struct stuck_facts *facts, size_t index)
{
	while (facts->process_count <= index) {
		facts->processes = memory_grow(facts->processes, facts->process_count,
					       &facts->process_capacity, sizeof *facts->processes);
		facts->processes[facts->process_count++] = (struct stuck_process){0};
	}
	return &facts->processes[index];
}

static void read_process(struct stuck_facts *facts, const struct profile *profile,
			 const struct process *process)
{
	struct stuck_process *row = process_at(facts, process->index);

	*row = (struct stuck_process){
		.is_known = true,
		.rank = mpi_rank_of(profile),
		.job = mpi_job_of(profile),
		.size = profile->mpi_process.count ? profile->mpi_process.rows[0].size : 0,
		.pid_here = process->life.state == LIFE_RUNNING ? process_look_number(profile) : 0,
	};
	for (size_t i = 0; i < profile->io_calls.count; i++)
		add_pipe(facts, profile, process->index, profile->io_calls.rows[i].object,
			 io_direction_of(profile->io_calls.rows[i].operation));
	add_comms(facts, profile, process->index);
}

/* ---- all of it */

static void add_thread(struct stuck *stuck, struct names *names, const struct profile *profile,
		       const struct process *process, const struct stuck_process *about,
		       size_t index)
{
	const struct profile_thread *row = &profile->threads.rows[index];
	const char *name = thread_shown_name(names, profile, index);

	stuck->waits =
		memory_grow(stuck->waits, stuck->count, &stuck->capacity, sizeof *stuck->waits);
	struct stuck_wait *wait = &stuck->waits[stuck->count++];

	*wait = (struct stuck_wait){
		.process = process->index,
		.rank = about->rank,
		.job = about->job,
		.tid = row->tid,
		.name = names_keep(names, name ? name : ""),
		.object = "",
		.call = "",
		.pid_here = about->pid_here,
		.is_helper = row->flags & THREAD_OF_MPI,
		.path = names_keep(names, profile->path ? profile->path : ""),
	};
	if (row->waiting_since_ns)
		read_wait(wait, names, profile, row, process->life.end_ns);
	else
		wait->place = place_text(names, profile, busiest_path(profile, index));
}

/* A process that ended by itself has no threads any more; one that was killed has its last ones. */
static bool has_threads(const struct process *process)
{
	return process->life.state == LIFE_RUNNING || process->life.state == LIFE_KILLED ||
	       process->life.state == LIFE_SAVED ||
	       process->life.state == LIFE_UNKNOWN;
}

void stuck_collect(struct stuck *stuck, struct stuck_facts *facts, struct names *names,
		   const struct profile *profile, const struct process *process)
{
	read_process(facts, profile, process);
	struct stuck_process *about = &facts->processes[process->index];

	for (size_t i = 1; has_threads(process) && i < profile->threads.count; i++) {
		const struct profile_thread *row = &profile->threads.rows[i];

		if (!row->tid || !(row->flags & THREAD_ALIVE))
			continue;
		add_thread(stuck, names, profile, process, about, i);
		about->threads++;
	}
}

void stuck_facts_clear(struct stuck_facts *facts)
{
	free(facts->processes);
	free(facts->pipes);
	free(facts->comms);
	*facts = (struct stuck_facts){0};
}

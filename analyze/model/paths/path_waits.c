/* SPDX-License-Identifier: MIT */
#include "analyze/model/paths/path_waits.h"

#include "analyze/base/memory.h"
#include "analyze/model/common/io_direction.h"
#include "analyze/model/common/vocabulary_text.h"
#include "analyze/model/openmp/omp_places.h"
#include "analyze/model/process/process.h"
#include "analyze/model/sync/open_wait.h"
#include "analyze/model/sync/sync_object.h"

#include <stdlib.h>
#include <string.h>

struct reading {
	struct names *names;
	const struct profile *profile;
	path_wait_visit *visit;
	void *data;
	const char **object_names; /* NULL: not looked up yet */
};

static void tell(const struct reading *reading, const struct path_wait *wait)
{
	if (wait->time_ns || wait->count)
		reading->visit(reading->data, reading->profile, wait);
}

static const char *keep(struct names *names, char *text)
{
	const char *kept = names_keep(names, text);

	free(text);
	return kept;
}

/* Whoever waits for events waits for none of its descriptors in particular. */
static bool is_of_many(enum operation operation)
{
	return operation == OP_EPOLL_WAIT || operation == OP_POLL || operation == OP_SELECT;
}

/* "[mutex queue_lock]", "[nanosleep]"; of input and output also what was to be done: "[read file
 * /data/x]", "[epoll_wait]". */
static const char *make_name(struct names *names, const struct profile *profile, size_t object,
			     enum operation operation)
{
	struct sync_object named = sync_object_of(names, profile, object, operation);
	bool is_call = !strcmp(named.kind, "call");
	bool is_named = is_call || is_of_many(operation);
	const char *call = io_is_io(operation) ? vocabulary_call(operation) : "";

	return keep(names, is_named ? memory_print("[%s]", is_call ? named.stem : call)
				    : memory_print("[%s%s%s %s]", call, *call ? " " : "",
						   named.kind, named.stem));
}

static const char *wait_name(struct reading *reading, size_t object, enum operation operation)
{
	if (!object || io_is_io(operation))
		return make_name(reading->names, reading->profile, object, operation);
	if (!reading->object_names[object])
		reading->object_names[object] =
			make_name(reading->names, reading->profile, object, operation);
	return reading->object_names[object];
}

static void read_waits(struct reading *reading)
{
	for (size_t i = 0; i < reading->profile->waits.count; i++) {
		const struct profile_wait *row = &reading->profile->waits.rows[i];
		struct path_wait wait = {
			.callpath = row->callpath,
			.site = row->callpath,
			.cause = (enum cause)row->cause,
			.name = wait_name(reading, row->object, (enum operation)row->operation),
			.time_ns = row->sum_ns,
			.count = row->count,
			.thread = row->thread,
		};

		tell(reading, &wait);
	}
}

static const char *mpi_name(struct reading *reading, size_t call)
{
	return keep(reading->names,
		    memory_print("[%s]", reading->profile->mpi_names.rows[call].name));
}

static void read_mpi(struct reading *reading)
{
	for (size_t i = 0; i < reading->profile->mpi_calls.count; i++) {
		const struct profile_mpi_call *row = &reading->profile->mpi_calls.rows[i];
		struct path_wait wait = {
			.callpath = row->callpath,
			.site = row->callpath,
			.cause = CAUSE_MPI,
			.name = mpi_name(reading, row->call),
			.time_ns = row->sum_ns,
			.count = row->count,
			.thread = row->thread,
		};

		tell(reading, &wait);
	}
}

/* A call under way is in the table already, but for its time. */
static const char *open_mpi_name(struct reading *reading, const struct thread_time *time)
{
	for (size_t i = 0; i < reading->profile->mpi_calls.count; i++) {
		const struct profile_mpi_call *row = &reading->profile->mpi_calls.rows[i];

		if (row->thread == time->index && row->callpath == time->thread->waiting_path)
			return mpi_name(reading, row->call);
	}
	return NULL;
}

static void read_open_waits(struct reading *reading, const struct process *process)
{
	for (size_t i = 0; i < process->thread_count; i++) {
		const struct thread_time *time = &process->threads[i];
		uint64_t cause = time->thread->waiting_cause, object = time->thread->waiting_object;
		struct path_wait wait = {
			.callpath = time->thread->waiting_path,
			.site = time->thread->waiting_path,
			.cause = (enum cause)cause,
			.time_ns = time->open_wait_ns,
			.count = cause != CAUSE_MPI,
			.thread = time->index,
		};

		if (!time->open_wait_ns || cause == CAUSE_OTHER ||
		    (cause == CAUSE_OPENMP && !object))
			continue;
		wait.name =
			cause == CAUSE_MPI
				? open_mpi_name(reading, time)
				: wait_name(reading, object,
					    open_wait_operation(reading->profile, time->thread));
		if (wait.name)
			tell(reading, &wait);
	}
}

/* ---- OpenMP */

static struct frame region_frame(struct reading *reading, size_t region)
{
	const struct profile_omp_region *row = &reading->profile->omp_regions.rows[region];

	return omp_place_of(reading->names, reading->profile, row->place,
			    row->flags & OMP_REGION_AT_ENTRY);
}

static void read_closing_barriers(struct reading *reading)
{
	for (size_t i = 0; i < reading->profile->omp_executions.count; i++) {
		const struct profile_omp_execution *row = &reading->profile->omp_executions.rows[i];
		struct frame frame = region_frame(reading, row->region);
		struct path_wait wait = {
			.callpath = reading->profile->omp_regions.rows[row->region].caller,
			.frames = &frame,
			.frame_count = 1,
			.region = row->region,
			.is_of_team = true,
			.cause = CAUSE_OPENMP,
			.name = "[closing barrier]",
			.time_ns = row->join_ns,
			.count = row->count * row->team,
			.thread = row->thread,
		};

		tell(reading, &wait);
	}
}

/* Waiting for locks is in the table of waits. */
static void read_constructs(struct reading *reading)
{
	for (size_t i = 0; i < reading->profile->omp_constructs.count; i++) {
		const struct profile_omp_construct *row = &reading->profile->omp_constructs.rows[i];
		struct frame frames[2] = {
			region_frame(reading, row->region),
			omp_place_of(reading->names, reading->profile, row->place, false),
		};
		bool has_region = row->region && frames[0].routine != frames[1].routine;
		struct path_wait wait = {
			.callpath = reading->profile->omp_regions.rows[row->region].caller,
			.site = row->place,
			.frames = has_region ? frames : frames + 1,
			.frame_count = has_region ? 2 : 1,
			.region = row->region,
			.cause = CAUSE_OPENMP,
			.time_ns = row->time_ns,
			.count = row->count,
			.thread = row->thread,
		};

		if (vocabulary_construct_time(row->construct) != OMP_TIME_WAIT)
			continue;
		wait.name = keep(reading->names,
				 memory_print("[OpenMP %s]", vocabulary_construct(row->construct)));
		tell(reading, &wait);
	}
}

void path_waits_read(struct names *names, const struct profile *profile,
		     const struct process *process, path_wait_visit *visit, void *data)
{
	struct reading reading = {
		.names = names,
		.profile = profile,
		.visit = visit,
		.data = data,
		.object_names =
			memory_allocate(profile->objects.count, sizeof *reading.object_names),
	};

	read_waits(&reading);
	read_mpi(&reading);
	read_open_waits(&reading, process);
	read_closing_barriers(&reading);
	read_constructs(&reading);
	free(reading.object_names);
}

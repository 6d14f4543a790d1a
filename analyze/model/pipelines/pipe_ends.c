/* SPDX-License-Identifier: MIT */
#include "analyze/model/pipelines/pipe_ends.h"

#include "analyze/base/keyed_table.h"
#include "analyze/base/memory.h"
#include "analyze/model/common/io_direction.h"
#include "analyze/model/pipelines/socket_address.h"
#include "analyze/model/process/process.h"
#include "analyze/tables/merged_input.h"

#include <stdlib.h>
#include <string.h>

struct pipe_ends_accumulator {
	struct pipe_ends all;
};

static struct pipe_end *add_end(struct pipe_ends *ends, const struct pipe_end *end)
{
	ends->rows = memory_grow(ends->rows, ends->count, &ends->capacity, sizeof *ends->rows);
	ends->rows[ends->count] = *end;
	return &ends->rows[ends->count++];
}

/* ---- what an object is the end of */

static struct pipe_end pipe_of(const struct profile_object *object)
{
	bool is_named = *object->name == '/';

	return (struct pipe_end){.kind = is_named ? PIPE_FIFO : PIPE_PIPE,
				 .name = memory_copy_text(is_named ? object->name : ""),
				 .device = object->offset,
				 .inode = object->address};
}

/* Nothing of the others is known but that there were such calls. */
static struct pipe_end unseen(void)
{
	return (struct pipe_end){.kind = PIPE_UNSEEN, .name = memory_copy_text("")};
}

/* False: bytes of this object go to no other process, or to one that cannot be known. */
static bool end_of(const struct profile *profile, size_t index, struct pipe_end *end)
{
	const struct profile_object *object = &profile->objects.rows[index];

	if (!index || (object->flags & OBJECT_MANY &&
		       (object->kind == OBJECT_PIPE || object->kind == OBJECT_SOCKET)))
		*end = unseen();
	else if (object->kind == OBJECT_PIPE)
		*end = pipe_of(object);
	else if (object->kind == OBJECT_SOCKET)
		return socket_end_of(object->name, end);
	else
		return false;
	return true;
}

/* ---- the tables of a profile */

/* A thread that used an end in a direction: its life counts once. */
struct user {
	size_t end, direction, thread;
};

struct reading {
	const struct profile *profile;
	struct pipe_ends ends; /* of this profile; the first one is what was not seen */
	size_t *end_of;        /* index + 1 for each object; 0: not asked; SIZE_MAX: none */
	struct keyed_table *users;
	uint64_t *life_ns; /* of each thread */
};

/* PIPE_DIRECTIONS: it transfers no bytes. */
static enum pipe_direction direction_of(uint64_t operation)
{
	switch (io_direction_of(operation)) {
	case IO_READ:
		return PIPE_READ;
	case IO_WRITTEN:
		return PIPE_WRITE;
	case IO_MOVED:
		return operation == OP_SPLICE || operation == OP_TEE ? PIPE_READ : PIPE_WRITE;
	default:
		return PIPE_DIRECTIONS;
	}
}

/* poll until the pipe takes more moves nothing, and waits to write. */
static enum pipe_direction direction_of_wait(const struct profile_wait *row)
{
	enum pipe_direction direction = direction_of(row->operation);

	return direction == PIPE_DIRECTIONS && row->cause == CAUSE_WRITE ? PIPE_WRITE : direction;
}

/* SIZE_MAX: none. */
static size_t find_end(struct reading *reading, size_t object)
{
	struct pipe_end end;

	if (!reading->end_of[object]) {
		bool is_end = end_of(reading->profile, object, &end);

		if (is_end && end.kind == PIPE_UNSEEN) {
			free((void *)end.name);
			reading->end_of[object] = 1;
		} else {
			if (is_end)
				add_end(&reading->ends, &end);
			reading->end_of[object] = is_end ? reading->ends.count : SIZE_MAX;
		}
	}
	return reading->end_of[object] == SIZE_MAX ? SIZE_MAX : reading->end_of[object] - 1;
}

/* NULL: it is no end, or no bytes went through it. */
static struct pipe_flow *find_flow(struct reading *reading, size_t object, size_t thread,
				   enum pipe_direction direction)
{
	size_t end = direction < PIPE_DIRECTIONS ? find_end(reading, object) : SIZE_MAX;
	bool is_new = false;

	if (end == SIZE_MAX)
		return NULL;
	struct pipe_flow *flow = &reading->ends.rows[end].flows[direction];

	keyed_table_enter(reading->users, &(struct user){end, direction, thread}, &is_new);
	if (is_new)
		flow->life_ns += reading->life_ns[thread];
	return flow;
}

static void add_calls(struct reading *reading)
{
	const struct profile *profile = reading->profile;

	for (size_t i = 0; i < profile->io_calls.count; i++) {
		const struct profile_io_call *row = &profile->io_calls.rows[i];
		struct pipe_flow *flow = row->count ? find_flow(reading, row->object, row->thread,
								direction_of(row->operation))
						    : NULL;

		if (!flow)
			continue;
		flow->calls += row->count;
		flow->bytes += row->bytes;
	}
}

static void add_waits(struct reading *reading)
{
	const struct profile *profile = reading->profile;

	for (size_t i = 0; i < profile->waits.count; i++) {
		const struct profile_wait *row = &profile->waits.rows[i];
		struct pipe_flow *flow =
			find_flow(reading, row->object, row->thread, direction_of_wait(row));

		if (!flow)
			continue;
		flow->waits += row->count;
		flow->wait_ns += row->sum_ns;
	}
}

/* The wait in which a thread is, or was when its process was killed; its operation is not known. */
static void add_open_wait(struct reading *reading, const struct thread_time *time)
{
	uint64_t cause = time->thread->waiting_cause;
	enum pipe_direction direction = cause == CAUSE_READ    ? PIPE_READ
					: cause == CAUSE_WRITE ? PIPE_WRITE
							       : PIPE_DIRECTIONS;
	struct pipe_flow *flow =
		time->open_wait_ns
			? find_flow(reading, time->thread->waiting_object, time->index, direction)
			: NULL;

	if (flow)
		flow->wait_ns += time->open_wait_ns;
}

/* ---- the process */

static bool is_used(const struct pipe_end *end)
{
	for (size_t i = 0; i < PIPE_DIRECTIONS; i++)
		if (end->flows[i].calls || end->flows[i].wait_ns)
			return true;
	return false;
}

static uint64_t sum_of_waits(const struct pipe_end *end)
{
	return end->flows[PIPE_READ].wait_ns + end->flows[PIPE_WRITE].wait_ns;
}

static uint64_t sum_of_bytes(const struct pipe_end *end)
{
	return end->flows[PIPE_READ].bytes + end->flows[PIPE_WRITE].bytes;
}

/* The most waiting first, what was not seen before all. */
static int compare_ends(const void *left, const void *right)
{
	const struct pipe_end *a = left, *b = right;

	if ((a->kind == PIPE_UNSEEN) != (b->kind == PIPE_UNSEEN))
		return a->kind == PIPE_UNSEEN ? -1 : 1;
	if (sum_of_waits(a) != sum_of_waits(b))
		return sum_of_waits(a) > sum_of_waits(b) ? -1 : 1;
	if (sum_of_bytes(a) != sum_of_bytes(b))
		return sum_of_bytes(a) > sum_of_bytes(b) ? -1 : 1;
	if (a->inode != b->inode)
		return a->inode > b->inode ? 1 : -1;
	return strcmp(a->name, b->name);
}

/* Lives are not added: those of the same threads would count twice. */
static void add_flows(struct pipe_end *into, const struct pipe_end *from)
{
	for (size_t i = 0; i < PIPE_DIRECTIONS; i++) {
		into->flows[i].calls += from->flows[i].calls;
		into->flows[i].bytes += from->flows[i].bytes;
		into->flows[i].waits += from->flows[i].waits;
		into->flows[i].wait_ns += from->flows[i].wait_ns;
	}
}

/* Takes over the texts. */
static void keep(struct pipe_ends_accumulator *accumulator, struct pipe_ends *ends, size_t process)
{
	qsort(ends->rows, ends->count, sizeof *ends->rows, compare_ends);
	for (size_t i = PIPE_ENDS_MAX; i < ends->count; i++)
		add_flows(&ends->rows[0], &ends->rows[i]);
	for (size_t i = 0; i < ends->count; i++) {
		struct pipe_end *end = &ends->rows[i];

		end->process = process;
		if (i < PIPE_ENDS_MAX && is_used(end))
			add_end(&accumulator->all, end);
		else
			free((void *)end->name);
	}
	free(ends->rows);
}

static uint64_t *lives_of(const struct profile *profile, const struct process *process)
{
	uint64_t *life_ns = memory_allocate(profile->threads.count + 1, sizeof *life_ns);

	for (size_t i = 0; i < process->thread_count; i++)
		life_ns[process->threads[i].index] = process->threads[i].lifetime_ns;
	return life_ns;
}

void pipe_ends_accumulator_add(struct pipe_ends_accumulator *accumulator,
			       const struct profile *profile, const struct process *process)
{
	struct reading reading = {
		.profile = profile,
		.end_of = memory_allocate(profile->objects.count + 1, sizeof *reading.end_of),
		.users = keyed_table_create(sizeof(struct user), sizeof(struct user)),
		.life_ns = lives_of(profile, process),
	};
	const struct pipe_end first = unseen();

	add_end(&reading.ends, &first);
	add_calls(&reading);
	add_waits(&reading);
	for (size_t i = 0; i < process->thread_count; i++)
		add_open_wait(&reading, &process->threads[i]);
	keep(accumulator, &reading.ends, process->index);
	keyed_table_destroy(reading.users);
	free(reading.end_of);
	free(reading.life_ns);
}

struct pipe_ends_accumulator *pipe_ends_accumulator_create(void)
{
	return memory_allocate(1, sizeof(struct pipe_ends_accumulator));
}

static int compare_processes(const void *left, const void *right)
{
	const struct pipe_end *a = left, *b = right;

	if (a->process != b->process)
		return a->process > b->process ? 1 : -1;
	return compare_ends(a, b);
}

struct pipe_ends pipe_ends_accumulator_finish(struct pipe_ends_accumulator *accumulator)
{
	struct pipe_ends ends = accumulator->all;

	if (ends.count)
		qsort(ends.rows, ends.count, sizeof *ends.rows, compare_processes);
	free(accumulator);
	return ends;
}

void pipe_ends_clear(struct pipe_ends *ends)
{
	for (size_t i = 0; i < ends->count; i++)
		free((void *)ends->rows[i].name);
	free(ends->rows);
	*ends = (struct pipe_ends){0};
}

/* ---- merged runs */

void pipe_ends_accumulator_write(const struct pipe_ends_accumulator *accumulator,
				 struct merged_writer *writer)
{
	for (size_t i = 0; i < accumulator->all.count; i++)
		merged_writer_add(writer, MERGED_pipe_ends, &accumulator->all.rows[i]);
}

void pipe_ends_accumulator_read(struct pipe_ends_accumulator *accumulator,
				const struct merged_input *input)
{
	struct pipe_end row;

	for (size_t next = 0; merged_next(input, MERGED_pipe_ends, &next, &row);) {
		if (row.kind >= PIPE_KIND_COUNT)
			continue;
		row.name = memory_copy_text(row.name);
		add_end(&accumulator->all, &row);
	}
}

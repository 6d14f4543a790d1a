/* SPDX-License-Identifier: MIT */
/* The objects, rows and places of the accumulator of synchronization, by their keys. */
#include "analyze/base/key_hash.h"
#include "analyze/base/keyed_table.h"
#include "analyze/base/memory.h"
#include "analyze/model/sync/synchronization_parts.h"

#include <string.h>

/* What is looked up. */
struct object_key {
	const char *kind, *stem;
};

struct row_key {
	size_t object, operation;
};

struct site_key {
	size_t row, routine, line, is_blame;
	size_t index; /* not part of the key: index in the sites of the row */
};

static unsigned hash_object(const void *row)
{
	const struct object_key *key = row;

	return hash_text(key->stem, hash_text(key->kind, 0));
}

static bool are_objects_equal(const void *left, const void *right)
{
	const struct object_key *a = left, *b = right;

	return !strcmp(a->kind, b->kind) && !strcmp(a->stem, b->stem);
}

/* ---- objects */

/* What processes share, each of them has: it counts once. (One that never waited for it does not
 * know.) */
static void add_members(struct sync_object *known, const struct sync_object *object,
			bool is_next_process)
{
	known->is_shared |= object->is_shared;
	if (!known->is_shared) {
		known->members += object->members;
		return;
	}
	if (is_next_process)
		known->members_of_process = 0;
	known->members_of_process += object->members;
	if (known->members < known->members_of_process)
		known->members = known->members_of_process;
}

size_t sync_number_object(struct synchronization_accumulator *accumulator,
			  struct sync_object object)
{
	struct synchronization *result = &accumulator->result;
	const struct object_key key = {object.kind, object.stem};
	size_t index = keyed_table_number(accumulator->objects, &key);
	struct sync_object *known;

	if (index == result->object_count) {
		result->objects = memory_grow(result->objects, result->object_count,
					      &result->object_capacity, sizeof *result->objects);
		object.members_of_process = object.members;
		result->objects[result->object_count++] = object;
		return index;
	}
	known = &result->objects[index];
	add_members(known, &object, known->last_process != accumulator->process);
	known->processes += object.processes;
	if (object.first_process < known->first_process) {
		known->first_process = object.first_process;
		known->address = object.address;
	}
	return index;
}

static size_t add_object(struct synchronization_accumulator *accumulator, struct sync_object object)
{
	object.first_process = accumulator->process - 1;
	size_t index = sync_number_object(accumulator, object);
	struct sync_object *known = &accumulator->result.objects[index];

	known->processes += known->last_process != accumulator->process;
	known->last_process = accumulator->process;
	return index;
}

size_t sync_find_object(struct synchronization_accumulator *accumulator, size_t object,
			enum operation operation)
{
	if (!object)
		return add_object(accumulator, sync_object_of(accumulator->names,
							      accumulator->profile, 0, operation));
	if (!accumulator->object_of[object])
		accumulator->object_of[object] =
			1 + add_object(accumulator,
				       sync_object_of(accumulator->names, accumulator->profile,
						      object, operation));
	return accumulator->object_of[object] - 1;
}

/* ---- rows and sites */

size_t sync_number_row(struct synchronization_accumulator *accumulator, size_t object,
		       enum operation operation)
{
	struct synchronization *result = &accumulator->result;
	size_t index = keyed_table_number(accumulator->rows, &(struct row_key){object, operation});

	if (index == result->count) {
		result->rows = memory_grow(result->rows, result->count, &result->capacity,
					   sizeof *result->rows);
		result->rows[result->count++] =
			(struct sync_row){.object = object, .operation = operation};
	}
	return index;
}

size_t sync_find_row(struct synchronization_accumulator *accumulator, size_t object,
		     enum operation operation)
{
	size_t index = sync_number_row(accumulator,
				       sync_find_object(accumulator, object, operation), operation);
	struct sync_row *row = &accumulator->result.rows[index];

	row->processes += row->last_process != accumulator->process;
	row->last_process = accumulator->process;
	return index;
}

void sync_add_site(struct synchronization_accumulator *accumulator, const struct sync_site *site)
{
	struct sync_row *row = &accumulator->result.rows[site->row];
	struct sync_sites *sites = site->is_blame ? &row->blame : &row->waiters;
	const struct site_key probe = {site->row, site->routine, site->line, site->is_blame,
				       sites->count};
	size_t index =
		((struct site_key *)keyed_table_enter(accumulator->sites, &probe, NULL))->index;

	if (index == sites->count) {
		sites->rows = memory_grow(sites->rows, sites->count, &sites->capacity,
					  sizeof *sites->rows);
		sites->rows[sites->count++] = *site;
		return;
	}
	sync_site_unite(&sites->rows[index], site);
}

static void add_holder(struct sync_holder_io *into, const struct sync_holder_io *from)
{
	uint64_t ns = into->ns + from->ns;

	if (from->most_ns > into->most_ns)
		*into = *from;
	into->ns = ns;
}

void sync_site_unite(struct sync_site *into, const struct sync_site *from)
{
	merged_unite(MERGED_sync_sites, into, from);
	add_holder(&into->holder_io, &from->holder_io);
	add_holder(&into->holder_wait, &from->holder_wait);
}

struct sync_site sync_site_of(struct synchronization_accumulator *accumulator, size_t callpath,
			      uint64_t count, uint64_t time_ns)
{
	const struct frame *frame =
		names_user_frame(accumulator->names, accumulator->profile, callpath);

	return (struct sync_site){
		.routine = frame ? frame->routine : names_special(accumulator->names, "[unknown]"),
		.line = frame ? frame->line : 0,
		.is_inferred = frame && frame->is_inferred,
		.count = count,
		.time_ns = time_ns,
	};
}

/* ---- life */

void sync_create_rows(struct synchronization_accumulator *accumulator)
{
	accumulator->objects =
		keyed_table_create_by(sizeof(struct object_key), hash_object, are_objects_equal);
	accumulator->rows = keyed_table_create(sizeof(struct row_key), sizeof(struct row_key));
	accumulator->sites =
		keyed_table_create(sizeof(struct site_key), offsetof(struct site_key, index));
}

void sync_destroy_rows(struct synchronization_accumulator *accumulator)
{
	keyed_table_destroy(accumulator->objects);
	keyed_table_destroy(accumulator->rows);
	keyed_table_destroy(accumulator->sites);
}

/* SPDX-License-Identifier: MIT */
#include "analyze/model/sync_object.h"

#include "analyze/memory.h"
#include "analyze/model/runtime_code.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct operation_text {
	const char *call, *text;
	enum object_kind kind;
};

static const struct operation_text operations[OP_COUNT] = {
#define OPERATION_TEXT(name, call, kind, text) [OP_##name] = {call, text, OBJECT_##kind},
	OPERATION_LIST(OPERATION_TEXT)
#undef OPERATION_TEXT
};

const char *sync_operation_text(enum operation operation)
{
	return operations[operation].text;
}

const char *sync_operation_call(enum operation operation)
{
	return operations[operation].call;
}

static const char *kind_text(uint64_t kind)
{
	static const char *const texts[] = {
#define KIND_TEXT(name, text) text,
		OBJECT_KIND_LIST(KIND_TEXT)
#undef KIND_TEXT
	};

	return kind && kind < OBJECT_KIND_COUNT ? texts[kind] : "call";
}

/* "main (x.c:12)" */
static char *place_text(struct names *names, const struct profile *profile, size_t callpath)
{
	const struct frame *frame = names_user_frame(names, profile, callpath);

	if (!frame)
		return NULL;
	const struct routine *routine = names_routine(names, frame->routine);

	if (!routine->file)
		return memory_copy_text(routine->name);
	return memory_print("%s (%s:%u)", routine->name, runtime_base_name(routine->file), frame->line);
}

static char *static_name(struct names *names, const struct profile *profile, const struct profile_object *object)
{
	const char *symbol = names_data(names, profile, object->module, object->offset);

	if (symbol)
		return memory_copy_text(symbol);
	return memory_print("%s+0x%" PRIx64, runtime_base_name(profile->modules.rows[object->module].path),
			    object->offset);
}

static char *join_name(struct names *names, const struct profile *profile, const struct profile_object *object)
{
	const struct frame *frames;
	size_t count = names_frames(names, profile, object->birth, &frames);

	/* The start routine itself, even if it is the C++ library's: inlined code at its first address is not it. */
	if (!count)
		return memory_copy_text("thread");
	return memory_print("thread %s", names_routine(names, frames[count - 1].routine)->name);
}

static char *heap_stem(const struct profile_object *object, const char *created_at)
{
	const char *verb = object->flags & OBJECT_INITIALISED ? "created" : "first used";

	return memory_print("%s at %s", verb, created_at ? created_at : "an unknown place");
}

/* Calls on no object, or on one that found no room in the table. */
static struct sync_object nameless_object(enum operation operation)
{
	bool is_call = operations[operation].kind == OBJECT_NONE;

	return (struct sync_object){
		.kind = kind_text(operations[operation].kind),
		.stem = memory_copy_text(is_call ? operations[operation].call : "[other]"),
	};
}

struct sync_object sync_object_of(struct names *names, const struct profile *profile, size_t index,
				  enum operation operation)
{
	const struct profile_object *row = &profile->objects.rows[index];

	if (!index)
		return nameless_object(operation);

	struct sync_object object = {
		.kind = kind_text(row->kind),
		.created_at = place_text(names, profile, row->birth),
		.address = row->address,
		.members = row->members ? row->members : 1,
	};

	if (row->kind == OBJECT_JOIN)
		object.stem = join_name(names, profile, row);
	else if (row->module)
		object.stem = static_name(names, profile, row);
	else
		object.stem = heap_stem(row, object.created_at);
	return object;
}

void sync_object_clear(struct sync_object *object)
{
	free(object->stem);
	free(object->created_at);
}

static bool is_heap_stem(const char *stem)
{
	return !strncmp(stem, "created at ", 11) || !strncmp(stem, "first used at ", 14);
}

char *sync_object_name(const struct sync_object *object)
{
	bool is_join = !strncmp(object->stem, "thread ", 7);

	if (is_heap_stem(object->stem) && object->members > 1)
		return memory_print("%" PRIu64 " %s%s %s", object->members, object->kind,
				    object->kind[strlen(object->kind) - 1] == 'x' ? "es" : "s", object->stem);
	if (is_heap_stem(object->stem))
		return memory_print("%s %s", object->kind, object->stem);
	if (is_join && object->members > 1)
		return memory_print("%" PRIu64 " threads %s", object->members, object->stem + 7);
	return memory_copy_text(object->stem);
}

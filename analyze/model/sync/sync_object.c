/* SPDX-License-Identifier: MIT */
#include "analyze/model/sync/sync_object.h"

#include "analyze/base/memory.h"
#include "analyze/model/common/futex_cause.h"
#include "analyze/model/common/io_direction.h"
#include "analyze/model/common/runtime_code.h"
#include "analyze/model/common/vocabulary_text.h"
#include "analyze/model/sync/named_memory.h"
#include "analyze/model/threads/thread_role.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* "main (x.c:12)" */
static char *place_text(struct names *names, const struct profile *profile, size_t callpath)
{
	const struct frame *frame = names_user_frame(names, profile, callpath);

	if (!frame)
		return NULL;
	return names_place_text(names, frame->routine, frame->line);
}

/* "critical(till)" from gcc's `.gomp_critical_user_till` and clang's
 * `.gomp_critical_user_till.var`. The unnamed critical section is recognised by the function of the
 * runtime that enters it, or by an empty name. */
static char *critical_name(const struct profile *profile, const struct profile_object *object,
			   const char *symbol)
{
	static const char stem[] = ".gomp_critical_user_";
	bool is_runtimes = runtime_is_openmp(profile->modules.rows[object->module].path);

	if (object->kind == OBJECT_ATOMIC && (is_runtimes || !symbol))
		return memory_copy_text("(atomic)");
	if (object->kind != OBJECT_CRITICAL)
		return NULL;
	if (!symbol || strncmp(symbol, stem, strlen(stem)))
		return is_runtimes ? memory_copy_text("(unnamed critical)") : NULL;
	symbol += strlen(stem);
	size_t length = strlen(symbol);

	if (length >= 4 && !strcmp(symbol + length - 4, ".var"))
		length -= 4;
	return length ? memory_print("critical(%.*s)", (int)length, symbol)
		      : memory_copy_text("(unnamed critical)");
}

static char *heap_stem(const struct profile_object *object, const char *created_at)
{
	const char *verb = object->flags & OBJECT_INITIALISED ? "created" : "first used";

	return memory_print("%s at %s", verb, created_at ? created_at : "an unknown place");
}

/* The first wait that the profile has for it; NULL: there is none. */
static const struct profile_wait *first_wait(const struct profile *profile, size_t object)
{
	for (size_t i = 0; i < profile->waits.count; i++)
		if (profile->waits.rows[i].object == object)
			return &profile->waits.rows[i];
	return NULL;
}

static bool is_in_library(struct names *names, const struct profile *profile, size_t callpath)
{
	const struct frame *frame = names_user_frame(names, profile, callpath);

	return frame && names_routine(names, frame->routine)->is_runtime;
}

#define FUTEX_STEM        "waited for at "
#define FUTEX_STEM_OF_ANY "waited for as "

/* "waited for at f (x.c:1)", "waited for as mutex at f (x.c:1)": a queue and the lock around it may
 * be waited for in one line. */
static char *waited_stem(struct names *names, const struct profile *profile,
			 const struct profile_wait *wait)
{
	char *place = place_text(names, profile, wait->callpath);
	enum cause cause =
		futex_cause(names, profile, wait->cause, wait->operation, wait->callpath);
	char *stem = NULL;

	if (place && cause != CAUSE_FUTEX)
		stem = memory_print(FUTEX_STEM_OF_ANY "%s at %s", vocabulary_cause(cause), place);
	else if (place)
		stem = memory_print(FUTEX_STEM "%s", place);
	free(place);
	return stem;
}

/* A futex is first used by a routine of the library that makes locks of futexes, and no more than
 * that routine is known of its birth. Where it is waited for says more. */
static char *futex_stem(struct names *names, const struct profile *profile, size_t index,
			const char *created_at)
{
	const struct profile_object *object = &profile->objects.rows[index];
	const struct profile_wait *wait =
		is_in_library(names, profile, object->birth) ? first_wait(profile, index) : NULL;
	char *stem = wait ? waited_stem(names, profile, wait) : NULL;

	return stem ? stem : heap_stem(object, created_at);
}

/* Where std::barrier and std::atomic<T>::wait of libstdc++ wait if T is no int: its array says
 * nothing of the program. */
static bool is_pool_of_library(struct names *names, const struct profile *profile,
			       const struct profile_object *object)
{
	static const char stem[] = "std::__detail::__waiter_pool_base::";
	const char *symbol = object->kind == OBJECT_FUTEX && object->module
				     ? names_data(names, profile, object->module, object->offset)
				     : NULL;

	return symbol && !strncmp(symbol, stem, sizeof stem - 1);
}

/* CPython's global interpreter lock is a flag with mutexes and conditions: the only ones in the
 * state of the runtime, which even a stripped interpreter exports (3.7 and later), or else static
 * variables of ceval_gil.h. */
static bool is_of_gil(const char *module, const char *symbol)
{
	return runtime_is_python(module) &&
	       (strstr(symbol, "_PyRuntime") || strstr(symbol, "gil_cond") ||
		strstr(symbol, "gil_mutex"));
}

static char *static_name(struct names *names, const struct profile *profile,
			 const struct profile_object *object)
{
	const char *symbol = names_data(names, profile, object->module, object->offset);
	char *critical = critical_name(profile, object, symbol);
	const char *module = profile->modules.rows[object->module].path;

	if (critical)
		return critical;
	if (symbol)
		return memory_copy_text(is_of_gil(module, symbol) ? SYNC_GIL : symbol);
	return memory_print("%s+0x%" PRIx64, runtime_base_name(module), object->offset);
}

/* An ordered block has no object but the block itself. */
static char *ordered_name(const char *created_at)
{
	return memory_print("ordered in %s", created_at ? created_at : "an unknown place");
}

/* All C++ threads start in one routine of the library, whose name says nothing. */
static bool is_std_thread(const char *module)
{
	return !strncmp(runtime_base_name(module), "libstdc++.so", 12);
}

static char *join_name(struct names *names, const struct profile *profile,
		       const struct profile_object *object)
{
	const struct frame *frames;
	size_t count = names_frames(names, profile, object->birth, &frames);
	struct thread_role role = thread_role_of_start(names, profile, object->birth);

	if (role.is_known)
		return memory_print("thread %s", names_routine(names, role.frame.routine)->name);
	if (count && is_std_thread(names_routine(names, frames[count - 1].routine)->module))
		return memory_copy_text("thread of std::thread");
	/* The start routine itself, even if it is the C++ library's; code inlined at its first
	 * address is ignored. */
	if (!count)
		return memory_copy_text("thread");
	return memory_print("thread %s", names_routine(names, frames[count - 1].routine)->name);
}

/* "socket:[4711]", "anon_inode:[eventfd]": a number that says nothing to a reader and is another
 * one in the next run, or no name at all. */
static bool is_nameless_inode(const char *name)
{
	const char *bracket = strstr(name, ":[");

	return !*name || (bracket && *name != '/' && name[strlen(name) - 1] == ']');
}

/* What a descriptor stands for, as the kernel names it; the others are named by their birth. One
 * with a name may have been used first at another place in each process. */
static bool is_named_descriptor(const struct profile_object *row)
{
	return row->kind >= OBJECT_FILE && !is_nameless_inode(row->name);
}

static char *descriptor_name(const struct profile_object *row)
{
	bool is_of_files = row->kind == OBJECT_FILE && row->flags & OBJECT_MANY;

	return memory_copy_text(is_of_files ? "[other files]" : row->name);
}

/* What the program called it. The address of many is that of one of them, and that of a join or of
 * an ordered block is no place in the program's memory. */
static char *given_name(const struct profile *profile, const struct profile_object *row)
{
	bool has_place = row->kind < OBJECT_FILE && row->kind != OBJECT_JOIN &&
			 row->kind != OBJECT_ORDERED && !(row->flags & OBJECT_MANY);

	return has_place ? named_memory_text(profile, row->address) : NULL;
}

static char *stem_of(struct names *names, const struct profile *profile, size_t index,
		     const char *created_at)
{
	const struct profile_object *row = &profile->objects.rows[index];
	char *given = given_name(profile, row);

	if (given)
		return given;
	if (row->kind == OBJECT_JOIN)
		return join_name(names, profile, row);
	if (row->kind == OBJECT_ORDERED)
		return ordered_name(created_at);
	if (is_named_descriptor(row))
		return descriptor_name(row);
	/* the address of many is that of one of them */
	if (row->kind >= OBJECT_FILE || row->flags & OBJECT_MANY)
		return heap_stem(row, created_at);
	if (row->module && !is_pool_of_library(names, profile, row))
		return static_name(names, profile, row);
	return row->kind == OBJECT_FUTEX ? futex_stem(names, profile, index, created_at)
					 : heap_stem(row, created_at);
}

/* Takes over the text; NULL stays NULL. */
static const char *keep(struct names *names, char *text)
{
	const char *kept = text ? names_keep(names, text) : NULL;

	free(text);
	return kept;
}

/* Calls without an object, or on one for which the table had no room. */
static struct sync_object nameless_object(enum operation operation)
{
	/* Initialising and destroying mutexes is counted for all of them together. */
	bool is_call = vocabulary_operand(operation) == OBJECT_NONE || operation == OP_MUTEX_INIT ||
		       operation == OP_MUTEX_DESTROY;

	return (struct sync_object){
		.kind = vocabulary_kind(is_call ? OBJECT_NONE : vocabulary_operand(operation)),
		.stem = is_call               ? vocabulary_call(operation)
			: io_is_io(operation) ? "[not looked up]"
					      : "[other]",
	};
}

struct sync_object sync_object_of(struct names *names, const struct profile *profile, size_t index,
				  enum operation operation)
{
	const struct profile_object *row = &profile->objects.rows[index];

	if (!index)
		return nameless_object(operation);
	const char *created_at = keep(names, place_text(names, profile, row->birth));

	return (struct sync_object){
		.kind = vocabulary_kind(row->kind),
		.stem = keep(names, stem_of(names, profile, index, created_at)),
		.created_at = is_named_descriptor(row) ? NULL : created_at,
		.address = row->address,
		.members = row->members ? row->members : 1,
		.is_shared = row->flags & OBJECT_SHARED,
	};
}

static bool is_heap_stem(const char *stem)
{
	return !strncmp(stem, "created at ", 11) || !strncmp(stem, "first used at ", 14) ||
	       !strncmp(stem, FUTEX_STEM, strlen(FUTEX_STEM)) ||
	       !strncmp(stem, FUTEX_STEM_OF_ANY, strlen(FUTEX_STEM_OF_ANY));
}

char *sync_object_name(const struct sync_object *object)
{
	bool is_join = !strncmp(object->stem, "thread ", 7);

	if (is_heap_stem(object->stem) && object->members > 1)
		return memory_print("%" PRIu64 " %s%s %s", object->members, object->kind,
				    object->kind[strlen(object->kind) - 1] == 'x' ? "es" : "s",
				    object->stem);
	if (is_heap_stem(object->stem))
		return memory_print("%s %s", object->kind, object->stem);
	if (is_join && object->members > 1)
		return memory_print("%" PRIu64 " threads %s", object->members, object->stem + 7);
	return memory_copy_text(object->stem);
}

/* SPDX-License-Identifier: MIT */
#include "analyze/base/keyed_table.h"
#include "analyze/base/memory.h"
#include "analyze/model/common/names_parts.h"
#include "analyze/model/common/runtime_code.h"
#include "analyze/model/common/vocabulary_text.h"
#include "analyze/symbols/tail_calls.h"

#include <stdlib.h>
#include <string.h>

static const struct names_frames *frame_at(struct names *names, uint64_t address,
					   const struct frame *frame)
{
	const struct names_frames probe = {.address = address, .count = 1};
	struct names_frames *frames = keyed_table_enter(names->frames, &probe, NULL);

	if (!frames->frames) {
		frames->frames = memory_allocate(1, sizeof *frames->frames);
		frames->frames[0] = *frame;
	}
	return frames;
}

/* What is in no module has a frame of its own: the one at the offset of its routine's number. */
static const struct names_frames *sole_frame(struct names *names, const struct frame *frame)
{
	return frame_at(names, frame->routine, frame);
}

/* The same for a routine that has one for each line. */
static const struct names_frames *line_frame(struct names *names, const struct frame *frame)
{
	return frame_at(names, frame->routine | (uint64_t)frame->line << 32, frame);
}

static const struct names_frames *special_frames(struct names *names, const char *name)
{
	return sole_frame(names, &(struct frame){.routine = names_special(names, name)});
}

static struct frame frame_of(struct names *names, const struct symbol_place *place,
			     const char *path)
{
	size_t routine = names_number(names, place->routine, path, place->file);

	if (place->is_inlined)
		names_set_inlined(names, routine);
	if (place->first < place->last)
		names_unite_lines(names, &(struct line_span){{routine, place->line, place->first,
							      place->last}});
	return (struct frame){.routine = routine, .line = place->line, .begin = place->begin};
}

static void name_places(struct names *names, struct names_frames *frames, const char *path)
{
	const struct symbol_place *places;

	frames->count =
		symbolize_code((struct symbol_module *)frames->module, frames->address, &places);
	frames->frames = memory_allocate(frames->count, sizeof *frames->frames);
	for (size_t i = 0; i < frames->count; i++)
		frames->frames[i] = frame_of(names, &places[i], path);
}

static const struct names_frames *symbolized_frames(struct names *names,
						    struct names_profile *known,
						    const struct profile_callpath *place)
{
	const struct names_frames probe = {
		.module = names_find_module(names, known, place->module),
		/* A return address may already belong to the next line, or to the next routine. */
		.address = place->offset - !(place->flags & CALLPATH_EXACT),
	};
	struct names_frames *frames = keyed_table_enter(names->frames, &probe, NULL);

	if (!frames->frames)
		name_places(names, frames, known->profile->modules.rows[place->module].path);
	return frames;
}

static const struct names_frames *generated_frames(struct names *names, struct names_profile *known,
						   const struct profile_callpath *place)
{
	struct symbol_place found;
	uint64_t address = place->offset - !(place->flags & CALLPATH_EXACT);

	if (!names_generated(known, address, &found))
		return special_frames(names, NAMES_GENERATED);
	const struct frame frame = frame_of(names, &found, "");

	return sole_frame(names, &frame);
}

/* Of each function and line one. The lower 32 bits of the offset are the function, the upper ones
 * the line. */
static const struct names_frames *python_frames(struct names *names, struct names_profile *known,
						uint64_t offset)
{
	const struct profile *profile = known->profile;
	uint64_t row = offset & UINT32_MAX;

	if (!row || !*profile->python_code.rows[row].name)
		return special_frames(names, NAMES_PYTHON_OTHER);
	const struct profile_python_code *code = &profile->python_code.rows[row];
	const struct frame frame = {
		.routine = names_number(names, code->name, NAMES_PYTHON, code->file),
		.line = (unsigned)(offset >> 32),
		.begin = (unsigned)code->first_line,
	};
	return line_frame(names, &frame);
}

/* Without the frames that left no trace. */
static const struct names_frames *frames_at(struct names *names, struct names_profile *known,
					    const struct profile_callpath *place)
{
	if (place->flags & CALLPATH_MARK)
		return special_frames(names, vocabulary_mark(place->offset));
	if (place->flags & CALLPATH_PYTHON)
		return python_frames(names, known, place->offset);
	if (!place->module)
		return generated_frames(names, known, place);
	if (runtime_is_profiler(known->profile->modules.rows[place->module].path))
		return special_frames(names, NAMES_PROFILER);
	if (!strcmp(known->profile->modules.rows[place->module].path, NAMES_VDSO))
		return special_frames(names, NAMES_VDSO); /* has no file, so no names */
	return symbolized_frames(names, known, place);
}

/* ---- frames that left no trace: tail calls */

static const struct tail_frames no_frames = {NULL, 0, 0};

static void begin_tail_calls(struct names *names, struct names_profile *known)
{
	static const struct tail_rules rules = {runtime_is_profiler, runtime_is_system,
						runtime_is_wrapped, runtime_is_dead_end};
	const struct profile *profile = known->profile;
	struct symbol_module **modules =
		memory_allocate(profile->modules.count + 1, sizeof(struct symbol_module *));
	size_t count = 0;

	for (size_t i = 1; i < profile->modules.count; i++)
		if (profile->modules.rows[i].path[0] == '/')
			modules[count++] = symbolizer_find_module(
				names->symbolizer, profile->modules.rows[i].path,
				profile->modules.rows[i].build_id);
	if (!names->tail_calls)
		names->tail_calls = tail_calls_create(&rules);
	tail_calls_use(names->tail_calls, modules, count);
	known->has_tail_calls = true;
	free(modules);
}

/* Code of an object that can be asked. */
static bool is_code(const struct profile *profile, const struct profile_callpath *place)
{
	return !(place->flags & CALLPATH_MARK) && place->module &&
	       strcmp(profile->modules.rows[place->module].path, NAMES_VDSO) != 0;
}

/* Between the code at a return address and what it called: another place, or NULL for a call that
 * was recorded. */
static const struct tail_frames *find_missing(struct names *names, struct names_profile *known,
					      const struct profile_callpath *caller,
					      const struct profile_callpath *callee)
{
	const struct profile *profile = known->profile;

	if (!is_code(profile, caller) || caller->flags & CALLPATH_EXACT ||
	    runtime_is_profiler(profile->modules.rows[caller->module].path) ||
	    (callee && !is_code(profile, callee)))
		return &no_frames;
	if (!known->has_tail_calls)
		begin_tail_calls(names, known);
	return tail_calls_between(names->tail_calls,
				  names_find_module(names, known, caller->module), caller->offset,
				  callee ? names_find_module(names, known, callee->module) : NULL,
				  callee ? callee->offset - !(callee->flags & CALLPATH_EXACT) : 0);
}

/* inner: frames in front of them, or NULL. */
static const struct names_frames *with_missing(struct names *names,
					       const struct names_frames *inner,
					       const struct tail_frames *missing)
{
	const struct names_frames probe = {
		.module = inner ? inner->module : NULL,
		.address = inner ? inner->address : UINT64_MAX,
		.missing = missing,
	};
	struct names_frames *frames = keyed_table_enter(names->frames, &probe, NULL);
	size_t count = inner ? inner->count : 0;

	if (frames->frames)
		return frames;
	frames->count = count + missing->count;
	frames->frames = memory_allocate(frames->count, sizeof *frames->frames);
	for (size_t i = 0; i < count; i++)
		frames->frames[i] = inner->frames[i];
	for (size_t i = 0; i < missing->count; i++) {
		struct frame *frame = &frames->frames[count + i];

		*frame = frame_of(names, &missing->list[i].place, missing->list[i].path);
		frame->is_inferred = true;
		names_set_inferred(names, frame->routine);
	}
	return frames;
}

static const char *path_of(const struct names_profile *known, const struct profile_callpath *place)
{
	return place->flags & CALLPATH_MARK ? "" : known->profile->modules.rows[place->module].path;
}

/* What the profiler calls of others is as much its own as its code: the clock in the vDSO, and what
 * computes in memory. (It makes system calls itself.) A wrapped call is the program's. */
static bool is_helper(const struct names_profile *known, const struct profile_callpath *place,
		      const struct names_frames *frames, const struct names *names)
{
	const struct profile_callpath *caller = &known->profile->callpaths.rows[place->parent];
	const char *path = path_of(known, place);

	if (!place->parent || !runtime_is_profiler(path_of(known, caller)))
		return false;
	return !strcmp(path, NAMES_VDSO) ||
	       (runtime_is_system(path) && frames->count &&
		runtime_is_computing(names_routine(names, frames->frames[0].routine)->name));
}

static const struct names_frames *find_frames(struct names *names, struct names_profile *known,
					      size_t callpath)
{
	const struct profile_callpath *rows = known->profile->callpaths.rows;
	const struct profile_callpath *place = &rows[callpath];
	const struct names_frames *frames = frames_at(names, known, place);

	if (is_helper(known, place, frames, names))
		return special_frames(names, NAMES_PROFILER);
	const struct tail_frames *missing =
		place->parent ? find_missing(names, known, &rows[place->parent], place)
			      : &no_frames;

	return missing->count ? with_missing(names, frames, missing) : frames;
}

/* ---- questions */

static size_t give(const struct names_frames *found, const struct frame **frames)
{
	*frames = found->frames;
	return found->count;
}

size_t names_frames(struct names *names, const struct profile *profile, size_t callpath,
		    const struct frame **frames)
{
	struct names_profile *known = names_find_profile(names, profile);

	*frames = NULL;
	if (!callpath)
		return 0;
	if (!known->callpaths[callpath])
		known->callpaths[callpath] = find_frames(names, known, callpath);
	return give(known->callpaths[callpath], frames);
}

size_t names_end_frames(struct names *names, const struct profile *profile, size_t callpath,
			const struct frame **frames)
{
	static const struct names_frames none = {.count = 0};
	struct names_profile *known = names_find_profile(names, profile);

	*frames = NULL;
	if (!callpath)
		return 0;
	if (!known->ends[callpath]) {
		const struct tail_frames *missing =
			find_missing(names, known, &profile->callpaths.rows[callpath], NULL);

		known->ends[callpath] = missing->count ? with_missing(names, NULL, missing) : &none;
	}
	return give(known->ends[callpath], frames);
}

struct frame names_entry(struct names *names, const struct profile *profile, size_t callpath)
{
	struct names_profile *known = names_find_profile(names, profile);
	const struct profile_callpath *row = &profile->callpaths.rows[callpath];
	const char *path = profile->modules.rows[row->module].path;
	const struct frame *frames;
	struct symbol_place place;

	if (row->flags & CALLPATH_MARK || !row->module)
		return names_frames(names, profile, callpath, &frames)
			       ? frames[0]
			       : (struct frame){.routine = names_special(names, "[unknown]")};
	symbolize_entry(names_find_module(names, known, row->module), row->offset, &place);
	return (struct frame){names_number(names, place.routine, path, place.file), place.line,
			      place.begin, false};
}

static bool is_users(const struct names *names, const struct frame *frame)
{
	const struct routine *routine = names_routine(names, frame->routine);

	return *routine->module && !routine->is_runtime;
}

static bool is_profiler(const struct names *names, const struct frame *frame)
{
	return !strcmp(names_routine(names, frame->routine)->name, NAMES_PROFILER);
}

/* innermost: of code that is not the profiler's. Where that was called by the profiler, a body
 * that it runs for its caller ended in a jump, and is the one that is missing. */
static const struct frame *runtimes_frame(struct names *names, const struct frame *innermost,
					  const struct frame *profilers)
{
	bool is_region = profilers && innermost &&
			 runtime_is_openmp(names_routine(names, innermost->routine)->module);

	if (is_region)
		return special_frames(names, NAMES_REGION)->frames;
	return innermost ? innermost : profilers;
}

const struct frame *names_user_frame(struct names *names, const struct profile *profile,
				     size_t callpath)
{
	const struct frame *frames, *innermost = NULL, *profilers = NULL;
	size_t count = names_end_frames(names, profile, callpath, &frames);

	for (size_t at = callpath;;) {
		for (size_t i = 0; i < count && !innermost; i++) {
			if (is_profiler(names, &frames[i]))
				profilers = &frames[i];
			else
				innermost = &frames[i];
		}
		for (size_t i = 0; i < count; i++)
			if (is_users(names, &frames[i]))
				return &frames[i];
		if (!at)
			return runtimes_frame(names, innermost, profilers);
		count = names_frames(names, profile, at, &frames);
		at = profile->callpaths.rows[at].parent;
	}
}

/* SPDX-License-Identifier: MIT */
#include "analyze/model/common/names.h"

#include "analyze/base/hash.h"
#include "analyze/base/keyed_table.h"
#include "analyze/base/memory.h"
#include "analyze/base/text_set.h"
#include "analyze/model/common/runtime_code.h"
#include "analyze/model/common/vocabulary_text.h"

#include <stdlib.h>
#include <string.h>

/* The routines at one address of a module, the same for all profiles. */
struct frames {
	const struct symbol_module *module;
	uint64_t address;
	size_t count;
	struct frame *frames; /* NULL: not looked up yet */
};

/* What is known so far of the current profile; NULL: not looked up yet. */
struct profile_names {
	const struct profile *profile;
	struct symbol_module **modules;
	const struct frames **callpaths;
	void *attachment;
	void (*release)(void *);
};

struct names {
	struct symbolizer *symbolizer;
	struct text_set *texts;
	struct profile_names at_hand;
	struct keyed_table *routines;         /* struct routine, by their names */
	struct keyed_table *frames;           /* struct frames */
	const struct symbol_module **modules; /* from which names were looked up */
	size_t module_count, module_capacity;
};

const char *names_keep(struct names *names, const char *text)
{
	return text_set_keep(names->texts, text);
}

/* ---- routines */

static unsigned hash_routine(const void *row)
{
	const struct routine *routine = row;
	unsigned hash = hash_text(routine->module, hash_text(routine->name, 0));

	return routine->file ? hash_text(routine->file, hash) : hash;
}

static bool are_routines_equal(const void *left, const void *right)
{
	const struct routine *a = left, *b = right;

	return !strcmp(a->name, b->name) && !strcmp(a->module, b->module) && !a->file == !b->file &&
	       (!a->file || !strcmp(a->file, b->file));
}

size_t names_number(struct names *names, const char *name, const char *module, const char *file)
{
	const struct routine probe = {.name = name, .module = module, .file = file};
	size_t known = names_count(names), number = keyed_table_number(names->routines, &probe);
	struct routine *routine;

	if (number < known)
		return number;
	routine = keyed_table_row(names->routines, number);
	routine->name = names_keep(names, name);
	routine->module = names_keep(names, module);
	routine->file = file ? names_keep(names, file) : NULL;
	routine->is_runtime = runtime_is_code(module, name, file);
	routine->is_machinery = !strcmp(name, NAMES_PROFILER) || runtime_is_openmp(module);
	return number;
}

size_t names_count(const struct names *names)
{
	return keyed_table_count(names->routines);
}

size_t names_special(struct names *names, const char *name)
{
	return names_number(names, name, "", NULL);
}

void names_set_inlined(struct names *names, size_t routine)
{
	((struct routine *)keyed_table_row(names->routines, routine))->is_inlined = true;
}

const struct routine *names_routine(const struct names *names, size_t routine)
{
	return keyed_table_row(names->routines, routine);
}

int names_compare(const struct names *names, size_t a, size_t b)
{
	const struct routine *left = names_routine(names, a), *right = names_routine(names, b);
	int order = strcmp(left->name, right->name);

	if (!order)
		order = strcmp(left->module, right->module);
	return order ? order : strcmp(left->file ? left->file : "", right->file ? right->file : "");
}

char *names_place_text(const struct names *names, size_t number, unsigned line)
{
	const struct routine *routine = names_routine(names, number);

	if (!routine->file)
		return memory_copy_text(routine->name);
	if (!line)
		return memory_print("%s (%s)", routine->name, runtime_base_name(routine->file));
	return memory_print("%s (%s:%u)", routine->name, runtime_base_name(routine->file), line);
}

/* ---- profiles and their modules */

/* Usually the profile is the same as that of the last lookup. */
static struct profile_names *find_profile(struct names *names, const struct profile *profile)
{
	struct profile_names *known = &names->at_hand;

	if (known->profile == profile)
		return known;
	names_forget(names);
	known->profile = profile;
	known->modules = memory_allocate(profile->modules.count, sizeof *known->modules);
	known->callpaths = memory_allocate(profile->callpaths.count, sizeof *known->callpaths);
	return known;
}

void names_forget(struct names *names)
{
	if (names->at_hand.attachment)
		names->at_hand.release(names->at_hand.attachment);
	free(names->at_hand.callpaths);
	free(names->at_hand.modules);
	names->at_hand = (struct profile_names){0};
}

void **names_attachment(struct names *names, const struct profile *profile, void (*release)(void *))
{
	struct profile_names *known = find_profile(names, profile);

	known->release = release;
	return &known->attachment;
}

static void remember_module(struct names *names, const struct symbol_module *module)
{
	for (size_t i = 0; i < names->module_count; i++)
		if (names->modules[i] == module)
			return;
	names->modules = memory_grow(names->modules, names->module_count, &names->module_capacity,
				     sizeof *names->modules);
	names->modules[names->module_count++] = module;
}

static struct symbol_module *find_module(struct names *names, struct profile_names *known,
					 size_t index)
{
	const struct profile_module *module = &known->profile->modules.rows[index];

	if (!known->modules[index]) {
		known->modules[index] =
			symbolizer_find_module(names->symbolizer, module->path, module->build_id);
		remember_module(names, known->modules[index]);
	}
	return known->modules[index];
}

const char *names_module_problem(const struct names *names, size_t index)
{
	for (size_t i = 0; i < names->module_count; i++) {
		const char *problem = symbol_module_problem(names->modules[i]);

		if (problem && !index--)
			return problem;
	}
	return NULL;
}

bool names_is_waiting(struct names *names, const struct profile *profile, size_t callpath)
{
	const struct profile_callpath *place = &profile->callpaths.rows[callpath];

	if (!callpath || !place->module || place->flags & CALLPATH_MARK ||
	    !(place->flags & CALLPATH_EXACT))
		return false;
	const char *path = profile->modules.rows[place->module].path;

	return !runtime_is_code(path, "", NULL) && !runtime_is_mpi(path) &&
	       symbolize_is_waiting(find_module(names, find_profile(names, profile), place->module),
				    place->offset);
}

const char *names_data(struct names *names, const struct profile *profile, size_t module,
		       uint64_t offset)
{
	return module ? symbolize_data(find_module(names, find_profile(names, profile), module),
				       offset)
		      : NULL;
}

/* ---- call paths */

/* A pseudo-routine is a frame of its own: the one at the offset of its number, in no module. */
static const struct frames *special_frames(struct names *names, const char *name)
{
	const struct frames probe = {.address = names_special(names, name), .count = 1};
	struct frames *frames = keyed_table_enter(names->frames, &probe, NULL);

	if (!frames->frames) {
		frames->frames = memory_allocate(1, sizeof *frames->frames);
		frames->frames[0].routine = probe.address;
	}
	return frames;
}

static void name_places(struct names *names, struct frames *frames, const char *path)
{
	const struct symbol_place *places;

	frames->count =
		symbolize_code((struct symbol_module *)frames->module, frames->address, &places);
	frames->frames = memory_allocate(frames->count, sizeof *frames->frames);
	for (size_t i = 0; i < frames->count; i++) {
		frames->frames[i] = (struct frame){
			.routine = names_number(names, places[i].routine, path, places[i].file),
			.line = places[i].line,
			.begin = places[i].begin,
		};
		if (places[i].is_inlined)
			names_set_inlined(names, frames->frames[i].routine);
	}
}

static const struct frames *symbolized_frames(struct names *names, struct profile_names *known,
					      const struct profile_callpath *place)
{
	const struct frames probe = {
		.module = find_module(names, known, place->module),
		/* A return address may already belong to the next line, or to the next routine. */
		.address = place->offset - !(place->flags & CALLPATH_EXACT),
	};
	struct frames *frames = keyed_table_enter(names->frames, &probe, NULL);

	if (!frames->frames)
		name_places(names, frames, known->profile->modules.rows[place->module].path);
	return frames;
}

static const struct frames *find_frames(struct names *names, struct profile_names *known,
					size_t callpath)
{
	const struct profile_callpath *place = &known->profile->callpaths.rows[callpath];

	if (place->flags & CALLPATH_MARK)
		return special_frames(names, vocabulary_mark(place->offset));
	if (!place->module)
		return special_frames(names, "[generated code]");
	if (runtime_is_profiler(known->profile->modules.rows[place->module].path))
		return special_frames(names, NAMES_PROFILER);
	if (!strcmp(known->profile->modules.rows[place->module].path, NAMES_VDSO))
		return special_frames(names, NAMES_VDSO); /* has no file, so no names */
	return symbolized_frames(names, known, place);
}

size_t names_frames(struct names *names, const struct profile *profile, size_t callpath,
		    const struct frame **frames)
{
	struct profile_names *known = find_profile(names, profile);

	*frames = NULL;
	if (!callpath)
		return 0;
	if (!known->callpaths[callpath])
		known->callpaths[callpath] = find_frames(names, known, callpath);
	*frames = known->callpaths[callpath]->frames;
	return known->callpaths[callpath]->count;
}

struct frame names_entry(struct names *names, const struct profile *profile, size_t callpath)
{
	struct profile_names *known = find_profile(names, profile);
	const struct profile_callpath *row = &profile->callpaths.rows[callpath];
	const char *path = profile->modules.rows[row->module].path;
	const struct frame *frames;
	struct symbol_place place;

	if (row->flags & CALLPATH_MARK || !row->module)
		return names_frames(names, profile, callpath, &frames)
			       ? frames[0]
			       : (struct frame){.routine = names_special(names, "[unknown]")};
	symbolize_entry(find_module(names, known, row->module), row->offset, &place);
	return (struct frame){names_number(names, place.routine, path, place.file), place.line,
			      place.begin};
}

static bool is_users(const struct names *names, const struct frame *frame)
{
	const struct routine *routine = names_routine(names, frame->routine);

	return *routine->module && !routine->is_runtime;
}

const struct frame *names_user_frame(struct names *names, const struct profile *profile,
				     size_t callpath)
{
	const struct frame *frames, *innermost = NULL;

	for (size_t at = callpath; at; at = profile->callpaths.rows[at].parent) {
		size_t count = names_frames(names, profile, at, &frames);

		for (size_t i = 0; i < count; i++) {
			if (is_users(names, &frames[i]))
				return &frames[i];
			if (!innermost)
				innermost = &frames[i];
		}
	}
	return innermost;
}

/* ---- life */

struct names *names_create(struct symbolizer *symbolizer)
{
	struct names *names = memory_allocate(1, sizeof *names);

	names->symbolizer = symbolizer;
	names->routines =
		keyed_table_create_by(sizeof(struct routine), hash_routine, are_routines_equal);
	names->frames = keyed_table_create(sizeof(struct frames), offsetof(struct frames, count));
	names->texts = text_set_create();
	return names;
}

void names_destroy(struct names *names)
{
	names_forget(names);
	for (size_t i = 0; i < keyed_table_count(names->frames); i++)
		free(((struct frames *)keyed_table_row(names->frames, i))->frames);
	keyed_table_destroy(names->frames);
	keyed_table_destroy(names->routines);
	free(names->modules);
	text_set_destroy(names->texts);
	free(names);
}

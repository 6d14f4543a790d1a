/* SPDX-License-Identifier: MIT */
#include "analyze/model/common/names.h"

#include "analyze/base/key_hash.h"
#include "analyze/base/keyed_table.h"
#include "analyze/base/memory.h"
#include "analyze/base/text_set.h"
#include "analyze/model/common/names_parts.h"
#include "analyze/model/common/runtime_code.h"
#include "analyze/symbols/perf_map.h"
#include "analyze/symbols/symbol_lack.h"
#include "analyze/symbols/tail_calls.h"

#include <stdlib.h>
#include <string.h>

const char *names_keep(struct names *names, const char *text)
{
	return text_set_keep(names->texts, text);
}

struct text_set *names_texts(struct names *names)
{
	return names->texts;
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
	routine->is_python = !strcmp(module, NAMES_PYTHON);
	routine->is_interpreter = runtime_is_python(module);
	routine->is_runtime = runtime_is_code(module, name, file) ||
			      (routine->is_python && file && runtime_is_python_library(file)) ||
			      (names->knows_python && routine->is_interpreter);
	routine->is_profiler = !strcmp(name, NAMES_PROFILER);
	routine->is_libc = runtime_is_libc(module);
	routine->is_lock_call = routine->is_libc && runtime_is_lock_call(module, name);
	routine->is_machinery = routine->is_profiler || runtime_is_openmp(module);
	routine->is_mpi = runtime_is_mpi(module);
	routine->is_parallel = runtime_is_openmp(module) || routine->is_mpi;
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

void names_set_inferred(struct names *names, size_t routine)
{
	((struct routine *)keyed_table_row(names->routines, routine))->is_inferred = true;
}

void names_unite_lines(struct names *names, const struct line_span *span)
{
	line_spans_add(names->line_spans, span);
}

const struct line_spans *names_line_spans(const struct names *names)
{
	return names->line_spans;
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

/* Where Python's functions have names, the interpreter's routines are no place of the program. */
static void learn_python(struct names *names)
{
	names->knows_python = true;
	for (size_t i = 0; i < names_count(names); i++) {
		struct routine *routine = keyed_table_row(names->routines, i);

		routine->is_runtime |= routine->is_interpreter;
	}
}

/* Usually the profile is the same as that of the last lookup. */
struct names_profile *names_find_profile(struct names *names, const struct profile *profile)
{
	struct names_profile *known = &names->at_hand;

	if (known->profile == profile)
		return known;
	names_forget(names);
	known->profile = profile;
	if (profile->python_code.count > 1 && !names->knows_python)
		learn_python(names);
	known->modules = memory_allocate(profile->modules.count, sizeof *known->modules);
	known->callpaths = memory_allocate(profile->callpaths.count, sizeof *known->callpaths);
	known->ends = memory_allocate(profile->callpaths.count, sizeof *known->ends);
	return known;
}

void names_forget(struct names *names)
{
	for (size_t i = 0; i < NAMES_ATTACHMENTS; i++)
		if (names->at_hand.attached[i].data)
			names->at_hand.attached[i].release(names->at_hand.attached[i].data);
	perf_map_close(names->at_hand.map);
	free(names->at_hand.callpaths);
	free(names->at_hand.ends);
	free(names->at_hand.modules);
	names->at_hand = (struct names_profile){0};
}

void **names_attachment(struct names *names, const struct profile *profile,
			enum names_attachment which, void (*release)(void *))
{
	struct names_attached *attached = &names_find_profile(names, profile)->attached[which];

	attached->release = release;
	return &attached->data;
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

struct symbol_module *names_find_module(struct names *names, struct names_profile *known,
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

const char *names_module_lack(const struct names *names, size_t index)
{
	for (size_t i = 0; i < names->module_count; i++) {
		const char *lack = symbol_lack_find((struct symbol_module *)names->modules[i]);

		if (lack && !index--)
			return lack;
	}
	return NULL;
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

/* NULL: none, or there are two. */
static const struct symbol_module *find_by_path(const struct names *names, const char *path)
{
	const struct symbol_module *found = NULL;

	for (size_t i = 0; i < names->module_count; i++) {
		if (strcmp(symbol_module_path(names->modules[i]), path) != 0)
			continue;
		if (found)
			return NULL;
		found = names->modules[i];
	}
	return found;
}

bool names_has_file(const struct names *names, const char *path)
{
	const struct symbol_module *module = find_by_path(names, path);

	return !module || !symbol_module_problem(module);
}

const char *names_build_id(const struct names *names, const char *path)
{
	const struct symbol_module *module = find_by_path(names, path);
	const char *build_id = module ? symbol_module_build_id(module) : "";

	return *build_id ? build_id : NULL;
}

const char *names_source(const struct names *names, const char *path, const char *file)
{
	const struct symbol_module *module = find_by_path(names, path);

	return module ? symbol_module_source((struct symbol_module *)module, file) : NULL;
}

/* The module of the innermost address of a call path, if the address is exact; NULL: it is not. */
static const char *exact_module(const struct profile *profile, size_t callpath)
{
	const struct profile_callpath *place = &profile->callpaths.rows[callpath];

	if (!callpath || !place->module || place->flags & CALLPATH_MARK ||
	    !(place->flags & CALLPATH_EXACT))
		return NULL;
	return profile->modules.rows[place->module].path;
}

static bool asks_code(struct names *names, const struct profile *profile, size_t callpath,
		      bool (*ask)(struct symbol_module *module, uint64_t address))
{
	const struct profile_callpath *place = &profile->callpaths.rows[callpath];

	return ask(names_find_module(names, names_find_profile(names, profile), place->module),
		   place->offset);
}

bool names_is_waiting(struct names *names, const struct profile *profile, size_t callpath)
{
	const char *path = exact_module(profile, callpath);

	return path && !runtime_is_code(path, "", NULL) && !runtime_is_mpi(path) &&
	       asks_code(names, profile, callpath, symbolize_is_waiting);
}

bool names_is_atomic(struct names *names, const struct profile *profile, size_t callpath)
{
	const char *path = exact_module(profile, callpath);

	return path && !runtime_is_profiler(path) && !runtime_is_openmp(path) &&
	       !runtime_is_mpi(path) && !runtime_is_python(path) &&
	       asks_code(names, profile, callpath, symbolize_is_atomic);
}

const char *names_data(struct names *names, const struct profile *profile, size_t module,
		       uint64_t offset)
{
	return module ? symbolize_data(names_find_module(names, names_find_profile(names, profile),
							 module),
				       offset)
		      : NULL;
}

/* ---- life */

struct names *names_create(struct symbolizer *symbolizer)
{
	struct names *names = memory_allocate(1, sizeof *names);

	names->symbolizer = symbolizer;
	names->routines =
		keyed_table_create_by(sizeof(struct routine), hash_routine, are_routines_equal);
	names->frames = keyed_table_create(sizeof(struct names_frames),
					   offsetof(struct names_frames, count));
	names->texts = text_set_create();
	names->line_spans = line_spans_create();
	return names;
}

void names_destroy(struct names *names)
{
	names_forget(names);
	for (size_t i = 0; i < keyed_table_count(names->frames); i++)
		free(((struct names_frames *)keyed_table_row(names->frames, i))->frames);
	keyed_table_destroy(names->frames);
	line_spans_destroy(names->line_spans);
	tail_calls_destroy(names->tail_calls);
	keyed_table_destroy(names->routines);
	free(names->modules);
	text_set_destroy(names->texts);
	free(names);
}

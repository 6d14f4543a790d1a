/* SPDX-License-Identifier: MIT */
#include "analyze/symbols/tail_calls.h"

#include "analyze/base/keyed_table.h"
#include "analyze/base/memory.h"
#include "analyze/symbols/name_answers.h"
#include "analyze/symbols/symbol_module.h"

#include <stdlib.h>
#include <string.h>

enum { ROUTINES_MAX = 64 }; /* looked at for one answer; what needs more stays open */

struct answer {
	const struct symbol_module *caller;
	uint64_t return_address;
	size_t target; /* number of a routine */
	const struct tail_frames *frames;
};

/* What a call calls. */
struct called {
	const struct symbol_module *caller;
	uint64_t return_address;
	size_t routine; /* number of it, or TAIL_* */
	bool is_open;   /* see tail_routines_called */
};

/* Frames of an answer that an earlier report found. */
struct recalled {
	const struct name_answer *answer;
	const struct tail_frames *frames;
};

struct tail_calls {
	struct tail_routines *routines;
	char *objects; /* what answers depend on: the identities of all modules */
	const struct symbol_module *asked; /* whose answers have the text of objects at scope */
	const char *scope;
	struct keyed_table *recalled;
	struct keyed_table *called, *answers; /* forgotten with the numbers of routines */
	struct tail_frames **found;
	size_t count, capacity;
};

static const struct tail_frames no_frames = {NULL, 0, 0};

/* ---- routines that can be reached from one, numbered anew */

struct reach {
	size_t routine[ROUTINES_MAX];
	struct tail_routine graph[ROUTINES_MAX];
	size_t *jumps[ROUTINES_MAX];
	size_t count;
	bool is_full;
};

static size_t enter(struct reach *reach, size_t routine)
{
	size_t i = 0;

	if (routine == TAIL_ANYWHERE)
		return TAIL_ANYWHERE;
	while (i < reach->count && reach->routine[i] != routine)
		i++;
	if (i == ROUTINES_MAX) {
		reach->is_full = true;
		return TAIL_ANYWHERE;
	}
	if (i == reach->count)
		reach->routine[reach->count++] = routine;
	return i;
}

/* Ways into a system library end there, unless the target is one of its routines: then nobody knows
 * whether they lead to it. */
static void explore(struct reach *reach, struct tail_routines *routines, size_t target)
{
	bool is_inside = target != TAIL_WRAPPED && tail_routines_jumps(routines, target).is_system;

	for (size_t i = 0; i < reach->count; i++) {
		struct tail_jumps jumps = tail_routines_jumps(routines, reach->routine[i]);
		size_t count = 0, *list = memory_allocate(jumps.count + 1, sizeof *list);

		for (size_t j = 0; j < jumps.count; j++)
			if (jumps.list[j].to != TAIL_NOWHERE)
				list[count++] = enter(reach, jumps.list[j].to);
			else if (is_inside)
				list[count++] = TAIL_ANYWHERE;
		if (is_inside && jumps.is_system && reach->routine[i] != target)
			list[count++] = TAIL_ANYWHERE;
		reach->jumps[i] = list;
		reach->graph[i] = (struct tail_routine){list, count};
	}
}

/* ---- frames */

static struct tail_frames *create_frames(struct tail_calls *calls)
{
	calls->found = memory_grow(calls->found, calls->count, &calls->capacity,
				   sizeof(struct tail_frames *));
	return calls->found[calls->count++] = memory_allocate(1, sizeof(struct tail_frames));
}

static void add_frame(struct tail_frames *frames, const struct symbol_place *place,
		      const char *path)
{
	frames->list =
		memory_grow(frames->list, frames->count, &frames->capacity, sizeof *frames->list);
	frames->list[frames->count++] = (struct tail_frame){*place, path};
}

static bool are_equal(const struct symbol_place *a, const struct symbol_place *b)
{
	return a->line == b->line && !strcmp(a->routine, b->routine) && !a->file == !b->file &&
	       (!a->file || !strcmp(a->file, b->file));
}

/* The places of all jumps from a routine to the next one: inlined routines where all of them have
 * the same, the line of the routine itself where they agree. */
static void add_routine(struct tail_frames *frames, const struct tail_jumps *jumps, size_t next)
{
	const struct symbol_place *first = NULL, *places;
	struct symbol_place own = {0};
	size_t count = 0;

	for (size_t i = 0; i < jumps->count; i++) {
		if (jumps->list[i].to != next)
			continue;
		size_t more = symbolize_code(jumps->module, jumps->list[i].at, &places);
		bool is_same = first && more == count;

		for (size_t p = 0; is_same && p < count; p++)
			is_same = are_equal(&places[p], &first[p]);
		if (!first) {
			first = places;
			count = more;
			own = places[count - 1];
		} else if (!is_same) {
			if (!are_equal(&own, &places[more - 1]))
				own.line = own.first = own.last = 0;
			count = 1;
		}
	}
	for (size_t p = 0; p + 1 < count; p++)
		add_frame(frames, &first[p], jumps->module->path);
	if (first)
		add_frame(frames, &own, jumps->module->path);
}

static const struct tail_frames *frames_of(struct tail_calls *calls, const struct reach *reach,
					   const size_t *way, size_t length, size_t target)
{
	struct tail_frames *frames = create_frames(calls);

	for (size_t i = length; i-- > 0;) {
		struct tail_jumps jumps =
			tail_routines_jumps(calls->routines, reach->routine[way[i]]);

		add_routine(frames, &jumps, i + 1 < length ? reach->routine[way[i + 1]] : target);
	}
	return frames;
}

static const struct tail_frames *search(struct tail_calls *calls, size_t from, size_t target)
{
	struct reach reach = {.count = 0};
	size_t way[ROUTINES_MAX];
	const struct tail_frames *frames = &no_frames;

	if (from == target)
		return frames;
	enter(&reach, from);
	enter(&reach, target);
	explore(&reach, calls->routines, target);
	size_t length = reach.is_full ? 0 : tail_graph_way(reach.graph, reach.count, 0, 1, way);

	if (length)
		frames = frames_of(calls, &reach, way, length, target);
	for (size_t i = 0; i < reach.count; i++)
		free(reach.jumps[i]);
	return frames;
}

/* Lives until the next question. */
static const struct called *called_at(struct tail_calls *calls, struct symbol_module *caller,
				      uint64_t return_address)
{
	const struct called probe = {.caller = caller, .return_address = return_address};
	bool is_new;
	struct called *called = keyed_table_enter(calls->called, &probe, &is_new);

	if (is_new)
		called->routine = tail_routines_called(calls->routines, caller, return_address,
						       &called->is_open);
	return called;
}

/* The call first: most tell nothing, and then nobody has to read the debugging information of the
 * library that was reached. */
static const struct tail_frames *look_up(struct tail_calls *calls, struct symbol_module *caller,
					 uint64_t return_address, struct symbol_module *callee,
					 uint64_t address)
{
	size_t from = called_at(calls, caller, return_address)->routine;
	struct answer probe = {.caller = caller, .return_address = return_address};
	bool is_new;

	if (from == TAIL_ANYWHERE || from == TAIL_NOWHERE || from == TAIL_WRAPPED ||
	    !tail_routines_jumps(calls->routines, from).is_known)
		return &no_frames;
	probe.target = callee ? tail_routines_at(calls->routines, callee, address) : TAIL_WRAPPED;
	if (probe.target == TAIL_ANYWHERE)
		return &no_frames;
	struct answer *answer = keyed_table_enter(calls->answers, &probe, &is_new);
	if (is_new)
		answer->frames = search(calls, from, probe.target);
	return answer->frames;
}

/* ---- what earlier reports found */

static const char *scope_in(struct tail_calls *calls, struct name_answers *kept,
			    const struct symbol_module *caller)
{
	if (calls->asked != caller)
		calls->scope = name_answers_text(kept, calls->objects);
	calls->asked = caller;
	return calls->scope;
}

static const struct tail_frames *recall(struct tail_calls *calls, const struct name_answer *answer)
{
	const struct recalled probe = {.answer = answer};
	bool is_new;

	if (!answer->count)
		return &no_frames;
	struct recalled *recalled = keyed_table_enter(calls->recalled, &probe, &is_new);

	if (is_new) {
		struct tail_frames *frames = create_frames(calls);

		for (size_t i = 0; i < answer->count; i++)
			add_frame(frames, &answer->names[i].place, answer->names[i].path);
		recalled->frames = frames;
	}
	return recalled->frames;
}

static void keep(struct name_answers *kept, const struct name_question *question,
		 const struct tail_frames *frames)
{
	struct kept_name *names = memory_allocate(frames->count + 1, sizeof *names);

	for (size_t i = 0; i < frames->count; i++)
		names[i] = (struct kept_name){frames->list[i].place, frames->list[i].path};
	name_answers_add(kept, question, names, frames->count);
	free(names);
}

const struct tail_frames *tail_calls_between(struct tail_calls *calls, struct symbol_module *caller,
					     uint64_t return_address, struct symbol_module *callee,
					     uint64_t address)
{
	struct name_answers *kept = symbol_module_answers(caller);
	uint32_t number = tail_routines_object(calls->routines, callee);

	if (!kept || !calls->objects || !number != !callee)
		return look_up(calls, caller, return_address, callee, address);
	const struct name_question question = {
		.kind = NAME_TAIL,
		.scope = scope_in(calls, kept, caller),
		.address = return_address,
		.object = number,
		.other = address,
	};
	/* most calls that lead out of a library are by pointer: one answer for all programs */
	const struct name_question open = {.kind = NAME_OPEN, .address = return_address};

	if (name_answers_find(kept, &open))
		return &no_frames;
	const struct name_answer *known = name_answers_find(kept, &question);

	if (known)
		return recall(calls, known);
	const struct tail_frames *frames = look_up(calls, caller, return_address, callee, address);
	bool is_open = called_at(calls, caller, return_address)->is_open;

	keep(kept, is_open ? &open : &question, frames);
	return frames;
}

/* ---- life */

static void create_answers(struct tail_calls *calls)
{
	calls->called = keyed_table_create(sizeof(struct called), offsetof(struct called, routine));
	calls->answers = keyed_table_create(sizeof(struct answer), offsetof(struct answer, frames));
}

static void destroy_answers(struct tail_calls *calls)
{
	keyed_table_destroy(calls->called);
	keyed_table_destroy(calls->answers);
}

static void remember_objects(struct tail_calls *calls, struct symbol_module *const *modules,
			     size_t count)
{
	char *objects = memory_copy_text("");

	for (size_t i = 0; i < count; i++) {
		char *identity = symbol_module_identity(modules[i]);
		char *more = memory_print("%s%s\n", objects, identity);

		free(identity);
		free(objects);
		objects = more;
	}
	free(calls->objects);
	calls->objects = objects;
	calls->asked = NULL;
}

void tail_calls_use(struct tail_calls *calls, struct symbol_module *const *modules, size_t count)
{
	if (!tail_routines_use(calls->routines, modules, count))
		return;
	destroy_answers(calls);
	create_answers(calls);
	remember_objects(calls, modules, count);
}

struct tail_calls *tail_calls_create(const struct tail_rules *rules)
{
	struct tail_calls *calls = memory_allocate(1, sizeof *calls);

	calls->routines = tail_routines_create(rules);
	create_answers(calls);
	calls->recalled =
		keyed_table_create(sizeof(struct recalled), offsetof(struct recalled, frames));
	return calls;
}

void tail_calls_destroy(struct tail_calls *calls)
{
	if (!calls)
		return;
	for (size_t i = 0; i < calls->count; i++) {
		free(calls->found[i]->list);
		free(calls->found[i]);
	}
	free(calls->found);
	destroy_answers(calls);
	keyed_table_destroy(calls->recalled);
	tail_routines_destroy(calls->routines);
	free(calls->objects);
	free(calls);
}

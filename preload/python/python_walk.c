/* SPDX-License-Identifier: MIT */
#include "preload/python/python_walk.h"

#include "preload/base/pages.h"
#include "preload/process/module_map.h"
#include "preload/python/python_frames.h"
#include "preload/stacks/callpath.h"
#include "preload/stacks/cfi.h"

#include <string.h>

/* Too large for the stacks on which handlers run; one for each path, which is scratch memory of one
 * thread. */
struct room {
	uint64_t low[UNWIND_DEPTH + 1];
	struct python_frames frames;
	struct python_group group;
	struct python_texts texts;
	bool has_group, is_cut;
	uint32_t count;
	uint64_t place[UNWIND_DEPTH];
};

static void next_group(struct room *room)
{
	room->has_group = python_frames_next(&room->frames, &room->group);
}

static bool is_loop(uint64_t place)
{
	uint64_t address = (place & ~UNWIND_EXACT) - !(place & UNWIND_EXACT);
	struct code_object object;

	return module_map_find(address, &object) &&
	       cfi_routine(object.eh_frame_header, address) == python_runtime.loop;
}

/* The group's call of the loop is the path's frame i. */
static bool is_here(const struct room *room, const struct unwind_path *path, uint32_t i)
{
	uint64_t anchor = room->group.anchor;

	if (!anchor)
		return is_loop(path->place[i]);
	return anchor - room->low[i] < room->low[i + 1] - room->low[i];
}

/* Its call is none of the stack that is walked: it was further in. */
static bool is_passed(const struct room *room, uint32_t i)
{
	uint64_t anchor = room->group.anchor;

	return anchor && anchor < room->low[i] && anchor >= room->low[0];
}

static void push(struct room *room, uint64_t place)
{
	room->is_cut |= room->count == UNWIND_DEPTH;
	if (!room->is_cut)
		room->place[room->count++] = place;
}

static void push_group(struct room *room, uint64_t native)
{
	for (uint32_t i = 0; i < room->group.count; i++)
		push(room, room->group.place[i]);
	if (!room->group.count)
		push(room, native);
	next_group(room);
}

/* The code that the walk ended in only calls the loop: a trampoline of `python3 -X perf`. */
static bool ends_in_trampoline(const struct room *room)
{
	const uint64_t *last = &room->place[room->count - 1];
	struct code_object object;

	return room->count > 1 && callpath_is_python(last[-1]) &&
	       !module_map_find(*last & ~UNWIND_EXACT, &object);
}

/* The walk ended where nothing tells how to go on, as in generated code; the frames of Python go on
 * to the thread's outermost one. */
static bool add_rest(struct room *room)
{
	if (!room->has_group || room->is_cut)
		return false;
	if (ends_in_trampoline(room))
		room->count--;
	for (; room->has_group && !room->is_cut; next_group(room))
		for (uint32_t i = 0; i < room->group.count; i++)
			push(room, room->group.place[i]);
	return !room->is_cut;
}

static void merge(struct room *room, const struct unwind_path *path)
{
	room->count = 0;
	room->is_cut = false;
	for (uint32_t i = 0; i < path->count && !room->is_cut; i++) {
		while (room->has_group && is_passed(room, i))
			next_group(room);
		if (room->has_group && is_here(room, path, i))
			push_group(room, path->place[i]);
		else
			push(room, path->place[i]);
	}
}

static uint64_t thread_state(void)
{
	return (uint64_t)python_runtime.thread_state();
}

static struct room *room_of(struct unwind_path *path)
{
	if (!path->room)
		path->room = pages_new(sizeof(struct room));
	return path->room;
}

void python_walk_both(const struct unwind_frame *frame, const struct unwind_stack *stack,
		      struct unwind_path *path, struct unwind_slots *slots)
{
	struct room *room = room_of(path);

	path->low = room ? room->low : NULL;
	unwind_walk(frame, stack, path, slots);
	path->low = NULL;
	if (!room)
		return;
	python_frames_begin(&room->frames, &python_runtime, thread_state(), &room->texts);
	next_group(room);
	if (!room->has_group)
		return;
	merge(room, path);
	bool is_whole = !path->is_truncated || add_rest(room);
	memcpy(path->place, room->place, room->count * sizeof *room->place);
	path->count = room->count;
	path->is_truncated = !is_whole || room->is_cut;
}

uint64_t python_walk_frames_sum(void)
{
	struct python_frames frames;

	python_frames_begin(&frames, &python_runtime, thread_state(), NULL);
	return python_frames_sum(&frames);
}

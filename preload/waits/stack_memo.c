/* SPDX-License-Identifier: MIT */
#include "preload/waits/stack_memo.h"

#include "preload/base/hash.h"
#include "preload/base/interrupted.h"
#include "preload/base/likely.h"
#include "preload/base/pages.h"
#include "preload/process/module_map.h"
#include "preload/python/python_walk.h"
#include "preload/sections/section_root.h"
#include "preload/stacks/callpath.h"

#include <stdbool.h>
#include <string.h>

/* Leaves out the frames of a library between us and the program. */
static void cut(struct unwind_path *path, uint64_t inner)
{
	uint32_t first = 0;

	while (first < path->count && path->place[first] != inner)
		first++;
	if (first == path->count)
		return;
	path->count -= first;
	memmove(path->place, path->place + first, path->count * sizeof *path->place);
}

/* The objects of a walk that can be unloaded; false: too many to be checked each time. */
static bool name_witnesses(struct stack_memo *memo, const struct unwind_path *path)
{
	uint64_t start = 0, end = 0; /* of the last one: an object's frames are mostly adjacent */
	unsigned count = 0;

	memset(memo->witnesses, 0, sizeof memo->witnesses);
	for (uint32_t i = 0; i < path->count; i++) {
		uint64_t address = (path->place[i] & ~UNWIND_EXACT) - 1;
		struct code_object object;
		if (address - start < end - start || module_map_is_permanent(address) ||
		    !module_map_find(address, &object))
			continue;
		if (count == STACK_WITNESSES)
			return false;
		start = object.start;
		end = object.end;
		memo->witnesses[count++] =
			(struct stack_witness){address, code_object_identity(&object)};
	}
	return true;
}

static bool are_loaded(const struct stack_memo *memo)
{
	for (int i = 0; i < STACK_WITNESSES && memo->witnesses[i].address; i++)
		if (module_map_identity(memo->witnesses[i].address) != memo->witnesses[i].identity)
			return false;
	return true;
}

uint32_t stack_memo_path(struct thread *thread, struct stack_memo *memo, const struct site *site)
{
	if (likely(memo->sp == site->sp && memo->caller == site->caller &&
		   (memo->fp == site->fp || !memo->slots.needs_fp) && unwind_check(&memo->slots) &&
		   are_loaded(memo) && memo->python_sum == python_walk_sum() &&
		   memo->root == section_root(thread)))
		return memo->path;
	struct unwind_frame frame = site_frame(site);
	memo->sp = 0; /* a signal handler that comes now must not take it for complete */
	interrupted_fence();
	python_walk(&frame, &thread->stack, &thread->walk, &memo->slots);
	if (unlikely(site->inner))
		cut(&thread->walk, site->inner);
	memo->root = section_root(thread);
	memo->path = callpath_of(&thread->walk, memo->root);
	memo->caller = site->caller;
	memo->fp = site->fp;
	memo->python_sum = python_walk_sum();
	bool is_complete = name_witnesses(memo, &thread->walk);
	interrupted_fence();
	if (likely(is_complete))
		memo->sp = site->sp;
	return memo->path;
}

/* That of the site wherever it lies, or one to be overwritten: an empty one, or else the one that
 * the hash chooses. Three or four sites in turn (a condition's wait and signal, its mutex) would
 * push each other out of places that the hash alone assigns, at each call. */
static struct stack_memo *memo_of(struct thread *thread, const struct site *site)
{
	struct stack_memo *memo = &thread->memos[hash_slot(site->caller ^ site->sp, THREAD_MEMOS)];

	if (likely(memo->sp == site->sp && memo->caller == site->caller))
		return memo;
	for (int i = 0; i < THREAD_MEMOS; i++) {
		struct stack_memo *other = &thread->memos[i];

		if (other->sp == site->sp && other->caller == site->caller)
			return other;
		if (!other->sp)
			memo = other;
	}
	return memo;
}

/* For the words of deep stacks, which most threads never need. */
static void make_tails(struct thread *thread)
{
	struct unwind_slot *tails = pages_new(THREAD_MEMOS * UNWIND_SLOTS_MORE * sizeof *tails);

	thread->has_memo_tails = true;
	for (int i = 0; tails && i < THREAD_MEMOS; i++)
		thread->memos[i].slots.more = tails + i * UNWIND_SLOTS_MORE;
}

uint32_t stack_memo_site_path(struct thread *thread, const struct site *site)
{
	struct stack_memo *memo = memo_of(thread, site);
	uint32_t path = stack_memo_path(thread, memo, site);

	if (likely(!memo->slots.lacks_more || thread->has_memo_tails))
		return path;
	make_tails(thread);
	memo->sp = 0;
	return stack_memo_path(thread, memo, site);
}

/* SPDX-License-Identifier: MIT */
#include "analyze/live/live_detail.h"

#include "analyze/base/key_hash.h"
#include "analyze/base/memory.h"
#include "analyze/live/live_rows.h"
#include "analyze/model/common/call_stack.h"
#include "analyze/model/common/vocabulary_text.h"

#include <stdlib.h>

struct live_detail *live_detail_nothing(uint64_t pid, uint64_t tid)
{
	struct live_detail *detail = memory_allocate(1, sizeof *detail);

	detail->pid = pid;
	detail->tid = tid;
	return detail;
}

void live_detail_destroy(struct live_detail *detail)
{
	if (!detail)
		return;
	free(detail->frames);
	free(detail);
}

/* The row of a thread that lives, or else the last one that had the number; 0: none. */
static size_t find_thread(const struct profile *profile, uint64_t tid)
{
	size_t found = 0;

	for (size_t i = 1; i < profile->threads.count; i++) {
		if (profile->threads.rows[i].tid != tid)
			continue;
		found = i;
		if (profile->threads.rows[i].flags & THREAD_ALIVE)
			break;
	}
	return found;
}

/* ---- waits */

static int compare_waits(const void *left, const void *right)
{
	const struct profile_wait *a = *(const struct profile_wait *const *)left;
	const struct profile_wait *b = *(const struct profile_wait *const *)right;

	if (a->sum_ns != b->sum_ns)
		return a->sum_ns > b->sum_ns ? -1 : 1;
	return (a > b) - (a < b);
}

static struct live_detail_wait describe_wait(struct names *names, const struct profile *profile,
					     const struct profile_wait *row)
{
	return (struct live_detail_wait){
		.sum_ns = row->sum_ns,
		.count = row->count,
		.longest_ns = row->max_ns,
		.cause = vocabulary_cause(row->cause),
		.operation = vocabulary_operation(row->operation),
		.object = row->object
				  ? live_object_name(names, profile, row->object, row->operation)
				  : NULL,
		.place = live_place_name(names, profile, row->callpath),
	};
}

static void take_waits(struct live_detail *detail, struct names *names,
		       const struct profile *profile, size_t thread)
{
	const struct profile_wait **rows =
		memory_allocate(profile->waits.count + 1, sizeof(struct profile_wait *));

	for (size_t i = 0; i < profile->waits.count; i++)
		if (profile->waits.rows[i].thread == thread)
			rows[detail->waits_in_all++] = &profile->waits.rows[i];
	qsort(rows, detail->waits_in_all, sizeof *rows, compare_waits);
	for (size_t i = 0; i < detail->waits_in_all && i < LIVE_DETAIL_WAITS; i++)
		detail->waits[detail->wait_count++] = describe_wait(names, profile, rows[i]);
	free(rows);
}

/* ---- samples */

/* The same path has the same frames, whatever number its row has. */
static struct live_key key_of(struct names *names, const struct profile *profile, size_t callpath)
{
	struct call_stack stack = {0};
	struct live_key key = {.what = LIVE_ROUTINE, .b = 1};

	call_stack_read(&stack, names, profile, callpath);
	for (size_t i = 0; i < stack.count; i++) {
		uint64_t words[] = {key.a, key.b, stack.frames[i].routine, stack.frames[i].line};

		key.a = hash_bytes(words, sizeof words, 1);
		key.b = hash_bytes(words, sizeof words, (unsigned)key.a);
	}
	call_stack_clear(&stack);
	return key;
}

static void add_samples(struct live_sums *sums, struct names *names, const struct profile *profile,
			size_t thread)
{
	live_sums_begin(sums);
	for (size_t i = 0; i < profile->samples.count; i++) {
		const struct profile_sample *row = &profile->samples.rows[i];

		if (row->thread != thread)
			continue;
		struct live_key key = key_of(names, profile, row->callpath);
		struct live_sum *sum = live_sums_at(sums, &key);

		sum->values[0] += row->cpu_ns;
		sum->callpath = row->callpath;
	}
}

/* By what was used since the reading before, and then by what was used ever. */
static int compare_places(const void *left, const void *right)
{
	const struct live_detail_place *a = left, *b = right;

	if (a->grown_ns != b->grown_ns)
		return a->grown_ns > b->grown_ns ? -1 : 1;
	if (a->cpu_ns != b->cpu_ns)
		return a->cpu_ns > b->cpu_ns ? -1 : 1;
	return (a->callpath > b->callpath) - (a->callpath < b->callpath);
}

static void take_places(struct live_detail *detail, struct names *names,
			const struct profile *profile, const struct live_sums *sums)
{
	size_t count = live_sums_count(sums);
	struct live_detail_place *all = memory_allocate(count + 1, sizeof *all);

	for (size_t i = 0; i < count; i++) {
		uint64_t growth[LIVE_VALUES];
		const struct live_sum *sum = live_sums_row(sums, i, growth);

		all[i] = (struct live_detail_place){.grown_ns = detail->has_before ? growth[0] : 0,
						    .cpu_ns = sum->values[0],
						    .callpath = sum->callpath};
	}
	qsort(all, count, sizeof *all, compare_places);
	detail->places_in_all = count;
	for (; detail->place_count < count && detail->place_count < LIVE_DETAIL_PLACES;
	     detail->place_count++) {
		struct live_detail_place *place = &detail->places[detail->place_count];

		*place = all[detail->place_count];
		place->place = live_place_name(names, profile, place->callpath);
	}
	free(all);
}

/* ---- where it is */

static void take_frames(struct live_detail *detail, struct names *names,
			const struct profile *profile, size_t callpath)
{
	struct call_stack stack = {0};

	call_stack_read(&stack, names, profile, callpath);
	detail->frames = memory_allocate(stack.count + 1, sizeof(const char *));
	for (size_t i = 0; i < stack.count; i++) {
		char *text = names_place_text(names, stack.frames[i].routine, stack.frames[i].line);

		detail->frames[detail->frame_count++] = names_keep(names, text);
		free(text);
	}
	call_stack_clear(&stack);
}

static size_t choose_path(struct live_detail *detail, const struct profile_thread *row)
{
	if (row->waiting_since_ns && row->flags & THREAD_ALIVE && row->waiting_path) {
		detail->path = LIVE_PATH_WAIT;
		return row->waiting_path;
	}
	if (!detail->place_count)
		return 0;
	detail->path = detail->places[0].grown_ns ? LIVE_PATH_INTERVAL : LIVE_PATH_LIFE;
	return detail->places[0].callpath;
}

struct live_detail *live_detail_of(struct names *names, const struct profile *profile, uint64_t tid,
				   struct live_sums *sums, bool has_before)
{
	struct live_detail *detail = live_detail_nothing(profile->header.pid, tid);
	size_t thread = find_thread(profile, tid);

	if (!thread)
		return detail;
	detail->is_there = true;
	detail->has_timer = !(profile->threads.rows[thread].flags & THREAD_UNSAMPLED);
	detail->has_before = has_before;
	add_samples(sums, names, profile, thread);
	take_places(detail, names, profile, sums);
	take_waits(detail, names, profile, thread);
	take_frames(detail, names, profile, choose_path(detail, &profile->threads.rows[thread]));
	return detail;
}

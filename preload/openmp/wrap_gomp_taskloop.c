/* SPDX-License-Identifier: MIT */
/* GOMP_taskloop. The runtime chooses the number of tasks, and each gets a copy of the data, with
 * its bounds in the first two words; for a loop with a reduction it reads the third one.
 *
 * Data that it copies as they are are put in a block of ours, behind what our body needs; tasks
 * that are not deferred run with the block itself. If the program has a copy function, the runtime
 * keeps the data of all tasks that are not deferred on the stack at once: so we add only three
 * words to each, and the rest is elsewhere (gomp_loops.h). */
#include "preload/base/call_args.h"
#include "preload/file/note.h"
#include "preload/openmp/gomp_loops.h"
#include "preload/openmp/omp_room.h"
#include "preload/process/real.h"
#include "preload/stacks/unwind.h"

#include <string.h>

enum { BOUNDS = 2 };

typedef void loop_function(WORDS_11);

/* The call's arguments: those that are replaced, and the rest. */
struct call {
	const struct gomp_library *library;
	loop_function *next;
	struct gomp_task task;
	uint64_t rest[6]; /* a6, ..., a11 */
};

static void pass_on(const struct call *call)
{
	const struct gomp_task *task = &call->task;
	const uint64_t *rest = call->rest;

	call->next(task->body, task->data, task->copy, task->bytes, task->alignment, rest[0],
		   rest[1], rest[2], rest[3], rest[4], rest[5]);
}

static uint32_t words_of(const struct gomp_task *task, uint32_t most)
{
	uint32_t there = (uint32_t)(task->bytes / sizeof(uint64_t));

	return there < most ? there : most;
}

static void prepare(struct gomp_body *body, uint64_t first[3], const struct call *call,
		    struct omp_thread *omp)
{
	const struct gomp_task *task = &call->task;

	omp_task_make(omp, &body->birth, task->body | UNWIND_EXACT, 0, false);
	body->library = call->library;
	body->function = (void (*)(void *))task->body;
	memset(first, 0, 3 * sizeof *first);
	if (task->data)
		memcpy(first, (void *)task->data, words_of(task, 3) * sizeof *first);
}

/* ---- the runtime copies ---- */

/* Stands in front of the program's data. */
struct head {
	uint64_t first[3];
	struct gomp_body body;
	const struct head *made; /* its own address when the call is made */
	uint32_t offset, words;
};

struct block {
	struct head head;
	char room[GOMP_DATA_MOST + GOMP_ALIGNMENT_MOST];
} __attribute__((aligned(GOMP_ALIGNMENT_MOST)));

static void run_block(void *place)
{
	struct head *head = place;
	char *data = (char *)place + head->offset;

	memcpy(data, head->first, head->words * sizeof *head->first);
	gomp_task_run(&head->body, data, head != head->made, true);
}

static void pack(struct head *head, struct call *call, struct omp_thread *omp)
{
	struct gomp_task *task = &call->task;
	uint64_t alignment = gomp_task_alignment(task);

	prepare(&head->body, head->first, call, omp);
	head->made = head;
	head->offset = (uint32_t)gomp_task_round(sizeof *head, alignment);
	head->words = words_of(task, BOUNDS);
	if (task->data)
		memcpy((char *)head + head->offset, (void *)task->data, task->bytes);
	task->body = (uint64_t)run_block;
	task->data = (uint64_t)head;
	task->bytes += head->offset;
	task->alignment = alignment;
}

static void make_packed(struct head *head, struct call *call, struct omp_thread *omp,
			const struct site *site)
{
	struct omp_thread *waits = omp_wait_begin(OMP_CONSTRUCT_TASKLOOP, site);

	pack(head, call, omp);
	pass_on(call);
	if (waits)
		omp_wait_end(waits);
}

__attribute__((noinline)) static void make_in_block(struct call *call, struct omp_thread *omp,
						    const struct site *site)
{
	struct block block;

	make_packed(&block.head, call, omp, site);
}

__attribute__((noinline)) static bool make_in_room(struct call *call, struct omp_thread *omp,
						   const struct site *site)
{
	struct omp_room room;
	uint64_t alignment = gomp_task_alignment(&call->task);

	if (!omp_room_take(omp, &room, sizeof(struct head) + 2 * alignment + call->task.bytes))
		return false;
	make_packed((struct head *)gomp_task_round((uint64_t)room.start, alignment), call, omp,
		    site);
	omp_room_give(omp, &room);
	return true;
}

/* ---- the program copies ---- */

/* Stands in front of each task's data. */
struct piece {
	uint64_t bounds[BOUNDS];
	struct gomp_loop *loop;
};

/* A task that is not deferred has its data on the stack, in the frames of the call that makes
 * it. */
static bool is_deferred(const struct gomp_loop *loop, const void *place)
{
	uint64_t from = (uint64_t)__builtin_frame_address(0);

	return omp_here() != loop->body.birth.maker || (uint64_t)place < from ||
	       (uint64_t)place >= loop->frame;
}

static void run_piece(void *place)
{
	struct piece *piece = place;
	struct gomp_loop *loop = piece->loop;
	char *data = (char *)place + loop->offset;

	memcpy(data, piece->bounds, loop->words * sizeof *piece->bounds);
	gomp_task_run(&loop->body, data, is_deferred(loop, place), true);
	gomp_loop_leave(loop);
}

/* The program's copy function is no waiting, and may make calls that are measured. */
static void copy_piece(void *to, void *from)
{
	struct gomp_loop *loop = from;
	struct omp_thread *omp = omp_here();
	struct omp_wait outer;
	bool is_waiting = omp && omp_wait_suspend(omp, &outer);

	((struct piece *)to)->loop = loop;
	gomp_loop_use(loop);
	loop->copy((char *)to + loop->offset, loop->source);
	if (is_waiting)
		omp_wait_resume(omp, &outer);
}

__attribute__((noinline)) static bool make_pieces(struct call *call, struct omp_thread *omp,
						  const struct site *site)
{
	struct gomp_task *task = &call->task;
	uint64_t alignment = gomp_task_alignment(task);
	struct gomp_loop *loop = gomp_loop_take(omp);

	if (!loop)
		return false;
	struct omp_thread *waits = omp_wait_begin(OMP_CONSTRUCT_TASKLOOP, site);
	prepare(&loop->body, loop->first, call, omp);
	loop->copy = (void (*)(void *, void *))task->copy;
	loop->source = (void *)task->data;
	loop->offset = (uint32_t)gomp_task_round(sizeof(struct piece), alignment);
	loop->words = words_of(task, BOUNDS);
	loop->frame = (uint64_t)__builtin_frame_address(0);
	task->body = (uint64_t)run_piece;
	task->data = (uint64_t)loop;
	task->copy = (uint64_t)copy_piece;
	task->bytes += loop->offset;
	task->alignment = alignment;
	pass_on(call);
	if (waits)
		omp_wait_end(waits);
	gomp_loop_leave(loop);
	return true;
}

/* ---- */

/* The call waits for its tasks, unless it has nogroup. If its tasks cannot be timed, neither is the
 * call, because all of their work would look like waiting. */
static void make(struct call *call, struct omp_thread *omp, const struct site *site)
{
	if (!call->task.copy && !gomp_task_is_large(&call->task)) {
		make_in_block(call, omp, site);
		return;
	}
	if (call->task.copy ? make_pieces(call, omp, site) : make_in_room(call, omp, site))
		return;
	note_once(NOTE_OMP_LARGE_TASKS, GOMP_DATA_MOST);
	omp_task_make_untimed(omp, call->task.body | UNWIND_EXACT, 0, false);
	pass_on(call);
}

#define TASKLOOP(name)                                                                             \
	EXPORTED void name(WORDS_11);                                                              \
	EXPORTED void name(WORDS_11)                                                               \
	{                                                                                          \
		const struct gomp_library *library = gomp_real(name, CALLER_HERE);                 \
                                                                                                   \
		if (unlikely(!library))                                                            \
			return;                                                                    \
		struct call call = {                                                               \
			library,                                                                   \
			(loop_function *)library->next[GOMP_NUMBER_##name],                        \
			{a1, a2, a3, a4, a5, (unsigned)a6},                                        \
			{a6, a7, a8, a9, a10, a11},                                                \
		};                                                                                 \
		struct omp_thread *omp = library->is_measured ? omp_here() : NULL;                 \
		if (omp)                                                                           \
			make(&call, omp, SITE_HERE);                                               \
		else                                                                               \
			pass_on(&call);                                                            \
	}

TASKLOOP(GOMP_taskloop)
TASKLOOP(GOMP_taskloop_ull)

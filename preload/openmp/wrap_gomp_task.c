/* SPDX-License-Identifier: MIT */
/* GOMP_task: the task's body and data are copied to a block of ours, whose body times the
 * program's.
 *
 * No copy function is passed if the program has none, because a task with one is not dropped when
 * its region is cancelled. The runtime may write to the first word of the data that it is given
 * (the handle of a detached task): that word is copied to the program's data. */
#include "preload/base/call_args.h"
#include "preload/file/note.h"
#include "preload/openmp/gomp_task.h"
#include "preload/openmp/omp_room.h"
#include "preload/process/real.h"
#include "preload/stacks/unwind.h"

#include <string.h>

enum { DATA_FEW = 128, ALIGNMENT_USUAL = 16 };

/* In front of the program's data. */
struct head {
	uint64_t handle; /* of a detached task: first word of the data, where the runtime writes */
	struct gomp_body body;
	void (*copy)(void *, void *); /* the program's own; NULL: none */
	void *source;                 /* its argument */
	uint32_t offset;              /* of the data from here */
	bool has_data, is_detached;
};

/* On the stack of the call that makes the task. Programs nest these calls by the thousand, so there
 * is a small block for most of them. */
struct block {
	struct head head;
	char room[GOMP_DATA_MOST + GOMP_ALIGNMENT_MOST];
} __attribute__((aligned(GOMP_ALIGNMENT_MOST)));

struct small_block {
	struct head head;
	char room[DATA_FEW + ALIGNMENT_USUAL];
} __attribute__((aligned(ALIGNMENT_USUAL)));

/* In the thread that runs the task. */
static void run_body(void *place)
{
	struct head *head = place;
	char *data = head->has_data ? (char *)place + head->offset : NULL;
	const struct omp_thread *omp = omp_here();
	bool is_deferred = omp != head->body.birth.maker || omp->making != head->body.birth.number;

	if (head->is_detached && data)
		memcpy(data, &head->handle, sizeof head->handle);
	gomp_task_run(&head->body, data, is_deferred, false);
}

/* The program's copy function constructs its data behind the head. */
static void copy_data(void *to, void *from)
{
	struct head *head = from;

	memcpy(to, head, sizeof *head);
	head->copy((char *)to + head->offset, head->source);
}

static void pack(struct head *head, const struct gomp_library *library, struct omp_thread *omp,
		 struct gomp_task *task, uint64_t dependences)
{
	uint64_t alignment = gomp_task_alignment(task);

	omp_task_make(omp, &head->body.birth, task->body | UNWIND_EXACT, dependences, true);
	head->body.library = library;
	head->body.function = (void (*)(void *))task->body;
	head->copy = (void (*)(void *, void *))task->copy;
	head->source = (void *)task->data;
	head->offset = (uint32_t)gomp_task_round(sizeof *head, alignment);
	head->has_data = task->data != 0;
	head->is_detached = task->flags & GOMP_TASK_DETACH && task->bytes >= sizeof head->handle;
	if (head->is_detached && task->data)
		memcpy(&head->handle, (void *)task->data, sizeof head->handle);
	if (!task->copy && task->data)
		memcpy((char *)head + head->offset, (void *)task->data, task->bytes);
	task->body = (uint64_t)run_body;
	task->data = (uint64_t)head;
	task->copy = task->copy ? (uint64_t)copy_data : 0;
	task->bytes += head->offset;
	task->alignment = alignment;
	omp->making = head->body.birth.number;
}

/* depend[0] is their number; if it is 0, depend[1] is. */
static uint64_t dependences_of(unsigned flags, uint64_t depend)
{
	const uint64_t *words = (const uint64_t *)depend;

	if (!(flags & GOMP_TASK_DEPEND) || !words)
		return 0;
	return words[0] ? words[0] : words[1];
}

typedef void task_function(WORDS_10);

static bool is_small(const struct gomp_task *task)
{
	return task->copy || (task->alignment <= ALIGNMENT_USUAL && task->bytes <= DATA_FEW);
}

/* The arguments that are not in `task`. */
#define REST_WORDS  uint64_t a6, uint64_t a7, uint64_t a8, uint64_t a9, uint64_t a10
#define REST_VALUES a6, a7, a8, a9, a10

static inline void make_packed(struct head *head, const struct gomp_library *library,
			       struct omp_thread *omp, struct gomp_task *task, REST_WORDS)
{
	uint64_t outer = omp->making;

	pack(head, library, omp, task, dependences_of(task->flags, a8));
	((task_function *)library->next[GOMP_NUMBER_GOMP_task])(
		task->body, task->data, task->copy, task->bytes, task->alignment, REST_VALUES);
	omp->making = outer;
}

/* The block is in the frame of this function. */
#define MAKING(name, kind)                                                                         \
	__attribute__((noinline)) static void name(const struct gomp_library *library,             \
						   struct omp_thread *omp, struct gomp_task *task, \
						   REST_WORDS)                                     \
	{                                                                                          \
		struct kind block;                                                                 \
                                                                                                   \
		make_packed(&block.head, library, omp, task, REST_VALUES);                         \
	}

MAKING(make_small_task, small_block)
MAKING(make_task, block)

__attribute__((noinline)) static void make_large_task(const struct gomp_library *library,
						      struct omp_thread *omp,
						      struct gomp_task *task, REST_WORDS)
{
	struct omp_room room;
	uint64_t alignment = gomp_task_alignment(task);

	if (omp_room_take(omp, &room, sizeof(struct head) + 2 * alignment + task->bytes)) {
		uint64_t start = gomp_task_round((uint64_t)room.start, alignment);
		make_packed((struct head *)start, library, omp, task, REST_VALUES);
		omp_room_give(omp, &room);
		return;
	}
	note_once(NOTE_OMP_LARGE_TASKS, GOMP_DATA_MOST);
	omp_task_make_untimed(omp, task->body | UNWIND_EXACT, dependences_of(task->flags, a8),
			      true);
	((task_function *)library->next[GOMP_NUMBER_GOMP_task])(
		task->body, task->data, task->copy, task->bytes, task->alignment, REST_VALUES);
}

static void make(const struct gomp_library *library, struct omp_thread *omp, struct gomp_task *task,
		 REST_WORDS)
{
	if (likely(is_small(task)))
		make_small_task(library, omp, task, REST_VALUES);
	else if (likely(!gomp_task_is_large(task)))
		make_task(library, omp, task, REST_VALUES);
	else
		make_large_task(library, omp, task, REST_VALUES);
}

/* A task that runs at once, but after those that it depends on: until then the call waits. */
__attribute__((noinline)) static void make_after_others(const struct gomp_library *library,
							struct omp_thread *omp,
							struct gomp_task *task, REST_WORDS,
							const struct site *site)
{
	struct omp_thread *waits = omp_wait_begin(OMP_CONSTRUCT_TASKWAIT, site);

	make(library, omp, task, REST_VALUES);
	if (waits)
		omp_wait_end(waits);
}

EXPORTED void GOMP_task(WORDS_10);
EXPORTED void GOMP_task(WORDS_10)
{
	const struct gomp_library *library = gomp_real(GOMP_task, CALLER_HERE);
	struct gomp_task task = {a1, a2, a3, a4, a5, (unsigned)a7};

	if (unlikely(!library))
		return;
	struct omp_thread *omp = library->is_measured ? omp_here() : NULL;
	if (unlikely(!library->is_measured))
		gomp_passed_on_from = a1 | UNWIND_EXACT;
	if (unlikely(!omp))
		((task_function *)library->next[GOMP_NUMBER_GOMP_task])(VALUES_10);
	else if (unlikely(task.flags & GOMP_TASK_DEPEND && !(a6 & 0xff)))
		make_after_others(library, omp, &task, REST_VALUES, SITE_HERE);
	else
		make(library, omp, &task, REST_VALUES);
}

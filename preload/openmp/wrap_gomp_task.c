/* SPDX-License-Identifier: MIT */
/* GOMP_task and GOMP_taskloop: the task's body and data are put into a block of ours, whose body
 * times the program's.
 *
 * No copy function is passed where the program has none: a task with one is not dropped when its
 * region is cancelled. The runtime may write to the first words of what it is given (bounds of a
 * task of taskloop, the handle of a detached one): these are copied back to the program's data. */
#include "gomp_real.h"
#include "note.h"
#include "omp_task.h"
#include "real.h"
#include "unwind.h"
#include "words.h"

#include <string.h>

enum {
	FIRST_WORDS = 3,
	DATA_MOST = 1024, /* bytes of a task that are copied here */
	DATA_FEW = 128,
	ALIGNMENT_MOST = 64,
	ALIGNMENT_USUAL = 16,
	/* bits of `flags` */
	FLAG_DEPEND = 8,
	FLAG_REDUCTION = 4096,
	FLAG_DETACH = 8192,
};

/* Stands in front of the program's data. */
struct head {
	uint64_t first[FIRST_WORDS]; /* of the data; the runtime's place to write to */
	void (*body)(void *);
	void (*copy)(void *, void *);       /* the program's own; NULL: none */
	void *source;                       /* its argument */
	const struct gomp_library *library; /* that runs it */
	struct omp_task_birth birth;
	uint32_t offset; /* of the data from here */
	uint16_t words;  /* of `first` that the runtime may write to */
	bool has_data, is_loop;
};

/* On the stack of the call that makes the task: programs nest these calls by the thousand, so that
 * there is a small one for most of them. */
struct block {
	struct head head;
	char room[DATA_MOST + ALIGNMENT_MOST];
} __attribute__((aligned(ALIGNMENT_MOST)));

struct small_block {
	struct head head;
	char room[DATA_FEW + ALIGNMENT_USUAL];
} __attribute__((aligned(ALIGNMENT_USUAL)));

/* In the thread that runs the task. */
static void run_body(void *place)
{
	struct head *head = place;
	char *data = head->has_data ? (char *)place + head->offset : NULL;
	struct omp_task task;
	struct omp_thread *omp = omp_here();
	bool is_deferred = omp != head->birth.maker || omp->making != head->birth.number;

	const struct gomp_library *outer = gomp_running;
	gomp_running = head->library;
	if (head->words && data)
		memcpy(data, head->first, head->words * sizeof *head->first);
	omp_task_begin(&task, &head->birth, is_deferred || head->is_loop, true);
	if (head->is_loop && task.omp && task.row)
		task.row->created++; /* how many there are is known by now only */
	head->body(data);
	omp_task_end(&task, true);
	gomp_running = outer;
}

/* The program's copy function constructs its data behind the head. */
static void copy_data(void *to, void *from)
{
	struct head *head = from;

	memcpy(to, head, sizeof *head);
	head->copy((char *)to + head->offset, head->source);
}

/* The arguments that GOMP_task and GOMP_taskloop have in common. */
struct arguments {
	uint64_t body, data, copy, bytes, alignment;
	unsigned flags;
	bool is_loop;
};

/* Of the data's first words, those that the runtime writes to or reads before it copies them. */
static unsigned words_of(const struct arguments *arguments)
{
	unsigned words = !arguments->is_loop ? (arguments->flags & FLAG_DETACH ? 1 : 0)
			 : arguments->flags & FLAG_REDUCTION ? 3
							     : 2;
	unsigned there = (unsigned)(arguments->bytes / sizeof(uint64_t));

	return words < there ? words : there;
}

static void show_first_words(struct head *head, const struct arguments *arguments)
{
	memset(head->first, 0, sizeof head->first);
	if (arguments->data)
		memcpy(head->first, (void *)arguments->data, head->words * sizeof *head->first);
}

/* The runtime keeps all tasks of a taskloop that are not deferred and have a copy function on the
 * stack at once: a head for each could be too much for it. */
static bool can_be_timed(const struct arguments *arguments, uint64_t alignment)
{
	if (arguments->copy)
		return alignment <= ALIGNMENT_MOST && !arguments->is_loop;
	return alignment <= ALIGNMENT_MOST && arguments->bytes <= DATA_MOST;
}

/* False: the task stays as it is. */
static bool pack(struct head *head, const struct gomp_library *library, struct omp_thread *omp,
		 struct arguments *arguments, uint64_t dependences)
{
	uint64_t alignment = arguments->alignment > 8 ? arguments->alignment : 8;

	if (unlikely(!can_be_timed(arguments, alignment))) {
		note_once(NOTE_OMP_LARGE_TASKS, DATA_MOST);
		omp_task_make_untimed(omp, arguments->body | UNWIND_EXACT, dependences,
				      !arguments->is_loop);
		return false;
	}
	omp_task_make(omp, &head->birth, arguments->body | UNWIND_EXACT, dependences,
		      !arguments->is_loop);
	head->library = library;
	head->body = (void (*)(void *))arguments->body;
	head->copy = (void (*)(void *, void *))arguments->copy;
	head->source = (void *)arguments->data;
	head->offset = (uint32_t)((sizeof *head + alignment - 1) & ~(alignment - 1));
	head->has_data = arguments->data != 0;
	head->is_loop = arguments->is_loop;
	head->words = (uint16_t)words_of(arguments);
	show_first_words(head, arguments);
	if (!arguments->copy && arguments->data)
		memcpy((char *)head + head->offset, (void *)arguments->data, arguments->bytes);
	arguments->body = (uint64_t)run_body;
	arguments->data = (uint64_t)head;
	arguments->copy = arguments->copy ? (uint64_t)copy_data : 0;
	arguments->bytes += head->offset;
	arguments->alignment = alignment;
	omp->making = head->birth.number;
	return true;
}

/* depend[0] is their number, or 0 and then depend[1] is. */
static uint64_t dependences_of(unsigned flags, uint64_t depend)
{
	const uint64_t *words = (const uint64_t *)depend;

	if (!(flags & FLAG_DEPEND) || !words)
		return 0;
	return words[0] ? words[0] : words[1];
}

typedef void task_function(WORDS_10);

static bool is_small(const struct arguments *arguments)
{
	return arguments->alignment <= ALIGNMENT_USUAL &&
	       (arguments->copy || arguments->bytes <= DATA_FEW);
}

/* The call with what stands in `arguments`, whose block lies in the frame of this function. */
#define MAKING(name, kind)                                                                         \
	__attribute__((noinline)) static void name(                                                \
		const struct gomp_library *library, struct omp_thread *omp,                        \
		struct arguments *arguments, uint64_t a6, uint64_t a7, uint64_t a8, uint64_t a9,   \
		uint64_t a10)                                                                      \
	{                                                                                          \
		struct kind block;                                                                 \
		uint64_t outer = omp->making;                                                      \
                                                                                                   \
		pack(&block.head, library, omp, arguments, dependences_of((unsigned)a7, a8));      \
		((task_function *)library->next[GOMP_NUMBER_GOMP_task])(                           \
			arguments->body, arguments->data, arguments->copy, arguments->bytes,       \
			arguments->alignment, a6, a7, a8, a9, a10);                                \
		omp->making = outer;                                                               \
	}

MAKING(make_small_task, small_block)
MAKING(make_task, block)

EXPORTED void GOMP_task(WORDS_10);
EXPORTED void GOMP_task(WORDS_10)
{
	const struct gomp_library *library = gomp_real(GOMP_task, CALLER_HERE);
	struct arguments arguments = {a1, a2, a3, a4, a5, (unsigned)a7, false};

	if (unlikely(!library))
		return;
	struct omp_thread *omp = library->is_measured ? omp_here() : NULL;
	if (unlikely(!library->is_measured))
		gomp_passed_on_from = a1 | UNWIND_EXACT;
	if (unlikely(!omp))
		((task_function *)library->next[GOMP_NUMBER_GOMP_task])(VALUES_10);
	else if (likely(is_small(&arguments)))
		make_small_task(library, omp, &arguments, a6, a7, a8, a9, a10);
	else
		make_task(library, omp, &arguments, a6, a7, a8, a9, a10);
}

/* One whose tasks cannot be timed is not: all of their work would look like waiting. */
static struct omp_thread *begin_taskloop(const struct arguments *arguments, const struct site *site)
{
	if (can_be_timed(arguments, arguments->alignment))
		return omp_wait_begin(OMP_CONSTRUCT_TASKLOOP, site);
	note_once(NOTE_OMP_LARGE_TASKS, DATA_MOST);
	return NULL;
}

/* It waits for its tasks, unless it has nogroup. */
#define TASKLOOP(name)                                                                             \
	EXPORTED void name(WORDS_11);                                                              \
	EXPORTED void name(WORDS_11)                                                               \
	{                                                                                          \
		struct block block;                                                                \
		const struct gomp_library *library = gomp_real(name, CALLER_HERE);                 \
		struct arguments arguments = {a1, a2, a3, a4, a5, (unsigned)a6, true};             \
                                                                                                   \
		if (unlikely(!library))                                                            \
			return;                                                                    \
		void (*next)(WORDS_11) = (void (*)(WORDS_11))library->next[GOMP_NUMBER_##name];    \
		struct omp_thread *omp =                                                           \
			library->is_measured ? begin_taskloop(&arguments, SITE_HERE) : NULL;       \
		uint64_t outer = omp ? omp->making : 0;                                            \
		if (omp)                                                                           \
			pack(&block.head, library, omp, &arguments, 0);                            \
		next(arguments.body, arguments.data, arguments.copy, arguments.bytes,              \
		     arguments.alignment, a6, a7, a8, a9, a10, a11);                               \
		if (!omp)                                                                          \
			return;                                                                    \
		omp->making = outer;                                                               \
		omp_wait_end(omp);                                                                 \
	}

TASKLOOP(GOMP_taskloop)
TASKLOOP(GOMP_taskloop_ull)

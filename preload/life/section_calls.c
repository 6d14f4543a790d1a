/* SPDX-License-Identifier: MIT */
#include "preload/life/section_calls.h"

#include "preload/base/interrupted.h"
#include "preload/file/note.h"
#include "preload/life/lifecycle.h"
#include "preload/sections/section_memory.h"
#include "preload/sections/section_phase.h"
#include "preload/sections/section_stack.h"
#include "preload/waits/activity.h"

#include <errno.h>

/* Has the thread's handler interrupted the profiler? Or has a jump left it? */
__attribute__((noinline)) static bool is_interrupted(struct thread *thread, const struct site *site)
{
	const struct unwind_frame frame = site_frame(site);

	activity_look(thread, &frame);
	if (thread->is_busy)
		note_once(NOTE_SECTIONS_BUSY, 0);
	return thread->is_busy;
}

/* The first time. */
__attribute__((noinline)) static struct thread *make(void)
{
	int saved = errno;
	struct thread *thread = thread_or_adopt();
	bool has_stack = thread && thread->row && section_stack_make(thread);

	errno = saved;
	return has_stack ? thread : NULL;
}

/* The calling thread, which is busy from here on; NULL: nothing is to be counted. */
static inline struct thread *begin(const struct site *site)
{
	struct thread *thread = thread_self;

	if (unlikely(!thread || !thread->row || !thread->sections))
		thread = make();
	if (unlikely(!thread || (thread->is_busy && is_interrupted(thread, site))))
		return NULL;
	busy_begin(&thread->is_busy);
	return thread;
}

static const char *text_of(const char *name)
{
	return likely(name && *name) ? name : "[no name]";
}

static inline void begin_one(const char *name, const struct site *site, uint64_t frame)
{
	struct thread *thread = begin(site);

	if (unlikely(!thread))
		return;
	section_stack_begin(thread, text_of(name), frame);
	busy_end(&thread->is_busy);
}

void section_call_begin(const char *name, const struct site *site)
{
	begin_one(name, site, 0);
}

void section_call_enter(const char *name, const struct site *site)
{
	begin_one(name, site, site->sp);
}

void section_call_end(const char *name, const struct site *site)
{
	struct thread *thread = begin(site);

	if (unlikely(!thread))
		return;
	section_stack_leave(thread, name ? text_of(name) : NULL);
	busy_end(&thread->is_busy);
}

void section_call_phase(const char *name, const struct site *site)
{
	struct thread *thread = begin(site);

	if (unlikely(!thread))
		return;
	section_phase_begin(thread, name);
	busy_end(&thread->is_busy);
}

void section_call_mark(const char *name, int64_t value, const struct site *site)
{
	struct thread *thread = begin(site);

	if (unlikely(!thread))
		return;
	section_stack_mark(thread, text_of(name), value);
	busy_end(&thread->is_busy);
}

void section_call_name(const void *address, size_t bytes, const char *name)
{
	struct thread *thread = thread_or_adopt();

	if (thread && thread->row)
		section_memory_name((uint64_t)address, bytes, text_of(name));
}

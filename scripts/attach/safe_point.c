/* SPDX-License-Identifier: MIT */
#include "safe_point.h"

#include <stdio.h>
#include <string.h>

enum { FRAMES_MAX = 512 };

/* Objects whose every routine is unsafe, by the begin of their name. */
static const char *const objects[] = {
	"ld-linux",    "ld-2.",   "libjemalloc", "libtcmalloc", "libmimalloc", "libhoard",
	"libsnmalloc", "libasan", "libtsan",     "liblsan",     "libmsan",     "libgcc_s.so",
};

/* Of the profiler's own library, if it was loaded before: threads that it has seen begin have these
 * frames all their lives, and one that waits in a call of the program's has a wrapper's. */
#define OWN_LIBRARY "libptrace.so"
#define OWN_STARTS  "lifecycle_run_*"

/* Routines; a star stands for the rest of a name. */
static const char *const routines[] = {
	/* allocators: that of libc, of C++, and those that are linked into programs */
	"malloc",
	"calloc",
	"realloc",
	"reallocarray",
	"free",
	"cfree",
	"memalign",
	"aligned_alloc",
	"posix_memalign",
	"valloc",
	"pvalloc",
	"malloc_*",
	"mallinfo*",
	"mallopt",
	"mtrace",
	"__libc_malloc",
	"__libc_calloc",
	"__libc_realloc",
	"__libc_free",
	"__libc_memalign",
	"_int_*",
	"sysmalloc",
	"systrim*",
	"_Znw*",
	"_Zna*",
	"_Zdl*",
	"_Zda*",
	"je_*",
	"mi_*",
	"tc_*",
	/* an inner lock of libc, whoever's it is */
	"__lll_lock_wait_private",
	/* the dynamic linker */
	"dlopen*",
	"dlclose*",
	"dlmopen*",
	"dlsym*",
	"dlvsym*",
	"dlerror*",
	"dlinfo*",
	"dladdr*",
	"dl_iterate_phdr",
	"_dl_*",
	"__tls_get_addr",
	"__libc_dlopen*",
	/* processes and threads come and go */
	"fork",
	"__fork",
	"_Fork",
	"__libc_fork",
	"vfork",
	"__vfork",
	"posix_spawn*",
	"__spawn*",
	"system",
	"popen",
	"_IO_proc_open*",
	"pthread_create*",
	"__pthread_create*",
	/* the user changes: libc's lock of all stacks is held while all threads are told */
	"setuid",
	"setgid",
	"seteuid",
	"setegid",
	"setreuid",
	"setregid",
	"setresuid",
	"setresgid",
	"setgroups",
	"__nptl_setxid*",
	/* and the program ends */
	"exit",
	"quick_exit",
	"abort",
	"__run_exit_handlers",
	"__cxa_finalize",
	"__cxa_thread_atexit*",
	"__call_tls_dtors",
	"__nptl_deallocate_tsd",
};

/* Which called the first routine of the program or of a thread. */
static const char *const outermost[] = {"__libc_start*", "start_thread", "clone*",
					"__clone*",      "_start",       OWN_STARTS};

static bool begins_with(const char *name, const char *start)
{
	return strncmp(name, start, strlen(start)) == 0;
}

static bool is_among(const char *name, const char *const *patterns, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		size_t length = strcspn(patterns[i], "*");
		bool is_begin = patterns[i][length] == '*';

		if (strncmp(name, patterns[i], length) == 0 && (is_begin || !name[length]))
			return true;
	}
	return false;
}

static bool is_of_libc(const struct frame *frame)
{
	return frame->object &&
	       (begins_with(frame->object, "libc.so") || begins_with(frame->object, "libc-2."));
}

static bool is_unsafe_object(const char *object)
{
	for (size_t i = 0; i < sizeof objects / sizeof objects[0]; i++)
		if (begins_with(object, objects[i]))
			return true;
	return false;
}

/* The library takes no lock, so a call in which it waits is the program's. */
static bool is_own_and_safe(const struct frame *frame, bool is_waiting)
{
	static const char *const starts[] = {OWN_STARTS};

	return is_waiting || (frame->routine && is_among(frame->routine, starts, 1));
}

/* NULL: nothing speaks against it. */
static const char *judge_frame(const struct frame *frame, bool is_waiting)
{
	if (!frame->object)
		return "in code of no file";
	if (frame->is_interrupted)
		return "in a signal handler";
	if (begins_with(frame->object, OWN_LIBRARY))
		return is_own_and_safe(frame, is_waiting) ? NULL : frame->object;
	if (is_unsafe_object(frame->object))
		return frame->object;
	if (frame->routine &&
	    is_among(frame->routine, routines, sizeof routines / sizeof routines[0]))
		return frame->routine;
	return NULL;
}

/* The number of frames without the outermost ones, where the program or the thread began. */
static int count_own(const struct frame *frames, int count)
{
	const size_t patterns = sizeof outermost / sizeof outermost[0];

	while (count > 0 && (is_of_libc(&frames[count - 1]) ||
			     (frames[count - 1].routine &&
			      is_among(frames[count - 1].routine, outermost, patterns))))
		count--;
	return count;
}

static void refuse(struct safe_point *point, const char *in, const char *where)
{
	snprintf(point->reason, sizeof point->reason, "%s%s", in, where);
}

/* A thread that computes must be outside of libc. */
static const char *judge_computing(const struct frame *frame, bool is_waiting)
{
	return !is_waiting && is_of_libc(frame) ? frame->routine ?: "a routine of libc" : NULL;
}

/* A thrown exception does not, and a handler goes back to what it interrupted. */
static bool comes_back(const struct frame *frame)
{
	return !frame->is_interrupted && frame->object && !begins_with(frame->object, "libgcc_s");
}

bool safe_point_is(struct stack_view *view, pid_t thread, bool is_waiting, struct safe_point *point)
{
	static struct frame frames[FRAMES_MAX];
	int count = stack_view_read(view, thread, frames, FRAMES_MAX);
	int own = count_own(frames, count);
	bool is_safe = is_waiting || own > 0;

	*point = (struct safe_point){.way_out = 0};
	if (count == 0)
		refuse(point, "with ", "a call stack that cannot be read");
	else if (!is_safe)
		refuse(point, "in ", frames[0].routine ?: "a routine of libc");
	for (int i = 0; i < count; i++) {
		const char *why = judge_frame(&frames[i], is_waiting);
		if (!why && i < own)
			why = judge_computing(&frames[i], is_waiting);
		if (!why)
			continue;
		if (is_safe) /* the innermost is the reason, */
			refuse(point, begins_with(why, "in ") ? "" : "in ", why);
		is_safe = false;
		/* and the outermost is what it has to leave */
		point->way_out = comes_back(&frames[i]) && i + 1 < own ? frames[i + 1].pc : 0;
	}
	return is_safe && count > 0;
}

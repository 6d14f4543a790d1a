/* SPDX-License-Identifier: MIT */
#include "safe_point.h"

#include <stdio.h>
#include <string.h>

enum { FRAMES_MAX = 512 };

/* Objects whose every routine is unsafe, by the begin of their name. */
static const char *const objects[] = {
	"ld-linux", "ld-2.",       "libjemalloc",  "libtcmalloc", "libmimalloc",
	"libhoard", "libsnmalloc", "libasan",      "libtsan",     "liblsan",
	"libmsan",  "libgcc_s.so",
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

/* Frames of libc are where threads begin, and nowhere else. */
static bool is_outside_libc(const struct frame *frames, int count)
{
	int end = count;

	while (end > 0 &&
	       (is_of_libc(&frames[end - 1]) ||
		(frames[end - 1].routine && is_among(frames[end - 1].routine, outermost,
						     sizeof outermost / sizeof outermost[0]))))
		end--;
	if (end == 0)
		return false;
	for (int i = 0; i < end; i++)
		if (is_of_libc(&frames[i]))
			return false;
	return true;
}

bool safe_point_is(struct stack_view *view, pid_t thread, bool is_waiting, char *reason,
		   size_t size)
{
	static struct frame frames[FRAMES_MAX];
	int count = stack_view_read(view, thread, frames, FRAMES_MAX);

	if (count == 0) {
		snprintf(reason, size, "with a call stack that cannot be read");
		return false;
	}
	for (int i = 0; i < count; i++) {
		const char *why = judge_frame(&frames[i], is_waiting);

		if (why) {
			snprintf(reason, size, "%s%s", why[0] == 'i' && why[2] == ' ' ? "" : "in ",
				 why);
			return false;
		}
	}
	if (!is_waiting && !is_outside_libc(frames, count)) {
		snprintf(reason, size, "in %s of libc",
			 frames[0].routine ? frames[0].routine : "a routine");
		return false;
	}
	return true;
}

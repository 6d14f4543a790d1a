/* SPDX-License-Identifier: MIT */
/* Frames at the places of call paths, with routines that ended in a jump: the fake symbolizer has
 * `jumper` behind return addresses from 0xe000 on. */
#include "analyze/model/common/call_stack.h"
#include "analyze/read/profile_read.h"
#include "tests/unit/scene_run.h"
#include "tests/unit/unit.h"

#include <string.h>

/* Call paths: main calls f_224, which called jumper; what runs then is worker. */
enum {
	IN_MAIN = 1,
	CALLER,
	WORKER,
	INTERRUPTED,
	ABOVE_INTERRUPTED,
	TEAM,
	BODY,
	STARTED,
	BEGUN,
	WRAPPED, /* by the profiler: a lock of the program's */
	LOCKED,
	LOCK_WAIT,
	ASLEEP,
	ALLOCATED, /* a lock of malloc's */
	ALLOCATION_WAIT,
	IN_PROFILER,
	LIMITED, /* the profiler's way to wait */
	LIMITED_BY_PROGRAM
};

static struct profile *profile;
static struct symbolizer *symbolizer;
static struct names *names;

static void tell(struct builder *builder)
{
	struct row_modules module = {.path = builder_text(builder, "/bin/program")};
	struct row_process process = {.pid = 1000, .processors = 1};
	struct row_callpaths exact = {
		.parent = IN_MAIN, .module = 1, .flags = CALLPATH_PRESENT | CALLPATH_EXACT};

	builder_add(builder, TABLE_modules, FORMAT_NO_OWNER, &module);
	builder_add(builder, TABLE_process, FORMAT_NO_OWNER, &process);
	builder_callpath(builder, 0, 1, 0x1011);
	builder_callpath(builder, IN_MAIN, 1, 0xe011);
	builder_callpath(builder, CALLER, 1, 0x2011);
	exact.offset = 0xe021; /* a signal interrupted it: nothing was called there */
	builder_add(builder, TABLE_callpaths, FORMAT_NO_OWNER, &exact);
	builder_callpath(builder, INTERRUPTED, 1, 0x3011);
	/* the profiler calls bodies of regions and threads for libgomp and libc */
	module.path = builder_text(builder, "/lib/libgomp.so.1");
	builder_add(builder, TABLE_modules, FORMAT_NO_OWNER, &module);
	module.path = builder_text(builder, "/lib/libptrace.so");
	builder_add(builder, TABLE_modules, FORMAT_NO_OWNER, &module);
	module.path = builder_text(builder, "/lib/libc.so.6");
	builder_add(builder, TABLE_modules, FORMAT_NO_OWNER, &module);
	builder_callpath(builder, 0, 2, 0x4011);
	builder_callpath(builder, TEAM, 3, 0x5011);
	builder_callpath(builder, 0, 4, 0x6011);
	builder_callpath(builder, STARTED, 3, 0x5021);
	builder_callpath(builder, IN_MAIN, 3, 0x5031);
	builder_callpath(builder, WRAPPED, 4, 0xf1011);
	builder_callpath(builder, LOCKED, 4, 0xf2011);
	builder_callpath(builder, LOCK_WAIT, 4, 0xf3011);
	builder_callpath(builder, IN_MAIN, 4, 0xf4011);
	builder_callpath(builder, ALLOCATED, 4, 0xf2021);
	builder_callpath(builder, WRAPPED, 3, 0x5041);
	builder_callpath(builder, WRAPPED, 4, 0xf5011);
	builder_callpath(builder, IN_MAIN, 4, 0xf5021);
}

static void set_up(void)
{
	profile = scene_profile(tell);
	symbolizer = symbolizer_create(NULL);
	names = names_create(symbolizer);
}

static void tear_down(void)
{
	names_destroy(names);
	symbolizer_destroy(symbolizer);
	profile_destroy(profile);
}

/* The stack at the end of a call path, the innermost first: "worker jumper* f_224 main"; * marks
 * what was inferred. */
static void check_stack(size_t callpath, const char *wanted)
{
	struct call_stack stack = {0};
	char text[256] = "";

	call_stack_read(&stack, names, profile, callpath);
	for (size_t i = 0; i < stack.count; i++) {
		strcat(text, i ? " " : "");
		strcat(text, names_routine(names, stack.frames[i].routine)->name);
		strcat(text, stack.frames[i].is_inferred ? "*" : "");
	}
	call_stack_clear(&stack);
	ck_assert_str_eq(text, wanted);
}

/* What the C library does for a lock of the program's is the call that the program made; for a lock
 * of its own it is not. */
START_TEST(a_call_for_a_lock_is_one_frame)
{
	set_up();
	check_stack(LOCKED, "___pthread_mutex_lock main");
	check_stack(LOCK_WAIT, "___pthread_mutex_lock main");
	check_stack(ASLEEP, "___pthread_mutex_lock main");
	check_stack(LIMITED, "pthread_mutex_lock main");
	check_stack(LIMITED_BY_PROGRAM, "__pthread_mutex_clocklock_common main");
	check_stack(ALLOCATION_WAIT, "__lll_lock_wait malloc main");
	tear_down();
}
END_TEST

static bool is_asleep(size_t callpath)
{
	struct call_stack stack = {0};

	call_stack_read(&stack, names, profile, callpath);
	bool is = stack.is_asleep;

	call_stack_clear(&stack);
	return is;
}

START_TEST(what_was_left_out_may_have_been_a_wait)
{
	set_up();
	ck_assert(!is_asleep(LOCKED) && is_asleep(LOCK_WAIT) && is_asleep(ASLEEP));
	ck_assert(!is_asleep(ALLOCATION_WAIT));
	tear_down();
}
END_TEST

START_TEST(the_profiler_has_a_frame_where_a_path_ends_in_it)
{
	set_up();
	check_stack(WRAPPED, "[profiler] main");
	check_stack(IN_PROFILER, "[profiler] main");
	tear_down();
}
END_TEST

START_TEST(it_lies_between_the_caller_and_what_it_jumped_to)
{
	const struct frame *frames;

	set_up();
	check_stack(WORKER, "worker jumper* f_224 main");
	ck_assert_uint_eq(names_frames(names, profile, WORKER, &frames), 2);
	ck_assert_uint_eq(frames[1].line, 7);
	ck_assert_uint_eq(names_end_frames(names, profile, WORKER, &frames), 0);
	tear_down();
}
END_TEST

START_TEST(it_is_the_end_of_a_path_at_which_a_call_was_recorded)
{
	const struct frame *frames;

	set_up();
	check_stack(CALLER, "jumper* f_224 main");
	ck_assert_uint_eq(names_frames(names, profile, CALLER, &frames), 1);
	ck_assert_str_eq(
		names_routine(names, names_user_frame(names, profile, CALLER)->routine)->name,
		"jumper");
	tear_down();
}
END_TEST

START_TEST(without_a_call_nothing_is_missing)
{
	const struct frame *frames;

	set_up();
	check_stack(IN_MAIN, "main");
	check_stack(INTERRUPTED, "f_224 main");
	check_stack(ABOVE_INTERRUPTED, "serial f_224 main");
	ck_assert_uint_eq(names_end_frames(names, profile, 0, &frames), 0);
	ck_assert_ptr_null(names_user_frame(names, profile, 0));
	tear_down();
}
END_TEST

static const char *user_frame(size_t callpath)
{
	return names_routine(names, names_user_frame(names, profile, callpath)->routine)->name;
}

/* A body ended in a jump to what was recorded: nothing of the program is left. */
START_TEST(the_profiler_is_no_place_of_the_program)
{
	set_up();
	ck_assert_str_eq(user_frame(BODY), "[OpenMP region]");
	ck_assert_str_ne(user_frame(TEAM), "[OpenMP region]");
	ck_assert_str_ne(user_frame(BEGUN), "[OpenMP region]");
	ck_assert_str_ne(user_frame(BEGUN), "[profiler]");
	tear_down();
}
END_TEST

UNIT_MAIN("frames of call paths", the_profiler_is_no_place_of_the_program,
	  it_lies_between_the_caller_and_what_it_jumped_to, a_call_for_a_lock_is_one_frame,
	  what_was_left_out_may_have_been_a_wait, the_profiler_has_a_frame_where_a_path_ends_in_it,
	  it_is_the_end_of_a_path_at_which_a_call_was_recorded, without_a_call_nothing_is_missing)

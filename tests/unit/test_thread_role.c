/* SPDX-License-Identifier: MIT */
/* Roles of threads: of those that a library starts by what they run, of others by their start. */
#include "analyze/model/process/process.h"
#include "analyze/model/sync/sync_object.h"
#include "analyze/model/threads/thread_callable.h"
#include "analyze/model/threads/thread_role.h"
#include "analyze/model/time/imbalance.h"
#include "analyze/read/profile_read.h"
#include "tests/unit/scene_run.h"
#include "tests/unit/unit.h"

#include <stdlib.h>
#include <string.h>

#define MS 1000000ull

/* Modules, and places in the program (fake_symbolize.c). */
enum { PROGRAM = 1, LIBSTDCXX, LIBC };
enum {
	MAIN = 0x1010,
	WORKER = 0x2010,
	SERIAL = 0x3010,
	HOLDER = 0x4010,
	OF_LAMBDA = 0x6010,
	OF_POINTER = 0x7010,
	OPERATOR = 0x8010,
};

/* ---- names of what is handed over */

static const struct {
	const char *routine, *callable;
} callables[] = {
	{"std::thread::_State_impl<std::thread::_Invoker<std::tuple<main::{lambda()#1}> > >::_M_run",
	 "main::{lambda()#1}"},
	{"std::thread::_State_impl<std::thread::_Invoker<std::tuple<run(int, long)::{lambda(int, "
	 "long)#2}, int, long> > >::_M_run",
	 "run::{lambda(int, long)#2}"},
	{"std::_Function_handler<void (), (anonymous namespace)::Pool<int(*)(long)>::start(int, "
	 "std::pair<int, int>) const::{lambda()#1}>::_M_invoke",
	 "(anonymous namespace)::Pool<int(*)(long)>::start::{lambda()#1}"},
	{"std::_Function_handler<void (), f(int", NULL},
	{"std::thread::_State_impl<std::thread::_Invoker<std::tuple<Job<int, std::string> > > "
	 ">::_M_run",
	 "Job<int, std::string>"},
	{"std::_Function_handler<void (int, long), main::{lambda(int, long)#3}>::_M_invoke",
	 "main::{lambda(int, long)#3}"},
	{"std::__future_base::_Async_state_impl<std::thread::_Invoker<std::tuple<Task> >, "
	 "void>::_M_run",
	 "Task"},
	{"std::thread::_State_impl<std::thread::_Invoker<std::tuple<void (*)(int), int> > >::_M_run",
	 NULL},
	{"std::thread::_State_impl<std::thread::_Invoker<std::tuple<void (Pool::*)(), Pool*> > "
	 ">::_M_run",
	 NULL},
	{"std::thread::_State_impl<std::thread::_Invoker<std::tuple<std::function<void ()> > > "
	 ">::_M_run",
	 NULL},
	{"std::thread::_State_impl<std::thread::_Invoker<std::tuple<", NULL},
	{"std::thread::_State_impl<std::thread::_Invoker<std::tuple<std::reference_wrapper<Worker>, "
	 "int> > >::_M_run",
	 "Worker"},
	{"std::__1::__thread_proxy<std::__1::tuple<std::__1::unique_ptr<std::__1::__thread_struct, "
	 "std::__1::default_delete<std::__1::__thread_struct> >, main::$_0> >",
	 "main::$_0"},
	{"std::__1::__thread_proxy<std::__1::tuple<std::__1::unique_ptr<std::__1::__thread_struct, "
	 "std::__1::default_delete<std::__1::__thread_struct> >, void (*)(int), int> >",
	 NULL},
	{"std::_Function_handler<void ()>::_M_invoke", NULL},
	{"parse<std::thread::_Invoker<std::tuple<Task> > >", NULL},
	{"main", NULL},
};

START_TEST(names_of_callables_are_found)
{
	for (size_t i = 0; i < sizeof callables / sizeof *callables; i++) {
		char *found = thread_callable(callables[i].routine);

		ck_assert_msg(!found == !callables[i].callable, "%s: %s", callables[i].routine,
			      found ? found : "none");
		if (found)
			ck_assert_str_eq(found, callables[i].callable);
		free(found);
	}
}
END_TEST

/* ---- profiles */

static struct names *names;
static struct profile *profile;
static struct symbolizer *symbolizer;

static void add_modules(struct builder *builder)
{
	static const char *const paths[] = {"/nowhere/program", "/nowhere/libstdc++.so.6",
					    "/nowhere/libc.so.6"};

	for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
		struct row_modules row = {.path = builder_text(builder, paths[i])};

		builder_add(builder, TABLE_modules, FORMAT_NO_OWNER, &row);
	}
	struct row_process process = {.pid = 1000,
				      .executable = builder_text(builder, "/nowhere/program"),
				      .processors = 4};

	builder_add(builder, TABLE_process, FORMAT_NO_OWNER, &process);
	builder->header.start_ns = SCENE_START;
	builder->header.end_ns = SCENE_START + 1000 * MS;
}

/* Number of the thread's row. */
/* ready_ms: for how long it had no processor. */
static uint32_t add_kept_thread(struct builder *builder, uint32_t start, uint64_t cpu_ms,
				uint64_t ready_ms, const char *name)
{
	static uint32_t tid;
	struct row_threads row = {
		.tid = start ? ++tid : 1000,
		.lives = 1,
		.start = start,
		.flags = start ? 0 : THREAD_FIRST,
		.birth_ns = SCENE_START,
		.updated_ns = SCENE_START + 1000 * MS,
		.user_ns = cpu_ms * MS,
		.ready_known = 1,
		.ready_ns = ready_ms * MS,
	};

	if (!start)
		tid = 1000;
	memcpy(row.name, name, strlen(name));
	return builder_add(builder, TABLE_threads, FORMAT_NO_OWNER, &row);
}

static uint32_t add_thread(struct builder *builder, uint32_t start, uint64_t cpu_ms,
			   const char *name)
{
	return add_kept_thread(builder, start, cpu_ms, 0, name);
}

static void add_sample(struct builder *builder, uint32_t thread, uint32_t callpath, uint64_t ms)
{
	struct row_samples row = {.callpath = callpath, .level = 1, .cpu_ns = ms * MS, .count = 1};

	builder_add(builder, TABLE_samples, thread, &row);
}

static void add_wait(struct builder *builder, uint32_t thread, uint32_t callpath, uint64_t ms)
{
	struct row_waits row = {
		.callpath = callpath,
		.cause = CAUSE_CONDITION,
		.operation = OP_COND_WAIT,
		.count = 1,
		.sum_ns = ms * MS,
	};

	builder_add(builder, TABLE_waits, thread, &row);
}

/* Where all threads of C++ start, and a routine that one of them runs there. */
static uint32_t std_start(struct builder *builder)
{
	return builder_callpath(builder, 0, LIBSTDCXX, 0x100);
}

static void open_profile(void (*tell)(struct builder *builder))
{
	symbolizer = symbolizer_create(NULL);
	names = names_create(symbolizer);
	profile = scene_profile(tell);
}

static void close_profile(void)
{
	names_destroy(names);
	profile_destroy(profile);
	symbolizer_destroy(symbolizer);
}

static const char *role(size_t thread)
{
	const char *text = thread_role_text(names, profile, thread);

	return text ? text : "unknown";
}

static void tell_first(struct builder *builder)
{
	add_modules(builder);

	uint32_t start = builder_callpath(builder, 0, PROGRAM, WORKER & ~0xfff);
	uint32_t begin = builder_callpath(builder, 0, LIBC, 0x50);
	uint32_t in_main = builder_callpath(builder, begin, PROGRAM, MAIN);
	uint32_t in_serial = builder_callpath(builder, in_main, PROGRAM, SERIAL);
	uint32_t in_holder = builder_callpath(builder, start, PROGRAM, HOLDER);
	uint32_t first = add_thread(builder, 0, 10, "program");
	uint32_t second = add_thread(builder, start, 10, "program");

	add_sample(builder, first, in_serial, 10);
	add_sample(builder, second, in_holder, 10);
}

START_TEST(a_start_routine_of_the_users_is_the_role)
{
	open_profile(tell_first);
	ck_assert_str_eq(role(1), "main");
	/* it only dispatches to holder */
	ck_assert_str_eq(role(2), "worker");
	close_profile();
}
END_TEST

/* 2 works in serial below worker, and a little in holder; 3 waits in holder; of 4 one path was
 * not followed to its beginning; of 5 it was cut off; nothing is known of 6. */
static void tell_threads(struct builder *builder)
{
	add_modules(builder);

	uint32_t start = std_start(builder);
	uint32_t run = builder_callpath(builder, start, PROGRAM, OF_POINTER);
	uint32_t worker = builder_callpath(builder, run, PROGRAM, WORKER);
	uint32_t serial = builder_callpath(builder, worker, PROGRAM, SERIAL);
	uint32_t holder = builder_callpath(builder, run, PROGRAM, HOLDER);
	uint32_t wait = builder_callpath(builder, holder, LIBC, 0x70);
	uint32_t stray = builder_callpath(builder, 0, PROGRAM, SERIAL);
	struct row_callpaths cut = {.flags = CALLPATH_PRESENT | CALLPATH_MARK,
				    .offset = MARK_TRUNCATED};
	uint32_t mark = builder_add(builder, TABLE_callpaths, FORMAT_NO_OWNER, &cut);
	uint32_t below = builder_callpath(builder, mark, PROGRAM, SERIAL);
	uint32_t threads[6];

	for (size_t i = 0; i < 6; i++)
		threads[i] = add_thread(builder, i ? start : 0, 10, "program");
	add_sample(builder, threads[1], serial, 8);
	add_sample(builder, threads[1], holder, 2);
	add_sample(builder, threads[2], worker, 1);
	add_wait(builder, threads[2], wait, 500);
	add_sample(builder, threads[3], stray, 9);
	add_sample(builder, threads[3], worker, 1);
	add_sample(builder, threads[4], below, 9);
	add_sample(builder, threads[4], holder, 1);
}

START_TEST(of_threads_of_a_library_it_is_the_outermost_routine_of_the_users)
{
	open_profile(tell_threads);
	ck_assert_str_eq(role(2), "worker");
	ck_assert_str_eq(role(3), "holder");
	ck_assert_str_eq(role(4), "worker");
	ck_assert_str_eq(role(5), "holder");
	close_profile();
}
END_TEST

START_TEST(what_threads_with_several_roles_have_in_common_is_no_role)
{
	open_profile(tell_threads);
	ck_assert_str_eq(role(6), "unknown");
	ck_assert(!thread_role_of_start(names, profile, profile->threads.rows[2].start).is_known);
	ck_assert_str_eq(
		names_routine(names, thread_role_of(names, profile, 6).frame.routine)->name,
		"libstdc++.so.6_call");
	close_profile();
}
END_TEST

/* A lambda: its own routine appears in one of the paths only. 4 was never seen at all. */
static void tell_lambdas(struct builder *builder)
{
	add_modules(builder);

	uint32_t start = std_start(builder);
	uint32_t run = builder_callpath(builder, start, PROGRAM, OF_LAMBDA);
	uint32_t serial = builder_callpath(builder, run, PROGRAM, SERIAL);
	uint32_t own = builder_callpath(builder, run, PROGRAM, OPERATOR);
	uint32_t holder = builder_callpath(builder, own, PROGRAM, HOLDER);
	uint32_t first = add_thread(builder, 0, 10, "program");
	uint32_t second = add_thread(builder, start, 10, "program");
	uint32_t third = add_thread(builder, start, 10, "own name");
	struct row_objects join = {.address = 1, .kind = OBJECT_JOIN, .birth = start, .members = 1};

	add_thread(builder, start, 0, "program");
	add_sample(builder, first, serial, 1);
	add_sample(builder, second, serial, 10);
	add_sample(builder, third, holder, 10);
	builder_add(builder, TABLE_objects, FORMAT_NO_OWNER, &join);
}

START_TEST(a_lambda_bears_its_name_and_the_line_where_it_stands)
{
	open_profile(tell_lambdas);
	struct thread_role second = thread_role_of(names, profile, 2);
	struct thread_role third = thread_role_of(names, profile, 3);

	ck_assert_str_eq(role(2), "main::{lambda()#1}");
	ck_assert_uint_eq(second.frame.routine, third.frame.routine);
	ck_assert_uint_eq(second.frame.line, 77);
	ck_assert_str_eq(names_routine(names, second.frame.routine)->file, "/src/program.c");
	close_profile();
}
END_TEST

START_TEST(a_thread_without_a_trace_has_the_role_of_all_others)
{
	open_profile(tell_lambdas);
	ck_assert_str_eq(role(4), "main::{lambda()#1}");
	close_profile();
}
END_TEST

START_TEST(a_role_stands_for_a_name_that_is_the_programs)
{
	open_profile(tell_lambdas);
	ck_assert_str_eq(thread_shown_name(names, profile, 1), "program");
	ck_assert_str_eq(thread_shown_name(names, profile, 2), "main::{lambda()#1}");
	ck_assert_str_eq(thread_shown_name(names, profile, 3), "own name");
	close_profile();
}
END_TEST

static char *join_name(void (*tell)(struct builder *builder))
{
	open_profile(tell);
	struct sync_object object = sync_object_of(names, profile, 1, OP_JOIN);
	char *name = sync_object_name(&object);

	close_profile();
	return name;
}

static void tell_joins(struct builder *builder)
{
	struct row_objects join = {.address = 1, .kind = OBJECT_JOIN, .birth = 1, .members = 1};

	tell_threads(builder); /* whose first call path is the start */
	builder_add(builder, TABLE_objects, FORMAT_NO_OWNER, &join);
}

START_TEST(joined_threads_bear_their_role)
{
	char *one = join_name(tell_lambdas), *several = join_name(tell_joins);

	ck_assert_str_eq(one, "thread main::{lambda()#1}");
	ck_assert_str_eq(several, "thread of std::thread");
	free(one);
	free(several);
}
END_TEST

/* Two pairs with one start routine: each pair does equal work, but not the same. */
static void tell_even_pairs(struct builder *builder)
{
	static const uint64_t cpu[] = {400, 400, 10, 10};

	add_modules(builder);

	uint32_t start = std_start(builder);
	uint32_t run = builder_callpath(builder, start, PROGRAM, OF_POINTER);
	uint32_t heavy = builder_callpath(builder, run, PROGRAM, WORKER);
	uint32_t light = builder_callpath(builder, run, PROGRAM, HOLDER);

	add_thread(builder, 0, 1, "program");
	for (size_t i = 0; i < 4; i++)
		add_sample(builder, add_thread(builder, start, cpu[i], "program"),
			   i < 2 ? heavy : light, cpu[i]);
}

/* The first of the pairs is uneven. */
static void tell_uneven_pair(struct builder *builder)
{
	static const uint64_t cpu[] = {400, 200, 10, 10};

	add_modules(builder);

	uint32_t start = std_start(builder);
	uint32_t run = builder_callpath(builder, start, PROGRAM, OF_POINTER);
	uint32_t heavy = builder_callpath(builder, run, PROGRAM, WORKER);
	uint32_t light = builder_callpath(builder, run, PROGRAM, HOLDER);

	add_thread(builder, 0, 1, "program");
	for (size_t i = 0; i < 4; i++)
		add_sample(builder, add_thread(builder, start, cpu[i], "program"),
			   i < 2 ? heavy : light, cpu[i]);
}

START_TEST(threads_of_different_roles_are_not_compared)
{
	struct scene_run scene;
	const struct run *run = scene_run_told(&scene, tell_even_pairs, 0);

	ck_assert_uint_eq(run->imbalance.count, 0);
	scene_run_clear(&scene);
}
END_TEST

START_TEST(threads_of_one_role_are)
{
	struct scene_run scene;
	const struct run *run = scene_run_told(&scene, tell_uneven_pair, 0);
	const struct imbalance *worst = &run->imbalance;

	ck_assert_uint_eq(worst->count, 2);
	ck_assert_str_eq(names_routine(run->names, worst->start.routine)->name, "worker");
	ck_assert_double_eq(worst->lost_ns, 200.0 * MS);
	ck_assert_uint_eq(worst->longest_tid, 1001);
	ck_assert_str_eq(worst->longest_name, "worker");
	scene_run_clear(&scene);
}
END_TEST

/* Of two like threads one had no processor for 150 of the 200 ms by which it did less; and of two
 * others the one that did more had none for longer. */
static void tell_kept_pair(struct builder *builder)
{
	add_modules(builder);

	uint32_t start = std_start(builder);
	uint32_t run = builder_callpath(builder, start, PROGRAM, OF_POINTER);
	uint32_t heavy = builder_callpath(builder, run, PROGRAM, WORKER);
	uint32_t light = builder_callpath(builder, run, PROGRAM, HOLDER);

	add_thread(builder, 0, 1, "program");
	add_sample(builder, add_kept_thread(builder, start, 400, 20, "program"), heavy, 400);
	add_sample(builder, add_kept_thread(builder, start, 200, 170, "program"), heavy, 200);
	add_sample(builder, add_kept_thread(builder, start, 100, 90, "program"), light, 100);
	add_sample(builder, add_kept_thread(builder, start, 60, 10, "program"), light, 60);
}

START_TEST(who_had_no_processor_did_not_have_less_to_do)
{
	struct scene_run scene;
	const struct imbalance *worst = &scene_run_told(&scene, tell_kept_pair, 0)->imbalance;

	ck_assert_uint_eq(worst->count, 2);
	ck_assert_double_eq(worst->kept_ns, 150.0 * MS);
	ck_assert_double_eq(worst->lost_ns, 50.0 * MS);
	ck_assert_double_eq(worst->sum_ns, 600.0 * MS);
	scene_run_clear(&scene);
}
END_TEST

/* Two work for 200 ms, and one of them spins for as long besides. */
static void tell_spinning_pair(struct builder *builder)
{
	add_modules(builder);

	uint32_t start = std_start(builder);
	uint32_t run = builder_callpath(builder, start, PROGRAM, OF_POINTER);
	uint32_t heavy = builder_callpath(builder, run, PROGRAM, WORKER);
	struct row_waits spin = {.callpath = heavy,
				 .cause = CAUSE_SPINLOCK,
				 .operation = OP_SPIN_LOCK,
				 .count = 1,
				 .sum_ns = 200 * MS};

	add_thread(builder, 0, 1, "program");
	uint32_t spinner = add_thread(builder, start, 400, "program");

	add_sample(builder, spinner, heavy, 400);
	builder_add(builder, TABLE_waits, spinner, &spin);
	add_sample(builder, add_thread(builder, start, 200, "program"), heavy, 200);
}

START_TEST(who_spins_does_not_work_more)
{
	struct scene_run scene;

	ck_assert_uint_eq(scene_run_told(&scene, tell_spinning_pair, 0)->imbalance.count, 0);
	scene_run_clear(&scene);
}
END_TEST

static void tell_team(struct builder *builder)
{
	add_modules(builder);

	uint32_t start = builder_callpath(builder, 0, PROGRAM, WORKER & ~0xfff);
	struct row_threads row = {
		.tid = 1001, .lives = 1, .start = start, .flags = THREAD_OF_OPENMP};

	add_sample(builder, builder_add(builder, TABLE_threads, FORMAT_NO_OWNER, &row), start, 1);
}

START_TEST(threads_of_openmp_have_none)
{
	open_profile(tell_team);
	ck_assert_str_eq(role(1), "unknown");
	close_profile();
}
END_TEST

START_TEST(labels_tell_number_and_name)
{
	char *both = thread_label(12, "parse"), *bare = thread_label(12, ""),
	     *none = thread_label(12, NULL);

	ck_assert_str_eq(both, "12 (parse)");
	ck_assert_str_eq(bare, "12");
	ck_assert_str_eq(none, "12");
	free(both);
	free(bare);
	free(none);
}
END_TEST

UNIT_MAIN("thread_role", names_of_callables_are_found, a_start_routine_of_the_users_is_the_role,
	  of_threads_of_a_library_it_is_the_outermost_routine_of_the_users,
	  what_threads_with_several_roles_have_in_common_is_no_role,
	  a_lambda_bears_its_name_and_the_line_where_it_stands,
	  a_thread_without_a_trace_has_the_role_of_all_others,
	  a_role_stands_for_a_name_that_is_the_programs, joined_threads_bear_their_role,
	  threads_of_different_roles_are_not_compared, threads_of_one_role_are,
	  who_had_no_processor_did_not_have_less_to_do, who_spins_does_not_work_more,
	  threads_of_openmp_have_none, labels_tell_number_and_name)

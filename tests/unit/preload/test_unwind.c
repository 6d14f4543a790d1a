/* SPDX-License-Identifier: MIT */
#include "preload/process/module_map.h"
#include "preload/process/real.h"
#include "preload/stacks/site.h"
#include "preload/stacks/unwind.h"
#include "tests/unit/unit.h"
#include "unwind_judge.h"
#include "unwind_shapes.h"

#include <dlfcn.h>
#include <limits.h>
#include <math.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum { TRAP_FLAG = 0x100, PAGE = 4096 };

static volatile sig_atomic_t steps_left;
static volatile long sink;

/* ---- ways to look ---- */

static void on_signal(int number, siginfo_t *info, void *context)
{
	(void)number;
	(void)info;
	judge_context(context);
}

/* After every single instruction. */
static void on_step(int number, siginfo_t *info, void *opaque)
{
	ucontext_t *context = opaque;

	(void)number;
	(void)info;
	judge_context(context);
	if (--steps_left <= 0)
		context->uc_mcontext.gregs[REG_EFL] &= ~TRAP_FLAG;
}

static void handle(int number, void (*handler)(int, siginfo_t *, void *), int flags)
{
	struct sigaction action = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO | flags};

	ck_assert_int_eq(sigaction(number, &action, NULL), 0);
}

static void nothing(void)
{
	__asm__ volatile("");
}

static void raise_signal(void)
{
	raise(SIGUSR1);
	__asm__ volatile("" ::: "memory");
}

__attribute__((noinline)) static void step_through(void (*work)(void), int most)
{
	handle(SIGTRAP, on_step, 0);
	steps_left = most;
	__builtin_ia32_writeeflags_u64(__builtin_ia32_readeflags_u64() | TRAP_FLAG);
	work();
	steps_left = 0; /* the next step is the last */
	nothing();
}

/* ---- what is looked at ---- */

static void shapes(void)
{
	shapes_run(nothing);
}

static void throws(void)
{
	shapes_throw(nothing);
}

static void libc_work(void)
{
	static char from[5000], to[5000];
	char text[100];

	for (size_t bytes = 1; bytes < 5000; bytes = bytes * 3 + 1) {
		memset(from, 'x', bytes);
		memcpy(to, from, bytes);
		memmove(to + 1, to, bytes - 1);
		sink += (long)strlen(to);
		char *got = malloc(bytes);
		char *more = realloc(got, bytes * 2);
		sink += more == got;
		free(more);
	}
	snprintf(text, sizeof text, "%d %s %g %lx", 12, "words", 3.25, 0x1234ul);
	sink += (long)strtod(text, NULL);
}

/* Each of these is called here for the first time: the loader binds it under our eyes. */
static void lazy_binding(void)
{
	sink += labs(-sink) + (long)lround((double)sink) + strtol("12", NULL, 10);
	sink += wcstombs(NULL, L"wide", 0) > 0;
	sink += (long)hypot((double)sink, 3);
	sink += getppid();
}

static void clocks(void)
{
	struct timespec t;
	struct timeval v;

	clock_gettime(CLOCK_MONOTONIC, &t);
	clock_gettime(CLOCK_REALTIME_COARSE, &t);
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	gettimeofday(&v, NULL);
	sink += (long)time(NULL);
}

static const char *plugin_path(void)
{
	static char path[PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", path, sizeof path - 40);

	ck_assert_int_gt(length, 0);
	path[length] = '\0';
	strcpy(strrchr(path, '/') + 1, "unwind_plugin.so");
	return path;
}

typedef void plugin_function(void (*probe)(void));

static void with_plugin(void (*use)(plugin_function *run))
{
	void *library = dlopen(plugin_path(), RTLD_LAZY);

	ck_assert_msg(library != NULL, "%s", dlerror());
	use((plugin_function *)dlsym(library, "plugin_run"));
	dlclose(library);
}

/* ---- tests ---- */

START_TEST(plain_calls_of_all_shapes)
{
	judge_start();
	for (int i = 0; i < 50; i++)
		shapes_run(judge_here);
	ck_assert_uint_eq(judge_report("shapes, plain calls"), 0);
	ck_assert_uint_gt(judgement.frames, 50 * 100);
}
END_TEST

START_TEST(signals_in_all_shapes)
{
	judge_start();
	handle(SIGUSR1, on_signal, 0);
	for (int i = 0; i < 50; i++)
		shapes_run(raise_signal);
	ck_assert_uint_eq(judge_report("shapes, raised signals"), 0);
}
END_TEST

START_TEST(every_instruction_of_all_shapes)
{
	judge_start();
	shapes(); /* binds what it calls */
	step_through(shapes, 20000);
	ck_assert_uint_eq(judge_report("shapes, each instruction"), 0);
	ck_assert_uint_gt(judgement.stacks, 1000);
}
END_TEST

START_TEST(every_instruction_of_libc_calls)
{
	judge_start();
	libc_work();
	step_through(libc_work, 30000);
	ck_assert_uint_eq(judge_report("libc, each instruction"), 0);
	ck_assert_uint_gt(judgement.stacks, 1000);
}
END_TEST

START_TEST(every_instruction_of_lazy_binding)
{
	judge_start();
	step_through(lazy_binding, 30000);
	judge_report("lazy binding, each instruction");
	/* The loader's trampoline keeps its CFA in a register that is not tracked: what is further
	 * out is cut off, and said to be. */
	ck_assert_uint_eq(judgement.disagreements, judgement.short_stacks);
	ck_assert_uint_gt(judgement.stacks, 500);
}
END_TEST

START_TEST(every_instruction_of_clock_calls)
{
	judge_start();
	clocks();
	step_through(clocks, 30000);
	ck_assert_uint_eq(judge_report("clocks, each instruction"), 0);
}
END_TEST

START_TEST(exceptions_in_flight)
{
	judge_start();
	handle(SIGUSR1, on_signal, 0);
	for (int i = 0; i < 50; i++) {
		shapes_throw(judge_here);
		shapes_throw(raise_signal);
	}
	ck_assert_uint_eq(judge_report("exceptions, from destructors"), 0);
}
END_TEST

START_TEST(every_instruction_of_a_throw)
{
	judge_start();
	throws();
	step_through(throws, 60000);
	judge_report("exceptions, each instruction");
	/* The throw's last jump has its target in a register alone, at one instruction for each
	 * landing: cut off, and said to be. */
	ck_assert_uint_eq(judgement.disagreements, judgement.short_stacks);
	ck_assert_uint_lt(judgement.disagreements * 1000, judgement.stacks);
	ck_assert_uint_gt(judgement.stacks, 1000);
}
END_TEST

static void use_plugin(plugin_function *run)
{
	run(judge_here);
	run(raise_signal);
}

static plugin_function *plugin_run;

static void call_plugin(void)
{
	plugin_run(nothing);
}

static void step_through_plugin(plugin_function *run)
{
	plugin_run = run;
	step_through(call_plugin, 5000);
}

START_TEST(a_library_that_comes_and_goes)
{
	judge_start();
	handle(SIGUSR1, on_signal, 0);
	for (int i = 0; i < 20; i++)
		with_plugin(use_plugin);
	with_plugin(step_through_plugin);
	ck_assert_uint_eq(judge_report("dlopen and dlclose"), 0);
}
END_TEST

static void on_outer(int number)
{
	(void)number;
	raise_signal();
	shapes_run(raise_signal);
}

static void raise_outer(void)
{
	raise(SIGUSR2);
	__asm__ volatile("" ::: "memory");
}

START_TEST(handlers_upon_handlers)
{
	judge_start();
	handle(SIGUSR1, on_signal, 0);
	signal(SIGUSR2, on_outer);
	shapes_run(raise_outer);
	judge_here();
	ck_assert_uint_eq(judge_report("nested handlers"), 0);
}
END_TEST

START_TEST(a_handler_on_another_stack)
{
	stack_t other = {.ss_sp = malloc(1 << 16), .ss_size = 1 << 16};
	struct sigaction action = {.sa_handler = on_outer, .sa_flags = SA_ONSTACK};

	judge_start();
	ck_assert_int_eq(sigaltstack(&other, NULL), 0);
	handle(SIGUSR1, on_signal, 0);
	sigaction(SIGUSR2, &action, NULL);
	raise_outer();
	ck_assert_uint_eq(judge_report("handler on an alternate stack"), 0);
}
END_TEST

static double cpu_seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Of CPU time, as the timer's: on a machine that others use, two seconds may hold hardly any. */
START_TEST(random_instants_for_two_seconds)
{
	struct itimerval period = {{0, 500}, {0, 500}}, never = {{0, 0}, {0, 0}};

	judge_start();
	throws(); /* the unwinders' libraries allocate at first */
	handle(SIGPROF, on_signal, SA_RESTART);
	setitimer(ITIMER_PROF, &period, NULL);
	for (double end = cpu_seconds() + 2; cpu_seconds() < end;) {
		libc_work();
		shapes_run(nothing);
		clocks();
	}
	setitimer(ITIMER_PROF, &never, NULL);
	ck_assert_uint_eq(judge_report("random instants"), 0);
	ck_assert_uint_gt(judgement.stacks, 50);
}
END_TEST

/* ---- reading only what is there ---- */

static uint64_t random_state = 88172645463325252u;

static uint64_t random_word(void)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return random_state;
}

static uint64_t random_address(const char *holes)
{
	uint64_t word = random_word();

	switch (random_word() % 6) {
	case 0:
		return word;
	case 1:
		return word % 100000;
	case 2: /* the edges of pages that are there and pages that are not */
		return (uint64_t)holes + (word % 64) * PAGE + (word >> 32) % 64 - 32;
	case 3:
		return ((uint64_t)holes + word % (64 * PAGE)) & ~7u;
	case 4:
		return (uint64_t)&word + (word % 100000 & ~7u);
	default:
		return word & 0x00007ffffffffff8u;
	}
}

static uint64_t random_code(void)
{
	static const void *const near[] = {memcpy, qsort, printf, shapes_run, malloc, unwind_walk};

	if (random_word() % 8 == 0)
		return random_word();
	return (uint64_t)near[random_word() % 6] + random_word() % 100000;
}

/* Every other page of 64 is not there; the others are full of addresses. */
static char *make_holes(void)
{
	char *holes =
		mmap(NULL, 64 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	for (int i = 0; i < 64 * PAGE / 8; i++)
		((uint64_t *)holes)[i] =
			i % 2 ? random_code() : (uint64_t)holes + random_word() % (64 * PAGE);
	for (int i = 0; i < 64; i += 2)
		munmap(holes + i * PAGE, PAGE);
	return holes;
}

START_TEST(garbage_registers_are_survived)
{
	static struct unwind_path path;
	static struct unwind_slots slots;
	const struct unwind_stack unknown = {0, 0};

	judge_start();
	char *holes = make_holes();
	for (int i = 0; i < 100000; i++) {
		uint64_t registers[64];
		for (int r = 0; r < 64; r++)
			registers[r] = random_address(holes);
		struct unwind_frame frame = {
			.pc = random_code(),
			.sp = random_address(holes),
			.fp = random_address(holes),
			.registers = i % 2 ? registers : NULL,
			.is_exact = i % 2,
		};
		unwind_walk(&frame, &unknown, &path, i % 4 < 2 ? &slots : NULL);
		ck_assert_uint_le(path.count, UNWIND_DEPTH);
	}
}
END_TEST

/* Code that is left by way of the frame pointer, from the label on. */
__asm__(".text\n"
	"with_frame_pointer: .cfi_startproc\n"
	"push %rbp\n"
	".cfi_def_cfa_offset 16\n"
	".cfi_offset %rbp, -16\n"
	"mov %rsp, %rbp\n"
	".cfi_def_cfa_register %rbp\n"
	"nop\n"
	"place_with_frame_pointer: nop\n"
	"pop %rbp\n"
	"ret\n"
	".cfi_endproc\n");
extern const char place_with_frame_pointer[];

START_TEST(a_page_between_two_that_were_read_is_not_taken_for_granted)
{
	static struct unwind_path path;
	const struct unwind_stack unknown = {0, 0};

	judge_start();
	char *pages =
		mmap(NULL, 4 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	munmap(pages + 2 * PAGE, PAGE);
	/* the return address is the first word of the last page, the saved frame pointer the last
	 * word of the hole */
	struct unwind_frame frame = {
		.pc = (uint64_t)place_with_frame_pointer,
		.sp = (uint64_t)pages + 64,
		.fp = (uint64_t)pages + 3 * PAGE - 8,
	};
	unwind_walk(&frame, &unknown, &path, NULL);
	ck_assert_uint_eq(path.count, 1);
	ck_assert(path.is_truncated);
}
END_TEST

/* ---- words that a walk depended on ---- */

static struct unwind_slots check_slots;

__attribute__((noinline, optimize("no-omit-frame-pointer"))) static void walk_with_slots(void)
{
	static struct unwind_path path;
	const struct site *site = SITE_HERE;
	struct unwind_frame frame = {.pc = site->caller, .sp = site->sp, .fp = site->fp};
	struct unwind_stack stack = {real_stack_end() - (8 << 20), real_stack_end()};

	unwind_walk(&frame, &stack, &path, &check_slots);
	ck_assert_uint_gt(path.count, 2);
}

static bool slot_change_is_seen(uint32_t slot)
{
	volatile uint64_t *word = (volatile uint64_t *)check_slots.slot[slot].address;
	uint64_t before = *word;

	*word = before + 1;
	bool is_same = unwind_check(&check_slots);
	*word = before;
	return !is_same;
}

START_TEST(a_changed_word_is_noticed)
{
	judge_start();
	walk_with_slots();
	ck_assert_uint_gt(check_slots.count, 2);
	ck_assert_uint_le(check_slots.count, UNWIND_SLOTS);
	ck_assert(unwind_check(&check_slots));
	for (uint32_t i = 0; i < check_slots.count; i++)
		ck_assert_msg(slot_change_is_seen(i), "slot %u", i);
	ck_assert(unwind_check(&check_slots));
}
END_TEST

START_TEST(a_walk_that_cannot_be_checked_says_so)
{
	static struct unwind_slots slots = {.count = UINT32_MAX};

	ck_assert(!unwind_check(&slots));
}
END_TEST

static struct unwind_path thread_path;

static void *walk_in_thread(void *unused)
{
	struct unwind_frame frame = {
		.pc = (uint64_t)__builtin_return_address(0),
		.sp = (uint64_t)__builtin_dwarf_cfa(),
		.fp = *(uint64_t *)__builtin_frame_address(0),
	};
	struct unwind_stack unknown = {0, 0};

	(void)unused;
	unwind_walk(&frame, &unknown, &thread_path, NULL);
	return NULL;
}

START_TEST(a_threads_stack_ends_at_its_beginning)
{
	pthread_t thread;

	judge_start();
	pthread_create(&thread, NULL, walk_in_thread, NULL);
	pthread_join(thread, NULL);
	ck_assert_uint_ge(thread_path.count, 1);
	ck_assert(!thread_path.is_truncated);
	uint64_t start = thread_path.place[0];
	unwind_start(start - 1, start);
	pthread_create(&thread, NULL, walk_in_thread, NULL);
	pthread_join(thread, NULL);
	ck_assert_uint_eq(thread_path.count, 0);
	ck_assert(!thread_path.is_truncated);
}
END_TEST

UNIT_MAIN("unwind", plain_calls_of_all_shapes, signals_in_all_shapes,
	  every_instruction_of_all_shapes, every_instruction_of_libc_calls,
	  every_instruction_of_lazy_binding, every_instruction_of_clock_calls, exceptions_in_flight,
	  every_instruction_of_a_throw, a_library_that_comes_and_goes, handlers_upon_handlers,
	  a_handler_on_another_stack, random_instants_for_two_seconds,
	  garbage_registers_are_survived,
	  a_page_between_two_that_were_read_is_not_taken_for_granted, a_changed_word_is_noticed,
	  a_walk_that_cannot_be_checked_says_so, a_threads_stack_ends_at_its_beginning)

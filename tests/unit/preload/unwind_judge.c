/* SPDX-License-Identifier: MIT */
#define UNW_LOCAL_ONLY
#include "unwind_judge.h"

#include "arch.h"
#include "preload/process/module_map.h"
#include "preload/process/real.h"
#include "preload/stacks/site.h"
#include "preload/stacks/unwind.h"

#include <dlfcn.h>
#include <libunwind.h>
#include <stdio.h>
#include <string.h>

enum ending { AN_END = 0, TRUNCATED = 1 };
enum { KINDS = 64, KNOWN = 1 << 16, DEPTH = UNWIND_DEPTH };

struct judgement judgement;
extern const char _start[]; /* the outermost routine of every stack here */

/* One kind of disagreement: the frame that the two left differently. */
struct kind {
	uint64_t left;
	uint64_t ours, theirs; /* enum ending, if the stack ended there */
	unsigned long count;
};

static struct {
	struct kind kinds[KINDS];
	unsigned kind_count;
	uint64_t has_information[KNOWN]; /* by hash: places for which the judge has call-frame
					    information */
	struct unwind_stack stack;
	struct unwind_path path;
	uint64_t theirs[DEPTH];
	unsigned count;
	bool is_whole; /* the judge came to the outermost frame without guessing */
} judge;

void judge_start(void)
{
	real_resolve();
	module_map_start();
	unwind_start(0, 0);
	unw_set_caching_policy(unw_local_addr_space,
			       UNW_CACHE_NONE); /* it must see what dlclose takes away */
	judge.stack = (struct unwind_stack){real_stack_end() - (8 << 20), real_stack_end()};
}

static bool has_information(unw_cursor_t *cursor, uint64_t pc)
{
	uint64_t *known = &judge.has_information[(pc * 0x9e3779b97f4a7c15u) >> 48];
	unw_proc_info_t info;

	if (*known == pc)
		return true;
	/* where it has none it reports a procedure of one byte */
	if (unw_get_proc_info(cursor, &info) < 0 || info.end_ip - info.start_ip <= 1)
		return false;
	*known = pc;
	return true;
}

static void walk_theirs(unw_cursor_t *cursor)
{
	judge.count = 0;
	judge.is_whole = false;
	while (judge.count < DEPTH) {
		unw_word_t pc;
		if (unw_get_reg(cursor, UNW_REG_IP, &pc) < 0 || !pc)
			return;
		judge.theirs[judge.count++] = pc;
		if (!has_information(cursor, pc))
			return;
		int step = unw_step(cursor);
		judge.is_whole = step == 0 && pc - (uint64_t)_start < 64;
		if (step <= 0)
			return;
	}
}

static void note_disagreement(uint64_t left, uint64_t ours, uint64_t theirs)
{
	unsigned at = 0;

	judgement.disagreements++;
	judgement.short_stacks += ours == TRUNCATED;
	while (at < judge.kind_count && judge.kinds[at].left != left)
		at++;
	if (at == KINDS)
		return;
	if (at == judge.kind_count)
		judge.kinds[judge.kind_count++] =
			(struct kind){.left = left, .ours = ours, .theirs = theirs};
	judge.kinds[at].count++;
}

static void compare(void)
{
	const struct unwind_path *path = &judge.path;
	uint64_t left = 0;

	judgement.stacks++;
	judgement.guessed += !judge.is_whole && judge.count < DEPTH;
	for (unsigned i = 0; i < judge.count || (judge.is_whole && i < path->count); i++) {
		uint64_t ours = i < path->count ? path->place[i] & ~UNWIND_EXACT
						: (path->is_truncated ? TRUNCATED : AN_END);
		uint64_t theirs = i < judge.count ? judge.theirs[i] : AN_END;
		if (ours != theirs) {
			note_disagreement(left, ours, theirs);
			return;
		}
		left = theirs;
		judgement.frames++;
	}
	if (judge.is_whole && path->is_truncated)
		note_disagreement(left, TRUNCATED, AN_END);
}

void judge_context(const ucontext_t *context)
{
	static uint64_t registers[ARCH_REGISTERS];
	static unw_context_t copy;
	static unw_cursor_t cursor;

	arch_registers_of(context, registers);
	struct unwind_frame frame = {
		.pc = registers[ARCH_PC],
		.sp = registers[ARCH_SP],
		.fp = registers[ARCH_FP],
		.registers = registers,
		.is_exact = true,
	};
	unwind_walk(&frame, &judge.stack, &judge.path, NULL);
	copy = *context;
	unw_init_local2(&cursor, &copy, UNW_INIT_SIGNAL_FRAME);
	walk_theirs(&cursor);
	compare();
}

__attribute__((noinline, optimize("no-omit-frame-pointer"))) void judge_here(void)
{
	const struct site *site = SITE_HERE;
	struct unwind_frame frame = {.pc = site->caller, .sp = site->sp, .fp = site->fp};
	unw_context_t context;
	unw_cursor_t cursor;

	unwind_walk(&frame, &judge.stack, &judge.path, NULL);
	unw_getcontext(&context);
	unw_init_local(&cursor, &context);
	unw_step(&cursor);
	walk_theirs(&cursor);
	compare();
}

static void print_place(const char *what, uint64_t pc)
{
	Dl_info info = {0};

	if (pc <= TRUNCATED)
		printf("  %s: %s", what, pc == TRUNCATED ? "truncated" : "the end");
	else if (!dladdr((void *)pc, &info))
		printf("  %s: %#lx", what, pc);
	else
		printf("  %s: %s+%#lx (%s+%#lx)", what, info.dli_sname ? info.dli_sname : "?",
		       info.dli_saddr ? pc - (uint64_t)info.dli_saddr : 0, info.dli_fname,
		       pc - (uint64_t)info.dli_fbase);
}

unsigned long judge_report(const char *what)
{
	for (unsigned i = 0; i < judge.kind_count; i++) {
		printf("%s: %lu stacks disagree:", what, judge.kinds[i].count);
		print_place("leaving", judge.kinds[i].left);
		print_place("ours", judge.kinds[i].ours);
		print_place("libunwind", judge.kinds[i].theirs);
		printf("\n");
	}
	printf("%s: %lu stacks, %lu frames compared, %lu stacks in part guessed by libunwind, %lu disagree\n",
	       what, judgement.stacks, judgement.frames, judgement.guessed,
	       judgement.disagreements);
	fflush(stdout);
	return judgement.disagreements;
}

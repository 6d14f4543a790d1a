/* SPDX-License-Identifier: MIT */
/* What a thread's sections took: begins and ends of all kinds against sums over the rows. */
#include "preload/sections/section_stack.h"

#include "preload/base/clock.h"
#include "preload/process/process_row.h"
#include "preload/sections/section_names.h"
#include "preload/sections/section_phase.h"
#include "preload/sections/section_root.h"
#include "preload/stacks/callpath.h"
#include "scratch.h"
#include "tests/unit/unit.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBER = 7, MS = 1000000 };

static struct row_threads row;
static struct row_process process;
static struct thread *self;

static void prepare(void)
{
	ck_assert_int_eq(scratch_open(), 0);
	callpath_reset();
	section_names_reset();
	section_phase_reset();
	process_row = &process;
	concurrency_start(clock_now_ns(), 2);
	self = calloc(1, sizeof *self);
	self->row = &row;
	self->number = NUMBER;
	self->event_ring.row = &row;
	ck_assert(section_stack_make(self));
}

struct sum {
	uint32_t section;
	struct row_section_times of;
};

static void add(const struct format_block *block, void *context)
{
	struct sum *sum = context;
	const struct row_section_times *at = (const void *)(block + 1);

	for (uint32_t i = 0; block->table == TABLE_section_times && i < block->capacity; i++) {
		if (at[i].section != sum->section)
			continue;
		sum->of.count += at[i].count;
		sum->of.ended += at[i].ended;
		sum->of.cut += at[i].cut;
		sum->of.own_ns += at[i].own_ns;
		sum->of.own_cpu_ns += at[i].own_cpu_ns;
		sum->of.sum_ns += at[i].sum_ns;
		sum->of.told_ns += at[i].told_ns;
		sum->of.since_ns |= at[i].since_ns;
		sum->of.min_ns = at[i].min_ns;
		sum->of.max_ns = at[i].max_ns;
		sum->of.own_wait_ns[CAUSE_MUTEX] += at[i].own_wait_ns[CAUSE_MUTEX];
		for (unsigned bin = 0; bin < 32; bin++)
			sum->of.histogram[bin] += at[i].histogram[bin];
	}
}

static struct row_section_times times(uint32_t section)
{
	struct sum sum = {.section = section};

	scratch_walk(add, &sum);
	return sum.of;
}

static uint32_t named(uint32_t parent, const char *name)
{
	return section_number(SECTION_CODE, parent, name);
}

static void pass(uint64_t ns)
{
	uint64_t until_ns = clock_now_ns() + ns;

	while (clock_now_ns() < until_ns)
		;
}

START_TEST(time_is_the_innermost_ones)
{
	prepare();
	uint64_t begin_ns = clock_now_ns();
	section_stack_begin(self, "solve", 0);
	pass(2 * MS);
	section_stack_begin(self, "inner", 0);
	pass(3 * MS);
	section_stack_leave(self, "inner");
	pass(MS);
	section_stack_leave(self, "solve");
	uint64_t whole_ns = clock_now_ns() - begin_ns;
	uint32_t solve = named(0, "solve"), inner = named(solve, "inner");
	struct row_section_times a = times(solve), b = times(inner);
	ck_assert_uint_eq(a.count, 1);
	ck_assert_uint_eq(a.ended, 1);
	ck_assert_uint_eq(b.ended, 1);
	ck_assert_uint_eq(a.own_ns + b.own_ns, a.sum_ns); /* to the ns */
	ck_assert_uint_eq(b.own_ns, b.sum_ns);
	ck_assert_uint_ge(a.own_ns, 3 * MS);
	ck_assert_uint_ge(b.own_ns, 3 * MS);
	ck_assert_uint_le(a.sum_ns, whole_ns + 1000);
	ck_assert_uint_le(a.own_cpu_ns, a.own_ns);
	ck_assert_uint_le(b.own_cpu_ns, b.own_ns);
	ck_assert_uint_gt(b.own_cpu_ns, 0);
	ck_assert_uint_eq(a.min_ns, a.max_ns);
	ck_assert_uint_eq(a.since_ns | b.since_ns, 0);
	ck_assert_uint_eq(self->section, 0);
}
END_TEST

START_TEST(a_recursion_is_one_section)
{
	prepare();
	for (int i = 0; i < 5; i++)
		section_stack_begin(self, "walk", 0);
	pass(MS);
	for (int i = 0; i < 5; i++)
		section_stack_leave(self, "walk");
	struct row_section_times walk = times(named(0, "walk"));
	ck_assert_uint_eq(walk.count, 5);
	ck_assert_uint_eq(walk.ended, 5);
	ck_assert_uint_eq(walk.own_ns, walk.sum_ns);
	ck_assert_uint_eq(self->section, 0);
}
END_TEST

START_TEST(the_end_of_an_outer_one_cuts_those_within)
{
	prepare();
	section_stack_begin(self, "outer", 0);
	section_stack_begin(self, "middle", 0);
	section_stack_begin(self, "inner", 0);
	section_stack_leave(self, "outer"); /* an exception passed the other two */
	uint32_t outer = named(0, "outer"), middle = named(outer, "middle");
	ck_assert_uint_eq(times(outer).ended, 1);
	ck_assert_uint_eq(times(middle).cut, 1);
	ck_assert_uint_eq(times(named(middle, "inner")).cut, 1);
	ck_assert_uint_eq(times(middle).sum_ns, 0);
	ck_assert_uint_eq(self->section, 0);
	ck_assert_uint_eq(times(outer).own_ns + times(middle).own_ns +
				  times(named(middle, "inner")).own_ns,
			  times(outer).sum_ns);
}
END_TEST

START_TEST(ends_without_a_begin_change_nothing)
{
	prepare();
	section_stack_leave(self, "nothing");
	section_stack_leave(self, NULL);
	section_stack_begin(self, "solve", 0);
	section_stack_leave(self, "another");
	ck_assert_uint_eq(self->section, named(0, "solve"));
	section_stack_leave(self, NULL);
	ck_assert_uint_eq(self->section, 0);
	ck_assert_uint_eq(times(named(0, "solve")).ended, 1);
}
END_TEST

START_TEST(deeper_ones_are_not_counted)
{
	prepare();
	for (int i = 0; i < SECTION_LEVELS + 5; i++) {
		char name[] = {(char)('a' + i), '\0'};
		section_stack_begin(self, name, 0);
	}
	for (int i = SECTION_LEVELS + 4; i >= 0; i--) {
		char name[] = {(char)('a' + i), '\0'};
		section_stack_leave(self, name);
	}
	ck_assert_uint_eq(self->section, 0);
	ck_assert_uint_eq(times(named(0, "a")).ended, 1);
}
END_TEST

START_TEST(waits_are_the_innermost_ones)
{
	prepare();
	section_stack_begin(self, "solve", 0);
	section_stack_begin(self, "inner", 0);
	section_stack_waited(self, &(struct section_wait){.ns = 300, .cause = CAUSE_MUTEX});
	section_stack_leave(self, "inner");
	section_stack_waited(self, &(struct section_wait){.ns = 20, .cause = CAUSE_MUTEX});
	section_stack_leave(self, "solve");
	section_stack_waited(self, &(struct section_wait){.ns = 1, .cause = CAUSE_MUTEX});
	uint32_t solve = named(0, "solve");
	ck_assert_uint_eq(times(solve).own_wait_ns[CAUSE_MUTEX], 20);
	ck_assert_uint_eq(times(named(solve, "inner")).own_wait_ns[CAUSE_MUTEX], 300);
}
END_TEST

struct longest {
	uint32_t section;
	unsigned count;
	uint64_t shortest_ns, longest_ns, wait_ns;
};

static void look(const struct format_block *block, void *context)
{
	struct longest *longest = context;
	const struct row_section_longest *at = (const void *)(block + 1);

	for (uint32_t i = 0; block->table == TABLE_section_longest && i < block->capacity; i++) {
		if (at[i].section != longest->section || !at[i].length_ns)
			continue;
		longest->count++;
		if (!longest->shortest_ns || at[i].length_ns < longest->shortest_ns)
			longest->shortest_ns = at[i].length_ns;
		if (at[i].length_ns > longest->longest_ns)
			longest->longest_ns = at[i].length_ns;
		if (at[i].wait_ns)
			longest->wait_ns = at[i].wait_ns;
	}
}

START_TEST(the_longest_are_kept)
{
	prepare();
	for (unsigned i = 0; i < 100; i++) {
		section_stack_begin(self, "step", 0);
		pass(i % 10 == 3 ? MS : 1000);
		if (i == 53) {
			section_stack_begin(self, "io", 0);
			pass(20 * MS); /* who is longer by chance is rare */
			section_stack_waited(
				self, &(struct section_wait){.ns = 900000, .cause = CAUSE_WRITE});
			section_stack_leave(self, "io");
		}
		section_stack_leave(self, "step");
	}
	struct longest longest = {.section = named(0, "step")};
	struct row_section_times step = times(longest.section);
	scratch_walk(look, &longest);
	ck_assert_uint_eq(longest.count, SECTION_LONGEST);
	ck_assert_uint_ge(longest.shortest_ns, MS);
	ck_assert_uint_eq(longest.longest_ns, step.max_ns);
	ck_assert_uint_eq(longest.wait_ns, 900000); /* also of a section within */
	ck_assert_uint_eq(step.ended, 100);
	uint64_t lengths = 0;
	for (unsigned bin = 0; bin < 32; bin++)
		lengths += step.histogram[bin];
	ck_assert_uint_eq(lengths, 100);
}
END_TEST

START_TEST(t_i_is_told_of_some_of_many)
{
	prepare();
	for (unsigned i = 0; i < 100000; i++) {
		section_stack_begin(self, "step", 0);
		section_stack_leave(self, "step");
	}
	struct row_section_times step = times(named(0, "step"));
	ck_assert_uint_eq(step.ended, 100000);
	ck_assert_uint_gt(step.told_ns, 0);
	ck_assert_uint_lt(step.told_ns, step.sum_ns / 2);
	ck_assert_uint_eq(self->event_ring.sections_reserved, 0);
}
END_TEST

START_TEST(marks_have_values)
{
	prepare();
	section_stack_mark(self, "residual", 5);
	section_stack_mark(self, "residual", -3);
	section_stack_mark(self, "residual", 2);
	uint32_t mark = section_number(SECTION_MARK, 0, "residual");
	ck_assert_uint_eq(scratch_sum(TABLE_marks, mark, offsetof(struct row_marks, count)), 3);
	ck_assert_int_eq(
		(int64_t)scratch_sum(TABLE_marks, mark, offsetof(struct row_marks, min_value)), -3);
	ck_assert_uint_eq(scratch_sum(TABLE_marks, mark, offsetof(struct row_marks, max_value)), 5);
	ck_assert_uint_eq(scratch_sum(TABLE_marks, mark, offsetof(struct row_marks, first_value)),
			  5);
	ck_assert_uint_eq(scratch_sum(TABLE_marks, mark, offsetof(struct row_marks, last_value)),
			  2);
}
END_TEST

START_TEST(a_phase_ends_the_one_before)
{
	prepare();
	section_phase_begin(self, "read");
	pass(MS);
	section_phase_begin(self, "solve");
	pass(2 * MS);
	section_phase_begin(self, NULL);
	section_phase_begin(self, NULL);
	struct row_section_times read = times(section_number(SECTION_PHASE, 0, "read"));
	struct row_section_times solve = times(section_number(SECTION_PHASE, 0, "solve"));
	ck_assert_uint_eq(read.ended, 1);
	ck_assert_uint_ge(read.sum_ns, MS);
	ck_assert_uint_ge(solve.sum_ns, 2 * MS);
	ck_assert_uint_eq(solve.count, 1);
	ck_assert_uint_eq(solve.own_ns, 0);
	ck_assert_uint_eq(section_phase_now(), 0);
}
END_TEST

START_TEST(paths_of_a_section_are_its_own)
{
	struct unwind_path stack = {.count = 1, .place = {0x1000}};

	prepare();
	uint32_t outside = callpath_of(&stack, section_root(self));
	section_stack_begin(self, "solve", 0);
	uint32_t inside = callpath_of(&stack, section_root(self));
	section_phase_begin(self, "first");
	uint32_t in_phase = callpath_of(&stack, section_root(self));
	ck_assert_uint_ne(outside, inside);
	ck_assert_uint_ne(inside, in_phase);
	ck_assert_uint_eq(callpath_parent(outside), 0);
	ck_assert_uint_ne(callpath_parent(inside), 0);
	ck_assert_uint_eq(callpath_parent(callpath_parent(inside)), 0);
	ck_assert_uint_eq(callpath_parent(callpath_parent(callpath_parent(in_phase))), 0);
	section_phase_begin(self, NULL);
	ck_assert_uint_eq(callpath_of(&stack, section_root(self)), inside);
	section_stack_leave(self, "solve");
	ck_assert_uint_eq(callpath_of(&stack, section_root(self)), outside);
}
END_TEST

START_TEST(names_are_cut_and_counted)
{
	char longer[1000], other[1000];

	prepare();
	memset(longer, 'x', sizeof longer);
	memset(other, 'x', sizeof other);
	longer[999] = other[999] = '\0';
	other[998] = 'y';
	ck_assert_uint_eq(named(0, longer),
			  named(0, other)); /* they agree as far as they are kept */
	other[100] = 'y';
	ck_assert_uint_ne(named(0, longer), named(0, other));
	ck_assert_uint_ne(named(0, "a"), named(0, "ab"));
	ck_assert_uint_ne(named(0, "a"), named(named(0, "a"), "a"));
	ck_assert_uint_ne(named(0, "a"), section_number(SECTION_PHASE, 0, "a"));
	uint32_t last = 0;
	for (unsigned i = 0; i < 1000; i++) {
		char name[16];
		snprintf(name, sizeof name, "n%u", i);
		last = named(0, name);
		ck_assert_uint_ne(last, 0);
		ck_assert_uint_lt(last, SECTION_LIMIT);
	}
	ck_assert(section_has_name(last, "[other]"));
	ck_assert_uint_eq(named(0, "n1"), named(0, "n1"));
	ck_assert(!section_has_name(named(0, "n1"), "[other]"));
}
END_TEST

static void *name_all(void *unused)
{
	(void)unused;
	for (unsigned i = 0; i < 60; i++) {
		char name[16];
		snprintf(name, sizeof name, "n%u", i);
		ck_assert_uint_ne(named(0, name), 0);
	}
	return NULL;
}

START_TEST(further_names_end_as_well)
{
	prepare();
	for (unsigned i = 0; i < 1000; i++) {
		char name[16], inner[16];
		snprintf(name, sizeof name, "n%u", i);
		snprintf(inner, sizeof inner, "i%u", i);
		section_stack_begin(self, name, 0);
		section_stack_begin(self, inner, 0);
		section_stack_leave(self, "another");
		section_stack_leave(self, inner);
		section_stack_leave(self, name);
		ck_assert_uint_eq(self->section, 0);
	}
	struct row_section_times other = times(section_number(SECTION_OTHER, 0, "[other]"));
	ck_assert_uint_gt(other.count, 1800);
	ck_assert_uint_eq(other.ended, other.count);
}
END_TEST

START_TEST(threads_agree_on_names)
{
	prepare();
	scratch_run(8, name_all);
	for (unsigned i = 0; i < 60; i++)
		for (unsigned j = 0; j < i; j++) {
			char a[16], b[16];
			snprintf(a, sizeof a, "n%u", i);
			snprintf(b, sizeof b, "n%u", j);
			ck_assert_uint_ne(named(0, a), named(0, b));
		}
}
END_TEST

UNIT_MAIN("sections", time_is_the_innermost_ones, a_recursion_is_one_section,
	  the_end_of_an_outer_one_cuts_those_within, ends_without_a_begin_change_nothing,
	  deeper_ones_are_not_counted, waits_are_the_innermost_ones, the_longest_are_kept,
	  t_i_is_told_of_some_of_many, marks_have_values, a_phase_ends_the_one_before,
	  paths_of_a_section_are_its_own, names_are_cut_and_counted, further_names_end_as_well,
	  threads_agree_on_names)

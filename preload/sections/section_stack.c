/* SPDX-License-Identifier: MIT */
#include "preload/sections/section_stack.h"

#include "preload/base/clock.h"
#include "preload/base/hash.h"
#include "preload/base/interrupted.h"
#include "preload/base/pages.h"
#include "preload/base/system.h"
#include "preload/file/durations.h"
#include "preload/file/note.h"
#include "preload/sections/section_names.h"
#include "preload/thread/overhead.h"

#include <stddef.h>
#include <string.h>

enum {
	READ_NS = 100000, /* how old the latest reading of the CPU clock may be */
	TELL_NS = 20000,  /* between two sections that T_i is told of, on average */
	MEASURED = 64,    /* one call of so many measures what it costs */
	MEMOS = 16,
	ROWS_FIRST = 8,
};

/* A section that is open. */
struct entry {
	uint64_t begin_ns;
	uint64_t frame;  /* of a routine; 0: it is none */
	uint64_t other;  /* of one in [other]: section_name_sum; else 0 */
	uint64_t faults; /* the thread's, when it began */
	struct section_why why;
	struct row_section_times *row;
	uint32_t section;
	bool is_told;   /* T_i knows that it is open */
	bool is_inner;  /* of a recursion: the entry below is the same section */
	bool is_joined; /* section_stack_join */
};

/* Which section a name was last, at that address. */
struct memo {
	const char *name;
	uint32_t parent, section;
	enum section_kind kind;
};

struct section_stack {
	struct row_hash times;
	struct section_longest longest;
	struct row_hash marks;
	struct tsc_clock clock;
	uint64_t last_ns, last_cpu_ns;   /* accounted up to */
	uint64_t read_ns, read_cpu_ns;   /* the latest reading of the CPU clock */
	uint64_t read_waited_ns, faults; /* at that instant */
	uint64_t waited_ns;              /* in all */
	uint64_t tell_at_ns[SECTION_LIMIT];
	uint32_t random, calls;
	uint32_t depth, beyond; /* beyond: open ones that have no entry */
	struct entry entries[SECTION_LEVELS];
	struct memo memos[MEMOS];
	struct row_section_times *rows[SECTION_LIMIT];
	struct row_marks *mark_rows[SECTION_LIMIT];
	struct row_section_times nowhere; /* where there is no room for a row: in no file */
};

static uint64_t since(uint64_t from, uint64_t to)
{
	return likely(to > from) ? to - from : 0;
}

static struct entry *top_of(struct section_stack *stack)
{
	return stack->depth ? &stack->entries[stack->depth - 1] : NULL;
}

/* ---- the thread's life */

static void prepare(struct thread *thread, struct section_stack *stack)
{
	row_hash_prepare(&stack->times, TABLE_section_times, sizeof(struct row_section_times),
			 thread->number, ROWS_FIRST, SECTION_LIMIT * 2);
	row_hash_prepare(&stack->marks, TABLE_marks, sizeof(struct row_marks), thread->number,
			 ROWS_FIRST, SECTION_LIMIT * 2);
	section_longest_prepare(&stack->longest, thread->number);
	stack->random = thread->number + 1;
	stack->last_ns = clock_now_ns();
	stack->last_cpu_ns = clock_thread_cpu_ns();
}

bool section_stack_make(struct thread *thread)
{
	struct section_stack *made;

	if (likely(thread->sections))
		return true;
	made = pages_new(sizeof *made);
	if (!made)
		return false;
	prepare(thread, made);
	interrupted_fence();
	thread->sections = made;
	return true;
}

void section_stack_renew(struct thread *thread)
{
	thread->section = thread->section_root = thread->section_root_key = 0;
	if (!thread->sections)
		return;
	memset(thread->sections, 0, sizeof *thread->sections);
	prepare(thread, thread->sections);
}

/* ---- the account */

/* The thread's CPU time up to now. */
static void read_cpu(struct section_stack *stack, uint64_t now_ns, uint64_t cpu_ns)
{
	stack->read_ns = now_ns;
	stack->read_cpu_ns = cpu_ns;
	stack->read_waited_ns = stack->waited_ns;
}

static uint64_t read_faults(void)
{
	struct rusage usage = {0};

	system_usage(&usage);
	return (uint64_t)usage.ru_minflt + (uint64_t)usage.ru_majflt;
}

static uint64_t cpu_at(struct section_stack *stack, uint64_t now_ns)
{
	uint64_t passed_ns = now_ns - stack->read_ns;

	if (likely(passed_ns < READ_NS))
		return stack->read_cpu_ns +
		       since(stack->waited_ns - stack->read_waited_ns, passed_ns);
	read_cpu(stack, now_ns, clock_thread_cpu_ns());
	stack->faults = read_faults();
	return stack->read_cpu_ns;
}

/* What passed is the innermost section's. Never more CPU time than time: what a reading of the
 * clock shows too late comes with the next one. */
static void pass(struct section_stack *stack, uint64_t now_ns, uint64_t cpu_ns)
{
	struct entry *top = top_of(stack);
	uint64_t ns = since(stack->last_ns, now_ns), used_ns = since(stack->last_cpu_ns, cpu_ns);

	used_ns = used_ns < ns ? used_ns : ns;
	stack->last_ns += ns;
	stack->last_cpu_ns += used_ns;
	if (!top)
		return;
	top->row->own_ns += ns;
	top->row->own_cpu_ns += used_ns;
	top->row->since_ns = stack->last_ns;
	top->why.cpu_ns += used_ns;
}

void section_stack_settle(struct thread *thread, uint64_t now_ns, uint64_t cpu_ns)
{
	struct section_stack *stack = thread->sections;

	if (likely(!stack) || thread->is_busy)
		return;
	read_cpu(stack, now_ns, cpu_ns);
	pass(stack, now_ns, cpu_ns);
}

void section_stack_pass(struct thread *thread, uint64_t now_ns)
{
	struct section_stack *stack = thread->sections;

	pass(stack, now_ns, cpu_at(stack, now_ns));
}

void section_stack_waited(struct thread *thread, const struct section_wait *wait)
{
	struct section_stack *stack = thread->sections;
	struct entry *top = top_of(stack);

	stack->waited_ns += wait->ns;
	if (!top)
		return;
	top->row->own_wait_ns[wait->cause] += wait->ns;
	section_why_waited(&top->why, wait);
}

uint64_t section_stack_now_ns(struct thread *thread)
{
	return tsc_clock_now_ns(&thread->sections->clock);
}

uint64_t section_stack_cpu_ns(const struct thread *thread)
{
	return since(thread->birth_cpu_ns, thread->sections->last_cpu_ns);
}

/* ---- rows and names */

static struct row_section_times *row_of(struct section_stack *stack, uint32_t section)
{
	struct row_section_times *row = stack->rows[section];

	if (likely(row))
		return row;
	row = row_hash_find(&stack->times, section, section);
	stack->rows[section] = row ? row : &stack->nowhere;
	return stack->rows[section];
}

static uint32_t find(struct section_stack *stack, enum section_kind kind, uint32_t parent,
		     const char *name)
{
	struct memo *memo = &stack->memos[hash_slot((uint64_t)name, MEMOS)];

	if (likely(memo->name == name && memo->parent == parent && memo->kind == kind &&
		   memo->section && section_has_name(memo->section, name)))
		return memo->section;
	uint32_t section = section_number(kind, parent, name);
	*memo = (struct memo){.name = name, .parent = parent, .section = section, .kind = kind};
	return section;
}

/* Own cost of a call that read the clock first. */
static void add_cost(struct thread *thread, uint64_t since_ns)
{
	if (unlikely(++thread->sections->calls % MEASURED == 0))
		overhead_add(thread, since(since_ns, section_stack_now_ns(thread)), MEASURED,
			     OVERHEAD_CALL_NS);
}

static void show_innermost(struct thread *thread, uint64_t now_ns)
{
	const struct entry *top = top_of(thread->sections);

	thread->section = top ? top->section : 0;
	if (top)
		top->row->since_ns = now_ns;
}

/* ---- one is over */

static void add_length(struct row_section_times *row, uint64_t ns, bool is_told)
{
	durations_add(DURATIONS_OF(row), ns, !row->sum_ns);
	row->told_ns += is_told ? ns : 0;
}

static void count_end(struct section_stack *stack, const struct entry *entry, uint64_t now_ns)
{
	uint64_t ns = since(entry->begin_ns, now_ns);

	entry->row->ended++;
	if (entry->is_inner)
		return;
	add_length(entry->row, ns, entry->is_told);
	section_longest_look(&stack->longest, entry->section,
			     &(struct section_length){
				     .number = entry->row->count,
				     .begin_ns = entry->begin_ns,
				     .ns = ns,
				     .faults = since(entry->faults, stack->faults),
				     .why = &entry->why,
			     });
}

static void pop(struct thread *thread, bool is_cut, uint64_t now_ns)
{
	struct section_stack *stack = thread->sections;
	struct entry *entry = top_of(stack);

	stack->depth--;
	interrupted_fence();
	entry->row->since_ns = 0;
	if (entry->is_told)
		concurrency_close_section(&thread->event_ring, entry->section, now_ns,
					  section_stack_cpu_ns(thread));
	if (unlikely(entry->is_joined))
		; /* who met the region has begun the section, and ends it */
	else if (unlikely(is_cut))
		entry->row->cut++;
	else
		count_end(stack, entry, now_ns);
	if (stack->depth)
		section_why_add(&top_of(stack)->why, &entry->why);
	show_innermost(thread, now_ns);
}

/* ---- begin */

/* Of a section that comes a million times a second T_i is told of some. */
static bool is_to_be_told(struct section_stack *stack, uint32_t section, uint64_t now_ns)
{
	if (likely(now_ns < stack->tell_at_ns[section]))
		return false;
	stack->random = stack->random * 1664525 + 1013904223;
	stack->tell_at_ns[section] = now_ns + TELL_NS / 2 + (stack->random >> 16) % TELL_NS;
	return true;
}

static bool is_recursion(const struct entry *top, const char *name)
{
	return top && !top->other && section_has_name(top->section, name);
}

/* The entry counts last: if a handler jumps out of the rest, there is none. */
static struct entry *push(struct thread *thread, uint32_t section, uint64_t now_ns)
{
	struct section_stack *stack = thread->sections;
	struct entry *top = top_of(stack), *entry = &stack->entries[stack->depth];

	*entry = (struct entry){
		.begin_ns = now_ns,
		.faults = stack->faults,
		.row = row_of(stack, section),
		.section = section,
	};
	if (top)
		top->row->since_ns = 0;
	interrupted_fence();
	stack->depth++;
	show_innermost(thread, now_ns);
	return entry;
}

static void tell(struct thread *thread, struct entry *entry, uint64_t now_ns)
{
	entry->is_told = is_to_be_told(thread->sections, entry->section, now_ns) &&
			 concurrency_open_section(&thread->event_ring, entry->section, now_ns,
						  section_stack_cpu_ns(thread));
}

static bool is_own(const struct thread *thread, uint64_t address)
{
	return address >= thread->stack.low && address < thread->stack.high;
}

/* A routine whose frame lies where this one's does, or further in, is over, and so is what is
 * within it. Of frames on other stacks (coroutines, handlers) nothing is known. */
__attribute__((noinline)) static void drop_left(struct thread *thread, uint64_t frame,
						uint64_t now_ns)
{
	struct section_stack *stack = thread->sections;
	uint32_t at = 0;

	while (at < stack->depth &&
	       !(is_own(thread, stack->entries[at].frame) && stack->entries[at].frame <= frame))
		at++;
	if (at == stack->depth || !is_own(thread, frame))
		return;
	section_stack_pass(thread, now_ns);
	while (stack->depth > at)
		pop(thread, true, now_ns);
}

void section_stack_begin(struct thread *thread, const char *name, uint64_t frame)
{
	struct section_stack *stack = thread->sections;
	uint64_t now_ns = section_stack_now_ns(thread);

	if (unlikely(frame))
		drop_left(thread, frame, now_ns);
	struct entry *top = top_of(stack);
	bool is_inner = is_recursion(top, name);
	uint32_t section =
		is_inner ? top->section : find(stack, SECTION_CODE, thread->section, name);

	if (unlikely(!section || stack->depth == SECTION_LEVELS)) {
		stack->beyond++;
		note_once(NOTE_SECTIONS_DEEP, SECTION_LEVELS);
		return;
	}
	section_stack_pass(thread, now_ns);
	struct entry *entry = push(thread, section, now_ns);
	entry->row->count++;
	entry->is_inner = is_inner;
	entry->frame = frame;
	if (unlikely(section_is_other(section)) && !section_has_name(section, name))
		entry->other = section_name_sum(name);
	if (!is_inner)
		tell(thread, entry, now_ns);
	add_cost(thread, now_ns);
}

/* ---- end */

static bool is_called(const struct entry *entry, const char *name)
{
	if (unlikely(entry->other))
		return entry->other == section_name_sum(name);
	return section_has_name(entry->section, name);
}

/* The entry that has the name, and all above it are cut; the number of entries: none has. */
static uint32_t find_open(const struct section_stack *stack, const char *name)
{
	uint32_t at = stack->depth;

	while (at && !stack->entries[at - 1].is_joined && name &&
	       !is_called(&stack->entries[at - 1], name))
		at--;
	return at && !stack->entries[at - 1].is_joined ? at - 1 : stack->depth;
}

void section_stack_leave(struct thread *thread, const char *name)
{
	struct section_stack *stack = thread->sections;
	uint64_t now_ns = section_stack_now_ns(thread);
	uint32_t at = find_open(stack, name);

	if (unlikely(stack->beyond)) {
		stack->beyond--;
		return;
	}
	if (unlikely(at == stack->depth)) {
		note_once(NOTE_SECTION_ENDS, 0);
		return;
	}
	section_stack_pass(thread, now_ns);
	while (stack->depth > at + 1)
		pop(thread, true, now_ns);
	pop(thread, false, now_ns);
	add_cost(thread, now_ns);
}

void section_stack_join(struct thread *thread, uint32_t section)
{
	struct section_stack *stack = thread->sections;
	uint64_t now_ns = section_stack_now_ns(thread);

	if (stack->depth == SECTION_LEVELS)
		return;
	section_stack_pass(thread, now_ns);
	push(thread, section, now_ns)->is_joined = true;
}

void section_stack_part(struct thread *thread)
{
	struct section_stack *stack = thread->sections;
	uint64_t now_ns = section_stack_now_ns(thread);
	uint32_t at = stack->depth;

	while (at && !stack->entries[at - 1].is_joined)
		at--;
	if (!at)
		return;
	section_stack_pass(thread, now_ns);
	while (stack->depth >= at)
		pop(thread, true, now_ns);
}

void section_stack_end(struct thread *thread, uint64_t now_ns, uint64_t cpu_ns)
{
	struct section_stack *stack = thread->sections;

	if (!stack)
		return;
	pass(stack, now_ns, cpu_ns);
	while (stack->depth)
		pop(thread, true, now_ns);
	stack->beyond = 0;
}

/* ---- marks, and phases */

void section_stack_mark(struct thread *thread, const char *name, int64_t value)
{
	struct section_stack *stack = thread->sections;
	uint32_t mark = find(stack, SECTION_MARK, 0, name);
	struct row_marks *row = stack->mark_rows[mark];

	if (unlikely(!row && mark))
		row = stack->mark_rows[mark] = row_hash_find(&stack->marks, mark, mark);
	if (unlikely(!row))
		return;
	row->last_ns = section_stack_now_ns(thread);
	row->last_value = (uint64_t)value;
	if (value > (int64_t)row->max_value || !row->count)
		row->max_value = (uint64_t)value;
	if (value < (int64_t)row->min_value || !row->count)
		row->min_value = (uint64_t)value;
	if (!row->count) {
		row->first_ns = row->last_ns;
		row->first_value = (uint64_t)value;
	}
	row->count++;
}

void section_stack_count_phase(struct thread *thread, uint32_t ended, uint64_t since_ns,
			       uint32_t begun, uint64_t now_ns)
{
	struct section_stack *stack = thread->sections;

	if (ended) {
		struct row_section_times *row = row_of(stack, ended);

		row->ended++;
		add_length(row, since(since_ns, now_ns), true);
	}
	if (begun)
		row_of(stack, begun)->count++;
}

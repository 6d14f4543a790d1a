/* SPDX-License-Identifier: MIT */
#include "preload/stacks/unwind.h"

#include "arch.h"
#include "preload/base/hash.h"
#include "preload/base/kernel_call.h"
#include "preload/base/likely.h"
#include "preload/process/module_map.h"
#include "preload/stacks/cfi.h"
#include "preload/stacks/cfi_expression.h"

#include <errno.h>
#include <string.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

/* What a step does; packed into 64 bits, so that an entry of the cache is two words. */
enum rule_kind {
	RULE_SP = 1,  /* CFA = sp + offset */
	RULE_FP,      /* CFA = fp + offset */
	RULE_SIGNAL,  /* a signal handler's return to what was interrupted */
	RULE_LAST,    /* the outermost frame */
	RULE_STOP,    /* no information */
	RULE_COMPLEX, /* an expression or another register: read the information again each time */
};

enum {
	RULE_SAME = -8192,    /* as an offset: the value is in the register itself */
	RULE_FIELD = 1 << 13, /* offsets of saved registers are 14-bit numbers of 8 bytes */
	RULE_CFA = 1 << 19,   /* CFA offsets are 20-bit numbers of bytes */
	CACHE_ENTRIES = 8192,
	PAGE = 4096,
};

struct rule {
	unsigned kind : 3;
	unsigned is_volatile : 1; /* its object can be unloaded: check that it is still there */
	signed cfa_offset : 20;
	signed fp_offset : 14; /* / 8, from the CFA */
	signed ra_offset : 14;
	unsigned check : 12; /* volatile: of its object; else of the pc, against a torn pair */
} __attribute__((packed));

_Static_assert(sizeof(struct rule) == 8, "a rule is one word");

union packed_rule {
	struct rule rule;
	uint64_t word;
};

/* Two words, written by any thread, the pc last; the rule contains a check of what it belongs
 * to. */
struct cached {
	uint64_t pc, rule;
};

static struct {
	struct cached cache[CACHE_ENTRIES];
	uint64_t thread_begin, thread_end;
} unwinder;

void unwind_start(uint64_t thread_begin, uint64_t thread_end)
{
	unwinder.thread_begin = thread_begin;
	unwinder.thread_end = thread_end;
}

/* ---- memory that may be read ---- */

struct memory {
	uint64_t low, high; /* readable */
	uint64_t begin;     /* where the walk entered this stack */
	bool is_own;        /* the thread's own stack: high never moves */
};

/* Asks the kernel whether one word can be read: where we would crash it returns EFAULT. The
 * question is an invalid change of the signal mask, which the kernel refuses after reading it.
 * Every program needs that system call, so no sandbox kills for it. */
static bool ask_kernel(uint64_t address)
{
	int saved = errno;
	long got = kernel_call(SYS_rt_sigprocmask, -1, address, NULL, 8);
	bool may = got == -1 && errno == EINVAL;

	errno = saved;
	return may;
}

bool unwind_may_read(uint64_t address)
{
	return ask_kernel(address & ~UINT64_C(7));
}

static bool may_read(void *reader, uint64_t address)
{
	struct memory *memory = reader;

	if (likely(address >= memory->low && address + 8 <= memory->high))
		return !(address & 7);
	if (memory->is_own || address & 7 || address - memory->begin > (UINT64_C(1) << 24) ||
	    !ask_kernel(address))
		return false;
	uint64_t page = address & ~(uint64_t)(PAGE - 1);
	if (page != memory->high) /* the pages between have not been asked for */
		memory->low = page;
	memory->high = page + PAGE;
	return true;
}

static struct memory memory_of(uint64_t sp, const struct unwind_stack *stack)
{
	if (sp >= stack->low && sp < stack->high)
		return (struct memory){sp, stack->high, sp, true};
	return (struct memory){sp, sp, sp, false};
}

/* ---- rules ---- */

static uint32_t cache_index(uint64_t pc)
{
	return hash_slot(pc, CACHE_ENTRIES);
}

/* Other bits of the hash than the index. */
static unsigned check_of(uint64_t value)
{
	return hash_product(value) >> 32 & 0xfff;
}

static bool fits(int64_t value, int64_t limit)
{
	return value > -limit && value < limit;
}

static int pack_register(struct cfi_register saved, bool *is_complex)
{
	if (saved.how == CFI_SAME)
		return RULE_SAME;
	if (saved.how != CFI_OFFSET || saved.offset % 8 || !fits(saved.offset / 8, RULE_FIELD - 1))
		*is_complex = true;
	return saved.offset / 8;
}

static struct rule pack(const struct cfi_row *row)
{
	bool is_complex = row->cfa_expression || !fits(row->cfa_offset, RULE_CFA) ||
			  (row->cfa_register != ARCH_SP && row->cfa_register != ARCH_FP);
	struct cfi_register ra = row->ra;

	if (row->is_signal_frame)
		return (struct rule){.kind = RULE_SIGNAL};
	if (ra.how == CFI_UNDEFINED || (ra.how == CFI_SAME && ARCH_RETURN_SAVED))
		return (struct rule){.kind = RULE_LAST};
	struct rule rule = {
		.kind = row->cfa_register == ARCH_SP ? RULE_SP : RULE_FP,
		.cfa_offset = (int)row->cfa_offset,
	};
	rule.fp_offset = pack_register(row->fp, &is_complex);
	rule.ra_offset = pack_register(ra, &is_complex);
	if (is_complex)
		rule.kind = RULE_COMPLEX;
	return rule;
}

/* Code without information that a signal handler returns to. A return address is that of its first
 * instruction, and looked up one byte before. */
static bool is_signal_return(uint64_t pc)
{
	uint64_t code = (pc + 3) & ~UINT64_C(3);

	return unwind_may_read(code) && unwind_may_read(code + 4) &&
	       arch_is_signal_return((const uint32_t *)code);
}

static struct rule look_up(uint64_t pc)
{
	struct code_object object;
	struct cfi_row row;
	struct rule rule = {.kind = RULE_STOP};

	if (!module_map_find(pc, &object))
		return rule; /* generated code: not cached, because it may change at any time */
	if (cfi_find(object.eh_frame_header, pc, &row))
		rule = pack(&row);
	else if (is_signal_return(pc))
		rule.kind = RULE_SIGNAL;
	rule.is_volatile = !module_map_is_permanent(pc);
	rule.check = check_of(rule.is_volatile ? code_object_identity(&object) : pc);
	return rule;
}

static bool is_current(struct rule rule, uint64_t pc)
{
	struct code_object object;

	if (likely(!rule.is_volatile))
		return rule.check == check_of(pc);
	return module_map_find(pc, &object) &&
	       rule.check == check_of(code_object_identity(&object));
}

static struct rule rule_at(uint64_t pc)
{
	struct cached *cached = &unwinder.cache[cache_index(pc)];
	union packed_rule packed;

	if (likely(__atomic_load_n(&cached->pc, __ATOMIC_ACQUIRE) == pc)) {
		packed.word = __atomic_load_n(&cached->rule, __ATOMIC_RELAXED);
		if (likely(is_current(packed.rule, pc)))
			return packed.rule;
	}
	packed.rule = look_up(pc);
	__atomic_store_n(&cached->pc, 0, __ATOMIC_RELAXED);
	__atomic_store_n(&cached->rule, packed.word, __ATOMIC_RELEASE);
	__atomic_store_n(&cached->pc, pc, __ATOMIC_RELEASE);
	return packed.rule;
}

/* ---- steps ---- */

struct walk {
	struct unwind_frame at;
	struct memory memory;
	const struct unwind_stack *stack;
	struct unwind_slots *slots;
	/* The return address's register, of a leaf that keeps it there: known only of frames that
	 * were interrupted, with all their registers or by a signal handler that is walked through.
	 */
	uint64_t link;
	bool has_link;
	struct unwind_slot fp_slot; /* of at.fp; address 0: not saved yet */
};

static bool read_word(struct walk *walk, uint64_t address, uint64_t *value)
{
	if (!may_read(&walk->memory, address))
		return false;
	*value = *(const uint64_t *)address;
	return true;
}

/* NULL: there is none. */
static struct unwind_slot *slot_at(struct unwind_slots *slots, uint32_t number)
{
	if (likely(number < UNWIND_SLOTS))
		return &slots->slot[number];
	number -= UNWIND_SLOTS;
	return slots->more && number < UNWIND_SLOTS_MORE ? &slots->more[number] : NULL;
}

static void depend_on(struct walk *walk, struct unwind_slot word)
{
	struct unwind_slots *slots = walk->slots;

	if (!slots || slots->count == UINT32_MAX)
		return;
	struct unwind_slot *slot = walk->memory.is_own ? slot_at(slots, slots->count) : NULL;
	if (slot)
		*slot = word;
	slots->count = slot ? slots->count + 1 : UINT32_MAX;
	slots->lacks_more = !slot && walk->memory.is_own && !slots->more;
}

/* Most code uses that register for other values, which change from call to call: the walk depends
 * on it only where a frame is found by it. */
static void depend_on_fp(struct walk *walk)
{
	if (walk->fp_slot.address)
		depend_on(walk, walk->fp_slot);
	else if (walk->slots)
		walk->slots->needs_fp = true;
}

/* Registers for expressions: all of them for an interrupted frame, else the three that are
 * tracked. */
static uint64_t known_registers(const struct walk *walk, uint64_t registers[ARCH_REGISTERS])
{
	if (walk->at.registers) {
		memcpy(registers, walk->at.registers, ARCH_REGISTERS * sizeof *registers);
		return UINT64_MAX;
	}
	registers[ARCH_SP] = walk->at.sp;
	registers[ARCH_FP] = walk->at.fp;
	registers[ARCH_PC] = walk->at.pc;
	return UINT64_C(1) << ARCH_SP | UINT64_C(1) << ARCH_FP | UINT64_C(1) << ARCH_PC;
}

/* For a row that does not fit into a rule. Rare: PLT entries, realigned stacks, assembly. */
static bool find_complex_cfa(struct walk *walk, struct cfi_row *row, uint64_t *cfa)
{
	struct code_object object;
	uint64_t registers[ARCH_REGISTERS];
	uint64_t known = known_registers(walk, registers);
	uint64_t pc = walk->at.is_exact ? walk->at.pc : walk->at.pc - 1;

	if (!module_map_find(pc, &object) || !cfi_find(object.eh_frame_header, pc, row))
		return false;
	if (row->cfa_expression)
		return cfi_evaluate(row->cfa_expression, row->cfa_expression_bytes, registers,
				    known, may_read, &walk->memory, cfa);
	if (row->cfa_register >= ARCH_REGISTERS || !(known >> row->cfa_register & 1))
		return false;
	*cfa = registers[row->cfa_register] + (uint64_t)row->cfa_offset;
	return true;
}

/* The caller's registers, given the CFA and where they were saved (RULE_SAME: not at all). */
static bool leave_frame(struct walk *walk, uint64_t cfa, int64_t fp_offset, bool fp_saved,
			int64_t ra_offset, bool ra_saved)
{
	uint64_t ra = walk->link, fp = walk->at.fp;

	if (cfa <= walk->at.sp && !(cfa == walk->at.sp && walk->has_link))
		return false; /* each caller's frame lies above */
	uint64_t ra_address = cfa + (uint64_t)ra_offset, fp_address = cfa + (uint64_t)fp_offset;

	if (ra_saved ? !read_word(walk, ra_address, &ra) : !walk->has_link)
		return false;
	if (ra_saved)
		depend_on(walk, (struct unwind_slot){ra_address, ra});
	/* below the stack pointer: an epilogue has popped it already */
	if (fp_saved && fp_address >= walk->at.sp) {
		if (!read_word(walk, fp_address, &fp))
			return false;
		walk->fp_slot = (struct unwind_slot){fp_address, fp};
	}
	walk->at = (struct unwind_frame){.pc = arch_strip(ra), .sp = cfa, .fp = fp};
	walk->has_link = false;
	return true;
}

static bool step_complex(struct walk *walk)
{
	struct cfi_row row;
	uint64_t cfa;

	if (walk->slots)
		walk->slots->count = UINT32_MAX;
	if (!find_complex_cfa(walk, &row, &cfa))
		return false;
	if (row.fp.how == CFI_AT_FP) {
		uint64_t saved = walk->at.fp + (uint64_t)row.fp.offset;
		/* unreadable: an epilogue has popped it already */
		row.fp.how = may_read(&walk->memory, saved) ? CFI_OFFSET : CFI_SAME;
		row.fp.offset = (int32_t)(saved - cfa);
	}
	if (row.ra.how > CFI_OFFSET || row.fp.how > CFI_OFFSET || row.ra.how == CFI_UNDEFINED)
		return false;
	return leave_frame(walk, cfa, row.fp.offset, row.fp.how == CFI_OFFSET, row.ra.offset,
			   row.ra.how == CFI_OFFSET);
}

static bool step_signal(struct walk *walk)
{
	const ucontext_t *context = (const void *)(walk->at.sp + ARCH_SIGNAL_CONTEXT);
	uint64_t registers[ARCH_REGISTERS];

	if (walk->slots)
		walk->slots->count = UINT32_MAX;
	/* first and last word of what is read */
	if (!may_read(&walk->memory, (uint64_t)context) ||
	    !may_read(&walk->memory, (uint64_t)(&context->uc_mcontext + 1) - 8))
		return false;
	arch_registers_of(context, registers);
	walk->at = (struct unwind_frame){
		.pc = registers[ARCH_PC],
		.sp = registers[ARCH_SP],
		.fp = registers[ARCH_FP],
		.is_exact = true,
	};
	walk->link = registers[ARCH_RETURN];
	walk->has_link = true;
	walk->memory = memory_of(walk->at.sp, walk->stack); /* maybe another stack */
	return true;
}

static bool step(struct walk *walk, struct rule rule)
{
	uint64_t cfa;

	switch (rule.kind) {
	case RULE_SP:
		cfa = walk->at.sp + (uint64_t)(int64_t)rule.cfa_offset;
		break;
	case RULE_FP:
		depend_on_fp(walk);
		cfa = walk->at.fp + (uint64_t)(int64_t)rule.cfa_offset;
		break;
	case RULE_SIGNAL:
		return step_signal(walk);
	case RULE_COMPLEX:
		return step_complex(walk);
	default:
		return false;
	}
	return leave_frame(walk, cfa, rule.fp_offset * INT64_C(8), rule.fp_offset != RULE_SAME,
			   rule.ra_offset * INT64_C(8), rule.ra_offset != RULE_SAME);
}

static bool is_thread_start(uint64_t pc)
{
	return pc >= unwinder.thread_begin && pc < unwinder.thread_end;
}

static void keep_link(struct walk *walk)
{
	walk->has_link = walk->at.registers != NULL;
	if (walk->has_link)
		walk->link = walk->at.registers[ARCH_RETURN];
}

/* Of the frame that comes next, which is the end of the one before. As long as its own end is not
 * known, it has no bytes. */
static void keep_low(struct unwind_path *path, const struct walk *walk)
{
	if (unlikely(path->low != NULL)) {
		path->low[path->count] = walk->at.sp;
		if (path->count < UNWIND_DEPTH)
			path->low[path->count + 1] = walk->at.sp;
	}
}

void unwind_walk(const struct unwind_frame *frame, const struct unwind_stack *stack,
		 struct unwind_path *path, struct unwind_slots *slots)
{
	struct walk walk = {.at = *frame,
			    .memory = memory_of(frame->sp, stack),
			    .stack = stack,
			    .slots = slots};

	keep_link(&walk);
	if (slots) {
		slots->count = 0;
		slots->needs_fp = false;
	}
	path->count = 0;
	path->is_truncated = true;
	keep_low(path, &walk);
	while (walk.at.pc && path->count < UNWIND_DEPTH) {
		uint64_t pc = walk.at.is_exact ? walk.at.pc : walk.at.pc - 1;

		if (is_thread_start(pc)) {
			path->is_truncated = false;
			return;
		}
		path->place[path->count++] = walk.at.pc | (walk.at.is_exact ? UNWIND_EXACT : 0);
		struct rule rule = rule_at(pc);
		if (rule.kind == RULE_LAST) {
			path->is_truncated = false;
			return;
		}
		if (!step(&walk, rule))
			return;
		keep_low(path, &walk);
	}
	path->is_truncated = walk.at.pc != 0;
}

/* True: the frame was found, or everything else is known. */
static bool judge(const struct walk *walk, bool is_first, struct unwind_look *look)
{
	const struct unwind_stack *stack = walk->stack;
	bool is_same_stack =
		walk->memory.is_own && look->sp >= stack->low && look->sp < stack->high;

	if (!is_first && look->sp == walk->at.sp && (!look->caller || look->caller == walk->at.pc))
		look->has_frame = true;
	else if (look->sp && is_same_stack && walk->at.sp > look->sp)
		look->is_past = true;
	return look->has_frame || (look->has_own && (!look->sp || look->is_past));
}

void unwind_look(const struct unwind_frame *frame, const struct unwind_stack *stack,
		 struct unwind_look *look)
{
	struct walk walk = {.at = *frame, .memory = memory_of(frame->sp, stack), .stack = stack};

	keep_link(&walk);
	look->has_frame = look->has_own = look->is_past = look->is_whole = false;
	for (unsigned i = 0; walk.at.pc && i < UNWIND_LOOK_DEPTH; i++) {
		uint64_t pc = walk.at.is_exact ? walk.at.pc : walk.at.pc - 1;

		look->is_whole = is_thread_start(pc);
		if (look->is_whole)
			return;
		look->has_own |= module_map_is_own(pc);
		if (judge(&walk, i == 0, look))
			return;
		struct rule rule = rule_at(pc);
		look->is_whole = rule.kind == RULE_LAST;
		if (look->is_whole || !step(&walk, rule))
			return;
	}
	look->is_whole = !walk.at.pc;
}

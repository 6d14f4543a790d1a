/* SPDX-License-Identifier: MIT */
#include "preload/samples/handler_relay.h"

#include "arch.h"
#include "preload/base/likely.h"
#include "preload/process/real.h"
#include "preload/process/sample_signal.h"
#include "preload/process/settings.h"
#include "preload/samples/relay_entries.h"
#include "preload/samples/sample_pause.h"
#include "preload/samples/sampler.h"

#include <errno.h>
#include <ucontext.h>

enum {
	SIGNALS = 65,          /* numbers from 1 */
	FOR_GOOD_ENTRIES = 64, /* of RELAY_ENTRIES; then one for each number */
	GAP = 256,             /* more than all frames at the end of a handler */
	ROOM_FOR_GAP = 4096,
	NEW_STACK_NS = 500000, /* of CPU time, in which the program makes some system calls */
};

/* What the program has set. */
struct program {
	sample_signal_handler *handler; /* atomic */
	bool without_info;              /* it did not ask for siginfo_t */
	bool was_added;                 /* our signal was not in its mask */
};

/* Threads set handlers and get signals at any time, and handlers call those that they have
 * replaced: so what an entry calls never changes. If a program has more handlers than there are
 * entries (it makes them while it runs), further ones share an entry for each number. */
static struct {
	struct program program[RELAY_ENTRIES];
	unsigned count;         /* atomic: of those for good; may be beyond them */
	uint8_t given[SIGNALS]; /* atomic: 1 + the entry that the number had last; 0: none yet */
	bool has_ended;
} relays;

_Static_assert(FOR_GOOD_ENTRIES + SIGNALS - 1 == RELAY_ENTRIES, "one for each number");

static struct program program_at(unsigned index)
{
	const struct program *program = &relays.program[index];

	/* first the handler: what belongs to it was there before */
	sample_signal_handler *handler = __atomic_load_n(&program->handler, __ATOMIC_ACQUIRE);
	return (struct program){handler, program->without_info, program->was_added};
}

static void put_program(unsigned index, const struct program *program)
{
	struct program *place = &relays.program[index];

	place->without_info = program->without_info;
	place->was_added = program->was_added;
	__atomic_store_n(&place->handler, program->handler, __ATOMIC_RELEASE);
}

/* What was set for the number last, of what is relayed. */
static struct program program_of(int number)
{
	unsigned given = __atomic_load_n(&relays.given[number], __ATOMIC_RELAXED);

	return given ? program_at(given - 1) : (struct program){0};
}

static bool is_same(const struct program *one, const struct program *other)
{
	return one->handler == other->handler && one->without_info == other->without_info &&
	       one->was_added == other->was_added;
}

static unsigned entry_for(int number, const struct program *program)
{
	unsigned count = __atomic_load_n(&relays.count, __ATOMIC_RELAXED);

	for (unsigned i = 0; i < count && i < FOR_GOOD_ENTRIES; i++) {
		struct program there = program_at(i);
		if (is_same(&there, program))
			return i;
	}
	unsigned index = FOR_GOOD_ENTRIES + (unsigned)number - 1;
	if (count < FOR_GOOD_ENTRIES) {
		unsigned own = __atomic_fetch_add(&relays.count, 1, __ATOMIC_RELAXED);
		index = own < FOR_GOOD_ENTRIES ? own : index;
	}
	put_program(index, program);
	return index;
}

/* ---- the handler */

struct entry {
	const stack_t *stack; /* alternate, on which the handler runs; NULL: on another one */
	bool is_outermost;    /* the first one on it */
};

static bool lies_in(uint64_t address, const stack_t *stack)
{
	return stack->ss_sp && address - (uint64_t)stack->ss_sp < stack->ss_size;
}

static struct entry entry_of(const ucontext_t *context)
{
	const stack_t *stack = &context->uc_stack;
	bool is_on_it = lies_in((uint64_t)__builtin_frame_address(0), stack);

	return (struct entry){is_on_it ? stack : NULL,
			      is_on_it && !lies_in(arch_sp_of(context), stack)};
}

static bool has_ended(void)
{
	return __atomic_load_n(&relays.has_ended, __ATOMIC_SEQ_CST);
}

/* The signal is blocked. True: there is something to be done at the end. */
static bool begin(struct entry entry, const void *context)
{
	if (has_ended())
		return false;
	if (entry.stack) {
		/* Both came at once: so it is for most samples of a thread that shares its
		 * processor and is signalled often. It takes them when it has its turn again. */
		if (sample_signal_drain())
			sampler_take_due(context);
		sampler_pause(entry.stack);
		sample_signal_drain();
	}
	sample_signal_unblock();
	return entry.is_outermost;
}

/* A coroutine's stack is made an alternate one, a handler runs on it once, and then it is one no
 * longer: before that, a sample would be where the coroutine's frames are. */
static uint64_t first_sample_ns(struct thread *thread)
{
	bool is_new = thread->has_new_stack;

	thread->has_new_stack = false;
	return is_new ? NEW_STACK_NS : 1;
}

/* The mask is put right by the return to what was interrupted. */
static void end(void)
{
	struct thread *thread = thread_self; /* of a child, if the handler has forked */

	if (has_ended())
		return;
	uint64_t least_ns = thread ? first_sample_ns(thread) : 1;
	if (least_ns == 1 && thread && sample_pause_is_short(thread))
		sample_signal_block();
	sampler_go_on(least_ns);
}

/* A jump may lead back into the frame of a handler that has returned: so coroutines are made on
 * alternate stacks. That frame stays as it was, since what we do afterwards has memory of its own
 * above it. A stack without room for that has none for a coroutine. */
static __attribute__((noinline)) void call_below(sample_signal_handler *handler, int number,
						 siginfo_t *info, void *context)
{
	char space[GAP];

	__asm__ volatile("" : : "r"(space) : "memory");
	handler(number, info, context);
	__asm__ volatile("" : : "r"(space) : "memory"); /* no tail call */
}

static bool has_room_for_gap(const stack_t *stack)
{
	return (uint64_t)__builtin_frame_address(0) - (uint64_t)stack->ss_sp > ROOM_FOR_GAP;
}

/* A handler that has replaced another one may call that one: what is to be done was done for it. */
void relay_entered(unsigned index, uint64_t callers_sp, int number, siginfo_t *info, void *context)
{
	struct program program = program_at(index);
	bool is_kernels = callers_sp + ARCH_SIGNAL_CONTEXT == (uint64_t)context;

	if (!is_kernels || !program.was_added || !begin(entry_of(context), context)) {
		program.handler(number, info, context);
		return;
	}
	if (has_room_for_gap(&((ucontext_t *)context)->uc_stack))
		call_below(program.handler, number, info, context);
	else
		program.handler(number, info, context);
	end();
}

/* ---- actions */

static bool is_to_be_relayed(int number, const struct sigaction *action)
{
	return action && settings.sample_period_ns && !has_ended() && number > 0 &&
	       number < SIGNALS && action->sa_flags & SA_ONSTACK && action->sa_handler != SIG_DFL &&
	       action->sa_handler != SIG_IGN;
}

/* It may be ours already: the program has it from a libc that it has asked past us. */
static void keep(int number, const struct sigaction *action, struct sigaction *ours)
{
	int index = relay_entry_of(action->sa_sigaction);

	*ours = *action;
	if (index < 0) {
		const struct program program = {
			.handler = action->sa_sigaction,
			.without_info = !(action->sa_flags & SA_SIGINFO),
			.was_added = sample_signal_add(&ours->sa_mask),
		};
		index = (int)entry_for(number, &program);
	}
	__atomic_store_n(&relays.given[number], (uint8_t)(index + 1), __ATOMIC_RELAXED);
	ours->sa_sigaction = relay_entry((unsigned)index);
	ours->sa_flags |= SA_SIGINFO; /* else AArch64's kernel does not tell the context */
}

/* before: what was set. SA_RESETHAND leaves nothing of the handler, and all of the rest. */
static void show(struct sigaction *old, struct program before)
{
	int index = relay_entry_of(old->sa_sigaction);

	if (index >= 0) {
		before = program_at((unsigned)index);
		old->sa_sigaction = before.handler;
	} else if (old->sa_handler != SIG_DFL || !(old->sa_flags & SA_RESETHAND) ||
		   !before.handler) {
		return;
	}
	if (before.without_info)
		old->sa_flags &= ~SA_SIGINFO;
	if (before.was_added)
		sample_signal_remove(&old->sa_mask);
}

int handler_relay_sigaction(int number, const struct sigaction *action, struct sigaction *old)
{
	struct sigaction ours;
	struct program before = {0};

	if (number > 0 && number < SIGNALS)
		before = program_of(number);
	if (is_to_be_relayed(number, action)) {
		keep(number, action, &ours);
		action = &ours;
	}
	int result = real.sigaction(number, action, old);
	if (!result && action && action != &ours && before.handler)
		__atomic_store_n(&relays.given[number], 0, __ATOMIC_RELAXED);
	if (!result && old)
		show(old, before);
	return result;
}

sighandler_t handler_relay_program(sighandler_t handler)
{
	int index = relay_entry_of((sample_signal_handler *)(void *)handler);

	return index < 0 ? handler : (sighandler_t)(void *)program_at((unsigned)index).handler;
}

void handler_relay_end(void)
{
	int saved = errno;

	__atomic_store_n(&relays.has_ended, true, __ATOMIC_SEQ_CST);
	for (int number = 1; number < SIGNALS; number++) {
		struct sigaction now;
		if (!program_of(number).handler || real.sigaction(number, NULL, &now) ||
		    relay_entry_of(now.sa_sigaction) < 0)
			continue;
		show(&now, program_of(number));
		real.sigaction(number, &now, NULL);
	}
	errno = saved;
}

/* What the program has set past us. Another thread that sets the number at the same moment has the
 * last word. */
static void adopt(int number)
{
	struct sigaction there, was;

	if (real.sigaction(number, NULL, &there) || relay_entry_of(there.sa_sigaction) >= 0 ||
	    !is_to_be_relayed(number, &there) || !sample_signal_returns_by_libc(number))
		return;
	struct sigaction same = there;
	if (!handler_relay_sigaction(number, &same, &was) && was.sa_handler != there.sa_handler)
		handler_relay_sigaction(number, &was, NULL);
}

void handler_relay_begin(void)
{
	int saved = errno;

	__atomic_store_n(&relays.has_ended, false, __ATOMIC_SEQ_CST);
	for (int number = 1; number < SIGNALS; number++)
		adopt(number);
	errno = saved;
}

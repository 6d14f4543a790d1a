/* SPDX-License-Identifier: MIT */
#include "preload/samples/handler_relay.h"

#include "arch.h"
#include "preload/base/likely.h"
#include "preload/process/real.h"
#include "preload/process/sample_signal.h"
#include "preload/process/settings.h"
#include "preload/samples/sample_pause.h"
#include "preload/samples/sampler.h"

#include <errno.h>
#include <ucontext.h>

enum { SIGNALS = 65 }; /* numbers from 1 */

/* Atomic: threads set handlers and get signals at any time. A handler stays here when another
 * action takes its place, for threads that are on their way to it. Bits: by number. */
static struct {
	sample_signal_handler *handler[SIGNALS]; /* NULL: none was relayed yet */
	uint64_t without_info;                   /* the program did not ask for siginfo_t */
	uint64_t added;                          /* our signal was not in the program's mask */
	bool has_ended;
} relays;

/* What the program has set for a signal. */
struct program {
	sample_signal_handler *handler;
	bool without_info, was_added;
};

static uint64_t bit_of(int number)
{
	return UINT64_C(1) << (number - 1);
}

static void set_bit(uint64_t *bits, int number, bool value)
{
	if (value)
		__atomic_fetch_or(bits, bit_of(number), __ATOMIC_RELAXED);
	else
		__atomic_fetch_and(bits, ~bit_of(number), __ATOMIC_RELAXED);
}

static bool has_bit(const uint64_t *bits, int number)
{
	return __atomic_load_n(bits, __ATOMIC_RELAXED) & bit_of(number);
}

static struct program program_of(int number)
{
	return (struct program){
		.handler = __atomic_load_n(&relays.handler[number], __ATOMIC_ACQUIRE),
		.without_info = has_bit(&relays.without_info, number),
		.was_added = has_bit(&relays.added, number),
	};
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
static bool begin(struct entry entry)
{
	struct thread *thread = thread_self;

	if (has_ended())
		return false;
	if (entry.stack) {
		sampler_pause(thread, entry.stack);
		sample_signal_drain();
	}
	sample_signal_unblock();
	return entry.is_outermost;
}

/* The mask is put right by the return to what was interrupted. */
static void end(void)
{
	struct thread *thread = thread_self; /* of a child, if the handler has forked */

	if (has_ended())
		return;
	if (thread && sample_pause_is_short(thread))
		sample_signal_block();
	sampler_go_on(thread);
}

static void relay(int number, siginfo_t *info, void *context)
{
	struct program program = program_of(number);

	if (!program.was_added || !begin(entry_of(context))) {
		program.handler(number, info, context);
		return;
	}
	program.handler(number, info, context);
	end();
}

/* ---- actions */

static bool is_to_be_relayed(int number, const struct sigaction *action)
{
	return action && settings.sample_period_ns && !has_ended() && number > 0 &&
	       number < SIGNALS && action->sa_flags & SA_ONSTACK && action->sa_handler != SIG_DFL &&
	       action->sa_handler != SIG_IGN && action->sa_sigaction != relay;
}

static void keep(int number, const struct sigaction *action, struct sigaction *ours)
{
	*ours = *action;
	set_bit(&relays.added, number, sample_signal_add(&ours->sa_mask));
	set_bit(&relays.without_info, number, !(action->sa_flags & SA_SIGINFO));
	__atomic_store_n(&relays.handler[number], action->sa_sigaction, __ATOMIC_RELEASE);
	ours->sa_sigaction = relay;
	ours->sa_flags |= SA_SIGINFO; /* else AArch64's kernel does not tell the context */
}

/* SA_RESETHAND leaves nothing of the handler, and all of the rest. */
static void show(struct sigaction *old, const struct program *program)
{
	bool was_reset =
		old->sa_handler == SIG_DFL && old->sa_flags & SA_RESETHAND && program->handler;

	if (old->sa_sigaction == relay)
		old->sa_sigaction = program->handler;
	else if (!was_reset)
		return;
	if (program->without_info)
		old->sa_flags &= ~SA_SIGINFO;
	if (program->was_added)
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
	if (!result && old)
		show(old, &before);
	return result;
}

sighandler_t handler_relay_program(int number, sighandler_t handler)
{
	if ((sample_signal_handler *)(void *)handler != relay)
		return handler;
	return (sighandler_t)(void *)program_of(number).handler;
}

void handler_relay_end(void)
{
	int saved = errno;

	__atomic_store_n(&relays.has_ended, true, __ATOMIC_SEQ_CST);
	for (int number = 1; number < SIGNALS; number++) {
		struct program program = program_of(number);
		struct sigaction now;
		if (!program.handler || real.sigaction(number, NULL, &now) ||
		    now.sa_sigaction != relay)
			continue;
		show(&now, &program);
		real.sigaction(number, &now, NULL);
	}
	errno = saved;
}

void handler_relay_begin(void)
{
	__atomic_store_n(&relays.has_ended, false, __ATOMIC_SEQ_CST);
}

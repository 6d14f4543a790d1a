/* SPDX-License-Identifier: MIT */
#include "preload/concurrency/concurrency.h"

#include "preload/base/clock.h"
#include "preload/base/likely.h"
#include "preload/base/patience.h"
#include "preload/base/signal_block.h"
#include "preload/base/try_owner.h"
#include "preload/concurrency/event_batch.h"
#include "preload/concurrency/news.h"
#include "preload/concurrency/parallelism.h"
#include "preload/concurrency/scheduler_state.h"
#include "preload/concurrency/section_levels.h"
#include "preload/concurrency/switch_windows.h"
#include "preload/concurrency/switches.h"
#include "preload/file/store.h"
#include "preload/process/affinity.h"
#include "preload/process/process_row.h"

#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
	PASSES = 64,
	CLOSE_PATIENCE_NS = 20000000,
	DRAIN_NS = 1000000,         /* between drains */
	DRAIN_PER_THREAD_NS = 5000, /* more for each thread whose ring is read */
	SLACK_NS = 30000,           /* the kernel may write another processor's switch this late */
	SHORT_NS = 4000,            /* a shorter call cannot have lost the processor */
	TELL_NS = 100000,           /* how often the sum of short calls becomes an event */
	/* A thread counts as moved to another processor if it is found there this often, this far
	 * apart. */
	OUTSIDE_TIMES = 5,
	OUTSIDE_PAUSE_NS = 20000000,
	OUTSIDE_FORGET_NS = 1000000000,
};

static struct {
	uint64_t start_ns;
	bool is_parallel;
	bool is_begun; /* atomic: a thread has begun to make it parallel */
	int switches_error;
	struct try_owner drainer;
	uint64_t drained_ns; /* atomic */
	uint64_t pause_ns;   /* atomic: until it is due again; grows with the threads read */
	uint64_t outside_ns; /* when a thread was last found on a processor without records */
	unsigned outside_count;
	uint64_t end_ns; /* the drain's: T_i ends there; 0: the profile is open */
} account;

/* ---- the drain ---- */

/* True: there are more events up to the horizon. */
static bool drain_batch(uint64_t horizon_ns, uint32_t *records)
{
	uint64_t asked_ns = horizon_ns;
	unsigned count;
	const struct event *events = event_batch_gather(&horizon_ns, &count);

	for (unsigned i = 0; i < count; i++) {
		*records += !events[i].event_ring;
		scheduler_state_apply(&events[i]);
		event_batch_consume(&events[i]);
	}
	parallelism_advance(horizon_ns);
	return count && horizon_ns < asked_ns;
}

static bool is_due(uint64_t now_ns)
{
	return now_ns - __atomic_load_n(&account.drained_ns, __ATOMIC_RELAXED) >=
	       __atomic_load_n(&account.pause_ns, __ATOMIC_RELAXED);
}

/* The process may use more processors than was known. */
static void widen(void)
{
	process_row_set_processors();
	parallelism_widen(process_row->processors);
	scheduler_state_widen(process_row->processors);
}

/* The caller runs on a processor that the process could not use before. Acts only if that lasts: to
 * examine the processors, hwloc binds a thread to each of them for a moment (in MPI_Init). */
static void follow_thread(uint64_t now_ns)
{
	uint64_t pause_ns = now_ns - account.outside_ns;

	if (pause_ns < OUTSIDE_PAUSE_NS)
		return;
	account.outside_count = pause_ns < OUTSIDE_FORGET_NS ? account.outside_count + 1 : 1;
	__atomic_store_n(&account.outside_ns, now_ns, __ATOMIC_RELAXED);
	if (account.outside_count < OUTSIDE_TIMES)
		return;
	if (affinity_add_own())
		widen();
	switch_windows_leave_processors(now_ns);
}

static void set_pause(unsigned threads)
{
	__atomic_store_n(&account.pause_ns, DRAIN_NS + (uint64_t)threads * DRAIN_PER_THREAD_NS,
			 __ATOMIC_RELAXED);
}

/* By the thread that holds the drain. */
static void drain(uint64_t now_ns, bool force, bool may_follow)
{
	uint32_t records = 0;

	__atomic_store_n(&account.drained_ns, now_ns, __ATOMIC_RELAXED);
	if (account.end_ns && now_ns > account.end_ns)
		now_ns = account.end_ns;
	set_pause(news_strike_off());
	scheduler_state_count();
	for (int i = 0; i < PASSES && drain_batch(force ? now_ns : now_ns - SLACK_NS, &records);
	     i++)
		;
	if (unlikely(may_follow && !affinity_covers_here()))
		follow_thread(now_ns);
	switch_windows_keep_budget(now_ns, records);
	if (!force && !account.end_ns)
		switch_windows_turn(now_ns);
	store_header()->heartbeat_ns = now_ns;
}

bool concurrency_is_held(void)
{
	return try_owner_is_self(&account.drainer);
}

/* Each event is applied before it is consumed, and has no effect when it is applied again: the next
 * drain continues where this one was left. */
void concurrency_let_go(void)
{
	try_owner_let_go(&account.drainer);
}

/* Beside another program a thread that runs elsewhere seldom comes first when a drain is due: it
 * drains to be seen. */
static bool is_outside(uint64_t now_ns)
{
	return now_ns - __atomic_load_n(&account.outside_ns, __ATOMIC_RELAXED) >=
		       OUTSIDE_PAUSE_NS &&
	       !affinity_covers_here();
}

static bool is_wanted(uint64_t now_ns, bool may_follow)
{
	return is_due(now_ns) || (may_follow && unlikely(is_outside(now_ns)));
}

static void try_drain(uint64_t now_ns, bool force, bool may_follow)
{
	if (!account.is_parallel || (!force && !is_wanted(now_ns, may_follow)) ||
	    !try_owner_take(&account.drainer))
		return;
	drain(now_ns, force, may_follow);
	try_owner_give_back(&account.drainer);
}

void concurrency_drain(uint64_t now_ns, bool force)
{
	try_drain(now_ns, force, true);
}

void concurrency_drain_within(uint64_t now_ns)
{
	try_drain(now_ns, false, false);
}

/* Records also cover a thread that has stayed on its processor since its last record. */
static void cover_all(uint64_t now_ns)
{
	uint32_t threads = event_ring_count();

	for (uint32_t i = 0; i < threads; i++) {
		struct event_ring *event_ring = event_ring_of(i);
		if (event_ring && event_ring->is_alive && !event_ring->off_since_ns)
			event_ring_cover(event_ring, now_ns);
	}
}

/* Another thread's drain is over in some microseconds; a drain that this thread interrupted, if
 * this is a signal handler that ends the process, never ends. */
static bool take_drain(void)
{
	struct patience patience = {0};

	while (!try_owner_take(&account.drainer))
		if (try_owner_is_self(&account.drainer) ||
		    !patience_left(&patience, CLOSE_PATIENCE_NS))
			return false;
	return true;
}

uint64_t concurrency_close(void)
{
	if (!account.is_parallel)
		return account.end_ns = clock_now_ns();
	bool is_taken = take_drain();
	uint64_t now_ns = clock_now_ns();
	account.end_ns = now_ns;
	if (!is_taken)
		return now_ns;
	event_batch_set_last(true);
	drain(now_ns, true, true);
	event_batch_set_last(false);
	cover_all(now_ns);
	try_owner_give_back(&account.drainer);
	return now_ns;
}

void concurrency_end_late(void)
{
	account.is_parallel = false;
	if (!take_drain())
		return;
	switches_close();
	try_owner_give_back(&account.drainer);
}

void concurrency_reopen(void)
{
	account.end_ns = 0;
}

/* ---- what threads tell ---- */

static void push(struct event_ring *event_ring, uint64_t now_ns, unsigned what)
{
	news_push(event_ring, now_ns - account.start_ns, what);
}

/* Room for `wanted` more events besides the ends of sections, if need be by draining. */
static bool has_room(struct event_ring *event_ring, uint32_t wanted, uint64_t now_ns)
{
	wanted += event_ring->sections_reserved;
	if (likely(event_ring->head - __atomic_load_n(&event_ring->tail, __ATOMIC_ACQUIRE) +
			   wanted <=
		   EVENT_RING_EVENTS))
		return true;
	concurrency_drain(now_ns, true);
	return event_ring->head - __atomic_load_n(&event_ring->tail, __ATOMIC_ACQUIRE) + wanted <=
	       EVENT_RING_EVENTS;
}

void concurrency_born(struct event_ring *event_ring, uint32_t tid, struct row_threads *row,
		      enum cause cause, uint64_t now_ns)
{
	event_ring->tid = tid;
	event_ring->row = row;
	push(event_ring, now_ns, (unsigned)cause << WHAT_BITS | WHAT_BORN);
}

void concurrency_died(struct event_ring *event_ring, uint64_t now_ns)
{
	push(event_ring, now_ns, WHAT_DIED); /* begins of waits leave room for it */
}

void concurrency_enter_wait(struct event_ring *event_ring, enum cause cause, uint64_t now_ns)
{
	if (!account.is_parallel)
		return;
	/* room for three: begin, end, and the thread's death */
	if (event_ring->lost || !has_room(event_ring, 3, now_ns)) {
		event_ring->lost++;
		__atomic_fetch_add(&process_row->transitions_lost, 1, __ATOMIC_RELAXED);
		return;
	}
	push(event_ring, now_ns, (unsigned)cause << WHAT_BITS | WHAT_ENTER);
	if (unlikely(event_ring->is_kept && news_is_crowded))
		news_drop(event_ring);
}

void concurrency_leave_wait(struct event_ring *event_ring, uint64_t now_ns)
{
	if (!account.is_parallel)
		return;
	if (unlikely(event_ring->lost))
		event_ring->lost--;
	else if (has_room(event_ring, 2, now_ns))
		push(event_ring, now_ns, WHAT_LEAVE);
}

void concurrency_enter_call(struct event_ring *event_ring, enum cause cause, uint64_t now_ns)
{
	if (!account.is_parallel)
		return;
	if (unlikely(!event_ring->is_kept))
		news_keep(event_ring);
	event_ring->open_cause = (uint8_t)cause;
	__atomic_store_n(&event_ring->open_since_ns, now_ns, __ATOMIC_RELEASE);
}

/* Makes the sum of the short calls an event; there must be room for one. */
static void tell_short(struct event_ring *event_ring, uint64_t now_ns)
{
	if (!event_ring->short_ns)
		return;
	event_ring->amounts[event_ring->head % EVENT_RING_EVENTS] = (uint32_t)event_ring->short_ns;
	event_ring->short_ns = 0;
	event_ring->short_told_ns = now_ns;
	push(event_ring, now_ns, WHAT_SHORT);
}

static void leave_claimed(struct event_ring *event_ring, uint64_t now_ns)
{
	event_ring->is_kept = false;          /* see news_claim */
	push(event_ring, now_ns, WHAT_LEAVE); /* room was left for it */
}

static void tell_long(struct event_ring *event_ring, enum cause cause, uint64_t start_ns,
		      uint64_t now_ns)
{
	uint64_t seen = start_ns;
	/* a drain claims only old calls, so a young one needs no atomic instruction */
	bool is_young = now_ns - start_ns < CLAIM_NS / 2;

	if (!is_young && !__atomic_compare_exchange_n(&event_ring->open_since_ns, &seen, OPEN_HELD,
						      false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) {
		leave_claimed(event_ring, now_ns);
		return;
	}
	if (!has_room(event_ring, 4, now_ns)) {
		__atomic_fetch_add(&process_row->transitions_lost, 1, __ATOMIC_RELAXED);
		return;
	}
	tell_short(event_ring, start_ns);
	push(event_ring, start_ns, (unsigned)cause << WHAT_BITS | WHAT_ENTER);
	push(event_ring, now_ns, WHAT_LEAVE);
}

void concurrency_leave_call(struct event_ring *event_ring, enum cause cause, uint64_t start_ns,
			    uint64_t now_ns)
{
	if (!account.is_parallel || !event_ring->open_since_ns)
		return;
	if (likely(now_ns - start_ns < SHORT_NS)) {
		event_ring->short_ns += now_ns - start_ns;
		if (unlikely(now_ns - event_ring->short_told_ns >= TELL_NS) &&
		    has_room(event_ring, 2, now_ns))
			tell_short(event_ring, now_ns);
	} else {
		tell_long(event_ring, cause, start_ns, now_ns);
	}
	__atomic_store_n(&event_ring->open_since_ns, OPEN_NONE, __ATOMIC_RELEASE);
}

void concurrency_leave_work(struct event_ring *event_ring, uint64_t start_ns, uint64_t now_ns)
{
	uint64_t seen = start_ns;

	if (!account.is_parallel || !event_ring->open_since_ns)
		return;
	/* as above: only an old call can be claimed */
	if (unlikely(now_ns - start_ns >= CLAIM_NS / 2) &&
	    !__atomic_compare_exchange_n(&event_ring->open_since_ns, &seen, OPEN_NONE, false,
					 __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
		leave_claimed(event_ring, now_ns);
	__atomic_store_n(&event_ring->open_since_ns, OPEN_NONE, __ATOMIC_RELEASE);
}

/* ---- sections ---- */

/* Events of a ring come in the order of time; that of sections may be 0.1 us behind. */
static uint64_t not_before_latest(const struct event_ring *event_ring, uint64_t now_ns)
{
	uint32_t latest = event_ring->head - 1;
	uint64_t at_ns =
		account.start_ns + (event_ring->events[latest % EVENT_RING_EVENTS] >> EVENT_BITS);

	return event_ring->head && at_ns > now_ns ? at_ns : now_ns;
}

static void push_section(struct event_ring *event_ring, uint32_t section, enum section_event event,
			 uint64_t now_ns)
{
	uint32_t sequence = ++event_ring->sections_told & SECTION_SEQUENCE_MASK;

	event_ring->amounts[event_ring->head % EVENT_RING_EVENTS] =
		section | sequence << SECTION_NUMBER_BITS;
	push(event_ring, not_before_latest(event_ring, now_ns), event << WHAT_BITS | WHAT_SECTION);
}

bool concurrency_open_section(struct event_ring *event_ring, uint32_t section, uint64_t now_ns,
			      uint64_t cpu_ns)
{
	if (!account.is_parallel)
		section_levels_tell_single(section, SECTION_EVENT_OPENS, now_ns, cpu_ns);
	else if (!event_ring->lost && has_room(event_ring, 5, now_ns))
		push_section(event_ring, section, SECTION_EVENT_OPENS, now_ns);
	else
		return false;
	event_ring->sections_reserved++;
	return true;
}

void concurrency_close_section(struct event_ring *event_ring, uint32_t section, uint64_t now_ns,
			       uint64_t cpu_ns)
{
	event_ring->sections_reserved--;
	if (!account.is_parallel)
		section_levels_tell_single(section, SECTION_EVENT_CLOSES, now_ns, cpu_ns);
	else
		push_section(event_ring, section, SECTION_EVENT_CLOSES, now_ns);
}

bool concurrency_set_phase(struct event_ring *event_ring, uint32_t section, uint64_t now_ns,
			   uint64_t cpu_ns)
{
	if (!account.is_parallel)
		section_levels_tell_single(section, SECTION_EVENT_PHASE, now_ns, cpu_ns);
	else if (!event_ring->lost && has_room(event_ring, 4, now_ns))
		push_section(event_ring, section, SECTION_EVENT_PHASE, now_ns);
	else
		return false;
	return true;
}

/* ---- beginnings ---- */

void concurrency_start(uint64_t start_ns, unsigned processors)
{
	memset(&account, 0, sizeof account);
	account.start_ns = start_ns;
	set_pause(0);
	event_ring_forget_all();
	news_forget_all();
	parallelism_start(start_ns, processors);
	scheduler_state_start(processors);
	event_batch_start(start_ns);
	switch_windows_start();
}

void concurrency_set_threads(event_ring_function *at_index, uint32_t count)
{
	event_ring_set_all(at_index, count);
}

bool concurrency_is_parallel(void)
{
	return account.is_parallel;
}

int concurrency_switches_error(void)
{
	return account.switches_error;
}

uint32_t concurrency_level(void)
{
	uint32_t level = parallelism_on();

	return level ? level : 1;
}

const uint32_t *concurrency_level_word(void)
{
	return parallelism_on_word();
}

void concurrency_update_single(uint64_t now_ns, uint64_t cpu_ns)
{
	/* a sample may come after the end */
	if (!account.is_parallel && (!account.end_ns || now_ns <= account.end_ns))
		parallelism_update_single(now_ns, cpu_ns);
}

/* What opening took, without CPU time. For the first records on a machine the kernel patches its
 * own code and waits for all processors: 4 to 30 ms. */
static uint64_t waited_in(uint64_t ns, uint64_t cpu_ns)
{
	return ns > cpu_ns ? ns - cpu_ns : 0;
}

static uint64_t begin_account(bool with_switches, struct event_ring *first, uint64_t birth_cpu_ns,
			      const uint64_t by_cause_ns[CAUSE_COUNT])
{
	uint64_t since_ns = clock_now_ns(), since_cpu_ns = clock_thread_cpu_ns();
	bool is_wider = affinity_add_own();
	account.switches_error = with_switches ? switches_open() : 0;
	/* opening takes 70 us of CPU time, and more */
	uint64_t end_cpu_ns = clock_thread_cpu_ns(), cpu_ns = end_cpu_ns - birth_cpu_ns;
	uint64_t now_ns = clock_now_ns();
	uint64_t waited_ns =
		with_switches ? waited_in(now_ns - since_ns, end_cpu_ns - since_cpu_ns) : 0;
	process_row->start_wait_ns += waited_ns;
	parallelism_leave_out(waited_ns);
	parallelism_end_single(now_ns, cpu_ns);
	if (is_wider)
		widen();
	switch_windows_measure(now_ns);
	account.is_parallel = true;
	if (switches_are_open()) {
		event_ring_cover_single(first, now_ns - account.start_ns - waited_ns, cpu_ns,
					by_cause_ns);
		scheduler_state_see_all(switches_here(), first->tid);
	}
	push(first, now_ns, WHAT_BORN);
	return waited_ns;
}

void concurrency_begin_late(bool with_switches)
{
	uint64_t now_ns = clock_now_ns();

	parallelism_end_single(now_ns, 0);
	account.is_parallel = true;
	if (with_switches)
		switch_windows_begin_late(now_ns);
}

void concurrency_begin_beside(bool with_switches, struct event_ring *first, uint64_t cpu_ns)
{
	uint64_t now_ns = clock_now_ns();

	if (account.is_parallel || __atomic_exchange_n(&account.is_begun, true, __ATOMIC_ACQ_REL))
		return;
	parallelism_end_single(now_ns, cpu_ns);
	if (with_switches)
		switch_windows_begin_late(now_ns);
	push(first, now_ns, WHAT_BORN);
	/* the first thread tells of itself from here on, in its ring, which is ours until then */
	__atomic_store_n(&account.is_parallel, true, __ATOMIC_RELEASE);
}

uint64_t concurrency_begin_parallel(bool with_switches, struct event_ring *first,
				    uint64_t birth_cpu_ns, const uint64_t by_cause_ns[CAUSE_COUNT])
{
	if (account.is_parallel || __atomic_exchange_n(&account.is_begun, true, __ATOMIC_ACQ_REL))
		return 0;
	/* done once and completely: no jump out of it is possible */
	uint64_t mask = signals_block();
	uint64_t waited_ns = begin_account(with_switches, first, birth_cpu_ns, by_cause_ns);
	signals_restore(mask);
	concurrency_drain(clock_now_ns(), true);
	return waited_ns;
}

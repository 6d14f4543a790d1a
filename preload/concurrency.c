/* SPDX-License-Identifier: MIT */
#include "concurrency.h"

#include "clock.h"
#include "likely.h"
#include "note.h"
#include "process_row.h"
#include "rows.h"
#include "settings.h"
#include "switches.h"
#include "timeline.h"

#include <stdatomic.h>
#include <string.h>

enum {
	LEVELS = 256, /* the last row also holds all higher levels */
	/* Events that one pass sorts. Every source gets a share of at least one: were the room gone
	 * before a source has its turn, its first event would hold back all others, and no pass
	 * would get on. */
	RING_EVENTS = 2048,
	THREAD_EVENTS = 10240,
	BATCH = RING_EVENTS + THREAD_EVENTS,
	PASSES = 64,
	TID_BUCKETS = 4096,
	TID_WAYS = 4,
	DRAIN_NS = 1000000,         /* between drains */
	DRAIN_PER_THREAD_NS = 5000, /* more for each thread, whose ring must be looked at */
	SLACK_NS = 30000,           /* a switch on another processor may be written this late */
	RECORD_COST_NS = 350, /* measured: 0.6 to 0.7 us for a switch, which makes two records */
	RATE_WINDOW_NS = 50000000,
	/* Windows, where records all the time would be too dear: at 6 % more for switching, 20 of
	   500 ms are 0.2 %. */
	OBSERVED_NS = 20000000,
	PAUSE_NS = 480000000,
	PAUSE_COSTS = 100, /* and at least so many times what opening took */
	DEAR_NS = 3000000, /* opening that takes longer waits for the kernel to patch itself: never
			      again */
	OBSERVED_THREADS = 32, /* with more threads, opening takes too long */
};

/* What an event of a thread's ring says, in its lowest bits: cause << WHAT_BITS | what. */
enum what { WHAT_LEAVE, WHAT_ENTER, WHAT_SHORT, WHAT_BORN, WHAT_DIED };
enum { EVENT_BITS = 8, WHAT_BITS = 3, WHAT_MASK = 7 };

/* In open_since_ns: the drain knows of the call; its thread is just telling of it. */
enum open_state { OPEN_NONE, OPEN_CLAIMED, OPEN_HELD, OPEN_STATES = 16 };

enum {
	SHORT_NS = 4000,    /* shorter calls cannot have lost the processor */
	TELL_NS = 100000,   /* how often the sum of the short ones is told */
	CLAIM_NS = 1000000, /* a drain waits for calls that are younger than this */
};

struct event {
	uint64_t time_ns;
	uint64_t position; /* in its source */
	uint32_t source;   /* rings of switches first, then threads */
	uint32_t sequence; /* keeps the order of one source */
	uint32_t tid;
	uint32_t what;   /* enum switch_kind, or the event's lowest bits */
	uint32_t amount; /* of WHAT_SHORT */
	bool is_claim;   /* stands in no ring */
};

struct processor {
	uint32_t tid; /* 0: not one of ours */
	struct presence *presence;
};

static struct {
	/* [levels]; NULL: no store. Seen by records, unseen, and the part of what is seen that lies
	 * in windows. */
	struct row_concurrency *on, *useful, *unseen_on, *unseen_useful, *windows_on,
		*windows_useful;
	unsigned levels;
	unsigned processors; /* that may be used */
	uint64_t start_ns, last_ns;
	bool is_parallel;
	bool has_switches;
	int switches_error;
	atomic_flag draining; /* held by the one that drains; tried, never waited for */
	uint64_t drained_ns;  /* atomic */
	uint32_t level;       /* atomic: threads on a processor */
	uint32_t level_useful;
	uint32_t alive, waiting; /* threads, for the estimate */
	struct processor cpus[SWITCH_CPUS];
	struct presence *by_tid[TID_BUCKETS][TID_WAYS];
	struct event batch[BATCH];
	unsigned batch_count;
	uint32_t thread_count; /* atomic */
	concurrency_presence_function *presence_at;
	/* the rate of records */
	uint64_t window_start_ns, window_cpu_ns;
	uint32_t window_records;
	/* records in windows */
	bool in_windows;
	uint64_t pause_ns;
	uint64_t next_change_ns; /* of a window: its end if records are taken, else the next one's
				    begin */
} account;

/* ---- time passes ---- */

static void add_time(struct row_concurrency *rows, uint32_t level, uint64_t ns)
{
	if (rows)
		rows[level < account.levels ? level : account.levels - 1].time_ns += ns;
}

static void advance(uint64_t time_ns)
{
	if (time_ns <= account.last_ns)
		return;
	uint64_t ns = time_ns - account.last_ns;

	bool is_seen = account.has_switches;
	add_time(is_seen ? account.on : account.unseen_on, account.level, ns);
	add_time(is_seen ? account.useful : account.unseen_useful, account.level_useful, ns);
	if (is_seen && account.in_windows) {
		add_time(account.windows_on, account.level, ns);
		add_time(account.windows_useful, account.level_useful, ns);
	}
	timeline_add(TIMELINE_ON_PROCESSOR, account.last_ns, time_ns, ns * account.level);
	timeline_add(TIMELINE_USEFUL, account.last_ns, time_ns, ns * account.level_useful);
	account.window_cpu_ns += ns * account.level;
	account.last_ns = time_ns;
	if (process_row) {
		process_row->accounted_ns = time_ns;
		if (account.has_switches)
			process_row->switches_ns += ns;
	}
}

/* Returns what could not be moved: no more time has passed at that level. */
static uint64_t move_down(struct row_concurrency *rows, uint32_t level, uint64_t ns)
{
	uint64_t moved = ns < rows[level].time_ns ? ns : rows[level].time_ns;

	rows[level].time_ns -= moved;
	rows[level - 1].time_ns += moved;
	return ns - moved;
}

/* Of the level just now first, for most of it was spent there. */
static void move_all_down(struct row_concurrency *rows, uint64_t ns)
{
	uint32_t level =
		account.level_useful < account.levels ? account.level_useful : account.levels - 1;

	if (!rows)
		return;
	if (level)
		ns = move_down(rows, level, ns);
	for (level = 1; ns && level < account.levels; level++)
		ns = move_down(rows, level, ns);
}

/* A thread that counted as useful was in short waits for some of the time just passed. */
static void take_useful(uint64_t ns)
{
	if (account.has_switches) {
		move_all_down(account.useful, ns);
		if (account.in_windows)
			move_all_down(account.windows_useful, ns);
	} else {
		move_all_down(account.unseen_useful, ns);
	}
	timeline_take(TIMELINE_USEFUL, account.last_ns, ns);
}

/* The levels that the state amounts to. */
static void set_levels(void)
{
	uint32_t on = 0, useful = 0;

	if (account.has_switches) {
		for (unsigned i = 0; i < switches_count(); i++) {
			const struct processor *cpu = &account.cpus[i];
			on += cpu->tid != 0;
			useful += cpu->tid && !(cpu->presence && cpu->presence->is_waiting);
		}
	} else {
		on = account.alive > account.waiting ? account.alive - account.waiting : 0;
		on = on < account.processors ? on : account.processors;
		useful = on;
	}
	account.level_useful = useful;
	__atomic_store_n(&account.level, on, __ATOMIC_RELAXED);
}

uint32_t concurrency_level(void)
{
	uint32_t level = __atomic_load_n(&account.level, __ATOMIC_RELAXED);

	return level ? level : 1;
}

/* ---- threads by kernel number ---- */

static struct presence *find_tid(uint32_t tid)
{
	struct presence **ways = account.by_tid[tid % TID_BUCKETS];

	for (int i = 0; i < TID_WAYS; i++)
		if (ways[i] && ways[i]->tid == tid && ways[i]->is_alive)
			return ways[i];
	return NULL;
}

static void enter_tid(struct presence *presence)
{
	struct presence **ways = account.by_tid[presence->tid % TID_BUCKETS];
	int at = 0;

	for (int i = 0; i < TID_WAYS; i++)
		if (!ways[i] || !ways[i]->is_alive || ways[i] == presence)
			at = i;
	ways[at] = presence;
}

/* ---- one thread's account ---- */

static void cover(struct presence *presence, uint64_t now_ns)
{
	if (!presence->cover_since_ns || now_ns < presence->cover_since_ns)
		return;
	presence->row->covered_ns += now_ns - presence->cover_since_ns;
	presence->cover_since_ns = now_ns;
}

static void go_off(struct presence *presence, uint64_t now_ns, bool is_preempted)
{
	presence->off_since_ns = now_ns;
	presence->is_preempted = is_preempted;
	presence->row->off_since_ns = now_ns;
	cover(presence, now_ns);
}

static unsigned off_cause(const struct presence *presence)
{
	if (presence->is_preempted)
		return CAUSE_PREEMPTED;
	return presence->is_waiting ? presence->cause : (unsigned)CAUSE_OTHER;
}

static void come_on(struct presence *presence, uint64_t now_ns)
{
	struct row_threads *row = presence->row;

	if (presence->off_since_ns && now_ns > presence->off_since_ns) {
		uint64_t ns = now_ns - presence->off_since_ns;
		row->off_ns += ns;
		row->off_by_cause_ns[off_cause(presence)] += ns;
	}
	presence->off_since_ns = 0;
	row->off_since_ns = 0;
	cover(presence, now_ns);
}

/* ---- events ---- */

static void leave_processor(struct processor *cpu)
{
	cpu->tid = 0;
	cpu->presence = NULL;
}

static void apply_switch(const struct event *event)
{
	struct processor *cpu = &account.cpus[event->source];
	struct presence *presence = find_tid(event->tid);

	switch (event->what) {
	case SWITCH_IN:
		cpu->tid = event->tid;
		cpu->presence = presence;
		if (presence)
			come_on(presence, event->time_ns);
		break;
	case SWITCH_OUT_BLOCKED:
	case SWITCH_OUT_PREEMPTED:
		leave_processor(cpu);
		if (presence)
			go_off(presence, event->time_ns, event->what == SWITCH_OUT_PREEMPTED);
		break;
	case SWITCH_EXIT:
		leave_processor(cpu);
		break;
	default:
		process_row->switches_lost += event->tid;
		note_once(NOTE_LOST_SWITCHES, 0);
	}
}

/* A thread that is just born runs, so the record of its getting on a processor came before. */
static void find_processor(struct presence *presence)
{
	for (unsigned i = 0; i < switches_count(); i++)
		if (account.cpus[i].tid == presence->tid)
			account.cpus[i].presence = presence;
}

static void forget_processor(const struct presence *presence)
{
	for (unsigned i = 0; i < switches_count(); i++)
		if (account.cpus[i].presence == presence)
			account.cpus[i].presence = NULL;
}

static void apply_life(struct presence *presence, const struct event *event)
{
	if ((event->what & WHAT_MASK) == WHAT_BORN) {
		presence->is_alive = true;
		presence->cause = (uint8_t)(event->what >> WHAT_BITS);
		presence->waits_always = presence->is_waiting = presence->cause != CAUSE_OTHER;
		account.waiting += presence->is_waiting;
		presence->cover_since_ns = account.has_switches ? event->time_ns : 0;
		enter_tid(presence);
		account.alive++;
		find_processor(presence);
		return;
	}
	come_on(presence, event->time_ns);
	presence->cover_since_ns = 0;
	presence->is_alive = false;
	account.alive--;
	if (presence->is_waiting)
		account.waiting--;
	presence->is_waiting = false;
	forget_processor(presence);
	/* release: whoever reuses the record finds everything above done */
	__atomic_store_n(&presence->is_gone, 1, __ATOMIC_RELEASE);
}

static void apply_wait(struct presence *presence, const struct event *event)
{
	bool enters = (event->what & WHAT_MASK) == WHAT_ENTER;

	if (presence->waits_always)
		return;
	if (enters)
		presence->cause = (uint8_t)(event->what >> WHAT_BITS);
	if (event->amount)
		take_useful(event->amount);
	if (enters == presence->is_waiting || !presence->is_alive)
		return;
	presence->is_waiting = enters;
	account.waiting += enters ? 1u : -1u;
}

static void apply(const struct event *event)
{
	unsigned rings = switches_count();

	advance(event->time_ns);
	if (event->source < rings) {
		account.window_records++;
		apply_switch(event);
	} else {
		struct presence *presence = account.presence_at(event->source - rings);
		if ((event->what & WHAT_MASK) >= WHAT_BORN)
			apply_life(presence, event);
		else
			apply_wait(presence, event);
	}
	set_levels();
}

/* ---- gathering ---- */

static struct event *next_slot(uint32_t source)
{
	struct event *event = &account.batch[account.batch_count];

	event->source = source;
	event->sequence = account.batch_count++;
	event->amount = 0;
	event->is_claim = false;
	return event;
}

/* Both gatherers take `share` events at most, and lower *horizon to the first that they had to
 * leave. */
static void gather_ring(unsigned ring, unsigned share, uint64_t *horizon)
{
	uint64_t position = switches_tail(ring);
	unsigned taken = 0;
	struct switch_record record;

	while (switches_next(ring, &position, &record)) {
		if (record.time_ns > *horizon)
			return;
		if (taken++ == share) {
			*horizon = record.time_ns;
			return;
		}
		struct event *event = next_slot(ring);
		event->time_ns = record.time_ns;
		event->position = record.position;
		event->tid = record.tid;
		event->what = record.kind;
	}
}

/* What was claimed stays to be applied until a pass gets as far as its time. */
static void add_claimed(uint32_t index, const struct presence *presence)
{
	struct event *event = next_slot(switches_count() + index);

	event->time_ns = presence->claimed_ns;
	event->position = presence->claimed_head;
	event->what = (unsigned)presence->claimed_cause << WHAT_BITS | WHAT_ENTER;
	event->is_claim = true;
}

/* A call that is under way and stands in no event. A young one is waited for: it will most likely
 * be a short one. An old one is claimed, and is an event from now on. */
static void gather_open(uint32_t index, struct presence *presence, uint64_t since_ns, bool has_room,
			uint64_t *horizon)
{
	if (since_ns == OPEN_HELD)
		since_ns = account.last_ns;
	if (since_ns < OPEN_STATES || since_ns > *horizon)
		return;
	uint8_t cause = presence->open_cause;
	if (!has_room || *horizon - since_ns < CLAIM_NS ||
	    !__atomic_compare_exchange_n(&presence->open_since_ns, &since_ns, OPEN_CLAIMED, false,
					 __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) {
		*horizon = since_ns < OPEN_STATES ? account.last_ns : since_ns;
		return;
	}
	presence->claimed_ns = since_ns;
	presence->claimed_head = presence->head;
	presence->claimed_cause = cause;
	add_claimed(index, presence);
}

/* The two below: false if the horizon ends before it. */
static bool is_within(uint64_t time_ns, bool has_room, uint64_t *horizon)
{
	if (time_ns <= *horizon && !has_room)
		*horizon = time_ns;
	return time_ns <= *horizon && has_room;
}

static bool take_claimed(uint32_t index, const struct presence *presence, bool has_room,
			 uint64_t *horizon)
{
	if (!is_within(presence->claimed_ns, has_room, horizon))
		return false;
	add_claimed(index, presence);
	return true;
}

static bool take_event(uint32_t index, const struct presence *presence, uint32_t at, bool has_room,
		       uint64_t *horizon)
{
	uint64_t word = presence->events[at % PRESENCE_EVENTS];
	uint64_t time_ns = (word >> EVENT_BITS) + account.start_ns;

	if (!is_within(time_ns, has_room, horizon))
		return false;
	struct event *event = next_slot(switches_count() + index);
	event->time_ns = time_ns;
	event->position = at + 1;
	event->what = word & ((1u << EVENT_BITS) - 1);
	if ((event->what & WHAT_MASK) == WHAT_SHORT)
		event->amount = presence->short_amounts[at % PRESENCE_EVENTS];
	return true;
}

static void gather_thread(uint32_t index, struct presence *presence, unsigned share,
			  uint64_t *horizon)
{
	unsigned taken = 0;
	/* before the head: what the thread tells when the call ends is then either seen below, or
	 * the horizon stays before it */
	uint64_t since_ns = __atomic_load_n(&presence->open_since_ns, __ATOMIC_ACQUIRE);
	uint32_t head = __atomic_load_n(&presence->head, __ATOMIC_ACQUIRE);

	for (uint32_t at = presence->tail;; at++) {
		bool is_claim = presence->claimed_ns && at == presence->claimed_head;
		if (is_claim && !take_claimed(index, presence, taken++ < share, horizon))
			return;
		if (at == head)
			break;
		if (!take_event(index, presence, at, taken++ < share, horizon))
			return;
	}
	gather_open(index, presence, since_ns, taken < share, horizon);
}

static bool is_before(const struct event *a, const struct event *b)
{
	return a->time_ns != b->time_ns ? a->time_ns < b->time_ns : a->sequence < b->sequence;
}

/* Shell's sort: the batch is a few sorted runs, and nothing may be allocated. Gaps: M. Ciura, 2001.
 */
static void sort_batch(void)
{
	static const unsigned gaps[] = {701, 301, 132, 57, 23, 10, 4, 1};
	struct event *batch = account.batch;

	for (unsigned g = 0; g < sizeof gaps / sizeof *gaps; g++)
		for (unsigned i = gaps[g]; i < account.batch_count; i++) {
			struct event moved = batch[i];
			unsigned at = i;
			for (; at >= gaps[g] && is_before(&moved, &batch[at - gaps[g]]);
			     at -= gaps[g])
				batch[at] = batch[at - gaps[g]];
			batch[at] = moved;
		}
}

static void consume(const struct event *event)
{
	unsigned rings = switches_count();

	if (event->source < rings) {
		switches_consume(event->source, event->position);
		return;
	}
	struct presence *presence = account.presence_at(event->source - rings);
	if (event->is_claim)
		presence->claimed_ns = 0;
	/* release: the thread may use the slot again */
	__atomic_store_n(&presence->tail, (uint32_t)event->position, __ATOMIC_RELEASE);
}

/* True: there is more to be had at once. */
static bool drain_batch(uint64_t horizon)
{
	uint32_t threads = __atomic_load_n(&account.thread_count, __ATOMIC_ACQUIRE);
	uint64_t asked = horizon;

	account.batch_count = 0;
	for (unsigned i = 0; i < switches_count(); i++)
		gather_ring(i, RING_EVENTS / switches_count(), &horizon);
	for (uint32_t i = 0; i < threads; i++) {
		struct presence *presence = account.presence_at(i);
		if (presence &&
		    (__atomic_load_n(&presence->head, __ATOMIC_RELAXED) != presence->tail ||
		     __atomic_load_n(&presence->open_since_ns, __ATOMIC_RELAXED) >= OPEN_HELD ||
		     presence->claimed_ns))
			gather_thread(i, presence, THREAD_EVENTS / threads, &horizon);
	}
	sort_batch();
	unsigned applied = 0;
	for (; applied < account.batch_count && account.batch[applied].time_ns <= horizon;
	     applied++) {
		apply(&account.batch[applied]);
		consume(&account.batch[applied]);
	}
	advance(horizon);
	return applied && horizon < asked;
}

/* ---- the budget ---- */

static void close_switches(uint64_t now_ns)
{
	uint32_t threads = __atomic_load_n(&account.thread_count, __ATOMIC_ACQUIRE);

	for (uint32_t i = 0; i < threads; i++) {
		struct presence *presence = account.presence_at(i);
		if (!presence || !presence->is_alive)
			continue;
		come_on(presence, now_ns);
		presence->cover_since_ns = 0;
	}
	switches_close();
	account.has_switches = false;
	memset(account.cpus, 0, sizeof account.cpus);
	set_levels();
}

static void take_windows(uint64_t now_ns, uint64_t rate)
{
	close_switches(now_ns);
	account.in_windows = true;
	account.next_change_ns = now_ns + PAUSE_NS / 4;
	note_once(NOTE_SWITCHES_STOPPED, (uint32_t)rate);
}

/* The threads that a window can see, with what is known of them: one that is in a wait is off, the
 * others run as far as there are processors; their first records set it right. Returns their
 * number; 0: too many. */
static unsigned collect_threads(struct presence *seen[OBSERVED_THREADS],
				uint32_t tids[OBSERVED_THREADS])
{
	uint32_t threads = __atomic_load_n(&account.thread_count, __ATOMIC_ACQUIRE);
	unsigned count = 0;

	for (uint32_t i = 0; i < threads; i++) {
		struct presence *presence = account.presence_at(i);
		if (!presence || !presence->is_alive)
			continue;
		if (count == OBSERVED_THREADS)
			return 0;
		seen[count] = presence;
		tids[count++] = presence->tid;
	}
	return count;
}

static void place_threads(struct presence *const seen[], unsigned count, uint64_t now_ns)
{
	unsigned room = account.processors;

	for (unsigned i = 0; i < count; i++) {
		bool runs = !seen[i]->is_waiting && room;
		room -= runs;
		account.cpus[i] =
			(struct processor){runs ? seen[i]->tid : 0, runs ? seen[i] : NULL};
		seen[i]->cover_since_ns = now_ns;
		seen[i]->off_since_ns = 0;
	}
}

static void open_window(uint64_t now_ns)
{
	struct presence *seen[OBSERVED_THREADS];
	uint32_t tids[OBSERVED_THREADS];
	unsigned count = collect_threads(seen, tids);

	account.next_change_ns = now_ns + PAUSE_NS;
	if (!count || switches_open_threads(tids, count))
		return;
	uint64_t opened_ns = clock_now_ns(), cost_ns = opened_ns - now_ns;
	advance(opened_ns);
	account.has_switches = true;
	place_threads(seen, count, opened_ns);
	set_levels();
	account.next_change_ns = opened_ns + OBSERVED_NS;
	account.pause_ns = cost_ns > DEAR_NS ? UINT64_MAX / 2 : PAUSE_NS + cost_ns * PAUSE_COSTS;
}

static void end_window(uint64_t now_ns)
{
	close_switches(now_ns);
	account.next_change_ns = clock_now_ns() + account.pause_ns;
}

static void keep_windows(uint64_t now_ns)
{
	if (!account.in_windows || now_ns < account.next_change_ns)
		return;
	if (account.has_switches)
		end_window(now_ns);
	else
		open_window(now_ns);
}

/* Records cost time in the kernel's scheduler: where that would be more than the budget, they are
 * taken in windows. */
static void keep_budget(uint64_t now_ns)
{
	uint64_t elapsed = account.last_ns - account.window_start_ns;

	if (!account.has_switches || account.in_windows || elapsed < RATE_WINDOW_NS)
		return;
	uint64_t cost = (uint64_t)account.window_records * RECORD_COST_NS;
	uint64_t allowed = account.window_cpu_ns / 100 * settings.budget_percent;
	if (cost > allowed && account.window_records > 1000)
		take_windows(now_ns, account.window_records * UINT64_C(500000000) / elapsed);
	account.window_start_ns = account.last_ns;
	account.window_cpu_ns = 0;
	account.window_records = 0;
}

void concurrency_drain(uint64_t now_ns, bool force)
{
	uint64_t pause = DRAIN_NS + (uint64_t)account.thread_count * DRAIN_PER_THREAD_NS;

	if (!account.is_parallel ||
	    (!force && now_ns - __atomic_load_n(&account.drained_ns, __ATOMIC_RELAXED) < pause))
		return;
	if (atomic_flag_test_and_set_explicit(&account.draining, memory_order_acquire))
		return;
	__atomic_store_n(&account.drained_ns, now_ns, __ATOMIC_RELAXED);
	for (int i = 0; i < PASSES && drain_batch(force ? now_ns : now_ns - SLACK_NS); i++)
		;
	keep_budget(now_ns);
	if (!force)
		keep_windows(now_ns);
	store_header()->heartbeat_ns = now_ns;
	atomic_flag_clear_explicit(&account.draining, memory_order_release);
}

/* ---- what threads tell ---- */

static void push(struct presence *presence, uint64_t now_ns, unsigned what)
{
	presence->events[presence->head % PRESENCE_EVENTS] =
		(now_ns - account.start_ns) << EVENT_BITS | what;
	/* release: the drain sees the event before it sees the head */
	__atomic_store_n(&presence->head, presence->head + 1, __ATOMIC_RELEASE);
}

/* Room for `wanted` more events, if need be by draining. */
static bool has_room(struct presence *presence, uint32_t wanted, uint64_t now_ns)
{
	if (likely(presence->head - __atomic_load_n(&presence->tail, __ATOMIC_ACQUIRE) + wanted <=
		   PRESENCE_EVENTS))
		return true;
	concurrency_drain(now_ns, true);
	return presence->head - __atomic_load_n(&presence->tail, __ATOMIC_ACQUIRE) + wanted <=
	       PRESENCE_EVENTS;
}

void concurrency_born(struct presence *presence, uint32_t tid, struct row_threads *row,
		      enum cause cause, uint64_t now_ns)
{
	presence->tid = tid;
	presence->row = row;
	push(presence, now_ns, (unsigned)cause << WHAT_BITS | WHAT_BORN);
}

void concurrency_died(struct presence *presence, uint64_t now_ns)
{
	push(presence, now_ns, WHAT_DIED); /* begins of waits keep a place free for it */
}

void concurrency_enter_wait(struct presence *presence, enum cause cause, uint64_t now_ns)
{
	if (!account.is_parallel)
		return;
	/* three places: begin, end, and the thread's death */
	if (presence->lost || !has_room(presence, 3, now_ns)) {
		presence->lost++;
		__atomic_fetch_add(&process_row->transitions_lost, 1, __ATOMIC_RELAXED);
		return;
	}
	push(presence, now_ns, (unsigned)cause << WHAT_BITS | WHAT_ENTER);
}

void concurrency_leave_wait(struct presence *presence, uint64_t now_ns)
{
	if (!account.is_parallel)
		return;
	if (unlikely(presence->lost))
		presence->lost--;
	else if (has_room(presence, 2, now_ns))
		push(presence, now_ns, WHAT_LEAVE);
}

void concurrency_enter_call(struct presence *presence, enum cause cause, uint64_t now_ns)
{
	if (!account.is_parallel)
		return;
	presence->open_cause = (uint8_t)cause;
	__atomic_store_n(&presence->open_since_ns, now_ns, __ATOMIC_RELEASE);
}

/* The sum of the short calls so far; there must be room for one event. */
static void tell_short(struct presence *presence, uint64_t now_ns)
{
	if (!presence->short_ns)
		return;
	presence->short_amounts[presence->head % PRESENCE_EVENTS] = (uint32_t)presence->short_ns;
	presence->short_ns = 0;
	presence->short_told_ns = now_ns;
	push(presence, now_ns, WHAT_SHORT);
}

static void tell_long(struct presence *presence, enum cause cause, uint64_t start_ns,
		      uint64_t now_ns)
{
	uint64_t seen = start_ns;
	/* a drain may claim it only when it is old: a young one needs no atomic instruction */
	bool is_young = now_ns - start_ns < CLAIM_NS / 2;

	if (!is_young && !__atomic_compare_exchange_n(&presence->open_since_ns, &seen, OPEN_HELD,
						      false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) {
		push(presence, now_ns, WHAT_LEAVE); /* a place was kept for it */
		return;
	}
	if (!has_room(presence, 4, now_ns)) {
		__atomic_fetch_add(&process_row->transitions_lost, 1, __ATOMIC_RELAXED);
		return;
	}
	tell_short(presence, start_ns);
	push(presence, start_ns, (unsigned)cause << WHAT_BITS | WHAT_ENTER);
	push(presence, now_ns, WHAT_LEAVE);
}

void concurrency_leave_call(struct presence *presence, enum cause cause, uint64_t start_ns,
			    uint64_t now_ns)
{
	if (!account.is_parallel || !presence->open_since_ns)
		return;
	if (likely(now_ns - start_ns < SHORT_NS)) {
		presence->short_ns += now_ns - start_ns;
		if (unlikely(now_ns - presence->short_told_ns >= TELL_NS) &&
		    has_room(presence, 2, now_ns))
			tell_short(presence, now_ns);
	} else {
		tell_long(presence, cause, start_ns, now_ns);
	}
	__atomic_store_n(&presence->open_since_ns, OPEN_NONE, __ATOMIC_RELEASE);
}

/* ---- beginnings ---- */

static struct row_concurrency *add_rows(enum concurrency_kind kind)
{
	struct format_block *block = store_block(TABLE_concurrency, sizeof(struct row_concurrency),
						 FORMAT_NO_OWNER, 0, account.levels);
	struct row_concurrency *rows = block ? store_rows(block) : NULL;

	for (unsigned i = 0; rows && i < account.levels; i++) {
		rows[i].active = i;
		rows[i].kind = kind;
	}
	return rows;
}

void concurrency_start(uint64_t start_ns, unsigned processors)
{
	memset(&account, 0, sizeof account);
	timeline_reset();
	account.levels = processors + 1 < LEVELS ? processors + 1 : LEVELS;
	account.processors = processors;
	account.start_ns = account.last_ns = start_ns;
	account.on = add_rows(CONCURRENCY_ON_PROCESSOR);
	account.useful = add_rows(CONCURRENCY_USEFUL);
	account.unseen_on = add_rows(CONCURRENCY_UNSEEN_ON_PROCESSOR);
	account.unseen_useful = add_rows(CONCURRENCY_UNSEEN_USEFUL);
	account.windows_on = add_rows(CONCURRENCY_WINDOWS_ON_PROCESSOR);
	account.windows_useful = add_rows(CONCURRENCY_WINDOWS_USEFUL);
}

bool concurrency_is_parallel(void)
{
	return account.is_parallel;
}

int concurrency_switches_error(void)
{
	return account.switches_error;
}

void concurrency_set_threads(concurrency_presence_function *presence_at, uint32_t count)
{
	account.presence_at = presence_at;
	__atomic_store_n(&account.thread_count, count, __ATOMIC_RELEASE);
}

void concurrency_update_single(uint64_t now_ns, uint64_t cpu_ns)
{
	uint64_t elapsed = now_ns - account.start_ns;

	if (account.is_parallel || !account.on || !account.useful)
		return;
	cpu_ns = cpu_ns < elapsed ? cpu_ns : elapsed;
	account.on[1].time_ns = account.useful[1].time_ns = cpu_ns;
	account.on[0].time_ns = account.useful[0].time_ns = elapsed - cpu_ns;
	account.last_ns = now_ns;
	if (process_row) {
		process_row->accounted_ns = now_ns;
		process_row->switches_ns = elapsed; /* one thread's CPU time says it exactly */
	}
}

/* As long as there is one thread, its CPU clock tells what records would. */
static void cover_single(struct row_threads *row, uint64_t elapsed_ns, uint64_t cpu_ns,
			 const uint64_t waited_ns[CAUSE_COUNT])
{
	uint64_t left = elapsed_ns > cpu_ns ? elapsed_ns - cpu_ns : 0;

	row->covered_ns += elapsed_ns;
	row->off_ns += left;
	for (unsigned cause = CAUSE_OTHER + 1; cause < CAUSE_COUNT; cause++) {
		uint64_t ns = waited_ns[cause] < left ? waited_ns[cause] : left;
		row->off_by_cause_ns[cause] += ns;
		left -= ns;
	}
	row->off_by_cause_ns[CAUSE_OTHER] += left;
}

void concurrency_begin_parallel(bool with_switches, struct presence *first, uint64_t cpu_ns,
				const uint64_t waited_ns[CAUSE_COUNT])
{
	if (account.is_parallel)
		return;
	account.switches_error = with_switches ? switches_open() : 0;
	account.has_switches = switches_are_open();
	uint64_t now_ns = clock_now_ns();
	concurrency_update_single(now_ns, cpu_ns);
	timeline_add(TIMELINE_ON_PROCESSOR, account.start_ns, now_ns, cpu_ns);
	timeline_add(TIMELINE_USEFUL, account.start_ns, now_ns, cpu_ns);
	account.window_start_ns = now_ns;
	account.is_parallel = true;
	if (account.has_switches)
		cover_single(first->row, now_ns - account.start_ns, cpu_ns, waited_ns);
	uint32_t here = account.has_switches ? switches_here() : UINT32_MAX;
	if (here != UINT32_MAX)
		account.cpus[here].tid = first->tid;
	push(first, now_ns, WHAT_BORN);
	concurrency_drain(now_ns, true);
}

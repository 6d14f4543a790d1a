/* SPDX-License-Identifier: MIT */
#include "preload/mpi/mpi_call_record.h"

#include "preload/base/interrupted.h"
#include "preload/file/durations.h"
#include "preload/life/lifecycle.h"
#include "preload/mpi/mpi_awaited.h"
#include "preload/mpi/mpi_binding.h"
#include "preload/mpi/mpi_tracking.h"
#include "preload/mpi/mpi_process.h"
#include "preload/mpi/mpi_record.h"
#include "preload/mpi/mpi_repeat.h"
#include "preload/mpi/mpi_window.h"
#include "preload/process/entry.h"
#include "preload/process/settings.h"
#include "preload/thread/overhead.h"
#include "preload/waits/activity.h"
#include "preload/waits/stack_memo.h"

enum {
	MEASURED_CALLS = 64, /* one call in so many measures what it costs */
};

/* ---- the record of collectives ---- */

/* Calls that all ranks of the communicator make in the same order, and in which they wait for each
 * other. */
static bool is_recorded(const struct mpi_call *call, enum mpi_call_number number)
{
	return call->class == MPI_CLASS_COLLECTIVE && call->comm &&
	       call->special != SPECIAL_REQUEST && call->special != SPECIAL_PERSISTENT &&
	       call->special != SPECIAL_COMM_FREE && number != MPI_CALL_Comm_create_group &&
	       (call->receive.shape < SHAPE_EDGES || call->receive.shape > SHAPE_EDGE_TYPED);
}

static void open_record(struct mpi_state *state, uint32_t path, int32_t root)
{
	uint64_t sequence = mpi_record_count(state->comm);

	state->sequence = sequence + 1;
	struct row_mpi_collectives *record =
		mpi_process_is_paused ? NULL : mpi_record_open(state->comm, sequence);

	if (!record)
		return;
	record->call = (uint16_t)(state->key >> 32);
	record->callpath = path;
	record->root = (uint32_t)(root + 1);
	state->record = record;
}

/* ---- before the call ---- */

static struct mpi_comm *find_comm(const struct mpi_state *state, const struct mpi_call *call,
				  const mpi_word *arguments)
{
	if (!mpi_process_is_live || call->special == SPECIAL_COMM_FREE)
		return NULL;
	if (call->comm)
		return mpi_thread_comm(state->mpi, mpi_handle(arguments[call->comm - 1]),
				       state->site->caller);
	return call->window ? mpi_window_comm(mpi_handle(arguments[call->window - 1])) : NULL;
}

/* Finds the row of the call; returns its call path. */
static uint32_t find_row(struct mpi_state *state, const mpi_word *arguments)
{
	struct mpi_site *slot = mpi_site_at(state->mpi, state->site);
	uint32_t path = stack_memo_path(state->thread, &slot->memo, state->site);

	state->comm = find_comm(state, &mpi_calls[state->number], arguments);
	state->key = path | (uint64_t)mpi_process_name(state->number) << 32 |
		     (uint64_t)(state->comm ? state->comm->number : 0) << 48;
	if (unlikely(slot->key != state->key)) {
		typeof(slot->row) row = mpi_call_row(state->mpi, state->key);

		/* a handler may jump out at any place: no key with another one's row */
		slot->key = 0;
		interrupted_fence();
		slot->row = row;
		interrupted_fence();
		slot->key = state->key;
	}
	state->row = slot->row;
	state->place = slot;
	return path;
}

static void begin_life(const struct mpi_state *state, const mpi_word *arguments, uint64_t now_ns)
{
	switch (mpi_calls[state->number].special) {
	case SPECIAL_INIT:
	case SPECIAL_SESSION:
		lifecycle_begin_parallel(state->thread);
		mpi_process_begin_init(now_ns);
		break;
	case SPECIAL_FINALIZE:
		mpi_process_begin_finalize(now_ns);
		break;
	case SPECIAL_ABORT:
		mpi_process_abort((int32_t)arguments[1]);
		break;
	default:
		break;
	}
}

/* A binding's own call, of which nothing is recorded. But the handle of a type that it frees may be
 * reused for a type of another size. */
static bool is_of_binding(enum mpi_call_number number, const struct site *site)
{
	if (!mpi_binding_may_make(number) || !mpi_binding_makes(number, site->caller))
		return false;
	if (number == MPI_CALL_Type_free)
		mpi_type_freed();
	return true;
}

/* The thread's previous call never returned: an error handler has left it by a jump or an
 * exception. Nobody knows when. */
static void count_left(struct mpi_thread *mpi)
{
	if (unlikely(mpi->open != NULL))
		mpi->open->failed++;
	mpi->open = NULL;
}

bool mpi_enter(struct mpi_state *state, enum mpi_call_number number, mpi_word *arguments,
	       const struct site *site)
{
	const struct mpi_call *call = &mpi_calls[number];
	struct thread *thread = settings.mpi ? thread_or_adopt() : NULL;

	if (!thread)
		return false;
	if (!activity_may_enter(thread, site)) {
		if (mpi_process_is_live)
			mpi_tracking_unseen(number, arguments);
		return false;
	}
	if (is_of_binding(number, site))
		return false;
	busy_begin(&thread->is_busy);
	state->thread = thread;
	if (unlikely(!thread->mpi))
		lifecycle_call_in_child(mpi_thread_forget);
	state->mpi = mpi_thread_of(thread);
	state->site = site;
	state->number = (uint16_t)number;
	state->comm = NULL;
	state->requests = NULL;
	state->statuses = NULL;
	state->record = NULL;
	state->sequence = 0;
	if (!state->mpi) {
		busy_end(&thread->is_busy);
		return false;
	}
	if (unlikely(!mpi_process_is_live && entry_is_late) && call->class != MPI_CLASS_LIFE)
		mpi_process_look(clock_now_ns());
	count_left(state->mpi);
	uint32_t path = find_row(state, arguments);
	if (mpi_process_is_live)
		mpi_tracking_prepare(state, arguments);
	/* Who was attached to later counts from another call on than the other members do. */
	if (state->comm && is_recorded(call, number) && likely(!entry_is_late))
		open_record(state, path, call->root ? (int32_t)arguments[call->root - 1] : -1);
	if (state->row && !mpi_process_is_paused) {
		state->row->count++;
		state->mpi->open = state->row;
	}
	if (unlikely(call->class == MPI_CLASS_LIFE))
		begin_life(state, arguments, tsc_clock_now_ns(&state->mpi->clock));
	state->start_ns = tsc_clock_now_ns(&state->mpi->clock);
	if (state->record)
		state->record->enter_ns = state->start_ns;
	activity_enter(thread, CAUSE_MPI, path, site, state->start_ns);
	mpi_awaited_show(state, arguments);
	busy_end(&thread->is_busy);
	return true;
}

/* ---- after the call ---- */

static void add_time(struct row_mpi_calls *row, uint64_t ns, int result)
{
	durations_add(DURATIONS_OF(row), ns, !row->min_ns);
	if (unlikely(result))
		row->failed++;
}

static void end_life(const struct mpi_state *state, const mpi_word *arguments, uint64_t end_ns)
{
	switch (mpi_calls[state->number].special) {
	case SPECIAL_INIT:
	case SPECIAL_SESSION:
		mpi_process_end_init(end_ns,
				     state->number == MPI_CALL_Init_thread
					     ? (const int32_t *)arguments[3]
					     : NULL,
				     state->number == MPI_CALL_Session_init);
		break;
	case SPECIAL_FINALIZE:
		mpi_process_end_finalize(end_ns);
		break;
	default:
		break;
	}
}

static void add_own_time(struct mpi_state *state, uint64_t end_ns)
{
	overhead_add(state->thread, tsc_clock_now_ns(&state->mpi->clock) - end_ns,
		     2 * MEASURED_CALLS, OVERHEAD_CALL_NS);
}

static void follow_effects(struct mpi_state *state, const mpi_word *arguments, bool is_recorded,
			   int result, uint64_t end_ns)
{
	/* a repeated call has nothing new to track either */
	if (likely(is_recorded && mpi_repeat_is(state, arguments))) {
		mpi_tracking_repeat(state, end_ns);
		return;
	}
	if (is_recorded)
		mpi_tracking_record(state, arguments, end_ns);
	else
		mpi_tracking_follow(state, arguments, result, end_ns);
	if (!result)
		mpi_tracking_track(state, arguments);
}

/* False: this process was forked inside the call: the thread has no record here, or one that is in
 * no wait, and what the call began is the parent's. */
static bool is_under_way(const struct mpi_state *state)
{
	const struct thread *thread = thread_current();

	return likely(thread == state->thread && thread->wait.frame == state->site->sp);
}

void mpi_leave(struct mpi_state *state, const mpi_word *arguments, int result)
{
	struct thread *thread = state->thread;
	struct row_mpi_calls *row = mpi_process_is_paused ? NULL : state->row;
	uint64_t end_ns = tsc_clock_now_ns(&state->mpi->clock);

	if (unlikely(!is_under_way(state)))
		return;
	busy_begin(&thread->is_busy);
	state->mpi->open = NULL;
	activity_leave(thread, end_ns);
	if (state->record)
		__atomic_store_n(&state->record->leave_ns, end_ns, __ATOMIC_RELEASE);
	if (row)
		add_time(row, end_ns - state->start_ns, result);
	if (unlikely(mpi_calls[state->number].class == MPI_CLASS_LIFE))
		end_life(state, arguments, end_ns);
	else if (mpi_process_is_live)
		follow_effects(state, arguments, row && !result, result, end_ns);
	if (row && row->count % MEASURED_CALLS == 0)
		add_own_time(state, end_ns);
	busy_end(&thread->is_busy);
}

/* ---- no MPI here ---- */

enum { SUCCESS = 0, OTHER_ERROR = 16 };

int mpi_missing(enum mpi_call_number number, const mpi_word *arguments)
{
	if (mpi_calls[number].special != SPECIAL_INITIALIZED)
		return OTHER_ERROR;
	*(int32_t *)arguments[0] = 0;
	return SUCCESS;
}

/* SPDX-License-Identifier: MIT */
#include "analyze/model/stuck/stuck_words.h"

#include "analyze/base/memory.h"
#include "analyze/base/quantity.h"
#include "analyze/model/process/process.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char *const kind_texts[STUCK_KINDS] = {
	[STUCK_SELF] = "self_deadlock",         [STUCK_CYCLE] = "deadlock",
	[STUCK_ORPHAN] = "holder_ended",        [STUCK_COLLECTIVE] = "collective_incomplete",
	[STUCK_BARRIER] = "barrier_incomplete", [STUCK_WAKE_UP] = "lost_wake_up",
	[STUCK_NOBODY] = "nobody_left",
};

/* What a verdict begins with. */
static const char *const kind_heads[STUCK_KINDS] = {
	[STUCK_SELF] = "deadlock of one thread with itself",
	[STUCK_CYCLE] = "deadlock: each waits for the next one, the last one for the first",
	[STUCK_ORPHAN] = "a wait for one that has ended",
	[STUCK_COLLECTIVE] = "a collective call that lacks ranks",
	[STUCK_BARRIER] = "a barrier that lacks threads",
	[STUCK_WAKE_UP] = "a wake-up that never comes (lost, or never sent)",
	[STUCK_NOBODY] = "a wait that nobody is left to end",
};

const char *stuck_kind_text(enum stuck_kind kind)
{
	return kind_texts[kind];
}

const char *stuck_state_text(enum stuck_state state)
{
	static const char *const texts[] = {"runs", "idle", "limited", "waits", "stuck"};

	return texts[state];
}

const char *stuck_source_text(enum stuck_source source)
{
	static const char *const texts[] = {NULL, "begin", "memory", "arguments", "ends"};

	return texts[source];
}

/* ---- who */

static bool is_alone(const struct stuck *stuck, size_t wait)
{
	for (size_t i = 0; i < stuck->count; i++)
		if (i != wait && stuck->waits[i].process == stuck->waits[wait].process &&
		    !stuck->waits[i].is_helper)
			return false;
	return true;
}

static bool is_one_process(const struct stuck *stuck)
{
	for (size_t i = 1; i < stuck->count; i++)
		if (stuck->waits[i].process != stuck->waits[0].process)
			return false;
	return true;
}

char *stuck_who(const struct stuck *stuck, const struct process *processes, size_t index)
{
	const struct stuck_wait *wait = &stuck->waits[index];
	const struct run_process *file = processes[wait->process].file;

	if (wait->rank != MPI_NO_RANK && is_alone(stuck, index))
		return memory_print("rank %" PRIu64, wait->rank);
	if (wait->rank != MPI_NO_RANK)
		return memory_print("rank %" PRIu64 ", thread %" PRIu64 " (%s)", wait->rank,
				    wait->tid, wait->name);
	if (is_one_process(stuck))
		return memory_print("thread %" PRIu64 " (%s)", wait->tid, wait->name);
	if (is_alone(stuck, index))
		return memory_print("process %u (%s)", file->header.pid, wait->name);
	return memory_print("thread %" PRIu64 " (%s) of process %u", wait->tid, wait->name,
			    file->header.pid);
}

/* Who is waited for, one after the other, three at most. */
static char *others_text(const struct stuck *stuck, const struct process *processes,
			 const struct stuck_wait *wait)
{
	enum { MOST = 3 };
	char *text = memory_copy_text("");

	for (size_t i = 0; i < wait->other_count && i < MOST; i++) {
		char *who = stuck_who(stuck, processes, wait->others[i]);
		char *longer = memory_print("%s%s%s", text, i ? ", " : "", who);

		free(who);
		free(text);
		text = longer;
	}
	if (wait->other_count > MOST) {
		char *longer = memory_print("%s and %zu more", text, wait->other_count - MOST);

		free(text);
		text = longer;
	}
	return text;
}

/* ---- whom for */

static char *of_lock(const struct stuck *stuck, const struct process *processes,
		     const struct stuck_wait *wait)
{
	const char *when = wait->source == STUCK_MEMORY ? "" : " when the wait began";

	if (wait->readers)
		return memory_print("held by %" PRIu64 " reader%s", wait->readers,
				    wait->readers == 1 ? "" : "s");
	if (!wait->holder)
		return memory_copy_text(wait->source == STUCK_MEMORY ? "free now"
								     : "holder not known");
	if (!wait->other_count && wait->is_elsewhere)
		return memory_print(
			"held%s by thread %" PRIu64 " of another process%s", when, wait->holder,
			wait->is_held_by_dead ? ", which cannot give this one back: fork copies "
						"locks as they are"
					      : "");
	if (!wait->other_count)
		return memory_print("held%s by thread %" PRIu64 ", which %s", when, wait->holder,
				    wait->is_held_by_dead ? "has ended" : "is not observed");
	char *others = others_text(stuck, processes, wait);
	char *text = &stuck->waits[wait->others[0]] == wait
			     ? memory_copy_text("held by itself")
			     : memory_print("held by %s%s", others, when);

	free(others);
	return text;
}

static char *of_mpi(const struct stuck *stuck, const struct process *processes,
		    const struct stuck_wait *wait)
{
	if (wait->sequence && wait->other_count) {
		char *others = others_text(stuck, processes, wait);
		char *text = memory_print("not entered by %s", others);

		free(others);
		return text;
	}
	if (wait->peer == UINT32_MAX)
		return memory_copy_text("a message from any rank");
	if (wait->peer)
		return memory_print("rank %" PRIu64 ", tag %" PRId32, wait->peer - 1,
				    (int32_t)wait->tag);
	if (wait->is_held_by_dead)
		return memory_copy_text("a rank that has ended");
	return memory_copy_text(wait->sequence ? "data: all ranks have entered" : "any rank");
}

char *stuck_whom(const struct stuck *stuck, const struct process *processes, size_t index)
{
	const struct stuck_wait *wait = &stuck->waits[index];

	if (!wait->since_ns || wait->has_moved || wait->state == STUCK_RUNS)
		return memory_copy_text("");
	if (wait->state == STUCK_LIMITED)
		return memory_copy_text("with a time limit");
	if (wait->cause == CAUSE_OTHER)
		return memory_copy_text("not known: it began before the profile");
	if (wait->cause == CAUSE_MPI)
		return of_mpi(stuck, processes, wait);
	if (wait->cause == CAUSE_MUTEX || wait->cause == CAUSE_RWLOCK)
		return of_lock(stuck, processes, wait);
	if (wait->other_count)
		return others_text(stuck, processes, wait);
	return memory_copy_text(wait->state == STUCK_IDLE ? "what comes from outside"
							  : "any other thread");
}

/* ---- sentences */

char *stuck_sentence(const struct stuck *stuck, const struct process *processes, size_t index)
{
	const struct stuck_wait *wait = &stuck->waits[index];
	char *who = stuck_who(stuck, processes, index), *text;
	char *whom = stuck_whom(stuck, processes, index);
	const char *place = wait->place ? wait->place : "an unknown place";

	if (wait->state == STUCK_RUNS)
		text = memory_print("%s is in no wait; it used most of its CPU time in %s", who,
				    place);
	else
		text = memory_print("%s waits in %s%s%s at %s for %s: %s", who, wait->call,
				    *wait->object ? " for " : "", wait->object, place,
				    quantity_seconds((double)wait->wait_ns).text, whom);
	free(who);
	free(whom);
	return text;
}

/* Takes ownership of both. */
static char *joined(char *text, const char *between, char *more)
{
	char *longer = memory_print("%s%s%s", text, between, more);

	free(text);
	free(more);
	return longer;
}

/* Of what is missing: what do those do instead? */
static char *add_missing(char *text, const struct stuck *stuck, const struct process *processes,
			 const struct stuck_wait *wait)
{
	for (size_t i = 0; i < wait->other_count; i++)
		text = joined(text,
			      "; not in it: ", stuck_sentence(stuck, processes, wait->others[i]));
	return text;
}

static char *add_count(char *text, const struct stuck_wait *wait, size_t count)
{
	if (wait->cause == CAUSE_BARRIER && wait->participants)
		return joined(text, "; ",
			      memory_print("%zu of %" PRIu64 " threads have come", count,
					   wait->participants));
	return joined(text, "; ",
		      memory_copy_text("every other thread that could end it is itself in a wait "
				       "that does not end"));
}

char *stuck_verdict_text(const struct stuck *stuck, const struct process *processes,
			 const struct stuck_verdict *verdict)
{
	enum { MOST = 8 };
	const struct stuck_wait *first = &stuck->waits[verdict->waits[0]];
	char *text = memory_print("%s%s", verdict->is_certain ? "" : "possibly ",
				  kind_heads[verdict->kind]);

	for (size_t i = 0; i < verdict->count && i < MOST; i++)
		text = joined(text, i ? "; " : ": ",
			      stuck_sentence(stuck, processes, verdict->waits[i]));
	if (verdict->count > MOST)
		text = joined(text, "; ", memory_print("and %zu more", verdict->count - MOST));
	if (verdict->kind == STUCK_COLLECTIVE)
		return add_missing(text, stuck, processes, first);
	return verdict->kind >= STUCK_BARRIER ? add_count(text, first, verdict->count) : text;
}

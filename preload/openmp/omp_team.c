/* SPDX-License-Identifier: MIT */
#include "preload/openmp/omp_team.h"

#include "preload/base/interrupted.h"
#include "preload/base/pages.h"
#include "preload/openmp/omp_process.h"
#include "preload/process/process_row.h"
#include "preload/sections/section_stack.h"
#include "preload/thread/overhead.h"

enum {
	MEASURED_REGIONS = 64, /* one in so many measures what it costs */
};

#define ID_MASK ((UINT64_C(1) << 40) - 1)

/* If no wrapper has named a library, OMPT has reported the team. */
static enum omp_runtime runtime_of(const struct omp_team *team)
{
	return team->runtime ? OMP_LIBGOMP : OMP_OMPT;
}

/* ---- open ---- */

static void take_slots(struct omp_team *team, uint32_t wanted)
{
	struct omp_thread *omp = team->master;

	if (unlikely(wanted > OMP_TEAM_FEW && !omp->slots))
		omp->slots = pages_new(OMP_SLOTS * sizeof *omp->slots);
	uint32_t room = omp->slots ? OMP_SLOTS - omp->slots_used : 0;

	team->slots = team->few;
	team->capacity = wanted < OMP_TEAM_FEW ? wanted : OMP_TEAM_FEW;
	if (wanted > OMP_TEAM_FEW && room > OMP_TEAM_FEW) {
		team->slots = &omp->slots[omp->slots_used];
		team->capacity = wanted < room ? wanted : room;
		omp->slots_used += team->capacity;
	}
	/* the slots still have other executions' data, recognized by the id; ids of other threads
	 * differ in the upper bits */
	team->id = (uint64_t)(omp->thread->index + 1) << 40 | (++omp->teams_started & ID_MASK);
}

static void give_slots_back(const struct omp_team *team)
{
	if (team->slots != team->few)
		team->master->slots_used -= team->capacity;
}

/* Not in a signal handler that has interrupted a wait. But a call of MPI may run code of the
 * program with a region (the function of a reduction): the call's wait continues afterwards. */
static bool may_open(struct omp_thread *omp, const struct site *site, uint64_t sp)
{
	const struct open_wait *wait = &omp->thread->wait;

	if (omp->wait.since_ns)
		return false;
	if (!wait->frame || wait->cause == CAUSE_MPI)
		return true;
	return sp == site->sp && activity_may_enter(omp->thread, site);
}

/* The MPI call that the thread is in is no wait meanwhile. */
static void suspend_call(struct omp_team *team, uint64_t now_ns)
{
	struct thread *thread = team->master->thread;

	team->call.frame = 0;
	if (likely(!thread->wait.frame))
		return;
	team->call = thread->wait;
	activity_leave(thread, now_ns);
}

static void resume_call(const struct omp_team *team, uint64_t now_ns)
{
	const struct open_wait *call = &team->call;

	if (call->frame)
		activity_enter(team->master->thread, (enum cause)call->cause, call->path,
			       &(struct site){.sp = call->frame}, now_ns);
}

bool omp_team_open(struct omp_team *team, struct omp_thread *omp, uint64_t place, uint32_t wanted,
		   const struct site *site, uint64_t sp)
{
	if (!may_open(omp, site, sp))
		return false;
	busy_begin(&omp->thread->is_busy);
	team->region = omp_thread_region(omp, OMP_REGION_PARALLEL, place, site);
	if (unlikely(!team->region)) {
		busy_end(&omp->thread->is_busy);
		return false;
	}
	team->master = omp;
	team->section = omp->thread->section;
	team->parent = omp->region;
	team->loop = omp->loop;
	team->late = omp->late;
	team->late_row = omp->late_row;
	team->late_id = omp->late_id;
	team->size = 0;
	take_slots(team, wanted);
	team->start_ns = omp_now_ns(omp);
	team->tool_wait_ns = process_row->start_wait_ns;
	if (!team->parent) {
		omp->row->region = team->region;
		omp->row->region_team = 0;
		omp->row->region_since_ns = team->start_ns;
		omp_process_region_begins(runtime_of(team), team->start_ns);
	}
	suspend_call(team, team->start_ns);
	omp_wait_outside(omp, sp, team->start_ns);
	busy_end(&omp->thread->is_busy);
	return true;
}

/* ---- members ---- */

/* By the first member, which is the thread that started the team. The row is for those who look
 * before the region has ended. */
static inline void set_size(struct omp_team *team, uint32_t size)
{
	team->size = size;
	if (!team->parent)
		team->master->row->region_team = size;
}

/* Who works for a team works for the section in which its region was met. */
static void join_section(struct omp_member *member, const struct omp_team *team)
{
	struct thread *thread = member->omp->thread;

	member->has_joined = team->section != thread->section && section_stack_make(thread);
	if (unlikely(member->has_joined))
		section_stack_join(thread, team->section);
}

void omp_member_begin(struct omp_member *member, struct omp_team *team, uint32_t number,
		      uint32_t size)
{
	struct omp_thread *omp = omp_here();

	member->omp = omp;
	if (!number)
		set_size(team, size);
	if (unlikely(!omp))
		return;
	uint64_t now_ns = omp_now_ns(omp);
	busy_begin(&omp->thread->is_busy);
	if (omp->wait.since_ns)
		omp_wait_outside_end(omp, now_ns);
	if (unlikely(number && !(omp->thread->row->flags & THREAD_OF_OPENMP)))
		omp->thread->row->flags |= THREAD_OF_OPENMP;
	join_section(member, team);
	member->team = team;
	member->number = number;
	member->outer = omp->member;
	member->start_ns = now_ns;
	member->lost_ns = omp_lost_ns(omp);
	member->slot = number < team->capacity ? &team->slots[number] : NULL;
	if (likely(member->slot != NULL)) {
		member->slot->id = team->id;
		member->slot->start_ns = now_ns;
		member->slot->work_ns = member->slot->lost_ns = member->slot->late_ns = 0;
	}
	omp->member = member;
	omp->region = team->region;
	omp->loop = NULL;
	omp->late = NULL;
	omp->late_row = NULL;
	busy_end(&omp->thread->is_busy);
}

void omp_member_end(struct omp_member *member, uint64_t sp)
{
	struct omp_thread *omp = member->omp;

	if (unlikely(!omp || !omp_is_current(omp) || omp->member != member))
		return; /* not measured, or forked */
	busy_begin(&omp->thread->is_busy);
	struct row_omp_work *row = omp_thread_work(omp, member->team->region, member->number);
	uint64_t now_ns = omp_now_ns(omp);
	uint64_t body_ns = now_ns - member->start_ns;
	uint64_t lost_ns = omp_lost_ns(omp) - member->lost_ns;
	uint64_t work_ns = body_ns > lost_ns ? body_ns - lost_ns : 0;

	omp->row->bodies++;
	if (row) {
		row->count++;
		row->body_ns += body_ns;
		row->work_ns += work_ns;
		if (work_ns > row->most_ns)
			row->most_ns = work_ns;
	}
	if (member->slot) {
		member->slot->work_ns = work_ns;
		member->slot->lost_ns = body_ns - work_ns;
	}
	if (unlikely(member->has_joined))
		section_stack_part(omp->thread);
	omp->late = member->slot;
	omp->late_id = member->team->id;
	omp->late_row = row;
	omp->member = member->outer;
	omp->loop = NULL;
	omp_wait_outside(omp, sp, now_ns);
	busy_end(&omp->thread->is_busy);
}

/* ---- close ---- */

struct sums {
	uint64_t fork_ns, work_ns, lost_ns, join_ns, most_ns, idle_least_ns;
	uint32_t members;
};

static uint64_t difference(uint64_t later, uint64_t earlier)
{
	return later > earlier ? later - earlier : 0;
}

static uint64_t at_most(uint64_t ns, uint64_t most)
{
	return ns < most ? ns : most;
}

/* Without the time that the profiler waited when the process's second thread was started. */
static uint64_t start_of(const struct omp_team *team)
{
	return team->start_ns + process_row->start_wait_ns - team->tool_wait_ns;
}

/* So that elapsed = fork + work + lost + join for each member, to the nanosecond, even if the
 * clocks of two processors differ. */
static void add_member(struct sums *sums, const struct omp_slot *slot, uint64_t start_ns,
		       uint64_t elapsed_ns)
{
	uint64_t fork_ns = at_most(difference(slot->start_ns, start_ns), elapsed_ns);
	uint64_t rest_ns = elapsed_ns - fork_ns;
	uint64_t work_ns = at_most(slot->work_ns + slot->late_ns, rest_ns);
	uint64_t lost_ns = at_most(slot->lost_ns, rest_ns - work_ns);

	sums->fork_ns += fork_ns;
	sums->lost_ns += lost_ns;
	sums->work_ns += work_ns;
	sums->join_ns += rest_ns - lost_ns - work_ns;
	if (work_ns > sums->most_ns)
		sums->most_ns = work_ns;
	if (!sums->members || elapsed_ns - work_ns < sums->idle_least_ns)
		sums->idle_least_ns = elapsed_ns - work_ns;
	sums->members++;
}

static void record(struct row_omp_executions *row, const struct sums *sums, uint64_t elapsed_ns)
{
	if (!row->count || elapsed_ns < row->min_ns)
		row->min_ns = elapsed_ns;
	if (elapsed_ns > row->max_ns)
		row->max_ns = elapsed_ns;
	row->count++;
	row->elapsed_ns += elapsed_ns;
	row->fork_ns += sums->fork_ns;
	row->work_ns += sums->work_ns;
	row->wait_ns += sums->lost_ns;
	row->join_ns += sums->join_ns;
	row->work_max_ns += sums->most_ns;
	row->idle_min_ns += sums->idle_least_ns;
	row->members += sums->members;
}

/* What follows belongs to the outer region again. */
static void step_out(struct omp_team *team, uint64_t now_ns)
{
	struct omp_thread *omp = team->master;

	if (omp->wait.since_ns)
		omp_wait_outside_end(omp, now_ns);
	omp->region = team->parent;
	omp->loop = team->loop;
	omp->late = team->late;
	omp->late_row = team->late_row;
	omp->late_id = team->late_id;
	resume_call(team, now_ns);
	if (!team->parent) {
		omp->row->region_since_ns = 0;
		omp_process_region_ended(runtime_of(team), now_ns, team->size);
	}
}

/* The cost of closing is measured for one execution of many; opening costs as much, and so do begin
 * and end of each member together. */
static void add_own_time(struct omp_team *team, uint64_t since_ns)
{
	overhead_add(team->master->thread, omp_now_ns(team->master) - since_ns,
		     (2 + team->size) * MEASURED_REGIONS, OVERHEAD_CALL_NS);
}

void omp_team_close(struct omp_team *team)
{
	struct omp_thread *omp = team->master;
	struct thread *thread = omp->thread;
	struct sums sums = {0};

	if (unlikely(!omp_is_current(omp)))
		return;
	uint64_t now_ns = omp_now_ns(omp), start_ns = start_of(team);
	uint64_t elapsed_ns = difference(now_ns, start_ns);
	busy_begin(&thread->is_busy);
	step_out(team, now_ns);
	for (uint32_t i = 0; i < team->size && i < team->capacity; i++)
		if (team->slots[i].id == team->id)
			add_member(&sums, &team->slots[i], start_ns, elapsed_ns);
	struct row_omp_executions *row = omp_thread_executions(omp, team->region, team->size);
	if (row && team->size)
		record(row, &sums, elapsed_ns);
	give_slots_back(team);
	if (unlikely(row && row->count % MEASURED_REGIONS == 0))
		add_own_time(team, now_ns);
	busy_end(&thread->is_busy);
}

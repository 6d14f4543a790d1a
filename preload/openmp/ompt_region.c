/* SPDX-License-Identifier: MIT */
#include "preload/openmp/ompt_region.h"

#include "preload/openmp/gomp_real.h"
#include "preload/openmp/ompt_place.h"
#include "preload/openmp/ompt_pool.h"

/* ---- regions ---- */

/* In the first thread of each team of a league the runtime starts a region of its own, of one
 * thread, for the league's body. It has no place in the program. */
static bool is_teams_body(struct omp_thread *omp, const void *code)
{
	bool is_first = omp->is_league_new;

	omp->is_league_new = false;
	return is_first && (!ompt_is_in_program(code) || (uint64_t)code == omp->league_code);
}

static void begin_league(struct omp_thread *omp, struct ompt_team *team)
{
	__atomic_store_n(&ompt_league, team->place, __ATOMIC_RELAXED);
	team->team.parent = omp->region;
	team->team.start_ns = omp_now_ns(omp);
}

static void begin_region(struct omp_thread *omp, struct ompt_team *team, unsigned wanted,
			 const struct site *site)
{
	/* for wrap_kmpc.c: members must not ask the loader, whose lock this thread may hold */
	gomp_real_of(KMPC_NAMES, GOMP_NUMBER___kmpc_dispatch_next_4, team->place);
	/* the runtime's own: helper threads, with no place in the program */
	bool is_runtimes = !omp->region && ompt_is_in_runtime((const void *)team->place);
	if (is_runtimes ||
	    !omp_team_open(&team->team, omp, team->place, wanted, site, OMPT_EVERYWHERE))
		team->kind = OMPT_TEAM_UNKNOWN;
}

void ompt_parallel_begin(ompt_data_t *task, const void *frame, ompt_data_t *parallel,
			 unsigned wanted, int flags, const void *code)
{
	struct omp_thread *omp = omp_here();

	(void)task;
	(void)frame;
	parallel->ptr = NULL;
	struct ompt_team *team = omp ? ompt_team_take(omp) : NULL;
	if (!team)
		return;
	team->code = (uint64_t)code;
	team->place = ompt_place(omp, code);
	team->outer = omp->open_teams;
	omp->open_teams = team;
	team->kind = flags & OMPT_PARALLEL_LEAGUE ? OMPT_TEAM_LEAGUE
		     : is_teams_body(omp, code)   ? OMPT_TEAM_OF_LEAGUE
						  : OMPT_TEAM_REGION;
	if (team->kind == OMPT_TEAM_LEAGUE)
		begin_league(omp, team);
	else if (team->kind == OMPT_TEAM_REGION)
		begin_region(omp, team, wanted, SITE_WITHIN(team->place));
	parallel->ptr = team->kind == OMPT_TEAM_UNKNOWN ? NULL : team;
}

/* The league's teams are reported separately. */
static void end_league(struct omp_thread *omp, const struct ompt_team *team)
{
	omp_construct_lasted(omp, OMP_CONSTRUCT_TEAMS, team->place,
			     omp_now_ns(omp) - team->team.start_ns);
}

/* LLVM's runtime frees the region's record before it reports the end: the word may be that of
 * another region, which another thread has begun meanwhile. So the region that ends is the latest
 * that this thread has begun. If there is none, this process was forked within the region. */
void ompt_parallel_end(ompt_data_t *parallel, ompt_data_t *task, int flags, const void *code)
{
	struct omp_thread *omp = omp_here();
	struct ompt_team *team = omp ? omp->open_teams : NULL;
	void *own = team;

	(void)task;
	(void)flags;
	(void)code;
	if (!team)
		return;
	__atomic_compare_exchange_n(&parallel->ptr, &own, NULL, false, __ATOMIC_RELAXED,
				    __ATOMIC_RELAXED);
	omp->open_teams = team->outer;
	if (team->kind == OMPT_TEAM_LEAGUE)
		end_league(omp, team);
	else if (team->kind == OMPT_TEAM_REGION)
		omp_team_close(&team->team);
	ompt_team_give(omp, team);
}

/* ---- members ---- */

void ompt_member_end(struct omp_thread *omp, ompt_data_t *task)
{
	struct omp_member *member = task->ptr;

	if (!member || member != omp->member)
		return;
	task->ptr = NULL;
	omp_member_end(member, OMPT_EVERYWHERE);
	ompt_member_give(omp, member);
}

static bool is_worker(const struct omp_thread *omp)
{
	return omp->thread->row->flags & THREAD_OF_OPENMP;
}

/* A worker that becomes the first thread of a team is not idle meanwhile; and it is in the region
 * in which the league began, not in that of its last team. */
static void begin_initial_task(struct omp_thread *omp, const struct ompt_team *league)
{
	if (is_worker(omp) && omp->wait.since_ns && !omp->wait.row)
		omp_wait_idle_end(omp);
	if (!league || league->kind != OMPT_TEAM_LEAGUE)
		return;
	omp->is_in_league = omp->is_league_new = true;
	omp->league_code = league->code;
	omp->region = league->team.parent;
	omp->late = NULL;
	omp->late_row = NULL;
}

bool ompt_league_end(struct omp_thread *omp)
{
	omp->is_in_league = false;
	if (!is_worker(omp))
		return false;
	if (!omp->wait.since_ns)
		omp_wait_idle(omp, OMPT_EVERYWHERE);
	return true;
}

/* Every program with the runtime begins one: that alone is no use of OpenMP. */
static void on_initial_task(int endpoint, const struct ompt_team *league)
{
	struct thread *thread = thread_current();
	struct omp_thread *omp = thread && thread->row && thread->omp ? omp_here() : NULL;

	if (!omp)
		return;
	if (omp->open_teams) /* for a league of one team the runtime passes another word */
		league = omp->open_teams;
	if (endpoint == OMPT_SCOPE_BEGIN)
		begin_initial_task(omp, league);
	else if (omp->is_in_league || is_worker(omp))
		ompt_league_end(omp);
}

void ompt_implicit_task(int endpoint, ompt_data_t *parallel, ompt_data_t *task, unsigned size,
			unsigned number, int flags)
{
	struct ompt_team *team = parallel ? parallel->ptr : NULL;

	if (flags & OMPT_TASK_INITIAL) {
		on_initial_task(endpoint, team);
		return;
	}
	struct omp_thread *omp = omp_here();
	if (!omp)
		return;
	if (endpoint == OMPT_SCOPE_END) {
		ompt_member_end(omp, task);
		return;
	}
	bool is_region = team && team->kind == OMPT_TEAM_REGION;
	struct omp_member *member = is_region ? ompt_member_take(omp) : NULL;
	task->ptr = member;
	if (member)
		omp_member_begin(member, &team->team, number, size);
}

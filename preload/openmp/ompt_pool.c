/* SPDX-License-Identifier: MIT */
#include "preload/openmp/ompt_pool.h"

#include "preload/base/pages.h"

enum { CHUNK_BYTES = 16384 };

struct ompt_team *ompt_team_take(struct omp_thread *omp)
{
	struct ompt_team *team = omp->free_teams;

	if (likely(team != NULL))
		omp->free_teams = team->next;
	else
		team = pages_new(sizeof *team);
	return team;
}

void ompt_team_give(struct omp_thread *omp, struct ompt_team *team)
{
	team->next = omp->free_teams;
	omp->free_teams = team;
}

static void keep(struct omp_thread *omp, struct ompt_task *task)
{
	task->next = omp->free_tasks;
	omp->free_tasks = task;
}

static void make_tasks(struct omp_thread *omp)
{
	struct ompt_task *tasks = pages_new(CHUNK_BYTES);

	for (unsigned i = 0; tasks && i < CHUNK_BYTES / sizeof *tasks; i++) {
		tasks[i].owner = omp;
		keep(omp, &tasks[i]);
	}
}

struct ompt_task *ompt_task_take(struct omp_thread *omp)
{
	if (unlikely(!omp->free_tasks))
		omp->free_tasks = __atomic_exchange_n(&omp->returned_tasks, NULL, __ATOMIC_ACQUIRE);
	if (unlikely(!omp->free_tasks))
		make_tasks(omp);
	struct ompt_task *task = omp->free_tasks;
	if (likely(task != NULL))
		omp->free_tasks = task->next;
	return task;
}

/* Back to the thread that made it: if one thread makes all the tasks that others run, it would
 * otherwise need new memory for each. */
void ompt_task_give(struct omp_thread *omp, struct ompt_task *task)
{
	struct omp_thread *owner = task->owner;

	if (owner == omp) {
		keep(omp, task);
		return;
	}
	void *first = __atomic_load_n(&owner->returned_tasks, __ATOMIC_RELAXED);
	do
		task->next = first;
	while (!__atomic_compare_exchange_n(&owner->returned_tasks, &first, (void *)task, true,
					    __ATOMIC_RELEASE, __ATOMIC_RELAXED));
}

static void make_members(struct omp_thread *omp)
{
	struct omp_member *members = pages_new(CHUNK_BYTES);

	for (unsigned i = 0; members && i < CHUNK_BYTES / sizeof *members; i++)
		ompt_member_give(omp, &members[i]);
}

struct omp_member *ompt_member_take(struct omp_thread *omp)
{
	if (unlikely(!omp->free_members))
		make_members(omp);
	struct omp_member *member = omp->free_members;
	if (likely(member != NULL))
		omp->free_members = member->outer;
	return member;
}

void ompt_member_give(struct omp_thread *omp, struct omp_member *member)
{
	member->outer = omp->free_members;
	omp->free_members = member;
}

/* SPDX-License-Identifier: MIT */
#include "ompt_pool.h"

#include "pages.h"

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

static void make_tasks(struct omp_thread *omp)
{
	struct ompt_task *tasks = pages_new(CHUNK_BYTES);

	for (unsigned i = 0; tasks && i < CHUNK_BYTES / sizeof *tasks; i++)
		ompt_task_give(omp, &tasks[i]);
}

struct ompt_task *ompt_task_take(struct omp_thread *omp)
{
	if (unlikely(!omp->free_tasks))
		make_tasks(omp);
	struct ompt_task *task = omp->free_tasks;
	if (likely(task != NULL))
		omp->free_tasks = task->next;
	return task;
}

void ompt_task_give(struct omp_thread *omp, struct ompt_task *task)
{
	task->next = omp->free_tasks;
	omp->free_tasks = task;
}

struct omp_member *ompt_member_push(struct omp_thread *omp)
{
	return omp->depth < OMP_MEMBERS ? &omp->members[omp->depth++] : NULL;
}

void ompt_member_pop(struct omp_thread *omp)
{
	omp->depth--;
}

/* SPDX-License-Identifier: MIT */
/* What lasts longer than a callback of OMPT: teams, members and tasks. For each of its own the
 * runtime keeps a word, which points here. Memory is reused, and never unmapped. Context: own
 * thread; another thread may give a task back. */
#pragma once

#include "preload/openmp/omp_task.h"
#include "preload/openmp/omp_team.h"

enum ompt_team_kind {
	OMPT_TEAM_REGION,
	OMPT_TEAM_LEAGUE,    /* of a teams construct: not a team of threads */
	OMPT_TEAM_OF_LEAGUE, /* made by the runtime, for the body of a teams construct */
	OMPT_TEAM_UNKNOWN,   /* not measured, but its end will be reported */
};

struct ompt_team {
	struct omp_team team;
	struct ompt_team *next;
	uint64_t code;  /* the call that starts it, as the runtime reports it */
	uint64_t place; /* the same in the program */
	enum ompt_team_kind kind;
	struct ompt_team *outer; /* the next outer one that its thread has open */
};

enum ompt_task_state {
	TASK_ACTIVE = 1, /* on the stack of a thread */
	TASK_DONE = 2,   /* the runtime has reported its end */
};

struct ompt_task {
	struct omp_task_birth birth;
	struct omp_task frame;
	struct ompt_task *next;
	struct omp_thread *owner; /* whose pool it belongs to */
	uint64_t made_for_loop;   /* code of the taskloop for which the runtime made it; or 0 */
	uint64_t outer_taskloop;  /* the thread's `taskloop` while this one runs */
	const struct omp_member *member; /* of the thread, when it began a part */
	uint64_t done_ns;                /* atomic: when its end was reported to another thread */
	uint8_t state;                   /* atomic: enum ompt_task_state */
	bool is_deferred, is_untied;
	bool is_begun; /* it has run, perhaps not to the end */
};

/* The functions that take return NULL if there is no memory. */
struct ompt_team *ompt_team_take(struct omp_thread *omp);
void ompt_team_give(struct omp_thread *omp, struct ompt_team *team);
struct ompt_task *ompt_task_take(struct omp_thread *omp);
void ompt_task_give(struct omp_thread *omp, struct ompt_task *task);

struct omp_member *ompt_member_take(struct omp_thread *omp);
void ompt_member_give(struct omp_thread *omp, struct omp_member *member);

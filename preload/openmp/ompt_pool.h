/* SPDX-License-Identifier: MIT */
/* What lasts longer than a callback of OMPT: teams, members and tasks. A runtime keeps a word for
 * each of its own, which points here. Memory is used again, and never given back. Context: own
 * thread; a task may be given back by another one than has taken it. */
#pragma once

#include "preload/openmp/omp_task.h"
#include "preload/openmp/omp_team.h"

enum ompt_team_kind {
	OMPT_TEAM_REGION,
	OMPT_TEAM_LEAGUE,    /* of a teams construct: no team of threads */
	OMPT_TEAM_OF_LEAGUE, /* the runtime's own, for the body of a teams construct */
	OMPT_TEAM_UNKNOWN,   /* not measured; its end will be told too */
};

struct ompt_team {
	struct omp_team team;
	struct ompt_team *next;
	uint64_t code;  /* the call that starts it, as the runtime says */
	uint64_t place; /* the same in the program */
	enum ompt_team_kind kind;
	struct ompt_team *outer; /* that its thread has begun before, and not ended */
};

enum ompt_task_state {
	TASK_ACTIVE = 1, /* on the stack of a thread */
	TASK_DONE = 2,   /* the runtime has told of its end */
};

struct ompt_task {
	struct omp_task_birth birth;
	struct omp_task frame;
	struct ompt_task *next;
	struct omp_thread *owner;        /* whose pool it belongs to */
	uint64_t made_for_loop;          /* by the runtime, in that call; 0: by the program */
	uint64_t outer_taskloop;         /* the thread's, while it runs this one */
	const struct omp_member *member; /* of that thread, as it begins a part */
	uint64_t done_ns;                /* atomic: when another thread was told of its end */
	uint8_t state;                   /* atomic: enum ompt_task_state */
	bool is_deferred, is_untied;
	bool is_begun; /* it has run, perhaps not to its end */
};

/* All: NULL: no memory. */
struct ompt_team *ompt_team_take(struct omp_thread *omp);
void ompt_team_give(struct omp_thread *omp, struct ompt_team *team);
struct ompt_task *ompt_task_take(struct omp_thread *omp);
void ompt_task_give(struct omp_thread *omp, struct ompt_task *task);

struct omp_member *ompt_member_take(struct omp_thread *omp);
void ompt_member_give(struct omp_thread *omp, struct omp_member *member);

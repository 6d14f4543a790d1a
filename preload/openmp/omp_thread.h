/* SPDX-License-Identifier: MIT */
/* What a thread needs for OpenMP: its rows, what it is doing, and what is remembered of the places
 * (callpath.h) of its calls. Made at its first use of OpenMP. Context: own thread only.
 *
 * A thread is in bodies of regions (members, the innermost first), in tasks, and at times in a wait
 * of the runtime, in which it may be given a task to run. */
#pragma once

#include <stdint.h>

#include "preload/base/hash.h"
#include "preload/base/tsc_clock.h"
#include "preload/openmp/omp_region.h"
#include "preload/stacks/site.h"
#include "preload/thread/thread.h"

enum {
	OMP_SITES = 64,   /* places of each kind that are remembered; a power of 2 */
	OMP_SLOTS = 8192, /* members of the open teams with more than OMP_TEAM_FEW */
	OMP_TEAM_FEW = 8,
};

/* What a member of a team stores for the thread that started it. A cache line of its own, which
 * that thread only reads: a line that both write would cost more than all the rest. */
struct omp_slot {
	uint64_t id;       /* of the execution */
	uint64_t start_ns; /* of the body */
	uint64_t work_ns;  /* in the body */
	uint64_t lost_ns;  /* in waits of the runtime, in the body and in tasks after its end */
	uint64_t late_ns;  /* work in tasks after the end of the body */
	uint64_t rest[3];
} __attribute__((aligned(64)));

/* An execution of a region, from before the call that starts it until that returns. On the stack of
 * the thread that encountered the region, or in its pool. All that other members read is in one
 * cache line, and does not change once the team has started. */
struct omp_team {
	void *first_word; /* of the data, which the runtime reads here */
	void (*body)(void *);
	void *data;
	const void *runtime; /* the library that runs it; NULL: one with OMPT */
	struct omp_slot *slots;
	uint32_t capacity; /* of slots */
	uint32_t region;
	uint32_t section; /* in which it is met (sections/section_stack.h); 0: none */
	uint64_t id;      /* never 0 */
	uint64_t start_ns;
	/* the rest is used only by the thread that started it */
	struct omp_thread *master __attribute__((aligned(64)));
	struct row_omp_constructs *loop; /* in which the region begins */
	uint32_t size;                   /* members; known when the first one's body begins */
	uint32_t parent;
	struct omp_slot few[OMP_TEAM_FEW];
	struct omp_slot *late; /* the thread's before */
	struct row_omp_work *late_row;
	uint64_t late_id;
	uint64_t tool_wait_ns; /* start_wait_ns of the process, at the begin */
	struct open_wait call; /* of MPI, in which the region begins */
} __attribute__((aligned(64)));

/* A thread in the body of a region. In the frame that calls the body, or in a pool. */
struct omp_member {
	struct omp_team *team;
	struct omp_thread *omp;
	struct omp_member *outer;
	struct omp_slot *slot; /* NULL: more members than were expected */
	uint32_t number;
	bool has_joined;            /* the section of the team */
	uint64_t start_ns, lost_ns; /* lost: the thread's omp_lost_ns then */
};

/* A wait in the runtime. */
struct omp_wait {
	uint64_t since_ns;              /* 0: in none */
	struct row_omp_constructs *row; /* NULL: outside of bodies */
	uint64_t sum_ns;                /* before tasks interrupted it */
	uint64_t sp;
	uint32_t place;
	int kind; /* of OMPT: OMPT_SYNC_... */
};

/* A wait for a lock, a critical section, or a turn: omp_lock.h. */
struct omp_lock_wait {
	const void *address;
	enum omp_construct construct;
	bool is_sure; /* it did wait, however short */
	struct open_wait wait;
	struct row_waits *rated; /* the row, if it is only timed; NULL: it is measured */
	struct row_blame *blame; /* the row that it is then charged to */
};

/* An explicit task that the thread runs. */
struct omp_task {
	struct omp_task *outer;
	struct omp_thread *omp;
	struct row_omp_tasks *row;
	uint64_t start_ns;
	uint64_t lost_ns;                      /* the thread's then */
	uint64_t inner_ns, inner_lost_ns;      /* in tasks run within it */
	uint64_t delay_ns;                     /* between its making and its begin */
	struct omp_wait wait;                  /* that it interrupts */
	bool is_first, is_deferred, is_stolen; /* at its begin */
	bool is_of_loop;                       /* of OMPT: made by the runtime, for a loop */
	bool is_helper;                        /* it only makes tasks for the runtime */
	bool is_late;    /* it, or an outer task, interrupts the wait after a body */
	uint32_t region; /* that the thread was in before */
};

/* A construct at a place, in a region. */
struct omp_site {
	uint64_t caller;
	uint32_t region, construct, place;
	struct row_omp_constructs *row;
};

/* A region's rows in the tables. */
struct omp_rows {
	uint32_t region, team, number;
	struct row_omp_executions *executions;
	struct row_omp_work *work;
};

/* A region by its place. */
struct omp_place {
	uint64_t place;
	uint32_t parent, region;
};

struct omp_task_site {
	uint64_t place;
	uint32_t region, path;
	struct row_omp_tasks *row;
};

struct omp_thread {
	struct thread *thread;
	struct row_omp_threads *row;
	struct tsc_clock clock;
	struct omp_member *member;
	struct omp_task *task;
	struct omp_wait wait;
	struct omp_lock_wait lock;
	uint32_t region;       /* to which constructs belong */
	struct omp_slot *late; /* of the body that it ended last, in that team */
	uint64_t late_id;      /* of that execution; the slot may be another one's by now */
	struct row_omp_work *late_row;
	struct row_omp_constructs *loop; /* the loop or sections that it is in */
	struct row_omp_constructs *turn; /* of libgomp: the same, if its turn has come */
	uint32_t loop_calls;
	uint32_t loop_words; /* of a doacross loop: words of a sink */
	uint64_t teams_started;
	uint64_t tasks_made;
	uint64_t making; /* number of the task that is being made; 0: none */
	void *old_teams; /* of GOMP_parallel_start: open ones, and those for reuse */
	void *free_teams;
	void *free_tasks;                /* of OMPT */
	void *returned_tasks;            /* atomic: of OMPT, by other threads */
	struct omp_member *free_members; /* of OMPT */
	void *free_loops;                /* gomp_loops.h */
	void *returned_loops;            /* atomic: the same, by other threads */
	char *room;                      /* omp_room.h: kept for the next one; NULL: none */
	size_t room_bytes;
	void *open_teams;       /* of OMPT: open regions, the latest first */
	uint64_t league_code;   /* of OMPT: what started the league */
	bool is_in_league;      /* of OMPT: the first thread of a team, in its body */
	bool is_league_new;     /* and its body has not begun yet */
	bool is_lock_waited;    /* of OMPT: the wait for a lock is measured */
	uint64_t taskloop;      /* of OMPT: place of the taskloop that it is in; 0: none */
	uint64_t taskloop_code; /* the same, as the runtime reports it */
	struct row_hash executions, work, constructs, tasks;
	struct omp_place places[OMP_SITES];
	struct omp_rows rows[OMP_SITES];
	struct omp_site sites[OMP_SITES];
	struct omp_task_site task_sites[OMP_SITES];
	uint32_t slots_used;
	struct omp_slot *slots; /* [OMP_SLOTS], NULL: not needed yet */
};

/* NULL: no memory. */
struct omp_thread *omp_thread_make(struct thread *thread);

/* The calling thread's; NULL: it is not to be measured now, or there is no memory. */
static inline struct omp_thread *omp_thread_of(struct thread *thread)
{
	if (unlikely(!thread || thread->is_busy || !thread->row))
		return NULL;
	if (likely(thread->omp && !thread->is_omp_stale))
		return thread->omp;
	return omp_thread_make(thread);
}

/* After a call of the runtime. False: this process was forked meanwhile, and the thread's record is
 * another one, or wiped. What the call began is the parent's, and its rows are in the parent's
 * file, which is not mapped here. To be checked after every call, before anything else. */
static inline bool omp_is_current(const struct omp_thread *omp)
{
	const struct thread *thread = thread_current();

	return likely(thread != NULL) && likely(thread->omp == omp);
}

/* The thread's time in waits of the runtime so far, with those for locks. */
static inline uint64_t omp_lost_ns(const struct omp_thread *omp)
{
	return omp->thread->waited_ns[CAUSE_OPENMP];
}

static inline uint64_t omp_now_ns(struct omp_thread *omp)
{
	return tsc_clock_now_ns(&omp->clock);
}

/* The region of a team that is started at that place; 0: no room. */
uint32_t omp_thread_region(struct omp_thread *omp, enum omp_region_kind kind, uint64_t place,
			   const struct site *site);

/* Rows; NULL: no room. */
struct row_omp_executions *omp_thread_executions(struct omp_thread *omp, uint32_t region,
						 uint32_t team);
struct row_omp_work *omp_thread_work(struct omp_thread *omp, uint32_t region, uint32_t number);
struct omp_site *omp_thread_site_slow(struct omp_thread *omp, struct omp_site *site,
				      enum omp_construct construct, uint64_t caller);
/* For tasks that are only counted. */
struct row_omp_tasks *omp_thread_untimed_tasks(struct omp_thread *omp, uint64_t place);
struct omp_task_site *omp_thread_task_site_slow(struct omp_thread *omp, struct omp_task_site *site,
						uint64_t place);

static inline unsigned omp_hash(uint64_t place)
{
	return hash_slot(place, OMP_SITES);
}

/* A construct, by the call that the compiler made of it, in the region that the thread is in. */
static inline struct omp_site *omp_thread_site(struct omp_thread *omp, enum omp_construct construct,
					       uint64_t caller)
{
	struct omp_site *site = &omp->sites[omp_hash(caller)];

	if (likely(site->caller == caller && site->region == omp->region &&
		   site->construct == construct))
		return site;
	return omp_thread_site_slow(omp, site, construct, caller);
}

/* A task made at that place (UNWIND_EXACT: the entry of its body), in that region. */
static inline struct omp_task_site *omp_thread_task_site(struct omp_thread *omp, uint64_t place,
							 uint32_t region)
{
	struct omp_task_site *site = &omp->task_sites[omp_hash(place)];

	if (likely(site->place == place && site->region == region))
		return site;
	site->region = region;
	return omp_thread_task_site_slow(omp, site, place);
}

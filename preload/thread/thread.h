/* SPDX-License-Identifier: MIT */
/* One record per thread: what its wrappers and its sampler need at hand, and its row in the
 * profile.
 *
 * A child that was made by a raw clone, without libc's fork, finds its records all zero
 * (MADV_WIPEONFORK): every function that can meet one does nothing then, and the parent's file
 * stays the parent's. Memory: records come from chunks that are never freed, so that a pointer
 * stays valid whoever still has it; a record is used again when its thread has ended, has been
 * joined or detached, and its last events have been drained. Context: thread_current() from
 * anywhere; a record's fields are written by its own thread only, but for those that say otherwise.
 */
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "preload/base/likely.h"
#include "preload/base/tsc_clock.h"
#include "preload/concurrency/concurrency.h"
#include "preload/file/rows.h"
#include "preload/locks/holds.h"
#include "preload/locks/call_counts.h"
#include "preload/locks/wait_rate.h"
#include "preload/stacks/unwind.h"

enum {
	THREAD_LIMIT = 8192,  /* first number of a row that is not given out; further threads run
				 unobserved */
	THREAD_SINGLES = 512, /* beyond, rows are reused for short threads */
	THREAD_MEMOS = 4,
	THREAD_SHARED = 4, /* held locks of which it is known since when */
};

/* Code on a stack that can be unloaded. */
struct stack_witness {
	uint64_t address, identity; /* 0: none */
};

enum { STACK_WITNESSES = 4 };

/* A call stack that was walked before, and what proves that it is still the same: the words that
 * the walk depended on, and the objects that it led through. */
struct stack_memo {
	uint64_t caller, sp, fp;
	uint32_t path;
	struct stack_witness witnesses[STACK_WITNESSES];
	struct unwind_slots slots;
};

/* A wait that is under way. Kept here and not in the wrapper's frame: cancellation may take that
 * frame away. */
struct open_wait {
	uint64_t start_ns;
	uint64_t frame;  /* the wrapper's caller's stack pointer; 0: not in a wait */
	uint64_t caller; /* and its return address; 0: not known */
	uint64_t key;    /* of wait_rate.h */
	const void *address;
	const void *mutex;      /* of a condition: what is held around it */
	struct thread *target;  /* of a join; NULL: not known */
	uint64_t target_cpu_ns; /* what that one had run by then; 0: unknown */
	struct object *object;
	uint32_t path;
	uint8_t cause, operation;
	bool is_announced;   /* among those who wait for the address */
	bool is_quick;       /* timed only: quick_wait.h */
	uint16_t row_object; /* of the row that it was counted in: blame goes to the same */
};

/* A lock that several may hold, taken while others waited for it. */
struct shared_hold {
	const void *address; /* NULL: none */
	uint64_t since_ns;
};

/* The last release that left word for those who wait. */
struct last_release {
	const void *address;
	uint64_t caller, sp, ticks;
	uint64_t unlocks;   /* of the thread, by then */
	uint64_t seen;      /* when the clock was read last */
	uint32_t run, left; /* releases until it is read again; those to come */
};

struct thread {
	/* what every wrapped call touches */
	struct call_counts counts;
	struct row_threads *row;
	uint64_t unlocks; /* of mutexes; goes into the row now and then */
	int32_t tid;
	struct last_release last_release;
	uint32_t releases; /* that somebody waited for */
	bool is_busy;      /* inside the tool's own tables: signal handlers keep out */
	struct open_wait wait;
	struct hold_view before, after; /* who had what it waits for, until the wait's two ends */
	struct shared_hold shared[THREAD_SHARED];
	uint32_t shared_next;
	uint64_t waited_ns[CAUSE_COUNT]; /* in waits that have ended */
	uint64_t signals;                /* and broadcasts of conditions */
	/* the condition that woke it last, when, and its unlocks and signals by then */
	uint64_t last_condition; /* address; 0: none, or the wait ended otherwise */
	uint64_t last_condition_unlocks, last_condition_signals;
	uint64_t last_woken_ns;      /* when it came back to the program */
	const void *signalled_mutex; /* mutex of waiters that it woke while holding it */

	struct row_hash waits, blame, samples;
	struct wait_rate rate;
	struct row_waits *quick_row;   /* of the quick wait that is under way, */
	struct row_blame *quick_blame; /* and whom it is charged to */
	struct tsc_clock clock;
	uint64_t uncharged_ns;  /* of the wait that just ended: blame that found no room */
	struct mpi_thread *mpi; /* from its first MPI call on */
	struct omp_thread *omp; /* from its first use of OpenMP on */
	struct row_omp_threads *omp_row;
	bool is_omp_stale; /* omp is of an earlier life of the record */
	struct presence presence;
	struct unwind_stack stack;
	struct unwind_stack alternate; /* of signals, as the program set it; 0, 0: none */
	struct stack_memo memos[THREAD_MEMOS];
	struct unwind_path walk;        /* scratch of wrappers */
	struct unwind_path sample_walk; /* scratch of the sampler */

	/* life */
	uint32_t number; /* row in `threads` */
	uint32_t index;  /* among the records */
	uint32_t start_path;
	void *(*routine)(void *);
	int (*c11_routine)(void *);
	void *argument;
	uint64_t stack_bytes; /* of its stack, from its birth on */
	pthread_t handle;
	bool is_detached;      /* from its birth on */
	bool is_cramped;       /* its stack has no room for samples */
	bool is_of_mpi;        /* a helper of the MPI library */
	bool counts_from_zero; /* a fork child: the kernel's counts began with it */
	uint64_t created_ns;
	uint64_t birth_ns, birth_cpu_ns;
	uint64_t birth_system_ns;
	uint64_t birth_run_delay_ns;
	uint64_t past_cpu_ns, past_system_ns, past_ready_ns; /* of earlier lives of the row */
	uint64_t past_voluntary, past_involuntary, past_minor, past_major, past_unlocks;
	uint64_t cpu_ns;        /* of this life, at the last look */
	uint64_t before_cpu_ns; /* its clock, right before the profile ended */
	uint64_t next_delay_look_ns;
	bool has_seen_delay, has_read_name; /* in this life */
	char first_name[16];                /* its creator's, which the kernel gives it */
	uint64_t birth_voluntary, birth_involuntary, birth_minor, birth_major;
	uint32_t end_rounds;
	uint32_t holds; /* atomic: 1 for its running, 1 for whoever may still join it, 1 for its
			   creator until it has the handle; 0: free */
	uint32_t start; /* atomic: enum thread_start */

	/* sampling */
	bool is_young; /* sampled more often, see sampler.c */
	int timer;     /* kernel's timer number; -1: none */
	uint64_t sampled_cpu_ns;
	uint64_t claims_ns; /* what its first sample stands for; 0: its own time */
	uint32_t judged_samples;
	uint64_t judged_ns, judged_own_ns; /* CPU time of the latest samples, and what they cost */

	/* of a thread that is being joined; written by the joiner, atomic */
	uint64_t joined_since_ns;
	uint64_t join_charged_ns; /* written by this thread */
	uint32_t joined_row;      /* object of the join */
	uint8_t joined_operation; /* enum operation */

	/* what deep stacks have more of in `memos`: last, for most threads never touch it */
	struct unwind_slot memo_tails[THREAD_MEMOS][UNWIND_SLOTS_MORE];
};

/* Where the thread begins; NULL: not known. */
static inline const void *thread_routine(const struct thread *thread)
{
	if (!thread)
		return NULL;
	return thread->routine ? (const void *)thread->routine : (const void *)thread->c11_routine;
}

/* Initial-exec (see the Makefile): a plain load from any context, also a signal that hits a thread
 * that is just being born. */
extern __thread struct thread *thread_self __attribute__((visibility("hidden")));

/* The same, but NULL where synchronization is not to be measured (--no-sync). */
extern __thread struct thread *sync_self __attribute__((visibility("hidden")));

/* The calling thread has no record and will not get one: there is no room, or its record has ended
 * (libc runs on for a while, and hooks in its calls, of UCX in madvise of the stack, run wrapped
 * functions: they must not make it a second thread). All wrappers pass such a thread by. */
extern __thread bool thread_is_unobserved __attribute__((visibility("hidden")));

void thread_set_current(struct thread *thread);

static inline struct thread *thread_current(void)
{
	return thread_self;
}

/* A record for a thread that is about to start; NULL: none free. Its number stays valid in the
 * file. */
struct thread *thread_reserve(void);
void thread_cancel_reservation(struct thread *thread);

/* One hold more, and one less. */
void thread_hold(struct thread *thread);
void thread_release(struct thread *thread);

/* The creator knows the handle first, the thread itself knows it for certain: both say it. */
void thread_set_handle(struct thread *thread, pthread_t handle);

/* The creator keeps the thread from running the program's code, for the moment of one load; false:
 * it runs already. */
bool thread_hold_back(struct thread *thread);
void thread_let_go(struct thread *thread);

/* The thread itself, right before the program's code: waits for a creator that holds it back. */
void thread_pass(struct thread *thread);

/* Whether the thread begins to run the program's code. */
enum thread_start {
	THREAD_NEW,
	THREAD_HELD_BACK, /* by its creator, which reads the handle */
	THREAD_KNOWN,     /* the creator has read it */
	THREAD_RUNS,
};

/* The record of a live or not yet joined thread; NULL: not known. */
struct thread *thread_find(pthread_t handle);

/* True in a child that a raw clone made of this process: its records were wiped. */
bool thread_were_wiped(void);

/* All records so far, in use or not. */
uint32_t thread_count(void);
struct thread *thread_at(uint32_t index);

/* Start-up and fork child: forgets all records. Their memory stays, zeroed: a wrapper in whose
 * middle the process forked comes back to it in the child, and must find a record in which nothing
 * is under way. */
void thread_reset(void);

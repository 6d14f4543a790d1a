/* SPDX-License-Identifier: MIT */
/* One record per thread: what its wrappers and its sampler need, and its row in the profile.
 *
 * In a child made by a raw clone, without libc's fork, all records are zero (MADV_WIPEONFORK):
 * every function that may be given one does nothing then, so that the child does not write to the
 * parent's file. Memory: records come from chunks that are never freed, so every pointer to one
 * stays valid; a record is reused when its thread has ended, has been joined or detached, and its
 * last events have been drained. Context: thread_current() from anywhere; a record's fields are
 * written by its own thread only, except where they say otherwise. */
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "preload/base/likely.h"
#include "preload/base/tsc_clock.h"
#include "preload/calls/routine_stack.h"
#include "preload/concurrency/concurrency.h"
#include "preload/counters/thread_events.h"
#include "preload/file/rows.h"
#include "preload/locks/holds.h"
#include "preload/locks/call_counts.h"
#include "preload/locks/wait_rate.h"
#include "preload/thread/owed.h"
#include "preload/thread/sample_budget.h"
#include "preload/thread/thread_processors.h"
#include "preload/stacks/unwind.h"

enum {
	THREAD_LIMIT = 8192,  /* rows, row 0 included; further threads run unobserved */
	THREAD_SINGLES = 512, /* with more, rows are reused for short threads */
	THREAD_MEMOS = 4,
	THREAD_SHARED = 4, /* held locks with a known time of locking */
};

/* Code on a stack that can be unloaded: an address, and what module_map_identity gave for it. */
struct stack_witness {
	uint64_t address, identity; /* 0: none */
};

enum { STACK_WITNESSES = 4 };

/* A call stack that was walked before, and what shows that it is still the same: the stack's words
 * that the walk depended on, and the loaded objects on it. */
struct stack_memo {
	uint64_t caller, sp, fp;
	uint32_t path, root; /* root: sections/section_root.h */
	uint64_t python_sum; /* python_walk.h */
	struct stack_witness witnesses[STACK_WITNESSES];
	struct unwind_slots slots;
};

/* A wait that is under way. Not kept in the wrapper's frame, because cancellation may remove
 * that. */
struct open_wait {
	uint64_t start_ns;
	uint64_t frame;  /* stack pointer of the wrapper's caller; 0: not in a wait */
	uint64_t caller; /* return address in it; 0: not known */
	uint64_t key;    /* of wait_rate_key */
	const void *address;
	const void *mutex;      /* of a condition: its mutex */
	struct thread *target;  /* of a join; NULL: not known */
	uint64_t target_cpu_ns; /* its CPU time when the wait began; 0: unknown */
	struct object *object;
	union {
		struct {
			uint32_t path;
			uint16_t named; /* without `object`: a descriptor's row; 0: none */
			uint8_t cause, operation;
		};
		uint64_t what; /* the four at once */
	};
	bool is_announced;   /* counted in object_waiters */
	bool is_quick;       /* timed only: quick_wait.h */
	uint16_t row_object; /* object of the row that counts it; also for blame */
};

/* A lock with several holders, taken by this thread while others waited for it. */
struct shared_hold {
	const void *address; /* NULL: none */
	uint64_t since_ns;
};

/* The latest call on a descriptor of an operation (io_call.h): the next one is mostly like it. */
struct io_memo {
	uint64_t place; /* return address and operation; 0: none */
	uint64_t what;  /* see open_wait */
	struct row_io_calls *row;
	uint32_t word; /* of the descriptor, without its generation */
};

enum { THREAD_IO_MEMOS = 32 };

/* The last release that was recorded for waiters. */
struct last_release {
	const void *address;
	uint64_t caller, sp, ticks;
	uint64_t unlocks;   /* the thread's unlocks at its latest release */
	uint64_t seen;      /* the counter when it was last read */
	uint32_t run, left; /* releases without reading it; those left */
};

/* Locks taken by a thread so far, by hash of their addresses; with the rest they are all. */
enum { THREAD_LOCKS = 64 };
struct locks_taken {
	uint64_t mask; /* of the rows that were added up: in larger ones sums begin anew */
	uint32_t of[THREAD_LOCKS];
	uint64_t rest; /* of those whose address is not known */
};

/* What it waited for while it held what it has taken by then: held_io.h. */
struct held_io {
	struct locks_taken taken;
	const void *awaited; /* the lock that the latest of these waits was for; NULL: none */
	uint64_t longest_ns;
	uint32_t misses; /* releases since, of what was not held then */
	struct hold_io io;
};

struct thread {
	/* used by every wrapped call */
	struct call_counts counts;
	struct row_threads *row;
	uint64_t unlocks; /* of mutexes; copied to the row now and then */
	int32_t tid;
	struct last_release last_release;
	uint32_t releases;           /* that a thread waited for */
	bool is_busy;                /* in the tool's tables: signal handlers stay out */
	bool may_have_slept;         /* since io_call.c read how often it gave up its processor */
	bool has_no_calls;           /* there was no memory for instrumented ones */
	struct routine_stack *calls; /* NULL: it made no instrumented call yet */
	struct open_wait wait;
	struct io_memo io_memos[THREAD_IO_MEMOS];
	struct hold_view before, after; /* holders' sums at the begin and the end of a wait */
	struct shared_hold shared[THREAD_SHARED];
	uint32_t shared_next;
	struct held_io held_io;
	struct locks_taken waited_for;   /* locks that it waited for, also after a condition */
	uint64_t waited_ns[CAUSE_COUNT]; /* in waits that have ended, by cause */
	uint64_t called_ns[CAUSE_COUNT]; /* the same of calls of MPI and OpenMP, also for locks */
	uint64_t signals;                /* of conditions, with broadcasts */
	/* the condition that woke it last, when, and the thread's unlocks and signals then */
	uint64_t last_condition; /* address; 0: none, or the wait ended otherwise */
	uint64_t last_condition_unlocks, last_condition_signals;
	uint64_t last_woken_ns;      /* when it returned to the program */
	const void *signalled_mutex; /* mutex of the waiters that it signalled last */
	const struct object *told;   /* whose release was recorded last: is_told_enough */
	uint16_t told_row;           /* its row then */
	uint64_t told_ns;

	struct row_hash waits, blame, samples;
	struct wait_rate rate;
	struct row_waits *quick_row;          /* of the quick wait under way: its row, */
	struct row_blame *quick_blame;        /* and the holder's, */
	const struct holds *quick_holds;      /* of what it waits for; NULL: none */
	uint32_t quick_first;                 /* holds_mark at its begin */
	const struct rated_wait *quick_rated; /* and its place */
	struct tsc_clock clock;
	struct owed owed;                        /* of the latest wait */
	struct section_stack *sections;          /* from the first one that it tells on */
	uint32_t section;                        /* the innermost one; 0: none */
	uint32_t section_root, section_root_key; /* sections/section_root.h */
	struct io_thread *io;                    /* from its first call on a descriptor on */
	struct mpi_thread *mpi;                  /* from its first MPI call on */
	struct omp_thread *omp;                  /* from its first use of OpenMP on */
	struct row_omp_threads *omp_row;
	bool is_omp_stale; /* `omp` is of an earlier life of the record */
	struct event_ring event_ring;
	struct unwind_stack stack;
	struct unwind_stack alternate; /* signal stack, as the program set it; 0, 0: none */
	struct stack_memo memos[THREAD_MEMOS];
	bool has_memo_tails;            /* or there was no memory for them: stack_memo.c */
	struct unwind_path walk;        /* scratch memory of wrappers */
	struct unwind_path sample_walk; /* scratch memory of the sampler */

	/* life */
	uint32_t number; /* row in `threads` */
	uint32_t index;  /* among the records */
	uint32_t start_path;
	uint32_t starter_path; /* where the instrumented routine begins that created it; 0: none */
	void *(*routine)(void *);
	int (*c11_routine)(void *);
	void *argument;
	uint64_t stack_bytes; /* size of its stack */
	pthread_t handle;
	bool is_detached;      /* set at its birth */
	bool is_cramped;       /* its stack is too small for samples */
	bool is_of_mpi;        /* a helper of the MPI library */
	bool counts_from_zero; /* a fork child: the kernel's counts began at 0 */
	uint64_t created_ns;
	uint64_t birth_ns, birth_cpu_ns;
	uint64_t birth_system_ns;
	uint64_t birth_run_delay_ns;
	uint64_t past_cpu_ns, past_system_ns, past_ready_ns; /* of earlier lives of the row */
	uint64_t past_voluntary, past_involuntary, past_minor, past_major, past_unlocks;
	uint64_t cpu_ns;        /* of this life, at the last update */
	uint64_t before_cpu_ns; /* its clock right before the profile ended */
	uint64_t next_delay_look_ns;
	struct thread_processors processors;
	bool has_seen_delay, has_read_name; /* since this life began */
	char first_name[16];                /* its creator's name, which the kernel gives it */
	uint64_t birth_voluntary, birth_involuntary, birth_minor, birth_major;
	uint32_t end_rounds;
	uint32_t
		holds; /* atomic: by the running thread, a joiner to be, and its creator; 0: free */
	uint32_t start;     /* atomic: enum thread_start */
	uint32_t births;    /* atomic: of its creator and itself, those that are not done with its
			       birth */
	uint32_t is_absent; /* atomic: see thread_set_absent */
	bool was_blocked;   /* absent, and in a system call when its record was made */

	struct event_set *events; /* counters/thread_events.h; NULL: it never counted */

	/* sampling */
	bool is_young;      /* sampled more often: see sampler.c */
	bool is_paused;     /* the timer stands still: sample_pause.h */
	bool has_new_stack; /* alternate, on which no handler has run yet */
	int timer;          /* kernel's timer number; -1: none */
	uint64_t paused_left_ns, paused_period_ns;
	uint64_t sampled_cpu_ns;
	uint64_t claims_ns;                  /* CPU time that its first sample claims; 0: its own */
	uint64_t call_since_ns, call_cpu_ns; /* samples/sample_call.h */
	uint32_t cut_calls;                  /* cut_call.h */
	uint32_t native_credit;              /* sample_take.c */
	struct sample_budget sample_budget;

	/* while it is being joined; atomic, written by the joiner */
	uint64_t joined_since_ns;
	uint64_t join_charged_ns; /* by this thread */
	uint32_t joined_row;      /* object of the join */
	uint8_t joined_operation; /* enum operation */
};

/* The thread's start routine; NULL: not known. */
static inline const void *thread_routine(const struct thread *thread)
{
	if (!thread)
		return NULL;
	return thread->routine ? (const void *)thread->routine : (const void *)thread->c11_routine;
}

/* Initial-exec (see the Makefile): a plain load in any context, also in a signal handler of a
 * thread that is just starting. */
extern __thread struct thread *thread_self __attribute__((visibility("hidden")));

/* The same, but NULL if synchronization is not to be measured (--no-sync). */
extern __thread struct thread *sync_self __attribute__((visibility("hidden")));

/* The calling thread has no record and will not get one: there is no room, or its record has ended
 * (libc still runs in it, and hooks in libc's calls, like UCX's in madvise of the stack, call
 * wrapped functions, which must not make it a second thread). All wrappers ignore such a thread. */
extern __thread bool thread_is_unobserved __attribute__((visibility("hidden")));

void thread_set_current(struct thread *thread);

static inline struct thread *thread_current(void)
{
	return thread_self;
}

/* A record for a thread that is about to start; NULL: none is free. Its row's number stays valid in
 * the file. */
struct thread *thread_reserve(void);
/* The same, but never a record that was used before: the next by number. */
struct thread *thread_reserve_next(void);
void thread_cancel_reservation(struct thread *thread);

/* Between these two the record is known to its creator, to the thread, or to both by an address
 * that no other profile may give to another thread (lifecycle_attach). Each of the two ends it
 * once. */
void thread_begin_birth(struct thread *thread);
void thread_end_birth(struct thread *thread);
static inline bool thread_is_being_born(const struct thread *thread)
{
	return __atomic_load_n(&thread->births, __ATOMIC_ACQUIRE);
}

/* Adds a hold, and removes one. */
void thread_hold(struct thread *thread);
void thread_release(struct thread *thread);

/* Called by the creator, which knows the handle first, and by the thread, which knows it for
 * certain. */
void thread_set_handle(struct thread *thread, pthread_t handle);

/* The creator keeps the thread from running the program's code until thread_let_go, for the time of
 * one load. False: it runs already. */
bool thread_hold_back(struct thread *thread);
void thread_let_go(struct thread *thread);

/* By the thread, right before the program's code: waits for a creator that holds it back. */
void thread_pass(struct thread *thread);

/* Whether the thread may run the program's code. */
enum thread_start {
	THREAD_NEW,
	THREAD_HELD_BACK, /* by its creator, which reads the handle */
	THREAD_KNOWN,     /* the creator has read it */
	THREAD_RUNS,
};

/* The record of a thread that lives or is not yet joined; NULL: not known. */
struct thread *thread_find(pthread_t handle);

/* True in a child that was made by a raw clone: the records were wiped. */
bool thread_were_wiped(void);

/* Threads that were there before we were (attach/). Their records are made by the thread that
 * attaches, and taken by their own threads, when these make their first wrapped call or are
 * sampled. Absent: not taken yet. own, take: the calling thread's; NULL: there is none. */
void thread_set_absent(struct thread *thread);
struct thread *thread_own_absent(void);
struct thread *thread_take_absent(void);

/* A thread that was attached to before has memory of its calls on descriptors, which is emptied for
 * the new profile. Set by the room that knows it; NULL: no thread has such memory. */
extern void (*thread_renew_io)(struct thread *thread);

/* All records so far, in use or not. */
uint32_t thread_count(void);
struct thread *thread_at(uint32_t index);

/* Start-up and fork child: forgets all records. Their memory stays, zeroed: if the process forked
 * in the middle of a wrapper, the wrapper goes on in the child, and must find a record in which
 * nothing is under way. */
void thread_reset(void);

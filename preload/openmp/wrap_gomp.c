/* SPDX-License-Identifier: MIT */
/* GOMP_*: one wrapper for each row of gomp_calls.def, by its class. Teams, tasks and locks are in
 * files of their own. */
#include "preload/base/call_args.h"
#include "preload/openmp/gomp_call.h"
#include "preload/openmp/gomp_critical.h"
#include "preload/openmp/gomp_real.h"
#include "preload/openmp/omp_lock.h"
#include "preload/openmp/omp_loop.h"
#include "preload/openmp/omp_team.h"
#include "preload/process/real.h"

#include <stdarg.h>

#define TYPE_VOID     void
#define TYPE_BOOL     bool
#define TYPE_INT      int
#define TYPE_UNSIGNED unsigned
#define TYPE_POINTER  void *

/* The real call; what follows it may need the result. */
#define KEEP_VOID(call)     call
#define KEEP_BOOL(call)     bool answer = call
#define KEEP_INT(call)      int answer = call
#define KEEP_UNSIGNED(call) unsigned answer = call
#define KEEP_POINTER(call)  void *answer = call

#define RETURN_VOID
#define RETURN_BOOL     return answer;
#define RETURN_INT      return answer;
#define RETURN_UNSIGNED return answer;
#define RETURN_POINTER  return answer;

/* What a call returns if there is no libgomp. */
#define MISSING_VOID     return
#define MISSING_BOOL     return false
#define MISSING_INT      return 0
#define MISSING_UNSIGNED return 0
#define MISSING_POINTER  return NULL

#define PASS_0
#define PASS_1  VALUES_1
#define PASS_2  VALUES_2
#define PASS_3  VALUES_3
#define PASS_4  VALUES_4
#define PASS_5  VALUES_5
#define PASS_6  VALUES_6
#define PASS_7  VALUES_7
#define PASS_8  VALUES_8
#define PASS_9  VALUES_9
#define PASS_10 VALUES_10

/* WRAPPER(name, result, arity, before, after): signature and call; before and after are calls of
 * the functions below, which are given `call`, and after the call its `answer`. */
#define WRAPPER(name, result, arity, before, after)                                                \
	EXPORTED TYPE_##result name(WORDS_##arity);                                                \
	EXPORTED TYPE_##result name(WORDS_##arity)                                                 \
	{                                                                                          \
		void *original;                                                                    \
		const struct gomp_library *library =                                               \
			gomp_real_next(GOMP_NAMES, GOMP_NUMBER_##name, CALLER_HERE, &original);    \
		if (unlikely(!library))                                                            \
			MISSING_##result;                                                          \
		struct gomp_call call = {.is_seen = library->is_measured, .caller = CALLER_HERE};  \
		if (unlikely(!call.is_seen))                                                       \
			gomp_passed_on_from = CALLER_HERE;                                         \
		TYPE_##result (*next)(WORDS_##arity) = (TYPE_##result(*)(WORDS_##arity))original;  \
		before;                                                                            \
		KEEP_##result(next(PASS_##arity));                                                 \
		after;                                                                             \
		RETURN_##result                                                                    \
	}

/* ---- waits ---- */

static inline void begin_wait(struct gomp_call *call, enum omp_construct construct,
			      const struct site *site)
{
	if (call->is_seen)
		call->omp = omp_wait_begin(construct, site);
}

static inline void end_wait(const struct gomp_call *call)
{
	if (likely(call->omp != NULL))
		omp_wait_end(call->omp);
}

#define WAITING(name, result, arity, construct)                                                    \
	WRAPPER(name, result, arity, begin_wait(&call, OMP_CONSTRUCT_##construct, SITE_HERE),      \
		end_wait(&call))

#define CLASS_BARRIER(name, result, arity, waits)         WAITING(name, result, arity, BARRIER)
#define CLASS_LOOP_END(name, result, arity, waits)        WAITING(name, result, arity, LOOP_END)
#define CLASS_SECTIONS_END(name, result, arity, waits)    WAITING(name, result, arity, SECTIONS_END)
#define CLASS_SINGLE_COPY_END(name, result, arity, waits) WAITING(name, result, arity, SINGLE_END)
#define CLASS_TASKWAIT(name, result, arity, waits)        WAITING(name, result, arity, TASKWAIT)
#define CLASS_TASKGROUP_END(name, result, arity, waits)   WAITING(name, result, arity, TASKGROUP)

/* ---- calls that are only counted, or passed on ---- */

static void count(const struct gomp_call *call, enum omp_construct construct)
{
	struct omp_thread *omp = call->is_seen ? omp_here() : NULL;

	if (likely(omp != NULL))
		omp_count(omp, construct, call->caller);
}

static inline void count_if(const struct gomp_call *call, enum omp_construct construct, bool is_so)
{
	if (unlikely(is_so))
		count(call, construct);
}

#define COUNTED(name, result, arity, construct)                                                    \
	WRAPPER(name, result, arity, count(&call, OMP_CONSTRUCT_##construct), )
#define PASSED_ON(name, result, arity) WRAPPER(name, result, arity, , )

#define CLASS_SINGLE(name, result, arity, waits)    COUNTED(name, result, arity, SINGLE)
#define CLASS_TASKYIELD(name, result, arity, waits) COUNTED(name, result, arity, TASKYIELD)
/* cancel, or a point that finds it: only if it takes effect, as with OMPT. */
#define CLASS_CANCEL(name, result, arity, waits)                                                   \
	WRAPPER(name, result, arity, , count_if(&call, OMP_CONSTRUCT_CANCEL, answer))
#define CLASS_TASKGROUP_BEGIN(name, result, arity, waits)     PASSED_ON(name, result, arity)
#define CLASS_LOOP_END_NOWAIT(name, result, arity, waits)     PASSED_ON(name, result, arity)
#define CLASS_SECTIONS_END_NOWAIT(name, result, arity, waits) PASSED_ON(name, result, arity)
#define CLASS_DOACROSS_POST(name, result, arity, waits)       PASSED_ON(name, result, arity)
#define CLASS_EMPTY_TASK(name, result, arity, waits)          PASSED_ON(name, result, arity)
#define CLASS_TEAMS_INSIDE(name, result, arity, waits)        PASSED_ON(name, result, arity)
#define CLASS_REDUCTION(name, result, arity, waits)           REDUCTION_##waits(name, result, arity)
#define REDUCTION_RUNS(name, result, arity)                   PASSED_ON(name, result, arity)
#define REDUCTION_WAITS(name, result, arity)                  WAITING(name, result, arity, REDUCTION)

/* A thread that does not run the block waits here for its values; the one that runs it gets NULL,
 * and waits at its end. */
static inline void begin_copy(struct gomp_call *call, const struct site *site)
{
	count(call, OMP_CONSTRUCT_SINGLE);
	begin_wait(call, OMP_CONSTRUCT_SINGLE_END, site);
}

static inline void end_copy(const struct gomp_call *call, const void *values)
{
	if (call->omp)
		omp_wait_end_from(call->omp, values ? 0 : UINT64_MAX);
}

#define CLASS_SINGLE_COPY_START(name, result, arity, waits)                                        \
	WRAPPER(name, result, arity, begin_copy(&call, SITE_HERE), end_copy(&call, answer))

/* ---- loops and sections whose pieces the runtime hands out ---- */

static void begin_pieces(struct gomp_call *call, enum omp_construct construct)
{
	struct omp_thread *omp = call->is_seen ? omp_here() : NULL;

	if (unlikely(!omp))
		return;
	omp_loop_begin(omp, omp_count(omp, construct, call->caller));
	call->start_ns = omp_piece_begin(omp);
	call->omp = omp;
}

/* If a loop begins with its region (parallel for, in one construct), its first piece is requested
 * like a further one. */
static void next_piece(struct gomp_call *call, enum omp_construct construct)
{
	struct omp_thread *omp = call->is_seen ? omp_here() : NULL;

	if (unlikely(!omp))
		return;
	if (unlikely(!omp->loop))
		omp_loop_begin(omp, omp_count(omp, construct, call->caller));
	call->start_ns = omp_piece_begin(omp);
	call->omp = omp;
}

static inline void end_piece(const struct gomp_call *call, bool is_given)
{
	if (likely(call->omp != NULL))
		omp_piece_end(call->omp, call->start_ns, is_given);
}

#define STARTING(name, result, arity, construct)                                                   \
	WRAPPER(name, result, arity, begin_pieces(&call, OMP_CONSTRUCT_##construct),               \
		end_piece(&call, answer))
#define NEXT(name, result, arity, construct)                                                       \
	WRAPPER(name, result, arity, next_piece(&call, OMP_CONSTRUCT_##construct),                 \
		end_piece(&call, answer))

#define CLASS_LOOP_START(name, result, arity, waits)     STARTING(name, result, arity, LOOP)
#define CLASS_SECTIONS_START(name, result, arity, waits) STARTING(name, result, arity, SECTIONS)
#define CLASS_SECTIONS_NEXT(name, result, arity, waits)  NEXT(name, result, arity, SECTIONS)
#define CLASS_LOOP_NEXT(name, result, arity, waits)      LOOP_NEXT_##waits(name, result, arity)
#define LOOP_NEXT_RUNS(name, result, arity)              NEXT(name, result, arity, LOOP)

/* A piece without an ordered block waits for its turn here. After a block the turn is the thread's
 * own: it has nothing to wait for, however long it takes to wake up the next one. */
static void begin_turn(struct gomp_call *call, const struct site *site)
{
	struct omp_thread *omp = call->is_seen ? omp_here() : NULL;

	call->has_turn = omp && omp->loop && omp->turn == omp->loop;
	if (!call->has_turn) {
		begin_wait(call, OMP_CONSTRUCT_ORDERED, site);
		return;
	}
	omp->turn = NULL;
	next_piece(call, OMP_CONSTRUCT_LOOP);
}

static void end_turn(const struct gomp_call *call, bool is_given)
{
	if (!call->omp)
		return;
	if (call->has_turn) {
		end_piece(call, is_given);
		return;
	}
	omp_wait_end_from(call->omp, OMP_TURN_NS);
	if (!call->omp->loop)
		return;
	call->omp->loop->asked++;
	call->omp->loop->pieces += is_given;
}

#define LOOP_NEXT_WAITS(name, result, arity)                                                       \
	WRAPPER(name, result, arity, begin_turn(&call, SITE_HERE), end_turn(&call, answer))

static void begin_doacross(struct gomp_call *call, uint64_t dimensions)
{
	begin_pieces(call, OMP_CONSTRUCT_LOOP);
	if (call->omp)
		call->omp->loop_words = (uint32_t)dimensions;
}

#define CLASS_DOACROSS_START(name, result, arity, waits)                                           \
	WRAPPER(name, result, arity, begin_doacross(&call, a1), end_piece(&call, answer))

/* ---- waits for iterations by number ---- */

enum { SINK_FEW = 9, SINK_MOST = 24 };

/* A call with variable arguments cannot simply be passed on. It has a word for each dimension of
 * the loop; more words do no harm. At most 24 dimensions are passed on. */
static void pass_sinks(void (*next)(uint64_t, ...), uint64_t first, bool are_few, va_list rest)
{
	uint64_t w[SINK_MOST] = {first};

	for (int i = 1; i < (are_few ? SINK_FEW : SINK_MOST); i++)
		w[i] = va_arg(rest, uint64_t);
	if (likely(are_few))
		next(w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7], w[8]);
	else
		next(w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7], w[8], w[9], w[10], w[11],
		     w[12], w[13], w[14], w[15], w[16], w[17], w[18], w[19], w[20], w[21], w[22],
		     w[23]);
}

static inline bool are_few_dimensions(const struct gomp_call *call)
{
	struct omp_thread *here = call->is_seen ? omp_here() : NULL;

	return here && here->loop_words <= SINK_FEW;
}

#define CLASS_DOACROSS_WAIT(name, result, arity, waits)                                            \
	EXPORTED void name(uint64_t first, ...);                                                   \
	EXPORTED void name(uint64_t first, ...)                                                    \
	{                                                                                          \
		const struct gomp_library *library = gomp_real(name, CALLER_HERE);                 \
		if (unlikely(!library))                                                            \
			return;                                                                    \
		struct gomp_call call = {.is_seen = library->is_measured, .caller = CALLER_HERE};  \
		if (unlikely(!call.is_seen))                                                       \
			gomp_passed_on_from = CALLER_HERE;                                         \
		void (*next)(uint64_t, ...) =                                                      \
			(void (*)(uint64_t, ...))library->next[GOMP_NUMBER_##name];                \
		bool are_few = are_few_dimensions(&call);                                          \
		begin_wait(&call, OMP_CONSTRUCT_DOACROSS, SITE_HERE);                              \
		va_list rest;                                                                      \
		va_start(rest, first);                                                             \
		pass_sinks(next, first, are_few, rest);                                            \
		va_end(rest);                                                                      \
		end_wait(&call);                                                                   \
	}

/* ---- critical, atomic, ordered ---- */

#define BEGINNING(name, result, arity, kind, lock)                                                 \
	WRAPPER(                                                                                   \
		name, result, arity, struct arrival arrival = {.is_taken = false};                 \
		if (likely(call.is_seen)) {                                                        \
			arrival = come_to(lock);                                                   \
			if (begin_critical(&call, &arrival, OMP_CONSTRUCT_##kind, OP_##kind,       \
					   (lock).object, SITE_HERE))                              \
				return;                                                            \
		},                                                                                 \
		end_critical(&call, lock, arrival.is_counted))

#define ENDING(name, result, arity, lock)                                                          \
	WRAPPER(name, result, arity, if (likely(call.is_seen)) leaves_critical(lock),              \
		if (likely(call.is_seen)) left_critical(lock))

/* A section without an address in the program is identified by the address of the function that
 * begins it. */
#define HIDDEN_LOCK(kind)                                                                          \
	gomp_hidden_lock(library->next[GOMP_NUMBER_GOMP_##kind##_start], library->kind)
#define NAMED_LOCK gomp_named_lock((const void *)a1)

#define CLASS_CRITICAL_BEGIN(name, result, arity, waits)                                           \
	BEGINNING(name, result, arity, CRITICAL, HIDDEN_LOCK(critical))
#define CLASS_CRITICAL_END(name, result, arity, waits)                                             \
	ENDING(name, result, arity, HIDDEN_LOCK(critical))
#define CLASS_NAMED_CRITICAL_BEGIN(name, result, arity, waits)                                     \
	BEGINNING(name, result, arity, CRITICAL, NAMED_LOCK)
#define CLASS_NAMED_CRITICAL_END(name, result, arity, waits) ENDING(name, result, arity, NAMED_LOCK)
#define CLASS_ATOMIC_BEGIN(name, result, arity, waits)                                             \
	BEGINNING(name, result, arity, ATOMIC, HIDDEN_LOCK(atomic))
#define CLASS_ATOMIC_END(name, result, arity, waits)                                               \
	ENDING(name, result, arity, HIDDEN_LOCK(atomic))

/* The turn comes from the thread with the previous iteration; the object is the place of the
 * block. */
static inline void begin_ordered(struct gomp_call *call, const struct site *site)
{
	if (call->is_seen)
		call->omp = omp_lock_wait_begin(OMP_CONSTRUCT_ORDERED, OP_ORDERED,
						(const void *)call->caller, false, site);
}

static void end_ordered(const struct gomp_call *call)
{
	if (unlikely(!call->omp))
		return;
	omp_lock_wait_end(call->omp, call->caller);
	omp_lock_taken((const void *)call->caller, call->caller);
	call->omp->turn = call->omp->loop;
}

#define CLASS_ORDERED_BEGIN(name, result, arity, waits)                                            \
	WRAPPER(name, result, arity, begin_ordered(&call, SITE_HERE), end_ordered(&call))
#define CLASS_ORDERED_END(name, result, arity, waits) PASSED_ON(name, result, arity)

/* ---- target and teams: elapsed time ---- */

static void begin_region(struct gomp_call *call)
{
	call->omp = call->is_seen ? omp_here() : NULL;
	if (call->omp)
		call->start_ns = omp_now_ns(call->omp);
}

static void end_region(const struct gomp_call *call, enum omp_construct construct)
{
	if (call->omp && omp_is_current(call->omp))
		omp_construct_lasted(call->omp, construct, call->caller,
				     omp_now_ns(call->omp) - call->start_ns);
}

#define LASTING(name, result, arity, construct)                                                    \
	WRAPPER(name, result, arity, begin_region(&call),                                          \
		end_region(&call, OMP_CONSTRUCT_##construct))
#define CLASS_TEAMS(name, result, arity, waits)  LASTING(name, result, arity, TEAMS)
#define CLASS_TARGET(name, result, arity, waits) LASTING(name, result, arity, TARGET)

#define GOMP_CALL(name, result, arity, shape, class, waits, version, ...)                          \
	CLASS_##class(name, result, arity, waits)
#define GOMP_TEAM(...)
#define GOMP_TASKS(...)
#define GOMP_LOCK(...)
#define GOMP_LEFT(name, why)
#include "preload/openmp/gomp_calls.def"
#undef GOMP_CALL
#undef GOMP_TEAM
#undef GOMP_TASKS
#undef GOMP_LOCK
#undef GOMP_LEFT

/* SPDX-License-Identifier: MIT */
/* GOMP_*: one wrapper for each row of gomp_calls.def, by its class. Tasks, locks and what lasts
 * longer than a call are in files of their own. */
#include "preload/base/words.h"
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

/* The call itself; what follows it may need the result. */
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

/* There is no libgomp, but somebody calls it. */
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

#define WRAPPER(name, result, arity, before, after)                                                \
	EXPORTED TYPE_##result name(WORDS_##arity);                                                \
	EXPORTED TYPE_##result name(WORDS_##arity)                                                 \
	{                                                                                          \
		void *original;                                                                    \
		const struct gomp_library *library =                                               \
			gomp_real_next(GOMP_NAMES, GOMP_NUMBER_##name, CALLER_HERE, &original);    \
		if (unlikely(!library))                                                            \
			MISSING_##result;                                                          \
		bool is_seen = library->is_measured;                                               \
		if (unlikely(!is_seen))                                                            \
			gomp_passed_on_from = CALLER_HERE;                                         \
		TYPE_##result (*next)(WORDS_##arity) = (TYPE_##result(*)(WORDS_##arity))original;  \
		before;                                                                            \
		KEEP_##result(next(PASS_##arity));                                                 \
		after;                                                                             \
		RETURN_##result                                                                    \
	}

/* ---- waits ---- */

#define WAITING(name, result, arity, construct)                                                    \
	WRAPPER(name, result, arity,                                                               \
		struct omp_thread *omp =                                                           \
			is_seen ? omp_wait_begin(OMP_CONSTRUCT_##construct, SITE_HERE) : NULL,     \
		if (likely(omp != NULL)) omp_wait_end(omp))

#define CLASS_BARRIER(name, result, arity, waits)         WAITING(name, result, arity, BARRIER)
#define CLASS_LOOP_END(name, result, arity, waits)        WAITING(name, result, arity, LOOP_END)
#define CLASS_SECTIONS_END(name, result, arity, waits)    WAITING(name, result, arity, SECTIONS_END)
#define CLASS_SINGLE_COPY_END(name, result, arity, waits) WAITING(name, result, arity, SINGLE_END)
#define CLASS_TASKWAIT(name, result, arity, waits)        WAITING(name, result, arity, TASKWAIT)
#define CLASS_TASKGROUP_END(name, result, arity, waits)   WAITING(name, result, arity, TASKGROUP)

/* Who does not run the block waits here for its values; who does gets NULL, and waits at its end.
 */
#define CLASS_SINGLE_COPY_START(name, result, arity, waits)                                        \
	WRAPPER(name, result, arity, count(is_seen, OMP_CONSTRUCT_SINGLE, CALLER_HERE);            \
		struct omp_thread *omp =                                                           \
			is_seen ? omp_wait_begin(OMP_CONSTRUCT_SINGLE_END, SITE_HERE) : NULL,      \
		if (omp) omp_wait_end_from(omp, answer ? 0 : UINT64_MAX))

/* ---- what is only counted, or passed on ---- */

static void count(bool is_seen, enum omp_construct construct, uint64_t caller)
{
	struct omp_thread *omp = is_seen ? omp_here() : NULL;

	if (likely(omp != NULL))
		omp_count(omp, construct, caller);
}

#define COUNTED(name, result, arity, construct)                                                    \
	WRAPPER(name, result, arity, count(is_seen, OMP_CONSTRUCT_##construct, CALLER_HERE), )
#define PASSED_ON(name, result, arity) WRAPPER(name, result, arity, (void)is_seen, )

#define CLASS_SINGLE(name, result, arity, waits)    COUNTED(name, result, arity, SINGLE)
#define CLASS_TASKYIELD(name, result, arity, waits) COUNTED(name, result, arity, TASKYIELD)
/* cancel, or a point that finds it: only where it takes effect, as OMPT tells of it. */
#define CLASS_CANCEL(name, result, arity, waits)                                                   \
	WRAPPER(name, result, arity, ,                                                             \
		if (unlikely(answer)) count(is_seen, OMP_CONSTRUCT_CANCEL, CALLER_HERE))
#define CLASS_TASKGROUP_BEGIN(name, result, arity, waits)     PASSED_ON(name, result, arity)
#define CLASS_LOOP_END_NOWAIT(name, result, arity, waits)     PASSED_ON(name, result, arity)
#define CLASS_SECTIONS_END_NOWAIT(name, result, arity, waits) PASSED_ON(name, result, arity)
#define CLASS_DOACROSS_POST(name, result, arity, waits)       PASSED_ON(name, result, arity)
#define CLASS_EMPTY_TASK(name, result, arity, waits)          PASSED_ON(name, result, arity)
#define CLASS_TEAMS_INSIDE(name, result, arity, waits)        PASSED_ON(name, result, arity)
#define CLASS_REDUCTION(name, result, arity, waits)           REDUCTION_##waits(name, result, arity)
#define REDUCTION_RUNS(name, result, arity)                   PASSED_ON(name, result, arity)
#define REDUCTION_WAITS(name, result, arity)                  WAITING(name, result, arity, REDUCTION)

/* ---- loops and sections: who hands out the pieces ---- */

/* start_ns: 0: not timed */
static struct omp_thread *begin_pieces(bool is_seen, enum omp_construct construct, uint64_t caller,
				       uint64_t *start_ns)
{
	struct omp_thread *omp = is_seen ? omp_here() : NULL;

	if (unlikely(!omp))
		return NULL;
	omp_loop_begin(omp, omp_count(omp, construct, caller));
	*start_ns = omp_piece_begin(omp);
	return omp;
}

/* The first one of a loop that begins with its region (parallel for, in one construct) is asked for
 * as if it were a further one. */
static struct omp_thread *next_piece(bool is_seen, enum omp_construct construct, uint64_t caller,
				     uint64_t *start_ns)
{
	struct omp_thread *omp = is_seen ? omp_here() : NULL;

	if (unlikely(!omp))
		return NULL;
	if (unlikely(!omp->loop))
		omp_loop_begin(omp, omp_count(omp, construct, caller));
	*start_ns = omp_piece_begin(omp);
	return omp;
}

#define STARTING(name, result, arity, construct, further)                                          \
	WRAPPER(name, result, arity, uint64_t start_ns = 0;                                        \
		struct omp_thread *omp =                                                           \
			begin_pieces(is_seen, OMP_CONSTRUCT_##construct, CALLER_HERE, &start_ns);  \
		further, if (likely(omp != NULL)) omp_piece_end(omp, start_ns, answer))
#define NEXT(name, result, arity, construct)                                                       \
	WRAPPER(name, result, arity, uint64_t start_ns = 0;                                        \
		struct omp_thread *omp =                                                           \
			next_piece(is_seen, OMP_CONSTRUCT_##construct, CALLER_HERE, &start_ns),    \
		if (likely(omp != NULL)) omp_piece_end(omp, start_ns, answer))

#define CLASS_LOOP_START(name, result, arity, waits)     STARTING(name, result, arity, LOOP, )
#define CLASS_SECTIONS_START(name, result, arity, waits) STARTING(name, result, arity, SECTIONS, )
#define CLASS_SECTIONS_NEXT(name, result, arity, waits)  NEXT(name, result, arity, SECTIONS)
#define CLASS_LOOP_NEXT(name, result, arity, waits)      LOOP_NEXT_##waits(name, result, arity)
#define LOOP_NEXT_RUNS(name, result, arity)              NEXT(name, result, arity, LOOP)

static void count_piece(struct omp_thread *omp, bool is_given)
{
	omp_wait_end_from(omp, OMP_TURN_NS);
	if (!omp->loop)
		return;
	omp->loop->asked++;
	omp->loop->pieces += is_given;
}

/* An iteration that had no ordered block waits for its turn here. */
#define LOOP_NEXT_WAITS(name, result, arity)                                                       \
	WRAPPER(name, result, arity,                                                               \
		struct omp_thread *omp =                                                           \
			is_seen ? omp_wait_begin(OMP_CONSTRUCT_ORDERED, SITE_HERE) : NULL,         \
		if (omp) count_piece(omp, answer))

#define CLASS_DOACROSS_START(name, result, arity, waits)                                           \
	STARTING(name, result, arity, LOOP, if (omp) omp->loop_words = (uint32_t)a1)

/* ---- waiting for iterations by number ---- */

enum { SINK_FEW = 9, SINK_MOST = 24 };

/* A call with variable arguments cannot simply be passed on. It has a word for each dimension of
 * the loop; more words than that do no harm. A loop of more than 24 dimensions is not foreseen. */
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

#define CLASS_DOACROSS_WAIT(name, result, arity, waits)                                            \
	EXPORTED void name(uint64_t first, ...);                                                   \
	EXPORTED void name(uint64_t first, ...)                                                    \
	{                                                                                          \
		const struct gomp_library *library = gomp_real(name, CALLER_HERE);                 \
		if (unlikely(!library))                                                            \
			return;                                                                    \
		bool is_seen = library->is_measured;                                               \
		if (unlikely(!is_seen))                                                            \
			gomp_passed_on_from = CALLER_HERE;                                         \
		void (*next)(uint64_t, ...) =                                                      \
			(void (*)(uint64_t, ...))library->next[GOMP_NUMBER_##name];                \
		struct omp_thread *here = is_seen ? omp_here() : NULL;                             \
		bool are_few = here && here->loop_words <= SINK_FEW;                               \
		struct omp_thread *omp =                                                           \
			is_seen ? omp_wait_begin(OMP_CONSTRUCT_DOACROSS, SITE_HERE) : NULL;        \
		va_list rest;                                                                      \
		va_start(rest, first);                                                             \
		pass_sinks(next, first, are_few, rest);                                            \
		va_end(rest);                                                                      \
		if (likely(omp != NULL))                                                           \
			omp_wait_end(omp);                                                         \
	}

/* ---- critical, atomic, ordered ---- */

/* libgomp's mutex is a word that is 0 while it is free and 1 when it is taken, and for a critical
 * section with a name the program's variable is that word. (So it has been since libgomp has
 * futexes; the first section that is entered shows it. Where it is not so the counters of
 * omp_holders.h serve.) One that is free is taken here as libgomp would: another call, and a look
 * at the word before it, is time in which others want the cache line. */
static enum { WORD_NOT_KNOWN, WORD_IS_LOCK, WORD_IS_OTHER } named_word; /* atomic */

static inline bool is_named_word(void)
{
	return likely(__atomic_load_n(&named_word, __ATOMIC_RELAXED) == WORD_IS_LOCK);
}

static inline bool take_named(const void *address)
{
	uint32_t *word = (uint32_t *)address, expected = 0;

	return __atomic_compare_exchange_n(word, &expected, 1, false, __ATOMIC_ACQUIRE,
					   __ATOMIC_RELAXED);
}

/* The first section is entered: somebody has it. */
__attribute__((noinline)) static void learn_named(const void *address)
{
	uint32_t word = __atomic_load_n((const uint32_t *)address, __ATOMIC_RELAXED);
	bool is_lock = word == 1 || word == UINT32_MAX; /* taken; and awaited */

	__atomic_store_n(&named_word, is_lock ? WORD_IS_LOCK : WORD_IS_OTHER, __ATOMIC_RELAXED);
}

/* It was wanted before it was known what the word is. */
__attribute__((noinline)) static void has_counted(const void *address)
{
	if (__atomic_load_n(&named_word, __ATOMIC_RELAXED) == WORD_NOT_KNOWN)
		learn_named(address);
	if (is_named_word())
		omp_lock_left(address);
	else
		omp_lock_has(address);
}

static inline void leaves_named(const void *address)
{
	if (unlikely(!is_named_word()))
		omp_lock_leaves(address);
}

static inline void left_named(const void *address)
{
	if (unlikely(!is_named_word()))
		omp_lock_left(address);
}

/* A fork child's first use of OpenMP may be this. */
__attribute__((noinline)) static void count_first(enum operation operation, const void *address,
						  uint64_t caller)
{
	struct thread *thread = thread_or_adopt();

	if (thread)
		activity_count(thread, address, operation, caller);
}

static inline void count_critical(enum operation operation, const void *address, uint64_t caller)
{
	struct thread *thread = thread_current();

	if (likely(thread != NULL))
		activity_count(thread, address, operation, caller);
	else
		count_first(operation, address, caller);
}

/* waits: NULL: nobody was in the way, or it is not measured. */
static void begun_critical(struct omp_thread *waits, const void *address, uint64_t caller)
{
	if (unlikely(waits != NULL))
		omp_lock_wait_end(waits, caller);
	omp_lock_taken(address, caller);
}

/* What is known of a lock when a thread comes to it. */
struct arrival {
	bool is_taken;   /* by the thread, at once */
	bool may_wait;   /* somebody may be in the way, */
	bool is_sure;    /* or is */
	bool is_counted; /* among those who want it */
};

static inline struct arrival come_to(const void *address)
{
	bool is_held = omp_lock_is_held(address);

	return (struct arrival){
		.may_wait = omp_lock_want(address), .is_sure = is_held, .is_counted = true};
}

static inline struct arrival come_to_named(const void *address)
{
	if (unlikely(!is_named_word()))
		return come_to(address);
	bool is_taken = take_named(address);

	return (struct arrival){.is_taken = is_taken, .may_wait = !is_taken, .is_sure = true};
}

/* What does not wait is counted before the call: after it the lock is held, and others wait for the
 * count as well. */
#define BEGINNING(name, result, arity, object, come, has)                                          \
	WRAPPER(                                                                                   \
		name, result, arity, struct omp_thread *waits = NULL;                              \
		struct arrival arrival = {.is_taken = false};                                      \
		if (likely(is_seen)) {                                                             \
			arrival = come(OBJECT_OF(name));                                           \
			if (unlikely(arrival.may_wait))                                            \
				waits = omp_lock_wait_begin(OMP_CONSTRUCT_##object, OP_##object,   \
							    OBJECT_OF(name), arrival.is_sure,      \
							    SITE_HERE);                            \
			if (likely(!waits))                                                        \
				count_critical(OP_##object, OBJECT_OF(name), CALLER_HERE);         \
			if (arrival.is_taken) {                                                    \
				omp_lock_taken(OBJECT_OF(name), CALLER_HERE);                      \
				return;                                                            \
			}                                                                          \
		},                                                                                 \
		if (likely(is_seen)) {                                                             \
			begun_critical(waits, OBJECT_OF(name), CALLER_HERE);                       \
			if (arrival.is_counted)                                                    \
				has(OBJECT_OF(name));                                              \
		})

#define ENDING(name, result, arity, leaves, left)                                                  \
	WRAPPER(name, result, arity, if (likely(is_seen)) leaves(OBJECT_OF(name)),                 \
		if (likely(is_seen)) left(OBJECT_OF(name)))

/* What has no address of its own in the program is known by that of the function that begins it. */
#define OBJECT_OF(name)                    OBJECT_OF_##name
#define OBJECT_OF_GOMP_critical_start      library->next[GOMP_NUMBER_GOMP_critical_start]
#define OBJECT_OF_GOMP_critical_end        library->next[GOMP_NUMBER_GOMP_critical_start]
#define OBJECT_OF_GOMP_atomic_start        library->next[GOMP_NUMBER_GOMP_atomic_start]
#define OBJECT_OF_GOMP_atomic_end          library->next[GOMP_NUMBER_GOMP_atomic_start]
#define OBJECT_OF_GOMP_critical_name_start ((const void *)a1)
#define OBJECT_OF_GOMP_critical_name_end   ((const void *)a1)

#define CLASS_CRITICAL_BEGIN(name, result, arity, waits)                                           \
	BEGINNING(name, result, arity, CRITICAL, come_to, omp_lock_has)
#define CLASS_CRITICAL_END(name, result, arity, waits)                                             \
	ENDING(name, result, arity, omp_lock_leaves, omp_lock_left)
#define CLASS_NAMED_CRITICAL_BEGIN(name, result, arity, waits)                                     \
	BEGINNING(name, result, arity, CRITICAL, come_to_named, has_counted)
#define CLASS_NAMED_CRITICAL_END(name, result, arity, waits)                                       \
	ENDING(name, result, arity, leaves_named, left_named)
#define CLASS_ATOMIC_BEGIN(name, result, arity, waits)                                             \
	BEGINNING(name, result, arity, ATOMIC, come_to, omp_lock_has)
#define CLASS_ATOMIC_END(name, result, arity, waits)                                               \
	ENDING(name, result, arity, omp_lock_leaves, omp_lock_left)

/* The turn comes from the thread of the iteration before; the object is the place of the block. */
#define CLASS_ORDERED_BEGIN(name, result, arity, waits)                                            \
	WRAPPER(name, result, arity,                                                               \
		struct omp_thread *turn =                                                          \
			is_seen ? omp_lock_wait_begin(OMP_CONSTRUCT_ORDERED, OP_ORDERED,           \
						      (const void *)CALLER_HERE, false, SITE_HERE) \
				: NULL,                                                            \
		if (likely(turn != NULL)) begun_ordered(turn, CALLER_HERE))
#define CLASS_ORDERED_END(name, result, arity, waits) PASSED_ON(name, result, arity)

static void begun_ordered(struct omp_thread *turn, uint64_t caller)
{
	omp_lock_wait_end(turn, caller);
	omp_lock_taken((const void *)caller, caller);
}

/* ---- target and teams: all of it, as they are met ---- */

static struct omp_thread *begin_region(bool is_seen, uint64_t *start_ns)
{
	struct omp_thread *omp = is_seen ? omp_here() : NULL;

	if (omp)
		*start_ns = omp_now_ns(omp);
	return omp;
}

static void end_region(struct omp_thread *omp, enum omp_construct construct, uint64_t caller,
		       uint64_t start_ns)
{
	if (omp_is_current(omp))
		omp_construct_lasted(omp, construct, caller, omp_now_ns(omp) - start_ns);
}

#define LASTING(name, result, arity, construct)                                                    \
	WRAPPER(name, result, arity, uint64_t start_ns = 0;                                        \
		struct omp_thread *omp = begin_region(is_seen, &start_ns),                         \
		if (omp) end_region(omp, OMP_CONSTRUCT_##construct, CALLER_HERE, start_ns))
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

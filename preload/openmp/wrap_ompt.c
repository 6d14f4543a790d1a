/* SPDX-License-Identifier: MIT */
/* OMPT: what a runtime that has the tools interface (LLVM's libomp, and those made from it) tells
 * of its own accord. It finds ompt_start_tool, which this object exports.
 *
 * Waits have no frame of the program's between begin and end, so nothing lies outside of them:
 * their stack pointer is the highest there is. A member's body ends where it comes to the closing
 * barrier; workers are told of that barrier's end only when they are needed again. */
#include "callpath.h"
#include "clock.h"
#include "note.h"
#include "omp_lock.h"
#include "omp_process.h"
#include "ompt.h"
#include "ompt_pool.h"
#include "real.h"
#include "settings.h"

#include <dlfcn.h>
#include <errno.h>
#include <stddef.h>
#include <string.h>

#define EVERYWHERE UINT64_MAX

/* The callback's own frame; call paths begin at the program's code, not in the runtime. */
#define SITE_OF(code)                                                                              \
	(&(struct site){(uint64_t)__builtin_return_address(0), (uint64_t)__builtin_dwarf_cfa(),    \
			*(uint64_t *)__builtin_frame_address(0), (uint64_t)(code)})

/* ---- regions ---- */

static void on_parallel_begin(ompt_data_t *task, const void *frame, ompt_data_t *parallel,
			      unsigned wanted, int flags, const void *code)
{
	struct omp_thread *omp = omp_here();

	(void)task;
	(void)frame;
	parallel->ptr = NULL;
	if (!omp || flags & OMPT_PARALLEL_LEAGUE)
		return;
	struct ompt_team *team = ompt_team_take(omp);
	if (!team)
		return;
	team->code = (uint64_t)code;
	if (omp_team_open(&team->team, omp, OMP_REGION_PARALLEL, (uint64_t)code, wanted,
			  SITE_OF(code)))
		parallel->ptr = team;
	else
		ompt_team_give(omp, team);
}

static void on_parallel_end(ompt_data_t *parallel, ompt_data_t *task, int flags, const void *code)
{
	struct ompt_team *team = parallel->ptr;
	struct omp_thread *omp = team ? omp_here() : NULL;

	(void)task;
	(void)flags;
	(void)code;
	parallel->ptr = NULL;
	if (!omp || team->team.master != omp)
		return; /* this process is a copy made by fork within the region */
	omp_team_close(&team->team);
	ompt_team_give(omp, team);
}

static void end_member(struct omp_thread *omp, ompt_data_t *task)
{
	struct omp_member *member = task->ptr;

	if (!member || member != omp->member)
		return;
	task->ptr = NULL;
	omp_member_end(member, EVERYWHERE);
	ompt_member_pop(omp);
}

static void on_implicit_task(int endpoint, ompt_data_t *parallel, ompt_data_t *task,
			     unsigned size, unsigned number, int flags)
{
	struct omp_thread *omp = flags & OMPT_TASK_INITIAL ? NULL : omp_here();

	if (!omp)
		return;
	if (endpoint == OMPT_SCOPE_END) {
		end_member(omp, task);
		return;
	}
	struct ompt_team *team = parallel ? parallel->ptr : NULL;
	struct omp_member *member = team ? ompt_member_push(omp) : NULL;
	task->ptr = member;
	if (member)
		omp_member_begin(member, &team->team, number, size);
}

/* ---- waits ---- */

static const uint8_t construct_of_sync[OMPT_SYNC_COUNT] = {
	[OMPT_SYNC_BARRIER] = OMP_CONSTRUCT_BARRIER,
	[OMPT_SYNC_BARRIER_IMPLICIT] = OMP_CONSTRUCT_IMPLICIT_BARRIER,
	[OMPT_SYNC_BARRIER_EXPLICIT] = OMP_CONSTRUCT_BARRIER,
	[OMPT_SYNC_BARRIER_IMPLEMENTATION] = OMP_CONSTRUCT_IMPLICIT_BARRIER,
	[OMPT_SYNC_TASKWAIT] = OMP_CONSTRUCT_TASKWAIT,
	[OMPT_SYNC_TASKGROUP] = OMP_CONSTRUCT_TASKGROUP,
	[OMPT_SYNC_BARRIER_WORKSHARE] = OMP_CONSTRUCT_IMPLICIT_BARRIER,
	[OMPT_SYNC_BARRIER_PARALLEL] = OMP_CONSTRUCT_IMPLICIT_BARRIER,
	[OMPT_SYNC_BARRIER_TEAMS] = OMP_CONSTRUCT_IMPLICIT_BARRIER,
};

/* The closing barrier of a region. Runtimes of OpenMP 5.0 do not say so: it is an implicit one that
 * has the place of the region in its first thread, and no place in the others. */
static bool is_closing(int kind, const struct omp_thread *omp, const void *code)
{
	if (kind == OMPT_SYNC_BARRIER_PARALLEL)
		return true;
	if (kind != OMPT_SYNC_BARRIER_IMPLICIT || !omp->member)
		return false;
	const struct ompt_team *team = (const struct ompt_team *)omp->member->team;
	return !code || (uint64_t)code == team->code;
}

static void on_sync_region(int kind, int endpoint, ompt_data_t *parallel, ompt_data_t *task,
			   const void *code)
{
	struct omp_thread *omp = omp_here();

	(void)parallel;
	if (!omp || kind <= 0 || kind >= OMPT_SYNC_COUNT || !construct_of_sync[kind])
		return;
	if (endpoint == OMPT_SCOPE_END) {
		if (omp->wait.since_ns && omp->wait.row && omp->wait.kind == kind)
			omp_wait_end(omp);
		return;
	}
	if (omp->wait.since_ns)
		return; /* part of another one */
	if (is_closing(kind, omp, code)) {
		end_member(omp, task);
		return;
	}
	if (omp_wait_begin(construct_of_sync[kind],
			   &(struct site){.caller = (uint64_t)code, .sp = EVERYWHERE}))
		omp->wait.kind = kind;
}

/* ---- constructs that are counted ---- */

static const uint8_t construct_of_work[OMPT_WORK_COUNT] = {
	[OMPT_WORK_LOOP] = OMP_CONSTRUCT_LOOP,
	[OMPT_WORK_SECTIONS] = OMP_CONSTRUCT_SECTIONS,
	[OMPT_WORK_SINGLE_EXECUTOR] = OMP_CONSTRUCT_SINGLE,
	[OMPT_WORK_SINGLE_OTHER] = OMP_CONSTRUCT_SINGLE,
	[OMPT_WORK_WORKSHARE] = OMP_CONSTRUCT_WORKSHARE,
	[OMPT_WORK_DISTRIBUTE] = OMP_CONSTRUCT_DISTRIBUTE,
	[OMPT_WORK_TASKLOOP] = OMP_CONSTRUCT_TASKLOOP,
};

static void on_work(int kind, int endpoint, ompt_data_t *parallel, ompt_data_t *task,
		    uint64_t count, const void *code)
{
	struct omp_thread *omp = omp_here();

	(void)parallel;
	(void)task;
	(void)count;
	if (!omp || kind <= 0 || kind >= OMPT_WORK_COUNT || !construct_of_work[kind])
		return;
	if (kind == OMPT_WORK_TASKLOOP) /* whose tasks the runtime makes itself */
		omp->taskloop = endpoint == OMPT_SCOPE_BEGIN ? (uint64_t)code : 0;
	if (endpoint == OMPT_SCOPE_BEGIN)
		omp_count(omp, construct_of_work[kind], (uint64_t)code);
}

static void on_masked(int endpoint, ompt_data_t *parallel, ompt_data_t *task, const void *code)
{
	struct omp_thread *omp = endpoint == OMPT_SCOPE_BEGIN ? omp_here() : NULL;

	(void)parallel;
	(void)task;
	if (omp)
		omp_count(omp, OMP_CONSTRUCT_MASKED, (uint64_t)code);
}

static void on_reduction(int kind, int endpoint, ompt_data_t *parallel, ompt_data_t *task,
			 const void *code)
{
	struct omp_thread *omp = endpoint == OMPT_SCOPE_BEGIN ? omp_here() : NULL;

	(void)kind;
	(void)parallel;
	(void)task;
	if (omp)
		omp_count(omp, OMP_CONSTRUCT_REDUCTION, (uint64_t)code);
}

static void on_cancel(ompt_data_t *task, int flags, const void *code)
{
	struct omp_thread *omp = omp_here();

	(void)task;
	(void)flags;
	if (omp)
		omp_count(omp, OMP_CONSTRUCT_CANCEL, (uint64_t)code);
}

/* ---- tasks ---- */

/* A task's word points to ours with its lowest bit set: those of implicit tasks point to members.
 */
static struct ompt_task *explicit_task(const ompt_data_t *data)
{
	return data && data->value & 1 ? (struct ompt_task *)(data->value - 1) : NULL;
}

static void on_task_create(ompt_data_t *parent, const void *frame, ompt_data_t *data, int flags,
			   int has_dependences, const void *code)
{
	struct omp_thread *omp = omp_here();

	(void)parent;
	(void)frame;
	(void)has_dependences;
	data->value = 0;
	struct ompt_task *task =
		omp && !(flags & (OMPT_TASK_INITIAL | OMPT_TASK_TASKWAIT)) ? ompt_task_take(omp)
									    : NULL;
	if (!task)
		return;
	data->value = (uint64_t)task | 1;
	task->is_deferred = !(flags & OMPT_TASK_UNDEFERRED);
	task->is_begun = task->is_active = false;
	omp_task_make(omp, &task->birth, omp->taskloop ? omp->taskloop : (uint64_t)code, 0, true);
}

static void on_dependences(ompt_data_t *data, const void *dependences, int count)
{
	struct ompt_task *task = explicit_task(data);
	struct omp_thread *omp = task ? omp_here() : NULL;

	(void)dependences;
	if (omp)
		omp_task_depends(omp, &task->birth, (uint64_t)count);
}

static void leave_task(struct omp_thread *omp, struct ompt_task *task, bool is_complete)
{
	if (!task->is_active || omp->task != &task->frame)
		return;
	task->is_active = false;
	omp_task_end(&task->frame, is_complete);
}

static void enter_task(struct ompt_task *task)
{
	task->is_active = true;
	omp_task_begin(&task->frame, &task->birth, task->is_deferred, !task->is_begun);
	task->is_begun = true;
}

static void on_task_schedule(ompt_data_t *left, int status, ompt_data_t *taken)
{
	struct omp_thread *omp = omp_here();
	struct ompt_task *prior = explicit_task(left), *next = explicit_task(taken);
	bool is_complete = status == OMPT_TASK_COMPLETE || status == OMPT_TASK_CANCEL;

	if (!omp || status == OMPT_TASK_EARLY_FULFILL)
		return;
	if (prior && (is_complete || status == OMPT_TASK_DETACH))
		leave_task(omp, prior, true);
	else if (prior && (!next || next->is_active)) /* an untied one will go on later */
		leave_task(omp, prior, false);
	if (prior && (is_complete || status == OMPT_TASK_LATE_FULFILL)) {
		left->value = 0;
		ompt_task_give(omp, prior);
	}
	if (next && !next->is_active)
		enter_task(next);
}

/* ---- locks ---- */

/* Who took a lock last, by the same hash as the counter of those who want it: the call. Whoever had
 * to wait publishes for it that it has released the lock, since the runtime tells of that too late.
 */
static uint64_t holders[OMP_LOCK_COUNTERS];

static const struct {
	uint8_t operation, construct;
} mutexes[OMPT_MUTEX_COUNT] = {
	[OMPT_MUTEX_LOCK] = {OP_OMP_SET_LOCK, OMP_CONSTRUCT_OMP_LOCK},
	[OMPT_MUTEX_TEST_LOCK] = {OP_OMP_TEST_LOCK, OMP_CONSTRUCT_OMP_LOCK},
	[OMPT_MUTEX_NEST_LOCK] = {OP_OMP_SET_LOCK, OMP_CONSTRUCT_OMP_LOCK},
	[OMPT_MUTEX_TEST_NEST_LOCK] = {OP_OMP_TEST_LOCK, OMP_CONSTRUCT_OMP_LOCK},
	[OMPT_MUTEX_CRITICAL] = {OP_CRITICAL, OMP_CONSTRUCT_CRITICAL},
	[OMPT_MUTEX_ATOMIC] = {OP_ATOMIC, OMP_CONSTRUCT_ATOMIC},
	[OMPT_MUTEX_ORDERED] = {OP_ORDERED, OMP_CONSTRUCT_ORDERED},
};

/* A call that only tries is announced by runtimes of OpenMP 5.0 as one that takes the lock, and
 * when it fails nothing more is said. It shows in the function that tells. */
static struct {
	uint64_t from; /* the function's call of ours */
	bool is_try;
} tellers[16]; /* atomic each; two threads that look one up write the same */

static bool look_up_teller(uint64_t from)
{
	unsigned at = (unsigned)(from * 0x9e3779b97f4a7c15u >> 60);
	int saved = errno;
	Dl_info info;
	bool is_try = dladdr((const void *)from, &info) && info.dli_sname &&
		      strstr(info.dli_sname, "test") != NULL;

	errno = saved;
	__atomic_store_n(&tellers[at].from, 0, __ATOMIC_RELEASE);
	__atomic_store_n(&tellers[at].is_try, is_try, __ATOMIC_RELEASE);
	__atomic_store_n(&tellers[at].from, from, __ATOMIC_RELEASE);
	return is_try;
}

static inline bool is_try(int kind, uint64_t from)
{
	unsigned at = (unsigned)(from * 0x9e3779b97f4a7c15u >> 60);

	if (kind >= OMPT_MUTEX_CRITICAL)
		return false;
	if (likely(__atomic_load_n(&tellers[at].from, __ATOMIC_ACQUIRE) == from))
		return tellers[at].is_try;
	return look_up_teller(from);
}

static bool is_known_mutex(int kind)
{
	return kind > 0 && kind < OMPT_MUTEX_COUNT && mutexes[kind].operation;
}

static void on_mutex_acquire(int kind, unsigned hint, unsigned implementation, ompt_wait_id_t id,
			     const void *code)
{
	const void *lock = (const void *)id;

	(void)hint;
	(void)implementation;
	if (!is_known_mutex(kind))
		return;
	if (is_try(kind, CALLER_HERE)) {
		struct omp_thread *tries = omp_here();
		if (tries)
			activity_count(tries->thread, lock, OP_OMP_TEST_LOCK, (uint64_t)code);
		return;
	}
	bool is_wanted = __atomic_fetch_add(omp_lock_counter(lock), 1, __ATOMIC_RELAXED) != 0;
	if (likely(!is_wanted && kind != OMPT_MUTEX_ORDERED))
		return;
	struct omp_thread *omp = omp_here();
	if (omp && !omp->wait.since_ns)
		omp->is_lock_waited =
			omp_lock_wait_begin(omp->thread, (enum operation)mutexes[kind].operation,
					    lock, SITE_OF(code));
}

static void end_lock_wait(struct omp_thread *omp, int kind, const void *lock, uint64_t code)
{
	struct object *object = omp->thread->wait.object;
	uint64_t holder = holders[omp_lock_index(lock)];

	omp->is_lock_waited = false;
	if (kind == OMPT_MUTEX_ORDERED) {
		if (!omp_lock_was_waited(omp->thread)) {
			activity_cancel(omp->thread);
			activity_count(omp->thread, lock, OP_ORDERED, code);
			return;
		}
	}
	if (object && holder)
		object_publish(object, clock_now_ns(), callpath_place(holder));
	omp_lock_wait_end(omp->thread, (enum omp_construct)mutexes[kind].construct, code);
}

static void on_mutex_acquired(int kind, ompt_wait_id_t id, const void *code)
{
	const void *lock = (const void *)id;
	struct omp_thread *omp = omp_here();

	if (!is_known_mutex(kind))
		return;
	bool tries = is_try(kind, CALLER_HERE);
	if (tries)
		__atomic_fetch_add(omp_lock_counter(lock), 1, __ATOMIC_RELAXED);
	if (unlikely(!omp))
		return;
	if (unlikely(omp->is_lock_waited))
		end_lock_wait(omp, kind, lock, (uint64_t)code);
	else if (!tries)
		activity_count(omp->thread, lock, (enum operation)mutexes[kind].operation,
			       (uint64_t)code);
	holders[omp_lock_index(lock)] = (uint64_t)code;
}

static void on_mutex_released(int kind, ompt_wait_id_t id, const void *code)
{
	(void)code;
	if (is_known_mutex(kind))
		__atomic_fetch_sub(omp_lock_counter((const void *)id), 1, __ATOMIC_RELAXED);
}

/* A nest lock is taken again by its owner, who announced that as if it might wait. */
static void on_nest_lock(int endpoint, ompt_wait_id_t id, const void *code)
{
	const void *lock = (const void *)id;
	struct omp_thread *omp = omp_here();

	if (endpoint != OMPT_SCOPE_BEGIN || is_try(OMPT_MUTEX_NEST_LOCK, CALLER_HERE))
		return;
	__atomic_fetch_sub(omp_lock_counter(lock), 1, __ATOMIC_RELAXED);
	if (!omp)
		return;
	if (omp->is_lock_waited)
		activity_cancel(omp->thread);
	omp->is_lock_waited = false;
	activity_count(omp->thread, lock, OP_OMP_SET_LOCK, (uint64_t)code);
}

static void on_lock_init(int kind, unsigned hint, unsigned implementation, ompt_wait_id_t id,
			 const void *code)
{
	struct omp_thread *omp = omp_here();

	(void)kind;
	(void)hint;
	(void)implementation;
	if (!omp)
		return;
	object_initialised((const void *)id, OBJECT_OMP_LOCK, (uint64_t)code);
	tally_forget(&omp->thread->tally, (const void *)id);
}

static void on_lock_destroy(int kind, ompt_wait_id_t id, const void *code)
{
	struct omp_thread *omp = omp_here();

	(void)kind;
	(void)code;
	if (!omp)
		return;
	object_destroyed((const void *)id, OBJECT_OMP_LOCK);
	tally_forget(&omp->thread->tally, (const void *)id);
}

/* ---- start ---- */

static const struct {
	int event;
	ompt_callback_t callback;
} callbacks[] = {
	{OMPT_PARALLEL_BEGIN, (ompt_callback_t)on_parallel_begin},
	{OMPT_PARALLEL_END, (ompt_callback_t)on_parallel_end},
	{OMPT_IMPLICIT_TASK, (ompt_callback_t)on_implicit_task},
	{OMPT_SYNC_REGION, (ompt_callback_t)on_sync_region},
	{OMPT_WORK, (ompt_callback_t)on_work},
	{OMPT_MASKED, (ompt_callback_t)on_masked},
	{OMPT_REDUCTION, (ompt_callback_t)on_reduction},
	{OMPT_CANCEL, (ompt_callback_t)on_cancel},
	{OMPT_TASK_CREATE, (ompt_callback_t)on_task_create},
	{OMPT_TASK_SCHEDULE, (ompt_callback_t)on_task_schedule},
	{OMPT_DEPENDENCES, (ompt_callback_t)on_dependences},
	{OMPT_MUTEX_ACQUIRE, (ompt_callback_t)on_mutex_acquire},
	{OMPT_MUTEX_ACQUIRED, (ompt_callback_t)on_mutex_acquired},
	{OMPT_MUTEX_RELEASED, (ompt_callback_t)on_mutex_released},
	{OMPT_NEST_LOCK, (ompt_callback_t)on_nest_lock},
	{OMPT_LOCK_INIT, (ompt_callback_t)on_lock_init},
	{OMPT_LOCK_DESTROY, (ompt_callback_t)on_lock_destroy},
};

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *tool_data)
{
	ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");

	(void)device;
	(void)tool_data;
	if (!set)
		return 0;
	for (size_t i = 0; i < sizeof callbacks / sizeof *callbacks; i++)
		set(callbacks[i].event, callbacks[i].callback);
	return 1;
}

static void finalize(ompt_data_t *tool_data)
{
	(void)tool_data;
}

typedef ompt_start_tool_result_t *start_tool_function(unsigned version, const char *runtime);

EXPORTED start_tool_function ompt_start_tool;

/* The program may have a tool of its own, or the user may have named one: that goes first, and
 * there can be only one. */
EXPORTED ompt_start_tool_result_t *ompt_start_tool(unsigned version, const char *runtime)
{
	static ompt_start_tool_result_t ours = {initialize, finalize, {0}};
	int saved = errno;
	start_tool_function *other = (start_tool_function *)dlsym(RTLD_NEXT, "ompt_start_tool");
	ompt_start_tool_result_t *theirs = other ? other(version, runtime) : NULL;

	errno = saved;
	if (!settings.openmp || !thread_or_adopt())
		return theirs;
	if (theirs || settings.omp_has_tool) {
		note_once(NOTE_OMP_OTHER_TOOL, 0);
		return theirs;
	}
	omp_process_found(OMP_OMPT, runtime);
	return &ours;
}

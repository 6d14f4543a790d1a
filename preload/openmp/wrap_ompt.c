/* SPDX-License-Identifier: MIT */
/* OMPT: what a runtime with the tools interface (LLVM's libomp, and those made from it) reports. It
 * finds ompt_start_tool, which this object exports.
 *
 * Waits have no frame of the program between begin and end, so no frame is outside of them: their
 * stack pointer is the highest that there is. A member's body ends where it reaches the closing
 * barrier; to workers that barrier's end is reported only when they are needed again. */
#include "preload/base/direct.h"
#include "preload/file/note.h"
#include "preload/file/store.h"
#include "preload/openmp/gomp_real.h"
#include "preload/openmp/omp_loop.h"
#include "preload/openmp/omp_process.h"
#include "preload/openmp/ompt.h"
#include "preload/openmp/ompt_lock.h"
#include "preload/openmp/ompt_place.h"
#include "preload/openmp/ompt_pool.h"
#include "preload/openmp/ompt_region.h"
#include "preload/openmp/ompt_task.h"
#include "preload/process/real.h"
#include "preload/process/settings.h"

#include <dlfcn.h>
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>

/* ---- threads ---- */

static ompt_set_callback_t set_callback;

/* The process is about to end, by exit: the runtime then ends its threads, which needs no note. The
 * handler is registered after the runtime's own, and so runs before it. */
static bool is_exiting; /* atomic */

static void on_process_exit(int status, void *unused)
{
	(void)status;
	(void)unused;
	__atomic_store_n(&is_exiting, true, __ATOMIC_RELAXED);
}

/* LLVM's runtime reports the end of a critical section in the name of its first thread, whichever
 * thread it was (libomp 14: __kmpc_end_critical), and crashes if that thread has ended: so when it
 * ends, these reports are switched off. */
static void on_thread_end(ompt_data_t *data)
{
	if (data->ptr != &set_callback)
		return;
	set_callback(OMPT_MUTEX_RELEASED, NULL);
	set_callback(OMPT_MUTEX_ACQUIRED, NULL);
	set_callback(OMPT_MUTEX_ACQUIRE, NULL);
	if (store_header() && !__atomic_load_n(&is_exiting, __ATOMIC_RELAXED))
		note_once(NOTE_OMP_FIRST_ENDED, 0);
}

static void on_thread_begin(int type, ompt_data_t *data)
{
	static bool is_known;
	struct omp_thread *omp = type == OMPT_THREAD_WORKER ? omp_here() : NULL;

	if (!__atomic_exchange_n(&is_known, true, __ATOMIC_RELAXED))
		data->ptr = &set_callback;
	if (!omp || omp->wait.since_ns)
		return;
	omp->thread->row->flags |= THREAD_OF_OPENMP;
	omp_wait_idle(omp, OMPT_EVERYWHERE);
}

/* ---- waits ---- */

static const uint8_t construct_of_sync[OMPT_SYNC_COUNT] = {
	[OMPT_SYNC_BARRIER] = OMP_CONSTRUCT_BARRIER,
	[OMPT_SYNC_BARRIER_IMPLICIT] = OMP_CONSTRUCT_IMPLICIT_BARRIER,
	[OMPT_SYNC_BARRIER_EXPLICIT] = OMP_CONSTRUCT_BARRIER,
	[OMPT_SYNC_BARRIER_IMPLEMENTATION] = OMP_CONSTRUCT_IMPLICIT_BARRIER,
	[OMPT_SYNC_TASKWAIT] = OMP_CONSTRUCT_TASKWAIT,
	[OMPT_SYNC_TASKGROUP] = OMP_CONSTRUCT_TASKGROUP, /* on_sync_region_wait */
	[OMPT_SYNC_BARRIER_WORKSHARE] = OMP_CONSTRUCT_IMPLICIT_BARRIER,
	[OMPT_SYNC_BARRIER_PARALLEL] = OMP_CONSTRUCT_IMPLICIT_BARRIER,
	[OMPT_SYNC_BARRIER_TEAMS] = OMP_CONSTRUCT_IMPLICIT_BARRIER,
};

/* Whether it is the closing barrier of a region. Runtimes of OpenMP 5.0 do not say so: it is an
 * implicit barrier with the place of the region in the first thread, and without a place in the
 * others. */
static bool is_closing(int kind, const struct omp_thread *omp, const void *code)
{
	if (kind == OMPT_SYNC_BARRIER_PARALLEL)
		return true;
	if (kind != OMPT_SYNC_BARRIER_IMPLICIT || !omp->member)
		return false;
	const struct ompt_team *team = (const struct ompt_team *)omp->member->team;
	return !code || (uint64_t)code == team->code;
}

static void on_sync(struct omp_thread *omp, int kind, int endpoint, ompt_data_t *task,
		    const void *code)
{
	if (kind != OMPT_SYNC_TASKWAIT && kind != OMPT_SYNC_TASKGROUP)
		ompt_task_settle(omp, NULL); /* a barrier is in no task */
	if (endpoint == OMPT_SCOPE_END) {
		if (omp->wait.since_ns && omp->wait.row && omp->wait.kind == kind)
			omp_wait_end(omp);
		return;
	}
	if (omp->wait.since_ns)
		return; /* part of another wait */
	if (is_closing(kind, omp, code)) {
		ompt_member_end(omp, task);
		return;
	}
	if (omp->is_in_league && !omp->member && ompt_league_end(omp))
		return;
	if (omp_wait_begin(construct_of_sync[kind],
			   &(struct site){.caller = ompt_place(omp, code), .sp = OMPT_EVERYWHERE}))
		omp->wait.kind = kind;
}

/* In a team of the runtime's own, of helper threads, which is no region of the program. */
static bool is_runtimes_own(const struct omp_thread *omp, const void *code)
{
	return unlikely(!omp->region) && !omp->task && ompt_is_in_runtime(code);
}

static bool is_known_sync(int kind)
{
	return kind > 0 && kind < OMPT_SYNC_COUNT && construct_of_sync[kind];
}

static void on_sync_region(int kind, int endpoint, ompt_data_t *parallel, ompt_data_t *task,
			   const void *code)
{
	struct omp_thread *omp = omp_here();

	(void)parallel;
	if (omp && is_known_sync(kind) && kind != OMPT_SYNC_TASKGROUP &&
	    (endpoint == OMPT_SCOPE_END || !is_runtimes_own(omp, code)))
		on_sync(omp, kind, endpoint, task, code);
}

/* A taskgroup is a region with code of the program in it; there is a wait only at its end. */
static void on_sync_region_wait(int kind, int endpoint, ompt_data_t *parallel, ompt_data_t *task,
				const void *code)
{
	struct omp_thread *omp = kind == OMPT_SYNC_TASKGROUP ? omp_here() : NULL;

	(void)parallel;
	if (omp)
		on_sync(omp, kind, endpoint, task, code);
}

/* A worker that begins or ends its part of a region is in no task. */
static void on_implicit_task(int endpoint, ompt_data_t *parallel, ompt_data_t *task, unsigned size,
			     unsigned number, int flags)
{
	bool is_worker = number && !(flags & OMPT_TASK_INITIAL);
	struct omp_thread *omp = is_worker ? omp_here() : NULL;

	if (omp)
		ompt_task_settle(omp, NULL);
	ompt_implicit_task(endpoint, parallel, task, size, number, flags);
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
	if (kind == OMPT_WORK_TASKLOOP) { /* the runtime begins it, and makes its tasks, itself */
		omp->taskloop = endpoint == OMPT_SCOPE_BEGIN
					? ompt_task_place(omp, code, SITE_WITHIN(0))
					: 0;
		omp->taskloop_code = (uint64_t)code;
	}
	if (endpoint != OMPT_SCOPE_BEGIN) {
		omp->loop = NULL;
		return;
	}
	uint64_t place = kind == OMPT_WORK_TASKLOOP ? omp->taskloop : ompt_place(omp, code);
	struct row_omp_constructs *row = omp_count(omp, construct_of_work[kind], place);
	if (kind == OMPT_WORK_LOOP) /* wrap_kmpc.c counts its pieces, if it has any */
		omp_loop_begin(omp, row);
}

static void on_masked(int endpoint, ompt_data_t *parallel, ompt_data_t *task, const void *code)
{
	struct omp_thread *omp = endpoint == OMPT_SCOPE_BEGIN ? omp_here() : NULL;

	(void)parallel;
	(void)task;
	if (omp && !is_runtimes_own(omp, code))
		omp_count(omp, OMP_CONSTRUCT_MASKED, ompt_place(omp, code));
}

static void on_reduction(int kind, int endpoint, ompt_data_t *parallel, ompt_data_t *task,
			 const void *code)
{
	struct omp_thread *omp = endpoint == OMPT_SCOPE_BEGIN ? omp_here() : NULL;

	(void)kind;
	(void)parallel;
	(void)task;
	if (omp)
		omp_count(omp, OMP_CONSTRUCT_REDUCTION, ompt_place(omp, code));
}

static void on_cancel(ompt_data_t *task, int flags, const void *code)
{
	struct omp_thread *omp = omp_here();

	(void)task;
	if (omp && flags & (OMPT_CANCEL_ACTIVATED | OMPT_CANCEL_DETECTED))
		omp_count(omp, OMP_CONSTRUCT_CANCEL, ompt_place(omp, code));
}

/* ---- commands of the program to its tool ---- */

enum { NO_TOOL = -2 };

/* omp_control_tool: as far as the program can see there is none. */
static int on_control_tool(uint64_t command, uint64_t modifier, void *argument, const void *code)
{
	(void)command;
	(void)modifier;
	(void)argument;
	(void)code;
	return NO_TOOL;
}

/* ---- start ---- */

static const struct {
	int event;
	ompt_callback_t callback;
} callbacks[] = {
	{OMPT_THREAD_BEGIN, (ompt_callback_t)on_thread_begin},
	{OMPT_THREAD_END, (ompt_callback_t)on_thread_end},
	{OMPT_PARALLEL_BEGIN, (ompt_callback_t)ompt_parallel_begin},
	{OMPT_PARALLEL_END, (ompt_callback_t)ompt_parallel_end},
	{OMPT_IMPLICIT_TASK, (ompt_callback_t)on_implicit_task},
	{OMPT_SYNC_REGION, (ompt_callback_t)on_sync_region},
	{OMPT_SYNC_REGION_WAIT, (ompt_callback_t)on_sync_region_wait},
	{OMPT_WORK, (ompt_callback_t)on_work},
	{OMPT_MASKED, (ompt_callback_t)on_masked},
	{OMPT_REDUCTION, (ompt_callback_t)on_reduction},
	{OMPT_CANCEL, (ompt_callback_t)on_cancel},
	{OMPT_CONTROL_TOOL, (ompt_callback_t)on_control_tool},
	{OMPT_TASK_CREATE, (ompt_callback_t)ompt_task_create},
	{OMPT_TASK_SCHEDULE, (ompt_callback_t)ompt_task_schedule},
	{OMPT_DEPENDENCES, (ompt_callback_t)ompt_task_dependences},
	{OMPT_MUTEX_ACQUIRE, (ompt_callback_t)ompt_mutex_acquire},
	{OMPT_MUTEX_ACQUIRED, (ompt_callback_t)ompt_mutex_acquired},
	{OMPT_MUTEX_RELEASED, (ompt_callback_t)ompt_mutex_released},
	{OMPT_NEST_LOCK, (ompt_callback_t)ompt_nest_lock},
	{OMPT_LOCK_INIT, (ompt_callback_t)ompt_lock_init},
	{OMPT_LOCK_DESTROY, (ompt_callback_t)ompt_lock_destroy},
};

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *tool_data)
{
	set_callback = (ompt_set_callback_t)lookup("ompt_set_callback");
	(void)device;
	(void)tool_data;
	if (!set_callback)
		return 0;
	direct.on_exit(on_process_exit, NULL);
	for (size_t i = 0; i < sizeof callbacks / sizeof *callbacks; i++)
		set_callback(callbacks[i].event, callbacks[i].callback);
	return 1;
}

static void finalize(ompt_data_t *tool_data)
{
	(void)tool_data;
}

typedef ompt_start_tool_result_t *start_tool_function(unsigned version, const char *runtime);

EXPORTED start_tool_function ompt_start_tool;

/* The program may have a tool of its own, or the user may have named one: that takes precedence,
 * and there can be only one. A program under ThreadSanitizer needs Archer, which libomp loads if
 * there is no other tool: without it, every barrier looks like a race. */
EXPORTED ompt_start_tool_result_t *ompt_start_tool(unsigned version, const char *runtime)
{
	static ompt_start_tool_result_t ours = {initialize, finalize, {0}};
	int saved = errno;
	direct_need(); /* the runtime may start before our constructors run */
	start_tool_function *other =
		(start_tool_function *)direct.dlsym(RTLD_NEXT, "ompt_start_tool");
	ompt_start_tool_result_t *theirs = other ? other(version, runtime) : NULL;
	bool is_wanted_elsewhere =
		settings.omp_has_tool || direct.dlsym(RTLD_DEFAULT, "__tsan_init");

	errno = saved;
	lifecycle_start();
	if (!settings.openmp || !thread_or_adopt())
		return theirs;
	if (theirs || is_wanted_elsewhere) {
		note_once(NOTE_OMP_OTHER_TOOL, 0);
		return theirs;
	}
	ompt_place_start(CALLER_HERE);
	ompt_lock_start(CALLER_HERE);
	omp_process_found(OMP_OMPT, runtime);
	return &ours;
}

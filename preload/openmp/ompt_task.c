/* SPDX-License-Identifier: MIT */
#include "preload/openmp/ompt_task.h"

#include "preload/openmp/ompt_place.h"

#include <stddef.h>

/* An explicit task's word points to ours, with the lowest bit set; an implicit task's to a
 * member. */
static struct ompt_task *explicit_task(const ompt_data_t *data)
{
	return data && data->value & 1 ? (struct ompt_task *)(data->value - 1) : NULL;
}

static struct ompt_task *task_of_frame(struct omp_task *frame)
{
	return (struct ompt_task *)((char *)frame - offsetof(struct ompt_task, frame));
}

/* For a long loop the runtime makes tasks that make the loop's tasks: recognized when one does. */
static struct ompt_task *helper_of(const struct omp_thread *omp, const void *code)
{
	struct omp_task *running = omp->task;

	if (likely(!running || !running->is_of_loop) || omp->taskloop)
		return NULL;
	struct ompt_task *task = task_of_frame(running);
	if (task->made_for_loop != (uint64_t)code)
		return NULL;
	running->is_helper = true;
	return task;
}

static uint64_t place_of_task(struct omp_thread *omp, const struct ompt_task *helper,
			      const void *code, const struct site *site)
{
	if (helper)
		return helper->birth.place;
	if (omp->taskloop && ompt_is_in_runtime(code))
		return omp->taskloop;
	return ompt_task_place(omp, code, site);
}

void ompt_task_create(ompt_data_t *parent, const void *frame, ompt_data_t *data, int flags,
		      int has_dependences, const void *code)
{
	struct omp_thread *omp = omp_here();

	(void)parent;
	(void)frame;
	(void)has_dependences;
	data->value = 0;
	struct ompt_task *task = omp && !(flags & (OMPT_TASK_INITIAL | OMPT_TASK_TASKWAIT))
					 ? ompt_task_take(omp)
					 : NULL;
	if (!task)
		return;
	data->value = (uint64_t)task | 1;
	task->is_deferred = !(flags & OMPT_TASK_UNDEFERRED);
	task->is_untied = flags & OMPT_TASK_UNTIED;
	task->is_begun = false;
	task->done_ns = 0;
	__atomic_store_n(&task->state, 0, __ATOMIC_RELAXED);
	const struct ompt_task *helper = helper_of(omp, code);
	bool is_of_loop = helper || (omp->taskloop && omp->taskloop_code == (uint64_t)code);
	task->made_for_loop = is_of_loop ? (uint64_t)code : 0;
	/* tasks of a loop are counted when they end, because some only make others */
	omp_task_make(omp, &task->birth, place_of_task(omp, helper, code, SITE_WITHIN(0)), 0,
		      !is_of_loop);
}

void ompt_task_dependences(ompt_data_t *data, const void *dependences, int count)
{
	struct ompt_task *task = explicit_task(data);
	struct omp_thread *omp = task ? omp_here() : NULL;

	(void)dependences;
	if (omp)
		omp_task_depends(omp, &task->birth, (uint64_t)count);
}

/* Its memory is given back by the last user: the end that the runtime reports, or the thread that
 * has it on its stack. */
static void give_up(struct omp_thread *omp, struct ompt_task *task)
{
	if (!task->is_untied ||
	    !(__atomic_fetch_or(&task->state, TASK_DONE, __ATOMIC_ACQ_REL) & TASK_ACTIVE))
		ompt_task_give(omp, task);
}

static bool is_active(const struct ompt_task *task)
{
	return __atomic_load_n(&task->state, __ATOMIC_ACQUIRE) & TASK_ACTIVE;
}

static void leave_at(struct omp_thread *omp, struct ompt_task *task, bool is_complete,
		     uint64_t now_ns)
{
	omp->taskloop = task->outer_taskloop;
	if (task->made_for_loop && is_complete && !task->frame.is_helper && task->frame.row)
		task->frame.row->created++;
	omp_task_end_at(&task->frame, is_complete, now_ns);
	if (__atomic_fetch_and(&task->state, (uint8_t)~TASK_ACTIVE, __ATOMIC_ACQ_REL) & TASK_DONE)
		ompt_task_give(omp, task);
}

/* True: the thread was in it. */
static bool leave_task(struct omp_thread *omp, struct ompt_task *task, bool is_complete)
{
	if (!is_active(task) || omp->task != &task->frame)
		return false;
	leave_at(omp, task, is_complete, omp_now_ns(omp));
	return true;
}

void ompt_task_settle(struct omp_thread *omp, const struct ompt_task *current)
{
	while (unlikely(omp->task != NULL)) {
		struct ompt_task *task = task_of_frame(omp->task);
		if (likely(!task->is_untied || task == current || task->member != omp->member))
			return;
		uint64_t done_ns = __atomic_load_n(&task->done_ns, __ATOMIC_ACQUIRE);
		leave_at(omp, task, false, done_ns ? done_ns : omp_now_ns(omp));
		if (unlikely(omp->task == &task->frame))
			return; /* no longer measured: the process was forked */
	}
}

/* An untied task has ended, and the runtime reports it to a thread that did not run the last
 * part. */
static void complete_elsewhere(struct omp_thread *omp, struct ompt_task *task)
{
	__atomic_store_n(&task->done_ns, omp_now_ns(omp), __ATOMIC_RELEASE);
	omp_task_completed(omp, &task->birth, task->is_deferred, task->made_for_loop != 0);
}

static void enter_task(struct omp_thread *omp, struct ompt_task *task)
{
	__atomic_fetch_or(&task->state, TASK_ACTIVE, __ATOMIC_RELAXED);
	task->member = omp->member;
	omp_task_begin(&task->frame, &task->birth, task->is_deferred, !task->is_begun);
	task->is_begun = true;
	if (!task->frame.omp) {
		__atomic_store_n(&task->state, 0, __ATOMIC_RELAXED);
		return;
	}
	task->frame.is_of_loop = task->made_for_loop != 0;
	task->outer_taskloop = task->frame.omp->taskloop;
	task->frame.omp->taskloop = 0;
}

void ompt_task_schedule(ompt_data_t *left, int status, ompt_data_t *taken)
{
	struct omp_thread *omp = omp_here();
	struct ompt_task *prior = explicit_task(left), *next = explicit_task(taken);
	bool is_complete = status == OMPT_TASK_COMPLETE || status == OMPT_TASK_CANCEL;

	if (!omp || status == OMPT_TASK_EARLY_FULFILL)
		return;
	ompt_task_settle(omp, prior);
	if (prior && (is_complete || status == OMPT_TASK_DETACH)) {
		if (!leave_task(omp, prior, true) && prior->is_untied && prior->is_begun)
			complete_elsewhere(omp, prior);
	} else if (prior &&
		   (!next || is_active(next))) { /* an untied task, which will be continued */
		leave_task(omp, prior, false);
	}
	if (prior && (is_complete || status == OMPT_TASK_LATE_FULFILL)) {
		left->value = 0;
		give_up(omp, prior);
	}
	if (next && !is_active(next))
		enter_task(omp, next);
}

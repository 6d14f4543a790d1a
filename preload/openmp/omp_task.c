/* SPDX-License-Identifier: MIT */
#include "preload/openmp/omp_task.h"

#include "preload/base/interrupted.h"
#include "preload/thread/overhead.h"

enum {
	MEASURED_TASKS = 64, /* one in so many measures what it costs */
};

void omp_task_make(struct omp_thread *omp, struct omp_task_birth *birth, uint64_t place,
		   uint64_t dependences, bool is_counted)
{
	busy_begin(&omp->thread->is_busy);
	struct row_omp_tasks *row = omp_thread_task_site(omp, place, omp->region)->row;
	if (row) {
		row->created += is_counted;
		row->dependences += dependences;
	}
	birth->place = place;
	birth->maker = omp;
	birth->region = omp->region;
	birth->number = ++omp->tasks_made;
	birth->made_ns = omp_now_ns(omp);
	busy_end(&omp->thread->is_busy);
}

void omp_task_make_untimed(struct omp_thread *omp, uint64_t place, uint64_t dependences,
			   bool is_counted)
{
	busy_begin(&omp->thread->is_busy);
	struct row_omp_tasks *row = omp_thread_untimed_tasks(omp, place);
	if (row) {
		row->created += is_counted;
		row->dependences += dependences;
	}
	busy_end(&omp->thread->is_busy);
}

void omp_task_depends(struct omp_thread *omp, const struct omp_task_birth *birth, uint64_t count)
{
	struct row_omp_tasks *row = omp_thread_task_site(omp, birth->place, birth->region)->row;

	if (row)
		row->dependences += count;
}

void omp_task_begin(struct omp_task *task, const struct omp_task_birth *birth, bool is_deferred,
		    bool is_first)
{
	struct omp_thread *omp = omp_here();

	task->omp = omp;
	if (unlikely(!omp))
		return;
	uint64_t now_ns = omp_now_ns(omp);
	busy_begin(&omp->thread->is_busy);
	if (omp->wait.since_ns)
		omp_wait_pause(omp, now_ns);
	task->wait = omp->wait;
	task->is_late = (omp->wait.since_ns && !omp->wait.row) || (omp->task && omp->task->is_late);
	omp->wait.since_ns = 0;
	task->region = omp->region;
	task->outer = omp->task;
	task->start_ns = now_ns;
	task->lost_ns = omp_lost_ns(omp);
	task->inner_ns = task->inner_lost_ns = 0;
	omp->region = birth->region;
	omp->task = task;
	task->row = omp_thread_task_site(omp, birth->place, birth->region)->row;
	task->is_first = is_first;
	task->is_helper = false;
	task->is_of_loop = false;
	task->is_deferred = is_deferred;
	task->is_stolen = birth->maker != omp;
	task->delay_ns = now_ns > birth->made_ns ? now_ns - birth->made_ns : 0;
	busy_end(&omp->thread->is_busy);
}

static void record_begin(struct row_omp_tasks *row, const struct omp_task *task)
{
	row->delay_ns += task->delay_ns;
	if (task->delay_ns > row->delay_max_ns)
		row->delay_max_ns = task->delay_ns;
}

/* By the thread that completes the task: an untied task may have begun in another one. */
static void record_complete(struct row_omp_tasks *row, bool is_deferred, bool is_stolen)
{
	row->executed++;
	row->undeferred += !is_deferred;
	row->stolen += is_stolen;
}

static void record(struct row_omp_tasks *row, const struct omp_task *task, bool is_complete,
		   uint64_t work_ns)
{
	if (task->is_first && task->is_deferred)
		record_begin(row, task);
	if (is_complete)
		record_complete(row, task->is_deferred, task->is_stolen);
	row->work_ns += work_ns;
	if (work_ns > row->max_ns)
		row->max_ns = work_ns;
}

/* After the end of its body a member works for its team in tasks that it is given, and waits in
 * them: the outermost task has the sum of these waits. */
static void add_late(struct omp_thread *omp, const struct omp_task *task, uint64_t work_ns,
		     uint64_t lost_ns)
{
	bool is_outermost = !task->outer || !task->outer->is_late;

	if (omp->late && omp->late->id == omp->late_id) {
		omp->late->late_ns += work_ns;
		omp->late->lost_ns += is_outermost ? lost_ns : 0;
	}
	if (omp->late_row)
		omp->late_row->work_ns += work_ns;
}

/* Making and beginning a task each cost as much as ending it. */
static void add_own_time(struct omp_thread *omp, uint64_t since_ns)
{
	overhead_add(omp->thread, omp_now_ns(omp) - since_ns, 3 * MEASURED_TASKS, OVERHEAD_CALL_NS);
}

void omp_task_completed(struct omp_thread *omp, const struct omp_task_birth *birth,
			bool is_deferred, bool is_of_loop)
{
	busy_begin(&omp->thread->is_busy);
	struct row_omp_tasks *row = omp_thread_task_site(omp, birth->place, birth->region)->row;
	if (row) {
		record_complete(row, is_deferred, birth->maker != omp);
		row->created += is_of_loop;
	}
	busy_end(&omp->thread->is_busy);
}

void omp_task_end(struct omp_task *task, bool is_complete)
{
	if (likely(task->omp && omp_is_current(task->omp)))
		omp_task_end_at(task, is_complete, omp_now_ns(task->omp));
}

void omp_task_end_at(struct omp_task *task, bool is_complete, uint64_t now_ns)
{
	struct omp_thread *omp = task->omp;

	if (unlikely(!omp || !omp_is_current(omp) || omp->task != task))
		return; /* not measured, or forked */
	busy_begin(&omp->thread->is_busy);
	uint64_t all_ns = now_ns > task->start_ns ? now_ns - task->start_ns : 0;
	uint64_t lost_ns = omp_lost_ns(omp) - task->lost_ns;
	uint64_t else_ns = task->inner_ns + lost_ns - task->inner_lost_ns;
	uint64_t work_ns = all_ns > else_ns ? all_ns - else_ns : 0;

	if (task->row && !task->is_helper)
		record(task->row, task, is_complete, work_ns);
	omp->task = task->outer;
	omp->region = task->region;
	if (task->outer) {
		task->outer->inner_ns += all_ns;
		task->outer->inner_lost_ns += lost_ns;
	}
	omp->wait = task->wait;
	if (unlikely(task->row && task->row->executed % MEASURED_TASKS == 1))
		add_own_time(omp, now_ns);
	if (task->is_late)
		add_late(omp, task, work_ns, lost_ns);
	if (task->wait.since_ns)
		omp_wait_enter(omp, task->wait.row, task->wait.place, task->wait.sp, now_ns);
	busy_end(&omp->thread->is_busy);
}

/* SPDX-License-Identifier: MIT */
/* The key "openmp" of the JSON: everything that the section shows, without a limit of rows. */
#include "analyze/model/common/vocabulary_text.h"
#include "analyze/print/json.h"
#include "analyze/report/report_carried.h"
#include "analyze/report/report_openmp.h"
#include "analyze/report/sections.h"

#include <math.h>

static struct json_object *seconds_of(double ns)
{
	return json_number(ns / 1e9);
}

static struct json_object *count_of(double count)
{
	return json_count(report_openmp_count(count));
}

static void add_place(const struct report *report, struct json_object *object, struct frame place)
{
	report_add_place(report, object, place.routine, place.line);
}

/* ---- rows of a region */

static struct json_object *constructs_json(const struct report *report,
					   const struct omp_region *region)
{
	struct json_object *list = json_object_new_array();

	for (size_t i = 0; i < region->construct_count; i++) {
		const struct omp_construct_row *row = &region->constructs[i];
		bool is_timed = vocabulary_construct_time(row->construct) != OMP_TIME_COUNT;
		struct json_object *object = json_object_new_object();

		json_add(object, "construct", json_text(vocabulary_construct(row->construct)));
		add_place(report, object, row->place);
		json_add(object, "count", count_of(row->count));
		json_add(object, "seconds", is_timed ? seconds_of(row->ns) : NULL);
		json_add(object, "max_seconds", row->max_ns ? json_seconds(row->max_ns) : NULL);
		report_add_carried(object, &carried_by_omp_construct, row);
		json_object_array_add(list, object);
	}
	return list;
}

static struct json_object *tasks_json(const struct report *report, const struct omp_region *region)
{
	struct json_object *list = json_object_new_array();

	for (size_t i = 0; i < region->task_count; i++) {
		const struct omp_task_row *row = &region->tasks[i];
		struct json_object *object = json_object_new_object();
		bool is_known = omp_tasks_are_known(row);

		add_place(report, object, row->place);
		json_add(object, "created", count_of(row->created));
		json_add(object, "untimed", count_of(row->untimed));
		json_add(object, "executed", is_known ? count_of(row->executed) : NULL);
		json_add(object, "undeferred", is_known ? count_of(row->undeferred) : NULL);
		json_add(object, "stolen", is_known ? count_of(row->stolen) : NULL);
		json_add(object, "dependences", count_of(row->dependences));
		json_add(object, "work_seconds", is_known ? seconds_of(row->work_ns) : NULL);
		json_add(object, "max_seconds", is_known ? json_seconds(row->max_ns) : NULL);
		json_add(object, "delay_seconds", is_known ? seconds_of(row->delay_ns) : NULL);
		json_add(object, "delay_max_seconds",
			 is_known ? json_seconds(row->delay_max_ns) : NULL);
		report_add_carried(object, &carried_by_omp_task, row);
		json_object_array_add(list, object);
	}
	return list;
}

static struct json_object *threads_json(const struct omp_region *region)
{
	struct json_object *list = json_object_new_array();

	for (size_t i = 0; i < region->member_count; i++) {
		const struct omp_member *row = &region->member_rows[i];
		struct json_object *object = json_object_new_object();

		json_add(object, "thread", json_count(row->number));
		json_add(object, "tid", json_count(row->tid));
		json_add(object, "pid", json_count(row->pid));
		json_add(object, "count", json_count(row->count));
		json_add(object, "work_seconds", json_seconds(row->work_ns));
		json_add(object, "body_seconds", json_seconds(row->body_ns));
		json_object_array_add(list, object);
	}
	return list;
}

/* ---- regions */

static struct json_object *parent_json(const struct report *report, const struct omp_region *region)
{
	const struct omp_regions *regions = &report->run->omp.regions;

	if (region->parent == OMP_NO_REGION)
		return NULL;
	struct json_object *object = json_object_new_object();

	add_place(report, object, regions->rows[region->parent].place);
	return object;
}

static void add_work(struct json_object *object, const struct omp_region *region)
{
	const struct omp_spread *spread = &region->spread;
	bool is_known = spread->members;

	json_add(object, "work_seconds", seconds_of(region->work_ns));
	json_add(object, "work_min_seconds", is_known ? seconds_of(spread->min_ns) : NULL);
	json_add(object, "work_mean_seconds", seconds_of(omp_region_mean_work(region)));
	json_add(object, "work_max_seconds", is_known ? seconds_of(spread->max_ns) : NULL);
	json_add(object, "work_max_thread", is_known ? json_count(spread->most.number) : NULL);
}

static void add_waits(struct json_object *object, const struct omp_region *region)
{
	json_add(object, "wait_seconds", seconds_of(region->wait_ns));
	json_add(object, "barrier_seconds", seconds_of(region->barrier_ns));
	json_add(object, "join_seconds", seconds_of(region->join_ns));
	json_add(object, "lock_seconds", seconds_of(region->lock_ns));
	json_add(object, "task_wait_seconds", seconds_of(region->task_wait_ns));
	json_add(object, "order_wait_seconds", seconds_of(region->order_ns));
	json_add(object, "scheduling_seconds", seconds_of(region->scheduling_ns));
	json_add(object, "scheduling_grade",
		 json_text(report_grade_text(region->scheduling_grade)));
}

static struct json_object *region_json(const struct report *report, const struct omp_region *region)
{
	struct json_object *object = json_object_new_object();
	double missing = fmax(0, region->team_count - region->members);
	bool is_known = region->count > 0;

	add_place(report, object, region->place);
	json_add(object, "kind", json_text("parallel"));
	json_add(object, "parent", parent_json(report, region));
	json_add(object, "count", count_of(region->count));
	json_add(object, "team", is_known ? json_number(omp_region_team(region)) : NULL);
	json_add(object, "team_min", is_known ? json_count(region->team_min) : NULL);
	json_add(object, "team_max", is_known ? json_count(region->team_max) : NULL);
	json_add(object, "elapsed_seconds", seconds_of(region->elapsed_ns));
	json_add(object, "min_seconds", is_known ? json_seconds(region->min_ns) : NULL);
	json_add(object, "max_seconds", is_known ? json_seconds(region->max_ns) : NULL);
	json_add(object, "under_way_seconds", seconds_of(region->under_way_ns));
	json_add(object, "team_elapsed_seconds", seconds_of(region->team_elapsed_ns));
	json_add(object, "fork_seconds", seconds_of(region->fork_ns));
	add_work(object, region);
	add_waits(object, region);
	json_add(object, "imbalance_seconds", seconds_of(region->imbalance_ns));
	json_add(object, "imbalance_percent", json_number(region->imbalance_percent));
	json_add(object, "gain_seconds", seconds_of(region->gain_ns));
	json_add(object, "missing_members", count_of(missing));
	json_add(object, "advice", json_text(region->advice));
	json_add(object, "threads", threads_json(region));
	json_add(object, "constructs", constructs_json(report, region));
	json_add(object, "tasks", tasks_json(report, region));
	return object;
}

static struct json_object *regions_json(const struct report *report)
{
	struct json_object *list = json_object_new_array();

	for (size_t i = 0; i < report->run->omp.regions.count; i++)
		json_object_array_add(list, region_json(report, &report->run->omp.regions.rows[i]));
	return list;
}

/* ---- the whole */

static struct json_object *efficiency_json(const struct omp_efficiency *efficiency)
{
	struct json_object *object = json_object_new_object();

	json_add(object, "parallel", json_number(efficiency->parallel));
	json_add(object, "load_balance", json_number(efficiency->load_balance));
	json_add(object, "scheduling", json_number(efficiency->scheduling));
	json_add(object, "serialization", json_number(efficiency->serialization));
	json_add(object, "hybrid_parallel", json_number(efficiency->hybrid_parallel));
	json_add(object, "mpi_parallel", json_number(efficiency->mpi_parallel));
	return object;
}

static struct json_object *runtimes_json(const struct omp *omp)
{
	struct json_object *list = json_object_new_array();

	if (omp->totals.runtimes & 1u << OMP_LIBGOMP)
		json_object_array_add(list, json_text("libgomp"));
	if (omp->totals.runtimes & 1u << OMP_OMPT)
		json_object_array_add(list, json_text("OMPT"));
	return list;
}

struct json_object *report_openmp_json(const struct report *report)
{
	const struct omp *omp = &report->run->omp;
	const struct omp_totals *totals = &omp->totals;

	if (!omp->is_used)
		return NULL;
	struct json_object *object = json_object_new_object(), *outside = json_object_new_object();

	json_add(object, "runtime", runtimes_json(omp));
	json_add(object, "library", *totals->library ? json_text(totals->library) : NULL);
	json_add(object, "threads", json_count(totals->threads));
	json_add(object, "wait_policy", json_text(report_openmp_policy(omp)));
	json_add(object, "serial_seconds", seconds_of(omp->sums.serial_ns));
	json_add(object, "region_seconds", seconds_of(omp->sums.region_ns));
	json_add(object, "idle_seconds", seconds_of(omp->idle_ns));
	json_add(object, "wait_seconds", seconds_of(totals->wait_ns));
	json_add(object, "spin_seconds", seconds_of(totals->spin_ns));
	json_add(object, "blocked_seconds", seconds_of(totals->blocked_ns));
	json_add(object, "ready_seconds", seconds_of(report_openmp_ready_ns(totals)));
	json_add(object, "blocked_grade", json_text(report_grade_text(totals->blocked_grade)));
	json_add(object, "efficiency", efficiency_json(&omp->efficiency));
	json_add(object, "regions", regions_json(report));
	json_add(outside, "constructs", constructs_json(report, &omp->regions.outside));
	json_add(outside, "tasks", tasks_json(report, &omp->regions.outside));
	json_add(object, "outside", outside);
	return object;
}

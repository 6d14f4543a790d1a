/* SPDX-License-Identifier: MIT */
/* A run for the tests of findings on threads: a main thread that waits for two others, which work
 * all of a second on two processors; and what spoils it. Times in nanoseconds. */
#pragma once

#include "analyze/model/run/run.h"
#include "preload/file/vocabulary.h"
#include "tests/unit/told.h"
#include "tests/unit/unit.h"

#include <math.h>
#include <string.h>

#define MS     1000000ull
#define SECOND 1000000000ull
#define ROWS   3

struct scene {
	struct symbolizer *symbolizer;
	struct run_process file;
	struct process process;
	struct profile_thread rows[ROWS];
	struct thread_time threads[ROWS];
	struct efficiency_level levels[2][3];
	struct routine_time routines[2];
	struct sync_row syncs[2];
	struct sync_site site;
	struct sync_object objects[2];
	char *names[2];
	struct run run;
};

static inline struct efficiency efficiency_of_levels(struct efficiency_level *levels)
{
	return (struct efficiency){.levels = levels,
				   .level_count = 3,
				   .total_ns = SECOND,
				   .average = 2,
				   .efficiency_percent = 100};
}

static inline void begin_threads(struct scene *scene)
{
	for (size_t i = 0; i < ROWS; i++) {
		scene->rows[i] = (struct profile_thread){
			.tid = (uint32_t)(10 + i), .lives = 1, .flags = i ? 0 : THREAD_FIRST};
		scene->threads[i] = (struct thread_time){.thread = &scene->rows[i],
							 .lifetime_ns = SECOND,
							 .user_ns = i ? SECOND : 0};
	}
	scene->process = (struct process){.file = &scene->file,
					  .rank = MPI_NO_RANK,
					  .threads = scene->threads,
					  .thread_count = ROWS};
	scene->file.process.threads_peak = scene->file.process.threads_started = ROWS;
	scene->file.process.processors = 2;
}

static inline void begin(struct scene *scene)
{
	*scene =
		(struct scene){.symbolizer = symbolizer_create(NULL), .names = {"first", "second"}};
	scene->run = (struct run){
		.names = names_create(scene->symbolizer),
		.processes = &scene->process,
		.process_count = 1,
		.focus = &scene->process,
		.processors = 2,
		.elapsed_ns = SECOND,
		.cpu_ns = 2 * SECOND,
		.efficiency_percent = 100,
		.on_processor = efficiency_of_levels(scene->levels[0]),
		.useful = efficiency_of_levels(scene->levels[1]),
		.routines = {.rows = scene->routines, .count = 1},
		.synchronization = {.objects = scene->objects,
				    .names = scene->names,
				    .rows = scene->syncs},
	};
	scene->levels[0][2] = (struct efficiency_level){2, SECOND};
	begin_threads(scene);
	scene->objects[0].kind = scene->objects[1].kind = "mutex";
	scene->routines[0] = (struct routine_time){
		.routine = names_special(scene->run.names, "work"),
		.samples = 400,
		.self_ns = 2 * SECOND,
		.spread = {.count = 2, .mean_ns = 1e9, .max_ns = 1e9, .max_at.tid = 11}};
	scene->routines[0].total_spread = scene->routines[0].spread;
	scene->site.routine = scene->routines[0].routine;
}

static inline void end(struct scene *scene)
{
	findings_clear(&told);
	names_destroy(scene->run.names);
	symbolizer_destroy(scene->symbolizer);
}

/* Half of each of the two processors is idle. */
static inline void make_idle(struct scene *scene)
{
	scene->run.cpu_ns = SECOND;
	scene->run.efficiency_percent = 50;
	scene->run.useful.efficiency_percent = 50;
	scene->run.useful.average = scene->run.on_processor.average = 1;
	scene->levels[0][2].time_ns = SECOND / 2;
	scene->run.on_processor.efficiency_percent = 50;
	for (size_t i = 1; i < ROWS; i++)
		scene->threads[i].user_ns = SECOND / 2;
}

/* Row 0 of the synchronization. */
static inline void make_wait(struct scene *scene, enum operation operation, enum cause cause,
			     uint64_t count, uint64_t wait_ns)
{
	scene->syncs[0] = (struct sync_row){.operation = operation,
					    .cause = cause,
					    .count = count,
					    .contended = count,
					    .wait_ns = wait_ns,
					    .waiters = {.rows = &scene->site, .count = 1}};
	scene->site.time_ns = wait_ns;
	scene->run.synchronization.count = 1;
	scene->run.synchronization.wait_ns_by_cause[cause] = wait_ns;
}

/* Thread i blocked for a cause. */
static inline void block(struct scene *scene, size_t i, enum cause cause, uint64_t ns)
{
	scene->threads[i].by_cause_ns[cause] += ns;
	scene->process.sum.by_cause_ns[cause] += ns;
}

static inline void make_alone(struct scene *scene, uint64_t alone_ns, double most_of_one)
{
	scene->levels[0][1] = (struct efficiency_level){1, alone_ns};
	scene->routines[0].alone_ns = alone_ns;
	scene->routines[0].spread.max_ns = most_of_one * 2e9;
	scene->routines[0].total_spread = scene->routines[0].spread;
}

static inline void check(const struct finding *finding)
{
	ck_assert_double_ge(finding->severity_percent, 0);
	ck_assert_double_le(finding->severity_percent, 100);
	ck_assert_double_ge(finding->elapsed_percent, 0);
	ck_assert_double_le(finding->elapsed_percent, 100);
	ck_assert_ptr_nonnull(finding->evidence);
	ck_assert_ptr_nonnull(finding->reason);
	for (size_t i = 0; i < finding->step_count; i++) {
		ck_assert_double_gt(finding->steps[i].share_percent, 0);
		ck_assert_double_le(finding->steps[i].share_percent, 100);
	}
}

static const struct finding *find(struct scene *scene, const char *id)
{
	told_of(&scene->run);
	for (size_t i = 0; i < told.count; i++)
		check(&told.rows[i]);
	return told_finding(id);
}

static inline const struct finding_step *step(const struct finding *finding, enum finding_level level)
{
	for (size_t i = 0; i < finding->step_count; i++)
		if (finding->steps[i].level == level)
			return &finding->steps[i];
	return NULL;
}

#define ASSERT_SAYS(finding, text)                                                                 \
	ck_assert_msg(strstr((finding)->evidence, text), "not there: %s", (finding)->evidence)

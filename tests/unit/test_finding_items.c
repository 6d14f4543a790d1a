/* SPDX-License-Identifier: MIT */
/* The finding on pools of processes with tiny items: when it is told, and what is at stake. */
#include "analyze/base/memory.h"
#include "analyze/model/run/run.h"
#include "preload/file/vocabulary.h"
#include "tests/unit/told.h"
#include "tests/unit/unit.h"

#include <string.h>

#define SECOND 1000000000ull
#define MS     1000000ull

enum { PROCESSES = 3, HUB = 0, ENDS = 8 };

struct pool_scene {
	struct symbolizer *symbolizer;
	struct run_process files[PROCESSES];
	struct process processes[PROCESSES];
	struct pipe_ends ends;
	struct run run;
};

/* What the scene is made of. */
struct plan {
	uint64_t items, item_bytes, cpu_ns, system_ns; /* times: of each of the three */
	enum pipe_kind kind;
	bool has_answers;
	uint64_t answers_pipe; /* its inode; that of the items is 1 */
	uint64_t parts;        /* writes that one read takes */
};

static const struct plan tiny = {20000, 100, 500 * MS, 250 * MS, PIPE_PIPE, true, 2, 1};

static void add_end(struct pool_scene *scene, const struct plan *plan, size_t process,
		    uint64_t inode, enum pipe_direction direction, uint64_t calls)
{
	struct pipe_end *end = &scene->ends.rows[scene->ends.count++];

	*end = (struct pipe_end){.process = process,
				 .kind = plan->kind,
				 .name = memory_copy_text(plan->kind == PIPE_PIPE ? "" : "/x"),
				 .inode = inode};
	end->flows[direction] = (struct pipe_flow){calls, calls * plan->item_bytes, 0, 0, SECOND};
}

static void begin(struct pool_scene *scene, const struct plan *plan)
{
	*scene = (struct pool_scene){
		.symbolizer = symbolizer_create(NULL),
		.ends = {memory_allocate(ENDS, sizeof *scene->ends.rows), 0, ENDS}};
	scene->run = (struct run){.names = names_create(scene->symbolizer),
				  .processes = scene->processes,
				  .process_count = PROCESSES,
				  .focus = &scene->processes[HUB],
				  .processors = 4,
				  .host_count = 1,
				  .cpu_ns = PROCESSES * plan->cpu_ns,
				  .elapsed_ns = SECOND};
	for (size_t i = 0; i < PROCESSES; i++) {
		scene->files[i] =
			(struct run_process){.header = {.pid = (uint32_t)(100 + i), .start_ns = 1},
					     .process = {.command = "./pool",
							 .host = "here",
							 .threads_started = 1,
							 .processors = 4}};
		scene->processes[i] = (struct process){
			.index = i,
			.file = &scene->files[i],
			.rank = MPI_NO_RANK,
			.elapsed_ns = SECOND,
			.life.end_ns = 1 + SECOND,
			.thread_lives = 1,
			.cpu_ns = plan->cpu_ns,
			.sum = {.lifetime_ns = SECOND,
				.user_ns = plan->cpu_ns - plan->system_ns,
				.system_ns = plan->system_ns,
				.blocked_ns = SECOND - plan->cpu_ns,
				.by_cause_ns = {[CAUSE_READ] = SECOND - plan->cpu_ns}}};
	}
	add_end(scene, plan, HUB, 1, PIPE_WRITE, plan->items);
	for (size_t i = 1; i < PROCESSES; i++)
		add_end(scene, plan, i, 1, PIPE_READ, plan->items / 2 / plan->parts);
	for (size_t i = 1; i < PROCESSES && plan->has_answers; i++)
		add_end(scene, plan, i, plan->answers_pipe, PIPE_WRITE, plan->items / 2);
	if (plan->has_answers)
		add_end(scene, plan, HUB, plan->answers_pipe, PIPE_READ, plan->items);
}

static const struct finding *judged(struct pool_scene *scene)
{
	scene->run.pipelines = pipelines_of(scene->ends, scene->processes, PROCESSES);
	scene->run.average_processors = (double)scene->run.cpu_ns / (double)SECOND;
	scene->run.efficiency_percent = 100 * scene->run.average_processors / 4;
	told_of(&scene->run);
	return told_finding("tiny-items");
}

static void end(struct pool_scene *scene)
{
	pipelines_clear(&scene->run.pipelines);
	names_destroy(scene->run.names);
	symbolizer_destroy(scene->symbolizer);
}

static void expect_none(const struct plan *plan)
{
	struct pool_scene scene;

	begin(&scene, plan);
	ck_assert_ptr_null(judged(&scene));
	end(&scene);
}

/* 1.5 s of CPU time for 20,000 items. The hub's half second and the workers' system time, a half
 * second in all, are two thirds of that. */
START_TEST(passing_takes_longer_than_working)
{
	struct pool_scene scene;

	begin(&scene, &tiny);
	const struct finding *found = judged(&scene);

	ck_assert_ptr_nonnull(found);
	ck_assert_double_eq_tol(found->elapsed_percent, 100 * 2 / 3., 0.5);
	ck_assert_ptr_nonnull(strstr(found->evidence, "process 100 passed at least 20000 items of "
						      "100 B each to 2 processes"));
	ck_assert_ptr_nonnull(strstr(found->evidence, "50.0 us"));
	ck_assert_ptr_null(told_finding("pipeline"));
	ck_assert_ptr_null(told_finding("slow-stage"));
	end(&scene);
}
END_TEST

START_TEST(other_streams_are_no_pools)
{
	struct plan plan = tiny;

	plan.has_answers = false; /* a pipeline */
	expect_none(&plan);
	plan = tiny;
	plan.kind = PIPE_UNIX; /* requests have the size that they have */
	expect_none(&plan);
	plan = tiny;
	plan.answers_pipe = 1; /* tokens */
	expect_none(&plan);
	plan = tiny;
	plan.parts = 50; /* of larger items */
	expect_none(&plan);
}
END_TEST

START_TEST(items_that_are_worth_it_are_not_tiny)
{
	struct plan plan = tiny;

	plan.item_bytes = 5000;
	expect_none(&plan);
	plan = tiny;
	plan.items = 4000; /* they are few */
	expect_none(&plan);
	plan = tiny;
	plan.cpu_ns = 2500 * MS; /* 250 us of each */
	expect_none(&plan);
	plan = tiny;
	plan.system_ns = 20 * MS; /* who gives them out has work of its own */
	expect_none(&plan);
}
END_TEST

UNIT_MAIN("finding_items", passing_takes_longer_than_working, other_streams_are_no_pools,
	  items_that_are_worth_it_are_not_tiny)

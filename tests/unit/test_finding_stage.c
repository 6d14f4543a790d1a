/* SPDX-License-Identifier: MIT */
/* The finding on a slow stage: when it is told, and what is at stake. */
#include "analyze/base/memory.h"
#include "analyze/model/run/run.h"
#include "preload/file/vocabulary.h"
#include "tests/unit/told.h"
#include "tests/unit/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SECOND 1000000000ull
#define MS     1000000ull
#define STAGES 3

struct chain {
	struct symbolizer *symbolizer;
	struct run_process files[STAGES];
	struct process processes[STAGES];
	struct pipe_ends ends;
	struct run run;
};

static void begin(struct chain *chain, uint64_t processors)
{
	*chain = (struct chain){
		.symbolizer = symbolizer_create(NULL),
		.ends = {memory_allocate(2 * STAGES, sizeof *chain->ends.rows), 0, 2 * STAGES}};
	chain->run = (struct run){.names = names_create(chain->symbolizer),
				  .processes = chain->processes,
				  .process_count = STAGES,
				  .focus = &chain->processes[1],
				  .processors = processors,
				  .host_count = 1,
				  .elapsed_ns = SECOND};
	for (size_t i = 0; i < STAGES; i++) {
		chain->files[i] =
			(struct run_process){.header = {.pid = (uint32_t)(100 + i), .start_ns = 1},
					     .process = {.command = "./stage",
							 .host = "here",
							 .threads_started = 1,
							 .processors = processors}};
		chain->processes[i] = (struct process){.index = i,
						       .file = &chain->files[i],
						       .rank = MPI_NO_RANK,
						       .elapsed_ns = SECOND,
						       .life.end_ns = 1 + SECOND,
						       .thread_lives = 1,
						       .sum = {.lifetime_ns = SECOND}};
	}
}

static void add_end(struct chain *chain, size_t process, uint64_t inode,
		    enum pipe_direction direction, uint64_t wait_ms)
{
	struct thread_time *sum = &chain->processes[process].sum;
	struct pipe_end *end = &chain->ends.rows[chain->ends.count++];

	*end = (struct pipe_end){.process = process,
				 .kind = PIPE_PIPE,
				 .name = memory_copy_text(""),
				 .inode = inode};
	end->flows[direction] = (struct pipe_flow){10, 1000, 5, wait_ms * MS, SECOND};
	sum->by_cause_ns[direction == PIPE_READ ? CAUSE_READ : CAUSE_WRITE] += wait_ms * MS;
	sum->blocked_ns += wait_ms * MS;
}

/* 0 | 1 | 2, by milliseconds of work and of waiting to read and to write. */
static void stage(struct chain *chain, size_t i, uint64_t work_ms, uint64_t read_ms,
		  uint64_t write_ms)
{
	chain->processes[i].cpu_ns = chain->processes[i].sum.user_ns = work_ms * MS;
	chain->run.cpu_ns += work_ms * MS;
	if (i)
		add_end(chain, i, i, PIPE_READ, read_ms);
	if (i + 1 < STAGES)
		add_end(chain, i, i + 1, PIPE_WRITE, write_ms);
}

static const struct finding *judged(struct chain *chain)
{
	chain->run.pipelines = pipelines_of(chain->ends, chain->processes, STAGES);
	chain->run.average_processors = (double)chain->run.cpu_ns / (double)SECOND;
	chain->run.efficiency_percent =
		100 * chain->run.average_processors / (double)chain->run.processors;
	told_of(&chain->run);
	return told_finding("slow-stage");
}

static void end(struct chain *chain)
{
	pipelines_clear(&chain->run.pipelines);
	names_destroy(chain->run.names);
	symbolizer_destroy(chain->symbolizer);
}

static void expect_stake(uint64_t processors, double least, double most)
{
	struct chain chain;

	begin(&chain, processors);
	stage(&chain, 0, 200, 0, 790);
	stage(&chain, 1, 970, 10, 10);
	stage(&chain, 2, 200, 790, 0);
	const struct finding *found = judged(&chain);

	ck_assert_ptr_nonnull(found);
	ck_assert_msg(found->elapsed_percent >= least && found->elapsed_percent <= most,
		      "%g %% at stake", found->elapsed_percent);
	ck_assert_ptr_nonnull(strstr(found->evidence, "101 (stage) is busy 97 %"));
	ck_assert_ptr_null(told_finding("pipeline"));
	ck_assert_ptr_null(told_finding("io-wait"));
	end(&chain);
}

/* No more than its work beyond that of the next one; and with two processors no less than all of
 * the work on both. */
START_TEST(what_is_at_stake)
{
	expect_stake(2, 25, 32);
	expect_stake(64, 30, 77);
}
END_TEST

START_TEST(in_balance_nothing_is)
{
	struct chain chain;

	begin(&chain, 4);
	stage(&chain, 0, 900, 0, 90);
	stage(&chain, 1, 900, 50, 40);
	stage(&chain, 2, 900, 90, 0);
	ck_assert_ptr_null(judged(&chain));
	end(&chain);
}
END_TEST

START_TEST(a_stage_that_sleeps_is_no_slow_one)
{
	struct chain chain;

	begin(&chain, 2);
	stage(&chain, 0, 10, 0, 0);
	chain.processes[0].sum.by_cause_ns[CAUSE_SLEEP] = 980 * MS;
	stage(&chain, 1, 20, 970, 0);
	stage(&chain, 2, 10, 980, 0);
	ck_assert_ptr_null(judged(&chain));
	end(&chain);
}
END_TEST

START_TEST(a_source_that_waits_outside_is_told)
{
	struct chain chain;

	begin(&chain, 2);
	stage(&chain, 0, 300, 0, 0);
	chain.processes[0].sum.by_cause_ns[CAUSE_READ] = 600 * MS;
	chain.processes[0].sum.blocked_ns += 600 * MS;
	stage(&chain, 1, 300, 600, 0);
	stage(&chain, 2, 10, 900, 0);
	const struct finding *found = judged(&chain);

	ck_assert_ptr_nonnull(found);
	ck_assert(found->elapsed_percent <= 60 + 1e-9);
	ck_assert_ptr_nonnull(strstr(found->evidence, "of its own 60 %"));
	end(&chain);
}
END_TEST

START_TEST(equal_work_has_no_stake)
{
	struct chain chain;

	begin(&chain, 2);
	stage(&chain, 0, 950, 0, 0);
	stage(&chain, 1, 950, 20, 10);
	stage(&chain, 2, 10, 960, 0);
	ck_assert_ptr_null(judged(&chain));
	end(&chain);
}
END_TEST

/* The last two of three processes; the first one has no end. */
static const struct finding *judged_call(struct chain *chain, uint64_t parent_work_ms)
{
	begin(chain, 2);
	chain->processes[2].cpu_ns = 980 * MS;
	chain->processes[1].cpu_ns = parent_work_ms * MS;
	chain->run.cpu_ns = (980 + parent_work_ms) * MS;
	add_end(chain, 2, 1, PIPE_WRITE, 0);
	add_end(chain, 1, 1, PIPE_READ, 990 - parent_work_ms);
	chain->files[2].process.parent_pid = chain->files[1].header.pid;
	return judged(chain);
}

START_TEST(who_takes_what_a_child_says_is_no_stage)
{
	struct chain chain;

	ck_assert_ptr_null(judged_call(&chain, 1));
	end(&chain);
	ck_assert_ptr_nonnull(judged_call(&chain, 300));
	end(&chain);
}
END_TEST

UNIT_MAIN("finding_stage", who_takes_what_a_child_says_is_no_stage, what_is_at_stake,
	  in_balance_nothing_is, a_stage_that_sleeps_is_no_slow_one,
	  a_source_that_waits_outside_is_told, equal_work_has_no_stake)

/* SPDX-License-Identifier: MIT */
/* Processes of which one sets the pace, and processes of which none does. */
#include "analyze/model/run/run.h"
#include "preload/file/vocabulary.h"
#include "tests/unit/told.h"
#include "tests/unit/unit.h"

#include <math.h>
#include <string.h>

#define SECOND 1000000000ull
#define MS     1000000ull
#define STAGES 3

struct stages {
	struct symbolizer *symbolizer;
	struct run_process files[STAGES];
	struct process processes[STAGES];
	struct run run;
};

/* A stage that lives from `start_ns` on for a second, and is blocked when it has no processor. */
static void make_stage(struct stages *stages, size_t i, uint64_t start_ns, uint64_t cpu_ns)
{
	stages->files[i].header =
		(struct format_header){.pid = (uint32_t)(100 + i), .start_ns = start_ns};
	stages->files[i].process = (struct profile_process){
		.command = i ? "./filter -x" : "./source", .threads_started = 1, .processors = 2};
	stages->processes[i] =
		(struct process){.index = i,
				 .file = &stages->files[i],
				 .rank = MPI_NO_RANK,
				 .elapsed_ns = SECOND,
				 .cpu_ns = cpu_ns,
				 .sum = {.lifetime_ns = SECOND,
					 .user_ns = cpu_ns,
					 .blocked_ns = SECOND - cpu_ns,
					 .by_cause_ns = {[CAUSE_OTHER] = SECOND - cpu_ns}}};
	stages->run.cpu_ns += cpu_ns;
}

/* Of three stages on two processors the second one works for 1 s, the others for 0.2 s. */
static void begin(struct stages *stages)
{
	*stages = (struct stages){.symbolizer = symbolizer_create(NULL)};
	stages->run = (struct run){.names = names_create(stages->symbolizer),
				   .processes = stages->processes,
				   .process_count = STAGES,
				   .focus = &stages->processes[1],
				   .processors = 2,
				   .host_count = 1,
				   .elapsed_ns = SECOND,
				   .efficiency_percent = 70};
	make_stage(stages, 0, 1, 200 * MS);
	make_stage(stages, 1, 1, SECOND);
	make_stage(stages, 2, 1, 200 * MS);
}

static void end(struct stages *stages)
{
	findings_clear(&told);
	names_destroy(stages->run.names);
	symbolizer_destroy(stages->symbolizer);
}

static const struct finding *find(struct stages *stages)
{
	told_of(&stages->run);
	return told_finding("pipeline");
}

START_TEST(the_process_that_sets_the_pace_is_named)
{
	struct stages stages;

	begin(&stages);
	const struct finding *finding = find(&stages);

	ck_assert_ptr_nonnull(finding);
	/* 1.4 s of CPU time take two processors 0.7 s */
	ck_assert_double_eq_tol(finding->elapsed_percent, 30, 1e-9);
	ck_assert_str_eq(finding->evidence,
			 "101 (./filter) was on a processor for 100 % of its life, while 2 others "
			 "waited: blocked for 1.60 s, on a processor for 400 ms");
	ck_assert_str_eq(finding->steps[0].name, "101 (./filter)");
	stages.run.processors = 8; /* no longer than the next one works */
	stages.run.elapsed_ns = SECOND;
	ck_assert_double_eq_tol(find(&stages)->elapsed_percent, 80, 1e-9);
	end(&stages);
}
END_TEST

/* To write numbers and to count lines costs hardly a hundredth of working on them. */
START_TEST(little_work_beside_much_is_a_stage)
{
	struct stages stages;

	begin(&stages);
	stages.processes[0].cpu_ns = stages.processes[2].cpu_ns = 4 * MS;
	ck_assert_ptr_nonnull(find(&stages));
	end(&stages);
}
END_TEST

/* Ready for 0.4 of 1 s, on a processor for the rest: it was never blocked. */
START_TEST(readiness_is_no_leisure)
{
	struct stages stages;

	begin(&stages);
	stages.processes[1].cpu_ns = stages.processes[1].sum.user_ns = 600 * MS;
	stages.run.cpu_ns = SECOND;
	ck_assert_ptr_null(find(&stages));
	stages.processes[1].ready_ns = 400 * MS;
	ck_assert_ptr_nonnull(strstr(find(&stages)->evidence, "but for when others had them all"));
	end(&stages);
}
END_TEST

START_TEST(processes_that_come_one_after_the_other_are_none)
{
	struct stages stages;

	begin(&stages);
	stages.run.elapsed_ns = 3 * SECOND;
	for (size_t i = 0; i < STAGES; i++)
		stages.files[i].header.start_ns = 1 + i * SECOND;
	ck_assert_ptr_null(find(&stages));
	end(&stages);
}
END_TEST

START_TEST(who_does_nothing_or_waits_for_an_end_is_no_stage)
{
	struct stages stages;

	begin(&stages);
	stages.processes[0].cpu_ns = stages.processes[2].cpu_ns = 2 * MS;
	ck_assert_ptr_null(find(&stages));
	end(&stages);
	begin(&stages);
	for (size_t i = 0; i < STAGES; i += 2) {
		uint64_t *causes = stages.processes[i].sum.by_cause_ns;

		causes[CAUSE_PROCESS] = causes[CAUSE_OTHER];
		causes[CAUSE_OTHER] = 0;
	}
	ck_assert_ptr_null(find(&stages));
	end(&stages);
}
END_TEST

/* As profiles tell it that know input and output: the first stage writes, the last one reads. */
START_TEST(waits_for_a_pipe_are_known_by_name_or_not)
{
	static const enum cause of_pipe[STAGES] = {[0] = CAUSE_WRITE, [STAGES - 1] = CAUSE_READ};
	struct stages stages;

	begin(&stages);
	for (size_t i = 0; i < STAGES; i += STAGES - 1) {
		uint64_t *causes = stages.processes[i].sum.by_cause_ns;

		causes[of_pipe[i]] = causes[CAUSE_OTHER];
		causes[CAUSE_OTHER] = 0;
	}
	const struct finding *finding = find(&stages);

	ck_assert_ptr_nonnull(finding);
	ck_assert_ptr_nonnull(strstr(finding->evidence, "blocked for 1.60 s"));
	end(&stages);
}
END_TEST

/* Two threads, on two processors for half of the time each. */
START_TEST(threads_that_share_the_work_are_no_single_pace)
{
	struct stages stages;
	struct profile_thread rows[2] = {{.tid = 101, .lives = 1}, {.tid = 102, .lives = 1}};
	struct thread_time threads[2] = {
		{.thread = &rows[0], .lifetime_ns = SECOND, .user_ns = SECOND / 2},
		{.thread = &rows[1], .lifetime_ns = SECOND, .user_ns = SECOND / 2}};

	begin(&stages);
	stages.processes[1].threads = threads;
	stages.processes[1].thread_count = 2;
	stages.files[1].process.threads_started = 2;
	ck_assert_ptr_null(find(&stages));
	threads[0].user_ns = 990 * MS;
	threads[1].user_ns = 10 * MS;
	ck_assert_ptr_nonnull(find(&stages));
	end(&stages);
}
END_TEST

UNIT_MAIN("finding_pipeline", the_process_that_sets_the_pace_is_named,
	  waits_for_a_pipe_are_known_by_name_or_not, little_work_beside_much_is_a_stage,
	  readiness_is_no_leisure, processes_that_come_one_after_the_other_are_none,
	  who_does_nothing_or_waits_for_an_end_is_no_stage,
	  threads_that_share_the_work_are_no_single_pace)

/* SPDX-License-Identifier: MIT */
/* Each rule on MPI with a job that has the problem and with one that has not. */
#include "analyze/findings/where/finding_balance.h"
#include "analyze/model/run/run.h"
#include "preload/file/vocabulary.h"
#include "tests/unit/told.h"
#include "tests/unit/unit.h"

#include <math.h>
#include <string.h>

#define MS     1000000ull
#define SECOND 1000000000ull

/* Two ranks on two processors for a second, useful for 900 ms each. A test spoils one thing. */
struct job {
	struct symbolizer *symbolizer;
	struct run_process files[2];
	struct process processes[2];
	struct mpi_rank ranks[2];
	struct mpi_site call, site;
	struct mpi_pair pairs[2];
	struct mpi_late late;
	struct mpi_collective collective;
	struct routine_time routine; /* the samples are enough */
	struct run run;
};

static void begin(struct job *job)
{
	*job = (struct job){.symbolizer = symbolizer_create(NULL)};
	job->run = (struct run){
		.names = names_create(job->symbolizer),
		.processes = job->processes,
		.process_count = 2,
		.processors = 2,
		.elapsed_ns = SECOND,
		.cpu_ns = 2 * SECOND,
		.efficiency_percent = 100,
		.mpi = {.is_used = true,
			.ranks = {.rows = job->ranks, .count = 2},
			.lists = {.calls = &job->call, .sites = &job->site},
			.pairs = {.rows = job->pairs},
			.collectives = {.rows = &job->collective},
			.at_once = {2, 2, 2, 2},
			.efficiency = {.elapsed_ns = SECOND,
				       .units = 2,
				       .parallel = 0.9,
				       .load_balance = 1,
				       .communication = 0.9,
				       .average_useful_ns = 0.9 * SECOND,
				       .max_useful_ns = 0.9 * SECOND}},
	};
	for (uint64_t rank = 0; rank < 2; rank++) {
		job->processes[rank] =
			(struct process){.file = &job->files[rank], .rank = rank, .index = rank};
		job->files[rank].process.threads_peak = 1;
		job->ranks[rank] = (struct mpi_rank){.rank = rank,
						     .process = rank,
						     .units = 1,
						     .end_ns = SECOND,
						     .useful_ns = 0.9 * SECOND,
						     .cpu_ns = SECOND,
						     .mpi_ns = 100 * MS};
	}
	job->routine = (struct routine_time){.routine = names_special(job->run.names, "work"),
					     .samples = 400};
	job->run.routines = (struct routine_times){.rows = &job->routine, .count = 1};
	job->run.focus = &job->processes[0];
	job->site = (struct mpi_site){.call = "MPI_Send",
				      .class = MPI_CLASS_SEND,
				      .routine = names_special(job->run.names, "exchange"),
				      .spread = {.ranks = 2, .max_rank = 1}};
}

/* Of the 2 s of both ranks so much was lost, and the rest useful. */
static void lose(struct job *job, double ns)
{
	job->run.mpi.efficiency.parallel = 1 - ns / (2 * (double)SECOND);
}

static void end(struct job *job)
{
	findings_clear(&told);
	names_destroy(job->run.names);
	symbolizer_destroy(job->symbolizer);
}

static const struct finding *find(struct job *job, const char *id)
{
	told_of(&job->run);
	return told_finding(id);
}

#define ASSERT_SAYS(finding, text)                                                                 \
	ck_assert_msg(strstr((finding)->evidence, text), "not there: %s", (finding)->evidence)

static const struct finding_step *step(const struct finding *finding, enum finding_level level)
{
	for (size_t i = 0; i < finding->step_count; i++)
		if (finding->steps[i].level == level && finding->steps[i].is_single)
			return &finding->steps[i];
	return NULL;
}

START_TEST(a_good_job_has_no_finding)
{
	struct job job;

	begin(&job);
	ck_assert_ptr_null(find(&job, "communication"));
	ck_assert_uint_eq(told.count, 0);
	end(&job);
}
END_TEST

/* Rank 1 works for 0.3 s and rank 0 for 0.1 s; for 0.6 s other programs have the processor of rank
 * 1, and rank 0 waits in MPI for the rest. */
START_TEST(a_rank_with_more_work_has_the_same_share_beside_other_programs)
{
	struct job job;

	begin(&job);
	job.ranks[0].useful_ns = 100 * MS;
	job.ranks[0].mpi_ns = 900 * MS;
	job.ranks[1].useful_ns = 300 * MS;
	job.ranks[0].cpu_ns = 100 * MS;
	job.ranks[1].cpu_ns = 300 * MS;
	job.run.cpu_ns = 400 * MS;
	job.run.efficiency_percent = 20;
	job.run.mpi.efficiency.load_balance = 2 / 3.0;
	job.run.mpi.efficiency.parallel = 0.2;
	job.run.mpi.efficiency.average_useful_ns = 200 * MS;
	job.run.mpi.efficiency.max_useful_ns = 300 * MS;
	job.run.mpi.efficiency.max_rank = 1;
	ck_assert_double_eq_tol(find(&job, "rank-imbalance")->elapsed_percent, 10, 1e-6);
	job.ranks[1].ready_ns = job.run.ready_ns = 600 * MS;
	const struct finding *finding = find(&job, "rank-imbalance");

	ck_assert_double_eq_tol(finding->elapsed_percent, 30, 0.1);
	ck_assert_int_eq(finding->grade, GRADE_ESTIMATED);
	end(&job);
}
END_TEST

START_TEST(a_rank_with_more_work_is_found)
{
	struct job job;

	begin(&job);
	job.run.mpi.efficiency.load_balance = 0.6;
	job.run.mpi.efficiency.average_useful_ns = 0.54 * SECOND;
	job.run.mpi.efficiency.max_rank = 1;
	lose(&job, 920.0 * MS);
	const struct finding *finding = find(&job, "rank-imbalance");

	ck_assert_ptr_nonnull(finding);
	ck_assert_double_eq_tol(finding->severity_percent, 36, 1e-6);
	ASSERT_SAYS(finding, "rank 1 was useful for 900 ms");
	ck_assert_ptr_null(step(finding, FINDING_RANK)); /* both are above the mean that we said */
	job.ranks[0].useful_ns = 0.18 * SECOND;
	finding = find(&job, "rank-imbalance");
	ck_assert_str_eq(step(finding, FINDING_RANK)->name, "1");
	ck_assert_double_eq_tol(step(finding, FINDING_RANK)->share_percent, 100, 1e-6);
	/* one was useful for 0.36 s longer than the mean */
	ck_assert_double_eq_tol(finding->elapsed_percent, 36, 1e-6);
	/* half a second without a processor may have been taken for useful time */
	job.ranks[1].useful_grade = GRADE_ESTIMATED;
	job.ranks[1].ready_ns = 500 * MS;
	ck_assert_ptr_null(find(&job, "rank-imbalance"));
	end(&job);
}
END_TEST

/* Both run shared, rank 1 for 300 ms longer; rank 0 alone runs spare, and rank 1 MPI. */
START_TEST(the_routine_in_which_a_rank_has_more_work_is_named)
{
	struct job job;

	begin(&job);
	struct names *names = job.run.names;
	const struct routine_time rows[] = {
		{.routine = names_number(names, "PMPI_Allreduce", "libmpi.so.40", NULL),
		 .by_process =
			 {.count = 1, .mean_ns = SECOND, .max_ns = SECOND, .max_at.process = 1}},
		{.routine = names_number(names, "shared", "app", "app.c"),
		 .line = 12,
		 .by_process = {.count = 2,
				.mean_ns = 450 * MS,
				.max_ns = 600 * MS,
				.max_at.process = 1}},
		{.routine = names_number(names, "spare", "app", "app.c"),
		 .by_process = {.count = 1, .mean_ns = 400 * MS, .max_ns = 400 * MS}},
		{.routine = names_number(names, "other", "app", "app.c"),
		 .by_process =
			 {.count = 2, .mean_ns = 80 * MS, .max_ns = 100 * MS, .max_at.process = 1}},
	};
	job.run.routines.rows = (struct routine_time *)rows;
	job.run.routines.count = sizeof rows / sizeof *rows;
	job.run.mpi.efficiency.load_balance = 0.6;
	job.run.mpi.efficiency.average_useful_ns = 0.54 * SECOND;
	job.run.mpi.efficiency.max_rank = 1;
	lose(&job, 920.0 * MS);
	const struct finding *finding = find(&job, "rank-imbalance");

	ASSERT_SAYS(
		finding,
		"most of the difference is in shared (app.c:12): 600 ms of CPU time there, 450 ms in a "
		"rank on average");
	/* 150 ms of 150 + 20 ms */
	ck_assert_double_eq_tol(step(finding, FINDING_ROUTINE)->share_percent, 100 * 150 / 170.0,
				0.1);
	job.run.routines.rows = &job.routine;
	job.run.routines.count = 1;
	end(&job);
}
END_TEST

/* Who computes how much more, where that is certain. */
START_TEST(unequal_work_is_told_as_a_sentence)
{
	struct job job;
	struct mpi_job one = {.count = 2};
	struct mpi_efficiency *efficiency = &job.run.mpi.efficiency;

	begin(&job);
	job.run.mpi.jobs = (struct mpi_jobs){.rows = &one, .count = 1};
	ck_assert_ptr_null(finding_balance_text(&job.run.mpi, "")); /* all are equal */
	efficiency->load_balance = 0.7;
	efficiency->average_useful_ns = 0.63 * SECOND;
	efficiency->min_useful_ns = 0.36 * SECOND;
	efficiency->max_rank = 1;
	lose(&job, 740.0 * MS);
	job.ranks[0].useful_ns = 0.36 * SECOND;
	ASSERT_SAYS(find(&job, "rank-imbalance"),
		    "rank 1 computes 150 % more than rank 0: rank 1 was useful");
	efficiency->min_useful_ns = 0.25 * SECOND;
	ASSERT_SAYS(find(&job, "rank-imbalance"), "rank 1 computes 3.60 times as much as rank 0: ");
	efficiency->min_useful_ns = 0;
	ASSERT_SAYS(find(&job, "rank-imbalance"), "rank 1 computes, and rank 0 next to nothing");
	/* of estimated times, what it may have lacked of a processor is no difference */
	efficiency->min_useful_ns = 0.8 * SECOND;
	efficiency->grade = GRADE_ESTIMATED;
	job.ranks[1].ready_ns = 100 * MS;
	ck_assert_ptr_null(finding_balance_text(&job.run.mpi, "~"));
	/* of a job that does next to nothing nothing is said */
	efficiency->grade = GRADE_EXACT;
	efficiency->elapsed_ns = 100.0 * SECOND;
	ck_assert_ptr_null(finding_balance_text(&job.run.mpi, ""));
	end(&job);
}
END_TEST

/* 1.2 s of 2 s in MPI, 100 ms of it MPI_Init, 200 ms for late ranks, 100 ms without processor. */
START_TEST(time_in_mpi_that_nothing_else_explains_is_communication)
{
	struct job job;

	begin(&job);
	job.ranks[0].mpi_ns = job.ranks[1].mpi_ns = 600 * MS;
	job.ranks[0].useful_ns = job.ranks[1].useful_ns = 400.0 * MS;
	job.ranks[1].ready_ns = 100 * MS;
	job.call = (struct mpi_site){
		.call = "MPI_Init", .class = MPI_CLASS_LIFE, .figures = {.sum_ns = 100 * MS}};
	job.run.mpi.lists.call_count = 1;
	job.collective = (struct mpi_collective){.call = "MPI_Barrier", .lost_ns = 200.0 * MS};
	job.run.mpi.collectives.count = 1;
	lose(&job, 1200.0 * MS);
	const struct finding *finding = find(&job, "communication");

	ck_assert_ptr_nonnull(finding);
	/* 0.8 s of useful time, and 0.8 s that would be as good without it */
	ck_assert_double_eq_tol(finding->severity_percent, 50, 1e-6);
	ck_assert_ptr_null(find(&job, "mpi-start"));
	finding = find(&job, "communication");
	ASSERT_SAYS(finding, "60 % of the ranks' time");
	job.collective.lost_ns = 1000.0 * MS;
	ck_assert_ptr_null(find(&job, "communication"));
	end(&job);
}
END_TEST

START_TEST(a_job_that_is_mostly_its_start_says_so)
{
	struct job job;

	begin(&job);
	job.ranks[0].mpi_ns = job.ranks[1].mpi_ns = 600 * MS;
	job.call = (struct mpi_site){
		.call = "MPI_Init", .class = MPI_CLASS_LIFE, .figures = {.sum_ns = 1000 * MS}};
	job.run.mpi.lists.call_count = 1;
	lose(&job, 1000.0 * MS);
	const struct finding *finding = find(&job, "mpi-start");

	ck_assert_ptr_nonnull(finding);
	ck_assert_double_eq_tol(finding->severity_percent, 50, 1e-6);
	ASSERT_SAYS(finding, "1.00 s of the ranks' 2.00 s");
	/* both ranks were in it at once, and slept for the rest */
	job.call.spread = (struct mpi_spread){.ranks = 2, .min_ns = 520 * MS, .max_ns = 520.0 * MS};
	lose(&job, 1900.0 * MS);
	ck_assert_double_eq_tol(find(&job, "mpi-start")->severity_percent, 52, 1e-6);
	/* one waited in MPI_Finalize until the other one, which was in MPI for 0.2 s less, had
	 * done its work */
	for (size_t i = 0; i < 2; i++) {
		job.ranks[i].init_begin_ns = 10 * MS;
		job.ranks[i].init_end_ns = 210 * MS;
		job.ranks[i].finalize_begin_ns = i ? 680 * MS : 880 * MS;
		job.ranks[i].finalize_end_ns = SECOND;
	}
	ck_assert_double_eq_tol(find(&job, "mpi-start")->severity_percent, 32, 1e-6);
	job.call.class = MPI_CLASS_COLLECTIVE;
	ck_assert_ptr_null(find(&job, "mpi-start"));
	end(&job);
}
END_TEST

START_TEST(many_small_messages_are_found)
{
	struct job job;

	begin(&job);
	job.site.figures =
		(struct mpi_figures){.count = 100000, .sum_ns = 200 * MS, .bytes_sent = 100000 * 8};
	job.run.mpi.lists.site_count = 1;
	lose(&job, 200.0 * MS);
	const struct finding *finding = find(&job, "small-messages");

	ck_assert_ptr_nonnull(finding);
	ck_assert_double_eq_tol(finding->severity_percent, 10, 1e-6);
	ASSERT_SAYS(finding, "100000 calls with 8 B each");
	ASSERT_SAYS(finding, "exchange");
	end(&job);
}
END_TEST

START_TEST(large_rare_or_long_messages_are_not_small_ones)
{
	static const struct mpi_figures others[] = {
		{.count = 100000, .sum_ns = 200 * MS, .bytes_sent = 100000ull * 4096},
		{.count = 900, .sum_ns = 8 * MS, .bytes_sent = 900 * 8},
		{.count = 2000, .sum_ns = 1000 * MS, .bytes_sent = 2000 * 8},
	};

	for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
		struct job job;

		begin(&job);
		job.site.figures = others[i];
		job.run.mpi.lists.site_count = 1;
		ck_assert_ptr_null(find(&job, "small-messages"));
		end(&job);
	}
}
END_TEST

/* 300 ms of 2 s; 270 ms of it for rank 1 in one call. */
START_TEST(a_late_rank_is_found_with_call_and_place)
{
	struct job job;

	begin(&job);
	job.late = (struct mpi_late){
		.rank = 1, .routine = job.site.routine, .line = 7, .lost_ns = 270.0 * MS};
	job.collective = (struct mpi_collective){.call = "MPI_Barrier",
						 .lost_ns = 300.0 * MS,
						 .late = &job.late,
						 .late_count = 1,
						 .grade = GRADE_ESTIMATED};
	job.run.mpi.collectives.count = 1;
	lose(&job, 300.0 * MS);
	const struct finding *finding = find(&job, "late-rank");

	ck_assert_ptr_nonnull(finding);
	ck_assert_double_eq_tol(finding->severity_percent, 15, 1e-6);
	ck_assert_int_eq(finding->grade, GRADE_ESTIMATED);
	ck_assert_str_eq(step(finding, FINDING_CALL)->name, "MPI_Barrier");
	ck_assert_str_eq(step(finding, FINDING_RANK)->name, "1");
	ck_assert_double_eq_tol(step(finding, FINDING_RANK)->share_percent, 90, 1e-6);
	ck_assert_ptr_nonnull(step(finding, FINDING_ROUTINE));
	job.collective.lost_ns = job.late.lost_ns = 80.0 * MS;
	ck_assert_ptr_null(find(&job, "late-rank"));
	end(&job);
}
END_TEST

/* 600 ms of 2 s, for rank 1 in all calls. */
static void make_late(struct job *job)
{
	job->late = (struct mpi_late){
		.rank = 1, .routine = job->site.routine, .line = 7, .lost_ns = 600.0 * MS};
	job->collective = (struct mpi_collective){
		.call = "MPI_Barrier", .lost_ns = 600.0 * MS, .late = &job->late, .late_count = 1};
	job->run.mpi.collectives.count = 1;
	lose(job, 600.0 * MS);
}

/* Rank 1 itself waited so long for a message, or was ready for so long: 0.4 s. */
START_TEST(who_is_late_for_a_reason_is_not_told_twice)
{
	struct job job;

	begin(&job);
	make_late(&job);
	/* 0.6 of 1.4 + 0.6 s, and no more than the idle half: 30 % */
	ck_assert_double_eq_tol(find(&job, "late-rank")->elapsed_percent, 30, 1e-6);
	job.pairs[0] = (struct mpi_pair){
		.rank = 1, .peer = 0, .messages_received = 1, .wait_ns = 400 * MS + 10000};
	job.run.mpi.pairs.count = 1;
	/* 0.2 s are left, in 1.6 s of the ranks' time: 1/8 */
	ck_assert_double_eq_tol(find(&job, "late-rank")->elapsed_percent, 12.5, 1e-6);
	ck_assert_ptr_nonnull(find(&job, "late-sender"));
	job.pairs[0].rank = 0; /* that is not who was late */
	ck_assert_double_eq_tol(find(&job, "late-rank")->elapsed_percent, 30, 1e-6);
	job.run.mpi.pairs.count = 0;
	job.ranks[1].ready_ns = 600 * MS;
	job.ranks[1].useful_ns = 0.4 * SECOND;
	job.ranks[1].mpi_ns = 0;
	ck_assert_ptr_null(find(&job, "late-rank"));
	job.ranks[1].mpi_ns = 600 * MS; /* that was while it polled for others */
	ck_assert_double_eq_tol(find(&job, "late-rank")->elapsed_percent, 30, 1e-6);
	job.ranks[1].wait_ns = 600 * MS; /* but it slept for all of that time */
	ck_assert_double_eq_tol(find(&job, "late-rank")->elapsed_percent, 30, 1e-6);
	job.ranks[1].ready_ns = job.ranks[1].wait_ns = 0;
	job.ranks[1].useful_ns = 0.9 * SECOND;
	job.run.mpi.efficiency.average_useful_ns = 0.7 * SECOND; /* two ranks, 0.2 s less each */
	ck_assert_double_eq_tol(find(&job, "late-rank")->elapsed_percent, 12.5, 1e-6);
	end(&job);
}
END_TEST

START_TEST(ranks_that_are_late_in_turn_are_told_so)
{
	struct job job;

	begin(&job);
	make_late(&job);
	job.call =
		(struct mpi_site){.call = "MPI_Barrier",
				  .class = MPI_CLASS_COLLECTIVE,
				  .spread = {.min_ns = 290 * MS, .max_ns = 310 * MS, .ranks = 2}};
	job.run.mpi.lists.call_count = 1;
	const struct finding *finding = find(&job, "late-rank");

	ck_assert_ptr_nonnull(strstr(finding->title, "each in its turn"));
	ASSERT_SAYS(finding, "each of 2 ranks was in it for 290 ms to 310 ms");
	ck_assert_ptr_nonnull(strstr(finding->advice, "each step"));
	ck_assert_ptr_null(step(finding, FINDING_RANK));
	job.call.spread.min_ns = 10 * MS; /* who is last waits for nobody */
	finding = find(&job, "late-rank");
	ck_assert_ptr_null(strstr(finding->title, "turn"));
	ASSERT_SAYS(finding, "rank 1 was last for 100 %");
	job.call.spread.min_ns = 290 * MS;
	job.run.mpi.efficiency.load_balance = 0.8;
	ck_assert_ptr_null(strstr(find(&job, "late-rank")->title, "turn"));
	end(&job);
}
END_TEST

/* All of the time in the place was for the late rank. */
START_TEST(a_place_is_told_without_what_others_tell_of_it)
{
	struct job job;

	begin(&job);
	make_late(&job);
	job.site.call = "MPI_Barrier";
	job.site.class = MPI_CLASS_COLLECTIVE;
	job.site.figures.sum_ns = 680 * MS;
	job.site.spread.max_ns = 680 * MS;
	job.call = job.site;
	job.run.mpi.lists.call_count = job.run.mpi.lists.site_count = 1;
	ck_assert_ptr_null(find(&job, "mpi-site"));
	job.collective.lost_ns = job.late.lost_ns = 350 * MS;
	ck_assert_ptr_nonnull(find(&job, "mpi-site"));
	job.site.call = "MPI_Recv"; /* 690 ms of waits for messages in 680 ms of receives */
	job.site.class = MPI_CLASS_RECEIVE;
	job.call = job.site;
	job.pairs[0] = (struct mpi_pair){.rank = 0, .peer = 1, .wait_ns = 690 * MS};
	job.run.mpi.pairs.count = 1;
	ck_assert_ptr_null(find(&job, "mpi-site"));
	end(&job);
}
END_TEST

/* Two threads a rank on two processors, and one rank has the work. */
START_TEST(fewer_threads_are_no_advice_for_uneven_ranks)
{
	struct job job;

	begin(&job);
	job.run.mpi.efficiency.units = 4;
	job.run.mpi.at_once = (struct mpi_at_once){4, 2, 4, 2};
	job.ranks[0].units = job.ranks[1].units = 2;
	job.run.ready_ns = 2 * SECOND;
	job.ranks[0].ready_ns = job.ranks[1].ready_ns = SECOND;
	ck_assert_ptr_nonnull(strstr(find(&job, "rank-oversubscription")->advice, "fewer threads"));
	job.run.mpi.efficiency.load_balance = 0.6;
	ck_assert_ptr_null(find(&job, "rank-oversubscription"));
	job.run.processors = job.run.mpi.at_once.host_processors = 1; /* not even one for each */
	ck_assert_ptr_nonnull(find(&job, "rank-oversubscription"));
	end(&job);
}
END_TEST

/* mpirun waits for its ranks. */
START_TEST(a_launcher_is_meant_to_wait)
{
	struct job job;

	begin(&job);
	job.run.efficiency_percent = 50;
	job.processes[1].rank = MPI_NO_RANK;
	job.run.mpi.ranks.count = 1;
	job.processes[1].sum.by_cause_ns[CAUSE_OTHER] = SECOND;
	ck_assert_ptr_null(find(&job, "blocked"));
	end(&job);
}
END_TEST

/* Ten messages of 1 MB explain 10.1 ms of the 400 ms. */
START_TEST(waiting_for_a_peer_is_found)
{
	struct job job;

	begin(&job);
	job.pairs[0] = (struct mpi_pair){.rank = 0,
					 .peer = 1,
					 .messages_received = 10,
					 .bytes_received = 10000000,
					 .wait_ns = 400 * MS};
	job.run.mpi.pairs.count = 1;
	job.ranks[0].useful_ns = job.ranks[1].useful_ns = 600.0 * MS;
	job.run.mpi.efficiency.max_useful_ns = 600.0 * MS;
	lose(&job, 400.0 * MS);
	const struct finding *finding = find(&job, "late-sender");

	ck_assert_ptr_nonnull(finding);
	/* 389.9 ms of 1.6 s of useful time and those; without them both work all the time */
	ck_assert_double_eq_tol(finding->severity_percent, 20, 1e-6);
	ck_assert_double_le(finding->elapsed_ns, 389.9 * MS);
	ASSERT_SAYS(finding, "rank 0 waited longest: 400 ms for 10 messages of rank 1");
	end(&job);
}
END_TEST

/* Both ranks were useful for 500 ms, and waited for each other's messages for nearly all the rest.
 */
static void make_turns(struct job *job)
{
	for (size_t i = 0; i < 2; i++) {
		job->pairs[i] = (struct mpi_pair){
			.rank = i, .peer = 1 - i, .messages_received = 1, .wait_ns = 480 * MS};
		job->ranks[i].mpi_ns = 500 * MS;
		job->ranks[i].useful_ns = 500.0 * MS;
	}
	job->run.mpi.pairs.count = 2;
	job->run.mpi.efficiency.max_useful_ns = job->run.mpi.efficiency.average_useful_ns =
		500.0 * MS;
	lose(job, 1000.0 * MS);
}

START_TEST(what_ranks_wait_for_each_other_in_turn_is_won_once)
{
	struct job job;

	begin(&job);
	make_turns(&job);
	/* 0.96 s of 1 s of useful time and those would be 49 %, and 48 % each rank waited */
	job.call = (struct mpi_site){.call = "MPI_Init",
				     .class = MPI_CLASS_LIFE,
				     .figures = {.sum_ns = 180 * MS},
				     .spread = {.min_ns = 60 * MS, .max_ns = 120 * MS, .ranks = 2}};
	job.run.mpi.lists.call_count = 1;
	/* none can be shorter by more than its 500 - 60 ms */
	ck_assert_double_eq_tol(find(&job, "late-sender")->elapsed_percent, 44, 1e-6);
	/* nor by when it had no processor, of which 6 % were in MPI_Init */
	job.ranks[1].ready_ns = 240 * MS;
	ck_assert_double_eq_tol(find(&job, "late-sender")->elapsed_percent, 44, 1e-6);
	job.ranks[1].mpi_ns = 260 * MS; /* it was not in its waits */
	ck_assert_double_eq_tol(find(&job, "late-sender")->elapsed_percent, 44 - 24 * 0.94, 1e-6);
	job.ranks[1].ready_ns = 0;
	job.ranks[1].useful_ns = 940.0 * MS; /* it always works, and nothing is won for it */
	ck_assert_ptr_null(find(&job, "late-sender"));
	end(&job);
}
END_TEST

START_TEST(who_has_less_work_waits_for_no_late_sender)
{
	struct job job;

	begin(&job);
	make_turns(&job);
	job.run.mpi.pairs.count = 1; /* rank 0 waits for rank 1, which was useful for longer */
	ck_assert_double_ge(find(&job, "late-sender")->elapsed_percent, 40);
	job.run.mpi.efficiency.grade = GRADE_ESTIMATED;
	job.ranks[1].useful_ns = 780.0 * MS;
	const struct finding *finding = find(&job, "late-sender");

	/* 200 - 0.01 ms are left */
	ck_assert_double_le(finding->elapsed_ns, 200.0 * MS);
	ck_assert_double_ge(finding->elapsed_ns, 199.0 * MS);
	ck_assert_int_eq(finding->grade, GRADE_ESTIMATED);
	job.ranks[1].useful_ns = 500.0 * MS; /* or would have been, with a processor */
	job.ranks[1].ready_ns = 280 * MS;
	job.ranks[1].mpi_ns = 220 * MS;
	ck_assert_double_eq_tol(find(&job, "late-sender")->elapsed_ns, 199.99 * MS, 1);
	job.ranks[1].ready_ns = 490 * MS;
	job.ranks[1].mpi_ns = 10 * MS;
	ck_assert_ptr_null(find(&job, "late-sender"));
	job.ranks[1].mpi_ns = 500 * MS; /* ready in its own waits: that delayed nobody */
	ck_assert_double_ge(find(&job, "late-sender")->elapsed_percent, 40);
	end(&job);
}
END_TEST

START_TEST(late_messages_are_told_with_both_places)
{
	struct job job;
	struct mpi_site sites[4] = {0};

	begin(&job);
	make_turns(&job);
	job.run.mpi.lists.sites = sites;
	job.run.mpi.lists.site_count = 4;
	for (size_t i = 0; i < 4; i++)
		sites[i] = job.site;
	sites[0].routine = names_special(job.run.names, "step"); /* the most time, for no message */
	sites[0].call = "MPI_Allreduce";
	sites[0].class = MPI_CLASS_COLLECTIVE;
	sites[0].figures = (struct mpi_figures){.count = 10, .sum_ns = 900 * MS, .bytes_sent = 80};
	sites[1].routine = names_special(job.run.names, "receive");
	sites[1].call = "MPI_Recv";
	sites[1].class = MPI_CLASS_RECEIVE;
	sites[1].figures = (struct mpi_figures){.count = 10, .sum_ns = 720 * MS};
	sites[2].routine = names_special(job.run.names, "complete");
	sites[2].call = "MPI_Wait";
	sites[2].class = MPI_CLASS_COMPLETION;
	sites[2].figures = (struct mpi_figures){.count = 10, .sum_ns = 80 * MS};
	sites[3].figures = (struct mpi_figures){.count = 20, .sum_ns = MS, .bytes_sent = 80};
	const struct finding *finding = find(&job, "late-sender");

	ck_assert_str_eq(step(finding, FINDING_ROUTINE)->name, "receive");
	ck_assert_double_eq_tol(step(finding, FINDING_ROUTINE)->share_percent, 90, 1e-6);
	ck_assert_str_eq(step(finding, FINDING_CALL)->name, "MPI_Recv");
	ASSERT_SAYS(finding, "100 % of all messages are sent by MPI_Send in exchange");
	sites[2].class = MPI_CLASS_SEND; /* two places that send as many */
	sites[2].figures = sites[3].figures;
	finding = find(&job, "late-sender");
	ck_assert_double_eq_tol(step(finding, FINDING_ROUTINE)->share_percent, 100, 1e-6);
	ck_assert_ptr_null(strstr(finding->evidence, "sent by"));
	sites[1].class = MPI_CLASS_COLLECTIVE; /* none that waits for messages is known */
	ck_assert_ptr_null(step(find(&job, "late-sender"), FINDING_ROUTINE));
	end(&job);
}
END_TEST

/* What the waits for messages explain of the time in MPI is no communication. */
START_TEST(late_messages_are_no_communication)
{
	struct job job;

	begin(&job);
	make_turns(&job);
	ck_assert_ptr_null(find(&job, "communication"));
	job.run.mpi.pairs.count = 0; /* 1 s in MPI, of 2 s */
	ck_assert_ptr_nonnull(find(&job, "communication"));
	end(&job);
}
END_TEST

/* A second of the ranks' two in one place. */
static void begin_at_one_place(struct job *job)
{
	begin(job);
	job->site.figures = (struct mpi_figures){.count = 10, .sum_ns = SECOND};
	job->site.spread.max_ns = 500.0 * MS;
	job->ranks[0].useful_ns = job->ranks[1].useful_ns = 500.0 * MS;
	job->run.mpi.lists.site_count = 1;
	lose(job, 1000.0 * MS);
}

/* Both ranks look 100,000 times each in 200 ms, of which they found something twice. */
static void make_polls(struct job *job)
{
	begin(job);
	job->site = (struct mpi_site){.call = "MPI_Iprobe",
				      .class = MPI_CLASS_PROBE,
				      .routine = names_special(job->run.names, "look"),
				      .figures = {.count = 200000,
						  .sum_ns = 401 * MS,
						  .vain = 199998,
						  .vain_ns = 400 * MS},
				      .spread = {.ranks = 2, .max_ns = 201.0 * MS, .max_rank = 1}};
	job->call = job->site;
	job->run.mpi.lists.site_count = job->run.mpi.lists.call_count = 1;
	for (size_t i = 0; i < 2; i++) {
		job->ranks[i].mpi_ns = 201 * MS;
		job->ranks[i].useful_ns = 799.0 * MS;
	}
	job->run.mpi.efficiency.average_useful_ns = 799.0 * MS;
	job->run.mpi.efficiency.max_useful_ns = 799.0 * MS;
	lose(job, 402.0 * MS);
}

START_TEST(polls_in_vain_are_found_with_call_and_place)
{
	struct job job;

	make_polls(&job);
	const struct finding *finding = find(&job, "mpi-polling");

	ck_assert_ptr_nonnull(finding);
	ck_assert_double_eq_tol(finding->elapsed_percent, 20, 0.2);
	ck_assert_str_eq(step(finding, FINDING_ROUTINE)->name, "look");
	ck_assert_str_eq(step(finding, FINDING_CALL)->name, "MPI_Iprobe");
	ASSERT_SAYS(finding, "400 ms in 199998 calls that found nothing; the most in MPI_Iprobe");
	ASSERT_SAYS(finding, "2.00 us each, the most on rank 1");
	/* nor is the same time told once more */
	ck_assert_ptr_null(find(&job, "mpi-site"));
	ck_assert_ptr_null(find(&job, "communication"));
	end(&job);
}
END_TEST

START_TEST(polls_that_find_or_move_messages_are_not_in_vain)
{
	struct job job;

	make_polls(&job);
	job.site.figures.vain = 0;
	job.site.figures.vain_ns = 0;
	ck_assert_ptr_null(find(&job, "mpi-polling"));
	ck_assert_ptr_nonnull(find(&job, "mpi-site"));
	job.site.figures.vain = 30000; /* 13 us each */
	job.site.figures.vain_ns = 400 * MS;
	ck_assert_ptr_null(find(&job, "mpi-polling"));
	ck_assert_ptr_nonnull(find(&job, "mpi-site"));
	end(&job);
}
END_TEST

/* Rank 0 looks for what rank 1 sends, which works all the time, or had no processor. */
START_TEST(who_polls_for_a_rank_that_works_wins_nothing)
{
	struct job job;

	make_polls(&job);
	job.ranks[1].useful_ns = SECOND;
	job.ranks[1].mpi_ns = 0;
	ck_assert_ptr_null(find(&job, "mpi-polling"));
	end(&job);
	make_polls(&job);
	job.ranks[0].ready_ns = job.ranks[1].ready_ns = 190 * MS;
	ck_assert_ptr_null(find(&job, "mpi-polling"));
	end(&job);
}
END_TEST

/* A wait for several ranks at once, and one of a send, are charged to no peer. */
START_TEST(nobody_is_sent_to_peers_who_finds_nothing_there)
{
	struct job job;

	begin_at_one_place(&job);
	ck_assert_ptr_nonnull(strstr(find(&job, "mpi-site")->advice, "receiver"));
	job.site.call = "MPI_Waitall";
	job.site.class = MPI_CLASS_COMPLETION;
	ck_assert_ptr_nonnull(strstr(find(&job, "mpi-site")->advice, "MPI_Waitany"));
	job.site.call = "MPI_Wait"; /* one request: another call would tell no more */
	ck_assert_ptr_null(strstr(find(&job, "mpi-site")->advice, "MPI_Waitany"));
	ck_assert_ptr_nonnull(strstr(find(&job, "mpi-site")->advice, "charged to no rank"));
	job.site.call = "MPI_Waitall";
	job.pairs[0] = (struct mpi_pair){.rank = 0, .peer = 1, .wait_ns = 600 * MS};
	job.run.mpi.pairs.count = 1;
	ck_assert_ptr_nonnull(strstr(find(&job, "mpi-site")->advice, "in peers"));
	end(&job);
}
END_TEST

/* They were ready for 1.6 s, so for 0.8 s there. */
START_TEST(a_place_is_told_without_missing_processors)
{
	struct job job;

	begin_at_one_place(&job);
	ck_assert_double_eq_tol(find(&job, "mpi-site")->elapsed_percent, 50, 1e-6);
	job.ranks[0].ready_ns = job.ranks[1].ready_ns = 800 * MS;
	/* 0.2 s, beside 1 s of useful time */
	ck_assert_double_eq_tol(find(&job, "mpi-site")->elapsed_percent, 100 / 6.0, 1e-6);
	job.ranks[0].ready_ns = job.ranks[1].ready_ns = SECOND;
	ck_assert_ptr_null(find(&job, "mpi-site"));
	end(&job);
}
END_TEST

START_TEST(receiving_many_bytes_is_no_waiting)
{
	struct job job;

	begin(&job);
	job.pairs[0] = (struct mpi_pair){.peer = 1,
					 .messages_received = 10,
					 .bytes_received = 400000000,
					 .wait_ns = 400 * MS};
	job.run.mpi.pairs.count = 1;
	ck_assert_ptr_null(find(&job, "late-sender"));
	end(&job);
}
END_TEST

/* One processor for both ranks, which each had for half of the time. */
static void share_one_processor(struct job *job)
{
	begin(job);
	job->run.processors = job->run.mpi.at_once.host_processors = 1;
	job->run.cpu_ns = job->run.ready_ns = 1000 * MS;
	for (size_t i = 0; i < 2; i++) {
		job->ranks[i].cpu_ns = job->ranks[i].ready_ns = 500 * MS;
		job->ranks[i].useful_ns = 400.0 * MS;
	}
}

START_TEST(more_ranks_than_processors_are_found)
{
	struct job job;

	share_one_processor(&job);
	job.ranks[0].useful_ns = 100.0 * MS;
	const struct finding *finding = find(&job, "rank-oversubscription");

	ck_assert_ptr_nonnull(finding);
	ck_assert_double_eq_tol(finding->severity_percent, 50, 1e-6);
	ck_assert_str_eq(finding->title, "more ranks than processors");
	ASSERT_SAYS(finding, "500 ms of their 1.00 s CPU time went into polling");
	ck_assert_ptr_null(find(&job, "oversubscription"));
	end(&job);
}
END_TEST

/* The processor was another program's for half of the time. */
START_TEST(ranks_and_other_programs_are_told_apart)
{
	struct job job;

	share_one_processor(&job);
	job.run.cpu_ns = 500 * MS; /* less than two threads that are ready for 1 s ask for */
	job.run.efficiency_percent = 50;
	const struct finding *finding = find(&job, "rank-oversubscription");

	ASSERT_SAYS(finding, "for 1.00 s, 500 ms of it because of each other");
	ck_assert_str_eq(finding->title, "more ranks than processors");
	finding = find(&job, "oversubscription");
	ck_assert_int_eq(finding->kind, FINDING_ENVIRONMENT);
	ck_assert_str_eq(finding->title, "other programs use the processors");
	end(&job);
}
END_TEST

/* Three jobs of two ranks: with one for each of the six there would be enough processors. */
START_TEST(ranks_that_follow_one_another_are_not_too_many)
{
	struct job job;

	begin(&job);
	job.run.ready_ns = 1000 * MS;
	job.run.mpi.efficiency.units = 6;
	job.ranks[0].ready_ns = job.ranks[1].ready_ns = 500 * MS;
	ck_assert_ptr_null(find(&job, "rank-oversubscription"));
	end(&job);
}
END_TEST

/* Rank 1 sleeps, rank 0 polls for it and has a processor for half of the time. */
START_TEST(who_polls_for_a_late_rank_may_be_ready)
{
	struct job job;

	share_one_processor(&job);
	job.ranks[0].useful_ns = job.ranks[1].useful_ns = 50.0 * MS;
	job.ranks[0].mpi_ns = 900 * MS;
	job.ranks[1].mpi_ns = 0;
	job.ranks[1].wait_ns = 900 * MS;
	job.ranks[0].ready_ns = 450 * MS;
	job.ranks[1].ready_ns = 40 * MS;
	job.run.ready_ns = 490 * MS;
	ck_assert_ptr_nonnull(find(&job, "rank-oversubscription"));
	job.late = (struct mpi_late){.rank = 1, .lost_ns = 900.0 * MS};
	job.collective = (struct mpi_collective){
		.call = "MPI_Barrier", .lost_ns = 900.0 * MS, .late = &job.late, .late_count = 1};
	job.run.mpi.collectives.count = 1;
	lose(&job, 1900.0 * MS);
	ck_assert_ptr_null(find(&job, "rank-oversubscription"));
	ck_assert_ptr_nonnull(find(&job, "late-rank"));
	/* it was late since it had no processor */
	job.ranks[1].wait_ns = 0;
	job.ranks[1].ready_ns = 900 * MS;
	job.run.ready_ns = 1350 * MS;
	ck_assert_ptr_nonnull(find(&job, "rank-oversubscription"));
	ck_assert_ptr_null(find(&job, "late-rank"));
	end(&job);
}
END_TEST

/* Rank 1 sleeps for 0.6 s, and then is in MPI_Finalize for 0.2 s; rank 0 waits there all that time,
 * and was ready for nearly all of it. */
START_TEST(who_waits_in_the_end_of_mpi_is_not_too_many)
{
	struct job job;

	share_one_processor(&job);
	job.call =
		(struct mpi_site){.call = "MPI_Finalize",
				  .class = MPI_CLASS_LIFE,
				  .figures = {.sum_ns = 1000 * MS},
				  .spread = {.min_ns = 200 * MS, .max_ns = 800 * MS, .ranks = 2}};
	job.run.mpi.lists.call_count = 1;
	job.run.ready_ns = job.ranks[0].ready_ns = 600 * MS;
	job.ranks[1].ready_ns = 0;
	job.ranks[0].useful_ns = job.ranks[1].useful_ns = 100.0 * MS;
	job.ranks[0].mpi_ns = 800 * MS;
	job.ranks[1].mpi_ns = 200 * MS;
	job.ranks[1].wait_ns = job.processes[1].sum.by_cause_ns[CAUSE_SLEEP] = 600 * MS;
	for (size_t i = 0; i < 2; i++) {
		job.ranks[i].init_end_ns = 1;
		job.ranks[i].finalize_begin_ns = i ? 800 * MS : 200 * MS;
		job.ranks[i].finalize_end_ns = SECOND;
	}
	lose(&job, 1800.0 * MS);
	ck_assert_ptr_null(find(&job, "rank-oversubscription"));
	ck_assert_double_eq_tol(find(&job, "mpi-start")->elapsed_percent, 20, 1e-6);
	ck_assert_double_eq_tol(find(&job, "sleep")->elapsed_percent, 60, 1e-6);
	end(&job);
}
END_TEST

/* Rank 1 sleeps for 0.7 s, for which rank 0 waits in a call that is charged to nobody: one of a
 * nonblocking collective call, or a synchronous send. */
START_TEST(waits_that_are_charged_to_nobody_may_be_for_a_sleeper)
{
	struct job job;

	share_one_processor(&job);
	job.run.ready_ns = job.ranks[0].ready_ns = 600 * MS;
	job.ranks[1].ready_ns = 0;
	job.ranks[0].useful_ns = job.ranks[1].useful_ns = 200.0 * MS;
	job.ranks[0].mpi_ns = 800 * MS;
	job.ranks[1].mpi_ns = 100 * MS;
	ck_assert_ptr_nonnull(find(&job, "rank-oversubscription"));
	job.ranks[1].wait_ns = job.processes[1].sum.by_cause_ns[CAUSE_SLEEP] = 700 * MS;
	ck_assert_ptr_null(find(&job, "rank-oversubscription"));
	end(&job);
}
END_TEST

/* Both ranks sleep for 0.4 s, at the same time; then rank 1 works for 0.3 s, and rank 0 waits for
 * it. */
START_TEST(sleep_wins_no_wait_for_a_rank_that_works)
{
	struct job job;

	begin(&job);
	job.run.efficiency_percent = 20;
	job.run.cpu_ns = 500 * MS;
	for (size_t i = 0; i < 2; i++) {
		job.ranks[i].wait_ns = job.processes[i].sum.by_cause_ns[CAUSE_SLEEP] = 400 * MS;
		job.ranks[i].useful_ns = i ? 500.0 * MS : 200.0 * MS;
		job.ranks[i].mpi_ns = i ? 100 * MS : 400 * MS;
	}
	job.call =
		(struct mpi_site){.call = "MPI_Init",
				  .class = MPI_CLASS_LIFE,
				  .figures = {.sum_ns = 200 * MS},
				  .spread = {.min_ns = 100 * MS, .max_ns = 100 * MS, .ranks = 2}};
	job.run.mpi.lists.call_count = 1;
	lose(&job, 1300.0 * MS);
	ck_assert_double_eq_tol(find(&job, "sleep")->elapsed_percent, 40, 1e-6);
	end(&job);
}
END_TEST

/* Two ranks sleep in turn, 0.45 s each; each polls for the other one, and is ready for nearly all
 * of that time, as other programs have the processors. */
START_TEST(who_polls_for_a_rank_that_sleeps_needs_no_processor)
{
	struct mpi_late late[] = {{.rank = 0, .lost_ns = 450.0 * MS},
				  {.rank = 1, .lost_ns = 450.0 * MS}};
	struct job job;

	begin(&job);
	job.run.cpu_ns = 500 * MS;
	job.run.efficiency_percent = 25;
	job.run.ready_ns = 900 * MS;
	for (size_t i = 0; i < 2; i++) {
		job.ranks[i].cpu_ns = 250 * MS;
		job.ranks[i].useful_ns = 50.0 * MS;
		job.ranks[i].mpi_ns = 500 * MS;
		job.ranks[i].ready_ns = 450 * MS;
		job.ranks[i].wait_ns = 450 * MS;
	}
	job.collective = (struct mpi_collective){
		.call = "MPI_Barrier", .lost_ns = 900.0 * MS, .late = late, .late_count = 2};
	job.run.mpi.collectives.count = 1;
	for (size_t i = 0; i < 2; i++)
		job.ranks[i].wait_ns = 0; /* they had no processor instead */
	ck_assert_ptr_nonnull(find(&job, "oversubscription"));
	for (size_t i = 0; i < 2; i++) {
		job.ranks[i].wait_ns = 450 * MS;
		job.processes[i].sum.by_cause_ns[CAUSE_SLEEP] = 450 * MS;
	}
	ck_assert_ptr_null(find(&job, "oversubscription"));
	ck_assert_double_eq_tol(find(&job, "sleep")->elapsed_percent, 90, 1e-6);
	end(&job);
}
END_TEST

/* Ready, but with a processor for each: the fault of others. */
START_TEST(as_many_ranks_as_processors_are_not_too_many)
{
	struct job job;

	begin(&job);
	job.run.ready_ns = 1000 * MS;
	job.run.cpu_ns = 1000 * MS;
	job.run.efficiency_percent = 50;
	job.ranks[0].ready_ns = job.ranks[1].ready_ns = 500 * MS;
	ck_assert_ptr_null(find(&job, "rank-oversubscription"));
	ck_assert_ptr_nonnull(find(&job, "oversubscription"));
	end(&job);
}
END_TEST

/* A second for each of the helpers, of which the rank itself knows nothing. */
START_TEST(helpers_of_the_library_are_not_blocked_threads)
{
	struct job job;

	begin(&job);
	job.run.efficiency_percent = 50;
	job.run.cpu_ns = 1200 * MS; /* 0.2 s of it in MPI */
	for (size_t i = 0; i < 2; i++) {
		job.processes[i].sum.by_cause_ns[CAUSE_OTHER] = SECOND;
		job.ranks[i].useful_ns = 500.0 * MS;
	}
	ck_assert_ptr_null(find(&job, "blocked"));
	job.ranks[0].wait_ns = 500 * MS;
	job.processes[0].sum.by_cause_ns[CAUSE_JOIN] = 500 * MS;
	ck_assert_ptr_null(find(&job, "blocked"));
	job.processes[0].sum.by_cause_ns[CAUSE_JOIN] = 0;
	const struct finding *finding = find(&job, "blocked");

	ck_assert_ptr_nonnull(finding);
	/* for 0.5 of 1 s, for which the other rank may have waited */
	ck_assert_double_eq_tol(finding->severity_percent, 50, 1e-6);
	end(&job);
}
END_TEST

UNIT_MAIN("finding_mpi", a_good_job_has_no_finding,
	  a_rank_with_more_work_has_the_same_share_beside_other_programs,
	  a_late_rank_is_found_with_call_and_place, a_launcher_is_meant_to_wait,
	  who_is_late_for_a_reason_is_not_told_twice, ranks_that_are_late_in_turn_are_told_so,
	  a_place_is_told_without_what_others_tell_of_it,
	  fewer_threads_are_no_advice_for_uneven_ranks, a_rank_with_more_work_is_found,
	  the_routine_in_which_a_rank_has_more_work_is_named, unequal_work_is_told_as_a_sentence,
	  time_in_mpi_that_nothing_else_explains_is_communication,
	  a_job_that_is_mostly_its_start_says_so, many_small_messages_are_found,
	  large_rare_or_long_messages_are_not_small_ones, waiting_for_a_peer_is_found,
	  what_ranks_wait_for_each_other_in_turn_is_won_once,
	  who_has_less_work_waits_for_no_late_sender, late_messages_are_told_with_both_places,
	  late_messages_are_no_communication, polls_in_vain_are_found_with_call_and_place,
	  polls_that_find_or_move_messages_are_not_in_vain,
	  who_polls_for_a_rank_that_works_wins_nothing, a_place_is_told_without_missing_processors,
	  nobody_is_sent_to_peers_who_finds_nothing_there, receiving_many_bytes_is_no_waiting,
	  more_ranks_than_processors_are_found, ranks_and_other_programs_are_told_apart,
	  ranks_that_follow_one_another_are_not_too_many, who_polls_for_a_late_rank_may_be_ready,
	  as_many_ranks_as_processors_are_not_too_many, who_waits_in_the_end_of_mpi_is_not_too_many,
	  waits_that_are_charged_to_nobody_may_be_for_a_sleeper,
	  sleep_wins_no_wait_for_a_rank_that_works,
	  who_polls_for_a_rank_that_sleeps_needs_no_processor,
	  helpers_of_the_library_are_not_blocked_threads)

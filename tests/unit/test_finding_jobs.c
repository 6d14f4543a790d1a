/* SPDX-License-Identifier: MIT */
/* Each rule on MPI and OpenMP, in jobs of 2 to 256 ranks and teams of as many threads: the cause is
 * found and comes first, and the stake is never more than the time of the cause. */
#include "preload/file/vocabulary.h"
#include "tests/unit/truth.h"

#include <math.h>
#include <stdlib.h>

#define SECOND 1e9
#define MOST   512

/* One second, in which n ranks, or a team of n, work all the time. A story spoils one thing. */
struct job {
	struct symbolizer *symbolizer;
	size_t n;
	struct run_process files[MOST];
	struct process processes[MOST];
	struct mpi_rank ranks[MOST];
	struct mpi_pair pairs[MOST];
	struct mpi_site call, site;
	struct mpi_late late;
	struct mpi_collective collective;
	struct omp_region region;
	struct omp_construct_row construct;
	struct omp_task_row task;
	struct sync_row lock;
	struct sync_object object;
	char *name;
	struct routine_time routine;
	struct run run;
};

static void begin(struct job *job, uint64_t processors, size_t n)
{
	*job = (struct job){.symbolizer = symbolizer_create(NULL), .n = n, .name = "guilty"};
	job->run = (struct run){.names = names_create(job->symbolizer),
				.processes = job->processes,
				.process_count = 1,
				.focus = &job->processes[0],
				.processors = processors,
				.elapsed_ns = (uint64_t)SECOND,
				.routines = {.rows = &job->routine, .count = 1},
				.synchronization = {.rows = &job->lock,
						    .objects = &job->object,
						    .names = &job->name}};
	job->object.kind = "critical";
	job->routine = (struct routine_time){.routine = names_special(job->run.names, "work"),
					     .samples = 4000};
	job->processes[0] = (struct process){.file = &job->files[0], .rank = MPI_NO_RANK};
	job->files[0].process.processors = processors;
	job->files[0].process.threads_peak = job->files[0].process.threads_started = n;
	job->site = job->call = (struct mpi_site){.call = "MPI_Send",
						  .class = MPI_CLASS_SEND,
						  .routine = job->routine.routine,
						  .spread = {.ranks = 2, .max_rank = 1}};
}

static void end(struct job *job)
{
	findings_clear(&told);
	names_destroy(job->run.names);
	symbolizer_destroy(job->symbolizer);
}

/* ---- ranks */

/* Each useful for so long, and in MPI for the rest of its second; rank 0 for `first_ns`. */
static void make_ranks(struct job *job, double useful_ns, double first_ns)
{
	double n = (double)job->n, sum = useful_ns * (n - 1) + first_ns;
	double most = fmax(useful_ns, first_ns);

	job->run.process_count = job->n;
	job->run.mpi = (struct mpi){.is_used = true,
				    .ranks = {.rows = job->ranks, .count = job->n},
				    .lists = {.calls = &job->call, .sites = &job->site},
				    .pairs = {.rows = job->pairs},
				    .collectives = {.rows = &job->collective},
				    .at_once = {job->n, job->n, job->n, job->run.processors},
				    .efficiency = {.elapsed_ns = SECOND,
						   .units = job->n,
						   .parallel = sum / n / SECOND,
						   .load_balance = sum / n / most,
						   .communication = most / SECOND,
						   .average_useful_ns = sum / n,
						   .max_useful_ns = most}};
	for (size_t i = 0; i < job->n; i++) {
		double useful = i ? useful_ns : first_ns;

		job->processes[i] = (struct process){.file = &job->files[i], .rank = i, .index = i};
		job->files[i].process.threads_peak = 1;
		job->ranks[i] = (struct mpi_rank){.rank = i,
						  .process = i,
						  .units = 1,
						  .end_ns = (uint64_t)SECOND,
						  .useful_ns = useful,
						  .cpu_ns = (uint64_t)SECOND,
						  .mpi_ns = (uint64_t)(SECOND - useful)};
	}
	job->run.cpu_ns = (uint64_t)(n * SECOND);
	job->run.efficiency_percent = 100 * n / (double)job->run.processors;
}

static struct truth tell_even_ranks(struct job *job)
{
	make_ranks(job, SECOND, SECOND);
	return (struct truth){0, 0};
}

static struct truth tell_uneven_ranks(struct job *job)
{
	double n = (double)job->n, excess = SECOND / 2 * (n - 1) / n;

	make_ranks(job, SECOND / 2, SECOND);
	return (struct truth){excess, 0.99 * excess};
}

/* By turns one is late, and all others wait for it. */
static struct truth tell_late_rank(struct job *job)
{
	double lost = SECOND / 2 * (double)job->n;

	make_ranks(job, SECOND / 2, SECOND / 2);
	job->late = (struct mpi_late){
		.rank = 1, .routine = job->site.routine, .line = 7, .lost_ns = lost};
	job->collective = (struct mpi_collective){
		.call = "MPI_Barrier", .lost_ns = lost, .late = &job->late, .late_count = 1};
	job->run.mpi.collectives.count = 1;
	return (struct truth){lost, 0.49 * SECOND};
}

/* Each waits for the one before it. */
static struct truth tell_late_sender(struct job *job)
{
	make_ranks(job, SECOND / 2, SECOND / 2);
	for (size_t i = 0; i < job->n; i++)
		job->pairs[i] = (struct mpi_pair){.rank = i,
						  .peer = i ? i - 1 : job->n - 1,
						  .messages_received = 1,
						  .wait_ns = (uint64_t)SECOND / 2};
	job->run.mpi.pairs.count = job->n;
	return (struct truth){SECOND / 2 * (double)job->n, 0.49 * SECOND};
}

static double tell_site(struct job *job, double each_ns, uint64_t calls)
{
	double sum = each_ns * (double)job->n;

	make_ranks(job, SECOND - each_ns, SECOND - each_ns);
	job->site.figures = (struct mpi_figures){
		.count = calls, .sum_ns = (uint64_t)sum, .bytes_sent = 8 * calls};
	job->site.spread.max_ns = each_ns;
	job->run.mpi.lists.site_count = 1;
	return sum;
}

static struct truth tell_small_messages(struct job *job)
{
	double sum = tell_site(job, 0.3 * SECOND, 100000 * job->n);

	return (struct truth){sum, 0.29 * SECOND};
}

static struct truth tell_one_place(struct job *job)
{
	double sum = tell_site(job, 0.15 * SECOND, 100);

	return (struct truth){sum, 0.149 * SECOND};
}

static struct truth tell_communication(struct job *job)
{
	make_ranks(job, SECOND / 2, SECOND / 2);
	return (struct truth){SECOND / 2 * (double)job->n, 0.49 * SECOND};
}

static struct truth tell_start_of_mpi(struct job *job)
{
	make_ranks(job, SECOND / 2, SECOND / 2);
	job->call =
		(struct mpi_site){.call = "MPI_Init",
				  .class = MPI_CLASS_LIFE,
				  .figures = {.sum_ns = (uint64_t)(SECOND / 2 * (double)job->n)}};
	job->run.mpi.lists.call_count = 1;
	return (struct truth){SECOND / 2 * (double)job->n, 0.49 * SECOND};
}

/* Each has a processor for half of the time, and polls for half of that. */
static struct truth tell_many_ranks(struct job *job)
{
	make_ranks(job, SECOND / 4, SECOND / 4);
	for (size_t i = 0; i < job->n; i++) {
		job->ranks[i].cpu_ns = job->ranks[i].ready_ns = (uint64_t)SECOND / 2;
		job->ranks[i].mpi_ns = (uint64_t)SECOND * 3 / 4;
	}
	job->run.cpu_ns = job->run.ready_ns = (uint64_t)(SECOND / 2 * (double)job->n);
	job->run.efficiency_percent = 100;
	return (struct truth){SECOND / 2 * (double)job->n, 0.49 * SECOND};
}

/* ---- teams */

/* A team of n in `count` executions of one region, which lost so much of its threads' time. */
static void make_team(struct job *job, double count, double lost_ns)
{
	double n = (double)job->n, all = n * SECOND, work = all - lost_ns;

	job->run.omp = (struct omp){
		.is_used = true,
		.totals = {.threads = job->n, .processors = job->run.processors, .processes = 1},
		.regions = {.rows = &job->region, .count = 1}};
	job->region = (struct omp_region){.place = {job->routine.routine, 12},
					  .kind = OMP_REGION_PARALLEL,
					  .parent = OMP_NO_REGION,
					  .team_min = job->n,
					  .team_max = job->n,
					  .count = count,
					  .team_count = count * n,
					  .members = count * n,
					  .elapsed_ns = SECOND,
					  .team_elapsed_ns = all,
					  .work_ns = work,
					  .constructs = &job->construct,
					  .tasks = &job->task};
	job->region.spread.members = (double)job->n;
	job->region.spread.sum_ns = work;
	job->region.spread.max_ns = work / n;
	job->construct.routine = job->task.routine = job->region.place.routine;
	job->construct.line = job->task.line = job->region.place.line;
	job->run.cpu_ns = (uint64_t)all;
	job->run.efficiency_percent = 100 * n / (double)job->run.processors;
	job->run.useful = (struct efficiency){.efficiency_percent = 100 * work / SECOND /
								    (double)job->run.processors};
}

static struct truth tell_even_team(struct job *job)
{
	make_team(job, 10, 0);
	return (struct truth){0, 0};
}

static struct truth tell_uneven_team(struct job *job)
{
	double n = (double)job->n, lost = SECOND / 2 * (n - 1);

	make_team(job, 10, lost);
	job->region.spread.max_ns = SECOND;
	job->region.imbalance_ns = lost / n;
	job->region.join_ns = job->region.barrier_ns = lost;
	return (struct truth){lost / n, 0.99 * lost / n};
}

static struct truth tell_serial(struct job *job)
{
	double lost = SECOND / 2 * (double)(job->n - 1);

	make_team(job, 10, lost);
	job->run.omp.totals.serial_ns = SECOND / 2;
	job->run.omp.totals.region_ns = SECOND / 2;
	job->run.omp.totals.lost_serial_ns = lost;
	return (struct truth){SECOND / 2, 0.99 * lost / (double)job->n};
}

static struct truth tell_critical(struct job *job)
{
	double lost = SECOND / 2 * (double)job->n;

	make_team(job, 10, lost);
	job->lock = (struct sync_row){.operation = OP_CRITICAL,
				      .cause = CAUSE_OPENMP,
				      .count = 9,
				      .wait_ns = (uint64_t)lost};
	job->run.synchronization.count = 1;
	return (struct truth){lost, 0.49 * SECOND};
}

static struct truth tell_short_regions(struct job *job)
{
	double lost = 0.3 * SECOND * (double)job->n;

	make_team(job, 20000, lost);
	job->region.fork_ns = lost / 3;
	job->region.join_ns = job->region.barrier_ns = lost * 2 / 3;
	return (struct truth){lost, 0.29 * SECOND};
}

static struct truth tell_small_pieces(struct job *job)
{
	double lost = 0.3 * SECOND * (double)job->n;

	make_team(job, 10, lost);
	job->construct = (struct omp_construct_row){.construct = OMP_CONSTRUCT_LOOP,
						    .routine = job->region.place.routine,
						    .line = job->region.place.line,
						    .count = 20,
						    .pieces = 1e6};
	job->region.construct_count = 1;
	job->region.scheduling_ns = lost;
	return (struct truth){lost, 0.29 * SECOND};
}

static struct truth tell_small_tasks(struct job *job)
{
	double lost = 0.3 * SECOND * (double)job->n;

	make_team(job, 10, lost);
	job->task.executed = job->task.created = 1e6 * (double)job->n;
	job->task.work_ns = job->region.work_ns;
	job->region.task_count = 1;
	job->region.task_wait_ns = lost;
	return (struct truth){lost, 0.29 * SECOND};
}

static struct truth tell_short_sleeps(struct job *job)
{
	double lost = 0.3 * SECOND * (double)job->n;

	make_team(job, 10, lost);
	job->run.omp.totals.wait_policy = OMP_WAIT_PASSIVE;
	job->run.omp.totals.blocked_ns = lost;
	job->run.omp.totals.switches = lost / 40e3;
	return (struct truth){lost, 0.29 * SECOND};
}

/* Half of the threads are ready while the others run, and of these half spin. */
static struct truth tell_large_team(struct job *job)
{
	double all = SECOND * (double)job->run.processors;

	make_team(job, 10, 0);
	job->run.omp.totals.spin_ns = all / 2;
	job->run.omp.totals.wait_policy = OMP_WAIT_PASSIVE;
	job->run.cpu_ns = job->run.ready_ns = (uint64_t)all;
	job->run.efficiency_percent = 100;
	job->run.useful.efficiency_percent = 50;
	return (struct truth){all, 0.49 * SECOND};
}

static struct truth tell_spinning(struct job *job)
{
	struct truth truth = tell_large_team(job);

	job->run.omp.totals.wait_policy = 0;
	job->run.omp.totals.threads = job->run.processors; /* the others are not of the team */
	return (struct truth){truth.cause_ns / 2, truth.least_ns};
}

/* ---- on all machines */

static const struct {
	const char *id; /* NULL: nothing is found */
	struct truth (*tell)(struct job *job);
	bool is_twice; /* as many as processors */
} stories[] = {
	{NULL, tell_even_ranks, false},
	{"rank-imbalance", tell_uneven_ranks, false},
	{"late-rank", tell_late_rank, false},
	{"late-sender", tell_late_sender, false},
	{"small-messages", tell_small_messages, false},
	{"communication", tell_communication, false},
	{"mpi-start", tell_start_of_mpi, false},
	{"mpi-site", tell_one_place, false},
	{"rank-oversubscription", tell_many_ranks, true},
	{NULL, tell_even_team, false},
	{"omp-imbalance", tell_uneven_team, false},
	{"omp-serial", tell_serial, false},
	{"omp-lock", tell_critical, false},
	{"omp-short-regions", tell_short_regions, false},
	{"omp-small-pieces", tell_small_pieces, false},
	{"omp-small-tasks", tell_small_tasks, false},
	{"omp-blocking", tell_short_sleeps, false},
	{"omp-oversubscription", tell_large_team, true},
	{"omp-spinning", tell_spinning, true},
};

#define STORIES (sizeof stories / sizeof *stories)

static void check_story(size_t story, uint64_t processors)
{
	struct job *job = malloc(sizeof *job);

	begin(job, processors, stories[story].is_twice ? 2 * processors : processors);
	struct truth truth = stories[story].tell(job);

	told_of(&job->run);
	check_first(&job->run, stories[story].id, truth, story);
	end(job);
	free(job);
}

START_TEST(the_cause_is_first_in_jobs_of_every_size)
{
	for (size_t story = 0; story < STORIES; story++)
		for (size_t size = 0; size < SIZES; size++)
			check_story(story, sizes[size]);
}
END_TEST

UNIT_MAIN("finding_jobs", the_cause_is_first_in_jobs_of_every_size)

/* SPDX-License-Identifier: MIT */
/* Figures of a run as a whole: times, efficiencies, T_i, states of its threads. */
#include "analyze/base/memory.h"
#include "analyze/diff/extract.h"
#include "analyze/model/common/vocabulary_text.h"
#include "analyze/report/row_fields.h"

#include <math.h>
#include <stdlib.h>

/* ---- overview */

static void add_time(const struct extract *extract, const char *key, double ns, double effect_ns,
		     double disturbed, bool is_cpu)
{
	figures_add(extract->figures, &(struct figure){
					      .section = SECTION_OVERVIEW,
					      .key = key,
					      .metric = "time",
					      .unit = UNIT_NS,
					      .sense = SENSE_LESS,
					      .role = ROLE_DECIDES,
					      .value = ns,
					      .effect_ns = effect_ns,
					      .disturbance = disturbed,
					      .is_cpu = is_cpu,
				      });
}

/* Figures that are computed from others: they only explain. */
static void add_ratio(const struct extract *extract, const char *key, const char *metric,
		      enum figure_unit unit, double value, enum grade grade)
{
	if (isfinite(value))
		figures_add(extract->figures, &(struct figure){
						      .section = SECTION_OVERVIEW,
						      .key = key,
						      .metric = metric,
						      .unit = unit,
						      .sense = SENSE_MORE,
						      .grade = grade,
						      .value = value,
						      .effect_ns = NAN,
					      });
}

static void add_efficiencies(const struct extract *extract, const struct row_fields *fields,
			     const void *row, enum grade grade)
{
	const struct extract_row of = {
		.like = {.section = SECTION_OVERVIEW, .metric = "percent", .grade = grade}};

	extract_fields(extract, &of, fields, row);
}

/* Of the process that had most; one whose memory is not known might have had more. */
static void add_memory(const struct extract *extract)
{
	const struct run *run = extract->run;
	uint64_t most = 0;

	for (size_t i = 0; i < run->process_count; i++) {
		uint64_t bytes = run->processes[i].memory_peak_bytes;

		if (!bytes)
			return;
		most = bytes > most ? bytes : most;
	}
	figures_add(extract->figures, &(struct figure){
					      .section = SECTION_OVERVIEW,
					      .key = "largest process",
					      .metric = "memory",
					      .unit = UNIT_BYTES,
					      .sense = SENSE_LESS,
					      .value = (double)most,
					      .effect_ns = NAN,
				      });
}

void extract_overview(const struct extract *extract)
{
	const struct run *run = extract->run;

	add_time(extract, "elapsed time", (double)run->elapsed_ns, (double)run->elapsed_ns,
		 extract->load.elapsed_ns, false);
	add_time(extract, "CPU time", (double)run->cpu_ns, (double)run->cpu_ns / extract->busy,
		 (double)run->cpu_ns * extract->load.share, true);
	add_ratio(extract, "efficiency", "percent", UNIT_PERCENT, run->efficiency_percent,
		  GRADE_EXACT);
	add_ratio(extract, "CEFF", "percent", UNIT_PERCENT, run_on_processor(run)->ceff_percent,
		  run_on_processor(run)->grade);
	add_ratio(extract, "processors in use", "average", UNIT_NUMBER, run->average_processors,
		  GRADE_EXACT);
	add_memory(extract);
	if (run->mpi.ranks.count)
		add_efficiencies(extract, &mpi_efficiency_fields, &run->mpi,
				 run->mpi.efficiency.grade);
	if (run->omp.is_used)
		add_efficiencies(extract, &omp_efficiency_fields, &run->omp.efficiency,
				 GRADE_EXACT);
}

/* ---- T_i; of a job over all ranks, otherwise of the process with the most CPU time */

static void add_levels(const struct extract *extract, const char *kind,
		       const struct efficiency *efficiency)
{
	for (size_t i = 0; i < efficiency->level_count; i++) {
		const struct efficiency_level *level = &efficiency->levels[i];
		char *key = memory_print("%llu %s", (unsigned long long)level->active, kind);

		if (level->time_ns)
			figures_add(extract->figures, &(struct figure){
							      .section = SECTION_CONCURRENCY,
							      .key = key,
							      .metric = "time",
							      .unit = UNIT_NS,
							      .grade = efficiency->grade,
							      .value = (double)level->time_ns,
							      .effect_ns = (double)level->time_ns,
						      });
		free(key);
	}
}

void extract_concurrency(const struct extract *extract)
{
	const struct run *run = extract->run;

	add_levels(extract, "on a processor", run_on_processor(run));
	add_levels(extract, "useful", run_useful(run));
}

/* ---- states of all threads together */

static struct thread_time sum_of_threads(const struct run *run)
{
	struct thread_time sum = {.is_ready_known = true};

	for (size_t i = 0; i < run->process_count; i++) {
		const struct thread_time *time = &run->processes[i].sum;

		sum.user_ns += time->user_ns;
		sum.system_ns += time->system_ns;
		sum.ready_ns += time->ready_ns;
		sum.blocked_ns += time->blocked_ns;
		sum.is_ready_known &= time->is_ready_known || !time->lifetime_ns;
		sum.blocked_grade = grade_worse(sum.blocked_grade, time->blocked_grade);
		for (size_t cause = 0; cause < CAUSE_COUNT; cause++)
			sum.by_cause_ns[cause] += time->by_cause_ns[cause];
	}
	return sum;
}

/* idle_ns: the part of it due to idle threads. */
static void add_state(const struct extract *extract, const char *key, double ns, double idle_ns,
		      bool is_cpu, enum grade grade, enum figure_role role)
{
	double at_once = is_cpu ? extract->busy : extract->threads;

	figures_add(extract->figures, &(struct figure){
					      .section = SECTION_STATES,
					      .key = key,
					      .metric = "time",
					      .unit = UNIT_NS,
					      .sense = SENSE_LESS,
					      .role = role,
					      .grade = grade,
					      .value = ns,
					      .effect_ns = (ns - idle_ns) / at_once,
					      .disturbance = is_cpu ? ns * extract->load.share : 0,
					      .is_cpu = is_cpu,
				      });
}

/* NULL: merged by a version that did not write sums over threads, of which there are no rows. */
static const struct process *known_of_threads(const struct process *process)
{
	return process_has_carried(process) ? process : NULL;
}

void extract_states(const struct extract *extract)
{
	const struct thread_time sum = sum_of_threads(extract->run);
	double ready = (double)sum.ready_ns;
	double idle = 0;
	enum grade split = thread_time_split_grade(&sum);
	const struct figure of_threads = {.section = SECTION_STATES};

	for (size_t cause = 0; cause < CAUSE_COUNT; cause++)
		idle += extract->idle.by_cause_ns[cause];
	add_state(extract, "user", (double)sum.user_ns, 0, true, split, ROLE_EXPLAINS);
	add_state(extract, "system", (double)sum.system_ns, 0, true, split, ROLE_EXPLAINS);
	add_state(extract, "ready", sum.is_ready_known ? ready : NAN, 0, false, GRADE_EXACT,
		  ROLE_SYMPTOM);
	add_state(extract, "blocked", (double)sum.blocked_ns, idle, false, sum.blocked_grade,
		  ROLE_EXPLAINS);
	for (size_t cause = 0; cause < CAUSE_COUNT; cause++) {
		char *key = memory_print("blocked: %s", vocabulary_cause(cause));

		if (sum.by_cause_ns[cause])
			add_state(extract, key, (double)sum.by_cause_ns[cause],
				  extract->idle.by_cause_ns[cause], false, sum.blocked_grade,
				  cause == CAUSE_OTHER ? ROLE_SYMPTOM : ROLE_EXPLAINS);
		free(key);
	}
	for (size_t i = 0; i < extract->run->process_count; i++)
		extract_carried(extract, &of_threads, &carried_by_process,
				known_of_threads(&extract->run->processes[i]));
}

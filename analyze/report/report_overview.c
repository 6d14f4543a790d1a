/* SPDX-License-Identifier: MIT */
#include "analyze/base/memory.h"
#include "analyze/base/quantity.h"
#include "analyze/model/run/run_others.h"
#include "analyze/model/run/run_unprofiled.h"
#include "analyze/print/json.h"
#include "analyze/print/text_format.h"
#include "analyze/report/report.h"
#include "analyze/report/report_mpi.h"
#include "analyze/report/sections.h"

#include <math.h>
#include <stdlib.h>

static char *sizes_text(const struct run *run)
{
	char *hosts = run->host_count == 1 ? memory_copy_text(run->hosts[0])
					   : memory_print("%zu hosts", run->host_count);
	char *threads = report_mpi_threads_text(run);
	char *text = memory_print("%s, %s on %s",
				  quantity_things((double)run->process_count, "process").text,
				  threads, hosts);

	free(hosts);
	free(threads);
	return text;
}

/* Relative to the processors that the program could use; less than the error is not shown. */
static char *others_text(const struct run *run)
{
	struct run_others others = run_others_of(run);
	bool is_stolen = others.stolen_ns > others.error_ns;

	if (!(others.others_ns > others.error_ns) && !is_stolen)
		return NULL;
	char *time = text_seconds(others.others_ns), *stolen = text_seconds(others.stolen_ns);
	char *text = memory_print("~%s of these processors' time went to other programs and to "
				  "the kernel%s%s",
				  time, is_stolen ? ", and the host of the machine kept ~" : "",
				  is_stolen ? stolen : "");

	free(time);
	free(stolen);
	return text;
}

static char *times_text(const struct run *run)
{
	char *elapsed = text_seconds((double)run->elapsed_ns),
	     *cpu = text_seconds((double)run->cpu_ns);
	char *overhead = text_percent(run->overhead_percent);
	char *text =
		memory_print("%s elapsed, %s CPU time, of which the profiler took %s~%s", elapsed,
			     cpu, run->is_overhead_bounded ? "" : "at least ", overhead);

	free(elapsed);
	free(cpu);
	free(overhead);
	return text;
}

static char *unprofiled_text(const struct run *run)
{
	struct run_unprofiled unprofiled = run_unprofiled_of(run);

	if (!run_unprofiled_is_much(run, &unprofiled))
		return NULL;
	char *time = text_seconds(unprofiled.cpu_ns), *start = text_seconds(unprofiled.start_ns);
	char *text = memory_print(
		"%s of CPU time in no other figure: exec, loading and exit of processes, programs "
		"without a profile, and the profiler's own start%s%s",
		time, isnan(unprofiled.start_ns) ? "" : ", at least ",
		isnan(unprofiled.start_ns) ? "" : start);

	free(time);
	free(start);
	return text;
}

static char *own_start_text(const struct run *run)
{
	char *time = text_seconds((double)run->own_start_ns);
	char *text = run->process_count == 1
			     ? memory_print("%s of the profiler's own, in no other figure", time)
			     : memory_print("%s of the profiler's own in %zu processes, in no "
					    "other figure of theirs",
					    time, run->process_count);

	free(time);
	return text;
}

static char *efficiency_text(const struct run *run)
{
	char *efficiency = text_percent(run->efficiency_percent),
	     *average = text_number(run->average_processors);
	char *text =
		run->processors
			? memory_print("%s: %s of %s in use on average", efficiency, average,
				       quantity_things((double)run->processors, "processor").text)
			: memory_print("unknown: %s processors in use on average", average);

	free(efficiency);
	free(average);
	return text;
}

static char *verdict_text(const struct report *report)
{
	const struct finding *first = findings_first(&report->findings);

	if (!first)
		return memory_copy_text(report_nothing_to_fix(report));
	char *stake = text_percent(first->elapsed_percent);
	char *text = memory_print("%s (%s): %s.", first->title, stake, first->evidence);

	free(stake);
	return text;
}

/* What ran, and what it cost. */
static struct report_facts facts_of_run(const struct report *report)
{
	const struct run *run = report->run;
	struct report_facts facts = {0};

	report_facts_add(&facts, "command", memory_copy_text(run->command));
	report_facts_add(&facts, "run",
			 memory_print("%s, started %s%s", run->files->directory, run->start,
				      run->is_complete ? "" : ", INCOMPLETE (see notes)"));
	report_facts_add(&facts, "size", sizes_text(run));
	report_facts_add(&facts, "time", times_text(run));
	report_facts_add(&facts, "besides", unprofiled_text(run));
	report_facts_add(&facts, "start", run->own_start_ns ? own_start_text(run) : NULL);
	report_facts_add(&facts, "efficiency", efficiency_text(run));
	report_facts_add(&facts, "others", others_text(run));
	return facts;
}

static void add_marks(const struct report *report, struct report_facts *facts)
{
	report_facts_add(
		facts, "marks",
		memory_copy_text(report->is_utf8
					 ? "~ estimated, ± sampled, ? unknown, none: exact"
					 : "~ estimated, +- sampled, ? unknown, none: exact"));
}

struct report_facts report_overview_facts(const struct report *report)
{
	struct report_facts facts = facts_of_run(report);
	bool has_teams = report->run->omp.is_used;

	report_facts_add(&facts, "MPI", report_mpi_summary(report));
	report_facts_add(&facts, "OpenMP", has_teams ? report_openmp_summary(report) : NULL);
	report_facts_add(&facts, "fix first", verdict_text(report));
	add_marks(report, &facts);
	return facts;
}

void report_about_text(const struct report *report)
{
	struct report_facts facts = facts_of_run(report);

	add_marks(report, &facts);
	report_facts_print(report, &facts, 11);
	report_facts_clear(&facts);
}

struct json_object *report_run_json(const struct report *report)
{
	const struct run *run = report->run;
	struct json_object *object = json_object_new_object(), *hosts = json_object_new_array();
	struct run_others others = run_others_of(run);
	struct run_unprofiled unprofiled = run_unprofiled_of(run);

	for (size_t i = 0; i < run->host_count; i++)
		json_object_array_add(hosts, json_text(run->hosts[i]));
	json_add(object, "directory", json_text(run->files->directory));
	json_add(object, "command", json_text(run->command));
	json_add(object, "start", json_text(run->start));
	json_add(object, "elapsed_seconds", json_seconds(run->elapsed_ns));
	json_add(object, "profiler_start_seconds", json_seconds(run->own_start_ns));
	json_add(object, "cpu_seconds", json_seconds(run->cpu_ns));
	json_add(object, "hosts", json_count(run->host_count));
	json_add(object, "host_names", hosts);
	json_add(object, "processes", json_count(run->process_count));
	json_add(object, "threads", json_count(run->thread_count));
	json_add(object, "processors", run->processors ? json_count(run->processors) : NULL);
	json_add(object, "average_processors", json_number(run->average_processors));
	json_add(object, "efficiency_percent", json_number(run->efficiency_percent));
	json_add(object, "complete", json_object_new_boolean(run->is_complete));
	json_add(object, "overhead_percent", json_number(run->overhead_percent));
	json_add(object, "overhead_is_bounded", json_object_new_boolean(run->is_overhead_bounded));
	json_add(object, "beyond_cpu_seconds", json_seconds(run->beyond_cpu_ns));
	json_add(object, "unprofiled_cpu_seconds", json_number(unprofiled.cpu_ns / 1e9));
	json_add(object, "unprofiled_start_seconds", json_number(unprofiled.start_ns / 1e9));
	json_add(object, "units", report_units_json(report));
	json_add(object, "context_switches", json_count(run->switches));
	json_add(object, "others_seconds", json_number(others.others_ns / 1e9));
	json_add(object, "others_error_seconds", json_number(others.error_ns / 1e9));
	json_add(object, "stolen_seconds", json_number(others.stolen_ns / 1e9));
	return object;
}

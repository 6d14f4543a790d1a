/* SPDX-License-Identifier: MIT */
#include "analyze/base/memory.h"
#include "analyze/base/quantity.h"
#include "analyze/print/json.h"
#include "analyze/print/text_format.h"
#include "analyze/print/text_table.h"
#include "analyze/report/report_efficiency.h"
#include "analyze/report/report_screen.h"
#include "analyze/report/sections.h"

#include <stdlib.h>

#define BAR_CELLS 30
/* The level in a damaged profile may be any number. */
#define CU_MAX 65536

static void add_time(const struct report *report, struct text_table *table,
		     const struct efficiency *efficiency, double ns)
{
	bool is_known = efficiency->total_ns;

	text_table_add(table, is_known ? report_graded_seconds(report, ns, efficiency->grade)
				       : memory_copy_text("?"));
	text_table_add(table, is_known ? text_percent(100 * ns / (double)efficiency->total_ns)
				       : memory_copy_text(""));
}

static void add_row(const struct report *report, struct text_table *table, uint64_t low,
		    uint64_t high, bool is_last)
{
	const struct efficiency *on = run_on_processor(report->run),
				*useful = run_useful(report->run);
	double ns = efficiency_range_ns(on, low, high);

	text_table_add(table, is_last && high > low ? memory_print("%llu+", (unsigned long long)low)
						    : text_count(low));
	add_time(report, table, on, ns);
	text_table_add(table, text_bar(on->total_ns ? ns / (double)on->total_ns : 0, BAR_CELLS,
				       report->is_utf8));
	add_time(report, table, useful, efficiency_range_ns(useful, low, high));
}

static void print_levels(const struct report *report)
{
	static const struct text_column columns[] = {
		{"active", TEXT_RIGHT}, {"on a processor", TEXT_RIGHT}, {"", TEXT_RIGHT},
		{"", TEXT_LEFT},        {"useful", TEXT_RIGHT},         {"", TEXT_RIGHT},
	};
	struct text_table *table = text_table_create(columns, sizeof columns / sizeof *columns);
	uint64_t highest = efficiency_highest(run_on_processor(report->run)),
		 useful = efficiency_highest(run_useful(report->run));
	uint64_t limit = report->top ? report->top : 1024;

	highest = useful > highest ? useful : highest;
	for (uint64_t i = 0; i <= highest && i < limit; i++) {
		bool is_last = i + 1 == limit && highest > i;

		add_row(report, table, i, is_last ? highest : i, is_last);
	}
	text_table_print(table, report->out, report->width, report->is_utf8);
}

static void add_figures(const struct report *report, struct text_table *table, const char *name,
			const struct report_efficiency_group *group,
			const struct efficiency *efficiency)
{
	text_table_add(table, memory_copy_text(name));
	for (size_t i = 0; i < REPORT_EFFICIENCY_FIGURES; i++) {
		const struct report_efficiency_figure *figure = &group->figures[i];

		text_table_add(table, text_graded(figure->format(figure->value(efficiency)),
						  efficiency->grade, report->is_utf8));
	}
}

static void print_figures(const struct report *report, const struct report_efficiency_group *group)
{
	struct text_column columns[REPORT_EFFICIENCY_FIGURES + 1] = {{group->title, TEXT_LEFT}};

	for (size_t i = 0; i < REPORT_EFFICIENCY_FIGURES; i++)
		columns[i + 1] = (struct text_column){group->figures[i].title, TEXT_RIGHT};
	struct text_table *table = text_table_create(columns, REPORT_EFFICIENCY_FIGURES + 1);

	add_figures(report, table, "on a processor", group, run_on_processor(report->run));
	add_figures(report, table, "useful", group, run_useful(report->run));
	text_table_print(table, report->out, report->width, report->is_utf8);
}

static char *job_text(const struct report *report)
{
	const struct mpi *mpi = &report->run->mpi;
	char *pop = text_graded(text_percent(100 * mpi->efficiency.parallel), mpi->efficiency.grade,
				report->is_utf8);
	char *text = memory_print(
		"all %zu ranks together, each taken to be independent of the others inside a bin of "
		"its time line; processors: %llu, one for each thread that executes the program. "
		"Check: useful average / processors = %s, POP's parallel efficiency %s",
		mpi->ranks.count, (unsigned long long)mpi->efficiency.units,
		quantity_percent(mpi->useful.efficiency_percent).text, pop);

	free(pop);
	return text;
}

char *report_concurrency_subject(const struct report *report)
{
	const struct run_process *file = report->run->focus->file;

	if (run_is_job(report->run))
		return job_text(report);
	if (report->run->process_count < 2)
		return NULL;
	if (run_is_of_many(report->run))
		return memory_print("all %zu processes together, each taken to run at its mean "
				    "rate throughout its life, independent of the others",
				    report->run->process_count);
	return memory_print("process %u, of %zu the one with the most CPU time: %s",
			    file->header.pid, report->run->process_count, file->process.command);
}

/* Appends ", 2 active for 10 %". */
static char *with_level(char *text, const struct efficiency *efficiency, uint64_t low,
			uint64_t high)
{
	double ns = efficiency_range_ns(efficiency, low, high);
	char *longer = memory_print("%s%s %llu%s active for %s", text, low ? "," : ":",
				    (unsigned long long)low, high > low ? " or more" : "",
				    quantity_percent(100 * ns / (double)efficiency->total_ns).text);

	free(text);
	return longer;
}

/* Takes ownership of whose T_i they are. */
static char *levels_sentence(char *text, const struct efficiency *efficiency)
{
	text = with_level(text, efficiency, 0, 0);
	text = with_level(text, efficiency, 1, 1);
	text = with_level(text, efficiency, 2, UINT64_MAX);
	char *whole = memory_print(
		"%s of the elapsed time; %s threads on average, CAVG %s, CEFF %s", text,
		quantity_number(efficiency->average).text, quantity_number(efficiency->cavg).text,
		quantity_percent(efficiency->ceff_percent).text);

	free(text);
	return whole;
}

/* "0 active 0.1 %, 1 44 %, 2 or more 56 %": T_i of the elapsed time. */
static char *shares_text(const struct report *report, const struct efficiency *efficiency)
{
	enum { LEVELS_MOST = 3 }; /* 0, 1, 2 or more */
	uint64_t highest = efficiency_highest(efficiency);
	char *text = memory_copy_text("");

	for (uint64_t low = 0; low < LEVELS_MOST && low <= highest; low++) {
		bool is_last = low + 1 == LEVELS_MOST && highest > low;
		double ns = efficiency_range_ns(efficiency, low, is_last ? highest : low);
		char *share = text_graded(text_percent(100 * ns / (double)efficiency->total_ns),
					  efficiency->grade, report->is_utf8);
		char *longer = memory_print("%s%s%llu%s %s", text, low ? ", " : "",
					    (unsigned long long)low,
					    !low      ? " active"
					    : is_last ? " or more"
						      : "",
					    share);

		free(share);
		free(text);
		text = longer;
	}
	return text;
}

/* Of several processes the one with nearly all of the CPU time. */
static bool is_of_one(const struct run *run)
{
	return run->process_count > 1 && !run_is_job(run) && !run_is_of_many(run);
}

char *report_screen_concurrency(const struct report *report)
{
	const struct efficiency *on = run_on_processor(report->run);

	if (!on->total_ns)
		return NULL;
	char *shares = shares_text(report, on);
	char *ceff = text_graded(text_percent(on->ceff_percent), on->grade, report->is_utf8);
	char *whose = is_of_one(report->run) ? memory_print("of process %u: ",
							    report->run->focus->file->header.pid)
					     : memory_copy_text("");
	char *text = memory_print("%s%s; CEFF %s, limit %s", whose, shares, ceff,
				  quantity_number(on->executing_limit).text);

	free(whose);

	free(shares);
	free(ceff);
	return text;
}

char *report_together(const struct report *report)
{
	const struct run *run = report->run;
	const struct run_process *file = run->focus->file;

	if (run_is_of_many(run) && run->on_processor.level_count)
		return levels_sentence(memory_print("process %u, the one with the most CPU time",
						    file->header.pid),
				       &run->on_processor);
	if (run->together.on_processor.grade == GRADE_UNKNOWN || run_is_of_many(run))
		return NULL;
	return levels_sentence(
		memory_print("all %zu processes together, about", run->process_count),
		&run->together.on_processor);
}

#define ERRORS_MAX 4 /* levels whose errors a sentence says */

char *report_window_errors(const struct report *report)
{
	const struct efficiency *on = run_on_processor(report->run);
	uint64_t last = efficiency_highest(on) + 1;

	if (!(on->windows > 0))
		return NULL;
	char *text = memory_print("from %.0f windows of switch records of 20 ms, which stand for "
				  "%s; standard errors of what was on a processor:",
				  on->windows, quantity_seconds(on->unseen_ns).text);

	for (uint64_t i = 0; i <= last && i < ERRORS_MAX; i++) {
		char *longer =
			memory_print("%s%s T_%llu %s", text, i ? "," : "", (unsigned long long)i,
				     quantity_seconds(efficiency_level_error_ns(on, i)).text);

		free(text);
		text = longer;
	}
	return text;
}

void report_concurrency_text(const struct report *report)
{
	char *together = report_together(report);
	char *errors = report_window_errors(report);
	char *subject = report_concurrency_subject(report);

	if (together)
		report_print_wrapped(report, "  ", together);
	free(together);
	if (subject)
		report_print_wrapped(report, "  ", subject);
	free(subject);
	print_levels(report);
	if (errors)
		report_print_wrapped(report, "  ", errors);
	free(errors);
	for (size_t i = 0; i < REPORT_EFFICIENCY_GROUPS; i++)
		print_figures(report, &report_efficiency_groups[i]);
}

/* CU_1, CU_2, ..: CU_i is at index i - 1. */
static struct json_object *utilization_json(const struct efficiency *efficiency)
{
	struct json_object *list = json_object_new_array();
	uint64_t highest = efficiency_highest(efficiency);

	for (uint64_t i = 1; i <= highest && i <= CU_MAX; i++)
		json_object_array_add(list, json_number(efficiency_utilization(efficiency, i)));
	return list;
}

static struct json_object *projections_json(const struct efficiency *efficiency)
{
	struct json_object *list = json_object_new_array();

	for (size_t i = 0; i < EFFICIENCY_PROJECTIONS; i++) {
		const struct efficiency_projection *projection = &efficiency->projections[i];
		struct json_object *row = json_object_new_object();

		json_add(row, "processors_factor", json_count(projection->factor));
		json_add(row, "executing_speedup", json_number(projection->executing));
		json_add(row, "elapsed_speedup", json_number(projection->elapsed));
		json_object_array_add(list, row);
	}
	return list;
}

static void add_executing(struct json_object *object, const struct efficiency *efficiency)
{
	bool is_known = efficiency->grade != GRADE_UNKNOWN;

	json_add(object, "cu", is_known ? utilization_json(efficiency) : NULL);
	json_add(object, "cavg", json_number(efficiency->cavg));
	json_add(object, "ceff_percent", json_number(efficiency->ceff_percent));
	json_add(object, "executing_limit", json_number(efficiency->executing_limit));
	json_add(object, "cautious_limit", json_number(efficiency->cautious_limit));
	json_add(object, "virtual_seconds",
		 is_known ? json_seconds(efficiency->executing_ns) : NULL);
	json_add(object, "projections", is_known ? projections_json(efficiency) : NULL);
}

static struct json_object *levels_json(const struct efficiency *efficiency)
{
	struct json_object *levels = json_object_new_array();

	for (size_t i = 0; i < efficiency->level_count; i++) {
		const struct efficiency_level *level = &efficiency->levels[i];
		struct json_object *row = json_object_new_object();

		json_add(row, "active", json_count(level->active));
		json_add(row, "seconds", json_seconds(level->time_ns));
		json_add(row, "percent",
			 json_number(100 * (double)level->time_ns / (double)efficiency->total_ns));
		json_add(row, "error_seconds",
			 json_seconds_of(efficiency_level_error_ns(efficiency, level->active)));
		json_object_array_add(levels, row);
	}
	return levels;
}

/* Whose T_i they are: of one process, of ranks, or of processes. */
struct subject {
	const struct process *process;
	size_t ranks, processes;
};

static struct json_object *count_or_null(size_t count)
{
	return count ? json_count(count) : NULL;
}

static struct json_object *efficiency_json(const struct efficiency *efficiency,
					   struct subject subject)
{
	struct json_object *object = json_object_new_object();

	json_add(object, "grade", json_text(report_grade_text(efficiency->grade)));
	json_add(object, "pid",
		 subject.process ? json_count(subject.process->file->header.pid) : NULL);
	json_add(object, "ranks", count_or_null(subject.ranks));
	json_add(object, "processes", count_or_null(subject.processes));
	json_add(object, "levels", levels_json(efficiency));
	json_add(object, "average", json_number(efficiency->average));
	json_add(object, "efficiency_percent", json_number(efficiency->efficiency_percent));
	json_add(object, "sequential_percent", json_number(efficiency->sequential_percent));
	json_add(object, "amdahl_limit", json_number(efficiency->amdahl_limit));
	add_executing(object, efficiency);
	return object;
}

/* null: of one process, or of a job, the first two are those of all. */
static struct json_object *together_json(const struct run *run)
{
	struct subject subject = {.processes = run->process_count};

	return run->together.on_processor.grade == GRADE_UNKNOWN
		       ? NULL
		       : efficiency_json(&run->together.on_processor, subject);
}

struct json_object *report_concurrency_json(const struct report *report)
{
	struct json_object *object = json_object_new_object();
	const struct run *run = report->run;
	struct subject focus = {.process = run->focus}, shown = focus;

	if (run_is_job(run))
		shown = (struct subject){.ranks = run->mpi.ranks.count};
	else if (run_is_of_many(run))
		shown = (struct subject){.processes = run->process_count};
	json_add(object, "on_processor", efficiency_json(run_on_processor(run), shown));
	json_add(object, "useful", efficiency_json(run_useful(run), shown));
	json_add(object, "together", together_json(run));
	json_add(object, "process_on_processor", efficiency_json(&run->on_processor, focus));
	json_add(object, "process_useful", efficiency_json(&run->useful, focus));
	return object;
}

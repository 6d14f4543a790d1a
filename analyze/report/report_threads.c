/* SPDX-License-Identifier: MIT */
#include "analyze/base/memory.h"
#include "analyze/model/common/vocabulary_text.h"
#include "analyze/model/process/idle_threads.h"
#include "analyze/model/run/thread_lines.h"
#include "analyze/print/json.h"
#include "analyze/print/text_format.h"
#include "analyze/print/text_table.h"
#include "analyze/report/report_carried.h"
#include "analyze/report/sections.h"

#include <stdlib.h>

/* "mutex 1.2 s, idle 3 ms": the largest first, at most three. */
static char *causes_text(const struct thread_time *time)
{
	uint64_t left[CAUSE_COUNT + 1];
	char *text = memory_copy_text("");

	for (size_t i = 0; i < CAUSE_COUNT; i++)
		left[i] = time->by_cause_ns[i];
	left[CAUSE_COUNT] = time->idle_ns;
	for (int shown = 0; shown < 3; shown++) {
		size_t largest = 0;

		for (size_t i = 1; i <= CAUSE_COUNT; i++)
			if (left[i] > left[largest])
				largest = i;
		if (left[largest] < 1000) /* below the precision of the clocks */
			break;
		char *seconds = text_seconds((double)left[largest]);
		const char *what = largest < CAUSE_COUNT ? vocabulary_cause(largest) : "idle";
		char *longer = memory_print("%s%s%s %s", text, shown ? ", " : "", what, seconds);

		free(seconds);
		free(text);
		text = longer;
		left[largest] = 0;
	}
	return text;
}

static void add_name(struct text_table *table, const struct thread_line *line)
{
	const struct profile_process *process = &line->process->file->process;

	if (!line->thread)
		text_table_add(table, memory_copy_text(process->command));
	else if (line->thread->lives > 1)
		text_table_add(table, memory_print("%s (%llu threads)", line->time.shown_name,
						   (unsigned long long)line->thread->lives));
	else
		text_table_add(table, memory_copy_text(line->time.shown_name));
}

static void add_line(const struct report *report, struct text_table *table,
		     const struct thread_line *line)
{
	const struct thread_time *time = &line->time;
	enum grade split = thread_time_split_grade(time);
	bool has_pid = !line->thread || report->run->process_count > 1;

	add_name(table, line);
	text_table_add(table, text_rank(line->process->rank));
	text_table_add(table, has_pid ? text_count(line->process->file->header.pid)
				      : memory_copy_text(""));
	text_table_add(table, line->thread ? text_count(line->thread->tid) : memory_copy_text(""));
	text_table_add(table, text_seconds((double)time->lifetime_ns));
	text_table_add(table, report_graded_seconds(report, (double)time->user_ns, split));
	text_table_add(table, report_graded_seconds(report, (double)time->system_ns, split));
	text_table_add(table, time->is_ready_known ? text_seconds((double)time->ready_ns)
						   : memory_copy_text("?"));
	text_table_add(table, report_graded_seconds(report, (double)time->blocked_ns,
						    time->blocked_grade));
	text_table_add(table, causes_text(time));
}

void report_threads_text(const struct report *report)
{
	static const struct text_column columns[] = {
		{"name", TEXT_FLEXIBLE}, {"rank", TEXT_RIGHT},     {"pid", TEXT_RIGHT},
		{"tid", TEXT_RIGHT},     {"lifetime", TEXT_RIGHT}, {"user", TEXT_SPARE},
		{"system", TEXT_SPARE},  {"ready", TEXT_SPARE},    {"blocked", TEXT_RIGHT},
		{"for", TEXT_FLEXIBLE},
	};
	struct text_table *table = text_table_create(columns, sizeof columns / sizeof *columns);
	struct thread_lines lines = thread_lines_of(report->run, report->is_by_process);

	for (size_t i = 0; i < report_rows(report, lines.count); i++)
		add_line(report, table, &lines.rows[i]);
	text_table_print(table, report->out, report->width, report->is_utf8);
	report_print_rest(report, lines.count);
	free(lines.rows);
}

/* For MPI and OpenMP the whole time in their waits, as they poll: how much of it was blocked is a
 * matter of chance. */
static struct json_object *causes_json(const struct thread_time *time)
{
	struct json_object *object = json_object_new_object();
	uint64_t by_cause_ns[CAUSE_LIMIT];

	for (size_t i = 0; i < CAUSE_COUNT; i++)
		by_cause_ns[i] = time->by_cause_ns[i];
	by_cause_ns[CAUSE_MPI] = time->mpi_ns;
	by_cause_ns[CAUSE_OPENMP] = time->omp_ns;
	for (size_t i = 0; i < CAUSE_COUNT; i++)
		json_add(object, vocabulary_cause(i), json_seconds(by_cause_ns[i]));
	return object;
}

static struct json_object *thread_json(const struct process *process,
				       const struct thread_time *time, double busiest_ns)
{
	const struct profile_thread *thread = time->thread;
	struct json_object *object = json_object_new_object();

	json_add(object, "rank", json_rank(process->rank));
	json_add(object, "pid", json_count(process->file->header.pid));
	json_add(object, "sequence", json_count(process->file->header.sequence));
	json_add(object, "tid", json_count(thread->tid));
	json_add(object, "name", json_text(thread->name));
	json_add(object, "role", time->role ? json_text(time->role) : NULL);
	json_add(object, "lives", json_count(thread->lives));
	json_add(object, "elapsed_seconds", json_seconds(time->lifetime_ns));
	json_add(object, "user_seconds", json_seconds(time->user_ns));
	json_add(object, "system_seconds", json_seconds(time->system_ns));
	json_add(object, "cpu_seconds", json_seconds(thread_time_cpu(time)));
	json_add(object, "user_system_grade",
		 json_text(report_grade_text(thread_time_split_grade(time))));
	json_add(object, "ready_seconds",
		 time->is_ready_known ? json_seconds(time->ready_ns) : NULL);
	json_add(object, "blocked_seconds", json_seconds(time->blocked_ns));
	json_add(object, "idle_seconds", json_seconds(idle_time_ns(time, busiest_ns)));
	json_add(object, "blocked_grade", json_text(report_grade_text(time->blocked_grade)));
	report_add_carried(object, &carried_by_thread, thread);
	json_add(object, "unlocks", json_count(thread->unlocks));
	json_add(object, "waits", causes_json(time));
	return object;
}

struct json_object *report_threads_json(const struct report *report)
{
	struct json_object *list = json_object_new_array();

	for (size_t p = 0; p < report->run->process_count; p++) {
		const struct process *process = &report->run->processes[p];

		double busiest_ns = idle_busiest_ns(process);

		for (size_t t = 0; t < process->thread_count; t++)
			json_object_array_add(
				list, thread_json(process, &process->threads[t], busiest_ns));
	}
	return list;
}

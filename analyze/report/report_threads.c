/* SPDX-License-Identifier: MIT */
#include "analyze/base/memory.h"
#include "analyze/model/common/vocabulary_text.h"
#include "analyze/model/process/idle_threads.h"
#include "analyze/model/run/carried.h"
#include "analyze/model/run/run_lives.h"
#include "analyze/print/json.h"
#include "analyze/print/text_format.h"
#include "analyze/report/report_threads.h"
#include "analyze/report/row_fields.h"
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

/* "worker (8 threads)"; a process by its command. */
static char *name_text(const struct thread_row *row)
{
	if (row->library_threads)
		return memory_print("MPI (%llu thread%s)",
				    (unsigned long long)row->library_threads,
				    row->library_threads == 1 ? "" : "s");
	if (!row->thread)
		return memory_copy_text(row->process->file->process.command);
	if (row->thread->lives > 1)
		return memory_print("%s (%llu threads)", row->time->shown_name,
				    (unsigned long long)row->thread->lives);
	return memory_copy_text(row->time->shown_name);
}

char *report_thread_name(const struct report *report, const struct thread_row *row, bool with_tid)
{
	bool has_pid = !row->thread || report->run->process_count > 1;
	char *name = name_text(row);
	char *rank = text_rank(row->process->rank);
	char *group = *rank     ? memory_print("rank %s", rank)
		      : has_pid ? memory_print("%u", row->process->file->header.pid)
				: memory_copy_text("");
	char *tid = with_tid && row->thread ? text_count(row->thread->tid) : memory_copy_text("");
	char *text = memory_print("%s%s%s%s%s", group, *group && *tid ? "/" : "", tid,
				  *rank            ? ": "
				  : *group || *tid ? " "
						   : "",
				  name);

	free(name);
	free(rank);
	free(group);
	free(tid);
	return text;
}

/* Where it tells lines apart. */
static struct value pid_of(const struct report *report, const struct thread_row *row)
{
	if (row->thread && report->run->process_count == 1)
		return (struct value){.kind = VALUE_NONE};
	return (struct value){.kind = VALUE_COUNT, .whole = row->process->file->header.pid};
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

static const char *cause_at(size_t index)
{
	return index < CAUSE_COUNT ? vocabulary_cause(index) : NULL;
}

#define ROW      const struct thread_row
#define ROW_NAME threads
#include "analyze/report/define_fields.h"

struct thread_row report_thread_row(const struct thread_line *line)
{
	return (struct thread_row){line->process, line->thread, &line->time, line->time.idle_ns,
				   line->begin_ns, line->library_threads};
}

void report_threads_text(const struct report *report)
{
	struct row_table *table = row_table_create(report, &threads_fields);
	struct thread_lines lines = thread_lines_of(report->run, report->is_by_process);

	for (size_t i = 0; i < report_rows(report, lines.count); i++) {
		const struct thread_row row = report_thread_row(&lines.rows[i]);

		row_table_add(table, &row);
	}
	row_table_print(table);
	report_print_rest(report, lines.count);
	free(lines.rows);
}

struct json_object *report_threads_json(const struct report *report)
{
	struct json_object *list = json_object_new_array();
	double begin_ns = lives_begin_of_run_ns(report->run);

	for (size_t p = 0; p < report->run->process_count; p++) {
		const struct process *process = &report->run->processes[p];
		double busiest_ns = idle_busiest_ns(process);

		for (size_t t = 0; t < process->thread_count; t++) {
			const struct thread_time *time = &process->threads[t];
			const struct life life = lives_of_thread(report->run, process, time);
			const struct thread_row row = {
				process, time->thread, time, idle_time_ns(time, busiest_ns),
				lives_begin_after_ns(&life, begin_ns, report->run), 0};

			json_object_array_add(list, row_json(report, &threads_fields, &row));
		}
	}
	return list;
}

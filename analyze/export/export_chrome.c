/* SPDX-License-Identifier: MIT */
/* The JSON trace format of Chrome ("Trace Event Format"), which Perfetto reads: lives of processes
 * and threads, T_i over time, and what waits have instants: collective calls of MPI, and waits that
 * were open at the end.
 *
 * A process of the run is number index + 1 there: images of one pid, and equal pids of two hosts,
 * are different processes. Instants are microseconds since the first process began, on the clock of
 * the first host. Written as it comes, by hand but for its texts: json-c keeps a document in
 * memory. */
#include "analyze/export/chrome_collectives.h"
#include "analyze/export/chrome_wait.h"
#include "analyze/export/export.h"
#include "analyze/export/export_text.h"
#include "analyze/memory.h"
#include "analyze/model/thread_time.h"
#include "analyze/model/vocabulary_text.h"

#include <math.h>
#include <stdlib.h>

/* No thread of Linux has this number (pid_max is at most 2^22). Collective calls do not say which
 * thread made them, so they have a track of their own. */
#define COLLECTIVES_TRACK ((1u << 22) + 1)
/* With more processes than that, T_i is written of the run only. */
#define COUNTERS_MAX 256

struct chrome {
	struct export *export;
	FILE *out;
	const char *separator;
	int64_t *offset_of; /* by process: to be added to its instants */
	int64_t start_ns;   /* of the run, on the first host's clock */
	struct chrome_collectives *collectives;
	uint64_t arrows;
};

/* ---- clocks */

static int64_t realtime_offset(const struct process *process)
{
	const struct format_header *header = &process->file->header;

	return (int64_t)(header->start_realtime_ns - header->start_ns);
}

/* Between hosts only the times of day compare; ranks are aligned better (mpi_clocks.h). */
static void read_clocks(struct chrome *chrome)
{
	const struct run *run = chrome->export->run;
	const struct mpi_ranks *ranks = &run->mpi.ranks;
	size_t base = ranks->count ? ranks->rows[0].process : 0;

	chrome->offset_of = memory_allocate(run->process_count, sizeof *chrome->offset_of);
	for (size_t i = 0; run->host_count > 1 && i < run->process_count; i++)
		chrome->offset_of[i] = realtime_offset(&run->processes[i]) -
				       realtime_offset(&run->processes[base]);
	for (size_t i = 0; run->host_count > 1 && i < ranks->count; i++)
		chrome->offset_of[ranks->rows[i].process] =
			(int64_t)mpi_clocks_offset(&run->mpi.clocks, i);
	chrome->start_ns = INT64_MAX;
	for (size_t i = 0; i < run->process_count; i++) {
		int64_t start =
			(int64_t)run->processes[i].file->header.start_ns + chrome->offset_of[i];

		chrome->start_ns = start < chrome->start_ns ? start : chrome->start_ns;
	}
}

static int64_t instant(const struct chrome *chrome, size_t process, uint64_t ns)
{
	return (int64_t)ns + chrome->offset_of[process] - chrome->start_ns;
}

/* ---- events */

/* Up to the event's args, which the caller writes and closes with "}". */
static void begin_event(struct chrome *chrome, char phase, size_t process, uint64_t thread,
			const char *name)
{
	fprintf(chrome->out,
		"%s\n{\"ph\":\"%c\",\"pid\":%zu,\"tid\":%llu,\"name\":", chrome->separator, phase,
		process + 1, (unsigned long long)thread);
	export_json_text(chrome->out, name);
	chrome->separator = ",";
}

static void put_instant(struct chrome *chrome, const char *key, int64_t ns)
{
	fprintf(chrome->out, ",\"%s\":", key);
	export_microseconds(chrome->out, ns);
}

static void put_text(struct chrome *chrome, const char *key, const char *text)
{
	fprintf(chrome->out, "\"%s\":", key);
	export_json_text(chrome->out, text);
}

static void name_track(struct chrome *chrome, const char *what, size_t process, uint64_t thread,
		       const char *name)
{
	begin_event(chrome, 'M', process, thread, what);
	fputs(",\"args\":{", chrome->out);
	put_text(chrome, "name", name);
	fputs("}}", chrome->out);
}

/* ---- processes */

static void write_process(struct chrome *chrome, const struct process *process)
{
	size_t index = process->index;
	const struct run_process *file = process->file;
	bool is_rank = process->rank != MPI_NO_RANK;
	char *name = is_rank ? memory_print("rank %llu: %s", (unsigned long long)process->rank,
					    file->process.command)
			     : memory_copy_text(file->process.command);

	name_track(chrome, "process_name", index, 0, name);
	free(name);
	name = memory_print("%s, pid %u, %s", file->process.host, file->header.pid,
			    process->status);
	begin_event(chrome, 'M', index, 0, "process_labels");
	fputs(",\"args\":{", chrome->out);
	put_text(chrome, "labels", name);
	fputs("}}", chrome->out);
	free(name);
	begin_event(chrome, 'M', index, 0, "process_sort_index");
	fprintf(chrome->out, ",\"args\":{\"sort_index\":%llu}}",
		(unsigned long long)(is_rank ? process->rank : index));
	begin_event(chrome, 'i', index, 0, process->status);
	put_instant(chrome, "ts", instant(chrome, index, process->life.end_ns));
	fputs(",\"s\":\"p\"}", chrome->out);
}

/* ---- threads */

static void put_seconds(struct chrome *chrome, const char *key, uint64_t ns)
{
	fprintf(chrome->out, ",\"%s\":%llu.%09llu", key, (unsigned long long)(ns / 1000000000u),
		(unsigned long long)(ns % 1000000000u));
}

static void put_states(struct chrome *chrome, const struct thread_time *time)
{
	static const char *const grades[] = {"\"exact\"", "\"sampled\"", "\"estimated\"", "null"};

	fprintf(chrome->out, "\"tid\":%llu,\"lives\":%llu", (unsigned long long)time->thread->tid,
		(unsigned long long)time->thread->lives);
	put_seconds(chrome, "user_seconds", time->user_ns);
	put_seconds(chrome, "system_seconds", time->system_ns);
	if (time->is_ready_known)
		put_seconds(chrome, "ready_seconds", time->ready_ns);
	else
		fputs(",\"ready_seconds\":null", chrome->out);
	put_seconds(chrome, "blocked_seconds", time->blocked_ns);
	fprintf(chrome->out, ",\"blocked_grade\":%s", grades[time->blocked_grade]);
	for (size_t i = 0; i < CAUSE_LIMIT; i++)
		if (time->by_cause_ns[i] && i < CAUSE_COUNT) {
			char *key = memory_print("blocked_%s_seconds", vocabulary_cause(i));

			put_seconds(chrome, key, time->by_cause_ns[i]);
			free(key);
		}
}

/* A row of several short threads shows the last of them. */
static void write_thread(struct chrome *chrome, const struct process *process,
			 const struct thread_time *time)
{
	const struct profile_thread *row = time->thread;
	bool is_alive = row->flags & THREAD_ALIVE;
	uint64_t end = is_alive ? process->life.end_ns : row->updated_ns;

	name_track(chrome, "thread_name", process->index, row->tid,
		   *row->name ? row->name : "[unnamed]");
	if (end < row->birth_ns)
		return;
	begin_event(chrome, 'X', process->index, row->tid, "thread");
	put_instant(chrome, "ts", instant(chrome, process->index, row->birth_ns));
	put_instant(chrome, "dur", (int64_t)(end - row->birth_ns));
	fputs(",\"cat\":\"life\",\"args\":{", chrome->out);
	put_states(chrome, time);
	fputs("}}", chrome->out);
}

/* The first of an event's args. */
static void put_place(struct chrome *chrome, const struct profile *profile, size_t callpath)
{
	struct names *names = chrome->export->run->names;
	const struct frame *frame = names_user_frame(names, profile, callpath);

	char *place = frame ? names_place_text(names, frame->routine, frame->line)
			    : memory_copy_text("[unknown]");

	put_text(chrome, "place", place);
	free(place);
}

static void write_open_wait(struct chrome *chrome, const struct profile *profile,
			    const struct process *process, const struct thread_time *time)
{
	const struct profile_thread *row = time->thread;
	char *name = chrome_wait_name(chrome->export->run->names, profile, time);

	if (name) {
		begin_event(chrome, 'X', process->index, row->tid, name);
		put_instant(chrome, "ts", instant(chrome, process->index, row->waiting_since_ns));
		put_instant(chrome, "dur", (int64_t)time->open_wait_ns);
		fputs(",\"cat\":\"wait\",\"args\":{", chrome->out);
		put_place(chrome, profile, row->waiting_path);
		fputs("}}", chrome->out);
	}
	free(name);
}

/* ---- T_i over time */

static int compare_bins(const void *left, const void *right)
{
	const struct profile_timeline *a = left, *b = right;

	return (a->bin > b->bin) - (a->bin < b->bin);
}

static void write_counter(struct chrome *chrome, size_t process, int64_t ns, const char *name,
			  double threads)
{
	begin_event(chrome, 'C', process, 0, name);
	put_instant(chrome, "ts", ns);
	fprintf(chrome->out, ",\"args\":{\"threads\":%.4f}}", threads);
}

/* A counter keeps its value until the next one: after a bin that nothing follows it is 0. */
static void write_line(struct chrome *chrome, size_t process, const struct profile_timeline *rows,
		       size_t count, uint64_t metric, const char *name)
{
	uint64_t end = 0;

	for (size_t i = 0; i < count; i++) {
		const struct profile_timeline *row = &rows[i];

		if (row->metric != metric || row->shift >= 60 || row->bin >> (60 - row->shift))
			continue;
		if (end && end < row->bin << row->shift)
			write_counter(chrome, process, instant(chrome, process, end), name, 0);
		write_counter(chrome, process, instant(chrome, process, row->bin << row->shift),
			      name, (double)row->time_ns / (double)((uint64_t)1 << row->shift));
		end = (row->bin + 1) << row->shift;
	}
	if (end)
		write_counter(chrome, process, instant(chrome, process, end), name, 0);
}

static void write_lines(struct chrome *chrome, const struct profile *profile, size_t process)
{
	size_t count = profile->timeline.count;
	struct profile_timeline *rows = memory_allocate(count, sizeof *rows);

	for (size_t i = 0; i < count; i++)
		rows[i] = profile->timeline.rows[i];
	qsort(rows, count, sizeof *rows, compare_bins);
	write_line(chrome, process, rows, count, TIMELINE_USEFUL, "useful threads");
	write_line(chrome, process, rows, count, TIMELINE_ON_PROCESSOR, "threads on a processor");
	free(rows);
}

/* Process 0 of the trace is the run. */
static void write_run_lines(struct chrome *chrome)
{
	const struct run_timeline *line = &chrome->export->run->timeline;

	name_track(chrome, "process_name", (size_t)-1, 0, "the run: all processes together");
	for (size_t bin = 0; bin <= line->count && line->count; bin++) {
		int64_t ns = (int64_t)(line->start_ns + bin * line->bin_ns) - chrome->start_ns;
		bool is_end = bin == line->count;

		write_counter(chrome, (size_t)-1, ns, "useful threads",
			      is_end ? 0 : line->useful_ns[bin] / (double)line->bin_ns);
		write_counter(chrome, (size_t)-1, ns, "threads on a processor",
			      is_end ? 0 : line->on_processor_ns[bin] / (double)line->bin_ns);
	}
}

/* ---- collective calls */

/* From whoever came last to whoever waited for it. */
static void write_arrow(struct chrome *chrome, const struct chrome_arrival *from, size_t to,
			int64_t leave_ns)
{
	uint64_t id = ++chrome->arrows;

	begin_event(chrome, 's', from->process - 1, COLLECTIVES_TRACK, "awaited");
	put_instant(chrome, "ts", from->enter_ns - chrome->start_ns);
	fprintf(chrome->out, ",\"cat\":\"wait\",\"id\":%llu}", (unsigned long long)id);
	begin_event(chrome, 'f', to, COLLECTIVES_TRACK, "awaited");
	put_instant(chrome, "ts", leave_ns);
	fprintf(chrome->out, ",\"cat\":\"wait\",\"bp\":\"e\",\"id\":%llu}", (unsigned long long)id);
}

static void write_collective(struct chrome *chrome, const struct profile *profile,
			     const struct process *process,
			     const struct profile_mpi_collective *row)
{
	uint64_t leave = row->leave_ns ? row->leave_ns : process->life.end_ns;
	const struct chrome_collective *collective =
		chrome_collectives_find(chrome->collectives, profile, row);
	int64_t enter_ns = (int64_t)row->enter_ns + chrome->offset_of[process->index];
	const struct chrome_arrival *awaited =
		collective ? chrome_collectives_awaited(collective, profile, row, enter_ns) : NULL;

	if (leave < row->enter_ns)
		return;
	begin_event(chrome, 'X', process->index, COLLECTIVES_TRACK,
		    profile->mpi_names.rows[row->call].name);
	put_instant(chrome, "ts", enter_ns - chrome->start_ns);
	put_instant(chrome, "dur", (int64_t)(leave - row->enter_ns));
	fputs(",\"cat\":\"mpi\",\"args\":{", chrome->out);
	put_place(chrome, profile, row->callpath);
	fprintf(chrome->out, ",\"sequence\":%llu", (unsigned long long)row->sequence);
	if (awaited)
		fprintf(chrome->out, ",\"waited_for_rank\":%llu",
			(unsigned long long)chrome->export->run->processes[awaited->process - 1]
				.rank);
	fputs("}}", chrome->out);
	if (awaited)
		write_arrow(chrome, awaited, process->index,
			    instant(chrome, process->index, leave));
}

static void write_collectives(struct chrome *chrome, const struct profile *profile,
			      const struct process *process)
{
	if (!profile->mpi_collectives.count)
		return;
	name_track(chrome, "thread_name", process->index, COLLECTIVES_TRACK, "MPI collectives");
	for (size_t i = 0; i < profile->mpi_collectives.count; i++)
		write_collective(chrome, profile, process, &profile->mpi_collectives.rows[i]);
}

/* ---- the whole */

static void add_collectives(void *data, const struct profile *profile,
			    const struct process *process)
{
	struct chrome *chrome = data;

	chrome_collectives_add(chrome->collectives, profile, process->index,
			       chrome->offset_of[process->index]);
}

static void write_profile(void *data, const struct profile *profile, const struct process *process)
{
	struct chrome *chrome = data;

	for (size_t i = 0; i < process->thread_count; i++) {
		write_thread(chrome, process, &process->threads[i]);
		write_open_wait(chrome, profile, process, &process->threads[i]);
	}
	if (chrome->export->run->process_count <= COUNTERS_MAX)
		write_lines(chrome, profile, process->index);
	write_collectives(chrome, profile, process);
}

static void write_end(struct chrome *chrome)
{
	const struct run *run = chrome->export->run;
	double error = run->mpi.is_used ? mpi_clocks_error(&run->mpi.clocks) : NAN;

	fputs("\n],\n\"displayTimeUnit\":\"ms\",\n\"otherData\":{\n", chrome->out);
	put_text(chrome, "command", run->command);
	fputs(",\n", chrome->out);
	put_text(chrome, "start", run->start);
	fputs(",\n", chrome->out);
	put_text(chrome, "exporter", "ptrace-export " PTRACE_VERSION);
	fputs(",\n", chrome->out);
	put_text(chrome, "what this is",
		 "a summary over time, no event trace: single waits, samples and messages have no "
		 "instants in a profile. There are lives of threads with their time by state, "
		 "counters of average threads by bin, recorded collective calls of MPI (a sample "
		 "where there were many) with an arrow from the rank that was awaited, and waits "
		 "that were open at the end. Nothing between these means that nothing happened.");
	if (chrome->export->files->merged_count)
		fputs(",\n\"merged\":\"a merged run keeps no instants of threads and calls\"",
		      chrome->out);
	if (run->process_count > COUNTERS_MAX)
		fprintf(chrome->out, ",\n\"counters\":\"of the run only: more than %d processes\"",
			COUNTERS_MAX);
	if (run->host_count > 1) {
		fputs(",\n\"clock_error_us\":", chrome->out);
		if (isfinite(error))
			fprintf(chrome->out, "%.3f", error / 1000);
		else
			fputs("null", chrome->out);
	}
	fputs("}}\n", chrome->out);
}

void export_chrome(struct export *export)
{
	struct chrome chrome = {
		.export = export,
		.out = export->out,
		.separator = "",
		.collectives = chrome_collectives_create(),
	};

	read_clocks(&chrome);
	fputs("{\"traceEvents\":[", chrome.out);
	for (size_t i = 0; i < export->run->process_count; i++)
		write_process(&chrome, &export->run->processes[i]);
	write_run_lines(&chrome);
	if (export->run->mpi.is_used)
		export_profiles(export, add_collectives, &chrome);
	export_profiles(export, write_profile, &chrome);
	write_end(&chrome);
	chrome_collectives_destroy(chrome.collectives);
	free(chrome.offset_of);
}

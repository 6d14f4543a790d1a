/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE 1
#include "analyze/model/run/run_notes.h"

#include "analyze/base/memory.h"
#include "analyze/base/quantity.h"
#include "analyze/model/common/vocabulary_text.h"
#include "analyze/model/mpi/missing_ranks.h"
#include "analyze/model/openmp/omp_places.h"
#include "analyze/model/run/conservation.h"
#include "analyze/model/run/run_clock_notes.h"
#include "analyze/model/run/run_end_notes.h"
#include "analyze/model/run/run_symbol_notes.h"
#include "analyze/model/sync/sync_object.h"
#include "analyze/tables/merged_input.h"

#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define FILES_NAMED 3 /* of the files without symbols */
#define OPEN_WAITS_NAMED                                                                           \
	5 /* of a process; a pool of a thousand idle threads is one note, not a thousand */

#define REMEDY "--symbols DIR finds files of the run that lie below DIR"

struct run_notes_accumulator {
	struct names *names;
	struct text_list own; /* what profiles say */
	struct text_list laws;
	struct text_list modules; /* of merged runs */
	struct text_list missing; /* what profiles say, too: because of it the run is incomplete */
};

/* Of a merged file. */
enum note_kind { NOTE_OF_FILES, NOTE_OWN, NOTE_LAW, NOTE_OF_MODULES, NOTE_MISSING };

/* The file has the words as well, for codes that are newer than this program. An error has a text.
 */
static char *fill_in(const char *text, uint64_t detail)
{
	const char *place = strstr(text, "%u"), *before = "error ";
	size_t length = strlen(before);

	if (!place)
		return memory_copy_text(text);
	bool is_error =
		(size_t)(place - text) >= length && strncmp(place - length, before, length) == 0;
	const char *words = is_error && detail <= INT_MAX ? strerrordesc_np((int)detail) : NULL;

	return memory_print("%.*s%llu%s%s%s", (int)(place - text), text, (unsigned long long)detail,
			    words ? ", " : "", words ? words : "", place + 2);
}

static void add_full_tables(struct run_notes_accumulator *accumulator,
			    const struct profile *profile)
{
	const struct format_header *header = &profile->header;

	if (header->lost_rows)
		text_list_add(&accumulator->own,
			      "process %u: tables of its profile were full (%s): calls of "
			      "further objects, waits and samples of further places are aggregated "
			      "into rows [other]%s",
			      header->pid, quantity_things((double)header->lost_rows, "time").text,
			      header->is_missing ? "" : ", and sums are whole");
	if (header->is_missing)
		text_list_add(&accumulator->missing,
			      "process %u: its profile had no room for the tables of some threads: "
			      "their calls, waits or samples from then on are in no figure",
			      header->pid);
}

static void add_profile_notes(struct run_notes_accumulator *accumulator,
			      const struct profile *profile)
{
	for (size_t i = 0; i < profile->notes.count; i++) {
		const struct profile_note *note = &profile->notes.rows[i];
		struct text_list *notes = note->code == NOTE_THREADS_UNOBSERVED
						  ? &accumulator->missing
						  : &accumulator->own;
		char *words = fill_in(*note->text ? note->text : vocabulary_note(note->code),
				      note->detail);

		if (*words && note->count > 1)
			text_list_add(notes, "process %u: %s (%llu times)", profile->header.pid,
				      words, (unsigned long long)note->count);
		else if (*words)
			text_list_add(notes, "process %u: %s", profile->header.pid, words);
		free(words);
	}
	add_full_tables(accumulator, profile);
}

/* "mutex queue_lock", "mutex created at main (x.c:12)", "nanosleep" */
static char *object_text(struct names *names, const struct profile *profile,
			 const struct profile_thread *thread)
{
	if (!thread->waiting_object)
		return memory_copy_text(vocabulary_cause(thread->waiting_cause));
	struct sync_object object = sync_object_of(names, profile, thread->waiting_object, OP_NONE);
	char *name = sync_object_name(&object);
	bool says_kind = strstr(name, " at ") || !strncmp(name, "thread", 6);
	char *text = says_kind ? memory_copy_text(name) : memory_print("%s %s", object.kind, name);

	free(name);
	return text;
}

/* The process may have gone on. */
static const char *what_ended(const struct process *process)
{
	bool goes_on = process->life.state == LIFE_DETACHED || process->life.state == LIFE_SAVED;

	return goes_on ? "profile" : "process";
}

static void add_open_wait(struct run_notes_accumulator *accumulator, const struct profile *profile,
			  const struct process *process, const struct thread_time *time)
{
	const struct profile_thread *thread = time->thread;
	const struct frame *frame =
		names_user_frame(accumulator->names, profile, thread->waiting_path);
	const char *end = what_ended(process);
	bool is_running = process->life.state == LIFE_RUNNING;
	char *object = object_text(accumulator->names, profile, thread);
	char *place = frame ? names_place_text(accumulator->names, frame->routine, frame->line)
			    : memory_copy_text("an unknown place");

	text_list_add(&accumulator->own,
		      is_running ? "thread %llu has been waiting for %s at %s for %s"
				 : "thread %llu was waiting for %s at %s for %s when the %s ended",
		      (unsigned long long)thread->tid, object, place,
		      quantity_seconds((double)time->open_wait_ns).text, end);
	free(object);
	free(place);
}

static int compare_waits(const void *left, const void *right)
{
	const struct thread_time *a = *(const struct thread_time *const *)left;
	const struct thread_time *b = *(const struct thread_time *const *)right;

	if (a->open_wait_ns != b->open_wait_ns)
		return a->open_wait_ns > b->open_wait_ns ? -1 : 1;
	return (a->index > b->index) - (a->index < b->index);
}

/* Idle members of a team wait until the end of every program that uses OpenMP. What a thread waited
 * for before it was attached to has no name. */
static bool is_worth_a_note(const struct thread_time *time)
{
	return time->open_wait_ns && time->thread->waiting_cause != CAUSE_OTHER &&
	       !(time->thread->waiting_cause == CAUSE_OPENMP && !time->thread->waiting_object);
}

static void add_open_waits(struct run_notes_accumulator *accumulator, const struct profile *profile,
			   const struct process *process)
{
	const struct thread_time **waiting =
		memory_allocate(process->thread_count, sizeof *waiting);
	size_t count = 0;

	for (size_t i = 0; i < process->thread_count; i++)
		if (is_worth_a_note(&process->threads[i]))
			waiting[count++] = &process->threads[i];
	qsort(waiting, count, sizeof *waiting, compare_waits);
	for (size_t i = 0; i < count && i < OPEN_WAITS_NAMED; i++)
		add_open_wait(accumulator, profile, process, waiting[i]);
	if (count > OPEN_WAITS_NAMED)
		text_list_add(
			&accumulator->own, "process %u: besides, %s waited", profile->header.pid,
			quantity_things((double)(count - OPEN_WAITS_NAMED), "more thread").text);
	free(waiting);
}

/* Where a program with OpenMP hangs, or was killed. */
static void add_open_regions(struct run_notes_accumulator *accumulator,
			     const struct profile *profile, const struct process *process)
{
	const char *end = what_ended(process);
	bool is_running = process->life.state == LIFE_RUNNING;
	size_t named = 0;

	for (size_t i = 0; i < profile->omp_threads.count && named < OPEN_WAITS_NAMED; i++) {
		const struct profile_omp_thread *row = &profile->omp_threads.rows[i];
		const struct profile_omp_region *region = &profile->omp_regions.rows[row->region];
		uint64_t end_ns = process->life.end_ns;

		if (!row->region_since_ns || !row->region || row->region_since_ns > end_ns)
			continue;
		struct frame place = omp_place_of(accumulator->names, profile, region->place,
						  region->flags & OMP_REGION_AT_ENTRY);
		char *text = names_place_text(accumulator->names, place.routine, place.line);

		text_list_add(&accumulator->own,
			      is_running ? "thread %llu has been in the OpenMP region %s for %s"
					 : "thread %llu was in the OpenMP region %s for %s when "
					   "the %s ended",
			      (unsigned long long)profile->threads.rows[row->thread].tid, text,
			      quantity_seconds((double)(end_ns - row->region_since_ns)).text, end);
		free(text);
		named++;
	}
}

struct run_notes_accumulator *run_notes_accumulator_create(struct names *names)
{
	struct run_notes_accumulator *accumulator = memory_allocate(1, sizeof *accumulator);

	accumulator->names = names;
	return accumulator;
}

void run_notes_accumulator_add(struct run_notes_accumulator *accumulator,
			       const struct profile *profile, const struct process *process)
{
	add_open_waits(accumulator, profile, process);
	add_open_regions(accumulator, profile, process);
	add_profile_notes(accumulator, profile);
	if (process->life.state != LIFE_EXITED && process->life.state != LIFE_DETACHED)
		return;
	conservation_check_blame(profile, &accumulator->laws);
	conservation_check_openmp(profile, &accumulator->laws);
}

static void append(struct text_list *to, const struct text_list *from)
{
	for (size_t i = 0; i < from->count; i++)
		text_list_add(to, "%s", from->texts[i]);
}

static void write_list(struct merged_writer *writer, enum note_kind kind,
		       const struct text_list *list)
{
	for (size_t i = 0; i < list->count; i++) {
		struct merged_notes row = {kind, list->texts[i]};

		merged_writer_add(writer, MERGED_notes, &row);
	}
}

static void add_modules(struct text_list *problems, const struct names *names)
{
	const char *problem;

	for (size_t i = 0; (problem = names_module_problem(names, i)); i++)
		text_list_add(problems, "%s", problem);
}

void run_notes_accumulator_write(const struct run_notes_accumulator *accumulator,
				 const struct run *run, struct merged_writer *writer)
{
	struct text_list modules = {0}, lacks = {0};

	append(&modules, &accumulator->modules);
	add_modules(&modules, run->names);
	write_list(writer, NOTE_OF_FILES, &run->files->problems);
	write_list(writer, NOTE_OWN, &accumulator->own);
	run_note_lacks(&lacks, run->names);
	write_list(writer, NOTE_OWN, &lacks);
	text_list_clear(&lacks);
	write_list(writer, NOTE_LAW, &accumulator->laws);
	write_list(writer, NOTE_OF_MODULES, &modules);
	write_list(writer, NOTE_MISSING, &accumulator->missing);
	text_list_clear(&modules);
}

void run_notes_accumulator_read(struct run_notes_accumulator *accumulator, struct run_files *files,
				const struct merged_input *input)
{
	struct text_list *lists[] = {&files->problems, &accumulator->own, &accumulator->laws,
				     &accumulator->modules, &accumulator->missing};
	struct merged_notes row;

	for (size_t next = 0; merged_next(input, MERGED_notes, &next, &row);)
		if (row.kind <= NOTE_MISSING)
			text_list_add(lists[row.kind], "%s", row.text);
}

static void add_missing_ranks(struct run *run, size_t number)
{
	const struct mpi_job *job = &run->mpi.jobs.rows[number];
	char *missing = missing_ranks(&run->mpi.ranks, job);
	char *of_job = run->mpi.jobs.count > 1 ? memory_print("job %zu: ", number + 1)
					       : memory_copy_text("");

	if (missing)
		text_list_add(
			&run->notes,
			"%srank%s %s of %llu left no profile: killed before MPI_Init, on a host whose "
			"files are not here, or not profiled",
			of_job, strpbrk(missing, ",-") ? "s" : "", missing,
			(unsigned long long)job->size);
	run->is_complete &= !missing;
	free(missing);
	free(of_job);
}

static void add_unseen_children(struct run *run)
{
	if (!run->mpi.jobs.unseen)
		return;
	text_list_add(
		&run->notes,
		"%s that MPI_Comm_spawn started left no profile: the launcher did not pass the "
		"profiler on; ptrace-run before the launcher sees all of them",
		quantity_things((double)run->mpi.jobs.unseen, "process").text);
	run->is_complete = false;
}

/* Less than a hundredth of the CPU time, or than a millisecond, is not worth a note. */
static void add_beyond(struct run *run)
{
	if (run->beyond_cpu_ns < 1000000 || run->beyond_cpu_ns < run->cpu_ns / 100)
		return;
	text_list_add(&run->notes,
		      "%s of CPU time are in no figure, beside the threads' %s: what %zu "
		      "threads used after their last reading, which is mostly the kernel's for "
		      "their ends, or threads that were not observed",
		      quantity_seconds((double)run->beyond_cpu_ns).text,
		      quantity_seconds((double)run->cpu_ns).text, run->thread_count);
}

static void add_switching(struct run *run)
{
	if (run->is_overhead_bounded)
		return;
	text_list_add(
		&run->notes,
		"%s context switches a second of CPU time: at each of them the profiler takes some "
		"microseconds, which may change who waits for whom; what it costs is more than its "
		"own time, measure the program without it (time, perf stat -e context-switches)",
		quantity_rate((double)run->switches / ((double)run->cpu_ns / 1e9)).text);
}

static void add_left_out(struct run *run)
{
	uint64_t measured = 0, waits = 0;
	bool has_signals = false; /* and posts */

	for (size_t i = 0; i < run->synchronization.count; i++) {
		const struct sync_row *row = &run->synchronization.rows[i];

		has_signals |= row->left_out &&
			       (row->cause == CAUSE_CONDITION || row->cause == CAUSE_SEMAPHORE);
		measured += row->left_out ? sync_row_measured(row) : 0;
		waits += row->left_out ? row->contended : 0;
	}
	if (!waits)
		return;
	text_list_add(&run->notes,
		      "%llu of %llu waits for locks%s were measured in full, all of them would "
		      "have cost too much: how many they were and how long is exact, who waited "
		      "and who held the lock%s is sampled",
		      (unsigned long long)measured, (unsigned long long)waits,
		      has_signals ? ", conditions and semaphores" : "",
		      has_signals ? " or signalled" : "");
}

static void add_untimed(struct run *run)
{
	size_t untimed = call_times_count_unknown(&run->calls);

	if (untimed)
		text_list_add(&run->notes,
			      "calls of %zu %s counted and not timed: -pg tells no ends of calls, "
			      "-finstrument-functions does (a routine's calls are also not timed "
			      "if all of them interrupted the profiler)",
			      untimed, untimed == 1 ? "routine were" : "routines were");
}

void run_notes_accumulator_finish(struct run_notes_accumulator *accumulator, struct run *run)
{
	append(&run->notes, &accumulator->missing); /* first: it is the reason that is told */
	run->is_complete &= !accumulator->missing.count;
	for (size_t i = 0; i < run->mpi.jobs.count; i++)
		add_missing_ranks(run, i);
	add_unseen_children(run);
	run_note_ends(run);
	append(&run->notes, &run->files->problems);
	append(&run->notes, &accumulator->own);
	append(&run->notes, &accumulator->laws);
	conservation_check_samples(run->routines.excess_ns, &run->notes);
	add_beyond(run);
	add_switching(run);
	add_left_out(run);
	run_note_clocks(run);
	add_untimed(run);
	conservation_check_shares(run, &run->notes);
	if (run->is_folded)
		text_list_add(&run->notes,
			      "the run has more threads than a report keeps apart: they are summed "
			      "up by process");
	run->module_notes = accumulator->modules;
	text_list_clear(&accumulator->own);
	text_list_clear(&accumulator->laws);
	text_list_clear(&accumulator->missing);
	free(accumulator);
}

/* One note, however many plug-ins a program has. */
static void add_nameless(struct text_list *notes, const struct text_list *problems)
{
	char *files = memory_copy_text(problems->texts[0]);
	size_t more = problems->count > FILES_NAMED ? problems->count - FILES_NAMED : 0;

	for (size_t i = 1; i < problems->count - more; i++) {
		char *before = files;

		files = memory_print("%s, %s", before, problems->texts[i]);
		free(before);
	}
	if (more)
		text_list_add(notes, "routines without names: %s, and %zu more; " REMEDY, files,
			      more);
	else
		text_list_add(notes, "routines without names: %s; " REMEDY, files);
	free(files);
}

void run_notes_add_names(struct run *run)
{
	add_modules(&run->module_notes, run->names);
	if (run->module_notes.count)
		add_nameless(&run->notes, &run->module_notes);
	text_list_clear(&run->module_notes);
	run_note_nameless(run);
	run_note_generated(run);
	run_note_lacks(&run->notes, run->names);
	run_note_inferred(run);
}

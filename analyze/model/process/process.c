/* SPDX-License-Identifier: MIT */
#include "analyze/model/process/process.h"

#include "analyze/base/memory.h"
#include "analyze/model/common/io_direction.h"
#include "analyze/model/common/names.h"
#include "analyze/model/process/futex_waits.h"
#include "analyze/model/process/idle_roles.h"
#include "analyze/model/process/own_cost.h"
#include "analyze/model/process/request_waits.h"
#include "analyze/model/process/work_elsewhere.h"
#include "analyze/model/threads/thread_role.h"

#include <stdlib.h>

/* Of a process that is still running, or was killed, nothing is known after its last sign of life:
 * the figures of a thread are no longer exact if that time is more than this share of its life. */
#define UNHEARD_PERCENT 1

static bool is_partly_unheard(const struct process *process, const struct thread_time *time)
{
	uint64_t last_ns = process->file->last_sign_ns;
	uint64_t unheard_ns = process->life.end_ns > last_ns ? process->life.end_ns - last_ns : 0;

	return !process->life.is_complete && time->thread->flags & THREAD_ALIVE &&
	       unheard_ns > time->lifetime_ns / 100 * UNHEARD_PERCENT;
}

void process_add_carried(struct process *into, const struct profile_thread *from)
{
	SUMS_OF_threads(SUM_ADD);
}

/* What the waits of all threads say. */
struct all_waits {
	struct thread_waits *waits;
	struct futex_waits *of_futexes;
	const struct request_waits *for_requests;
};

static void add_thread(struct process *process, const struct profile *profile, size_t thread,
		       const struct all_waits *all, struct names *names)
{
	struct profile_thread *row = &process->thread_rows[process->thread_count];
	struct thread_time *time = &process->threads[process->thread_count++];

	*time = thread_time_with(profile, thread, process->life.end_ns, all->waits);
	request_waits_divide(all->for_requests, time);
	futex_waits_divide(all->of_futexes, names, profile, time);
	if (is_partly_unheard(process, time))
		time->blocked_grade = grade_worse(time->blocked_grade, GRADE_ESTIMATED);
	*row = *time->thread;
	row->name = names_keep(names, row->name);
	if (thread_role_is_of_mpi(names, profile, thread))
		row->flags |= THREAD_OF_MPI;
	time->thread = row;
	time->role = thread_role_text(names, profile, thread);
	time->shown_name = names_keep(names, thread_shown_name(names, profile, thread));
	process->cpu_ns += thread_time_cpu(time);
	process->ready_ns += time->ready_ns;
	process->switches += row->voluntary_switches + row->involuntary_switches;
	process_add_carried(process, row);
	process->thread_lives += row->lives ? row->lives : 1;
	thread_time_add(&process->sum, time);
}

static size_t count_rows(const struct profile *profile)
{
	size_t count = 0;

	for (size_t i = 1; i < profile->threads.count; i++)
		count += profile->threads.rows[i].tid != 0;
	return count;
}

uint64_t process_elapsed(const struct process *process)
{
	const struct run_process *file = process->file;
	uint64_t start_ns = file->header.start_ns + file->process.start_wait_ns;

	return process->life.end_ns > start_ns ? process->life.end_ns - start_ns : 0;
}

uint64_t process_own_start(const struct process *process)
{
	const struct profile_process *row = &process->file->process;

	return row->start_elapsed_ns + row->start_wait_ns;
}

void process_start(struct process *process, const struct run_files *files, size_t index)
{
	process->index = index;
	process->rank = MPI_NO_RANK;
	process->file = &files->processes[index];
	process->life = process_life_of(files, index);
	free(process->status);
	process->status = process_life_text(&process->life);
	process->elapsed_ns = process_elapsed(process);
	process->has_work_elsewhere = work_is_elsewhere(files, index, process->life.end_ns);
	process->sum = (struct thread_time){.is_ready_known = true};
}

/* As in the section io, of one process. */
static void add_io(struct process *process, const struct profile *profile)
{
	process->io.is_known = profile->process.io_is_counted != 0;
	for (size_t i = 0; i < profile->io_calls.count; i++) {
		const struct profile_io_call *row = &profile->io_calls.rows[i];
		enum io_direction direction = io_direction_of(row->operation);

		process->io.read_bytes += direction == IO_READ ? row->bytes : 0;
		process->io.written_bytes += direction == IO_WRITTEN ? row->bytes : 0;
	}
}

void process_read(struct process *process, const struct profile *profile, struct names *names)
{
	struct all_waits all = {thread_waits_of(profile), futex_waits_of(names, profile),
				request_waits_of(names, profile)};
	size_t count = count_rows(profile);

	process->rank = mpi_rank_of(profile);
	process->own_cost_ns = own_cost_ns(profile);
	process->memory_peak_bytes = profile->process.memory_peak_bytes;
	add_io(process, profile);
	process->threads = memory_allocate(count, sizeof *process->threads);
	process->thread_rows = memory_allocate(count, sizeof *process->thread_rows);
	for (size_t i = 1; i < profile->threads.count; i++)
		if (profile->threads.rows[i].tid)
			add_thread(process, profile, i, &all, names);
	idle_roles_compare(process->threads, process->thread_count);
	if (profile->process.cpu_clock_ns > process->cpu_ns)
		process->beyond_cpu_ns = profile->process.cpu_clock_ns - process->cpu_ns;
	free(all.waits);
	free(all.of_futexes);
}

struct sample_shares process_sample_shares(const struct process *process,
					   const struct profile *profile, struct names *names)
{
	struct efficiency on_processor = efficiency_of(profile, CONCURRENCY_ON_PROCESSOR,
						       process->elapsed_ns, process->cpu_ns);
	struct sample_shares shares = sample_shares_of(names, profile, &on_processor);

	efficiency_clear(&on_processor);
	return shares;
}

void process_fold(struct process *process)
{
	free(process->threads);
	free(process->thread_rows);
	process->threads = NULL;
	process->thread_rows = NULL;
	process->thread_count = 0;
}

void process_clear(struct process *process)
{
	process_fold(process);
	free(process->status);
}

/* SPDX-License-Identifier: MIT */
#include "analyze/model/run/thread_lines.h"

#include "analyze/base/memory.h"
#include "analyze/model/process/idle_threads.h"
#include "analyze/model/run/run_lives.h"

#include <math.h>
#include <stdlib.h>

/* At most. */
static size_t count_lines(const struct run *run, bool by_process)
{
	size_t count = 0;

	for (size_t p = 0; p < run->process_count; p++)
		count += by_process ? 1 : run->processes[p].thread_count;
	return count;
}

static int compare_lines(const void *left, const void *right)
{
	const struct thread_line *a = left, *b = right;
	uint64_t a_cpu = thread_time_cpu(&a->time), b_cpu = thread_time_cpu(&b->time);

	if (a_cpu != b_cpu)
		return a_cpu > b_cpu ? -1 : 1;
	if (a->process != b->process)
		return a->process < b->process ? -1 : 1;
	return (a->thread > b->thread) - (a->thread < b->thread);
}

static void move_idle(struct thread_time *sum, const struct thread_time *thread, double busiest_ns)
{
	struct thread_time rest = *thread;

	idle_take_out(&rest, busiest_ns);
	sum->idle_ns += rest.idle_ns;
	for (size_t cause = 0; cause < CAUSE_LIMIT; cause++)
		sum->by_cause_ns[cause] -= thread->by_cause_ns[cause] - rest.by_cause_ns[cause];
}

/* Without rows of threads only causes tell what is idle. */
static struct thread_line line_of_process(const struct process *process)
{
	struct thread_line line = {.process = process, .time = process->sum};
	double busiest_ns = idle_busiest_ns(process);

	for (size_t t = 0; t < process->thread_count; t++)
		move_idle(&line.time, &process->threads[t], busiest_ns);
	if (!process->thread_count)
		idle_take_out(&line.time, 0);
	return line;
}

static void add_library_thread(struct thread_line *line, const struct thread_time *time)
{
	thread_time_add(&line->time, time);
	line->library_threads += time->thread->lives ? time->thread->lives : 1;
}

static void add_threads(const struct process *process, struct thread_line **next)
{
	double busiest_ns = idle_busiest_ns(process);
	struct thread_line library = {.process = process, .time.is_ready_known = true};

	for (size_t t = 0; t < process->thread_count; t++) {
		struct thread_time time = process->threads[t];

		idle_take_out(&time, busiest_ns);
		if (time.thread->flags & THREAD_OF_MPI)
			add_library_thread(&library, &time);
		else
			*(*next)++ = (struct thread_line){
				.process = process, .thread = time.thread, .time = time};
	}
	if (library.library_threads)
		*(*next)++ = library;
}

static void set_life(const struct run *run, struct thread_line *line, double run_begin_ns)
{
	const struct profile_thread *thread = line->thread;
	struct life life = thread ? lives_of_thread(run, line->process, &line->time)
				  : lives_of_process(run, line->process, 1);
	uint64_t length = thread ? line->time.lifetime_ns : line->process->elapsed_ns;
	uint64_t past = thread ? thread->past_life_ns : 0;

	if (!thread) /* of which its elapsed time has nothing */
		life.begin_ns += (double)line->process->file->process.start_wait_ns;
	line->begin_ns = lives_begin_after_ns(&life, run_begin_ns, run);
	line->elapsed_ns = fmin((double)(length > past ? length - past : 0),
				(double)run->elapsed_ns - line->begin_ns);
}

static void set_lives(const struct run *run, struct thread_lines *lines)
{
	double begin_ns = lives_begin_of_run_ns(run);

	for (size_t i = 0; i < lines->count; i++)
		set_life(run, &lines->rows[i], begin_ns);
}

struct thread_lines thread_lines_of(const struct run *run, bool by_process)
{
	by_process |= run->is_folded;
	size_t count = count_lines(run, by_process);
	struct thread_lines lines = {memory_allocate(count, sizeof *lines.rows), count};
	struct thread_line *next = lines.rows;

	for (size_t p = 0; p < run->process_count; p++) {
		const struct process *process = &run->processes[p];

		if (by_process)
			*next++ = line_of_process(process);
		else
			add_threads(process, &next);
	}
	lines.count = (size_t)(next - lines.rows);
	set_lives(run, &lines);
	qsort(lines.rows, lines.count, sizeof *lines.rows, compare_lines);
	return lines;
}

/* ---- states */

#define BIT(cause) (1u << CAUSE_##cause)

static const struct {
	const char *text;
	unsigned causes; /* of blocked time; 0: not blocked */
} states[STATE_COUNT] = {
	[STATE_USER] = {"user", 0},
	[STATE_SYSTEM] = {"system", 0},
	[STATE_READY] = {"ready", 0},
	[STATE_LOCK] = {"locks", BIT(MUTEX) | BIT(RWLOCK) | BIT(SPINLOCK) | BIT(ONCE)},
	[STATE_CONDITION] = {"conditions and semaphores",
			     BIT(CONDITION) | BIT(SEMAPHORE) | BIT(FUTEX)},
	[STATE_BARRIER] = {"barriers and joins", BIT(BARRIER) | BIT(JOIN)},
	[STATE_MPI] = {"MPI", BIT(MPI)},
	[STATE_OPENMP] = {"OpenMP", BIT(OPENMP)},
	[STATE_SLEEP] = {"sleep, processes", BIT(SLEEP) | BIT(PROCESS) | BIT(SIGNAL)},
	[STATE_IDLE] = {"idle", 0},
	[STATE_IO] = {"input and output", BIT(READ) | BIT(WRITE) | BIT(EVENTS) | BIT(ACCEPT) |
						  BIT(CONNECT) | BIT(OPEN) | BIT(DISK) |
						  BIT(FILE_LOCK) | BIT(IPC)},
	/* unknown causes of a newer profile are included here */
	[STATE_OTHER] = {"other", BIT(OTHER) | BIT(STOPPED) | ~((1u << CAUSE_COUNT) - 1)},
};

const char *thread_state_text(enum thread_state state)
{
	return states[state].text;
}

enum thread_state thread_state_of(uint64_t cause)
{
	for (unsigned state = 0; state < STATE_COUNT; state++)
		if (cause < CAUSE_LIMIT && states[state].causes & 1u << cause)
			return state;
	return STATE_OTHER;
}

uint64_t thread_state_ns(const struct thread_time *time, enum thread_state state)
{
	uint64_t sum = 0;

	if (state == STATE_USER)
		return time->user_ns;
	if (state == STATE_SYSTEM)
		return time->system_ns;
	if (state == STATE_READY)
		return time->ready_ns;
	if (state == STATE_IDLE)
		return time->idle_ns;
	for (size_t cause = 0; cause < CAUSE_LIMIT; cause++)
		if (states[state].causes & 1u << cause)
			sum += time->by_cause_ns[cause];
	return sum;
}

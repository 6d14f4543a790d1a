/* SPDX-License-Identifier: MIT */
#include "analyze/model/run/thread_lines.h"

#include "analyze/base/memory.h"
#include "analyze/model/process/idle_threads.h"

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
	struct thread_line line = {process, NULL, process->sum, 0};
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
			*(*next)++ = (struct thread_line){process, time.thread, time, 0};
	}
	if (library.library_threads)
		*(*next)++ = library;
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

/* SPDX-License-Identifier: MIT */
/* A run of one second on a machine of any size, for tests of what findings say on each: a main
 * thread that joins its workers, and workers that work all the time. A test spoils one thing, and
 * says what it costs. */
#pragma once

#include "analyze/model/run/run.h"
#include "preload/file/vocabulary.h"
#include "tests/unit/told.h"
#include "tests/unit/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SECOND      1000000000ull
#define MACHINE_MAX 514 /* threads */

struct machine {
	struct symbolizer *symbolizer;
	struct run_process file;
	struct process process;
	size_t workers;
	struct profile_thread rows[MACHINE_MAX];
	struct thread_time threads[MACHINE_MAX];
	struct efficiency_level levels[2][MACHINE_MAX];
	struct routine_time routine;
	struct sync_row sync;
	struct sync_site site;
	struct sync_object object;
	char *name;
	struct run run;
};

static inline void machine_begin(struct machine *m, uint64_t processors, size_t workers)
{
	*m = (struct machine){.symbolizer = symbolizer_create(NULL),
			      .workers = workers,
			      .object.kind = "mutex",
			      .name = "guilty"};
	m->run = (struct run){
		.names = names_create(m->symbolizer),
		.processes = &m->process,
		.process_count = 1,
		.focus = &m->process,
		.processors = processors,
		.elapsed_ns = SECOND,
		.routines = {.rows = &m->routine, .count = 1},
		.synchronization = {.rows = &m->sync, .objects = &m->object, .names = &m->name}};
	m->file.process.processors = processors;
	m->file.process.threads_peak = m->file.process.threads_started = workers + 1;
	m->process = (struct process){.file = &m->file,
				      .rank = MPI_NO_RANK,
				      .elapsed_ns = SECOND,
				      .threads = m->threads,
				      .thread_count = workers + 1};
	m->process.life.end_ns = 1 + SECOND;
	for (size_t i = 0; i <= workers; i++) {
		m->rows[i] = (struct profile_thread){.tid = 10 + i,
						     .lives = 1,
						     .birth_ns = 1,
						     .updated_ns = 1 + SECOND,
						     .flags = i ? 0 : THREAD_FIRST};
		m->threads[i] = (struct thread_time){
			.thread = &m->rows[i], .lifetime_ns = SECOND, .user_ns = i ? SECOND : 0};
	}
	m->threads[0].by_cause_ns[CAUSE_JOIN] = SECOND;
	m->routine = (struct routine_time){.routine = names_special(m->run.names, "work"),
					   .samples = 4000,
					   .self_ns = SECOND,
					   .spread = {.count = workers, .mean_ns = 1, .max_ns = 1}};
	m->routine.total_spread = m->routine.spread;
	m->site.routine = m->routine.routine;
}

static inline void machine_end(struct machine *m)
{
	findings_clear(&told);
	names_destroy(m->run.names);
	symbolizer_destroy(m->symbolizer);
}

/* For `ns`, so many threads were on a processor, and so many useful. */
static inline void machine_level(struct machine *m, uint64_t on_processor, uint64_t useful,
				 uint64_t ns)
{
	m->levels[0][on_processor].time_ns += ns;
	m->levels[1][useful].time_ns += ns;
}

static inline struct efficiency machine_efficiency(struct machine *m, size_t kind)
{
	struct efficiency it = {
		.levels = m->levels[kind], .level_count = MACHINE_MAX, .total_ns = SECOND};

	for (size_t i = 0; i < MACHINE_MAX; i++) {
		m->levels[kind][i].active = i;
		it.average += (double)i * (double)m->levels[kind][i].time_ns / (double)SECOND;
	}
	it.efficiency_percent = 100 * it.average / (double)m->run.processors;
	it.sequential_percent = 100 * (double)m->levels[kind][1].time_ns / (double)SECOND;
	return it;
}

/* All waits of one kind; the workers were blocked for it if it is a cause of blocking. */
static inline void machine_wait(struct machine *m, enum operation operation, enum cause cause,
				uint64_t count, double wait_ns)
{
	m->sync = (struct sync_row){.operation = operation,
				    .cause = cause,
				    .count = count,
				    .contended = count,
				    .wait_ns = (uint64_t)wait_ns,
				    .waiters = {.rows = &m->site, .count = 1}};
	m->site.time_ns = (uint64_t)wait_ns;
	m->run.synchronization.count = 1;
	m->run.synchronization.wait_ns_by_cause[cause] = (uint64_t)wait_ns;
}

/* Worker i lived for so long, worked for so long, and was blocked for the rest. */
static inline void machine_worker(struct machine *m, size_t i, uint64_t life_ns, uint64_t work_ns,
				  enum cause cause)
{
	struct thread_time *time = &m->threads[i];

	m->rows[i].updated_ns = 1 + life_ns;
	time->lifetime_ns = life_ns;
	time->user_ns = work_ns;
	time->blocked_ns = time->by_cause_ns[cause] = life_ns - work_ns;
}

static inline void sum_up(struct machine *m)
{
	struct thread_time *sum = &m->process.sum;

	for (size_t i = 0; i <= m->workers; i++) {
		const struct thread_time *time = &m->threads[i];

		sum->lifetime_ns += time->lifetime_ns;
		sum->user_ns += time->user_ns;
		sum->ready_ns += time->ready_ns;
		sum->blocked_ns += time->blocked_ns;
		for (size_t cause = 0; cause < CAUSE_COUNT; cause++)
			sum->by_cause_ns[cause] += time->by_cause_ns[cause];
	}
	m->run.cpu_ns = m->process.cpu_ns = sum->user_ns;
	m->run.ready_ns = m->process.ready_ns = sum->ready_ns;
}

/* To be called when the run is complete. */
static inline void machine_find(struct machine *m)
{
	sum_up(m);
	m->run.on_processor = machine_efficiency(m, 0);
	m->run.useful = machine_efficiency(m, 1);
	m->run.average_processors = (double)m->run.cpu_ns / (double)SECOND;
	m->run.efficiency_percent = 100 * m->run.average_processors / (double)m->run.processors;
	m->routine.alone_ns = m->levels[0][1].time_ns;
	told_of(&m->run);
}

/* SPDX-License-Identifier: MIT */
/* One profile as structs of numbers and texts: the rows of its tables with the columns that reports
 * use, found by name.
 *
 * Names of fields are names of columns; what a file does not have is 0 or "". Numbers of rows are
 * translated to indices into the arrays below and are checked: whoever follows them needs no check.
 * Index 0 is "none" in modules, callpaths, threads, objects, mpi_names, mpi_communicators and
 * omp_regions. The parent of a call path, and of a region, has a smaller index. Rows of equal keys
 * have been united (table_merge.h). Context: pure but for profile_open. Everything lives as long as
 * the profile. */
#pragma once

#include "analyze/tables/table_read.h"
#include "preload/file/vocabulary.h"

enum { PROFILE_BINS = 32 };

struct profile_process {
	uint64_t pid, parent_pid;
	const char *command, *executable, *host;
	uint64_t processors, processor_first, processors_online, threads_peak, threads_started;
	uint64_t switches_ns, switches_lost, transitions_lost;
	uint64_t tally_cost_ps, signal_cost_ps, start_cost_ns, sample_period_ns;
	uint64_t start_elapsed_ns, start_wait_ns, cpu_clock_ns, pid_namespace, born_ticks;
};

struct profile_module {
	const char *path, *build_id;
};

struct profile_callpath {
	uint64_t parent, module, flags, offset;
};

struct profile_thread {
	uint64_t tid; /* 0: row not used */
	uint64_t lives;
	const char *name;
	uint64_t start; /* call path */
	uint64_t flags;
	uint64_t birth_ns, updated_ns, past_life_ns;
	uint64_t user_ns, system_ns, ready_ns;
	uint64_t off_ns, off_since_ns, covered_ns;
	uint64_t off_by_cause_ns[CAUSE_LIMIT];
	uint64_t voluntary_switches, involuntary_switches, minor_faults, major_faults;
	uint64_t samples, tool_ns;
	uint64_t waiting_since_ns, waiting_path, waiting_object, waiting_cause;
	uint64_t ready_known, unlocks;
};

struct profile_concurrency {
	uint64_t kind, active, time_ns;
};

/* Of the tables by thread, `thread` is the index of the block's owner. */
struct profile_sample {
	uint64_t thread, callpath, level, cpu_ns, count;
};

struct profile_tally {
	uint64_t thread, count, object, operation, callpath;
};

struct profile_wait {
	uint64_t thread, callpath, object, cause,
		operation; /* cause < CAUSE_LIMIT, operation < OP_COUNT */
	uint64_t count, left_out, sum_ns, min_ns, max_ns, reacquire_ns, spurious, futile, timeouts,
		failed;
	uint64_t histogram[PROFILE_BINS]; /* of lengths: bin b from 2^b ns on */
};

struct profile_object {
	uint64_t address, offset, module, kind, flags, birth, members, detail;
};

struct profile_blame {
	uint64_t thread, callpath, object, cause, operation, time_ns, count;
};

struct profile_child {
	uint64_t pid, status, end_ns, alive_ns;
};

struct profile_note {
	uint64_t code, detail, count;
	const char *text;
};

struct profile_timeline {
	uint64_t metric, shift, bin, time_ns;
};

/* The process as a rank of an MPI job: one row, or none. */
struct profile_mpi_process {
	uint64_t size, rank;
	const char *library;
	uint64_t version, abi, thread_level, flags;
	uint64_t init_begin_ns, init_end_ns, init_realtime_ns;
	uint64_t finalize_begin_ns, finalize_end_ns, finalize_realtime_ns;
	uint64_t requests_lost, unrecorded_ns;
	uint64_t job, spawned;
};

struct profile_mpi_name {
	const char *name; /* "" for row 0 */
	uint64_t class;
};

struct profile_mpi_communicator {
	uint64_t identity, size, stride, collectives, birth, leader;
	uint64_t rank; /* of the process in it + 1; 0: not known */
};

struct profile_mpi_call {
	uint64_t thread, callpath, call, communicator;
	uint64_t count, sum_ns, min_ns, max_ns, bytes_sent, bytes_received;
	uint64_t completed, flight_ns, finish_ns, failed;
};

struct profile_mpi_peer {
	uint64_t thread, peer; /* rank + 1 */
	uint64_t messages_sent, bytes_sent, messages_received, bytes_received, wait_ns;
};

struct profile_mpi_collective {
	uint64_t communicator, call, sequence, enter_ns, leave_ns, callpath;
	uint64_t root;     /* its rank in the communicator + 1; 0: none */
	uint64_t instance; /* identity of its communicator; 0: that of the row of communicators */
};

/* The process as a user of an OpenMP runtime: one row, or none. */
struct profile_omp_process {
	uint64_t runtime, wait_policy;
	const char *library;
	uint64_t first_ns, last_ns, threads_most, flags;
};

struct profile_omp_region {
	uint64_t place, parent, caller, kind, flags;
};

struct profile_omp_execution {
	uint64_t thread, region, team, count;
	uint64_t elapsed_ns, min_ns, max_ns;
	uint64_t fork_ns, work_ns, wait_ns, join_ns, work_max_ns, idle_min_ns, members;
};

struct profile_omp_work {
	uint64_t thread, region, member, count, body_ns, work_ns, most_ns;
};

struct profile_omp_construct {
	uint64_t thread, place, region, construct; /* construct < OMP_CONSTRUCT_COUNT */
	uint64_t count, time_ns, max_ns, pieces, timed, asked;
};

struct profile_omp_task {
	uint64_t thread, place, region, flags;
	uint64_t created, dependences, executed, undeferred, stolen;
	uint64_t work_ns, max_ns, delay_ns, delay_max_ns;
};

struct profile_omp_thread {
	uint64_t thread, wait_ns, outside_ns, since_ns, bodies, region_since_ns, region;
};

/* An array of one of the structs above. */
#define PROFILE_ARRAY(type)                                                                        \
	struct {                                                                                   \
		struct profile_##type *rows;                                                       \
		size_t count;                                                                      \
	}

struct profile {
	char *path; /* of the file */
	struct format_header header;
	struct table_file *file;
	struct profile_process process;
	PROFILE_ARRAY(module) modules;
	PROFILE_ARRAY(callpath) callpaths;
	PROFILE_ARRAY(thread) threads;
	PROFILE_ARRAY(concurrency) concurrency;
	PROFILE_ARRAY(sample) samples; /* by thread */
	PROFILE_ARRAY(tally) tallies;
	PROFILE_ARRAY(wait) waits;
	PROFILE_ARRAY(object) objects;
	PROFILE_ARRAY(blame) blame;
	PROFILE_ARRAY(child) children;
	PROFILE_ARRAY(note) notes;
	PROFILE_ARRAY(timeline) timeline;
	PROFILE_ARRAY(mpi_process) mpi_process;
	PROFILE_ARRAY(mpi_name) mpi_names;
	PROFILE_ARRAY(mpi_communicator) mpi_communicators;
	PROFILE_ARRAY(mpi_call) mpi_calls;
	PROFILE_ARRAY(mpi_peer) mpi_peers;
	PROFILE_ARRAY(mpi_collective) mpi_collectives;
	PROFILE_ARRAY(omp_process) omp_process;
	PROFILE_ARRAY(omp_region) omp_regions;
	PROFILE_ARRAY(omp_execution) omp_executions;
	PROFILE_ARRAY(omp_work) omp_work;
	PROFILE_ARRAY(omp_construct) omp_constructs;
	PROFILE_ARRAY(omp_task) omp_tasks;
	PROFILE_ARRAY(omp_thread) omp_threads;
	char **copied_texts;
	size_t copied_text_count, copied_text_capacity;
};

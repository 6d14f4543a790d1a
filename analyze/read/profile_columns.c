/* SPDX-License-Identifier: MIT */
#include "analyze/read/profile_columns.h"

#include "analyze/read/profile.h"

/* clang-format off: a column is a line */
#define AS(kind, type, column)                                                                     \
	{                                                                                          \
#column, VALUE_##kind, offsetof(struct profile_##type, column)                     \
	}

static const struct profile_column process_columns[] = {
	AS(NUMBER, process, pid),
	AS(NUMBER, process, parent_pid),
	AS(TEXT, process, command),
	AS(TEXT, process, executable),
	AS(TEXT, process, host),
	AS(NUMBER, process, processors),
	AS(NUMBER, process, processor_first),
	AS(NUMBER, process, processors_online),
	AS(NUMBER, process, threads_peak),
	AS(NUMBER, process, threads_started),
	AS(NUMBER, process, switches_ns),
	AS(NUMBER, process, switches_lost),
	AS(NUMBER, process, transitions_lost),
	AS(NUMBER, process, tally_cost_ps),
	AS(NUMBER, process, signal_cost_ps),
	AS(NUMBER, process, start_cost_ns),
	AS(NUMBER, process, start_elapsed_ns),
	AS(NUMBER, process, start_wait_ns),
	AS(NUMBER, process, cpu_clock_ns),
	AS(NUMBER, process, pid_namespace),
	AS(NUMBER, process, born_ticks),
	AS(NUMBER, process, sample_period_ns),
};

static const struct profile_column module_columns[] = {
	AS(TEXT, module, path),
	AS(TEXT, module, build_id),
};

static const struct profile_column callpath_columns[] = {
	AS(CALLPATH, callpath, parent),
	AS(MODULE, callpath, module),
	AS(NUMBER, callpath, flags),
	AS(NUMBER, callpath, offset),
};

static const struct profile_column thread_columns[] = {
	AS(NUMBER, thread, tid),
	AS(NUMBER, thread, lives),
	AS(TEXT, thread, name),
	AS(CALLPATH, thread, start),
	AS(NUMBER, thread, flags),
	AS(NUMBER, thread, birth_ns),
	AS(NUMBER, thread, updated_ns),
	AS(NUMBER, thread, past_life_ns),
	AS(NUMBER, thread, user_ns),
	AS(NUMBER, thread, system_ns),
	AS(NUMBER, thread, ready_ns),
	AS(NUMBER, thread, off_ns),
	AS(NUMBER, thread, off_since_ns),
	AS(NUMBER, thread, covered_ns),
	AS(BY_CAUSE, thread, off_by_cause_ns),
	AS(NUMBER, thread, voluntary_switches),
	AS(NUMBER, thread, involuntary_switches),
	AS(NUMBER, thread, minor_faults),
	AS(NUMBER, thread, major_faults),
	AS(NUMBER, thread, samples),
	AS(NUMBER, thread, tool_ns),
	AS(NUMBER, thread, waiting_since_ns),
	AS(CALLPATH, thread, waiting_path),
	AS(OBJECT, thread, waiting_object),
	AS(CAUSE, thread, waiting_cause),
	AS(NUMBER, thread, ready_known),
	AS(NUMBER, thread, unlocks),
};

static const struct profile_column concurrency_columns[] = {
	AS(NUMBER, concurrency, kind),
	AS(NUMBER, concurrency, active),
	AS(NUMBER, concurrency, time_ns),
};

static const struct profile_column sample_columns[] = {
	AS(CALLPATH, sample, callpath),
	AS(NUMBER, sample, level),
	AS(NUMBER, sample, cpu_ns),
	AS(NUMBER, sample, count),
};

static const struct profile_column tally_columns[] = {
	AS(NUMBER, tally, count),
	AS(OBJECT, tally, object),
	AS(OPERATION, tally, operation),
	AS(CALLPATH, tally, callpath),
};

static const struct profile_column wait_columns[] = {
	AS(CALLPATH, wait, callpath),   AS(OBJECT, wait, object), AS(CAUSE, wait, cause),
	AS(OPERATION, wait, operation), AS(NUMBER, wait, count),  AS(NUMBER, wait, sum_ns),
	AS(NUMBER, wait, min_ns),       AS(NUMBER, wait, max_ns), AS(NUMBER, wait, reacquire_ns),
	AS(NUMBER, wait, spurious),     AS(NUMBER, wait, futile), AS(NUMBER, wait, timeouts),
	AS(NUMBER, wait, failed),       AS(NUMBER, wait, left_out), AS(HISTOGRAM, wait, histogram),
};

static const struct profile_column object_columns[] = {
	AS(NUMBER, object, address), AS(NUMBER, object, offset), AS(MODULE, object, module),
	AS(NUMBER, object, kind),    AS(NUMBER, object, flags),  AS(CALLPATH, object, birth),
	AS(NUMBER, object, members), AS(NUMBER, object, detail),
};

static const struct profile_column blame_columns[] = {
	AS(CALLPATH, blame, callpath),   AS(OBJECT, blame, object),  AS(CAUSE, blame, cause),
	AS(OPERATION, blame, operation), AS(NUMBER, blame, time_ns), AS(NUMBER, blame, count),
};

static const struct profile_column child_columns[] = {
	AS(NUMBER, child, pid),
	AS(NUMBER, child, status),
	AS(NUMBER, child, end_ns),
	AS(NUMBER, child, alive_ns),
};

static const struct profile_column note_columns[] = {
	AS(NUMBER, note, code),
	AS(NUMBER, note, detail),
	AS(NUMBER, note, count),
	AS(TEXT, note, text),
};

static const struct profile_column timeline_columns[] = {
	AS(NUMBER, timeline, metric),
	AS(NUMBER, timeline, shift),
	AS(NUMBER, timeline, bin),
	AS(NUMBER, timeline, time_ns),
};

static const struct profile_column mpi_process_columns[] = {
	AS(NUMBER, mpi_process, size),
	AS(NUMBER, mpi_process, rank),
	AS(TEXT, mpi_process, library),
	AS(NUMBER, mpi_process, version),
	AS(NUMBER, mpi_process, abi),
	AS(NUMBER, mpi_process, thread_level),
	AS(NUMBER, mpi_process, flags),
	AS(NUMBER, mpi_process, init_begin_ns),
	AS(NUMBER, mpi_process, init_end_ns),
	AS(NUMBER, mpi_process, init_realtime_ns),
	AS(NUMBER, mpi_process, finalize_begin_ns),
	AS(NUMBER, mpi_process, finalize_end_ns),
	AS(NUMBER, mpi_process, finalize_realtime_ns),
	AS(NUMBER, mpi_process, requests_lost),
	AS(NUMBER, mpi_process, unrecorded_ns),
	AS(NUMBER, mpi_process, job),
	AS(NUMBER, mpi_process, spawned),
};

static const struct profile_column mpi_name_columns[] = {
	AS(TEXT, mpi_name, name),
	AS(NUMBER, mpi_name, class),
};

static const struct profile_column mpi_communicator_columns[] = {
	AS(NUMBER, mpi_communicator, identity), AS(NUMBER, mpi_communicator, size),
	AS(NUMBER, mpi_communicator, stride),   AS(NUMBER, mpi_communicator, collectives),
	AS(CALLPATH, mpi_communicator, birth),  AS(NUMBER, mpi_communicator, leader),
	AS(NUMBER, mpi_communicator, rank),
};

static const struct profile_column mpi_call_columns[] = {
	AS(CALLPATH, mpi_call, callpath),
	AS(MPI_NAME, mpi_call, call),
	AS(COMMUNICATOR, mpi_call, communicator),
	AS(NUMBER, mpi_call, count),
	AS(NUMBER, mpi_call, sum_ns),
	AS(NUMBER, mpi_call, min_ns),
	AS(NUMBER, mpi_call, max_ns),
	AS(NUMBER, mpi_call, bytes_sent),
	AS(NUMBER, mpi_call, bytes_received),
	AS(NUMBER, mpi_call, completed),
	AS(NUMBER, mpi_call, flight_ns),
	AS(NUMBER, mpi_call, finish_ns),
	AS(NUMBER, mpi_call, failed),
};

static const struct profile_column mpi_peer_columns[] = {
	AS(NUMBER, mpi_peer, peer),           AS(NUMBER, mpi_peer, messages_sent),
	AS(NUMBER, mpi_peer, bytes_sent),     AS(NUMBER, mpi_peer, messages_received),
	AS(NUMBER, mpi_peer, bytes_received), AS(NUMBER, mpi_peer, wait_ns),
};

static const struct profile_column mpi_collective_columns[] = {
	AS(COMMUNICATOR, mpi_collective, communicator),
	AS(MPI_NAME, mpi_collective, call),
	AS(NUMBER, mpi_collective, sequence),
	AS(NUMBER, mpi_collective, enter_ns),
	AS(NUMBER, mpi_collective, leave_ns),
	AS(CALLPATH, mpi_collective, callpath),
	AS(NUMBER, mpi_collective, root),
	AS(NUMBER, mpi_collective, instance),
};

static const struct profile_column omp_process_columns[] = {
	AS(NUMBER, omp_process, runtime), AS(NUMBER, omp_process, wait_policy),
	AS(TEXT, omp_process, library),   AS(NUMBER, omp_process, first_ns),
	AS(NUMBER, omp_process, last_ns), AS(NUMBER, omp_process, threads_most),
	AS(NUMBER, omp_process, flags),
};

static const struct profile_column omp_region_columns[] = {
	AS(CALLPATH, omp_region, place),  AS(OMP_REGION, omp_region, parent),
	AS(CALLPATH, omp_region, caller), AS(NUMBER, omp_region, kind),
	AS(NUMBER, omp_region, flags),
};

static const struct profile_column omp_execution_columns[] = {
	AS(OMP_REGION, omp_execution, region),  AS(NUMBER, omp_execution, team),
	AS(NUMBER, omp_execution, count),       AS(NUMBER, omp_execution, elapsed_ns),
	AS(NUMBER, omp_execution, min_ns),      AS(NUMBER, omp_execution, max_ns),
	AS(NUMBER, omp_execution, fork_ns),     AS(NUMBER, omp_execution, work_ns),
	AS(NUMBER, omp_execution, wait_ns),     AS(NUMBER, omp_execution, join_ns),
	AS(NUMBER, omp_execution, work_max_ns), AS(NUMBER, omp_execution, idle_min_ns),
	AS(NUMBER, omp_execution, members),
};

static const struct profile_column omp_work_columns[] = {
	AS(OMP_REGION, omp_work, region), AS(NUMBER, omp_work, member),
	AS(NUMBER, omp_work, count),      AS(NUMBER, omp_work, body_ns),
	AS(NUMBER, omp_work, work_ns),    AS(NUMBER, omp_work, most_ns),
};

static const struct profile_column omp_construct_columns[] = {
	AS(CALLPATH, omp_construct, place),
	AS(OMP_REGION, omp_construct, region),
	AS(OMP_CONSTRUCT, omp_construct, construct),
	AS(NUMBER, omp_construct, count),
	AS(NUMBER, omp_construct, time_ns),
	AS(NUMBER, omp_construct, max_ns),
	AS(NUMBER, omp_construct, pieces),
	AS(NUMBER, omp_construct, timed),
	AS(NUMBER, omp_construct, asked),
};

static const struct profile_column omp_task_columns[] = {
	AS(CALLPATH, omp_task, place),     AS(OMP_REGION, omp_task, region),
	AS(NUMBER, omp_task, flags),       AS(NUMBER, omp_task, created),
	AS(NUMBER, omp_task, dependences), AS(NUMBER, omp_task, executed),
	AS(NUMBER, omp_task, undeferred),  AS(NUMBER, omp_task, stolen),
	AS(NUMBER, omp_task, work_ns),     AS(NUMBER, omp_task, max_ns),
	AS(NUMBER, omp_task, delay_ns),    AS(NUMBER, omp_task, delay_max_ns),
};

static const struct profile_column omp_thread_columns[] = {
	AS(NUMBER, omp_thread, wait_ns),         AS(NUMBER, omp_thread, outside_ns),
	AS(NUMBER, omp_thread, since_ns),        AS(NUMBER, omp_thread, bodies),
	AS(NUMBER, omp_thread, region_since_ns), AS(OMP_REGION, omp_thread, region),
};

#define COLUMNS(type)                                                                              \
	.columns = type##_columns, .column_count = sizeof type##_columns / sizeof *type##_columns
#define ROWS(table, type)                                                                          \
	.name = #table, .rows = offsetof(struct profile, table.rows),                              \
	.count = offsetof(struct profile, table.count),                                            \
	.element_bytes = sizeof(struct profile_##type), COLUMNS(type)

const struct profile_table profile_process_table = {
	.name = "process", .element_bytes = sizeof(struct profile_process), COLUMNS(process)};

const struct profile_table profile_tables[] = {
	{ROWS(modules, module), .is_addressable = true},
	{ROWS(callpaths, callpath), .is_addressable = true},
	{ROWS(objects, object), .is_addressable = true},
	{ROWS(threads, thread), .is_addressable = true, .is_summary = true},
	{ROWS(concurrency, concurrency)},
	{ROWS(samples, sample), .has_thread = true},
	{ROWS(tallies, tally), .has_thread = true},
	{ROWS(waits, wait), .has_thread = true},
	{ROWS(blame, blame), .has_thread = true},
	{ROWS(children, child), .is_summary = true},
	{ROWS(notes, note)},
	{ROWS(timeline, timeline)},
	{ROWS(mpi_process, mpi_process)},
	{ROWS(mpi_names, mpi_name), .is_addressable = true},
	{ROWS(mpi_communicators, mpi_communicator), .is_addressable = true},
	{ROWS(mpi_calls, mpi_call), .has_thread = true},
	{ROWS(mpi_peers, mpi_peer), .has_thread = true},
	{ROWS(mpi_collectives, mpi_collective)},
	{ROWS(omp_process, omp_process)},
	{ROWS(omp_regions, omp_region), .is_addressable = true},
	{ROWS(omp_executions, omp_execution), .has_thread = true},
	{ROWS(omp_work, omp_work), .has_thread = true},
	{ROWS(omp_constructs, omp_construct), .has_thread = true},
	{ROWS(omp_tasks, omp_task), .has_thread = true},
	{ROWS(omp_threads, omp_thread), .has_thread = true},
};
const size_t profile_table_count = sizeof profile_tables / sizeof *profile_tables;

_Static_assert(sizeof thread_columns / sizeof *thread_columns <= PROFILE_COLUMNS_MAX,
	       "room for every column");

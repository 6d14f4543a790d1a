/* SPDX-License-Identifier: MIT */
/* The columns of schema.def that add up and that the analyzer carries to every output by itself.
 *
 *   SUM(type, name, unit, shown, meaning)
 *
 * type, name, unit, meaning: as in schema.def, where these columns have the role value and are
 * merged by sum. shown: the name in JSON and CSV, where times are seconds.
 *
 * A new one is a line here and the place that counts it. It is then in the profile, the schema text
 * and SQLite (schema.def), in the row of the model that sums up the table's rows, in merged runs
 * (merged.def), in JSON and CSV, and in ptrace-diff: peers as their sum, OpenMP by region. The rows
 * "calls" of the JSON have none of them. Rows of a profile must stay a multiple of 8 bytes: a u32
 * comes with another. */
#pragma once

/* A line of schema.def. */
#define SUM_COLUMN(type, name, unit, shown, meaning) COLUMN(type, name, unit, value, sum, meaning)
/* A field of the model's row: of 64 bits, or a double where figures are extrapolated. */
#define SUM_FIELD(type, name, unit, shown, meaning) uint64_t name;
#define SUM_REAL(type, name, unit, shown, meaning)  double name;
/* `from` added to `into`: two pointers to rows. */
#define SUM_ADD(type, name, unit, shown, meaning) into->name += from->name;
/* In the initializer of a row: the same as in `from`. */
#define SUM_COPY(type, name, unit, shown, meaning)      .name = from->name,
#define SUM_COPY_REAL(type, name, unit, shown, meaning) .name = (double)from->name,

#define SUMS_OF_threads(SUM)                                                                       \
	SUM(u64, voluntary_switches, count, voluntary_switches, "")                                \
	SUM(u64, involuntary_switches, count, involuntary_switches, "")                            \
	SUM(u64, minor_faults, count, minor_faults, "")                                            \
	SUM(u64, major_faults, count, major_faults, "")                                            \
	SUM(u64, samples, count, samples, "call-stack samples taken")

/* Of condition variables only: in JSON, figures that are derived from them stand in between, so
 * the fields of synchronization have them by hand. A new one is best one of any wait. */
#define SUMS_OF_conditions(SUM)                                                                      \
	SUM(u64, reacquire_ns, ns, reacquire_seconds,                                                \
	    "of a condition: part of sum_ns in which it had been signalled, but its mutex was held") \
	SUM(u32, spurious, count, spurious,                                                          \
	    "of a condition: returned without a signal and without a time-out")                      \
	SUM(u32, futile, count, futile,                                                              \
	    "of a condition: began less than 5 us after a signal of it had woken the thread, which had not called unlock, signal or broadcast since: what it was woken for had not come (or was stolen)")

#define SUMS_OF_any_wait(SUM)                                                                      \
	SUM(u32, timeouts, count, timeouts, "ended by time-out")                                   \
	SUM(u32, failed, count, failed, "returned another error")

#define SUMS_OF_waits(SUM) SUMS_OF_conditions(SUM) SUMS_OF_any_wait(SUM)

#define SUMS_OF_mpi_calls(SUM)                                                                                                                                                      \
	SUM(u64, bytes_sent, bytes, bytes_sent,                                                                                                                                     \
	    "by count and size of the type, as the arguments say; of a collective: what this rank gives, its own part included")                                                    \
	SUM(u64, bytes_received, bytes, bytes_received,                                                                                                                             \
	    "what arrived, as the status says; of a collective: what this rank gets by its arguments; of a nonblocking call: counted here, where it was posted, when it completes") \
	SUM(u64, failed, count, failed, "returned another code than MPI_SUCCESS, or never returned: an error handler left it by a jump or an exception, at a time that is not known") \
	SUM(u64, completed, count, completed, "requests posted here whose completion was seen")                                                                                     \
	SUM(u64, flight_ns, ns, flight_seconds,                                                                                                                                     \
	    "from the return of the posting call until the completing call returned, of those")                                                                                     \
	SUM(u64, finish_ns, ns, finish_seconds,                                                                                                                                     \
	    "part of flight_ns that was spent in calls which waited for, or tested, these requests; overlap achieved = 1 - finish_ns / flight_ns")                                  \
	SUM(u64, vain, count, vain,                                                                                                                                                 \
	    "of calls that do not wait (MPI_Test, MPI_Iprobe and their like): found nothing")                                                                                       \
	SUM(u64, vain_ns, ns, vain_seconds, "part of sum_ns, in those")                                                                                                             \
	SUM(u64, gapped, count, gapped, "named a datatype a third or more of whose memory is gaps: a column of a matrix, a face of a block")

#define SUMS_OF_mpi_peers(SUM)                                                                     \
	SUM(u64, messages_sent, count, messages,                                                   \
	    "messages to it, MPI_Put and MPI_Accumulate included")                                 \
	SUM(u64, bytes_sent, bytes, bytes, "")                                                     \
	SUM(u64, messages_received, count, received_messages,                                      \
	    "messages from it, MPI_Get included")                                                  \
	SUM(u64, bytes_received, bytes, received_bytes, "")                                        \
	SUM(u64, wait_ns, ns, wait_seconds,                                                        \
	    "time in blocking receives, and in waits for messages of this rank only, that ended with one")

#define SUMS_OF_omp_constructs(SUM)                                                                \
	SUM(u64, pieces, count, pieces,                                                            \
	    "of a loop or sections: pieces of work that were handed out")                          \
	SUM(u64, timed, count, timed, "of asked, how many were timed: time_ns is of them alone")   \
	SUM(u64, asked, count, asked,                                                              \
	    "of a loop or sections: how often a piece was asked for; the last time, of each thread, in vain")

#define SUMS_OF_omp_tasks(SUM)                                                                     \
	SUM(u64, created, count, created, "made by this thread")                                   \
	SUM(u64, dependences, count, dependences, "dependences of those")                          \
	SUM(u64, executed, count, executed, "run by this thread to their end")                     \
	SUM(u64, undeferred, count, undeferred,                                                    \
	    "of these, run at once by the thread that met them, within the call that makes them")  \
	SUM(u64, stolen, count, stolen, "of those executed, made by another thread")               \
	SUM(u64, work_ns, ns, work_seconds,                                                        \
	    "in their bodies, without tasks run within and without waiting in the runtime")

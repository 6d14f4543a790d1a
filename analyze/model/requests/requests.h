/* SPDX-License-Identifier: MIT */
/* Requests that servers answered: how many, how long each took from the read that brought it to the
 * write that answered it, and what it cost.
 *
 * A row of a profile's table is a thread's; what it answered on descriptors that were not looked up
 * came from the socket at which the process accepts connections, if it is only one. Rows here are
 * those of a program (processes that execute files of one name), socket and place that answers.
 * What a request costs is known of its program alone: the CPU time of all processes that answered
 * requests, and the time for which their threads were blocked for locks, divided by all requests
 * that they answered; what they do besides is contained in it. Context: pure but for names. Times
 * in nanoseconds. */
#pragma once

#include "analyze/model/common/histogram.h"
#include "analyze/tables/merged.h"

#include <stddef.h>

struct merged_input;
struct merged_writer;
struct names;
struct process;
struct profile;

struct request_times {
	uint64_t count, sum_ns, max_ns;
	struct histogram lengths;
};

/* What a program's processes did, of those that answered requests. */
struct request_server {
	const char *program;
	uint64_t processes, cpu_ns, locks_ns;
	struct request_times times;
};

struct request_row {
	size_t server; /* of requests->servers */
	const char *socket;
	size_t routine; /* that writes the answer: number in names */
	unsigned line;
	struct request_times times;
};

struct requests {
	struct request_row *rows; /* the most requests first */
	size_t count;
	struct request_server *servers;
	size_t server_count;
	uint64_t answered; /* in all */
};

/* No more than so long took `percent` of them. */
struct histogram_percentile request_percentile(const struct request_times *times, double percent);
double request_mean_ns(const struct request_times *times);
/* A request. */
double request_cpu_ns(const struct request_server *server);
double request_locks_ns(const struct request_server *server);

/* An accumulator (accumulator.h). */
struct requests_accumulator;

struct requests_accumulator *requests_accumulator_create(struct names *names);
void requests_accumulator_add(struct requests_accumulator *accumulator,
			      const struct profile *profile, const struct process *process);
void requests_accumulator_write(const struct requests_accumulator *accumulator,
				struct merged_writer *writer);
void requests_accumulator_read(struct requests_accumulator *accumulator,
			       struct merged_input *input);
/* processes: of the run, as rows refer to them. */
struct requests requests_accumulator_finish(struct requests_accumulator *accumulator,
					    const struct process *processes, size_t process_count);
void requests_clear(struct requests *requests);

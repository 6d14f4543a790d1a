/* SPDX-License-Identifier: MIT */
#include "analyze/model/requests/requests.h"

#include "analyze/base/keyed_table.h"
#include "analyze/base/memory.h"
#include "analyze/model/common/names.h"
#include "analyze/model/process/process.h"
#include "analyze/read/run_program.h"
#include "analyze/tables/merged_input.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A row of a process. Texts are kept by the names, so that equal ones are one pointer. */
struct entry {
	struct merged_requests; /* the first four are the key */
	struct histogram lengths;
};

struct requests_accumulator {
	struct names *names;
	struct keyed_table *entries;
};

struct requests_accumulator *requests_accumulator_create(struct names *names)
{
	struct requests_accumulator *accumulator = memory_allocate(1, sizeof *accumulator);

	accumulator->names = names;
	accumulator->entries =
		keyed_table_create(sizeof(struct entry), offsetof(struct entry, count));
	return accumulator;
}

static struct entry *find(struct requests_accumulator *accumulator,
			  const struct merged_requests *row)
{
	struct entry probe = {.process = row->process,
			      .socket = names_keep(accumulator->names, row->socket),
			      .routine = row->routine,
			      .line = row->line};

	return keyed_table_enter(accumulator->entries, &probe, NULL);
}

static void unite(struct entry *into, const struct merged_requests *from)
{
	into->count += from->count;
	into->sum_ns += from->sum_ns;
	if (from->max_ns > into->max_ns)
		into->max_ns = from->max_ns;
}

/* ---- profiles */

/* The only address at which connections were accepted; NULL: there are several, or none is known.
 */
static const char *only_socket(const struct profile *profile)
{
	static const char mark[] = ", accepted";
	const char *only = NULL;

	for (size_t i = 1; i < profile->objects.count; i++) {
		const struct profile_object *object = &profile->objects.rows[i];

		if (object->kind != OBJECT_SOCKET || !strstr(object->name, mark))
			continue;
		if (only && strcmp(only, object->name) != 0)
			return NULL;
		only = object->name;
	}
	return only;
}

static const char *socket_of(const struct profile *profile, size_t object, const char *only)
{
	const char *name = object ? profile->objects.rows[object].name : "";

	return *name ? name : only ? only : "[not looked up]";
}

void requests_accumulator_add(struct requests_accumulator *accumulator,
			      const struct profile *profile, const struct process *process)
{
	const char *only = only_socket(profile);

	for (size_t i = 0; i < profile->requests.count; i++) {
		const struct profile_request *from = &profile->requests.rows[i];
		const struct frame *frame =
			names_user_frame(accumulator->names, profile, from->callpath);
		const struct merged_requests row = {
			.process = process->index,
			.socket = socket_of(profile, from->object, only),
			.routine = frame ? frame->routine
					 : names_special(accumulator->names, "[unknown]"),
			.line = frame ? frame->line : 0,
			.count = from->count,
			.sum_ns = from->sum_ns,
			.max_ns = from->max_ns,
		};

		if (!from->count)
			continue;
		struct entry *into = find(accumulator, &row);

		unite(into, &row);
		histogram_add(&into->lengths, from->histogram);
	}
}

/* ---- merged runs */

void requests_accumulator_write(const struct requests_accumulator *accumulator,
				struct merged_writer *writer)
{
	for (size_t i = 0; i < keyed_table_count(accumulator->entries); i++) {
		const struct entry *entry = keyed_table_row(accumulator->entries, i);

		merged_writer_add(writer, MERGED_requests, entry);
		for (size_t bin = 0; bin < HISTOGRAM_BINS; bin++) {
			const struct merged_request_lengths row = {i, bin,
								   entry->lengths.bins[bin]};

			if (row.count)
				merged_writer_add(writer, MERGED_request_lengths, &row);
		}
	}
}

void requests_accumulator_read(struct requests_accumulator *accumulator, struct merged_input *input)
{
	struct merged_requests row;
	struct merged_request_lengths length;

	for (size_t next = 0; merged_next(input, MERGED_requests, &next, &row);) {
		struct entry *into = find(accumulator, &row);

		unite(into, &row);
		merged_number(input, MERGED_requests, next,
			      keyed_table_number(accumulator->entries, into));
	}
	for (size_t next = 0; merged_next(input, MERGED_request_lengths, &next, &length);)
		if (length.bin < HISTOGRAM_BINS) {
			struct entry *into = keyed_table_row(accumulator->entries, length.row);

			into->lengths.bins[length.bin] += length.count;
		}
}

/* ---- the result */

static size_t find_server(struct requests *requests, const char *program)
{
	size_t i = 0;

	while (i < requests->server_count && strcmp(requests->servers[i].program, program))
		i++;
	if (i == requests->server_count)
		requests->servers[requests->server_count++] =
			(struct request_server){.program = program};
	return i;
}

/* Once for each process: its entries follow each other in no order. */
static void add_process(struct request_server *server, const struct process *process,
			bool *is_known)
{
	if (is_known[process->index])
		return;
	is_known[process->index] = true;
	server->processes++;
	server->cpu_ns += process->cpu_ns;
	server->locks_ns += thread_locks_ns(&process->sum);
}

static struct request_row *find_row(struct requests *requests, size_t server,
				    const struct entry *entry)
{
	for (size_t i = 0; i < requests->count; i++) {
		struct request_row *row = &requests->rows[i];

		if (row->server == server && row->socket == entry->socket &&
		    row->routine == entry->routine && row->line == entry->line)
			return row;
	}
	requests->rows[requests->count] = (struct request_row){.server = server,
							       .socket = entry->socket,
							       .routine = entry->routine,
							       .line = (unsigned)entry->line};
	return &requests->rows[requests->count++];
}

static void add_times(struct request_times *into, const struct entry *entry)
{
	into->count += entry->count;
	into->sum_ns += entry->sum_ns;
	if (entry->max_ns > into->max_ns)
		into->max_ns = entry->max_ns;
	histogram_add(&into->lengths, entry->lengths.bins);
}

static void add_entry(struct requests *requests, size_t server, const struct entry *entry)
{
	add_times(&find_row(requests, server, entry)->times, entry);
	add_times(&requests->servers[server].times, entry);
	requests->answered += entry->count;
}

static int compare(const void *left, const void *right)
{
	const struct request_row *a = left, *b = right;

	if (a->times.count != b->times.count)
		return a->times.count > b->times.count ? -1 : 1;
	if (a->socket != b->socket)
		return strcmp(a->socket, b->socket);
	if (a->routine != b->routine)
		return a->routine < b->routine ? -1 : 1;
	return (a->line > b->line) - (a->line < b->line);
}

static const char *program_of(struct names *names, const struct process *process)
{
	char *name = run_program_name(process->file);
	const char *kept = names_keep(names, name);

	free(name);
	return kept;
}

struct requests requests_accumulator_finish(struct requests_accumulator *accumulator,
					    const struct process *processes, size_t process_count)
{
	size_t count = keyed_table_count(accumulator->entries);
	struct requests requests = {
		.rows = memory_allocate(count + 1, sizeof *requests.rows),
		.servers = memory_allocate(count + 1, sizeof *requests.servers),
	};
	bool *is_known = memory_allocate(process_count + 1, sizeof *is_known);

	for (size_t i = 0; i < count; i++) {
		const struct entry *entry = keyed_table_row(accumulator->entries, i);
		const struct process *process = &processes[entry->process];
		size_t server = find_server(&requests, program_of(accumulator->names, process));

		add_process(&requests.servers[server], process, is_known);
		add_entry(&requests, server, entry);
	}
	qsort(requests.rows, requests.count, sizeof *requests.rows, compare);
	free(is_known);
	keyed_table_destroy(accumulator->entries);
	free(accumulator);
	return requests;
}

struct histogram_percentile request_percentile(const struct request_times *times, double percent)
{
	return histogram_percentile(&times->lengths, percent,
				    (struct histogram_known){.longest = times->max_ns,
							     .sum = times->sum_ns,
							     .count = times->count});
}

static double each(uint64_t ns, const struct request_times *times)
{
	return times->count ? (double)ns / (double)times->count : NAN;
}

double request_mean_ns(const struct request_times *times)
{
	return each(times->sum_ns, times);
}

double request_cpu_ns(const struct request_server *server)
{
	return each(server->cpu_ns, &server->times);
}

double request_locks_ns(const struct request_server *server)
{
	return each(server->locks_ns, &server->times);
}

void requests_clear(struct requests *requests)
{
	free(requests->rows);
	free(requests->servers);
	*requests = (struct requests){0};
}

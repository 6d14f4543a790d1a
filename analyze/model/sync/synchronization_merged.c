/* SPDX-License-Identifier: MIT */
/* The accumulator of synchronization to and from merged runs. */
#include "analyze/base/memory.h"
#include "analyze/model/sync/synchronization_parts.h"
#include "analyze/tables/merged.h"

#include <stdlib.h>

/* The figures of a row that add up, in the accumulator and in a merged file, beside those that are
 * carried (schema_sums.h). */
#define SUMS(X)                                                                                    \
	X(count)                                                                                   \
	X(contended)                                                                               \
	X(left_out)                                                                                \
	X(spread_us2)                                                                              \
	X(wait_ns)                                                                                 \
	X(idle_ns)                                                                                 \
	X(idle_waits)                                                                              \
	X(processes)

/* The columns of what a holder waited for, for input and output and for other threads. */
#define HOLDER_COLUMNS(name, from)                                                                 \
	.name##_ns = (from).ns, .name##_most_ns = (from).most_ns,                                  \
	.name##_routine = (from).routine, .name##_line = (from).line,                              \
	.name##_object = (from).object, .name##_operation = (from).operation

static void write_sites(struct merged_writer *writer, size_t row, bool is_blame,
			const struct sync_sites *sites)
{
	for (size_t i = 0; i < sites->count; i++) {
		const struct sync_site *site = &sites->rows[i];
		struct merged_sync_sites copy = {
			.row = row,
			.is_blame = is_blame,
			.routine = site->routine,
			.line = site->line,
			.count = site->count,
			.time_ns = site->time_ns,
			.idle_ns = site->idle_ns,
			.is_inferred = site->is_inferred,
			HOLDER_COLUMNS(holder_io, site->holder_io),
			HOLDER_COLUMNS(holder_wait, site->holder_wait),
		};

		merged_writer_add(writer, MERGED_sync_sites, &copy);
	}
}

static void write_lengths(struct merged_writer *writer, size_t row, const struct histogram *lengths)
{
	for (size_t bin = 0; bin < HISTOGRAM_BINS; bin++) {
		const struct merged_sync_lengths copy = {row, bin, lengths->bins[bin]};

		if (copy.count)
			merged_writer_add(writer, MERGED_sync_lengths, &copy);
	}
}

const uint64_t *
synchronization_accumulator_write(const struct synchronization_accumulator *accumulator,
				  struct merged_writer *writer)
{
	const struct synchronization *all = &accumulator->result;

	for (size_t i = 0; i < all->object_count; i++) {
		const struct sync_object *object = &all->objects[i];
		struct merged_sync_objects copy = {
			.kind = object->kind,
			.stem = object->stem,
			.created_at = object->created_at,
			.address = object->address,
			.members = object->members,
			.processes = object->processes,
			.first_process = object->first_process,
		};

		merged_writer_add(writer, MERGED_sync_objects, &copy);
	}
	for (size_t i = 0; i < all->count; i++) {
		const struct sync_row *from = &all->rows[i];
#define SUM(name) .name = from->name,
		struct merged_sync_rows copy = {.object = from->object,
						.operation = from->operation,
						.cause = from->cause,
						.wait_max_ns = from->wait_max_ns,
						SUMS(SUM) SUMS_OF_waits(SUM_COPY)};
#undef SUM

		merged_writer_add(writer, MERGED_sync_rows, &copy);
		write_lengths(writer, i, &from->lengths);
		write_sites(writer, i, false, &from->waiters);
		write_sites(writer, i, true, &from->blame);
	}
	sync_pairs_write(accumulator->pairs, writer);
	sync_write_io(accumulator, writer);
	return all->wait_ns_by_cause;
}

/* The numbers here of a file's rows. */
struct numbers {
	size_t *of;
	size_t count;
};

static size_t *read_objects(struct synchronization_accumulator *accumulator,
			    const struct merged_input *input, size_t *count)
{
	const struct merged_sync_objects *rows =
		merged_file_rows(input->file, MERGED_sync_objects, count);
	size_t *numbers = memory_allocate(*count, sizeof *numbers);

	for (size_t i = 0; i < *count; i++) {
		const struct merged_sync_objects *row = &rows[i];
		size_t first = row->first_process < input->process_count
				       ? input->process_of[row->first_process]
				       : SIZE_MAX;
		struct sync_object object = {
			.kind = names_keep(accumulator->names, *row->kind ? row->kind : "call"),
			.stem = memory_copy_text(row->stem),
			.created_at = *row->created_at ? memory_copy_text(row->created_at) : NULL,
			.address = row->address,
			.members = row->members,
			.first_process = first,
		};

		numbers[i] = sync_number_object(accumulator, object);
		accumulator->result.objects[numbers[i]].processes += row->processes;
	}
	return numbers;
}

static size_t *read_rows(struct synchronization_accumulator *accumulator,
			 const struct merged_input *input, const struct numbers *objects,
			 size_t *count)
{
	const struct merged_sync_rows *rows =
		merged_file_rows(input->file, MERGED_sync_rows, count);
	size_t *numbers = memory_allocate(*count, sizeof *numbers);

	for (size_t i = 0; i < *count; i++) {
		const struct merged_sync_rows *from = &rows[i];

		numbers[i] = SIZE_MAX;
		if (from->object >= objects->count || from->operation >= OP_COUNT ||
		    from->cause >= CAUSE_LIMIT)
			continue;
		numbers[i] = sync_number_row(accumulator, objects->of[from->object],
					     (enum operation)from->operation);
		struct sync_row *into = &accumulator->result.rows[numbers[i]];

		if (from->wait_ns)
			sync_add_cause(into, (enum cause)from->cause, from->wait_ns);
#define SUM(name) into->name += from->name;
		SUMS(SUM)
#undef SUM
		SUMS_OF_waits(SUM_ADD);
		if (from->wait_max_ns > into->wait_max_ns)
			into->wait_max_ns = from->wait_max_ns;
	}
	return numbers;
}

static void read_lengths(struct synchronization_accumulator *accumulator,
			 const struct merged_input *input, const size_t *row_of, size_t row_count)
{
	size_t count;
	const struct merged_sync_lengths *rows =
		merged_file_rows(input->file, MERGED_sync_lengths, &count);

	for (size_t i = 0; i < count; i++)
		if (rows[i].row < row_count && row_of[rows[i].row] != SIZE_MAX &&
		    rows[i].bin < HISTOGRAM_BINS)
			accumulator->result.rows[row_of[rows[i].row]].lengths.bins[rows[i].bin] +=
				rows[i].count;
}

struct holder_columns {
	uint64_t ns, most_ns, routine, line, object, operation;
};

static struct sync_holder_io read_holder(const struct merged_input *input,
					 const struct numbers *objects,
					 const struct holder_columns *from)
{
	if (!from->ns || from->routine >= input->routine_count || from->object >= objects->count ||
	    from->operation >= OP_COUNT)
		return (struct sync_holder_io){0};
	return (struct sync_holder_io){
		.ns = from->ns,
		.most_ns = from->most_ns,
		.routine = input->routine_of[from->routine],
		.line = (unsigned)from->line,
		.object = objects->of[from->object],
		.operation = (enum operation)from->operation,
	};
}

#define READ_HOLDER(name)                                                                          \
	read_holder(input, objects,                                                                \
		    &(struct holder_columns){site->name##_ns, site->name##_most_ns,                \
					     site->name##_routine, site->name##_line,              \
					     site->name##_object, site->name##_operation})

static struct sync_site read_site(const struct merged_input *input, const struct numbers *objects,
				  const struct merged_sync_sites *site)
{
	return (struct sync_site){
		.routine = input->routine_of[site->routine],
		.line = (unsigned)site->line,
		.is_inferred = site->is_inferred,
		.count = site->count,
		.time_ns = site->time_ns,
		.idle_ns = site->idle_ns,
		.holder_io = READ_HOLDER(holder_io),
		.holder_wait = READ_HOLDER(holder_wait),
	};
}

void synchronization_accumulator_read(struct synchronization_accumulator *accumulator,
				      const struct merged_input *input,
				      const uint64_t wait_ns_by_cause[CAUSE_LIMIT])
{
	struct numbers objects;

	objects.of = read_objects(accumulator, input, &objects.count);
	size_t row_count, site_count, *rows = read_rows(accumulator, input, &objects, &row_count);
	const struct merged_sync_sites *sites =
		merged_file_rows(input->file, MERGED_sync_sites, &site_count);

	for (size_t i = 0; i < site_count; i++) {
		const struct merged_sync_sites *site = &sites[i];

		if (site->row >= row_count || rows[site->row] == SIZE_MAX ||
		    site->routine >= input->routine_count)
			continue;
		sync_add_site(accumulator, rows[site->row], site->is_blame,
			      read_site(input, &objects, site));
	}
	read_lengths(accumulator, input, rows, row_count);
	sync_pairs_read(accumulator->pairs, input, rows, row_count);
	sync_read_io(accumulator, input, rows, row_count);
	for (size_t cause = 0; cause < CAUSE_LIMIT; cause++)
		accumulator->result.wait_ns_by_cause[cause] += wait_ns_by_cause[cause];
	free(rows);
	free(objects.of);
}

/* SPDX-License-Identifier: MIT */
/* The accumulator of synchronization to and from merged runs. */
#include "analyze/base/memory.h"
#include "analyze/model/sync/synchronization_parts.h"
#include "analyze/tables/merged_input.h"

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

		merged_writer_add(writer, MERGED_sync_rows, from);
		write_lengths(writer, i, &from->lengths);
		write_sites(writer, i, false, &from->waiters);
		write_sites(writer, i, true, &from->blame);
	}
	sync_pairs_write(accumulator->pairs, writer);
	sync_write_io(accumulator, writer);
	return all->wait_ns_by_cause;
}

static void read_objects(struct synchronization_accumulator *accumulator,
			 struct merged_input *input)
{
	struct merged_sync_objects row;

	for (size_t next = 0; merged_next(input, MERGED_sync_objects, &next, &row);) {
		size_t number = sync_number_object(
			accumulator,
			(struct sync_object){
				.kind = *row.kind ? row.kind
						  : names_keep(accumulator->names, "call"),
				.stem = memory_copy_text(row.stem),
				.created_at =
					*row.created_at ? memory_copy_text(row.created_at) : NULL,
				.address = row.address,
				.members = row.members,
				.first_process = row.first_process,
			});

		accumulator->result.objects[number].processes += row.processes;
		merged_number(input, MERGED_sync_objects, next, number);
	}
}

static void read_rows(struct synchronization_accumulator *accumulator, struct merged_input *input)
{
	struct merged_sync_rows row;

	for (size_t next = 0; merged_next(input, MERGED_sync_rows, &next, &row);) {
		size_t number =
			sync_number_row(accumulator, row.object, (enum operation)row.operation);
		struct sync_row *into = &accumulator->result.rows[number];

		merged_number(input, MERGED_sync_rows, next, number);
		if (row.wait_ns)
			sync_add_cause(into, (enum cause)row.cause, row.wait_ns);
		merged_unite(MERGED_sync_rows, into, &row);
	}
}

static void read_lengths(struct synchronization_accumulator *accumulator,
			 const struct merged_input *input)
{
	struct merged_sync_lengths row;

	for (size_t next = 0; merged_next(input, MERGED_sync_lengths, &next, &row);)
		if (row.bin < HISTOGRAM_BINS)
			accumulator->result.rows[row.row].lengths.bins[row.bin] += row.count;
}

struct holder_columns {
	uint64_t ns, most_ns, routine, line, object, operation;
};

static struct sync_holder_io holder_of(const struct holder_columns *from)
{
	if (!from->ns || from->routine == MERGED_NO_ROW || from->object == MERGED_NO_ROW ||
	    from->operation >= OP_COUNT)
		return (struct sync_holder_io){0};
	return (struct sync_holder_io){
		.ns = from->ns,
		.most_ns = from->most_ns,
		.routine = from->routine,
		.line = (unsigned)from->line,
		.object = from->object,
		.operation = (enum operation)from->operation,
	};
}

#define HOLDER_OF(name)                                                                            \
	holder_of(&(struct holder_columns){row.name##_ns, row.name##_most_ns, row.name##_routine,  \
					   row.name##_line, row.name##_object,                     \
					   row.name##_operation})

static void read_sites(struct synchronization_accumulator *accumulator,
		       const struct merged_input *input)
{
	struct merged_sync_sites row;

	for (size_t next = 0; merged_next(input, MERGED_sync_sites, &next, &row);)
		sync_add_site(accumulator, row.row, row.is_blame,
			      (struct sync_site){
				      .routine = row.routine,
				      .line = (unsigned)row.line,
				      .is_inferred = row.is_inferred,
				      .count = row.count,
				      .time_ns = row.time_ns,
				      .idle_ns = row.idle_ns,
				      .holder_io = HOLDER_OF(holder_io),
				      .holder_wait = HOLDER_OF(holder_wait),
			      });
}

void synchronization_accumulator_read(struct synchronization_accumulator *accumulator,
				      struct merged_input *input,
				      const uint64_t wait_ns_by_cause[CAUSE_LIMIT])
{
	read_objects(accumulator, input);
	read_rows(accumulator, input);
	read_sites(accumulator, input);
	read_lengths(accumulator, input);
	sync_pairs_read(accumulator->pairs, input);
	sync_read_io(accumulator, input);
	for (size_t cause = 0; cause < CAUSE_LIMIT; cause++)
		accumulator->result.wait_ns_by_cause[cause] += wait_ns_by_cause[cause];
}

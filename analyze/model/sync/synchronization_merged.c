/* SPDX-License-Identifier: MIT */
/* The accumulator of synchronization to and from merged runs. */
#include "analyze/model/sync/synchronization_parts.h"
#include "analyze/tables/merged_input.h"

static void write_sites(struct merged_writer *writer, const struct sync_sites *sites)
{
	for (size_t i = 0; i < sites->count; i++)
		merged_writer_add(writer, MERGED_sync_sites, &sites->rows[i]);
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

	for (size_t i = 0; i < all->object_count; i++)
		merged_writer_add(writer, MERGED_sync_objects, &all->objects[i]);
	for (size_t i = 0; i < all->count; i++) {
		const struct sync_row *from = &all->rows[i];

		merged_writer_add(writer, MERGED_sync_rows, from);
		write_lengths(writer, i, &from->lengths);
		write_sites(writer, &from->waiters);
		write_sites(writer, &from->blame);
	}
	sync_pairs_write(accumulator->pairs, writer);
	sync_write_io(accumulator, writer);
	return all->wait_ns_by_cause;
}

static void read_objects(struct synchronization_accumulator *accumulator,
			 struct merged_input *input)
{
	struct sync_object row = {.is_shared = false};

	for (size_t next = 0; merged_next(input, MERGED_sync_objects, &next, &row);) {
		if (!*row.kind)
			row.kind = "call";
		if (!*row.created_at)
			row.created_at = NULL;
		merged_number(input, MERGED_sync_objects, next,
			      sync_number_object(accumulator, row));
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

static void check_holder(struct sync_holder_io *holder)
{
	if (!holder->ns || holder->routine == MERGED_NO_ROW || holder->object == MERGED_NO_ROW ||
	    holder->operation >= OP_COUNT)
		*holder = (struct sync_holder_io){0};
}

static void read_sites(struct synchronization_accumulator *accumulator,
		       const struct merged_input *input)
{
	struct sync_site row;

	for (size_t next = 0; merged_next(input, MERGED_sync_sites, &next, &row);) {
		check_holder(&row.holder_io);
		check_holder(&row.holder_wait);
		sync_add_site(accumulator, &row);
	}
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

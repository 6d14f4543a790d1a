/* SPDX-License-Identifier: MIT */
/* libFuzzer's mutations, and some that know blocks, rows and cells.
 *
 * Most bytes of a small profile are its schema text and zeros: blind changes make a file that is
 * hardly read, or the same figures once more. Here most changes go into rows, take numbers that
 * stand elsewhere in the same column (references to rows that are there), or the edges of integers.
 * Context: deterministic; all randomness comes from the seed that libFuzzer gives. */
#include "tests/fuzz/fuzz_choice.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define BLOCKS_MAX 512

size_t LLVMFuzzerMutate(unsigned char *bytes, size_t size, size_t size_max);
size_t LLVMFuzzerCustomMutator(unsigned char *bytes, size_t size, size_t size_max, unsigned seed);

struct mutation {
	unsigned char *bytes;
	size_t size;
	uint64_t random;
	size_t blocks[BLOCKS_MAX]; /* offsets of their headers */
	size_t block_count;
};

/* Marsaglia's xorshift64 (Journal of Statistical Software 8:14, 2003). */
static size_t random_below(struct mutation *it, size_t limit)
{
	it->random ^= it->random << 13;
	it->random ^= it->random >> 7;
	it->random ^= it->random << 17;
	return limit ? (size_t)(it->random >> 11) % limit : 0;
}

static uint64_t edge_number(struct mutation *it)
{
	static const uint64_t edges[] = {
		0,
		1,
		2,
		3,
		0x7f,
		0x80,
		0xff,
		0x100,
		0x7fff,
		0x8000,
		0xffff,
		0x10000,
		0x7fffffff,
		0x80000000,
		0xffffffff,
		INT64_MAX,
		INT64_MIN,
		UINT64_MAX,
		1u << 20,
		1ull << 40,
		1000000000,
		1ull << 53,
		1ull << 60,
		UINT64_MAX - 1,
		0x7ff0000000000000,
		0x7ff8000000000000,
		0xbff0000000000000, /* inf, NAN, -1.0 */
	};

	return edges[random_below(it, sizeof edges / sizeof *edges)];
}

/* ---- where things are */

static struct format_block block_at(const struct mutation *it, size_t offset)
{
	struct format_block block;

	memcpy(&block, it->bytes + offset, sizeof block);
	return block;
}

static void find_blocks(struct mutation *it)
{
	struct format_header header;
	size_t offset;

	if (it->size < sizeof header)
		return;
	memcpy(&header, it->bytes, sizeof header);
	offset = header.blocks_offset;
	while (it->block_count < BLOCKS_MAX && offset < it->size &&
	       it->size - offset >= sizeof(struct format_block)) {
		struct format_block block = block_at(it, offset);
		bool is_block = block.magic == FORMAT_BLOCK_MAGIC && block.bytes >= sizeof block;

		if (is_block && block.row_bytes > 1)
			it->blocks[it->block_count++] = offset;
		offset += is_block ? block.bytes : sizeof block;
	}
}

struct row {
	unsigned char *bytes; /* NULL: there is none */
	size_t size;
};

static struct row random_row(struct mutation *it, size_t offset)
{
	struct format_block block = block_at(it, offset);
	size_t rows = block.flags & FORMAT_BLOCK_SPARSE ? block.capacity : block.rows;
	size_t room = it->size - offset - sizeof block;
	size_t limit = block.row_bytes ? room / block.row_bytes : 0;

	if (!rows || !limit)
		return (struct row){NULL, 0};
	size_t row = random_below(it, rows < limit ? rows : limit);

	return (struct row){it->bytes + offset + sizeof block + row * block.row_bytes,
			    block.row_bytes};
}

static size_t random_block(struct mutation *it)
{
	return it->blocks[random_below(it, it->block_count)];
}

static size_t random_width(struct mutation *it)
{
	static const size_t widths[] = {8, 8, 8, 4, 4, 2, 1};

	return widths[random_below(it, sizeof widths / sizeof *widths)];
}

/* ---- changes */

static void change_cell(struct mutation *it)
{
	struct row row = random_row(it, random_block(it));
	size_t width = random_width(it), cells = row.size / width;
	uint64_t number = edge_number(it);

	if (row.bytes && cells)
		memcpy(row.bytes + width * random_below(it, cells), &number, width);
}

static void nudge_cell(struct mutation *it)
{
	static const int steps[] = {1, -1, 2, -2, 8, -8, 64, 1000};
	struct row row = random_row(it, random_block(it));
	size_t width = random_width(it), cells = row.size / width;
	uint64_t number = 0;

	if (!row.bytes || !cells)
		return;
	unsigned char *cell = row.bytes + width * random_below(it, cells);

	memcpy(&number, cell, width);
	number += (uint64_t)steps[random_below(it, sizeof steps / sizeof *steps)];
	memcpy(cell, &number, width);
}

/* A number that makes sense in this column, but not in this row. */
static void borrow_cell(struct mutation *it)
{
	size_t offset = random_block(it), width = random_width(it);
	struct row to = random_row(it, offset), from = random_row(it, offset);
	size_t cell = width * random_below(it, to.size / width);

	if (to.bytes && from.bytes && cell + width <= to.size)
		memmove(to.bytes + cell, from.bytes + cell, width);
}

static void copy_row(struct mutation *it)
{
	struct row to = random_row(it, random_block(it)), from = random_row(it, random_block(it));
	size_t size = to.size < from.size ? to.size : from.size;

	if (to.bytes && from.bytes)
		memmove(to.bytes, from.bytes, size);
}

static void empty_row(struct mutation *it)
{
	struct row row = random_row(it, random_block(it));

	if (row.bytes)
		memset(row.bytes, random_below(it, 4) ? 0 : 0xff, row.size);
}

/* Of the fields behind the magic. */
static void change_block(struct mutation *it)
{
	size_t offset = random_block(it), field = 4 + 2 * random_below(it, 14);
	size_t width = random_below(it, 2) ? 2 : 4;
	uint64_t number = random_below(it, 2) ? edge_number(it) : random_below(it, 64);

	memcpy(it->bytes + offset + field, &number, width);
}

static void change_header(struct mutation *it)
{
	size_t fields = sizeof(struct format_header) / 4;
	uint64_t number = edge_number(it);

	memcpy(it->bytes + 4 * random_below(it, fields), &number, 4);
}

/* ---- one input */

static void change_once(struct mutation *it)
{
	static void (*const changes[])(struct mutation * it) = {
		change_cell, change_cell, change_cell, nudge_cell,   nudge_cell,    borrow_cell,
		borrow_cell, copy_row,    empty_row,   change_block, change_header,
	};

	changes[random_below(it, sizeof changes / sizeof *changes)](it);
}

static void choose_output(struct mutation *it)
{
	it->bytes[FUZZ_CHOICE_OUTPUT] = (unsigned char)random_below(it, 256);
	it->bytes[FUZZ_CHOICE_WAY] = (unsigned char)random_below(it, 256);
}

size_t LLVMFuzzerCustomMutator(unsigned char *bytes, size_t size, size_t size_max, unsigned seed)
{
	static const unsigned counts[] = {1, 1, 2, 3, 5, 10, 40};
	struct mutation it = {.bytes = bytes, .size = size, .random = seed + 0x9e3779b97f4a7c15u};

	find_blocks(&it);
	if (!it.block_count || size <= FUZZ_CHOICE_WAY || !random_below(&it, 5))
		return LLVMFuzzerMutate(bytes, size, size_max);
	if (!random_below(&it, 2))
		choose_output(&it);
	for (size_t i = counts[random_below(&it, sizeof counts / sizeof *counts)]; i; i--)
		change_once(&it);
	return size;
}

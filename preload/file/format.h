/* SPDX-License-Identifier: MIT */
/* The framing of a profile file: all that writer and reader must agree on beforehand.
 *
 * A file is one header page, the schema text, and blocks, one behind the other, up to `used_bytes`.
 * Tables and columns are described in the schema text, not here (docs/dev/format.md). All numbers are
 * little endian; all times are CLOCK_MONOTONIC nanoseconds unless a name says otherwise.
 *
 * Shared by preload/, which writes while the program runs, and analyze/, which may read at the same
 * time. Fields marked "live" change under a reader; each is written by one aligned store. */
#pragma once

#include <stdint.h>

#define FORMAT_MAGIC        "PTPROF\r\n" /* eight bytes; the line end betrays a text-mode copy */
#define FORMAT_VERSION      1
#define FORMAT_BYTE_ORDER   0x01020304u
#define FORMAT_HEADER_BYTES 4096
#define FORMAT_BLOCK_MAGIC  0x4b425450u /* "PTBK" */
#define FORMAT_NO_OWNER     0xffffffffu
#define FORMAT_MAX_BYTES    (16u << 20)
#define FORMAT_LEAST_BYTES  (56u << 10) /* the schema and a few rows of each table */

/* What is known of the end of the process image. */
enum format_state {
	FORMAT_STATE_RUNNING = 1,  /* no end is known: it runs, or it was killed */
	FORMAT_STATE_EXITED = 2,   /* it recorded its own exit; `status` is the exit code */
	FORMAT_STATE_REPLACED = 3, /* exec: the file of the next sequence number continues */
	FORMAT_STATE_REAPED = 4,   /* its parent saw the end; `status` is a wait(2) status */
	FORMAT_STATE_DETACHED = 5, /* the profiler left it, and it runs on unobserved */
	FORMAT_STATE_SAVED = 6,    /* a copy that ptrace-top made while it ran: ends at end_ns */
};

struct format_header {
	char magic[8];
	uint32_t version;
	uint32_t byte_order;
	uint32_t header_bytes;
	uint32_t pid;
	uint32_t sequence; /* 0, 1, ... of the images that one pid runs through exec */
	uint32_t reserved0;
	uint64_t schema_offset;
	uint64_t schema_bytes;
	uint64_t blocks_offset;
	uint64_t used_bytes; /* live: where the next block begins; may briefly exceed file_bytes */
	uint64_t file_bytes; /* live: how much of the file has been allocated */
	uint32_t state;      /* live: enum format_state */
	int32_t status;      /* live */
	uint64_t start_ns;
	uint64_t start_realtime_ns; /* CLOCK_REALTIME at start_ns */
	uint64_t end_ns;            /* live: 0 until the end is known */
	uint64_t heartbeat_ns;      /* live: latest instant at which the process ran */
	uint64_t lost_rows;         /* live: rows that did not fit into their table */
	/* Written by ptrace-run when its child has ended: how long signals had stopped the process,
	 * in which span. 0, also in profiles of older versions: not at all, or nobody saw it. */
	uint64_t stopped_ns, first_stop_ns, last_stop_ns;
	uint64_t is_missing; /* live: 1: something that was to be counted found no row at all */
};

/* A block holds rows of one table. Its rows are numbered from first_row; a reference to a row is
 * such a number. A writer reserves a block's space before it fills in the block's header: where the
 * magic is missing, a reader searches for the next block in steps of 64 bytes. */
enum format_block_flags {
	FORMAT_BLOCK_SPARSE = 1, /* rows in use, of `capacity`: if the first 8 bytes are not 0 */
};

struct format_block {
	uint32_t magic;
	uint32_t bytes;     /* header and rows, a multiple of 64 */
	uint16_t table;     /* number of the table in the schema text */
	uint16_t row_bytes; /* 1 in the strings table */
	uint32_t owner;     /* its thread: number of a row of `threads`, or FORMAT_NO_OWNER */
	uint32_t first_row;
	uint32_t capacity;
	uint32_t rows;  /* live, stored with release: rows before it are complete */
	uint32_t flags; /* enum format_block_flags */
	uint64_t reserved[4];
};

_Static_assert(sizeof(struct format_header) <= FORMAT_HEADER_BYTES, "the header is one page");
_Static_assert(sizeof(struct format_block) == 64, "a block header is one cache line");

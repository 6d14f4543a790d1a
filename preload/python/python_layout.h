/* SPDX-License-Identifier: MIT */
/* Where the structs of each version of CPython keep what is read here. No state. */
#pragma once

#include <stdint.h>

/* How a thread's frames hang together, and which of them one call of the evaluation loop on the C
 * stack stands for. A "C frame" (struct _PyCFrame) is a local variable of that loop. */
enum python_chain {
	PYTHON_FRAMES,  /* 3.9: one Python frame for each call of the loop */
	PYTHON_CFRAMES, /* 3.10: the same, and one C frame as well */
	PYTHON_ENTRIES, /* 3.11: a C frame, and its Python frames up to one that is marked */
	PYTHON_SHIMS,   /* 3.12, 3.13: Python frames up to one that lies in the loop's own frame */
};

/* How a code object says which instruction is of which line. */
enum python_table {
	PYTHON_LNOTAB,    /* 3.9: pairs of steps */
	PYTHON_RANGES,    /* 3.10: PEP 626 */
	PYTHON_LOCATIONS, /* 3.11 and later: PEP 657 */
};

struct python_layout {
	uint8_t minor; /* 3.x */
	uint8_t chain; /* enum python_chain */
	uint8_t table; /* enum python_table */
	uint16_t thread_top;
	uint16_t cframe_top, cframe_before;
	uint16_t frame_code, frame_before, frame_instruction, frame_entry;
	uint16_t code_name, code_qualified, code_file, code_first_line, code_lines, code_begin;
	uint16_t text_ascii, text_wide;
};

/* What is the same in all of them. */
enum {
	PYTHON_TYPE = 8,   /* of an object: its type */
	PYTHON_SIZE = 16,  /* of bytes and str: length */
	PYTHON_BYTES = 32, /* of bytes: the first */
	PYTHON_TEXT_HASH = 24,
	PYTHON_TEXT_STATE = 32,
	/* values of frame_entry in PYTHON_SHIMS */
	PYTHON_OWNED_BY_C_STACK = 3,
};

/* NULL: of no version that is known. */
const struct python_layout *python_layout_of(unsigned minor);

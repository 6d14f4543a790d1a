/* SPDX-License-Identifier: MIT */
/* Call-frame information (.eh_frame): how to find a function's caller from any instruction of it.
 *
 * Why not libunwind: in a signal handler Debian's takes the loader's lock, allocates thread-local
 * memory on a thread's first use (300 us), and holds locks across fork. This reader only reads
 * memory that is mapped for running code: no lock, no allocation, no system call. Unit tests
 * compare it with libunwind.
 *
 * Context: any thread, signal handlers. The tables are trusted, as the C++ runtime trusts them.
 * Sources: DWARF 5, section 6.4; LSB 5, "Exception Frames"; the processor's psABI. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "arch.h"

enum cfi_how {
	CFI_SAME,        /* the caller's value is in the register itself */
	CFI_UNDEFINED,   /* there is none: for the return address, this is the outermost frame */
	CFI_OFFSET,      /* in memory at CFA + offset */
	CFI_AT_FP,       /* in memory at frame pointer + offset (realigned stacks) */
	CFI_UNSUPPORTED, /* expressions and other registers */
};

struct cfi_register {
	uint8_t how; /* enum cfi_how */
	int32_t offset;
};

/* One row of the table: what holds at one instruction. */
struct cfi_row {
	const uint8_t *cfa_expression; /* NULL: CFA = register + offset */
	uint32_t cfa_expression_bytes;
	uint32_t cfa_register;
	int64_t cfa_offset;
	struct cfi_register fp;
	struct cfi_register ra;
	bool is_signal_frame; /* a signal's frame: registers are in a ucontext at sp */
};

/* The row for the instruction at pc. eh_frame_header: that of the object that holds pc. */
bool cfi_find(const uint8_t *eh_frame_header, uint64_t pc, struct cfi_row *row);

/* Where the routine begins that pc lies in; 0: not known. */
uint64_t cfi_routine(const uint8_t *eh_frame_header, uint64_t pc);

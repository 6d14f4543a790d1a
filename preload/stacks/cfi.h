/* SPDX-License-Identifier: MIT */
/* Call-frame information (.eh_frame): how to get from a place in the code to its caller.
 *
 * Why not libunwind: it is the unwinder of choice everywhere else (unit tests compare this one with
 * it), but in a signal handler Debian's takes the loader's lock, allocates thread-local memory on a
 * thread's first use (300 us), and holds locks across fork. This reader only looks at memory
 * that is mapped for the code that runs: no lock, no allocation, no system call.
 *
 * Context: any thread, signal handlers. The tables are those that the C++ runtime trusts as well.
 * Source: DWARF 5, section 6.4; LSB 5, "Exception Frames"; and the psABI of the processor. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "arch.h"

enum cfi_how {
	CFI_SAME,      /* the caller's value is in the register itself */
	CFI_UNDEFINED, /* there is none: for the return address, the outermost frame */
	CFI_OFFSET,    /* in memory at CFA + offset */
	CFI_AT_FP, /* in memory at frame pointer + offset: compilers say so of realigned stacks */
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
	bool is_signal_frame; /* the caller is the kernel: registers stand in a ucontext at the
				 stack pointer */
};

/* The row for the instruction at pc; eh_frame_header is that of the object that holds pc. */
bool cfi_find(const uint8_t *eh_frame_header, uint64_t pc, struct cfi_row *row);

/* Where the routine begins whose code is at pc; 0: not known. */
uint64_t cfi_routine(const uint8_t *eh_frame_header, uint64_t pc);

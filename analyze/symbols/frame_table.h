/* SPDX-License-Identifier: MIT */
/* Where functions begin in an object that has no symbols: its table of unwind information
 * (.eh_frame_hdr) has a sorted entry for each of them, also in stripped files. Source: LSB 5,
 * "Exception Frames". Context: pure, reads the object's own section. */
#pragma once

#include <gelf.h>
#include <stdint.h>

/* The beginning of the function that holds an address; the address itself where the table does not
 * say. elf may be NULL. */
uint64_t frame_table_start(Elf *elf, uint64_t address);

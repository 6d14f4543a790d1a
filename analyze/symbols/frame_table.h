/* SPDX-License-Identifier: MIT */
/* Where functions begin in an object without symbols: its table of unwind information
 * (.eh_frame_hdr) has a sorted entry for each function, in stripped files as well. Source: LSB 5,
 * "Exception Frames". Context: pure; reads the object's own section. */
#pragma once

#include <gelf.h>
#include <stdint.h>

/* The start of the function that contains an address; the address itself where the table does not
 * tell. elf may be NULL. */
uint64_t frame_table_start(Elf *elf, uint64_t address);

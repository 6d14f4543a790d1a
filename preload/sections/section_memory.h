/* SPDX-License-Identifier: MIT */
/* Names that the program gives to memory: table named_memory. Context: any thread, signal handlers;
 * lock-free, only grows. */
#pragma once

#include <stdint.h>

/* What lies there is called so from now on. Beyond the table's limit nothing is. */
void section_memory_name(uint64_t address, uint64_t bytes, const char *name);

/* Start-up and fork child. */
void section_memory_reset(void);

/* SPDX-License-Identifier: MIT */
/* Names that a program gave to parts of its memory (ptrace_name), for the locks that lie in them.
 * Context: pure. */
#pragma once

#include "analyze/read/profile.h"

/* "A", or "A+0x10" of what lies behind its first byte; NULL: nobody named the address. Of several
 * names the latest counts. Released by the caller. */
char *named_memory_text(const struct profile *profile, uint64_t address);

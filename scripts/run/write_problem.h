/* SPDX-License-Identifier: MIT */
/* Why a run directory cannot be written to, with the remedy. Context: ptrace-run. */
#pragma once

#include <stddef.h>

/* error: an errno that writing to path, which need not exist, has met. */
void write_problem_text(const char *path, int error, char *text, size_t size);

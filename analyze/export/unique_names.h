/* SPDX-License-Identifier: MIT */
/* Names of the columns of a format, each once: of equal ones the later have a number, "cpuNo2".
 * Context: pure. */
#pragma once

#include <stddef.h>

struct unique_names;

struct unique_names *unique_names_create(void);
void unique_names_destroy(struct unique_names *names);
/* The name as it was added; lives as long as the names. */
const char *unique_names_add(struct unique_names *names, const char *name);
size_t unique_names_count(const struct unique_names *names);
const char *unique_names_at(const struct unique_names *names, size_t number);

/* The same of an event as callgrind's format has it, of letters and digits: what is neither is left
 * out, and the letter behind it is a capital: "page-faults" becomes PageFaults. */
const char *callgrind_names_add(struct unique_names *names, const char *name);

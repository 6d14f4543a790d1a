/* SPDX-License-Identifier: MIT */
/* Names of events as callgrind's format has them: letters and digits, and each name once.
 *
 * What is neither is left out, and the letter behind it is a capital: "page-faults" becomes
 * PageFaults. Of equal ones the later have a number. Context: pure. */
#pragma once

#include <stddef.h>

struct callgrind_names;

struct callgrind_names *callgrind_names_create(void);
void callgrind_names_destroy(struct callgrind_names *names);
/* The new name; lives as long as the names. */
const char *callgrind_names_add(struct callgrind_names *names, const char *name);
size_t callgrind_names_count(const struct callgrind_names *names);
const char *callgrind_names_at(const struct callgrind_names *names, size_t number);

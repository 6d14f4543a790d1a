/* SPDX-License-Identifier: MIT */
/* Names of events as callgrind's format has them: letters and digits, and each name once.
 *
 * What is neither is left out, and the letter behind it is a capital: "page-faults" becomes
 * PageFaults. Context: pure. */
#pragma once

#include "analyze/export/unique_names.h"

/* The new name; lives as long as the names. */
const char *callgrind_names_add(struct unique_names *names, const char *name);

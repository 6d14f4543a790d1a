/* SPDX-License-Identifier: MIT */
/* Where an OpenMP construct is in the program: the user's routine, not the outlined function.
 *
 * A profile has one of two addresses: the first one of the outlined function that the compiler made
 * of a body (`compute._omp_fn.0`), whose line is the pragma's, or the return address of the call
 * that starts it. Context: pure but for names. */
#pragma once

#include "analyze/model/common/names.h"

/* is_entry: the call path is the first address of an outlined function. */
struct frame omp_place_of(struct names *names, const struct profile *profile, size_t callpath,
			  bool is_entry);

/* SPDX-License-Identifier: MIT */
/* Where in the program an OpenMP construct stands: the user's routine, not what the compiler has
 * made of its body.
 *
 * Recorders know one of two addresses: the first one of the function that the compiler made of a
 * body (`compute._omp_fn.0`), whose line is the pragma's, or the return address of the call that
 * starts it. Context: pure but for names. */
#pragma once

#include "analyze/model/common/names.h"

/* is_entry: the call path is such a first address. */
struct frame omp_place_of(struct names *names, const struct profile *profile, size_t callpath,
			  bool is_entry);

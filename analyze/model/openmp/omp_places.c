/* SPDX-License-Identifier: MIT */
#include "analyze/model/openmp/omp_places.h"

/* The innermost frame outside the runtime: inlined routines of omp.h count as the runtime. */
static struct frame call_place(struct names *names, const struct profile *profile, size_t callpath)
{
	const struct frame *frame = names_user_frame(names, profile, callpath);

	return frame ? *frame : (struct frame){.routine = names_special(names, "[unknown]")};
}

struct frame omp_place_of(struct names *names, const struct profile *profile, size_t callpath,
			  bool is_entry)
{
	if (is_entry && callpath)
		return names_entry(names, profile, callpath);
	return call_place(names, profile, callpath);
}

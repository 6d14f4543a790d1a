/* SPDX-License-Identifier: MIT */
/* Executions of regions: how long each member worked in the body and waited at its end.
 *
 * The thread that encounters a region opens a team; each member stores the begin and the end of its
 * body in a slot of its own; the thread that opened the team closes it when the region has ended,
 * and adds up: for every member, elapsed = fork + work + wait + join. Outside of its bodies a
 * member is in a wait, also the one that starts the team, which may have to wait for the others.
 *
 * Scheduling and imbalance as DLB's TALP defines them: the not useful time of the member with least
 * of it is lost by all members, the rest is imbalance. */
#pragma once

#include "preload/openmp/omp_wait.h"

/* place: of the region (omp_region.h). wanted: members at most. sp: frame of the wait until the
 * opener's body begins. False: not measured; do not call the others. */
bool omp_team_open(struct omp_team *team, struct omp_thread *omp, uint64_t place, uint32_t wanted,
		   const struct site *site, uint64_t sp);
void omp_team_close(struct omp_team *team);

/* The calling thread's body. number: the thread's in the team. size: of the team, given by number
 * 0. sp: frame of the wait after the body. */
void omp_member_begin(struct omp_member *member, struct omp_team *team, uint32_t number,
		      uint32_t size);
void omp_member_end(struct omp_member *member, uint64_t sp);

/* SPDX-License-Identifier: MIT */
/* Executions of regions: who worked how long in the body, who waited for whom at its end.
 *
 * The thread that meets a region opens a team; each member leaves the begin and the end of its body
 * in a slot of its own; the one that opened it closes it when the region has ended, and charges:
 * for every member, elapsed = fork + work + wait + join. Outside of its bodies a member is in a
 * wait: also the one that starts the team, which may have to wait for the others to come back.
 *
 * Scheduling and imbalance by the definitions of DLB's TALP: the not useful time of the member that
 * has least of it is lost by all, the rest is imbalance. */
#pragma once

#include "preload/openmp/omp_wait.h"

/* place: of the region (omp_region.h). wanted: members at most. sp: the frame that the wait until
 * its body begins belongs to. False: not measured, and the others must not be called. */
bool omp_team_open(struct omp_team *team, struct omp_thread *omp, uint64_t place, uint32_t wanted,
		   const struct site *site, uint64_t sp);
void omp_team_close(struct omp_team *team);

/* The calling thread's body; `number` of it in the team. size: of the team, from its number 0. sp:
 * the frame that the wait after it belongs to. */
void omp_member_begin(struct omp_member *member, struct omp_team *team, uint32_t number,
		      uint32_t size);
void omp_member_end(struct omp_member *member, uint64_t sp);

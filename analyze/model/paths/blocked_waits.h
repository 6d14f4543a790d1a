/* SPDX-License-Identifier: MIT */
/* The part of all waits in which their threads used no processor, with the call paths that waited:
 * what has to be added to CPU time to get elapsed time.
 *
 * A wait that polls or spins uses CPU time, which samples have counted already. So of the time of
 * a wait the CPU time of the samples that were taken in it is subtracted: those of its thread, in a
 * wait of its cause, whose call path goes through that of the wait. OpenMP's waits have the call
 * path that started the region, and share the samples below it. Without such a wait (a path was
 * cut; the callers of a worker's region are not its own) those at the same call that waits share
 * it; if there are none of these either, all of that thread and cause. To share is to subtract in
 * proportion to what is left. Never more is subtracted than a wait has. For each thread then
 *
 *   blocked in waits <= lifetime - CPU time that samples claim
 *
 * is made to hold, as samples are taken by chance: by reducing its waits with such CPU time in
 * proportion, and then all others.
 *
 * Waits are those of path_waits.h, but for OpenMP's closing barriers, which those have as sums over
 * a team. A wait of a worker outside of the bodies of regions is in no routine of the program; that
 * of the thread which started the region is in the call that started it. A worker's wait in a body
 * has the region and the place as its path, without the callers of the region. OpenMP waits that
 * were under way at the end are missing. Context: pure but for names. */
#pragma once

#include "analyze/model/common/names.h"

struct process;

/* frames: of the call path that waited, innermost first. */
typedef void blocked_wait_visit(void *data, const struct frame *frames, size_t count, uint64_t ns);

/* Calls `visit` for each path that waited, in a thread and for a cause. False: the profile is of a
 * version that does not tell which samples were taken in waits; nothing is visited. */
bool blocked_waits_read(struct names *names, const struct profile *profile,
			const struct process *process, blocked_wait_visit *visit, void *data);

/* SPDX-License-Identifier: MIT */
/* Callbacks of OMPT on locks: critical, atomic, ordered, OpenMP's locks. Every acquisition calls
 * them, so clocks are read only if another thread may be in the way (omp_lock.h). Arguments from
 * the OpenMP API Specification 5.1, 4.5.2. */
#pragma once

#include "preload/openmp/ompt.h"

/* Start-up of the runtime; not from a member of a team, because another thread may hold the
 * loader's lock then. runtime: an address in it. */
void ompt_lock_start(uint64_t runtime);

void ompt_mutex_acquire(int kind, unsigned hint, unsigned implementation, ompt_wait_id_t id,
			const void *code);
void ompt_mutex_acquired(int kind, ompt_wait_id_t id, const void *code);
void ompt_mutex_released(int kind, ompt_wait_id_t id, const void *code);
void ompt_nest_lock(int endpoint, ompt_wait_id_t id, const void *code);
void ompt_lock_init(int kind, unsigned hint, unsigned implementation, ompt_wait_id_t id,
		    const void *code);
void ompt_lock_destroy(int kind, ompt_wait_id_t id, const void *code);

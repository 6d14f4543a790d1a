/* SPDX-License-Identifier: MIT */
#include "preload/openmp/ompt_place.h"

#include "preload/base/interrupted.h"
#include "preload/openmp/gomp_real.h"
#include "preload/openmp/ompt_pool.h"
#include "preload/process/module_map.h"
#include "preload/stacks/unwind.h"

struct ompt_range ompt_runtime, ompt_own;
uint64_t ompt_league;

static struct ompt_range range_of(uint64_t address)
{
	struct code_object object;

	if (!module_map_find(address, &object))
		return (struct ompt_range){0, 0};
	return (struct ompt_range){object.start, object.end - object.start};
}

void ompt_place_start(uint64_t caller)
{
	ompt_own = range_of((uint64_t)ompt_place_start);
	ompt_runtime = range_of(caller);
}

static bool is_within(const struct ompt_range *range, uint64_t address)
{
	return address - range->start < range->bytes;
}

static uint64_t place_of_region(const struct omp_thread *omp, uint64_t otherwise)
{
	const struct omp_member *member = omp->member;

	return member ? ((const struct ompt_team *)member->team)->place : otherwise;
}

uint64_t ompt_place_slow(const struct omp_thread *omp, uint64_t code)
{
	if (is_within(&ompt_own, code) && gomp_passed_on_from)
		return gomp_passed_on_from;
	return place_of_region(omp, code ? code : __atomic_load_n(&ompt_league, __ATOMIC_RELAXED));
}

uint64_t ompt_task_place(struct omp_thread *omp, const void *code, const struct site *site)
{
	struct unwind_path *walk = &omp->thread->walk;
	struct unwind_frame frame = {.pc = site->caller, .sp = site->sp, .fp = site->fp};

	if (likely(!is_within(&ompt_runtime, (uint64_t)code)))
		return ompt_place(omp, code);
	busy_begin(&omp->thread->is_busy);
	unwind_walk(&frame, &omp->thread->stack, walk, NULL);
	uint64_t place = 0;
	for (uint32_t i = 0; i < walk->count && !place; i++)
		if (!is_within(&ompt_runtime, walk->place[i]) &&
		    !is_within(&ompt_own, walk->place[i]))
			place = walk->place[i];
	busy_end(&omp->thread->is_busy);
	return place ? place : place_of_region(omp, (uint64_t)code);
}

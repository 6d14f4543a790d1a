/* SPDX-License-Identifier: MIT */
#include "analyze/findings/rules/findings_told.h"

#include "analyze/base/memory.h"
#include "analyze/findings/rules/finding_rules.h"
#include "analyze/model/run/run.h"

#include <stdlib.h>
#include <string.h>

struct pair {
	const char *special, *general;
};

/* By object. */
static const struct pair told_by[] = {
	{"wake-ups", "condition-wait"}, {"gil", "condition-wait"},
	{"gil", "lock-contention"},     {"writer-starved", "lock-contention"},
	{"lock-io", "lock-contention"}, {"spinning-pools", "spin-wait"},
};

/* Whatever the object: who is slow is known from who waited at which pipe; the general rule infers
 * it from the times of processes. Who passes tiny items is slow for that, and its items are small
 * writes. And what one of two pools spins is a part of what both do. */
static const struct pair same[] = {{"slow-stage", "pipeline"},
				   {"tiny-items", "slow-stage"},
				   {"tiny-items", "pipeline"},
				   {"tiny-items", "small-io"},
				   {"spinning-pools", "omp-spinning"}};

static bool is_pair(const struct pair *pairs, size_t count, const char *special,
		    const char *general)
{
	for (size_t i = 0; i < count; i++)
		if (!strcmp(special, pairs[i].special) && !strcmp(general, pairs[i].general))
			return true;
	return false;
}

bool findings_is_told_by(const struct finding *general, const struct finding *special)
{
	return is_pair(same, sizeof same / sizeof *same, special->id, general->id);
}

/* Marks the objects; returns how many there are. */
static size_t mark_told(bool *is_told, const struct finding *found, size_t found_count,
			const char *general)
{
	size_t count = 0;

	for (size_t i = 0; i < found_count; i++) {
		const struct finding *special = &found[i];

		if (!is_pair(told_by, sizeof told_by / sizeof *told_by, special->id, general))
			continue;
		for (size_t j = 0; j < special->object_count; j++)
			is_told[special->objects[j]] = true;
		count += special->object_count;
	}
	return count;
}

static double judge_rest(const struct finding_rule *rule, const struct run *run,
			 const bool *is_told, struct finding *finding)
{
	const struct synchronization *all = &run->synchronization;
	struct run rest = *run;

	rest.synchronization.rows = memory_allocate(all->count + 1, sizeof *all->rows);
	rest.synchronization.count = 0;
	for (size_t i = 0; i < all->count; i++)
		if (!is_told[all->rows[i].object])
			rest.synchronization.rows[rest.synchronization.count++] = all->rows[i];
	double severity = rule->judge(&rest, finding);

	free(rest.synchronization.rows);
	return severity;
}

double findings_judge_untold(const struct finding_rule *rule, const struct run *run,
			     const struct finding *found, size_t found_count,
			     struct finding *finding)
{
	size_t count = 0;

	for (size_t i = 0; i < run->synchronization.count; i++)
		if (run->synchronization.rows[i].object >= count)
			count = run->synchronization.rows[i].object + 1;
	bool *is_told = memory_allocate(count + 1, sizeof *is_told);
	double severity = mark_told(is_told, found, found_count, rule->id)
				  ? judge_rest(rule, run, is_told, finding)
				  : rule->judge(run, finding);

	free(is_told);
	return severity;
}

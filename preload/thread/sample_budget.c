/* SPDX-License-Identifier: MIT */
#include "preload/thread/sample_budget.h"

#include "preload/base/likely.h"

enum { JUDGED_SAMPLES = 64 };

uint64_t sample_budget_judge(struct sample_budget *budget, struct sample_budget sample,
			     uint64_t age_ns, uint32_t percent)
{
	const uint64_t youth_ns = SAMPLE_BUDGET_YOUTH_S * UINT64_C(1000000000);

	budget->cpu_ns += sample.cpu_ns;
	budget->own_ns += sample.own_ns;
	budget->samples += sample.samples;
	if (likely(budget->samples < JUDGED_SAMPLES))
		return 0;
	struct sample_budget all = *budget;
	*budget = (struct sample_budget){0};
	uint64_t allowed = age_ns < youth_ns ? 2 * percent : percent; /* of 200 */
	if (all.own_ns * 200 <= all.cpu_ns * allowed)
		return 0;
	/* a quarter more than what would just do, so that the next ones are not judged again */
	return all.own_ns * 250 / (allowed * all.samples);
}

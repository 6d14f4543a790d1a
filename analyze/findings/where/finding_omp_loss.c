/* SPDX-License-Identifier: MIT */
#include "analyze/findings/where/finding_omp_loss.h"

#include "analyze/findings/where/finding_where.h"
#include "analyze/model/run/run.h"

struct omp_loss omp_loss_of(const struct run *run, double (*lost_ns)(const struct omp_region *))
{
	struct omp_loss loss = {0};

	for (size_t i = 0; i < run->omp.regions.count; i++) {
		const struct omp_region *region = &run->omp.regions.rows[i];
		double ns = lost_ns(region);

		loss.sum_ns += ns;
		loss.regions += ns > 0;
		if (ns <= loss.worst_ns)
			continue;
		loss.worst_ns = ns;
		loss.worst = region;
	}
	return loss;
}

char *omp_region_text(const struct run *run, const struct omp_region *region)
{
	return names_place_text(run->names, region->place.routine, region->place.line);
}

bool finding_add_region(struct finding *finding, const struct run *run, const struct omp_loss *loss)
{
	return finding_add_place(finding, FINDING_REGION, run, &loss->worst->place, loss->worst_ns,
				 loss->sum_ns, loss->regions);
}

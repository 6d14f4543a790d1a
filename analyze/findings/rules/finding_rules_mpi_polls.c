/* SPDX-License-Identifier: MIT */
/* The rule about calls like MPI_Test and MPI_Iprobe that find nothing. */
#include "analyze/findings/rules/finding_rules.h"

#include "analyze/base/memory.h"
#include "analyze/base/quantity.h"
#include "analyze/findings/where/finding_ranks.h"
#include "analyze/findings/where/finding_stake.h"
#include "analyze/findings/where/finding_where.h"
#include "analyze/model/run/run.h"

#include <math.h>
#include <stdlib.h>

struct polls {
	const struct mpi_site *worst; /* NULL: there are none */
	double worst_ns, ns, vain;
	size_t among;
};

static struct polls polls_of(const struct mpi *mpi)
{
	struct polls polls = {0};

	for (size_t i = 0; i < mpi->lists.site_count; i++) {
		const struct mpi_site *site = &mpi->lists.sites[i];
		double ns = finding_polled_ns(mpi, site);

		if (!(ns > 0))
			continue;
		polls.ns += ns;
		polls.vain += (double)site->figures.vain;
		polls.among++;
		if (ns <= polls.worst_ns)
			continue;
		polls.worst = site;
		polls.worst_ns = ns;
	}
	return polls;
}

static void tell(struct finding *finding, const struct run *run, const struct polls *polls)
{
	const struct mpi_site *worst = polls->worst;
	const struct mpi_figures *figures = &worst->figures;
	char *place = names_place_text(run->names, worst->routine, worst->line);

	finding->evidence = memory_print(
		"%s in %s that found nothing; the most in %s called at %s: %s of its calls found "
		"nothing, %s each, the most on rank %llu",
		quantity_seconds(polls->ns).text, quantity_things(polls->vain, "call").text,
		worst->call, place,
		quantity_percent(100 * (double)figures->vain / (double)figures->count).text,
		quantity_seconds(polls->worst_ns / (double)figures->vain).text,
		(unsigned long long)worst->spread.max_rank);
	free(place);
}

/* Fewer polls make no rank shorter than its work, and what is polled for comes no earlier: the
 * stake is bounded as that of late messages. */
double judge_mpi_polls(const struct run *run, struct finding *finding)
{
	const struct mpi *mpi = &run->mpi;
	struct polls polls = polls_of(mpi);

	if (!polls.worst)
		return NAN;
	const struct mpi_site *worst = polls.worst;
	double most_ns = worst->spread.max_ns * polls.worst_ns / (double)worst->figures.sum_ns;

	tell(finding, run, &polls);
	if (finding_add_routine(finding, run, worst->routine, worst->line, polls.worst_ns, polls.ns,
				polls.among))
		finding_add_step(finding, FINDING_CALL, memory_copy_text(worst->call),
				 polls.worst_ns, polls.ns, polls.among);
	finding->grade = mpi->efficiency.grade;
	return finding_stake_of_ranks(run, finding, polls.ns, most_ns,
				      finding_least_lost_ns(mpi, finding_any_ready_of_rank_ns));
}

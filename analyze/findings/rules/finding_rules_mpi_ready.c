/* SPDX-License-Identifier: MIT */
/* The rule about more ranks than processors. The severity is the share of the time in which threads
 * wanted to run and could not. */
#include "analyze/findings/rules/finding_rules.h"

#include "analyze/base/memory.h"
#include "analyze/base/quantity.h"
#include "analyze/findings/where/finding_measure.h"
#include "analyze/findings/where/finding_ranks.h"
#include "analyze/findings/where/finding_ready.h"
#include "analyze/model/common/finding_limits.h"
#include "analyze/model/run/run.h"

#include <math.h>
#include <stdlib.h>

/* If each rank could have a processor, and some have more work than others, their threads are ready
 * while those of the others poll for them. With fewer threads they would be late as well. */
static bool is_ready_by_imbalance(const struct run *run)
{
	return run->mpi.at_once.host_ranks <= run->mpi.at_once.host_processors &&
	       run->mpi.efficiency.load_balance < finding_limits.even;
}

struct rank_ready {
	double all_ns;
	double lost_ns; /* of it: because of each other, while they wanted to go on */
};

/* It is not known when the ranks were ready because of each other, and when because of other
 * programs: both are spread evenly. */
static struct rank_ready rank_ready_of(const struct run *run)
{
	struct rank_ready ready = {0};

	for (size_t i = 0; i < run->mpi.ranks.count; i++)
		ready.all_ns += (double)run->mpi.ranks.rows[i].ready_ns;
	if (ready.all_ns > 0)
		ready.lost_ns = fmin(ready.all_ns, finding_explained_ready_ns(run)) *
				finding_wanting_of_ranks_ns(run) / ready.all_ns;
	return ready;
}

/* "for 2 s", and what of it matters. */
static char *ready_text(const struct rank_ready *ready)
{
	if (ready->lost_ns < 0.99 * ready->all_ns)
		return memory_print("for %s, %s of it because of each other and not while they "
				    "waited for a late rank",
				    quantity_seconds(ready->all_ns).text,
				    quantity_seconds(ready->lost_ns).text);
	return memory_print("for %s", quantity_seconds(ready->all_ns).text);
}

double judge_rank_oversubscription(const struct run *run, struct finding *finding)
{
	const struct mpi_at_once *most = &run->mpi.at_once;
	struct rank_ready ready = rank_ready_of(run);
	double cpu_ns = 0;

	if (!is_rank_oversubscribed(run) || is_ready_by_imbalance(run))
		return NAN;
	for (size_t i = 0; i < run->mpi.ranks.count; i++)
		cpu_ns += (double)run->mpi.ranks.rows[i].cpu_ns;
	if (most->host_ranks <= most->host_processors) {
		finding->title = "ranks have more threads than there are processors";
		finding->advice = "Start fewer threads in each rank (OMP_NUM_THREADS), or fewer "
				  "ranks on a host.";
	}
	char *time = ready_text(&ready);

	finding->evidence = memory_print(
		"%s with %s at once on %s%s were ready, but without a processor, %s; they had %s "
		"of the processors, and %s of their %s CPU time "
		"went into polling and other work inside of waits",
		quantity_things((double)most->host_ranks, "rank").text,
		quantity_things((double)most->host_units, "thread").text,
		quantity_things((double)most->host_processors, "processor").text,
		run->host_count > 1 ? " of one host" : "", time,
		quantity_percent(run->efficiency_percent).text,
		quantity_seconds(finding_polling_ns(&run->mpi.ranks)).text,
		quantity_seconds(cpu_ns).text);
	free(time);
	finding_add_explained_stake(run, finding, ready.lost_ns);
	return 100 * ready.lost_ns / (ready.lost_ns + cpu_ns);
}

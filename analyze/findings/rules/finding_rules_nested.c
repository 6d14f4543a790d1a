/* SPDX-License-Identifier: MIT */
/* The rule on OpenMP teams within teams: each member of the outer one starts a team of its own, so
 * that there are outer x inner threads at once. */
#include "analyze/findings/rules/finding_rules.h"

#include "analyze/base/memory.h"
#include "analyze/base/quantity.h"
#include "analyze/findings/where/finding_measure.h"
#include "analyze/findings/where/finding_ready.h"
#include "analyze/findings/where/finding_where.h"
#include "analyze/model/run/run.h"

#include <math.h>
#include <stdlib.h>

static char *region_text(const struct run *run, const struct omp_region *region)
{
	return names_place_text(run->names, region->place.routine, region->place.line);
}

/* How many executions of a region there were at once while its outermost one was under way: more
 * than one if members of a team start teams of their own. */
static double at_once(const struct run *run, const struct omp_region *region)
{
	const struct omp_region *rows = run->omp.regions.rows, *outermost = region;
	double most = 1;

	while (outermost->parent != OMP_NO_REGION) {
		outermost = &rows[outermost->parent];
		most *= fmax(1, omp_region_team(outermost));
	}
	if (!(outermost->elapsed_ns > 0))
		return 1;
	return fmin(most, round(region->elapsed_ns / outermost->elapsed_ns));
}

struct nested {
	const struct omp_region *region; /* NULL: none */
	double teams, threads;           /* at once, and in each of them */
};

/* The one with the most threads at once. A team that is started in a part of another one which a
 * single member executes does not count. */
static struct nested nested_of(const struct run *run)
{
	struct nested most = {0};

	for (size_t i = 0; i < run->omp.regions.count; i++) {
		const struct omp_region *region = &run->omp.regions.rows[i];
		double threads = round(omp_region_team(region));

		if (region->parent == OMP_NO_REGION || threads < 2)
			continue;
		double teams = at_once(run, region);

		if (teams >= 2 && teams * threads > most.teams * most.threads)
			most = (struct nested){region, teams, threads};
	}
	return most;
}

bool has_nested_teams(const struct run *run)
{
	struct nested nested = nested_of(run);

	return !is_rank_oversubscribed(run) && run->omp.totals.processors && nested.region &&
	       nested.teams * nested.threads > (double)run->omp.totals.processors;
}

double judge_nested_teams(const struct run *run, struct finding *finding)
{
	double ready_ns = finding_explained_ready_ns(run);

	if (!has_nested_teams(run) || !finding_is_ready(run))
		return NAN;
	struct nested nested = nested_of(run);
	const struct omp_region *outer = &run->omp.regions.rows[nested.region->parent];
	char *inner_place = region_text(run, nested.region), *place = region_text(run, outer);
	char *ready = finding_ready_text(run, ready_ns, "these explain");

	finding->evidence = memory_print(
		"%.0f x %.0f threads on %llu processor%s: in %s, %.0f threads at once start teams "
		"of %.0f in %s; %s",
		nested.teams, nested.threads, (unsigned long long)run->omp.totals.processors,
		run->omp.totals.processors == 1 ? "" : "s", place, nested.teams, nested.threads,
		inner_place, ready);
	free(ready);
	free(place);
	free(inner_place);
	finding_add_place(finding, FINDING_REGION, run, &nested.region->place, 1, 1, 1);
	finding_add_explained_stake(run, finding, ready_ns);
	return finding_ready_percent(run, ready_ns);
}

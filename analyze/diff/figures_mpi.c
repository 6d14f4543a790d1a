/* SPDX-License-Identifier: MIT */
/* Figures of MPI: calls by name, and by the place in the program that makes them. Times are sums
 * over ranks; the effect in elapsed time is that of one rank on average. */
#include "analyze/base/memory.h"
#include "analyze/diff/extract.h"
#include "analyze/diff/figure_key.h"

#include <math.h>
#include <stdlib.h>

struct calls {
	const struct mpi_site *site;
	const char *key, *shown;
	enum figure_role role;
};

static void add_figure(const struct extract *extract, const struct calls *calls, const char *metric,
		       enum figure_unit unit, double value)
{
	bool is_time = unit == UNIT_NS;
	double ranks = fmax(1, (double)extract->run->mpi.ranks.count);

	figures_add(extract->figures, &(struct figure){
					      .section = SECTION_MPI,
					      .key = calls->key,
					      .metric = metric,
					      .unit = unit,
					      .sense = is_time ? SENSE_LESS : SENSE_NEUTRAL,
					      .role = is_time ? calls->role : ROLE_EXPLAINS,
					      .value = value,
					      .effect_ns = is_time ? value / ranks : NAN,
					      .shown = calls->shown,
				      });
}

static void add_calls(const struct extract *extract, const struct calls *calls)
{
	const struct mpi_figures *figures = &calls->site->figures;
	const struct figure like = {
		.section = SECTION_MPI, .key = calls->key, .shown = calls->shown};

	add_figure(extract, calls, "time", UNIT_NS, (double)figures->sum_ns);
	add_figure(extract, calls, "calls", UNIT_COUNT, (double)figures->count);
	extract_carried(extract, &like, &carried_by_mpi_figures, figures);
}

void extract_mpi(const struct extract *extract)
{
	const struct mpi_site_lists *lists = &extract->run->mpi.lists;
	const struct mpi_pairs *pairs = &extract->run->mpi.pairs;
	const struct figure of_pairs = {.section = SECTION_MPI, .key = "peers", .is_further = true};

	for (size_t i = 0; i < pairs->count; i++)
		extract_carried(extract, &of_pairs, &carried_by_mpi_pair, &pairs->rows[i]);
	for (size_t i = 0; i < lists->call_count; i++)
		add_calls(extract, &(struct calls){.site = &lists->calls[i],
						   .key = lists->calls[i].call,
						   .role = ROLE_EXPLAINS});
	for (size_t i = 0; i < lists->site_count; i++) {
		const struct mpi_site *site = &lists->sites[i];
		const char *name = names_routine(extract->run->names, site->routine)->name;
		char *place = figure_key_place(extract->run->names, site->routine);
		char *key = memory_print("%s in %s", site->call, name);
		char *shown = memory_print("%s in %s", site->call, place);

		add_calls(extract, &(struct calls){site, key, shown, ROLE_CAUSE});
		free(place);
		free(key);
		free(shown);
	}
}

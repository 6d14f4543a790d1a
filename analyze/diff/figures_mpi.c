/* SPDX-License-Identifier: MIT */
/* Figures of MPI: calls by name, and by the place in the program that makes them. Times are sums
 * over ranks; the effect in elapsed time is that of one rank on average. */
#include "analyze/base/memory.h"
#include "analyze/diff/extract.h"
#include "analyze/diff/figures.h"
#include "analyze/report/row_fields.h"

#include <math.h>
#include <stdlib.h>

static void add_calls(const struct extract *extract, const struct figure *like,
		      enum figure_role role, const struct row_fields *fields,
		      const struct mpi_site *calls)
{
	double ranks = fmax(1, (double)extract->run->mpi.ranks.count);

	extract_fields(extract,
		       &(struct extract_row){.like = *like,
					     .role = role,
					     .scale = {[TIME_OF_THREADS] = {1, ranks}}},
		       fields, calls);
}

static void add_call(const struct extract *extract, const struct mpi_site *calls)
{
	const struct figure like = {.section = SECTION_MPI, .key = calls->call};

	add_calls(extract, &like, ROLE_EXPLAINS, &mpi_calls_fields, calls);
}

static void add_site(const struct extract *extract, const struct mpi_site *site)
{
	const char *name = names_routine(extract->run->names, site->routine)->name;
	char *place = figure_key_place(extract->run->names, site->routine);
	char *key = memory_print("%s in %s", site->call, name);
	char *shown = memory_print("%s in %s", site->call, place);
	const struct figure like = {.section = SECTION_MPI, .key = key, .shown = shown};

	add_calls(extract, &like, ROLE_CAUSE, &mpi_sites_fields, site);
	free(place);
	free(key);
	free(shown);
}

void extract_mpi(const struct extract *extract)
{
	const struct mpi_site_lists *lists = &extract->run->mpi.lists;
	const struct mpi_pairs *pairs = &extract->run->mpi.pairs;
	const struct extract_row of_pairs = {
		.like = {.section = SECTION_MPI, .key = "peers", .is_further = true}};

	for (size_t i = 0; i < pairs->count; i++)
		extract_fields(extract, &of_pairs, &peers_fields, &pairs->rows[i]);
	for (size_t i = 0; i < lists->call_count; i++)
		add_call(extract, &lists->calls[i]);
	for (size_t i = 0; i < lists->site_count; i++)
		add_site(extract, &lists->sites[i]);
}

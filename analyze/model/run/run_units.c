/* SPDX-License-Identifier: MIT */
#include "analyze/model/run/run_units.h"

#include "analyze/base/memory.h"
#include "analyze/base/plain_name.h"
#include "analyze/model/common/vocabulary_text.h"
#include "analyze/model/threads/thread_time.h"
#include "common/nearest_names.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What is looked for, and what else there is. */
struct search {
	const struct names *names;
	const char *call; /* "" of an instrumented routine */
	const char *routine;
	uint64_t count;
	struct nearest_names nearest; /* of all names of the kind that was asked for */
};

static void look(struct search *search, const char *call, size_t routine, uint64_t count)
{
	const char *name = names_routine(search->names, routine)->name;
	char *offered = memory_print("%s%s%s", call, *call ? "@" : "", name);

	if (!strcmp(search->call, call) && plain_name_is(name, search->routine))
		search->count += count;
	nearest_offer(&search->nearest, offered);
	free(offered);
}

static void look_at_io(struct search *search, const struct synchronization *all)
{
	for (size_t i = 0; i < all->count; i++)
		for (size_t j = 0; j < all->rows[i].callers.count; j++) {
			const struct io_caller *caller = &all->rows[i].callers.rows[j];

			look(search, vocabulary_operation(all->rows[i].operation), caller->routine,
			     caller->sums.calls);
		}
}

static void look_at_mpi(struct search *search, const struct mpi_site_lists *lists)
{
	for (size_t i = 0; i < lists->site_count; i++)
		look(search, lists->sites[i].call, lists->sites[i].routine,
		     lists->sites[i].figures.count);
}

static void look_at_calls(struct search *search, const struct call_times *calls)
{
	for (size_t i = 0; i < calls->count; i++)
		look(search, "", calls->rows[i].routine, calls->rows[i].calls);
}

static char *problem_of(const struct search *search)
{
	char meant[NEAREST_MAX * NEAREST_NAME_SIZE];

	if (nearest_text(&search->nearest, meant, sizeof meant))
		return memory_print("nothing of the run is called so; did you mean %s?", meant);
	if (*search->call)
		return memory_print("no call of input, output or MPI of that name was made there: "
				    "ptrace-report io, or mpi_sites, lists calls and routines");
	return memory_print("no instrumented routine of that name was called: ptrace-report "
			    "calls lists them; calls that a routine made are CALL@ROUTINE");
}

char *run_count_units(struct run *run, const char *per)
{
	const char *at = strchr(per, '@');
	char *call = memory_print("%.*s", at ? (int)(at - per) : 0, per);
	struct search search = {.names = run->names, .call = call, .routine = at ? at + 1 : per};

	nearest_begin(&search.nearest, per);
	if (at) {
		look_at_io(&search, &run->synchronization);
		look_at_mpi(&search, &run->mpi.lists);
	} else {
		look_at_calls(&search, &run->calls);
	}
	char *problem = search.count ? NULL : problem_of(&search);

	run->units = (struct run_units){per, search.count};
	free(call);
	return problem;
}

static double of_one(const struct run *run, double sum)
{
	return run->units.count ? sum / (double)run->units.count : NAN;
}

double run_units_per_second(const struct run *run)
{
	return run->elapsed_ns ? 1e9 * (double)run->units.count / (double)run->elapsed_ns : NAN;
}

double run_units_cpu_ns(const struct run *run)
{
	return of_one(run, (double)run->cpu_ns);
}

double run_units_locks_ns(const struct run *run)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < run->process_count; i++)
		sum += thread_locks_ns(&run->processes[i].sum);
	return of_one(run, (double)sum);
}

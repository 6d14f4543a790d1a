/* SPDX-License-Identifier: MIT */
#include "analyze/model/mpi/mpi_clocks.h"

#include "analyze/base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What the ranks of one host recorded. */
struct evidence {
	double realtime_low, realtime_high; /* CLOCK_REALTIME - CLOCK_MONOTONIC */
	double last_init_begin, first_init_end;
	double last_finalize_begin, first_finalize_end;
};

static const struct evidence nothing_said = {
	.realtime_low = INFINITY,
	.realtime_high = -INFINITY,
	.last_init_begin = -INFINITY,
	.first_init_end = INFINITY,
	.last_finalize_begin = -INFINITY,
	.first_finalize_end = INFINITY,
};

static void add_realtime(struct evidence *evidence, uint64_t realtime_ns, uint64_t instant_ns)
{
	if (!realtime_ns || !instant_ns)
		return;
	/* subtracted as integers: a double cannot hold nanoseconds since 1970 */
	double difference = (double)(int64_t)(realtime_ns - instant_ns);

	evidence->realtime_low = fmin(evidence->realtime_low, difference);
	evidence->realtime_high = fmax(evidence->realtime_high, difference);
}

static void add_entry(double *last_begin, uint64_t begin_ns)
{
	if (begin_ns)
		*last_begin = fmax(*last_begin, (double)begin_ns);
}

static void add_exit(double *first_end, uint64_t end_ns)
{
	if (end_ns)
		*first_end = fmin(*first_end, (double)end_ns);
}

static struct evidence gather(const struct mpi_ranks *ranks, const struct mpi_clocks *clocks,
			      size_t host)
{
	struct evidence evidence = nothing_said;

	for (size_t i = 0; i < ranks->count; i++) {
		const struct mpi_rank *rank = &ranks->rows[i];

		if (clocks->host_of[i] != host)
			continue;
		add_realtime(&evidence, rank->init_realtime_ns, rank->init_end_ns);
		add_realtime(&evidence, rank->finalize_realtime_ns, rank->finalize_end_ns);
		add_entry(&evidence.last_init_begin, rank->init_begin_ns);
		add_exit(&evidence.first_init_end, rank->init_end_ns);
		add_entry(&evidence.last_finalize_begin, rank->finalize_begin_ns);
		add_exit(&evidence.first_finalize_end, rank->finalize_end_ns);
	}
	return evidence;
}

static void set_offset(struct mpi_host_clock *clock, const struct evidence *first,
		       const struct evidence *here)
{
	double guess = (here->realtime_low + here->realtime_high) / 2 -
		       (first->realtime_low + first->realtime_high) / 2;
	double low = fmax(first->last_init_begin - here->first_init_end,
			  first->last_finalize_begin - here->first_finalize_end);
	double high = fmin(first->first_init_end - here->last_init_begin,
			   first->first_finalize_end - here->last_finalize_begin);

	if (isfinite(low) && isfinite(high) && low <= high) {
		clock->offset_ns =
			isfinite(guess) ? fmin(fmax(guess, low), high) : (low + high) / 2;
		clock->error_ns = fmax(clock->offset_ns - low, high - clock->offset_ns);
		return;
	}
	clock->offset_ns = isfinite(guess) ? guess : 0;
	clock->error_ns = isfinite(guess) ? (here->realtime_high - here->realtime_low +
					     first->realtime_high - first->realtime_low) /
						    2
					  : NAN;
}

static size_t find_host(struct mpi_clocks *clocks, const char *name)
{
	for (size_t i = 0; i < clocks->host_count; i++)
		if (!strcmp(clocks->hosts[i].name, name))
			return i;
	clocks->hosts = memory_grow(clocks->hosts, clocks->host_count, &clocks->host_capacity,
				    sizeof *clocks->hosts);
	clocks->hosts[clocks->host_count].name = name;
	return clocks->host_count++;
}

struct mpi_clocks mpi_clocks_of(const struct mpi_ranks *ranks)
{
	struct mpi_clocks clocks = {.host_of = memory_allocate(ranks->count, sizeof(size_t))};

	for (size_t i = 0; i < ranks->count; i++)
		clocks.host_of[i] = find_host(&clocks, ranks->rows[i].host);
	if (clocks.host_count < 2)
		return clocks;
	struct evidence first = gather(ranks, &clocks, 0);

	for (size_t host = 1; host < clocks.host_count; host++) {
		struct evidence here = gather(ranks, &clocks, host);

		set_offset(&clocks.hosts[host], &first, &here);
	}
	return clocks;
}

void mpi_clocks_clear(struct mpi_clocks *clocks)
{
	free(clocks->hosts);
	free(clocks->host_of);
	*clocks = (struct mpi_clocks){0};
}

double mpi_clocks_offset(const struct mpi_clocks *clocks, size_t index)
{
	return clocks->hosts[clocks->host_of[index]].offset_ns;
}

double mpi_clocks_error(const struct mpi_clocks *clocks)
{
	double error = 0;

	for (size_t i = 1; i < clocks->host_count; i++)
		error = clocks->hosts[i].error_ns > error || isnan(clocks->hosts[i].error_ns)
				? clocks->hosts[i].error_ns
				: error;
	return error;
}

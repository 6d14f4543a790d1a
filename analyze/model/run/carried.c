/* SPDX-License-Identifier: MIT */
#include "analyze/model/run/carried.h"

#include "analyze/base/number.h"
#include "analyze/model/mpi/mpi_pairs.h"
#include "analyze/model/mpi/mpi_sites.h"
#include "analyze/model/openmp/omp_regions.h"
#include "analyze/model/process/process.h"
#include "analyze/model/sync/synchronization.h"
#include "analyze/read/profile.h"

#include <string.h>

#define IS_REAL(row_type, field) _Generic(((row_type *)NULL)->field, double : true, default : false)
#define ENTRY(row_type, name, unit, shown)                                                         \
	{#shown, #unit, offsetof(row_type, name), IS_REAL(row_type, name)},
#define CARRIED(rows)                                                                              \
	{                                                                                          \
		rows, sizeof rows / sizeof *rows                                                   \
	}

#define SUM(type, name, unit, shown, meaning) ENTRY(struct profile_thread, name, unit, shown)
static const struct carried_sum by_thread[] = {SUMS_OF_threads(SUM)};
#undef SUM
#define SUM(type, name, unit, shown, meaning) ENTRY(struct process, name, unit, shown)
static const struct carried_sum by_process[] = {SUMS_OF_threads(SUM)};
#undef SUM
#define SUM(type, name, unit, shown, meaning) ENTRY(struct sync_row, name, unit, shown)
static const struct carried_sum by_sync_row[] = {SUMS_OF_waits(SUM)};
#undef SUM
#define SUM(type, name, unit, shown, meaning) ENTRY(struct mpi_figures, name, unit, shown)
static const struct carried_sum by_mpi_figures[] = {SUMS_OF_mpi_calls(SUM)};
#undef SUM
#define SUM(type, name, unit, shown, meaning) ENTRY(struct mpi_pair, name, unit, shown)
static const struct carried_sum by_mpi_pair[] = {SUMS_OF_mpi_peers(SUM)};
#undef SUM
#define SUM(type, name, unit, shown, meaning) ENTRY(struct omp_construct_row, name, unit, shown)
static const struct carried_sum by_omp_construct[] = {SUMS_OF_omp_constructs(SUM)};
#undef SUM
#define SUM(type, name, unit, shown, meaning) ENTRY(struct omp_task_row, name, unit, shown)
static const struct carried_sum by_omp_task[] = {SUMS_OF_omp_tasks(SUM)};
#undef SUM

const struct carried carried_by_thread = CARRIED(by_thread);
const struct carried carried_by_process = CARRIED(by_process);
const struct carried carried_by_sync_row = CARRIED(by_sync_row);
const struct carried carried_by_mpi_figures = CARRIED(by_mpi_figures);
const struct carried carried_by_mpi_pair = CARRIED(by_mpi_pair);
const struct carried carried_by_omp_construct = CARRIED(by_omp_construct);
const struct carried carried_by_omp_task = CARRIED(by_omp_task);

bool carried_is_time(const struct carried_sum *sum)
{
	return !strcmp(sum->unit, "ns");
}

double carried_real(const struct carried_sum *sum, const void *row)
{
	const void *field = (const char *)row + sum->offset;

	return sum->is_real ? *(const double *)field : (double)*(const uint64_t *)field;
}

uint64_t carried_number(const struct carried_sum *sum, const void *row)
{
	const void *field = (const char *)row + sum->offset;

	return sum->is_real ? number_of_real(*(const double *)field) : *(const uint64_t *)field;
}

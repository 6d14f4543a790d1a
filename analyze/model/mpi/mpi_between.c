/* SPDX-License-Identifier: MIT */
#include "analyze/model/mpi/mpi_between.h"

#include "analyze/base/memory.h"
#include "analyze/model/mpi/mpi_window.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double between_ns(uint64_t begin_ns, uint64_t end_ns)
{
	return end_ns > begin_ns ? (double)(end_ns - begin_ns) : 0;
}

static double elapsed_ns(const struct mpi_rank *rank)
{
	return between_ns(rank->start_ns, rank->end_ns);
}

double mpi_between_window_ns(const struct mpi_rank *rank)
{
	struct mpi_window window = mpi_window_of(rank);

	return between_ns(window.from_ns, window.to_ns);
}

/* Files of older versions do not say it. */
static bool is_known(const struct mpi_rank *rank)
{
	return rank->mpi_threads || !rank->mpi_ns;
}

/* ---- shares of elapsed time */

static struct mpi_share share_of(const struct mpi_ranks *ranks, bool is_between)
{
	double in_mpi = 0, whole = 0;
	struct mpi_share share = {.grade = GRADE_EXACT};

	for (size_t i = 0; i < ranks->count; i++) {
		const struct mpi_rank *rank = &ranks->rows[i];

		if (!is_known(rank))
			return (struct mpi_share){NAN, GRADE_UNKNOWN};
		in_mpi += (double)(is_between ? rank->mpi_between_ns : rank->mpi_most_ns);
		whole += is_between ? mpi_between_window_ns(rank) : elapsed_ns(rank);
		if (rank->mpi_threads > 1)
			share.grade = GRADE_ESTIMATED;
	}
	share.fraction = whole > 0 ? fmin(1, in_mpi / whole) : NAN;
	return share;
}

/* ---- means over the ranks */

static void add_means(struct mpi_between *between, const struct mpi_ranks *ranks)
{
	double count = (double)ranks->count;

	for (size_t i = 0; i < ranks->count; i++) {
		const struct mpi_rank *rank = &ranks->rows[i];
		struct mpi_window window = mpi_window_of(rank);
		double init = between_ns(window.init_ns, window.from_ns);
		double finalize = between_ns(window.to_ns, window.finalized_ns);
		double rest = elapsed_ns(rank) - init - finalize - mpi_between_window_ns(rank);

		between->init_ns += init / count;
		between->finalize_ns += finalize / count;
		between->elsewhere_ns += fmax(0, rest) / count;
	}
}

/* ---- efficiencies */

static bool has_windows(const struct mpi_ranks *ranks)
{
	for (size_t i = 0; i < ranks->count; i++)
		if (!is_known(&ranks->rows[i]) || ranks->rows[i].between_grade >= GRADE_UNKNOWN ||
		    !(mpi_between_window_ns(&ranks->rows[i]) > 0))
			return false;
	return ranks->count > 0;
}

/* How long the rank as a whole was outside of MPI in its window. */
static double outside_ns(const struct mpi_rank *rank)
{
	return fmax(0, mpi_between_window_ns(rank) - (double)rank->mpi_between_ns);
}

/* The ranks, as if they had lived in their windows only. Released by the caller. */
static struct mpi_rank *within(const struct mpi_ranks *ranks, bool is_outside)
{
	struct mpi_rank *rows = memory_allocate(ranks->count, sizeof *rows);

	memcpy(rows, ranks->rows, ranks->count * sizeof *rows);
	for (size_t i = 0; i < ranks->count; i++) {
		const struct mpi_rank *rank = &ranks->rows[i];
		struct mpi_window window = mpi_window_of(rank);

		rows[i].start_ns = window.from_ns;
		rows[i].end_ns = window.to_ns;
		rows[i].useful_ns = is_outside ? (double)rank->units * outside_ns(rank)
					       : rank->useful_between_ns;
		rows[i].useful_grade = !is_outside             ? rank->between_grade
				       : rank->mpi_threads > 1 ? GRADE_ESTIMATED
							       : GRADE_EXACT;
	}
	return rows;
}

static struct mpi_efficiency efficiency_within(const struct mpi_ranks *ranks,
					       const struct mpi_clocks *clocks, bool is_outside)
{
	struct mpi_ranks copy = {.rows = within(ranks, is_outside), .count = ranks->count};
	struct mpi_efficiency efficiency = mpi_efficiency_of(&copy, clocks);

	free(copy.rows);
	return efficiency;
}

struct mpi_between mpi_between_of(const struct mpi_ranks *ranks, const struct mpi_clocks *clocks)
{
	struct mpi_between between = {
		.threads = NAN,
		.share = share_of(ranks, true),
		.whole_share = share_of(ranks, false),
		.is_known = has_windows(ranks),
	};

	if (!between.is_known)
		return between;
	add_means(&between, ranks);
	between.useful = efficiency_within(ranks, clocks, false);
	between.outside = efficiency_within(ranks, clocks, true);
	if (between.useful.units > ranks->count && between.outside.parallel > 0)
		between.threads = between.useful.parallel / between.outside.parallel;
	return between;
}

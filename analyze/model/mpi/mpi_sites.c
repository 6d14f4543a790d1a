/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE 1
#include "analyze/model/mpi/mpi_sites.h"

#include "analyze/base/keyed_table.h"
#include "analyze/base/memory.h"
#include "analyze/base/number.h"
#include "analyze/model/common/runtime_code.h"
#include "analyze/model/process/mpi_source.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A row, and its time in the current process. */
struct entry {
	const char *call; /* the key */
	size_t is_by_name, routine, line;
	struct mpi_site site;
	size_t unit; /* serial number of the process that was counted last */
	uint64_t unit_ns;
};

struct mpi_sites {
	struct names *names;
	struct keyed_table *entries;
	struct entry **touched; /* by the current process */
	size_t touched_count, touched_capacity;
	size_t unit;
};

/* ---- rows */

static struct entry *find_entry(struct mpi_sites *accumulator, const char *call, bool is_by_name,
				struct frame place)
{
	const struct entry probe = {call, is_by_name, place.routine, place.line,
				    .site = {.call = call,
					     .is_by_name = is_by_name,
					     .routine = place.routine,
					     .line = place.line,
					     .figures.shortest_ns = UINT64_MAX,
					     .spread.max_rank = MPI_NO_RANK}};

	return keyed_table_enter(accumulator->entries, &probe, NULL);
}

static struct mpi_site *site_at(const struct mpi_sites *accumulator, size_t index)
{
	return &((struct entry *)keyed_table_row(accumulator->entries, index))->site;
}

/* ---- places */

static bool is_place(const struct names *names, const struct frame *frame)
{
	const struct routine *routine = names_routine(names, frame->routine);

	return *routine->module && !routine->is_runtime && !runtime_is_mpi(routine->module) &&
	       !runtime_is_mpi_binding(routine->name);
}

/* If there is no such frame: the innermost one that has a name of its own, as a call path may be
 * cut short. */
struct frame mpi_find_place(struct names *names, const struct profile *profile, size_t callpath)
{
	const struct frame *frames, *innermost = NULL;
	size_t count = names_end_frames(names, profile, callpath, &frames);

	for (size_t at = callpath;; at = profile->callpaths.rows[at].parent) {
		for (size_t i = 0; i < count; i++) {
			if (is_place(names, &frames[i]))
				return frames[i];
			if (!innermost)
				innermost = &frames[i];
		}
		if (!at)
			break;
		count = names_frames(names, profile, at, &frames);
	}
	return innermost ? *innermost
			 : (struct frame){.routine = names_special(names, "[unknown]")};
}

/* ---- one process */

static void touch(struct mpi_sites *accumulator, struct entry *entry)
{
	if (entry->unit == accumulator->unit)
		return;
	entry->unit = accumulator->unit;
	entry->unit_ns = 0;
	accumulator->touched =
		memory_grow(accumulator->touched, accumulator->touched_count,
			    &accumulator->touched_capacity, sizeof *accumulator->touched);
	accumulator->touched[accumulator->touched_count++] = entry;
}

static void charge(struct mpi_sites *accumulator, struct entry *entry,
		   const struct profile_mpi_call *from)
{
	struct merged_mpi_sites one = {
		.figures = {.count = from->count,
			    .sum_ns = from->sum_ns,
			    .shortest_ns = from->max_ns ? from->min_ns : UINT64_MAX,
			    .longest_ns = from->max_ns,
			    SUMS_OF_mpi_calls(SUM_COPY)}};

	touch(accumulator, entry);
	entry->unit_ns += from->sum_ns;
	merged_unite(MERGED_mpi_sites, &entry->site, &one);
	histogram_add(&entry->site.lengths, from->histogram);
	histogram_add(&entry->site.sizes, from->sizes);
}

/* Of calls while MPI_Pcontrol had switched recording off. Bytes of a request may be in a row of
 * their own, without its call. */
static bool is_empty(const struct profile_mpi_call *row)
{
#define OR_FIELD(type, name, unit, shown, meaning) | row->name
	return !(row->count | row->sum_ns SUMS_OF_mpi_calls(OR_FIELD));
#undef OR_FIELD
}

static void add_row(struct mpi_sites *accumulator, const struct profile *profile,
		    const struct profile_mpi_call *row)
{
	if (is_empty(row))
		return;
	const struct profile_mpi_name *name = &profile->mpi_names.rows[row->call];
	const char *call = names_keep(accumulator->names, *name->name ? name->name : "[other]");
	struct frame place = mpi_find_place(accumulator->names, profile, row->callpath);
	struct entry *by_name = find_entry(accumulator, call, true, (struct frame){0});
	struct entry *by_place = find_entry(accumulator, call, false, place);

	by_name->site.class = by_place->site.class = name->class;
	charge(accumulator, by_name, row);
	charge(accumulator, by_place, row);
}

/* A call under way has been counted, but its time has not. */
static void add_open_call(struct mpi_sites *accumulator, const struct profile *profile,
			  const struct thread_time *time)
{
	for (size_t i = 0; i < profile->mpi_calls.count; i++) {
		const struct profile_mpi_call *row = &profile->mpi_calls.rows[i];

		if (row->thread != time->index || row->callpath != time->thread->waiting_path)
			continue;
		struct profile_mpi_call open = {
			.callpath = row->callpath, .call = row->call, .sum_ns = time->open_wait_ns};
		add_row(accumulator, profile, &open);
		return;
	}
}

/* Merges means and squares of two groups (Chan, Golub, LeVeque 1979). */
static void unite_squares(struct mpi_spread *into, const struct mpi_spread *spread)
{
	double a = (double)into->ranks, b = (double)spread->ranks;
	double difference = spread->mean_ns - into->mean_ns;

	into->mean_ns = number_united_mean(into->mean_ns, a, spread->mean_ns, b);
	into->sum_squares += spread->sum_squares + difference * difference * a * b / (a + b);
	into->ranks += spread->ranks;
}

/* Of equal ranks the lowest is kept: the order of the ranks must not matter. */
static void unite_spreads(struct mpi_spread *into, const struct mpi_spread *spread)
{
	if (!spread->ranks)
		return;
	if (!into->ranks || spread->min_ns < into->min_ns)
		into->min_ns = spread->min_ns;
	if (!into->ranks || spread->max_ns > into->max_ns ||
	    (spread->max_ns == into->max_ns && spread->max_rank < into->max_rank)) {
		into->max_ns = spread->max_ns;
		into->max_rank = spread->max_rank;
	}
	unite_squares(into, spread);
}

static void fold(struct entry *entry, uint64_t rank)
{
	double ns = (double)entry->unit_ns;
	struct mpi_spread one = {
		.min_ns = ns, .mean_ns = ns, .max_ns = ns, .max_rank = rank, .ranks = 1};

	unite_spreads(&entry->site.spread, &one);
}

const struct mpi_site *mpi_sites_row(const struct mpi_sites *accumulator, size_t index)
{
	return index < keyed_table_count(accumulator->entries) ? site_at(accumulator, index) : NULL;
}

void mpi_sites_unite(struct mpi_sites *accumulator, const struct mpi_site *row)
{
	struct frame place = {.routine = row->routine, .line = (unsigned)row->line};
	struct entry *entry = find_entry(accumulator, row->call, row->is_by_name, place);

	entry->site.class = row->class;
	merged_unite(MERGED_mpi_sites, &entry->site, row);
	histogram_add(&entry->site.lengths, row->lengths.bins);
	histogram_add(&entry->site.sizes, row->sizes.bins);
	unite_spreads(&entry->site.spread, &row->spread);
}

void mpi_sites_add(struct mpi_sites *accumulator, const struct mpi_source *source)
{
	const struct profile *profile = source->profile;

	accumulator->unit++;
	accumulator->touched_count = 0;
	for (size_t i = 0; i < profile->mpi_calls.count; i++)
		add_row(accumulator, profile, &profile->mpi_calls.rows[i]);
	for (size_t i = 0; i < source->thread_count; i++)
		if (source->threads[i].open_wait_ns &&
		    source->threads[i].thread->waiting_cause == CAUSE_MPI)
			add_open_call(accumulator, profile, &source->threads[i]);
	/* a process that is no rank, as it never called MPI_Init, has calls, but no part in the
	 * spread */
	for (size_t i = 0; source->rank != MPI_NO_RANK && i < accumulator->touched_count; i++)
		fold(accumulator->touched[i], source->rank);
}

/* ---- the end */

static void finish_spread(struct mpi_site *site, size_t ranks)
{
	struct mpi_spread *spread = &site->spread;
	size_t known = spread->ranks;

	/* ranks that never made the call */
	if (ranks > known) {
		struct mpi_spread others = {.ranks = ranks - known};

		spread->min_ns = 0;
		unite_squares(spread, &others);
		spread->ranks = known;
	}
	double count = (double)(ranks > known ? ranks : known);

	site->deviation_ns = spread->sum_squares > 0 ? sqrt(spread->sum_squares / count) : 0;
}

/* Numbers of routines depend on the order of reading: names decide. */
static int compare_sites(const void *left, const void *right, void *names)
{
	const struct mpi_site *a = left, *b = right;

	if (a->figures.sum_ns != b->figures.sum_ns)
		return a->figures.sum_ns > b->figures.sum_ns ? -1 : 1;
	if (a->figures.count != b->figures.count)
		return a->figures.count > b->figures.count ? -1 : 1;
	int order = strcmp(a->call, b->call);

	if (!order && a->routine != b->routine)
		order = names_compare(names, a->routine, b->routine);
	return order ? order : (a->line > b->line) - (a->line < b->line);
}

static struct mpi_site *make_list(struct mpi_sites *accumulator, bool by_name, size_t ranks,
				  size_t *count)
{
	size_t all = keyed_table_count(accumulator->entries);
	struct mpi_site *rows = memory_allocate(all, sizeof *rows);

	*count = 0;
	for (size_t i = 0; i < all; i++) {
		struct mpi_site *row = site_at(accumulator, i);

		if (row->is_by_name != by_name)
			continue;
		finish_spread(row, ranks);
		if (row->figures.shortest_ns == UINT64_MAX)
			row->figures.shortest_ns = 0;
		rows[(*count)++] = *row;
	}
	qsort_r(rows, *count, sizeof *rows, compare_sites, accumulator->names);
	return rows;
}

void mpi_sites_destroy(struct mpi_sites *accumulator)
{
	keyed_table_destroy(accumulator->entries);
	free(accumulator->touched);
	free(accumulator);
}

struct mpi_site_lists mpi_sites_finish(struct mpi_sites *accumulator, size_t ranks)
{
	struct mpi_site_lists lists = {0};

	lists.calls = make_list(accumulator, true, ranks, &lists.call_count);
	lists.sites = make_list(accumulator, false, ranks, &lists.site_count);
	mpi_sites_destroy(accumulator);
	return lists;
}

struct mpi_sites *mpi_sites_create(struct names *names)
{
	struct mpi_sites *accumulator = memory_allocate(1, sizeof *accumulator);

	accumulator->names = names;
	accumulator->entries =
		keyed_table_create(sizeof(struct entry), offsetof(struct entry, site));
	return accumulator;
}

void mpi_site_lists_clear(struct mpi_site_lists *lists)
{
	free(lists->calls);
	free(lists->sites);
}

double mpi_site_variation(const struct mpi_site *site)
{
	return site->spread.mean_ns > 0 ? site->deviation_ns / site->spread.mean_ns : NAN;
}

double mpi_figures_overlap(const struct mpi_figures *figures)
{
	if (!figures->completed || !figures->flight_ns)
		return NAN;
	double hidden = 1 - (double)figures->finish_ns / (double)figures->flight_ns;

	return hidden > 0 ? hidden : 0;
}

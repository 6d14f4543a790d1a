/* SPDX-License-Identifier: MIT */
#include "analyze/model/concurrency/sample_share.h"

#include "analyze/base/memory.h"
#include "analyze/base/number.h"
#include "analyze/model/common/call_stack.h"

#include <math.h>
#include <stdlib.h>

/* The part of each routine's time that is distributed over all levels. */
#define ANYWHERE 0.001
/* Iteration ends when the routines' sums agree as well as this (in all CPU time), or after so many
 * rounds; the sums of the levels always agree, as they are set last. */
#define AGREEMENT  1e-6
#define ROUNDS_MAX 200

#define NO_LEVEL SIZE_MAX

/* A row of the table: a routine. Its time at level i is factor x (level's factor) x (sampled there
 * + anywhere x share of the level). */
struct row {
	double cpu_ns, anywhere_ns;
	double sum, factor;
};

/* A column: T_i with i > 0. */
struct column {
	double active, wanted_ns; /* i, i T_i */
	double share;             /* wanted_ns as a fraction of the sum over all levels */
	double sum, factor;
};

/* An entry: a sample; the last entry is the time that no sample claimed. */
struct entry {
	double cpu_ns, anywhere_ns;
	size_t row, column;
};

struct fit {
	struct row *rows;
	struct column *columns;
	struct entry *entries;
	size_t row_count, column_count, entry_count;
	double cpu_ns, wanted_ns; /* sums over all rows, over all columns */
};

/* ---- the table */

static void add_columns(struct fit *fit, const struct efficiency *on_processor)
{
	fit->columns = memory_allocate(on_processor->level_count + 1, sizeof *fit->columns);
	for (size_t i = 0; i < on_processor->level_count; i++) {
		const struct efficiency_level *level = &on_processor->levels[i];
		double wanted_ns = (double)level->active * (double)level->time_ns;

		if (!(wanted_ns > 0))
			continue;
		fit->columns[fit->column_count++] = (struct column){
			.active = (double)level->active, .wanted_ns = wanted_ns, .factor = 1};
		fit->wanted_ns += wanted_ns;
	}
	for (size_t i = 0; i < fit->column_count; i++)
		fit->columns[i].share = fit->columns[i].wanted_ns / fit->wanted_ns;
}

/* The table of T_i has one row for all levels above the number of processors. */
static size_t find_column(const struct fit *fit, uint64_t level)
{
	size_t low = 0, high = fit->column_count;

	if (!level || !high)
		return NO_LEVEL;
	if ((double)level > fit->columns[high - 1].active)
		return high - 1;
	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (fit->columns[middle].active <= (double)level)
			low = middle;
		else
			high = middle;
	}
	return fit->columns[low].active == (double)level ? low : NO_LEVEL;
}

static size_t innermost_of(struct call_stack *stack, struct names *names,
			   const struct profile *profile, size_t callpath)
{
	call_stack_read(stack, names, profile, callpath);
	return stack->count ? stack->frames[0].routine : names_special(names, "[other]");
}

static void add_entry(struct fit *fit, size_t row, size_t column, double cpu_ns)
{
	double anywhere_ns = (column == NO_LEVEL ? cpu_ns : 0) + ANYWHERE * cpu_ns;

	fit->entries[fit->entry_count++] = (struct entry){cpu_ns, anywhere_ns, row, column};
	fit->rows[row].cpu_ns += cpu_ns;
	fit->rows[row].anywhere_ns += anywhere_ns;
	fit->cpu_ns += cpu_ns;
}

/* The routine of each sample and, as the last, that of the time which no sample claimed. The
 * routines of the process are then numbered from 0, as the run may have many more. */
static size_t *number_rows(struct fit *fit, struct names *names, const struct profile *profile)
{
	size_t count = profile->samples.count;
	size_t *rows = memory_allocate(count + 1, sizeof *rows);
	struct call_stack stack = {0};

	for (size_t i = 0; i < count; i++)
		rows[i] = innermost_of(&stack, names, profile, profile->samples.rows[i].callpath);
	rows[count] = names_special(names, "[unsampled]");
	size_t *row_of = memory_allocate(names_count(names), sizeof *row_of);

	for (size_t i = 0; i <= count; i++) {
		size_t *row = &row_of[rows[i]];

		*row = *row ? *row : ++fit->row_count;
		rows[i] = *row - 1;
	}
	call_stack_clear(&stack);
	free(row_of);
	return rows;
}

static void add_entries(struct fit *fit, struct names *names, const struct profile *profile)
{
	size_t count = profile->samples.count, *rows = number_rows(fit, names, profile);
	double rest_ns = (double)sample_unclaimed_ns(profile);

	fit->rows = memory_allocate(fit->row_count, sizeof *fit->rows);
	fit->entries = memory_allocate(count + 1, sizeof *fit->entries);
	for (size_t i = 0; i < count; i++) {
		const struct profile_sample *sample = &profile->samples.rows[i];

		add_entry(fit, rows[i], find_column(fit, sample->level), (double)sample->cpu_ns);
	}
	/* Some thread was on a processor, and no clock says which. */
	add_entry(fit, rows[count], NO_LEVEL, fit->cpu_ns + rest_ns > 0 ? rest_ns : 1);
	free(rows);
}

/* ---- fitting */

/* A factor that makes `sum` what is wanted; 0 if the sum is 0. */
static double factor_of(double wanted, double sum)
{
	return sum > 0 ? wanted / sum : 0;
}

/* Returns by how much the rows were too small or too large in total. */
static double fit_rows(struct fit *fit)
{
	double anywhere = 0, off_ns = 0;

	for (size_t i = 0; i < fit->column_count; i++)
		anywhere += fit->columns[i].factor * fit->columns[i].share;
	for (size_t i = 0; i < fit->row_count; i++)
		fit->rows[i].sum = fit->rows[i].anywhere_ns * anywhere;
	for (size_t i = 0; i < fit->entry_count; i++) {
		const struct entry *entry = &fit->entries[i];

		if (entry->column != NO_LEVEL)
			fit->rows[entry->row].sum +=
				fit->columns[entry->column].factor * entry->cpu_ns;
	}
	for (size_t i = 0; i < fit->row_count; i++) {
		struct row *row = &fit->rows[i];
		double wanted_ns = row->cpu_ns * (fit->wanted_ns / fit->cpu_ns);

		off_ns += fabs(row->factor * row->sum - wanted_ns);
		row->factor = factor_of(wanted_ns, row->sum);
	}
	return off_ns;
}

static void fit_columns(struct fit *fit)
{
	double anywhere = 0;

	for (size_t i = 0; i < fit->row_count; i++)
		anywhere += fit->rows[i].factor * fit->rows[i].anywhere_ns;
	for (size_t i = 0; i < fit->column_count; i++)
		fit->columns[i].sum = fit->columns[i].share * anywhere;
	for (size_t i = 0; i < fit->entry_count; i++) {
		const struct entry *entry = &fit->entries[i];

		if (entry->column != NO_LEVEL)
			fit->columns[entry->column].sum +=
				fit->rows[entry->row].factor * entry->cpu_ns;
	}
	for (size_t i = 0; i < fit->column_count; i++)
		fit->columns[i].factor = factor_of(fit->columns[i].wanted_ns, fit->columns[i].sum);
}

static void fit_table(struct fit *fit)
{
	for (size_t round = 0; round < ROUNDS_MAX; round++) {
		double off_ns = fit_rows(fit);

		fit_columns(fit);
		if (off_ns <= AGREEMENT * fit->wanted_ns)
			return;
	}
}

/* ---- shares in whole nanoseconds */

struct part {
	double elapsed_ns, alone_ns, active_ns;
};

/* The shares of a nanosecond that may have been at any level. */
static struct part part_anywhere(const struct fit *fit)
{
	struct part part = {0, 0, 0};

	for (size_t i = 0; i < fit->column_count; i++) {
		const struct column *column = &fit->columns[i];
		double active_ns = column->factor * column->share;

		part.active_ns += active_ns;
		part.elapsed_ns += active_ns / column->active;
		part.alone_ns += column->active == 1 ? active_ns : 0;
	}
	return part;
}

static struct part part_of(const struct fit *fit, const struct entry *entry,
			   const struct part *anywhere)
{
	double factor = fit->rows[entry->row].factor, weight = factor * entry->anywhere_ns;
	struct part part = {weight * anywhere->elapsed_ns, weight * anywhere->alone_ns,
			    weight * anywhere->active_ns};

	if (entry->column == NO_LEVEL)
		return part;
	const struct column *column = &fit->columns[entry->column];
	double active_ns = factor * column->factor * entry->cpu_ns;

	part.active_ns += active_ns;
	part.elapsed_ns += active_ns / column->active;
	part.alone_ns += column->active == 1 ? active_ns : 0;
	return part;
}

/* Parts are handed out so that what was given is always the sum so far, rounded: no nanosecond is
 * lost or created. */
struct purse {
	double sum_ns;
	uint64_t given_ns;
};

static uint64_t hand_out(struct purse *purse, double part_ns)
{
	uint64_t due_ns, share_ns;

	purse->sum_ns += part_ns;
	due_ns = number_of_real(purse->sum_ns + 0.5);
	share_ns = due_ns > purse->given_ns ? due_ns - purse->given_ns : 0;
	purse->given_ns += share_ns;
	return share_ns;
}

static struct sample_share *largest(struct sample_shares *shares, size_t count)
{
	struct sample_share *most = &shares->rest;

	for (size_t i = 0; i < count; i++)
		if (shares->samples[i].alone_ns > most->alone_ns ||
		    (shares->samples[i].alone_ns == most->alone_ns &&
		     shares->samples[i].elapsed_ns > most->elapsed_ns))
			most = &shares->samples[i];
	return most;
}

/* Removes the rounding errors that sums of doubles have for runs of weeks. */
static void keep_sums(struct sample_shares *shares, size_t count, const struct purse *alone,
		      const struct purse *company, const struct efficiency *on_processor)
{
	struct sample_share *most = largest(shares, count);
	uint64_t alone_ns = efficiency_level_ns(on_processor, 1);
	uint64_t company_ns = on_processor->executing_ns - alone_ns;

	most->alone_ns += alone_ns - alone->given_ns;
	most->elapsed_ns += alone_ns - alone->given_ns + company_ns - company->given_ns;
}

static void share_out(struct sample_shares *shares, const struct fit *fit,
		      const struct efficiency *on_processor)
{
	struct purse alone = {0, 0}, company = {0, 0}, active = {0, 0};
	struct part anywhere = part_anywhere(fit);

	for (size_t i = 0; i < fit->entry_count; i++) {
		bool is_rest = i + 1 == fit->entry_count;
		struct sample_share *share = is_rest ? &shares->rest : &shares->samples[i];
		struct part part = part_of(fit, &fit->entries[i], &anywhere);

		share->alone_ns = hand_out(&alone, part.alone_ns);
		share->elapsed_ns =
			share->alone_ns + hand_out(&company, part.elapsed_ns - part.alone_ns);
		share->active_ns = hand_out(&active, part.active_ns);
	}
	keep_sums(shares, fit->entry_count - 1, &alone, &company, on_processor);
}

/* ---- samples as they are */

static void share_as_sampled(struct sample_shares *shares, const struct profile *profile)
{
	for (size_t i = 0; i < profile->samples.count; i++) {
		const struct profile_sample *sample = &profile->samples.rows[i];

		if (sample->level)
			shares->samples[i] = (struct sample_share){
				.elapsed_ns = sample->cpu_ns / sample->level,
				.alone_ns = sample->level == 1 ? sample->cpu_ns : 0,
				.active_ns = sample->cpu_ns,
			};
	}
}

struct sample_shares sample_shares_of(struct names *names, const struct profile *profile,
				      const struct efficiency *on_processor)
{
	struct sample_shares shares = {
		.samples = memory_allocate(profile->samples.count + 1, sizeof *shares.samples)};
	struct fit fit = {0};

	if (!on_processor->level_count) {
		share_as_sampled(&shares, profile);
		return shares;
	}
	add_columns(&fit, on_processor);
	if (fit.column_count) {
		add_entries(&fit, names, profile);
		fit_table(&fit);
		share_out(&shares, &fit, on_processor);
	}
	free(fit.columns);
	free(fit.rows);
	free(fit.entries);
	return shares;
}

void sample_shares_clear(struct sample_shares *shares)
{
	free(shares->samples);
	shares->samples = NULL;
}

void sample_share_add(struct sample_share *to, const struct sample_share *from)
{
	to->elapsed_ns += from->elapsed_ns;
	to->alone_ns += from->alone_ns;
	to->active_ns += from->active_ns;
}

uint64_t sample_unclaimed_ns(const struct profile *profile)
{
	uint64_t *by_thread = sample_unclaimed_by_thread(profile, NULL), sum_ns = 0;

	for (size_t thread = 0; thread < profile->threads.count; thread++)
		sum_ns += by_thread[thread];
	free(by_thread);
	return sum_ns;
}

/* For each thread, the CPU time that it used beyond what its samples claim; *claimed_ns: what
 * samples of other threads claim beyond what those used. */
static uint64_t *rests_of(const struct profile *profile, uint64_t *sum_ns, uint64_t *claimed_ns)
{
	size_t sample = 0, count = profile->samples.count;
	uint64_t *rests = memory_allocate(profile->threads.count + 1, sizeof *rests);

	for (size_t thread = 0; thread < profile->threads.count; thread++) {
		const struct profile_thread *row = &profile->threads.rows[thread];
		uint64_t cpu_ns = row->tid ? row->user_ns + row->system_ns : 0, sampled_ns = 0;

		for (; sample < count && profile->samples.rows[sample].thread == thread; sample++)
			sampled_ns += profile->samples.rows[sample].cpu_ns;
		rests[thread] = cpu_ns > sampled_ns ? cpu_ns - sampled_ns : 0;
		*sum_ns += rests[thread];
		*claimed_ns += sampled_ns > cpu_ns ? sampled_ns - cpu_ns : 0;
	}
	return rests;
}

uint64_t *sample_unclaimed_by_thread(const struct profile *profile, uint64_t *excess_ns)
{
	uint64_t rest_ns = 0, claimed_ns = 0;
	uint64_t *rests = rests_of(profile, &rest_ns, &claimed_ns);
	uint64_t left_ns = rest_ns > claimed_ns ? rest_ns - claimed_ns : 0;

	if (excess_ns)
		*excess_ns = claimed_ns > rest_ns ? claimed_ns - rest_ns : 0;
	for (size_t thread = 0; thread < profile->threads.count; thread++) {
		uint64_t of_thread = rests[thread];

		rests[thread] =
			rest_ns ? (uint64_t)((unsigned __int128)of_thread * left_ns / rest_ns) : 0;
		left_ns -= rests[thread];
		rest_ns -= of_thread;
	}
	return rests;
}

double sample_error_percent(uint64_t samples)
{
	return samples ? 100 / sqrt((double)samples) : NAN;
}

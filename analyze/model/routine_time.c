/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE 1
#include "analyze/model/routine_time.h"

#include "analyze/memory.h"
#include "analyze/model/process.h"

#include <math.h>
#include <stdlib.h>

/* One of the two ways to look at a routine; Welford's method for the spread. */
struct measure {
	uint64_t time_ns, alone_ns, level_known_ns;
	double level_ns;  /* sum of level x time */
	uint64_t unit_ns; /* of the thread or process at hand */
	double sum_squares;
	struct routine_spread spread;
};

struct line_time {
	unsigned line;
	uint64_t time_ns;
};

struct accounts {
	struct measure self, total;
	uint64_t samples;
	unsigned caller_line; /* of a call that it made */
	size_t seen_in; /* serial number of the sample that was counted last: recursion counts once
			 */
	size_t unit;    /* serial number of the unit that was counted last */
	struct line_time *lines;
	size_t line_count, line_capacity;
};

struct routine_account {
	struct names *names;
	bool by_process;
	uint64_t excess_ns;
	struct accounts *routines;
	size_t routine_limit;
	size_t sample;
	size_t unit;
	size_t *touched; /* routines of the unit at hand */
	size_t touched_count, touched_capacity;
};

static struct accounts *find_accounts(struct routine_account *account, size_t routine)
{
	while (routine >= account->routine_limit)
		account->routines = memory_grow(account->routines, account->routine_limit,
						&account->routine_limit, sizeof *account->routines);
	struct accounts *accounts = &account->routines[routine];

	if (accounts->unit != account->unit) {
		accounts->unit = account->unit;
		account->touched =
			memory_grow(account->touched, account->touched_count,
				    &account->touched_capacity, sizeof *account->touched);
		account->touched[account->touched_count++] = routine;
	}
	return accounts;
}

static void charge(struct measure *account, const struct profile_sample *sample)
{
	account->time_ns += sample->cpu_ns;
	account->unit_ns += sample->cpu_ns;
	if (sample->level == 1)
		account->alone_ns += sample->cpu_ns;
	if (sample->level) {
		account->level_known_ns += sample->cpu_ns;
		account->level_ns += (double)sample->level * (double)sample->cpu_ns;
	}
}

static void charge_line(struct accounts *accounts, unsigned line, uint64_t time_ns)
{
	for (size_t i = 0; i < accounts->line_count; i++)
		if (accounts->lines[i].line == line) {
			accounts->lines[i].time_ns += time_ns;
			return;
		}
	accounts->lines = memory_grow(accounts->lines, accounts->line_count,
				      &accounts->line_capacity, sizeof *accounts->lines);
	accounts->lines[accounts->line_count++] = (struct line_time){line, time_ns};
}

static void charge_frame(struct routine_account *account, const struct frame *frame,
			 const struct profile_sample *sample, bool is_innermost)
{
	struct accounts *accounts = find_accounts(account, frame->routine);

	if (is_innermost) {
		charge(&accounts->self, sample);
		accounts->samples += sample->count;
		charge_line(accounts, frame->line, sample->cpu_ns);
	}
	accounts->caller_line = frame->line;
	if (accounts->seen_in == account->sample)
		return;
	accounts->seen_in = account->sample;
	charge(&accounts->total, sample);
}

static void charge_sample(struct routine_account *account, const struct profile *profile,
			  const struct profile_sample *sample)
{
	bool is_innermost = true;

	account->sample++;
	for (size_t at = sample->callpath; at; at = profile->callpaths.rows[at].parent) {
		const struct frame *frames;
		size_t count = names_frames(account->names, profile, at, &frames);

		for (size_t i = 0; i < count; i++, is_innermost = false)
			charge_frame(account, &frames[i], sample, is_innermost);
	}
	if (is_innermost) { /* no call path: the table was full */
		struct frame other = {.routine = names_special(account->names, "[other]")};

		charge_frame(account, &other, sample, true);
	}
}

static void charge_rest(struct routine_account *account, uint64_t rest_ns)
{
	struct profile_sample rest = {.cpu_ns = rest_ns};
	struct frame unsampled = {.routine = names_special(account->names, "[unsampled]")};

	account->sample++;
	if (rest_ns)
		charge_frame(account, &unsampled, &rest, true);
}

/* ---- spread over threads or processes */

static void close_measure(struct measure *measure, const struct routine_spread *at)
{
	struct routine_spread *spread = &measure->spread;
	double time = (double)measure->unit_ns, difference = time - spread->mean_ns;

	measure->unit_ns = 0;
	spread->count++;
	spread->mean_ns += difference / (double)spread->count;
	measure->sum_squares += difference * (time - spread->mean_ns);
	if (spread->count == 1 || time < spread->min_ns)
		spread->min_ns = time;
	if (spread->count == 1 || time > spread->max_ns) {
		spread->max_ns = time;
		spread->max_process = at->max_process;
		spread->max_tid = at->max_tid;
		spread->max_name = at->max_name;
	}
}

/* The thread or process is done: what its routines took is one value of their distributions.
 * thread: NULL where processes are compared. */
static void close_unit(struct routine_account *account, const struct process *process,
		       const struct profile_thread *thread)
{
	struct routine_spread at = {
		.max_process = process->index,
		.max_tid = thread ? thread->tid : 0,
		.max_name = thread && account->touched_count
				    ? names_keep(account->names, thread->name)
				    : NULL,
	};

	for (size_t i = 0; i < account->touched_count; i++) {
		struct accounts *accounts = &account->routines[account->touched[i]];

		close_measure(&accounts->self, &at);
		close_measure(&accounts->total, &at);
	}
	account->touched_count = 0;
	account->unit++;
}

void routine_account_add(struct routine_account *account, const struct profile *profile,
			 const struct process *process)
{
	size_t sample = 0, count = profile->samples.count;

	for (size_t thread = 0; thread < profile->threads.count; thread++) {
		const struct profile_thread *row = &profile->threads.rows[thread];
		uint64_t cpu = row->tid ? row->user_ns + row->system_ns : 0, sampled = 0;

		for (; sample < count && profile->samples.rows[sample].thread == thread; sample++) {
			charge_sample(account, profile, &profile->samples.rows[sample]);
			sampled += profile->samples.rows[sample].cpu_ns;
		}
		/* CPU time that samples claim beyond what the thread used */
		account->excess_ns += sampled > cpu ? sampled - cpu : 0;
		charge_rest(account, cpu > sampled ? cpu - sampled : 0);
		if (!account->by_process)
			close_unit(account, process, row);
	}
	if (account->by_process)
		close_unit(account, process, NULL);
}

/* ---- rows */

static unsigned hottest_line(const struct accounts *accounts)
{
	struct line_time best = {.line = accounts->caller_line};

	for (size_t i = 0; i < accounts->line_count; i++)
		if (accounts->lines[i].time_ns > best.time_ns)
			best = accounts->lines[i];
	return best.line;
}

static struct routine_time make_row(const struct accounts *accounts, size_t routine)
{
	bool is_by_total = !accounts->self.time_ns;
	const struct measure *basis = is_by_total ? &accounts->total : &accounts->self;
	struct routine_time row = {
		.routine = routine,
		.line = hottest_line(accounts),
		.samples = accounts->samples,
		.self_ns = accounts->self.time_ns,
		.total_ns = accounts->total.time_ns,
		.alone_ns = basis->alone_ns,
		.level_known_ns = basis->level_known_ns,
		.average_concurrency = basis->level_known_ns
					       ? basis->level_ns / (double)basis->level_known_ns
					       : NAN,
		.is_by_total = is_by_total,
		.spread = basis->spread,
	};

	row.spread.deviation_ns = sqrt(basis->sum_squares / (double)row.spread.count);
	return row;
}

static int compare_rows(const void *left, const void *right, void *names)
{
	const struct routine_time *a = left, *b = right;

	if (a->self_ns != b->self_ns)
		return a->self_ns > b->self_ns ? -1 : 1;
	if (a->total_ns != b->total_ns)
		return a->total_ns > b->total_ns ? -1 : 1;
	return names_compare(names, a->routine, b->routine);
}

static struct routine_times make_rows(struct routine_account *account)
{
	struct routine_times times = {
		.rows = memory_allocate(account->routine_limit, sizeof *times.rows)};

	for (size_t i = 0; i < account->routine_limit; i++) {
		if (account->routines[i].unit)
			times.rows[times.count++] = make_row(&account->routines[i], i);
		free(account->routines[i].lines);
	}
	if (times.count)
		qsort_r(times.rows, times.count, sizeof *times.rows, compare_rows, account->names);
	return times;
}

struct routine_account *routine_account_create(struct names *names, bool by_process)
{
	struct routine_account *account = memory_allocate(1, sizeof *account);

	account->names = names;
	account->by_process = by_process;
	account->unit = 1; /* 0 marks what was never charged */
	return account;
}

struct routine_times routine_account_finish(struct routine_account *account)
{
	struct routine_times times = make_rows(account);

	times.excess_ns = account->excess_ns;
	free(account->routines);
	free(account->touched);
	free(account);
	return times;
}

void routine_times_clear(struct routine_times *times)
{
	free(times->rows);
	times->rows = NULL;
}

double routine_time_error_percent(const struct routine_time *row)
{
	return row->samples ? 100 / sqrt((double)row->samples) : NAN;
}

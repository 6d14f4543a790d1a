/* SPDX-License-Identifier: MIT */
#include "analyze/model/routine_time.h"

#include "analyze/memory.h"
#include "analyze/model/run.h"

#include <math.h>
#include <stdlib.h>

/* One of the two ways to look at a routine; Welford's method for the spread. */
struct account {
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
	struct account self, total;
	uint64_t samples;
	unsigned caller_line; /* of a call that it made */
	size_t seen_in; /* serial number of the sample that was counted last: recursion counts once
			 */
	size_t unit;    /* serial number of the unit that was counted last */
	struct line_time *lines;
	size_t line_count, line_capacity;
};

struct collector {
	struct names *names;
	struct accounts *routines;
	size_t routine_limit;
	size_t sample;
	size_t unit;
	size_t *touched; /* routines of the unit at hand */
	size_t touched_count, touched_capacity;
};

static struct accounts *find_accounts(struct collector *collector, size_t routine)
{
	while (routine >= collector->routine_limit)
		collector->routines =
			memory_grow(collector->routines, collector->routine_limit,
				    &collector->routine_limit, sizeof *collector->routines);
	struct accounts *accounts = &collector->routines[routine];

	if (accounts->unit != collector->unit) {
		accounts->unit = collector->unit;
		collector->touched =
			memory_grow(collector->touched, collector->touched_count,
				    &collector->touched_capacity, sizeof *collector->touched);
		collector->touched[collector->touched_count++] = routine;
	}
	return accounts;
}

static void charge(struct account *account, const struct profile_sample *sample)
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

static void charge_frame(struct collector *collector, const struct frame *frame,
			 const struct profile_sample *sample, bool is_innermost)
{
	struct accounts *accounts = find_accounts(collector, frame->routine);

	if (is_innermost) {
		charge(&accounts->self, sample);
		accounts->samples += sample->count;
		charge_line(accounts, frame->line, sample->cpu_ns);
	}
	accounts->caller_line = frame->line;
	if (accounts->seen_in == collector->sample)
		return;
	accounts->seen_in = collector->sample;
	charge(&accounts->total, sample);
}

static void charge_sample(struct collector *collector, const struct profile *profile,
			  const struct profile_sample *sample)
{
	bool is_innermost = true;

	collector->sample++;
	for (size_t at = sample->callpath; at; at = profile->callpaths.rows[at].parent) {
		const struct frame *frames;
		size_t count = names_frames(collector->names, profile, at, &frames);

		for (size_t i = 0; i < count; i++, is_innermost = false)
			charge_frame(collector, &frames[i], sample, is_innermost);
	}
	if (is_innermost) { /* no call path: the table was full */
		struct frame other = {.routine = names_special(collector->names, "[other]")};

		charge_frame(collector, &other, sample, true);
	}
}

static void charge_rest(struct collector *collector, uint64_t rest_ns)
{
	struct profile_sample rest = {.cpu_ns = rest_ns};
	struct frame unsampled = {.routine = names_special(collector->names, "[unsampled]")};

	collector->sample++;
	if (rest_ns)
		charge_frame(collector, &unsampled, &rest, true);
}

/* ---- spread over threads or processes */

static void close_account(struct account *account, const struct profile *profile,
			  const struct profile_thread *thread)
{
	struct routine_spread *spread = &account->spread;
	double time = (double)account->unit_ns, difference = time - spread->mean_ns;

	account->unit_ns = 0;
	spread->count++;
	spread->mean_ns += difference / (double)spread->count;
	account->sum_squares += difference * (time - spread->mean_ns);
	if (spread->count == 1 || time < spread->min_ns)
		spread->min_ns = time;
	if (spread->count == 1 || time > spread->max_ns) {
		spread->max_ns = time;
		spread->max_profile = profile;
		spread->max_thread = thread;
	}
}

/* The thread or process is done: what its routines took is one value of their distributions. */
static void close_unit(struct collector *collector, const struct profile *profile,
		       const struct profile_thread *thread)
{
	for (size_t i = 0; i < collector->touched_count; i++) {
		struct accounts *accounts = &collector->routines[collector->touched[i]];

		close_account(&accounts->self, profile, thread);
		close_account(&accounts->total, profile, thread);
	}
	collector->touched_count = 0;
	collector->unit++;
}

/* Returns the CPU time that the samples of this process claim beyond what its threads used. */
static uint64_t collect_process(struct collector *collector, const struct process *process,
				bool by_process)
{
	const struct profile *profile = process->profile;
	size_t sample = 0, count = profile->samples.count;
	uint64_t excess = 0;

	for (size_t thread = 0; thread < profile->threads.count; thread++) {
		const struct profile_thread *row = &profile->threads.rows[thread];
		uint64_t cpu = row->tid ? row->user_ns + row->system_ns : 0, sampled = 0;

		for (; sample < count && profile->samples.rows[sample].thread == thread; sample++) {
			charge_sample(collector, profile, &profile->samples.rows[sample]);
			sampled += profile->samples.rows[sample].cpu_ns;
		}
		excess += sampled > cpu ? sampled - cpu : 0;
		charge_rest(collector, cpu > sampled ? cpu - sampled : 0);
		if (!by_process)
			close_unit(collector, profile, row);
	}
	if (by_process)
		close_unit(collector, profile, NULL);
	return excess;
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
	const struct account *basis = is_by_total ? &accounts->total : &accounts->self;
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

static int compare_rows(const void *left, const void *right)
{
	const struct routine_time *a = left, *b = right;

	if (a->self_ns != b->self_ns)
		return a->self_ns > b->self_ns ? -1 : 1;
	if (a->total_ns != b->total_ns)
		return a->total_ns > b->total_ns ? -1 : 1;
	return (a->routine > b->routine) - (a->routine < b->routine);
}

static struct routine_times make_rows(struct collector *collector)
{
	struct routine_times times = {
		.rows = memory_allocate(collector->routine_limit, sizeof *times.rows)};

	for (size_t i = 0; i < collector->routine_limit; i++) {
		if (collector->routines[i].unit)
			times.rows[times.count++] = make_row(&collector->routines[i], i);
		free(collector->routines[i].lines);
	}
	qsort(times.rows, times.count, sizeof *times.rows, compare_rows);
	return times;
}

struct routine_times routine_times_of(struct names *names, const struct process *processes,
				      size_t process_count, bool by_process)
{
	struct collector collector = {.names = names,
				      .unit = 1}; /* 0 marks what was never charged */
	uint64_t excess = 0;

	for (size_t i = 0; i < process_count; i++)
		excess += collect_process(&collector, &processes[i], by_process);

	struct routine_times times = make_rows(&collector);

	times.excess_ns = excess;
	free(collector.routines);
	free(collector.touched);
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

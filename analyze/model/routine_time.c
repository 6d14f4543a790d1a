/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE 1
#include "analyze/model/routine_time.h"

#include "analyze/memory.h"
#include "analyze/merge/merged.h"
#include "analyze/model/call_stack.h"
#include "analyze/model/process.h"

#include <math.h>
#include <stdlib.h>

/* How a routine's time is shared by threads or by processes; Welford's method. */
struct distribution {
	uint64_t unit_ns; /* of the thread or process at hand */
	double sum_squares;
	struct routine_spread spread;
};

enum { BY_THREAD, BY_PROCESS, WAYS };

/* One of the two ways to look at a routine. */
struct measure {
	uint64_t time_ns;
	struct sample_share share;
	struct distribution by[WAYS];
};

struct line_time {
	unsigned line;
	uint64_t time_ns;
};

struct accounts {
	struct measure self, total;
	bool is_used;
	uint64_t samples;
	unsigned caller_line;  /* of a call that it made */
	size_t caller_process; /* the last process that made one: index + 1 */
	size_t seen_in; /* serial number of the sample that was counted last: recursion counts once
			 */
	size_t unit[WAYS]; /* serial number of the unit that was counted last */
	struct line_time *lines;
	size_t line_count, line_capacity;
};

struct routine_account {
	struct names *names;
	bool by_process;
	uint64_t excess_ns;
	struct call_stack stack; /* of the sample at hand */
	struct accounts *routines;
	size_t routine_limit;
	size_t sample, process;
	struct unit {
		size_t number;
		size_t *touched; /* routines of the unit at hand */
		size_t touched_count, touched_capacity;
	} units[WAYS];
};

static void touch(struct unit *unit, struct accounts *accounts, size_t routine, size_t way)
{
	if (accounts->unit[way] == unit->number)
		return;
	accounts->unit[way] = unit->number;
	unit->touched = memory_grow(unit->touched, unit->touched_count, &unit->touched_capacity,
				    sizeof *unit->touched);
	unit->touched[unit->touched_count++] = routine;
}

static struct accounts *accounts_of(struct routine_account *account, size_t routine)
{
	while (routine >= account->routine_limit)
		account->routines = memory_grow(account->routines, account->routine_limit,
						&account->routine_limit, sizeof *account->routines);
	account->routines[routine].is_used = true;
	return &account->routines[routine];
}

static struct accounts *find_accounts(struct routine_account *account, size_t routine)
{
	struct accounts *accounts = accounts_of(account, routine);

	for (size_t way = 0; way < WAYS; way++)
		touch(&account->units[way], accounts, routine, way);
	return accounts;
}

static void charge(struct measure *measure, const struct profile_sample *sample,
		   const struct sample_share *share)
{
	measure->time_ns += sample->cpu_ns;
	sample_share_add(&measure->share, share);
	for (size_t way = 0; way < WAYS; way++)
		measure->by[way].unit_ns += sample->cpu_ns;
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
			 const struct profile_sample *sample, const struct sample_share *share,
			 bool is_innermost)
{
	struct accounts *accounts = find_accounts(account, frame->routine);

	if (is_innermost) {
		charge(&accounts->self, sample, share);
		accounts->samples += sample->count;
		charge_line(accounts, frame->line, sample->cpu_ns);
	}
	accounts->caller_line = frame->line;
	accounts->caller_process = account->process;
	if (accounts->seen_in == account->sample)
		return;
	accounts->seen_in = account->sample;
	charge(&accounts->total, sample, share);
}

static void charge_sample(struct routine_account *account, const struct profile *profile,
			  const struct profile_sample *sample, const struct sample_share *share)
{
	struct call_stack *stack = &account->stack;

	account->sample++;
	call_stack_read(stack, account->names, profile, sample->callpath);
	for (size_t i = 0; i < stack->count; i++)
		charge_frame(account, &stack->frames[i], sample, share, !i);
	if (!stack->count) { /* no call path: the table was full */
		struct frame other = {.routine = names_special(account->names, "[other]")};

		charge_frame(account, &other, sample, share, true);
	}
}

static void charge_rest(struct routine_account *account, uint64_t rest_ns)
{
	static const struct sample_share later = {0, 0, 0};
	struct profile_sample rest = {.cpu_ns = rest_ns};
	struct frame unsampled = {.routine = names_special(account->names, "[unsampled]")};

	account->sample++;
	if (rest_ns)
		charge_frame(account, &unsampled, &rest, &later, true);
}

/* Of all threads of the process together, which have been charged. */
static void share_rest(struct routine_account *account, const struct sample_share *share)
{
	if (!share->active_ns && !share->elapsed_ns)
		return;
	struct accounts *accounts =
		accounts_of(account, names_special(account->names, "[unsampled]"));

	sample_share_add(&accounts->self.share, share);
	sample_share_add(&accounts->total.share, share);
}

/* ---- spread over threads or processes */

static void close_distribution(struct distribution *distribution, const struct routine_spread *at)
{
	struct routine_spread *spread = &distribution->spread;
	double time = (double)distribution->unit_ns, difference = time - spread->mean_ns;

	distribution->unit_ns = 0;
	spread->count++;
	spread->mean_ns += difference / (double)spread->count;
	distribution->sum_squares += difference * (time - spread->mean_ns);
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
	size_t way = thread ? BY_THREAD : BY_PROCESS;
	struct unit *unit = &account->units[way];
	struct routine_spread at = {
		.max_process = process->index,
		.max_tid = thread ? thread->tid : 0,
		.max_name = thread && unit->touched_count ? names_keep(account->names, thread->name)
							  : NULL,
	};

	for (size_t i = 0; i < unit->touched_count; i++) {
		struct accounts *accounts = &account->routines[unit->touched[i]];

		close_distribution(&accounts->self.by[way], &at);
		close_distribution(&accounts->total.by[way], &at);
	}
	unit->touched_count = 0;
	unit->number++;
}

void routine_account_add(struct routine_account *account, const struct profile *profile,
			 const struct process *process, const struct sample_shares *shares)
{
	size_t sample = 0, count = profile->samples.count;

	account->process = process->index + 1;
	for (size_t thread = 0; thread < profile->threads.count; thread++) {
		const struct profile_thread *row = &profile->threads.rows[thread];
		uint64_t cpu = row->tid ? row->user_ns + row->system_ns : 0, sampled = 0;

		for (; sample < count && profile->samples.rows[sample].thread == thread; sample++) {
			charge_sample(account, profile, &profile->samples.rows[sample],
				      &shares->samples[sample]);
			sampled += profile->samples.rows[sample].cpu_ns;
		}
		/* CPU time that samples claim beyond what the thread used */
		account->excess_ns += sampled > cpu ? sampled - cpu : 0;
		charge_rest(account, cpu > sampled ? cpu - sampled : 0);
		close_unit(account, process, row);
	}
	close_unit(account, process, NULL);
	share_rest(account, &shares->rest);
}

/* ---- rows */

static unsigned hottest_line(const struct accounts *accounts)
{
	struct line_time best = {.line = accounts->caller_line};

	for (size_t i = 0; i < accounts->line_count; i++)
		if (accounts->lines[i].time_ns > best.time_ns ||
		    (accounts->lines[i].time_ns == best.time_ns && best.time_ns &&
		     accounts->lines[i].line < best.line))
			best = accounts->lines[i];
	return best.line;
}

static double average_of(const struct sample_share *share)
{
	return share->elapsed_ns ? (double)share->active_ns / (double)share->elapsed_ns : NAN;
}

static struct routine_time make_row(const struct accounts *accounts, size_t routine, size_t way)
{
	bool is_by_total = !accounts->self.time_ns;
	const struct measure *basis = is_by_total ? &accounts->total : &accounts->self;
	struct routine_time row = {
		.routine = routine,
		.line = hottest_line(accounts),
		.samples = accounts->samples,
		.self_ns = accounts->self.time_ns,
		.total_ns = accounts->total.time_ns,
		.elapsed_ns = accounts->self.share.elapsed_ns,
		.alone_ns = accounts->self.share.alone_ns,
		.total_elapsed_ns = accounts->total.share.elapsed_ns,
		.total_alone_ns = accounts->total.share.alone_ns,
		.is_share_known = accounts->total.share.active_ns > 0,
		.average_concurrency = average_of(&basis->share),
		.is_by_total = is_by_total,
		.spread = basis->by[way].spread,
	};

	row.spread.deviation_ns = sqrt(basis->by[way].sum_squares / (double)row.spread.count);
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
	size_t way = account->by_process ? BY_PROCESS : BY_THREAD;
	struct routine_times times = {
		.rows = memory_allocate(account->routine_limit, sizeof *times.rows)};

	for (size_t i = 0; i < account->routine_limit; i++) {
		if (account->routines[i].is_used)
			times.rows[times.count++] = make_row(&account->routines[i], i, way);
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
	for (size_t way = 0; way < WAYS; way++)
		account->units[way].number = 1; /* 0 marks what was never charged */
	return account;
}

struct routine_times routine_account_finish(struct routine_account *account)
{
	struct routine_times times = make_rows(account);

	times.excess_ns = account->excess_ns;
	free(account->routines);
	call_stack_clear(&account->stack);
	for (size_t way = 0; way < WAYS; way++)
		free(account->units[way].touched);
	free(account);
	return times;
}

/* ---- merged runs */

static void write_measure(struct merged_writer *writer, size_t routine, uint64_t is_total,
			  const struct measure *measure)
{
	struct merged_routine_times times = {
		.routine = routine,
		.is_total = is_total,
		.time_ns = measure->time_ns,
		.elapsed_ns = measure->share.elapsed_ns,
		.alone_ns = measure->share.alone_ns,
		.active_ns = measure->share.active_ns,
	};

	merged_writer_add(writer, MERGED_routine_times, &times);
	for (size_t way = 0; way < WAYS; way++) {
		const struct routine_spread *spread = &measure->by[way].spread;
		struct merged_routine_spreads row = {
			.routine = routine,
			.is_total = is_total,
			.by_process = way == BY_PROCESS,
			.count = spread->count,
			.mean_ns = spread->mean_ns,
			.min_ns = spread->min_ns,
			.max_ns = spread->max_ns,
			.sum_squares = measure->by[way].sum_squares,
			.max_process = spread->max_process,
			.max_tid = spread->max_tid,
			.max_name = spread->max_name,
		};

		merged_writer_add(writer, MERGED_routine_spreads, &row);
	}
}

void routine_account_write(const struct routine_account *account, struct merged_writer *writer)
{
	for (size_t i = 0; i < account->routine_limit; i++) {
		const struct accounts *accounts = &account->routines[i];
		struct merged_routine_sums sums = {i, accounts->samples, accounts->caller_line,
						   accounts->caller_process};

		if (!accounts->is_used)
			continue;
		merged_writer_add(writer, MERGED_routine_sums, &sums);
		write_measure(writer, i, 0, &accounts->self);
		write_measure(writer, i, 1, &accounts->total);
		for (size_t l = 0; l < accounts->line_count; l++) {
			struct merged_routine_lines line = {i, accounts->lines[l].line,
							    accounts->lines[l].time_ns};

			merged_writer_add(writer, MERGED_routine_lines, &line);
		}
	}
}

uint64_t routine_account_excess(const struct routine_account *account)
{
	return account->excess_ns;
}

void routine_account_add_excess(struct routine_account *account, uint64_t excess_ns)
{
	account->excess_ns += excess_ns;
}

static struct accounts *find_merged(struct routine_account *account,
				    const struct merged_input *input, uint64_t routine)
{
	if (routine >= input->routine_count)
		return NULL;
	while (input->routine_of[routine] >= account->routine_limit)
		account->routines = memory_grow(account->routines, account->routine_limit,
						&account->routine_limit, sizeof *account->routines);
	struct accounts *accounts = &account->routines[input->routine_of[routine]];

	accounts->is_used = true;
	return accounts;
}

/* Chan, Golub, LeVeque: "Updating formulae and a pairwise algorithm for computing sample
 * variances", 1979. */
static void unite(struct distribution *to, const struct distribution *from)
{
	struct routine_spread *spread = &to->spread;
	const struct routine_spread *added = &from->spread;
	double n = (double)spread->count, m = (double)added->count;
	double difference = added->mean_ns - spread->mean_ns;

	if (!added->count)
		return;
	if (!spread->count) {
		*to = *from;
		return;
	}
	to->sum_squares += from->sum_squares + difference * difference * n * m / (n + m);
	spread->mean_ns += difference * m / (n + m);
	spread->count += added->count;
	spread->min_ns = fmin(spread->min_ns, added->min_ns);
	if (added->max_ns > spread->max_ns ||
	    (added->max_ns == spread->max_ns && added->max_process < spread->max_process)) {
		spread->max_ns = added->max_ns;
		spread->max_process = added->max_process;
		spread->max_tid = added->max_tid;
		spread->max_name = added->max_name;
	}
}

static void read_spreads(struct routine_account *account, const struct merged_input *input)
{
	size_t count;
	const struct merged_routine_spreads *rows =
		merged_file_rows(input->file, MERGED_routine_spreads, &count);

	for (size_t i = 0; i < count; i++) {
		const struct merged_routine_spreads *row = &rows[i];
		struct accounts *accounts = find_merged(account, input, row->routine);
		struct distribution from = {
			.sum_squares = row->sum_squares,
			.spread = {.count = row->count,
				   .min_ns = row->min_ns,
				   .mean_ns = row->mean_ns,
				   .max_ns = row->max_ns,
				   .max_tid = row->max_tid},
		};

		if (!accounts || row->max_process >= input->process_count)
			continue;
		from.spread.max_process = input->process_of[row->max_process];
		from.spread.max_name =
			row->by_process ? NULL : names_keep(account->names, row->max_name);
		unite(&(row->is_total ? &accounts->total : &accounts->self)
			       ->by[row->by_process ? BY_PROCESS : BY_THREAD],
		      &from);
	}
}

static void read_times(struct routine_account *account, const struct merged_input *input)
{
	size_t count;
	const struct merged_routine_times *rows =
		merged_file_rows(input->file, MERGED_routine_times, &count);

	for (size_t i = 0; i < count; i++) {
		struct accounts *accounts = find_merged(account, input, rows[i].routine);
		struct measure *measure;

		if (!accounts)
			continue;
		measure = rows[i].is_total ? &accounts->total : &accounts->self;
		measure->time_ns += rows[i].time_ns;
		sample_share_add(&measure->share, &(struct sample_share){
							  .elapsed_ns = rows[i].elapsed_ns,
							  .alone_ns = rows[i].alone_ns,
							  .active_ns = rows[i].active_ns,
						  });
	}
}

static void read_sums(struct routine_account *account, const struct merged_input *input)
{
	size_t count;
	const struct merged_routine_sums *rows =
		merged_file_rows(input->file, MERGED_routine_sums, &count);

	for (size_t i = 0; i < count; i++) {
		struct accounts *accounts = find_merged(account, input, rows[i].routine);
		size_t process = rows[i].caller_process;

		if (!accounts)
			continue;
		accounts->samples += rows[i].samples;
		process = process && process <= input->process_count
				  ? input->process_of[process - 1] + 1
				  : 0;
		if (process < accounts->caller_process)
			continue;
		accounts->caller_process = process;
		accounts->caller_line = (unsigned)rows[i].caller_line;
	}
}

void routine_account_read(struct routine_account *account, const struct merged_input *input)
{
	size_t count;
	const struct merged_routine_lines *lines =
		merged_file_rows(input->file, MERGED_routine_lines, &count);

	read_sums(account, input);
	read_times(account, input);
	read_spreads(account, input);
	for (size_t i = 0; i < count; i++) {
		struct accounts *accounts = find_merged(account, input, lines[i].routine);

		if (accounts)
			charge_line(accounts, (unsigned)lines[i].line, lines[i].time_ns);
	}
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

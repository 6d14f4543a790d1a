/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE 1
#include "analyze/model/time/routine_time.h"

#include "analyze/base/memory.h"
#include "analyze/base/number.h"
#include "analyze/model/common/call_stack.h"
#include "analyze/model/process/process.h"
#include "analyze/model/threads/thread_role.h"
#include "analyze/model/time/routine_time_parts.h"

#include <math.h>
#include <stdlib.h>

static void touch(struct unit *unit, struct accounts *accounts, size_t routine, size_t way)
{
	if (accounts->unit[way] == unit->number)
		return;
	accounts->unit[way] = unit->number;
	unit->touched = memory_grow(unit->touched, unit->touched_count, &unit->touched_capacity,
				    sizeof *unit->touched);
	unit->touched[unit->touched_count++] = routine;
}

struct accounts *routine_accounts_of(struct routine_account *account, size_t routine)
{
	while (routine >= account->routine_limit)
		account->routines = memory_grow(account->routines, account->routine_limit,
						&account->routine_limit, sizeof *account->routines);
	account->routines[routine].is_used = true;
	return &account->routines[routine];
}

static struct accounts *find_accounts(struct routine_account *account, size_t routine)
{
	struct accounts *accounts = routine_accounts_of(account, routine);

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

void routine_charge_line(struct accounts *accounts, unsigned line, uint64_t time_ns)
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
		routine_charge_line(accounts, frame->line, sample->cpu_ns);
	}
	accounts->caller_line = frame->line;
	accounts->caller_process = account->process;
	if (accounts->seen_in == account->sample)
		return;
	accounts->seen_in = account->sample;
	charge(&accounts->total, sample, share);
}

/* Charged to the innermost routine of the user's code: the load of std::atomic is inlined into the
 * loop. */
static void charge_waiting(struct routine_account *account, uint64_t cpu_ns)
{
	const struct call_stack *stack = &account->stack;

	for (size_t i = 0; i < stack->count; i++) {
		const struct frame *frame = &stack->frames[i];
		struct accounts *accounts;

		if (names_routine(account->names, frame->routine)->is_runtime)
			continue;
		accounts = routine_accounts_of(account, frame->routine);
		accounts->waiting_ns += cpu_ns;
		if (frame->line > accounts->waiting_line)
			accounts->waiting_line = frame->line;
		return;
	}
}

static void charge_sample(struct routine_account *account, const struct profile *profile,
			  const struct profile_sample *sample, const struct sample_share *share)
{
	struct call_stack *stack = &account->stack;

	account->sample++;
	call_stack_read(stack, account->names, profile, sample->callpath);
	for (size_t i = 0; i < stack->count; i++)
		charge_frame(account, &stack->frames[i], sample, share, !i);
	if (names_is_waiting(account->names, profile, sample->callpath))
		charge_waiting(account, sample->cpu_ns);
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

/* For all threads of the process together; their own times have been charged. */
static void share_rest(struct routine_account *account, const struct sample_share *share)
{
	if (!share->active_ns && !share->elapsed_ns)
		return;
	struct accounts *accounts =
		routine_accounts_of(account, names_special(account->names, "[unsampled]"));

	sample_share_add(&accounts->self.share, share);
	sample_share_add(&accounts->total.share, share);
}

/* ---- spread over threads or processes */

static void close_distribution(struct distribution *distribution, const struct routine_spread *at)
{
	struct routine_spread *spread = &distribution->spread;
	double time = (double)distribution->unit_ns, difference = time - spread->mean_ns;

	distribution->unit_ns = 0;
	spread->mean_ns = number_united_mean(spread->mean_ns, (double)spread->count, time, 1);
	spread->count++;
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

/* Ends a thread or process: what its routines took is one value of their distributions. thread:
 * NULL where processes are compared. name: the one that is shown. */
static void close_unit(struct routine_account *account, const struct process *process,
		       const struct profile_thread *thread, const char *name)
{
	size_t way = thread ? BY_THREAD : BY_PROCESS;
	struct unit *unit = &account->units[way];
	struct routine_spread at = {
		.max_process = process->index,
		.max_tid = thread ? thread->tid : 0,
		.max_name = thread && unit->touched_count ? names_keep(account->names, name) : NULL,
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
	uint64_t excess_ns, *unclaimed = sample_unclaimed_by_thread(profile, &excess_ns);

	account->process = process->index + 1;
	account->excess_ns += excess_ns;
	for (size_t thread = 0; thread < profile->threads.count; thread++) {
		const struct profile_thread *row = &profile->threads.rows[thread];

		for (; sample < count && profile->samples.rows[sample].thread == thread; sample++)
			charge_sample(account, profile, &profile->samples.rows[sample],
				      &shares->samples[sample]);
		charge_rest(account, unclaimed[thread]);
		close_unit(account, process, row,
			   thread_shown_name(account->names, profile, thread));
	}
	close_unit(account, process, NULL, NULL);
	share_rest(account, &shares->rest);
	free(unclaimed);
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

/* Both are rounded separately: of a few microseconds the first may be a nanosecond too small. */
static double average_of(const struct sample_share *share)
{
	return share->elapsed_ns ? fmax(1, (double)share->active_ns / (double)share->elapsed_ns)
				 : NAN;
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
		.waiting_ns = accounts->waiting_ns,
		.waiting_line = accounts->waiting_line,
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

void routine_times_clear(struct routine_times *times)
{
	free(times->rows);
	times->rows = NULL;
}

double routine_time_error_percent(const struct routine_time *row)
{
	return row->samples ? 100 / sqrt((double)row->samples) : NAN;
}

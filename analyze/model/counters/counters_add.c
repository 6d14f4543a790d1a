/* SPDX-License-Identifier: MIT */
/* A profile is added to the accumulator of counters. */
#include "analyze/base/memory.h"
#include "analyze/base/number.h"
#include "analyze/model/common/names.h"
#include "analyze/model/concurrency/sample_share.h"
#include "analyze/model/counters/counters_parts.h"
#include "analyze/model/process/process.h"

#include <stdlib.h>
#include <string.h>

/* The profile that is being added. */
struct adding {
	struct counters_accumulator *to;
	const struct profile *profile;
	const struct process *process;
	size_t *event_of; /* number in the accumulator by index in profile->events; 0: none */
	struct counted *counted; /* of one thread, by index in profile->events */
	struct rest *rests;      /* of the process, by number */
	bool keeps_threads;
	const struct counters_listener *listener;
};

/* What one thread counted of one event. */
struct counted {
	uint64_t count, enabled_ns, running_ns;
	bool is_there;
};

/* What no sample has: may be negative for one thread, since short threads leave what they counted
 * to others. */
struct rest {
	uint64_t counted, sampled;
	double counted_scaled, sampled_scaled;
	bool is_counted; /* by some thread */
};

/* ---- definitions */

static void define_event(struct adding *adding, size_t index)
{
	const struct profile_event *from = &adding->profile->events.rows[index];
	size_t number = counters_define_event(adding->to, &(struct counter){.name = from->name,
									    .unit = from->unit,
									    .type = from->type,
									    .config = from->config,
									    .period = from->period,
									    .group = from->group,
									    .flags = from->flags,
									    .error = from->error});

	adding->event_of[index] = number;
	if (number)
		adding->to->events[number].row.refused += from->refused;
}

static void define(struct adding *adding)
{
	const struct profile *profile = adding->profile;

	for (size_t i = 1; i < profile->events.count; i++)
		define_event(adding, i);
	for (size_t i = 0; i < profile->metrics.count; i++) {
		const struct profile_metric *from = &profile->metrics.rows[i];
		const struct counter_metric texts = {
			.name = from->name, .unit = from->unit, .formula = from->formula};

		counters_add_metric(adding->to, &texts, from->steps, adding->event_of,
				    profile->events.count);
	}
}

/* ---- threads */

/* Events that take turns are counted for a part of the time. */
static double factor_of(const struct counted *counted)
{
	if (!counted->running_ns || counted->running_ns >= counted->enabled_ns)
		return 1;
	return (double)counted->enabled_ns / (double)counted->running_ns;
}

static struct counter_sums *sums_at(struct adding *adding, enum counter_kind kind, size_t a,
				    size_t b, size_t event)
{
	return counter_place_sums(counter_table_place(adding->to->table, kind, a, b), event);
}

static void add_known(struct counter_sums *to, const struct counter_sum *sum)
{
	counter_sum_add(&to->part[COUNTER_SELF], sum);
	to->is_known = true;
}

/* What a thread has in all, of an event or of CPU time. */
static void add_whole(struct adding *adding, size_t position, size_t event,
		      const struct counter_sum *sum)
{
	size_t process = adding->process->index;
	struct counter_sums_of_event *to = &adding->to->events[event];

	to->row.sum += sum->count;
	to->row.scaled += sum->scaled;
	add_known(sums_at(adding, COUNTER_PROCESS, process, 0, event), sum);
	if (adding->keeps_threads)
		add_known(sums_at(adding, COUNTER_THREAD, process, position, event), sum);
}

static void close_thread(struct adding *adding, size_t position, size_t event,
			 const struct counter_sum *sum)
{
	const struct thread_time *time = &adding->process->threads[position];
	const struct spread_unit at = {adding->process->index, time->thread->tid, time->shown_name};
	struct distribution *by = adding->to->events[event].by;

	for (size_t way = 0; way < WAYS; way++)
		by[way].unit_ns += number_of_real(sum->scaled);
	distribution_close(&by[BY_THREAD], &at);
}

static uint64_t lives_of(const struct thread_time *time)
{
	return time->thread->lives ? time->thread->lives : 1;
}

/* A thread opens its events soon after its begin, and the two clocks differ a little. */
#define BEGIN_MOST_NS 2000000
#define CLOCKS_SHARE  200

static uint64_t left_out(const struct thread_time *time, uint64_t enabled_ns)
{
	uint64_t cpu_ns = thread_time_cpu(time);
	uint64_t usual_ns = lives_of(time) * BEGIN_MOST_NS + cpu_ns / CLOCKS_SHARE;

	return cpu_ns > enabled_ns + usual_ns ? cpu_ns - enabled_ns : 0;
}

static void add_counted(struct adding *adding, size_t position, size_t event,
			const struct counted *counted)
{
	struct counter *row = &adding->to->events[event].row;
	const struct counter_sum sum = {.count = counted->count,
					.scaled = (double)counted->count * factor_of(counted)};

	row->enabled_ns += counted->enabled_ns;
	row->left_out_ns += left_out(&adding->process->threads[position], counted->enabled_ns);
	row->running_ns += counted->running_ns < counted->enabled_ns ? counted->running_ns
								     : counted->enabled_ns;
	if (counted->enabled_ns && !counted->running_ns) {
		row->silent += lives_of(&adding->process->threads[position]);
		return;
	}
	row->threads += lives_of(&adding->process->threads[position]);
	adding->rests[event].is_counted = true;
	adding->rests[event].counted += sum.count;
	adding->rests[event].counted_scaled += sum.scaled;
	add_whole(adding, position, event, &sum);
	close_thread(adding, position, event, &sum);
}

static void add_thread(struct adding *adding, size_t position)
{
	const struct thread_time *time = &adding->process->threads[position];
	uint64_t cpu_ns = thread_time_cpu(time);
	const struct counter_sum cpu = {.count = cpu_ns, .scaled = (double)cpu_ns};

	add_whole(adding, position, COUNTER_CPU, &cpu);
	for (size_t i = 1; i < adding->profile->events.count; i++) {
		size_t event = adding->event_of[i];

		if (!event)
			continue;
		if (adding->counted[i].is_there)
			add_counted(adding, position, event, &adding->counted[i]);
		else if (cpu_ns)
			adding->to->events[event].row.unasked += lives_of(time);
	}
}

/* ---- samples */

static void tell(const struct adding *adding, size_t event,
		 const struct profile_event_sample *sample, const struct counter_sum *sum)
{
	const struct counters_listener *listener = adding->listener;

	if (listener)
		listener->hear(listener->data, adding->to->events[event].row.name, sample, sum);
}

/* A sample of an event, or of CPU time, where it was taken. */
struct taken {
	size_t event;
	struct counter_sum sum;
	uint64_t level;
	const struct frame *frames; /* innermost first */
	size_t frame_count;
};

static void add_parts(struct counter_sums *to, const struct taken *taken)
{
	counter_sum_add(&to->part[COUNTER_SELF], &taken->sum);
	if (taken->level == 1)
		counter_sum_add(&to->part[COUNTER_ALONE], &taken->sum);
	else if (taken->level > 1)
		counter_sum_add(&to->part[COUNTER_COMPANY], &taken->sum);
}

/* Once for each sample, however often the place occurs in it. */
static void add_total(struct adding *adding, const struct taken *taken, size_t routine, size_t line)
{
	struct counter_place *place =
		counter_table_place(adding->to->table, COUNTER_ROUTINE, routine, line);

	if (place->seen_in == adding->to->sample)
		return;
	place->seen_in = adding->to->sample;
	counter_sum_add(&counter_place_sums(place, taken->event)->part[COUNTER_TOTAL], &taken->sum);
}

static void add_taken(struct adding *adding, const struct taken *taken)
{
	const struct frame *inner = taken->frames;

	adding->to->sample++;
	add_parts(sums_at(adding, COUNTER_ROUTINE, inner->routine, COUNTER_WHOLE, taken->event),
		  taken);
	add_parts(sums_at(adding, COUNTER_ROUTINE, inner->routine, inner->line, taken->event),
		  taken);
	add_parts(sums_at(adding, COUNTER_LEVEL, taken->level < 255 ? taken->level : 255, 0,
			  taken->event),
		  taken);
	for (size_t i = 0; i < taken->frame_count; i++) {
		add_total(adding, taken, taken->frames[i].routine, COUNTER_WHOLE);
		add_total(adding, taken, taken->frames[i].routine, taken->frames[i].line);
	}
}

static void add_at(struct adding *adding, size_t callpath, struct taken *taken)
{
	struct call_stack *stack = &adding->to->stack;
	const struct frame other = {.routine = names_special(adding->to->names, "[other]")};

	call_stack_read(stack, adding->to->names, adding->profile, callpath);
	taken->frames = stack->count ? stack->frames : &other;
	taken->frame_count = stack->count ? stack->count : 1;
	add_taken(adding, taken);
}

static void add_sample(struct adding *adding, const struct profile_event_sample *sample)
{
	size_t event = adding->event_of[sample->event];
	const struct counted *counted = &adding->counted[sample->event];
	struct taken taken = {.event = event, .level = sample->level};

	if (!event)
		return;
	taken.sum = (struct counter_sum){.count = sample->count,
					 .scaled = (double)sample->count * factor_of(counted),
					 .samples = sample->samples};
	adding->rests[event].sampled += sample->count;
	adding->rests[event].sampled_scaled += taken.sum.scaled;
	add_parts(sums_at(adding, COUNTER_CAUSE, sample->cause, 0, event), &taken);
	add_at(adding, sample->callpath, &taken);
	tell(adding, event, sample, &taken.sum);
}

/* ---- what no sample has */

static void add_unsampled(struct adding *adding, size_t event, const struct counter_sum *sum)
{
	const struct frame unsampled = {.routine = names_special(adding->to->names, "[unsampled]")};
	const struct taken taken = {
		.event = event, .sum = *sum, .frames = &unsampled, .frame_count = 1};

	if (!sum->count && !(sum->scaled > 0))
		return;
	add_taken(adding, &taken);
	if (event == COUNTER_CPU)
		return;
	counter_sum_add(
		&sums_at(adding, COUNTER_CAUSE, COUNTER_WHOLE, 0, event)->part[COUNTER_SELF], sum);
	tell(adding, event, NULL, sum);
}

static void add_rests(struct adding *adding)
{
	for (size_t event = 1; event < adding->to->event_limit; event++) {
		const struct rest *rest = &adding->rests[event];
		double scaled = rest->counted_scaled - rest->sampled_scaled;
		struct counter_sum sum = {.scaled = scaled > 0 ? scaled : 0};

		if (rest->counted >= rest->sampled)
			sum.count = rest->counted - rest->sampled;
		else if (adding->process->life.is_complete)
			adding->to->events[event].row.excess += rest->sampled - rest->counted;
		add_unsampled(adding, event, &sum);
	}
}

/* ---- the profile */

static void add_cpu_samples(struct adding *adding)
{
	const struct profile *profile = adding->profile;
	uint64_t rest_ns = sample_unclaimed_ns(profile);
	const struct counter_sum rest = {.count = rest_ns, .scaled = (double)rest_ns};

	for (size_t i = 0; i < profile->samples.count; i++) {
		const struct profile_sample *sample = &profile->samples.rows[i];
		struct taken taken = {
			.event = COUNTER_CPU,
			.sum = {sample->cpu_ns, (double)sample->cpu_ns, sample->count},
			.level = sample->level,
		};

		add_at(adding, sample->callpath, &taken);
	}
	add_unsampled(adding, COUNTER_CPU, &rest);
}

/* Rows of event_counts and event_samples are in the order of their threads. */
static void add_threads(struct adding *adding)
{
	const struct profile *profile = adding->profile;
	size_t count = 0, sample = 0, position = 0;

	for (size_t thread = 0; thread < profile->threads.count; thread++) {
		memset(adding->counted, 0, profile->events.count * sizeof *adding->counted);
		for (; count < profile->event_counts.count &&
		       profile->event_counts.rows[count].thread == thread;
		     count++) {
			const struct profile_event_count *row = &profile->event_counts.rows[count];
			struct counted *to = &adding->counted[row->event];

			*to = (struct counted){row->count, row->enabled_ns, row->running_ns, true};
		}
		for (; sample < profile->event_samples.count &&
		       profile->event_samples.rows[sample].thread == thread;
		     sample++)
			add_sample(adding, &profile->event_samples.rows[sample]);
		if (thread && profile->threads.rows[thread].tid &&
		    position < adding->process->thread_count)
			add_thread(adding, position++);
	}
}

void counters_accumulator_add(struct counters_accumulator *accumulator,
			      const struct profile *profile, const struct process *process,
			      bool keeps_threads, const struct counters_listener *listener)
{
	struct adding adding = {.to = accumulator,
				.profile = profile,
				.process = process,
				.keeps_threads = keeps_threads,
				.listener = listener};
	const struct spread_unit at = {.process = process->index};

	if (profile->events.count < 2) /* index 0 is none */
		return;
	adding.event_of = memory_allocate(profile->events.count, sizeof *adding.event_of);
	adding.counted = memory_allocate(profile->events.count, sizeof *adding.counted);
	define(&adding);
	adding.rests = memory_allocate(accumulator->event_limit, sizeof *adding.rests);
	add_threads(&adding);
	add_cpu_samples(&adding);
	add_rests(&adding);
	for (size_t event = 1; event < accumulator->event_limit; event++)
		if (adding.rests[event].is_counted)
			distribution_close(&accumulator->events[event].by[BY_PROCESS], &at);
	free(adding.event_of);
	free(adding.counted);
	free(adding.rests);
}

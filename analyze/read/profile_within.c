/* SPDX-License-Identifier: MIT */
#include "analyze/read/profile_within.h"

#include "analyze/base/memory.h"

#include <stdlib.h>
#include <string.h>

/* ---- which sections */

/* The name, or the end of "outer/inner" whose beginning is that of the one around it. */
static bool has_name(const struct profile_section *rows, size_t index, const char *name,
		     size_t length)
{
	const struct profile_section *row = &rows[index];
	size_t own = strlen(row->name);

	if (!row->kind || row->kind == SECTION_MARK || own > length ||
	    strncmp(row->name, name + length - own, own) != 0)
		return false;
	if (own == length)
		return true;
	return own + 1 < length && name[length - own - 1] == '/' && row->parent &&
	       has_name(rows, row->parent, name, length - own - 1);
}

bool *profile_within_find(const struct profile *profile, const char *name)
{
	bool *inside = memory_allocate(profile->sections.count + 1, sizeof *inside);
	bool has_any = false;

	for (size_t i = 1; i < profile->sections.count; i++) {
		inside[i] = inside[profile->sections.rows[i].parent] ||
			    has_name(profile->sections.rows, i, name, strlen(name));
		has_any |= inside[i];
	}
	if (has_any)
		return inside;
	free(inside);
	return NULL;
}

bool profile_within_has_marks(const char *table)
{
	static const char *const tables[] = {"samples", "waits", "mpi_calls", "event_samples"};

	for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
		if (!strcmp(tables[i], table))
			return true;
	return false;
}

/* ---- how long */

/* Of the outermost ones inside; of equal names within each other once. */
static uint64_t elapsed_of(const struct profile *profile, const bool *inside, uint64_t kind)
{
	static const enum concurrency_kind kinds[] = {CONCURRENCY_ON_PROCESSOR,
						      CONCURRENCY_UNSEEN_ON_PROCESSOR};
	uint64_t sum = 0;

	for (size_t i = 0; i < profile->section_levels.count; i++) {
		const struct profile_section_level *row = &profile->section_levels.rows[i];
		const struct profile_section *section = &profile->sections.rows[row->section];

		if (row->section && inside[row->section] && !inside[section->parent] &&
		    (!kind || section->kind == kind) &&
		    (row->kind == kinds[0] || row->kind == kinds[1]))
			sum += row->time_ns;
	}
	return sum;
}

static uint64_t less(uint64_t a, uint64_t b)
{
	return a > b ? a - b : 0;
}

/* Of a thread. */
struct account {
	uint64_t life_ns, cpu_ns;
};

static void add_sections(const struct profile *profile, const bool *inside,
			 struct account *accounts)
{
	for (size_t i = 0; i < profile->section_times.count; i++) {
		const struct profile_section_times *row = &profile->section_times.rows[i];
		const struct profile_thread *thread = &profile->threads.rows[row->thread];

		if (!inside[row->section])
			continue;
		accounts[row->thread].life_ns += row->own_ns;
		if (row->since_ns)
			accounts[row->thread].life_ns += less(thread->updated_ns, row->since_ns);
		accounts[row->thread].cpu_ns += row->own_cpu_ns;
	}
}

/* Those that used CPU time in it, as their samples say. */
static void add_phases(const struct profile *profile, const bool *inside, struct account *accounts)
{
	uint64_t elapsed_ns = elapsed_of(profile, inside, SECTION_PHASE);

	if (!elapsed_ns)
		return;
	for (size_t i = 0; i < profile->samples.count; i++)
		accounts[profile->samples.rows[i].thread].cpu_ns += profile->samples.rows[i].cpu_ns;
	for (size_t i = 1; i < profile->threads.count; i++) {
		const struct profile_thread *thread = &profile->threads.rows[i];
		uint64_t life_ns = less(thread->updated_ns, thread->birth_ns);

		if (accounts[i].cpu_ns)
			accounts[i].life_ns = life_ns < elapsed_ns ? life_ns : elapsed_ns;
	}
}

/* ---- what is left */

/* A thread that was not in it is none. */
static void restrict_thread(struct profile_thread *thread, const struct account *account)
{
	const struct profile_thread old = *thread;

	*thread = (struct profile_thread){.thread = old.thread, .name = ""};
	if (!account->life_ns && !account->cpu_ns)
		return;
	thread->tid = old.tid;
	thread->lives = 1;
	thread->name = old.name;
	thread->start = old.start;
	thread->flags = old.flags & ~(uint64_t)THREAD_ALIVE;
	thread->updated_ns = old.updated_ns;
	thread->birth_ns = less(old.updated_ns, account->life_ns);
	thread->user_ns = account->cpu_ns;
}

static void restrict_threads(struct profile *profile, const bool *inside)
{
	struct account *accounts = memory_allocate(profile->threads.count + 1, sizeof *accounts);

	if (inside) {
		add_sections(profile, inside, accounts);
		add_phases(profile, inside, accounts);
	}
	for (size_t i = 1; i < profile->threads.count; i++)
		restrict_thread(&profile->threads.rows[i], &accounts[i]);
	free(accounts);
}

static void restrict_process(struct profile *profile, uint64_t elapsed_ns)
{
	struct format_header *header = &profile->header;
	struct profile_process *process = &profile->process;

	if (header->state == FORMAT_STATE_RUNNING)
		header->state = FORMAT_STATE_SAVED;
	header->end_ns = header->start_ns + process->start_wait_ns + elapsed_ns;
	header->heartbeat_ns = header->end_ns;
	process->switches_ns = process->switches_lost = process->accounted_ns = 0;
	process->cpu_clock_ns = process->io_is_counted = 0;
	if (process->threads_started > 1) /* of one, T_i would follow from its CPU time */
		process->threads_started = 2;
}

static void drop_what_has_no_mark(struct profile *profile)
{
	profile->concurrency.count = profile->tallies.count = profile->blame.count = 0;
	profile->timeline.count = profile->mpi_peers.count = profile->mpi_collectives.count = 0;
	profile->omp_process.count = profile->omp_executions.count = 0;
	profile->omp_work.count = profile->omp_constructs.count = profile->omp_tasks.count = 0;
	profile->omp_threads.count = profile->event_counts.count = profile->calls.count = 0;
	profile->io_calls.count = profile->requests.count = profile->metrics.count = 0;
}

void profile_within_restrict(struct profile *profile, const bool *inside)
{
	uint64_t elapsed_ns = inside ? elapsed_of(profile, inside, SECTION_NONE) : 0;

	restrict_threads(profile, inside);
	restrict_process(profile, elapsed_ns);
	drop_what_has_no_mark(profile);
}

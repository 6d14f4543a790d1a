/* SPDX-License-Identifier: MIT */
#include "analyze/findings/where/finding_atomic.h"

#include "analyze/base/memory.h"
#include "analyze/findings/where/finding_helpers.h"
#include "analyze/findings/where/finding_stake.h"
#include "analyze/model/common/finding_limits.h"
#include "analyze/model/run/run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Without ARMv8.1 compilers call routines of this name, in the program itself. */
#define OUTLINED "__aarch64_"

static double in_company(const struct finding_company *company, double cpu_ns, double company_ns)
{
	return company_ns + company->ready_share * fmax(0, cpu_ns - company_ns);
}

/* The threads of a team run the same code, below different callers. */
static void add_thread(struct finding_atomic *atomic, const struct path_atomic *node)
{
	struct finding_atomic_thread *found = NULL;

	for (size_t i = 0; i < atomic->thread_count; i++) {
		struct finding_atomic_thread *other = &atomic->threads[i];

		if (other->thread == node->most_thread)
			found = other;
		else if (other->process == node->process)
			atomic->is_shared = true;
	}
	if (!found) {
		atomic->threads = memory_grow(atomic->threads, atomic->thread_count,
					      &atomic->thread_capacity, sizeof *atomic->threads);
		found = &atomic->threads[atomic->thread_count++];
		*found = (struct finding_atomic_thread){node->most_thread, node->process, 0};
	}
	found->cpu_ns += (double)node->most_ns;
}

void finding_atomic_add(struct finding_atomic *atomic, const struct run *run,
			const struct finding_company *company, const struct path_node *node,
			size_t user)
{
	double cpu_ns = (double)node->atomic.cpu_ns;
	double ns = in_company(company, cpu_ns, (double)node->atomic.company_ns);

	if (!node->atomic.samples)
		return;
	atomic->ns += ns;
	atomic->cpu_ns += cpu_ns;
	atomic->samples += (double)node->atomic.samples;
	atomic->is_shared |= node->atomic.is_shared;
	add_thread(atomic, &node->atomic);
	finding_callers_add(&atomic->users, run->paths.nodes, user, ns);
}

void finding_atomic_clear(struct finding_atomic *atomic)
{
	finding_callers_clear(&atomic->users);
	free(atomic->threads);
	*atomic = (struct finding_atomic){0};
}

bool finding_atomic_is_shared(const struct finding_atomic *atomic)
{
	double most_ns = 0;

	for (size_t i = 0; i < atomic->thread_count; i++)
		most_ns = fmax(most_ns, atomic->threads[i].cpu_ns);
	return atomic->is_shared && atomic->samples >= finding_limits.call_samples &&
	       most_ns < finding_limits.one_thread * atomic->cpu_ns;
}

/* Another thread may be ready only if more than one wants to run, on average; the ready time of a
 * thread that is the only one is its own. */
static double ready_share(const struct run *run, double cpu_ns, double alone_ns)
{
	double ready_ns = 0;

	for (size_t i = 0; i < run->process_count; i++)
		ready_ns += finding_working_ns(&run->processes[i], finding_ready_ns, 0);
	double others = (cpu_ns + ready_ns) / (double)run->elapsed_ns - 1;

	return alone_ns > 0 && others > 0 ? fmin(1, fmin(others, ready_ns / alone_ns)) : 0;
}

struct finding_company finding_company_of(const struct run *run)
{
	struct finding_company company = {0};
	double cpu_ns = 0;

	for (size_t i = 1; i < run->paths.count; i++) {
		const struct path_figures *self = &run->paths.nodes[i].self;

		cpu_ns += (double)self->cpu_ns;
		if (self->cpu_ns > self->alone_ns)
			company.ns += (double)(self->cpu_ns - self->alone_ns);
	}
	company.ready_share = ready_share(run, cpu_ns, cpu_ns - company.ns);
	company.ns = in_company(&company, cpu_ns, company.ns);
	return company;
}

double finding_company_severity(const struct run *run, const struct finding_company *company,
				struct finding *finding, const struct finding_loss *loss)
{
	finding->elapsed_percent = finding_stake(run, finding, loss);
	if (company->ns < finding_limits.part * (double)run->cpu_ns)
		return 0;
	return fmax(finding->elapsed_percent, fmin(100, 100 * loss->work_ns / company->ns));
}

size_t finding_atomic_user(const struct run *run, size_t node)
{
	for (; node; node = run->paths.nodes[node].parent) {
		const struct routine *routine =
			names_routine(run->names, run->paths.nodes[node].routine);

		if (*routine->module && !routine->is_runtime &&
		    strncmp(routine->name, OUTLINED, strlen(OUTLINED)) != 0)
			break;
	}
	return node;
}

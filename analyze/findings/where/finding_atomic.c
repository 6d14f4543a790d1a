/* SPDX-License-Identifier: MIT */
#include "analyze/findings/where/finding_atomic.h"

#include "analyze/findings/where/finding_helpers.h"
#include "analyze/findings/where/finding_stake.h"
#include "analyze/model/common/finding_limits.h"
#include "analyze/model/run/run.h"

#include <math.h>
#include <string.h>

/* Without ARMv8.1 compilers call routines of this name, in the program itself. */
#define OUTLINED "__aarch64_"

static double in_company(const struct finding_company *company, double cpu_ns, double company_ns)
{
	return company_ns + company->ready_share * fmax(0, cpu_ns - company_ns);
}

/* Other processes may be ready, but share nothing. */
void finding_atomic_add(struct finding_atomic *atomic, const struct run *run,
			const struct finding_company *company, const struct path_node *node,
			size_t user)
{
	double cpu_ns = (double)node->atomic.cpu_ns;
	double ns = in_company(company, cpu_ns, (double)node->atomic.company_ns);

	if (!node->atomic.is_shared)
		return;
	atomic->ns += ns;
	atomic->cpu_ns += cpu_ns;
	atomic->samples += (double)node->atomic.samples;
	atomic->most_ns += (double)node->atomic.most_ns;
	finding_callers_add(&atomic->users, run->paths.nodes, user, ns);
}

bool finding_atomic_is_shared(const struct finding_atomic *atomic)
{
	return atomic->samples >= finding_limits.call_samples &&
	       atomic->most_ns < finding_limits.one_thread * atomic->cpu_ns;
}

struct finding_company finding_company_of(const struct run *run)
{
	struct finding_company company = {0};
	double cpu_ns = 0, ready_ns = 0;

	for (size_t i = 1; i < run->paths.count; i++) {
		const struct path_figures *self = &run->paths.nodes[i].self;

		cpu_ns += (double)self->cpu_ns;
		if (self->cpu_ns > self->alone_ns)
			company.ns += (double)(self->cpu_ns - self->alone_ns);
	}
	for (size_t i = 0; i < run->process_count; i++)
		ready_ns += finding_working_ns(&run->processes[i], finding_ready_ns, 0);
	if (cpu_ns > company.ns)
		company.ready_share = fmin(1, ready_ns / (cpu_ns - company.ns));
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

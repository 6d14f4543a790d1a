/* SPDX-License-Identifier: MIT */
#include "analyze/findings/where/finding_callers.h"

#include "analyze/base/memory.h"
#include "analyze/findings/where/finding_where.h"
#include "analyze/model/run/run.h"

#include <stdlib.h>

void finding_callers_add(struct finding_callers *callers, const struct path_node *nodes,
			 size_t node, double cpu_ns)
{
	callers->cpu_ns += cpu_ns;
	for (size_t i = 0; i < callers->count; i++) {
		const struct path_node *other = &nodes[callers->rows[i].node];

		if (other->routine != nodes[node].routine || other->line != nodes[node].line)
			continue;
		callers->rows[i].cpu_ns += cpu_ns;
		return;
	}
	callers->rows = memory_grow(callers->rows, callers->count, &callers->capacity,
				    sizeof *callers->rows);
	callers->rows[callers->count++] = (struct finding_caller){node, cpu_ns};
}

const struct finding_caller *finding_callers_most(const struct finding_callers *callers)
{
	const struct finding_caller *most = callers->count ? callers->rows : NULL;

	for (size_t i = 1; i < callers->count; i++)
		if (callers->rows[i].cpu_ns > most->cpu_ns)
			most = &callers->rows[i];
	return most;
}

char *finding_callers_place(const struct finding_callers *callers, const struct run *run)
{
	const struct path_node *node = &run->paths.nodes[finding_callers_most(callers)->node];

	return names_place_text(run->names, node->routine, node->line);
}

void finding_callers_tell(const struct finding_callers *callers, const struct run *run,
			  struct finding *finding)
{
	const struct finding_caller *most = finding_callers_most(callers);

	if (!most)
		return;
	const struct path_node *node = &run->paths.nodes[most->node];

	finding_add_routine(finding, run, node->routine, node->line, most->cpu_ns, callers->cpu_ns,
			    callers->count);
}

void finding_callers_clear(struct finding_callers *callers)
{
	free(callers->rows);
	*callers = (struct finding_callers){0};
}

/* SPDX-License-Identifier: MIT */
#include "analyze/report/report_facts.h"

#include "analyze/base/memory.h"

#include <stdlib.h>

void report_facts_add(struct report_facts *facts, const char *name, char *text)
{
	if (text && facts->count < REPORT_FACTS_MAX)
		facts->rows[facts->count++] = (struct report_fact){name, text};
	else
		free(text);
}

void report_facts_print(const struct report *report, const struct report_facts *facts, int columns)
{
	for (size_t i = 0; i < facts->count; i++) {
		char *first = memory_print("  %-*s ", columns, facts->rows[i].name);

		report_print_wrapped(report, first, facts->rows[i].text);
		free(first);
	}
}

void report_facts_clear(struct report_facts *facts)
{
	for (size_t i = 0; i < facts->count; i++)
		free(facts->rows[i].text);
	facts->count = 0;
}

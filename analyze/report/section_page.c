/* SPDX-License-Identifier: MIT */
#include "analyze/report/section_page.h"

#include <stddef.h>
#include <string.h>

/* A test looks for a heading with the name of each section on its page. */
static const struct {
	const char *section, *page;
} pages[] = {
	{"overview", "docs/report/overview.md"},
	{"about", "docs/report/overview.md"},
	{"concurrency", "docs/report/concurrency.md"},
	{"sections", "docs/report/sections.md"},
	{"threads", "docs/report/threads.md"},
	{"synchronization", "docs/report/synchronization.md"},
	{"waits", "docs/report/synchronization.md"},
	{"io", "docs/report/io.md"},
	{"requests", "docs/report/io.md"},
	{"pipelines", "docs/report/io.md"},
	{"connections", "docs/report/io.md"},
	{"routines", "docs/report/routines.md"},
	{"tree", "docs/report/tree.md"},
	{"wait_tree", "docs/report/tree.md"},
	{"calls", "docs/report/tree.md"},
	{"lines", "docs/report/lines.md"},
	{"source", "docs/report/lines.md"},
	{"counters", "docs/report/counters.md"},
	{"openmp", "docs/report/openmp.md"},
	{"mpi", "docs/report/mpi.md"},
	{"mpi_calls", "docs/report/mpi.md"},
	{"mpi_sites", "docs/report/mpi.md"},
	{"mpi_sizes", "docs/report/mpi.md"},
	{"ranks", "docs/report/mpi.md"},
	{"collectives", "docs/report/mpi.md"},
	{"peers", "docs/report/mpi.md"},
	{"stuck", "docs/stuck.md"},
	{"programs", "docs/report/processes.md"},
	{"processes", "docs/report/processes.md"},
	{"findings", "docs/report/findings.md"},
	{"notes", "docs/report/findings.md"},
};

const char *section_page(const char *section)
{
	for (size_t i = 0; i < sizeof(pages) / sizeof(*pages); i++)
		if (strcmp(pages[i].section, section) == 0)
			return pages[i].page;
	return "";
}

/* SPDX-License-Identifier: MIT */
/* What a section says in words: lines with a name and a sentence, the same for text and pages. */
#pragma once

#include "analyze/report/report.h"

#define REPORT_FACTS_MAX 12

struct report_fact {
	const char *name;
	char *text;
};

struct report_facts {
	struct report_fact rows[REPORT_FACTS_MAX];
	size_t count;
};

/* Takes ownership of the text; a NULL text adds no fact. */
void report_facts_add(struct report_facts *facts, const char *name, char *text);
/* Prints them as text, with names `columns` wide. */
void report_facts_print(const struct report *report, const struct report_facts *facts, int columns);
void report_facts_clear(struct report_facts *facts);

/* What is printed if a section has no facts. */
#define REPORT_NO_RANKS  "no process has come to MPI_Init"
#define REPORT_NO_OPENMP "no OpenMP runtime was seen"

struct report_facts report_overview_facts(const struct report *report);
struct report_facts report_mpi_facts(const struct report *report);
struct report_facts report_openmp_facts(const struct report *report);

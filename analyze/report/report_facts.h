/* SPDX-License-Identifier: MIT */
/* What a section says in words: lines of a name and a sentence, for text and pages alike. */
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

/* Takes the text over; a NULL text is no fact. */
void report_facts_add(struct report_facts *facts, const char *name, char *text);
/* As text, the names in `columns` places. */
void report_facts_print(const struct report *report, const struct report_facts *facts, int columns);
void report_facts_clear(struct report_facts *facts);

/* What is said where a section has no facts. */
#define REPORT_NO_RANKS  "no process has come to MPI_Init"
#define REPORT_NO_OPENMP "no OpenMP runtime was used"

struct report_facts report_overview_facts(const struct report *report);
struct report_facts report_mpi_facts(const struct report *report);
struct report_facts report_openmp_facts(const struct report *report);

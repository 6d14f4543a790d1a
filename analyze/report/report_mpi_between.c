/* SPDX-License-Identifier: MIT */
/* The job between MPI_Init and MPI_Finalize: its efficiency as one tree, also with threads, what
 * start and end of MPI took beside it, and which rank has more to do. */
#include "analyze/base/memory.h"
#include "analyze/findings/where/finding_balance.h"
#include "analyze/print/text_format.h"
#include "analyze/report/report.h"
#include "analyze/report/report_mpi.h"
#include "analyze/report/report_openmp.h"
#include "analyze/report/sections.h"

#include <stdlib.h>

static char *percent(const struct report *report, double fraction, enum grade grade)
{
	return text_graded(text_percent(100 * fraction), grade, report->is_utf8);
}

char *report_mpi_factors(const struct report *report, const struct mpi_efficiency *efficiency)
{
	char *balance = percent(report, efficiency->load_balance, efficiency->grade);
	char *communication = percent(report, efficiency->communication, efficiency->grade);
	char *text = memory_print("load balance %s x communication %s", balance, communication);

	free(balance);
	free(communication);
	return text;
}

char *report_mpi_share(const struct report *report, const struct mpi_share *share)
{
	return percent(report, share->fraction, share->grade);
}

/* "MPI 97 % (load balance 99 % x communication 98 %) x OpenMP 16 %" */
static char *hybrid_text(const struct report *report)
{
	const struct mpi_between *between = &report->run->mpi.between;
	const struct omp *omp = &report->run->omp;
	bool is_openmp = omp->is_used && report_openmp_has_teams(omp);
	enum grade grade = grade_worse(between->useful.grade, between->outside.grade);
	char *mpi = percent(report, between->outside.parallel, between->outside.grade);
	char *factors = report_mpi_factors(report, &between->outside);
	char *threads = percent(report, between->threads, grade);
	char *text = memory_print("MPI %s (%s) x %s %s", mpi, factors,
				  is_openmp ? "OpenMP" : "threads", threads);

	free(mpi);
	free(factors);
	free(threads);
	return text;
}

/* "85 % = load balance 84 % x communication 99 %" */
static char *tree_text(const struct report *report)
{
	const struct mpi_efficiency *useful = &report->run->mpi.between.useful;
	char *parallel = percent(report, useful->parallel, useful->grade);
	char *factors = mpi_between_is_hybrid(&report->run->mpi.between)
				? hybrid_text(report)
				: report_mpi_factors(report, useful);
	char *text = memory_print("%s = %s", parallel, factors);

	free(parallel);
	free(factors);
	return text;
}

static char *balance_text(const struct report *report)
{
	enum grade grade = mpi_balance_of(&report->run->mpi).grade;
	char *mark = text_graded(memory_copy_text(""), grade, report->is_utf8);
	char *text = finding_balance_text(&report->run->mpi, mark);

	free(mark);
	return text;
}

static char *between_text(const struct report *report)
{
	const struct mpi_between *between = &report->run->mpi.between;
	char *elapsed = text_seconds(between->useful.elapsed_ns);
	char *share = report_mpi_share(report, &between->share), *tree = tree_text(report);
	char *text = memory_print(
		"%s from MPI_Init to MPI_Finalize%s, %s of that in MPI calls; "
		"parallel %s",
		elapsed, report->run->mpi.jobs.count > 1 ? ", mean of the jobs" : "", share, tree);

	free(elapsed);
	free(share);
	free(tree);
	return text;
}

static char *ends_text(const struct report *report)
{
	const struct mpi_between *between = &report->run->mpi.between;
	char *init = text_seconds(between->init_ns), *finalize = text_seconds(between->finalize_ns);
	char *elsewhere = text_seconds(between->elsewhere_ns);
	char *text = memory_print("%s in MPI_Init, %s in MPI_Finalize, %s before and after them: "
				  "means of the ranks",
				  init, finalize, elsewhere);

	free(init);
	free(finalize);
	free(elsewhere);
	return text;
}

void report_mpi_add_between(struct report_facts *facts, const struct report *report)
{
	bool is_known = report->run->mpi.between.is_known;

	report_facts_add(facts, "between", is_known ? between_text(report) : NULL);
	report_facts_add(facts, "start, end", is_known ? ends_text(report) : NULL);
	report_facts_add(facts, "work", balance_text(report));
}

/* Of the overview: with MPI_Init and MPI_Finalize beside it. */
static char *summary_between(const struct report *report)
{
	const struct mpi_between *between = &report->run->mpi.between;
	char *tree = tree_text(report), *elapsed = text_seconds(between->useful.elapsed_ns);
	char *init = text_seconds(between->init_ns), *finalize = text_seconds(between->finalize_ns);
	char *share = report_mpi_share(report, &between->share);
	char *text = memory_print("parallel efficiency %s in the %s between MPI_Init (%s) and "
				  "MPI_Finalize (%s); %s of that in MPI calls",
				  tree, elapsed, init, finalize, share);

	free(tree);
	free(elapsed);
	free(init);
	free(finalize);
	free(share);
	return text;
}

static char *summary_whole(const struct report *report)
{
	const struct mpi *mpi = &report->run->mpi;
	char *parallel = percent(report, mpi->efficiency.parallel, mpi->efficiency.grade);
	char *factors = report_mpi_factors(report, &mpi->efficiency);
	char *share = report_mpi_share(report, &mpi->between.whole_share);
	char *text = memory_print("parallel efficiency %s = %s; %s of their time in MPI calls",
				  parallel, factors, share);

	free(parallel);
	free(factors);
	free(share);
	return text;
}

char *report_mpi_efficiency_summary(const struct report *report)
{
	char *efficiency =
		report->run->mpi.between.is_known ? summary_between(report) : summary_whole(report);
	char *balance = balance_text(report);
	char *text = balance ? memory_print("%s; %s", efficiency, balance)
			     : memory_copy_text(efficiency);

	free(efficiency);
	free(balance);
	return text;
}

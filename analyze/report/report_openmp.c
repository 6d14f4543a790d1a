/* SPDX-License-Identifier: MIT */
/* OpenMP as a whole: where the time of its threads went, and how well they were used. The regions
 * are in report_openmp_regions.c. */
#include "analyze/base/memory.h"
#include "analyze/print/json.h"
#include "analyze/print/text_format.h"
#include "analyze/report/report.h"
#include "analyze/report/report_openmp.h"
#include "analyze/report/row_fields.h"
#include "analyze/report/sections.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static char *percent_of(double fraction)
{
	return isfinite(fraction) ? text_percent(100 * fraction) : memory_copy_text("?");
}

const char *report_openmp_policy(const struct omp *omp)
{
	switch (omp->totals.wait_policy) {
	case OMP_WAIT_ACTIVE:
		return "active";
	case OMP_WAIT_PASSIVE:
		return "passive";
	default:
		return NULL;
	}
}

/* "libgomp.so.1 (by its entry points)", "LLVM OMP version: 5.0 (by OMPT)" */
static char *runtime_text(const struct omp *omp)
{
	const char *policy = report_openmp_policy(omp);
	const char *slash = strrchr(omp->totals.library, '/');
	const char *library = slash ? slash + 1 : omp->totals.library;
	bool has_libgomp = omp->totals.runtimes & 1u << OMP_LIBGOMP;
	bool has_ompt = omp->totals.runtimes & 1u << OMP_OMPT;

	return memory_print(
		"%s (by %s%s%s); teams of up to %llu; OMP_WAIT_POLICY %s",
		*library ? library : "unknown", has_libgomp || !has_ompt ? "its entry points" : "",
		has_libgomp && has_ompt ? ", another one by " : "", has_ompt ? "OMPT" : "",
		(unsigned long long)omp->totals.threads, policy ? policy : "not set");
}

static char *time_text(const struct omp *omp)
{
	char *serial = text_seconds(omp->totals.serial_ns);
	char *regions = text_seconds(omp->totals.region_ns);
	char *idle = text_seconds(omp->idle_ns);
	char *text = memory_print("%s serial, %s in regions; members were idle between regions for "
				  "%s together",
				  serial, regions, idle);

	free(serial);
	free(regions);
	free(idle);
	return text;
}

double report_openmp_ready_ns(const struct omp_totals *totals)
{
	return fmax(totals->wait_ns - totals->spin_ns - totals->blocked_ns, 0);
}

static char *waiting_text(const struct report *report)
{
	const struct omp_totals *totals = &report->run->omp.totals;
	char *wait = text_seconds(totals->wait_ns);
	char *spin = report_graded_seconds(report, totals->spin_ns, totals->blocked_grade);
	char *blocked = report_graded_seconds(report, totals->blocked_ns, totals->blocked_grade);
	char *ready = report_graded_seconds(report, report_openmp_ready_ns(totals),
					    totals->blocked_grade);
	char *text = memory_print("%s of all threads: %s spinning, %s blocked, %s ready for a "
				  "processor",
				  wait, spin, blocked, ready);

	free(ready);
	free(wait);
	free(spin);
	free(blocked);
	return text;
}

static char *factors_text(const struct omp_efficiency *efficiency)
{
	char *serialization = percent_of(efficiency->serialization);
	char *balance = percent_of(efficiency->load_balance);
	char *scheduling = percent_of(efficiency->scheduling);
	char *text = memory_print("serialization %s x load balance %s x scheduling %s",
				  serialization, balance, scheduling);

	free(serialization);
	free(balance);
	free(scheduling);
	return text;
}

static char *efficiency_text(const struct omp_efficiency *efficiency)
{
	char *parallel = percent_of(efficiency->parallel), *factors = factors_text(efficiency);
	char *text = memory_print("%s = %s", parallel, factors);

	free(parallel);
	free(factors);
	return text;
}

static char *hybrid_text(const struct omp_efficiency *efficiency)
{
	char *hybrid = percent_of(efficiency->hybrid_parallel);
	char *mpi = percent_of(efficiency->mpi_parallel);
	char *text = memory_print("%s of MPI and OpenMP together; useful and not in MPI: %s",
				  hybrid, mpi);

	free(hybrid);
	free(mpi);
	return text;
}

bool report_openmp_has_teams(const struct omp *omp)
{
	return omp->totals.threads > 1;
}

/* The job's efficiency has a factor for its threads already, of the time outside of MPI. */
static char *summary_efficiency(const struct report *report)
{
	const struct omp *omp = &report->run->omp;
	bool is_hybrid = mpi_between_is_hybrid(&report->run->mpi.between);
	char *efficiency =
		is_hybrid ? factors_text(&omp->efficiency) : efficiency_text(&omp->efficiency);
	char *text = is_hybrid ? memory_print("; %s, time in MPI included", efficiency)
			       : memory_print("; parallel efficiency %s", efficiency);

	free(efficiency);
	return text;
}

char *report_openmp_summary(const struct report *report)
{
	const struct omp *omp = &report->run->omp;
	char *efficiency =
		report_openmp_has_teams(omp) ? summary_efficiency(report) : memory_copy_text("");
	char *text = memory_print("%zu region%s, teams of up to %llu%s", omp->regions.count,
				  omp->regions.count == 1 ? "" : "s",
				  (unsigned long long)omp->totals.threads, efficiency);

	free(efficiency);
	return text;
}

struct report_facts report_openmp_facts(const struct report *report)
{
	const struct omp *omp = &report->run->omp;
	bool is_hybrid = isfinite(omp->efficiency.hybrid_parallel);
	struct report_facts facts = {0};

	if (!omp->is_used)
		return facts;
	report_facts_add(&facts, "runtime", runtime_text(omp));
	report_facts_add(&facts, "time", time_text(omp));
	report_facts_add(&facts, "waiting", waiting_text(report));
	if (!report_openmp_has_teams(omp))
		return facts;
	report_facts_add(&facts, "parallel", efficiency_text(&omp->efficiency));
	report_facts_add(&facts, "hybrid", is_hybrid ? hybrid_text(&omp->efficiency) : NULL);
	return facts;
}

void report_openmp_text(const struct report *report)
{
	struct report_facts facts = report_openmp_facts(report);

	if (!facts.count) {
		fprintf(report->out, "  %s\n", REPORT_NO_OPENMP);
		return;
	}
	report_facts_print(report, &facts, 12);
	report_facts_clear(&facts);
	report_openmp_regions_text(report);
}

/* ---- the key "openmp" of the JSON: all that the section shows, without a limit of rows */

static struct json_object *runtimes_json(const struct omp *omp)
{
	struct json_object *list = json_object_new_array();

	if (omp->totals.runtimes & 1u << OMP_LIBGOMP)
		json_object_array_add(list, json_text("libgomp"));
	if (omp->totals.runtimes & 1u << OMP_OMPT)
		json_object_array_add(list, json_text("OMPT"));
	return list;
}

/* Constructs and tasks outside of all regions. */
static struct json_object *outside_json(const struct report *report,
					const struct omp_region *outside)
{
	struct json_object *object = json_object_new_object();

	json_add(object, "constructs", report_openmp_constructs(report, outside));
	json_add(object, "tasks", report_openmp_tasks(report, outside));
	return object;
}

#define ROW      const struct omp_efficiency
#define ROW_NAME omp_efficiency
#include "analyze/report/define_fields.h"

#define ROW       const struct omp
#define ROW_NAME  openmp
#define ROW_SCOPE static
#include "analyze/report/define_fields.h"

struct json_object *report_openmp_json(const struct report *report)
{
	const struct omp *omp = &report->run->omp;

	return omp->is_used ? row_json(report, &openmp_fields, omp) : NULL;
}

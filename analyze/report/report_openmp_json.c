/* SPDX-License-Identifier: MIT */
/* The key "openmp" of the JSON: everything that the section shows, without a limit of rows. */
#include "analyze/print/json.h"
#include "analyze/report/report_openmp.h"
#include "analyze/report/row_fields.h"
#include "analyze/report/sections.h"

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

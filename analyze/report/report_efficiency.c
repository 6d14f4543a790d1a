/* SPDX-License-Identifier: MIT */
#include "analyze/report/report_efficiency.h"

#include "analyze/print/text_format.h"

static double cavg(const struct efficiency *it)
{
	return it->cavg;
}

static double ceff(const struct efficiency *it)
{
	return it->ceff_percent;
}

static double cu_1(const struct efficiency *it)
{
	return 100 * efficiency_utilization(it, 1);
}

static double executing_limit(const struct efficiency *it)
{
	return it->executing_limit;
}

static double executing_at_2n(const struct efficiency *it)
{
	return it->projections[0].executing;
}

static double executing_at_4n(const struct efficiency *it)
{
	return it->projections[1].executing;
}

static double average(const struct efficiency *it)
{
	return it->average;
}

static double used(const struct efficiency *it)
{
	return it->efficiency_percent;
}

static double sequential(const struct efficiency *it)
{
	return it->sequential_percent;
}

static double cautious_limit(const struct efficiency *it)
{
	return it->cautious_limit;
}

static double elapsed_at_2n(const struct efficiency *it)
{
	return it->projections[0].elapsed;
}

static double elapsed_at_4n(const struct efficiency *it)
{
	return it->projections[1].elapsed;
}

const struct report_efficiency_group report_efficiency_groups[REPORT_EFFICIENCY_GROUPS] = {
	{"while executing",
	 {{"CAVG", cavg, text_number},
	  {"CEFF", ceff, text_percent},
	  {"CU_1", cu_1, text_percent},
	  {"limit, times", executing_limit, text_number},
	  {"at 2n", executing_at_2n, text_number},
	  {"at 4n", executing_at_4n, text_number}}},
	{"of elapsed",
	 {{"average", average, text_number},
	  {"efficiency", used, text_percent},
	  {"sequential", sequential, text_percent},
	  {"limit, times", cautious_limit, text_number},
	  {"at 2n", elapsed_at_2n, text_number},
	  {"at 4n", elapsed_at_4n, text_number}}},
};

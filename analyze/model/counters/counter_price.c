/* SPDX-License-Identifier: MIT */
#include "analyze/model/counters/counter_price.h"

#include "analyze/model/counters/counter_roles.h"

#include <math.h>

static uint64_t samples_of(const struct counter_place *place, size_t event, enum counter_part part)
{
	return event ? counter_place_sum(place, event, part)->samples : 0;
}

/* The two rates are of different samples; a sample more or less changes the count of cycles of a
 * part by one part in their number. */
static double error_of(const struct counter_price *price, uint64_t alone, uint64_t company)
{
	double ratio = price->ipc_company / price->ipc_alone;

	if (!alone || !company)
		return NAN;
	return price->company_ns * ratio * sqrt(1 / (double)alone + 1 / (double)company);
}

struct counter_price counters_price(const struct counters *counters,
				    const struct counter_place *place)
{
	size_t cycles = counters_role(counters, COUNTER_CYCLES);
	uint64_t alone = samples_of(place, cycles, COUNTER_ALONE);
	uint64_t company = samples_of(place, cycles, COUNTER_COMPANY);
	struct counter_price price = {
		.ipc_alone = counters_ipc(counters, place, COUNTER_ALONE),
		.ipc_company = counters_ipc(counters, place, COUNTER_COMPANY),
		.samples = alone < company ? alone : company,
		.company_ns = counter_place_sum(place, COUNTER_CPU, COUNTER_COMPANY)->scaled,
	};

	price.ns = price.company_ns * (1 - price.ipc_company / price.ipc_alone);
	price.error_ns = error_of(&price, alone, company);
	if (price.ns < 0)
		price.ns = 0;
	if (!isfinite(price.ns)) /* one is unknown, or 0 */
		price.ns = price.error_ns = NAN;
	return price;
}

/* SPDX-License-Identifier: MIT */
#include "analyze/model/time/spread.h"

#include "analyze/base/number.h"

#include <math.h>

void distribution_close(struct distribution *distribution, const struct spread_unit *unit)
{
	struct spread_sums *spread = &distribution->spread;
	double time = (double)distribution->unit_ns, difference = time - spread->mean_ns;

	distribution->unit_ns = 0;
	spread->mean_ns = number_united_mean(spread->mean_ns, (double)spread->count, time, 1);
	spread->count++;
	spread->sum_squares += difference * (time - spread->mean_ns);
	if (spread->count == 1 || time < spread->min_ns) {
		spread->min_ns = time;
		spread->min_at = *unit;
	}
	if (spread->count == 1 || time > spread->max_ns) {
		spread->max_ns = time;
		spread->max_at = *unit;
	}
}

void distribution_unite(struct distribution *to, const struct distribution *from)
{
	struct spread_sums *spread = &to->spread;
	const struct spread_sums *added = &from->spread;
	double n = (double)spread->count, m = (double)added->count;
	double difference = added->mean_ns - spread->mean_ns;

	if (!added->count)
		return;
	if (!spread->count) {
		*to = *from;
		return;
	}
	spread->sum_squares += added->sum_squares + difference * difference * n * m / (n + m);
	spread->mean_ns = number_united_mean(spread->mean_ns, n, added->mean_ns, m);
	spread->count += added->count;
	if (added->min_ns < spread->min_ns ||
	    (added->min_ns == spread->min_ns && added->min_at.process < spread->min_at.process)) {
		spread->min_ns = added->min_ns;
		spread->min_at = added->min_at;
	}
	if (added->max_ns > spread->max_ns ||
	    (added->max_ns == spread->max_ns && added->max_at.process < spread->max_at.process)) {
		spread->max_ns = added->max_ns;
		spread->max_at = added->max_at;
	}
}

void distribution_unite_row(struct distribution to[WAYS], bool by_process, struct spread_sums row)
{
	if (by_process)
		row.max_at.name = row.min_at.name = NULL;
	distribution_unite(&to[by_process ? BY_PROCESS : BY_THREAD],
			   &(struct distribution){.spread = row});
}

struct spread distribution_spread(const struct distribution *distribution)
{
	const struct spread_sums *sums = &distribution->spread;

	return (struct spread){*sums, sqrt(sums->sum_squares / (double)sums->count)};
}

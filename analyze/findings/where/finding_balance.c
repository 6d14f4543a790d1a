/* SPDX-License-Identifier: MIT */
#include "analyze/findings/where/finding_balance.h"

#include "analyze/base/memory.h"
#include "analyze/base/quantity.h"

#include <stdlib.h>

#define TIMES_FROM    3    /* from here on "3.00 times as much" reads better than "200 % more" */
#define NOTHING_ABOVE 1000 /* times as much */

/* "48 % more than", "3.60 times as much as" */
static char *more_text(double times, const char *mark)
{
	return times < TIMES_FROM
		       ? memory_print("%s%s more than", mark,
				      quantity_percent(100 * (times - 1)).text)
		       : memory_print("%s%s times as much as", mark, quantity_number(times).text);
}

static char *least_text(const struct mpi_balance *balance, const char *mark)
{
	unsigned long long most = balance->most_rank, least = balance->least_rank;

	if (!(balance->times <= NOTHING_ABOVE))
		return memory_print("rank %llu computes, and rank %llu next to nothing", most,
				    least);
	char *more = more_text(balance->times, mark);
	char *text = memory_print("rank %llu computes %s rank %llu", most, more, least);

	free(more);
	return text;
}

char *finding_balance_text(const struct mpi *mpi, const char *mark)
{
	struct mpi_balance balance = mpi_balance_of(mpi);

	if (!balance.is_uneven)
		return NULL;
	char *least = least_text(&balance, mark);

	if (mpi->ranks.count < 3)
		return least;
	char *mean = more_text(balance.times_mean, mark);
	char *text = memory_print("%s, %s the ranks on average", least, mean);

	free(least);
	free(mean);
	return text;
}

/* SPDX-License-Identifier: MIT */
#include "analyze/top/top_rates.h"

#include "analyze/base/memory.h"
#include "analyze/base/quantity.h"

#include <math.h>

static double a_second(uint64_t count, uint64_t ns)
{
	return round(1e9 * (double)count / (double)ns);
}

char *top_rate(uint64_t count, uint64_t ns, bool is_known)
{
	if (!is_known || !ns)
		return memory_copy_text("n/a");
	return memory_copy_text(quantity_amount(a_second(count, ns), true).text);
}

char *top_rate_of_bytes(uint64_t bytes, uint64_t ns, bool is_known)
{
	if (!is_known || !ns)
		return memory_copy_text("n/a");
	return memory_copy_text(quantity_size((uint64_t)a_second(bytes, ns)).text);
}

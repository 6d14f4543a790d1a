/* SPDX-License-Identifier: MIT */
#include "analyze/report/report_carried.h"

#include "analyze/print/json.h"

static struct json_object *value_of(const struct carried_sum *sum, const void *row)
{
	if (!carried_is_time(sum))
		return json_count(carried_number(sum, row));
	return sum->is_real ? json_seconds_of(carried_real(sum, row))
			    : json_seconds(carried_number(sum, row));
}

void report_add_carried(struct json_object *object, const struct carried *carried, const void *row)
{
	for (size_t i = 0; i < carried->count; i++)
		if (!json_object_object_get_ex(object, carried->rows[i].shown, NULL))
			json_add(object, carried->rows[i].shown, value_of(&carried->rows[i], row));
}

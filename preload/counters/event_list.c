/* SPDX-License-Identifier: MIT */
#include "preload/counters/event_list.h"

#include "preload/base/pages.h"
#include "preload/base/text.h"
#include "preload/file/rows.h"

#include <string.h>

enum {
	TEXT_MOST = 16384, /* of a variable: ptrace-run makes it no longer than half of this */
	METRICS_MOST = 64,
	ROWS_PER_BLOCK = 32,
};

struct metric {
	const char *part[4]; /* name, unit, formula, steps */
};

static struct {
	struct event_wish events[EVENTS_MOST];
	uint32_t count;
	struct metric metrics[METRICS_MOST];
	uint32_t metric_count;
	struct row_array rows, metric_rows;
} list = {
	.rows = {.table = TABLE_events,
		 .row_bytes = sizeof(struct row_events),
		 .rows_per_block = ROWS_PER_BLOCK,
		 .limit = EVENTS_MOST + 1,
		 .next = 1},
	.metric_rows = {.table = TABLE_metrics,
			.row_bytes = sizeof(struct row_metrics),
			.rows_per_block = ROWS_PER_BLOCK,
			.limit = METRICS_MOST + 1,
			.next = 1},
};

/* ---- reading ---- */

/* A copy that lasts: programs write over their environment to change what `ps` shows. */
static char *copy(const char *text)
{
	size_t length = text ? strlen(text) : 0;
	char *bytes = length && length < TEXT_MOST ? pages_new(length + 1) : NULL;

	if (bytes)
		memcpy(bytes, text, length);
	return bytes;
}

/* What precedes the separator, which it replaces by a 0; *cursor moves behind it, or to NULL at the
 * end of the text. */
static char *cut(char **cursor, char separator)
{
	char *part = *cursor, *end = part ? strchr(part, separator) : NULL;

	if (end)
		*end++ = '\0';
	*cursor = end;
	return part;
}

static int digit_of(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : 16;
}

/* A whole word that is a number. */
static bool read_number(const char *word, unsigned base, uint64_t *number)
{
	*number = 0;
	if (!word || !*word || strlen(word) > 16)
		return false;
	for (; *word; word++) {
		unsigned digit = (unsigned)digit_of(*word);
		if (digit >= base)
			return false;
		*number = *number * base + digit;
	}
	return true;
}

static bool read_event(char *entry, struct event_wish *event)
{
	static const unsigned bases[] = {10, 16, 16, 16, 16, 16, 10};
	uint64_t numbers[sizeof bases / sizeof *bases];

	for (unsigned i = 0; i < sizeof bases / sizeof *bases; i++)
		if (!read_number(cut(&entry, ' '), bases[i], &numbers[i]))
			return false;
	*event = (struct event_wish){
		.group = (uint32_t)numbers[0],
		.type = (uint32_t)numbers[1],
		.config = numbers[2],
		.config1 = numbers[3],
		.config2 = numbers[4],
		.flags = (uint32_t)numbers[5],
		.period = numbers[6],
		.unit = cut(&entry, ' '),
		.name = entry,
	};
	return event->name && *event->name;
}

static bool read_metric(char *entry, struct metric *metric)
{
	for (int i = 0; i < 4; i++)
		metric->part[i] = cut(&entry, '|');
	return metric->part[0] && *metric->part[0] && metric->part[3] && !entry;
}

void event_list_read(const char *events, const char *metrics)
{
	char *entries = copy(events), *entry;

	list.count = list.metric_count = 0;
	while (list.count < EVENTS_MOST && (entry = cut(&entries, ';')))
		list.count += read_event(entry, &list.events[list.count]);
	entries = copy(metrics);
	while (list.metric_count < METRICS_MOST && (entry = cut(&entries, ';')))
		list.metric_count += read_metric(entry, &list.metrics[list.metric_count]);
}

uint32_t event_list_count(void)
{
	return list.count;
}

const struct event_wish *event_list_at(uint32_t index)
{
	return &list.events[index];
}

/* ---- rows ---- */

/* An event may be counted and sampled, or sampled twice: NAME@PERIOD, as it was asked for. */
static uint64_t name_of(const struct event_wish *event)
{
	char digits[24] = "@";
	struct text period = {digits, sizeof digits, 1};

	if (!event->period)
		return store_string(event->name);
	text_add_number(&period, event->period);
	return store_joined(event->name, digits);
}

static void write_event(struct event_wish *event)
{
	struct row_events *row = row_array_add(&list.rows, &event->number);

	if (!row) {
		event->number = 0;
		return;
	}
	row->unit = store_string(event->unit);
	row->config = event->config;
	row->period = event->period;
	row->type = event->type;
	row->group = (uint16_t)event->group;
	row->flags = (uint16_t)((event->flags & EVENT_WISH_NO_KERNEL ? EVENT_WITHOUT_KERNEL : 0) |
				(event->flags & EVENT_WISH_NO_USER ? EVENT_WITHOUT_USER : 0));
	__atomic_store_n(&row->name, name_of(event), __ATOMIC_RELEASE);
}

static void write_metric(const struct metric *metric)
{
	uint32_t number;
	struct row_metrics *row = row_array_add(&list.metric_rows, &number);

	if (!row)
		return;
	row->unit = store_string(metric->part[1]);
	row->formula = store_string(metric->part[2]);
	row->steps = store_string(metric->part[3]);
	__atomic_store_n(&row->name, store_string(metric->part[0]), __ATOMIC_RELEASE);
}

void event_list_write(void)
{
	row_array_reset(&list.rows);
	row_array_reset(&list.metric_rows);
	for (uint32_t i = 0; i < list.count; i++)
		write_event(&list.events[i]);
	for (uint32_t i = 0; i < list.metric_count; i++)
		write_metric(&list.metrics[i]);
}

struct row_events *event_list_row(uint32_t index)
{
	uint32_t number = list.events[index].number;

	return number ? row_array_row(&list.rows, number) : NULL;
}

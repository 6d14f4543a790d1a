/* SPDX-License-Identifier: MIT */
/* Which events share a group, on a processor with 4 counters, and on one with fixed ones besides.
 */
#include "scripts/run/event_groups.h"
#include "tests/unit/unit.h"

#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>

static struct event_groups groups;

static void begin(bool has_fixed, bool is_watched)
{
	memset(&groups, 0, sizeof groups);
	groups.budget = (struct counter_budget){4, has_fixed, is_watched};
}

static struct group_event event(uint32_t type, uint64_t config, uint64_t period)
{
	return (struct group_event){.code = {.type = type, .config = config}, .period = period};
}

/* A letter is an event: capitals of the processor itself, c cycles, i instructions, t task-clock,
 * s context-switches; @ after it: sampled. */
static int events_of(const char *letters, struct group_event *set)
{
	int count = 0;

	for (; *letters; letters++) {
		uint64_t period = letters[1] == '@' ? 1000 : 0;

		if (*letters == 'c')
			set[count] = event(PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, period);
		else if (*letters == 'i')
			set[count] = event(PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS, period);
		else if (*letters == 't')
			set[count] = event(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK, period);
		else if (*letters == 's')
			set[count] =
				event(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES, period);
		else
			set[count] = event(PERF_TYPE_RAW, (uint64_t)*letters << 8, period);
		snprintf(set[count++].name, EVENT_NAME_SIZE, "%c", *letters);
		letters += period != 0;
	}
	return count;
}

static void add(const char *letters)
{
	struct group_event set[40];
	int count = events_of(letters, set), index[40];

	ck_assert(event_groups_add(&groups, set, count, index));
	for (int i = 0; i < count; i++)
		ck_assert_str_eq(groups.events[index[i]].name, set[i].name);
}

static void add_each(const char *letters)
{
	for (char one[2] = ""; *letters; letters++) {
		one[0] = *letters;
		add(one);
	}
}

static void add_together(const char *letters)
{
	struct group_event set[40];

	ck_assert(event_groups_add_together(&groups, set, events_of(letters, set)));
}

/* "AB|c": the groups in their order */
static const char *result(void)
{
	static char text[100];
	int position[EVENTS_MAX], group = 1;
	size_t length = 0;

	event_groups_order(&groups, position);
	for (int place = 1; place <= groups.count; place++)
		for (int i = 0; i < groups.count; i++) {
			if (position[i] != place)
				continue;
			ck_assert_int_ge(groups.events[i].group, group);
			while (group < groups.events[i].group) {
				text[length++] = '|';
				group++;
			}
			text[length++] = groups.events[i].name[0];
		}
	text[length] = '\0';
	return text;
}

START_TEST(groups_hold_what_is_counted_at_once)
{
	begin(false, false);
	add_each("ABCDEFGHI");
	ck_assert_str_eq(result(), "ABCD|EFGH|I");
	begin(false, false);
	add_each("ciABC");
	ck_assert_str_eq(result(), "ciAB|C");
}
END_TEST

START_TEST(fixed_counters_are_free)
{
	begin(true, false);
	add_each("ciABCDE");
	ck_assert_str_eq(result(), "ciABCD|E");
	begin(true, true); /* the watchdog has that of cycles */
	add_each("ciABCDE");
	ck_assert_str_eq(result(), "ciABC|DE");
}
END_TEST

START_TEST(sets_stay_together)
{
	begin(false, false);
	add_each("ABC");
	add("DE");
	ck_assert_str_eq(result(), "ABC|DE");
	add("DEF"); /* two are there, the third fits */
	ck_assert_str_eq(result(), "ABC|DEF");
	add("GHIJKL"); /* too large for any group */
	ck_assert_str_eq(result(), "ABC|DEF|GHIJ|KL");
}
END_TEST

START_TEST(an_event_is_counted_once)
{
	begin(false, false);
	add_each("ABA");
	add_together("BAC");
	add_together("AB");
	ck_assert_str_eq(result(), "AB|C");
	add("A@");
	add("A@"); /* sampled is another thing than counted */
	ck_assert_str_eq(result(), "AB|C|A");
}
END_TEST

START_TEST(software_has_its_own_groups)
{
	begin(false, false);
	add_each("AtBsCDE");
	ck_assert_str_eq(result(), "ABCD|ts|E");
	begin(false, false);
	add("ABCDts");
	ck_assert_str_eq(result(), "ABCD|ts");
	begin(false, false);
	add_together("AtB"); /* as the user wants it */
	ck_assert_str_eq(result(), "AtB");
}
END_TEST

START_TEST(sampled_events_are_alone)
{
	begin(false, false);
	add_each("A");
	add("B@");
	add("t@");
	add_each("C");
	ck_assert_str_eq(result(), "AC|B|t");
}
END_TEST

START_TEST(limits)
{
	struct group_event set[40];
	char letters[EVENTS_MAX + 2];

	for (int i = 0; i <= EVENTS_MAX; i++)
		letters[i] = (char)('A' + i); /* to 'a' */
	letters[EVENTS_MAX + 1] = '\0';
	begin(false, false);
	ck_assert(!event_groups_add(&groups, set, events_of(letters, set), NULL));
	letters[EVENTS_MAX] = '\0';
	begin(false, false);
	ck_assert(event_groups_add(&groups, set, events_of("0123456789", set), NULL));
	begin(false, false);
	add_together("01234567");
	begin(false, false);
	ck_assert(!event_groups_add_together(&groups, set, events_of("012345678", set)));
}
END_TEST

UNIT_MAIN("event groups", groups_hold_what_is_counted_at_once, fixed_counters_are_free,
	  sets_stay_together, an_event_is_counted_once, software_has_its_own_groups,
	  sampled_events_are_alone, limits)

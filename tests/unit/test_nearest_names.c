/* SPDX-License-Identifier: MIT */
#include "common/nearest_names.h"
#include "tests/unit/unit.h"

#include <string.h>

START_TEST(distances)
{
	static const struct {
		const char *a, *b;
		int distance;
	} cases[] = {
		{"", "", 0},
		{"", "abc", 3},
		{"cycles", "cycles", 0},
		{"cycels", "cycles", 1}, /* an exchange */
		{"cycle", "cycles", 1},
		{"CYCLES", "cycles", 0},
		{"cache_misses", "cache-misses", 0},
		{"kitten", "sitting", 3},
		{"ca", "abc", 3}, /* an exchanged pair is not edited once more */
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		ck_assert_int_eq(nearest_distance(cases[i].a, cases[i].b), cases[i].distance);
		ck_assert_int_eq(nearest_distance(cases[i].b, cases[i].a), cases[i].distance);
	}
}
END_TEST

static void offer_all(struct nearest_names *names, const char *const *offered)
{
	for (; *offered; offered++)
		nearest_offer(names, *offered);
}

START_TEST(the_nearest_come_first)
{
	static const char *const offered[] = {
		"cache-refs",   "cache-miss-rd", "branch-misses", "cache-misses",
		"cache-misses", "dcache-misses", "ache-misses",   NULL};
	struct nearest_names names;
	char text[400];

	nearest_begin(&names, "cache-misse");
	offer_all(&names, offered);
	ck_assert(nearest_text(&names, text, sizeof text));
	ck_assert_str_eq(text, "cache-misses, dcache-misses or ache-misses");
	nearest_begin(&names, "ipd");
	nearest_offer(&names, "ipc");
	ck_assert(nearest_text(&names, text, sizeof text));
	ck_assert_str_eq(text, "ipc");
}
END_TEST

START_TEST(far_names_are_not_told)
{
	struct nearest_names names;
	char text[400], endless[1000];

	memset(endless, 'x', sizeof endless - 1);
	endless[sizeof endless - 1] = '\0';
	nearest_begin(&names, "nonsense");
	nearest_offer(&names, "cycles");
	nearest_offer(&names, endless);
	ck_assert(!nearest_text(&names, text, sizeof text));
	nearest_begin(&names, endless);
	nearest_offer(&names, "cycles");
	ck_assert(!nearest_text(&names, text, sizeof text));
}
END_TEST

UNIT_MAIN("nearest names", distances, the_nearest_come_first, far_names_are_not_told)

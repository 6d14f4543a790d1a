/* SPDX-License-Identifier: MIT */
/* Names of sockets, of which only one side has the port. */
#include "analyze/base/memory.h"
#include "analyze/diff/socket_keys.h"
#include "tests/unit/unit.h"

#include <stdlib.h>
#include <string.h>

#define RUNS 3

static struct side sides[2];

static void start(void)
{
	for (size_t side = 0; side < 2; side++) {
		sides[side] = (struct side){memory_allocate(RUNS, sizeof *sides->runs), RUNS};
		for (size_t i = 0; i < RUNS; i++)
			sides[side].runs[i].figures = figures_create();
	}
}

static void clear(void)
{
	side_clear(&sides[0]);
	side_clear(&sides[1]);
}

static void add(size_t side, size_t run, const char *key, double calls)
{
	figures_add(sides[side].runs[run].figures, &(struct figure){.section = SECTION_WAITS,
								    .key = key,
								    .metric = "calls",
								    .unit = UNIT_COUNT,
								    .shown = key,
								    .subject = key,
								    .value = calls});
}

/* In all runs of one side. */
static void add_to_side(size_t side, const char *key)
{
	for (size_t i = 0; i < RUNS; i++)
		add(side, i, key, 1);
}

/* The figure of that name has that many calls, in the first run of the side; 0: there is none. */
static void check(size_t side, const char *key, double calls)
{
	const struct figure *figure =
		figures_find(sides[side].runs[0].figures, SECTION_WAITS, key, "calls");

	ck_assert_msg((figure ? figure->value : 0) == calls, "%s: %g", key,
		      figure ? figure->value : 0);
	if (!figure)
		return;
	ck_assert_str_eq(figure->shown, key);
	ck_assert_str_eq(figure->subject, key);
}

START_TEST(port_of_one_side_is_left_out)
{
	static const char *const of_side[2][4] = {
		{"socket tcp 127.0.0.1:7812, accepted, read", "socket tcp [::1]:7812, read",
		 "[recv socket udp 127.0.0.1:7812] < main", "socket tcp 10.0.0.1:99, listening"},
		{"socket tcp 127.0.0.1:7813, accepted, read", "socket tcp [::1]:7813, read",
		 "[recv socket udp 127.0.0.1:7813] < main", "socket tcp 10.0.0.1:98, listening"}};
	static const char *const now[4] = {
		"socket tcp 127.0.0.1, accepted, read", "socket tcp [::1], read",
		"[recv socket udp 127.0.0.1] < main", "socket tcp 10.0.0.1, listening"};

	start();
	for (size_t side = 0; side < 2; side++)
		for (size_t i = 0; i < 4; i++)
			add_to_side(side, of_side[side][i]);
	socket_keys_match(sides);
	for (size_t side = 0; side < 2; side++)
		for (size_t i = 0; i < 4; i++) {
			check(side, now[i], 1);
			check(side, of_side[side][i], 0);
		}
	socket_keys_match(sides); /* once more changes nothing */
	check(0, now[0], 1);
	clear();
}
END_TEST

/* Of a server that has several, those that only one side has are one. */
START_TEST(port_of_both_sides_stays)
{
	start();
	for (size_t side = 0; side < 2; side++)
		add_to_side(side, "socket tcp 127.0.0.1:6379, write");
	add_to_side(0, "socket tcp 127.0.0.1:40001, write");
	add_to_side(0, "socket tcp 127.0.0.1:40002, write");
	add_to_side(1, "socket tcp 127.0.0.1:40003, write");
	socket_keys_match(sides);
	for (size_t side = 0; side < 2; side++) {
		check(side, "socket tcp 127.0.0.1:6379, write", 1);
		check(side, "socket tcp 127.0.0.1, write", side ? 1 : 2);
	}
	clear();
}
END_TEST

/* The kernel gave one run of A the port that it gave one of B. */
START_TEST(port_of_a_run_of_each_side_is_chance)
{
	start();
	for (size_t side = 0; side < 2; side++)
		for (size_t i = 0; i < RUNS; i++) {
			char *key = memory_print("socket tcp 127.0.0.1:%zu, accepted, read",
						 i ? 40000 + 10 * side + i : 50000);

			add(side, i, key, 1);
			free(key);
		}
	socket_keys_match(sides);
	check(0, "socket tcp 127.0.0.1, accepted, read", 1);
	check(1, "socket tcp 127.0.0.1, accepted, read", 1);
	clear();
}
END_TEST

/* What serves at another machine's port is told by the port; and these are no sockets. */
START_TEST(other_names_stay)
{
	static const char *const names[] = {
		"socket tcp 10.0.0.1:5432, read", "file /tmp/tcp 1, read",
		"file http 127.0.0.1:80, read",   "socket unix /run/a:1, accepted, read",
		"socket tcp , accepted, read",    "socket tcp 127.0.0.1:, accepted, read",
		"socket tcp [::1, read",          "tcp "};

	start();
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		add_to_side(0, names[i]);
	socket_keys_match(sides);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		check(0, names[i], 1);
	clear();
}
END_TEST

UNIT_MAIN("sockets", port_of_one_side_is_left_out, port_of_both_sides_stays,
	  port_of_a_run_of_each_side_is_chance, other_names_stay)

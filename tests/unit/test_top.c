/* SPDX-License-Identifier: MIT */
/* What the screen of ptrace-top chooses, draws and orders, without a terminal. */
#include "analyze/live/live_trail.h"
#include "analyze/top/top_cursor.h"
#include "analyze/top/top_keys.h"
#include "analyze/top/top_page.h"
#include "analyze/top/top_spark.h"
#include "analyze/top/top_tree.h"
#include "tests/unit/unit.h"

#include <stdlib.h>
#include <string.h>

#define SECOND UINT64_C(1000000000)

/* ---- the choice */

enum { ROWS = 40, PAGE = 7 };

static void shuffle(struct top_identity *rows, size_t count)
{
	for (size_t i = count; i > 1; i--) {
		size_t other = (size_t)random() % i;
		struct top_identity kept = rows[i - 1];

		rows[i - 1] = rows[other];
		rows[other] = kept;
	}
}

/* Whatever rows and keys do: the choice is the same, and it is on the page. */
START_TEST(a_choice_stays_and_is_seen)
{
	struct top_identity rows[ROWS];
	struct top_cursor cursor = {0};

	srandom(1);
	for (size_t i = 0; i < ROWS; i++)
		rows[i] = (struct top_identity){1 + i / 10, 100 + i};
	for (int i = 0; i < 5000; i++) {
		top_cursor_move(&cursor, (enum top_move)(random() % TOP_MOVES), rows, ROWS, PAGE);
		struct top_identity chosen = cursor.chosen;

		shuffle(rows, ROWS);
		top_cursor_settle(&cursor, rows, ROWS);
		top_cursor_scroll(&cursor, ROWS, PAGE);
		ck_assert_uint_eq(cursor.chosen.id, chosen.id);
		ck_assert_uint_eq(rows[cursor.at].id, chosen.id);
		ck_assert_uint_eq(rows[cursor.at].pid, chosen.pid);
		ck_assert(cursor.at >= cursor.first && cursor.at < cursor.first + PAGE);
		ck_assert_uint_le(cursor.first, ROWS - PAGE);
	}
}
END_TEST

START_TEST(keys_move_the_choice)
{
	static const struct {
		enum top_move move;
		size_t at;
	} steps[] = {{TOP_DOWN, 0},      {TOP_DOWN, 1},       {TOP_UP, 0},      {TOP_UP, 0},
		     {TOP_PAGE_DOWN, 6}, {TOP_PAGE_DOWN, 12}, {TOP_PAGE_UP, 6}, {TOP_END, 39},
		     {TOP_DOWN, 39},     {TOP_PAGE_DOWN, 39}, {TOP_HOME, 0},    {TOP_PAGE_UP, 0}};
	struct top_identity rows[ROWS] = {{0}};
	struct top_cursor cursor = {0};

	for (size_t i = 0; i < ROWS; i++)
		rows[i].id = i;
	for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
		top_cursor_move(&cursor, steps[i].move, rows, ROWS, PAGE);
		ck_assert_uint_eq(cursor.at, steps[i].at);
	}
	cursor = (struct top_cursor){0};
	top_cursor_move(&cursor, TOP_END, rows, ROWS, PAGE);
	ck_assert_uint_eq(cursor.at, ROWS - 1);
}
END_TEST

START_TEST(a_row_that_is_gone_leaves_its_place)
{
	struct top_identity rows[] = {{1, 1}, {1, 2}, {1, 3}};
	struct top_cursor cursor = {0};

	top_cursor_move(&cursor, TOP_END, rows, 3, PAGE);
	top_cursor_settle(&cursor, rows, 2);
	ck_assert_uint_eq(cursor.chosen.id, 2);
	rows[1].id = 9;
	top_cursor_settle(&cursor, rows, 3);
	ck_assert_uint_eq(cursor.chosen.id, 9);
	top_cursor_settle(&cursor, rows, 0);
	ck_assert(!cursor.is_set);
	top_cursor_move(&cursor, TOP_DOWN, rows, 0, PAGE);
	ck_assert(!cursor.is_set);
}
END_TEST

/* ---- the last minute */

START_TEST(a_spark_line_has_a_bar_for_each_share)
{
	const uint8_t cells[LIVE_CELLS] = {LIVE_CELL_UNKNOWN, 0, 1, 12, 13, 25, 50, 75, 88, 99, 100,
					   LIVE_CELL_UNKNOWN};
	const uint8_t unknown[LIVE_CELLS] = {[0 ... LIVE_CELLS - 1] = LIVE_CELL_UNKNOWN};
	char *text = top_spark(cells, LIVE_CELLS, true);

	ck_assert_str_eq(text, " ·▁▁▂▂▄▆███ ");
	free(text);
	text = top_spark(cells, LIVE_CELLS, false);
	ck_assert_str_eq(text, " .__--=*### ");
	free(text);
	/* the mean of two, and of one where the other is not known */
	text = top_spark(cells, LIVE_CELLS / 2, true);
	ck_assert_str_eq(text, "·▁▂▆██");
	free(text);
	text = top_spark(unknown, LIVE_CELLS, true);
	ck_assert_str_eq(text, "");
	free(text);
}
END_TEST

/* ---- the tree */

static struct live_process told(uint64_t pid, uint64_t parent, uint64_t start)
{
	return (struct live_process){
		.pid = pid, .parent_pid = parent, .start_ns = start * SECOND, .is_alive = true};
}

/* 10 starts 20 and 30; 20 becomes another program, which starts 40; the number 30 comes again, as a
 * child of 40. 50 has a parent that is not there. */
START_TEST(processes_stand_below_those_that_started_them)
{
	struct live_process processes[] = {told(50, 7, 6),  told(30, 40, 9), told(40, 20, 5),
					   told(20, 10, 4), told(30, 10, 3), told(20, 10, 2),
					   told(10, 1, 1)};
	static const struct {
		uint64_t pid, start;
		unsigned depth;
	} wanted[] = {{10, 1, 0}, {20, 2, 1}, {30, 3, 1}, {20, 4, 1},
		      {40, 5, 2}, {30, 9, 3}, {50, 6, 0}};
	const struct live_frame frame = {.processes = processes, .process_count = 7};
	const struct top_view view = {.width = 80};
	size_t count;
	struct top_branch *branches = top_tree_of(&view, &frame, &count);

	ck_assert_uint_eq(count, 7);
	for (size_t i = 0; i < count; i++) {
		ck_assert_uint_eq(branches[i].process->pid, wanted[i].pid);
		ck_assert_uint_eq(branches[i].process->start_ns, wanted[i].start * SECOND);
		ck_assert_uint_eq(branches[i].depth, wanted[i].depth);
	}
	free(branches);
}
END_TEST

/* A damaged file may say that a process is its own parent, or each of two the other's. Numbers of
 * another machine are other processes. */
START_TEST(a_tree_loses_no_process)
{
	struct live_process processes[] = {told(1, 1, 1), told(2, 3, 2), told(3, 2, 2),
					   told(4, 1, 5)};
	const struct live_frame frame = {.processes = processes, .process_count = 4};
	const struct top_view view = {.width = 80};
	size_t count;

	processes[3].host = "another";
	struct top_branch *branches = top_tree_of(&view, &frame, &count);

	ck_assert_uint_eq(count, 4);
	ck_assert_uint_eq(branches[3].process->pid, 4);
	ck_assert_uint_eq(branches[3].depth, 0);
	free(branches);
}
END_TEST

/* ---- keys and pages */

static struct live_thread threads[] = {
	{.pid = 1, .tid = 11, .rank = UINT64_MAX, .name = (char *)"b", .running_ns = 1},
	{.pid = 1, .tid = 12, .rank = UINT64_MAX, .name = (char *)"a", .running_ns = 3},
	{.pid = 1, .tid = 13, .rank = UINT64_MAX, .name = (char *)"c", .running_ns = 2},
};
static struct live_process only_process = {.pid = 1, .status = (char *)"running"};
static const struct live_frame three_threads = {.command = "x",
						.directory = "x",
						.status = (char *)"running",
						.threads = threads,
						.thread_rows = 3,
						.thread_count = 3,
						.processes = &only_process,
						.process_count = 1,
						.known_count = 1,
						.processors = 2};

/* The line with the mark of the choice; "" if there is none. */
static const char *chosen_line(struct top_state *state)
{
	static char line[200];
	struct top_page page;

	top_page_make(&page, state, 80, 23);
	*line = '\0';
	for (char *at = page.text; at && *at; at = strchr(at, '\n') ? strchr(at, '\n') + 1 : NULL)
		if (*at == '>')
			snprintf(line, sizeof line, "%.*s", (int)strcspn(at, "\n"), at);
	ck_assert_uint_eq(*line != '\0', page.rows && page.chosen < page.rows);
	top_page_clear(&page);
	return line;
}

START_TEST(keys_choose_and_sort)
{
	struct top_state state;

	top_state_begin(&state, NULL, false);
	top_state_take(&state, &three_threads);
	ck_assert_str_eq(chosen_line(&state), "");
	top_keys_obey(&state, 'j');
	ck_assert(strstr(chosen_line(&state), "> a "));
	top_keys_obey(&state, TOP_KEY_DOWN);
	ck_assert(strstr(chosen_line(&state), "> c "));
	top_keys_obey(&state, '<'); /* CPU, state, tid */
	top_keys_obey(&state, '<');
	ck_assert_int_eq(state.view.order, TOP_TID);
	ck_assert(strstr(chosen_line(&state), "> c "));
	top_keys_obey(&state, TOP_KEY_HOME);
	ck_assert(strstr(chosen_line(&state), "> b "));
	top_keys_obey(&state, '?');
	ck_assert_str_eq(chosen_line(&state), "");
	top_keys_obey(&state, 'j'); /* any key: back, and nothing else */
	ck_assert(strstr(chosen_line(&state), "> b "));
	top_keys_obey(&state, TOP_KEY_ESCAPE);
	ck_assert_str_eq(chosen_line(&state), "");
	top_keys_obey(&state, 'q');
	ck_assert(state.is_ended);
	top_state_end(&state);
}
END_TEST

START_TEST(the_tree_leads_to_threads_and_back)
{
	struct top_state state;

	top_state_begin(&state, NULL, false);
	top_state_take(&state, &three_threads);
	top_keys_obey(&state, 't');
	ck_assert_str_eq(chosen_line(&state), "");
	top_keys_obey(&state, TOP_KEY_ENTER);
	ck_assert_uint_eq(state.view.pid, 1);
	ck_assert(!state.view.is_tree);
	top_keys_obey(&state, TOP_KEY_ESCAPE);
	ck_assert(state.view.is_tree && !state.view.pid);
	top_keys_obey(&state, 't');
	ck_assert_int_eq(state.view.only, TOP_SECTIONS);
	top_keys_obey(&state, '2');
	ck_assert_int_eq(state.view.only, TOP_WAITS);
	top_keys_obey(&state, 'o');
	ck_assert_int_eq(state.view.only, TOP_IO);
	top_keys_obey(&state, '5');
	ck_assert_int_eq(state.view.only, TOP_SECTIONS);
	top_state_end(&state);
}
END_TEST

UNIT_MAIN("top", a_choice_stays_and_is_seen, keys_move_the_choice,
	  a_row_that_is_gone_leaves_its_place, a_spark_line_has_a_bar_for_each_share,
	  processes_stand_below_those_that_started_them, a_tree_loses_no_process,
	  keys_choose_and_sort, the_tree_leads_to_threads_and_back)

/* SPDX-License-Identifier: MIT */
#include "analyze/top/top_keys.h"

#include "analyze/top/top_line.h"

#include <stdlib.h>
#include <string.h>

static void quit(struct top_state *state, int key)
{
	(void)key;
	state->is_ended = true;
}

static void switch_pause(struct top_state *state, int key)
{
	(void)key;
	state->is_paused = !state->is_paused;
}

static void move(struct top_state *state, int key)
{
	static const struct {
		int key;
		enum top_move move;
	} moves[] = {
		{TOP_KEY_UP, TOP_UP},           {'k', TOP_UP},
		{TOP_KEY_DOWN, TOP_DOWN},       {'j', TOP_DOWN},
		{TOP_KEY_PAGE_UP, TOP_PAGE_UP}, {TOP_KEY_PAGE_DOWN, TOP_PAGE_DOWN},
		{TOP_KEY_HOME, TOP_HOME},       {TOP_KEY_END, TOP_END},
	};

	for (size_t i = 0; i < sizeof moves / sizeof *moves; i++)
		if (moves[i].key == key)
			top_state_move(state, moves[i].move);
}

/* On the thread's page it is the way back. */
static void enter(struct top_state *state, int key)
{
	(void)key;
	if (state->page == TOP_PAGE_DETAIL)
		top_state_go_back(state);
	else
		top_state_open(state);
}

static void go_back(struct top_state *state, int key)
{
	(void)key;
	top_state_go_back(state);
}

static void sort(struct top_state *state, int key)
{
	top_state_sort(state, key == '>');
}

static void show_rates(struct top_state *state, int key)
{
	(void)key;
	state->view.is_rates = !state->view.is_rates;
}

static void show_tree(struct top_state *state, int key)
{
	(void)key;
	top_state_switch_tree(state);
}

static void show_only(struct top_state *state, int key)
{
	static const char letters[] = "wrmo"; /* in the order of enum top_section, from waits on */
	const char *letter = strchr(letters, key);

	if (letter)
		top_state_show_only(state, TOP_WAITS + (enum top_section)(letter - letters));
	else
		top_state_show_only(state, (enum top_section)(key - '1'));
}

static void begin_filter(struct top_state *state, int key)
{
	(void)key;
	state->is_typing = true;
	state->filter[0] = '\0';
}

static void save(struct top_state *state, int key)
{
	(void)key;
	top_state_save(state);
}

static void show_help(struct top_state *state, int key)
{
	(void)key;
	state->page = TOP_PAGE_HELP;
}

#define KEYS_MAX 12

/* keys: ended by 0. what: may go on in a second line. is_of_frame: a thread's page is left before.
 */
static const struct {
	bool is_of_frame;
	int keys[KEYS_MAX];
	const char *shown, *what, *more;
	void (*act)(struct top_state *, int key);
} table[] = {
	{false,
	 {TOP_KEY_UP, TOP_KEY_DOWN, 'k', 'j'},
	 "up, down, k, j",
	 "choose a thread, or a process of the tree: the choice",
	 "stays with it when rows move",
	 move},
	{false,
	 {TOP_KEY_PAGE_UP, TOP_KEY_PAGE_DOWN, TOP_KEY_HOME, TOP_KEY_END},
	 "PageUp, PageDown",
	 "the same by pages; Home, End: the first, the last one",
	 NULL,
	 move},
	{false,
	 {TOP_KEY_ENTER},
	 "Enter",
	 "all of the chosen thread: where it is, its waits, samples;",
	 "in the tree: the threads of the process",
	 enter},
	{false,
	 {TOP_KEY_ESCAPE},
	 "Esc",
	 "back: from a thread, a filter, a process, the choice",
	 NULL,
	 go_back},
	{true, {'<', '>'}, "<, >", "sort by the column to the left, to the right", NULL, sort},
	{true,
	 {'v'},
	 "v",
	 "rates and the last minute in place of what is waited for;",
	 "from 150 columns on there is room for both",
	 show_rates},
	{true, {'t'}, "t", "the processes as a tree; again: all sections", NULL, show_tree},
	{true,
	 {'1', '2', '3', '4', '5', '6', 'w', 'r', 'm', 'o'},
	 "1 to 6",
	 "only threads, waits (w), routines (r), MPI (m), input and",
	 "output (o), processes; again: all",
	 show_only},
	{true,
	 {'/'},
	 "/",
	 "only rows that contain a text; Enter ends it, Esc shows all",
	 NULL,
	 begin_filter},
	{false, {'p', ' '}, "p, space", "pause; again: go on", NULL, switch_pause},
	{false,
	 {'s'},
	 "s",
	 "save the run so far as a run of its own, for ptrace-report",
	 NULL,
	 save},
	{true, {'h', '?'}, "h, ?", "this page; any key: back", NULL, show_help},
	{false, {'q'}, "q", "quit", NULL, quit},
};

void top_keys_print(FILE *out, const struct top_view *view)
{
	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		top_print_line(out, view, "%-17s %s", table[i].shown, table[i].what);
		if (table[i].more)
			top_print_line(out, view, "%-17s %s", "", table[i].more);
	}
}

static void type(struct top_state *state, int key)
{
	size_t length = strlen(state->filter);

	if (key == TOP_KEY_ENTER || key == TOP_KEY_ESCAPE) {
		state->is_typing = false;
		if (key == TOP_KEY_ESCAPE)
			state->filter[0] = '\0';
	} else if (key == TOP_KEY_BACKSPACE) {
		if (length)
			state->filter[length - 1] = '\0';
	} else if (key >= ' ' && key < 256 && length < TOP_FILTER_MAX) {
		state->filter[length] = (char)key;
		state->filter[length + 1] = '\0';
	}
}

static bool has_key(const int keys[KEYS_MAX], int key)
{
	for (size_t i = 0; i < KEYS_MAX && keys[i]; i++)
		if (keys[i] == key)
			return true;
	return false;
}

static void act(struct top_state *state, int key)
{
	for (size_t i = 0; i < sizeof table / sizeof *table; i++)
		if (has_key(table[i].keys, key)) {
			if (table[i].is_of_frame && state->page == TOP_PAGE_DETAIL)
				top_state_go_back(state);
			table[i].act(state, key);
		}
}

void top_keys_obey(struct top_state *state, int key)
{
	free(state->message);
	state->message = NULL;
	if (state->is_typing)
		type(state, key);
	else if (state->page == TOP_PAGE_HELP && key != 'q')
		top_state_go_back(state);
	else
		act(state, key);
}

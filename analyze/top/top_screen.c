/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE 1
#include "analyze/top/top_screen.h"

#include "analyze/base/die.h"
#include "analyze/top/top_keys.h"
#include "analyze/top/top_page.h"
#include "common/real_clock.h"

#include <langinfo.h>
#include <ncurses.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static struct top_state screen;

/* Written by signal handlers, read between two frames. */
static volatile sig_atomic_t end_signal;

bool top_screen_is_possible(void)
{
	const char *terminal = getenv("TERM");

	return isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) && terminal && *terminal &&
	       strcmp(terminal, "dumb");
}

static void note_signal(int signal)
{
	end_signal = signal;
}

/* ---- colours: of states, which are words as well */

static const struct {
	short colour;
	attr_t attributes;
} faces[] = {
	[LIVE_RUNNING] = {COLOR_GREEN, A_NORMAL}, [LIVE_READY] = {COLOR_YELLOW, A_NORMAL},
	[LIVE_WAITING] = {COLOR_CYAN, A_NORMAL},  [LIVE_IDLE] = {COLOR_BLUE, A_NORMAL},
	[LIVE_BLOCKED] = {COLOR_RED, A_NORMAL},   [LIVE_STOPPED] = {COLOR_MAGENTA, A_NORMAL},
	[LIVE_ENDED] = {COLOR_WHITE, A_DIM},      [LIVE_UNKNOWN] = {COLOR_WHITE, A_DIM},
};

static bool has_colours;

/* A pair for each state, from 1 on: 0 is that of all other text. */
static void begin_colours(void)
{
	const char *no_colour = getenv("NO_COLOR");

	has_colours = !(no_colour && *no_colour) && has_colors() && start_color() == OK;
	if (!has_colours)
		return;
	short background = use_default_colors() == OK ? -1 : COLOR_BLACK;

	for (size_t i = 0; i < sizeof faces / sizeof *faces; i++)
		init_pair((short)(i + 1), faces[i].colour, background);
}

/* ---- drawing */

/* Lines that wrap, since a character may be two columns wide, are written over by the next. */
static void draw_line(int at, const char *line)
{
	bool is_title = *line == '@' || !at;

	move(at, 0);
	clrtoeol();
	if (is_title)
		attron(A_BOLD);
	addstr(line);
	if (is_title)
		attroff(A_BOLD);
	clrtoeol();
}

static void draw_lines(char *text, int lines)
{
	char *at = text;
	int line = 0;

	for (char *next; line < lines && (next = strsep(&at, "\n")) && at; line++)
		draw_line(line, next);
}

static void change(int line, const struct text_span *span, attr_t attributes, short pair)
{
	if (span->width)
		mvchgat(line, (int)span->at, (int)span->width, attributes, pair, NULL);
}

static void draw_row(const struct top_page *page, size_t row, int lines)
{
	int line = (int)(page->head + 1 + row);
	attr_t attributes = row == page->chosen ? A_REVERSE : A_NORMAL;

	if (line >= lines)
		return;
	if (row == page->chosen)
		mvchgat(line, 0, -1, A_REVERSE, 0, NULL);
	if (!has_colours || !page->threads || !page->threads[row])
		return;
	enum live_state state = page->threads[row]->state;

	change(line, &page->state, attributes | faces[state].attributes, (short)(state + 1));
}

/* The order's title is bold, beside the arrow that it has. */
static void draw_table(const struct top_page *page, int lines)
{
	if (page->rows && (int)page->head < lines)
		change((int)page->head, &page->order, A_BOLD, 0);
	for (size_t row = 0; row < page->rows; row++)
		draw_row(page, row, lines);
}

static void draw_status(void)
{
	char *line = top_page_status(&screen);

	attron(A_REVERSE);
	mvhline(LINES - 1, 0, ' ', COLS);
	mvaddnstr(LINES - 1, 0, line, COLS > 1 ? COLS - 1 : 1);
	attroff(A_REVERSE);
	free(line);
}

static void draw(void)
{
	int lines = LINES > 1 ? LINES - 1 : 1;
	struct top_page page;

	top_page_make(&page, &screen, COLS > 1 ? (unsigned)COLS : 1, (unsigned)lines);
	if (!page.text)
		return;
	erase();
	draw_lines(page.text, lines);
	draw_table(&page, lines);
	draw_status();
	refresh();
	top_page_clear(&page);
}

/* ---- keys */

static int key_of(int code)
{
	static const struct {
		int code, key;
	} keys[] = {
		{KEY_UP, TOP_KEY_UP},
		{KEY_DOWN, TOP_KEY_DOWN},
		{KEY_PPAGE, TOP_KEY_PAGE_UP},
		{KEY_NPAGE, TOP_KEY_PAGE_DOWN},
		{KEY_HOME, TOP_KEY_HOME},
		{KEY_END, TOP_KEY_END},
		{KEY_ENTER, TOP_KEY_ENTER},
		{'\r', TOP_KEY_ENTER},
		{KEY_BACKSPACE, TOP_KEY_BACKSPACE},
		{8, TOP_KEY_BACKSPACE},
	};

	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
		if (keys[i].code == code)
			return keys[i].key;
	return code > 0 && code < 256 ? code : TOP_KEY_NONE;
}

/* Without a terminal there are no keys, and nobody who looks. */
static void look_for_terminal(void)
{
	struct pollfd terminal = {STDIN_FILENO, POLLIN, 0};

	screen.is_ended =
		poll(&terminal, 1, 0) > 0 && terminal.revents & (POLLHUP | POLLERR | POLLNVAL);
}

/* Keys and new sizes are obeyed at once; returns when the next frame is due. */
static void wait_until(uint64_t due_ns)
{
	for (uint64_t now;
	     !screen.is_ended && !end_signal && (now = real_clock_ns(CLOCK_MONOTONIC)) < due_ns;) {
		uint64_t left_ms = (due_ns - now) / 1000000 + 1;

		timeout(left_ms < 1000 ? (int)left_ms : 1000);
		int code = getch();

		if (code == ERR && real_clock_ns(CLOCK_MONOTONIC) < now + 100000 && left_ms > 1)
			look_for_terminal();
		if (code == ERR)
			continue;
		if (code != KEY_RESIZE)
			top_keys_obey(&screen, key_of(code));
		draw();
	}
}

/* ---- life */

static void begin(void)
{
	const struct sigaction action = {.sa_handler = note_signal};

	if (!initscr()) /* ends the program itself where the terminal is unknown */
		die("the terminal cannot be used: try --batch");
	/* ncurses' own handlers would end the program in the middle of a reading */
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGHUP, &action, NULL);
	cbreak();
	noecho();
	keypad(stdscr, TRUE);
	set_escdelay(50);
	curs_set(0);
	begin_colours();
}

static void end(void)
{
	endwin();
	top_state_end(&screen);
	if (!end_signal)
		return;
	signal(end_signal, SIG_DFL);
	raise(end_signal);
}

void top_screen_run(struct live *live, const struct top_options *options)
{
	top_state_begin(&screen, live, !strcmp(nl_langinfo(CODESET), "UTF-8"));
	top_state_take(&screen, live_read(live, options->top));
	begin();
	draw();
	while (!screen.is_ended && !end_signal) {
		wait_until(real_clock_ns(CLOCK_MONOTONIC) + options->interval_ns);
		if (screen.is_paused || screen.frame->is_over)
			continue;
		top_state_take(&screen, live_read(live, options->top));
		draw();
	}
	end();
}

/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE 1
#include "analyze/top/top_screen.h"

#include "analyze/base/die.h"
#include "analyze/base/memory.h"
#include "analyze/top/top_frame.h"
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

#define FILTER_MAX 40
/* Lines of a section that are no rows: its title, its columns, "and N more". */
#define FRAME_OF_SECTION 3

static struct {
	struct live *live;
	const struct live_frame *frame; /* the one that is shown */
	struct top_view view;
	char filter[FILTER_MAX + 1];
	unsigned most; /* rows of each section that a frame has */
	bool is_paused, is_typing, has_help, is_ended;
} screen;

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

/* ---- drawing */

/* Rows for each section: all have a few, threads get what is left over. */
static void share_rows(unsigned lines)
{
	unsigned used = 0, of_others;

	for (enum top_section i = 0; i < TOP_SECTIONS; i++)
		screen.view.rows[i] = screen.view.only == i ? lines : 0;
	if (screen.view.only != TOP_SECTIONS)
		return;
	of_others = lines / 8 > 2 ? lines / 8 : 2;
	for (enum top_section i = TOP_WAITS; i < TOP_SECTIONS; i++) {
		size_t count = top_count_rows(&screen.view, screen.frame, i);
		unsigned rows = count < of_others ? (unsigned)count : of_others;

		if (!rows || used + rows + 2 * FRAME_OF_SECTION >= lines)
			continue;
		screen.view.rows[i] = rows;
		used += rows + FRAME_OF_SECTION;
	}
	screen.view.rows[TOP_THREADS] =
		lines > used + FRAME_OF_SECTION ? lines - used - FRAME_OF_SECTION : 1;
}

static const char *const help[] = {
	"q  quit",
	"p  pause; again: go on",
	"s  next order of threads: CPU, blocked, wait, name",
	"/  show only rows that contain a text; return ends it, escape shows all again",
	"t w r m o k  only threads, waits, routines, MPI, input and output, processes; again: all",
	"h  this text; again: back",
	NULL,
};

static void print_frame(FILE *out, unsigned lines)
{
	if (screen.has_help) {
		for (size_t i = 0; help[i]; i++)
			fprintf(out, "%s\n", help[i]);
		return;
	}
	top_print_header(out, &screen.view, screen.frame);
	long header = 0;
	char *text = NULL;
	size_t size = 0;
	FILE *counted = open_memstream(&text, &size);

	if (!counted)
		return;
	top_print_header(counted, &screen.view, screen.frame);
	fclose(counted);
	for (size_t i = 0; i < size; i++)
		header += text[i] == '\n';
	free(text);
	share_rows(lines > (unsigned)header ? lines - (unsigned)header : 1);
	top_print_sections(out, &screen.view, screen.frame);
}

/* Titles are bold, so that colour is not needed. Lines that wrap, since a character may be two
 * columns wide, are written over by the next. */
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

static void draw_status(void)
{
	char *line;

	if (screen.is_typing)
		line = memory_print("/%s", screen.filter);
	else
		line = memory_print("%s  by %s%s%s  h help  q quit",
				    screen.frame->is_over ? "ended"
				    : screen.is_paused    ? "paused"
							  : "running",
				    top_order_name(screen.view.order), *screen.filter ? "  /" : "",
				    screen.filter);
	attron(A_REVERSE);
	mvhline(LINES - 1, 0, ' ', COLS);
	mvaddnstr(LINES - 1, 0, line, COLS > 1 ? COLS - 1 : 1);
	attroff(A_REVERSE);
	free(line);
}

static void draw(void)
{
	char *text = NULL, *at;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	int lines = LINES > 1 ? LINES - 1 : 1, line = 0;

	if (!out)
		return;
	screen.view.width = COLS > 1 ? (unsigned)COLS : 1;
	print_frame(out, (unsigned)lines);
	fclose(out);
	erase();
	at = text;
	for (char *next; line < lines && (next = strsep(&at, "\n")) && at; line++)
		draw_line(line, next);
	free(text);
	draw_status();
	refresh();
}

/* ---- keys */

static void type(int key)
{
	size_t length = strlen(screen.filter);

	if (key == '\n' || key == '\r' || key == KEY_ENTER || key == 27) {
		screen.is_typing = false;
		if (key == 27)
			screen.filter[0] = '\0';
	} else if (key == KEY_BACKSPACE || key == 127 || key == 8) {
		if (length)
			screen.filter[length - 1] = '\0';
	} else if (key >= ' ' && key < 256 && length < FILTER_MAX) {
		screen.filter[length] = (char)key;
		screen.filter[length + 1] = '\0';
	}
}

static void show_only(enum top_section section)
{
	screen.view.only = screen.view.only == section ? TOP_SECTIONS : section;
}

static void obey(int key)
{
	static const char sections[] = "twrmok"; /* in the order of enum top_section */
	const char *section = key > 0 && key < 128 ? strchr(sections, key) : NULL;

	if (screen.is_typing) {
		type(key);
		return;
	}
	if (section)
		show_only((enum top_section)(section - sections));
	switch (key) {
	case 'q':
		screen.is_ended = true;
		break;
	case 'p':
	case ' ':
		screen.is_paused = !screen.is_paused;
		break;
	case 's':
		screen.view.order = (screen.view.order + 1) % TOP_ORDERS;
		break;
	case '/':
		screen.is_typing = true;
		screen.filter[0] = '\0';
		break;
	case 27:
		screen.filter[0] = '\0';
		break;
	case 'h':
	case '?':
		screen.has_help = !screen.has_help;
		break;
	}
}

/* ---- life */

/* Keys and new sizes are obeyed at once; returns when the next frame is due. */
static void wait_until(uint64_t due_ns)
{
	for (uint64_t now;
	     !screen.is_ended && !end_signal && (now = real_clock_ns(CLOCK_MONOTONIC)) < due_ns;) {
		uint64_t left_ms = (due_ns - now) / 1000000 + 1;

		timeout(left_ms < 1000 ? (int)left_ms : 1000);
		int key = getch();

		/* without a terminal there are no keys, and nobody who looks */
		if (key == ERR && real_clock_ns(CLOCK_MONOTONIC) < now + 100000 && left_ms > 1) {
			struct pollfd terminal = {STDIN_FILENO, POLLIN, 0};

			screen.is_ended = poll(&terminal, 1, 0) > 0 &&
					  terminal.revents & (POLLHUP | POLLERR | POLLNVAL);
		}
		if (key == ERR)
			continue;
		if (key != KEY_RESIZE)
			obey(key);
		draw();
	}
}

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
}

static void end(void)
{
	endwin();
	if (!end_signal)
		return;
	signal(end_signal, SIG_DFL);
	raise(end_signal);
}

void top_screen_run(struct live *live, const struct top_options *options)
{
	screen.live = live;
	screen.most = options->top;
	screen.view = (struct top_view){.is_utf8 = !strcmp(nl_langinfo(CODESET), "UTF-8"),
					.only = TOP_SECTIONS,
					.filter = screen.filter};
	screen.frame = live_read(live, screen.most);
	begin();
	draw();
	while (!screen.is_ended && !end_signal) {
		wait_until(real_clock_ns(CLOCK_MONOTONIC) + options->interval_ns);
		if (screen.is_paused || screen.frame->is_over)
			continue;
		screen.frame = live_read(live, screen.most);
		draw();
	}
	end();
}

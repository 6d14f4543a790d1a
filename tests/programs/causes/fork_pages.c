/* SPDX-License-Identifier: MIT */
/* Typesets the pages of a book, each in a process of its own, so that a page that crashes takes
 * nothing with it. The parent starts the process of a page and waits for its end before it starts
 * the next one. Innocent: a thread of the parent sleeps and looks for a page that takes too long,
 * results come through a pipe, a record each, and the text of the book is made first.
 *
 * cause: the parent waits for each child before it starts the next one
 * finding: too-few-threads sequential
 * place: typeset_page|break_lines|start_page|await_page|print_book
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PAGES = 24, WORDS = 900, MEASURE = 66, ROUNDS = 1400, AT_ONCE = 2 };

struct page {
	int number;
	uint64_t badness;
};

static uint8_t book[PAGES][WORDS];
static int results[2];
static atomic_int looks;

static void write_book(void)
{
	uint32_t state = 1450;

	for (int page = 0; page < PAGES; page++)
		for (int word = 0; word < WORDS; word++) {
			state = state * 1664525u + 1013904223u;
			book[page][word] = 2 + (state >> 20) % 11;
		}
}

/* Of the words from `first` up to `end` in one line. */
static uint64_t badness_of(const uint8_t *words, int first, int end)
{
	int length = end - first - 1;

	for (int i = first; i < end; i++)
		length += words[i];
	if (length > MEASURE)
		return UINT64_MAX;
	return (uint64_t)(MEASURE - length) * (unsigned)(MEASURE - length);
}

/* The best breaks of the whole page: least[i] is the badness of what stands before word i. */
static uint64_t break_lines(const uint8_t *words)
{
	static uint64_t least[WORDS + 1];

	for (int end = 1; end <= WORDS; end++) {
		least[end] = UINT64_MAX;
		for (int first = end - 1; first >= 0; first--) {
			uint64_t line = badness_of(words, first, end);
			if (line == UINT64_MAX)
				break;
			if (least[first] + line < least[end])
				least[end] = least[first] + line;
		}
	}
	return least[WORDS];
}

/* Glyphs are stretched a little from round to round, until the page looks even. */
static uint64_t typeset_page(int number)
{
	uint64_t badness = 0;

	for (int round = 0; round < ROUNDS; round++) {
		book[number][badness % WORDS] ^= 1;
		badness += break_lines(book[number]);
	}
	return badness;
}

static void start_page(int number)
{
	if (fork())
		return;
	struct page page = {number, typeset_page(number)};
	_exit(write(results[1], &page, sizeof page) == sizeof page ? 0 : 1);
}

static void await_page(void)
{
	int status;

	if (wait(&status) < 0 || status)
		abort();
}

static void print_book(int at_once)
{
	for (int number = 0; number < PAGES; number++) {
		if (number >= at_once)
			await_page();
		start_page(number);
	}
	for (int left = 0; left < at_once; left++)
		await_page();
}

static uint64_t read_results(void)
{
	uint64_t sum = 0;
	struct page page;

	for (int i = 0; i < PAGES; i++) {
		if (read(results[0], &page, sizeof page) != sizeof page)
			abort();
		sum += page.badness * (unsigned)(page.number + 1);
	}
	return sum;
}

static void *look_for_hanging(void *unused)
{
	struct timespec pause = {.tv_nsec = 150000000};

	while (!nanosleep(&pause, NULL))
		atomic_fetch_add(&looks, 1);
	return unused;
}

int main(int count, char **arguments)
{
	bool fixed = count > 1 && !strcmp(arguments[1], "fixed");
	pthread_t watchdog;

	if (pipe(results))
		abort();
	pthread_create(&watchdog, NULL, look_for_hanging, NULL);
	write_book();
	print_book(fixed ? AT_ONCE : 1);
	printf("%llu\n", (unsigned long long)read_results());
	return 0;
}

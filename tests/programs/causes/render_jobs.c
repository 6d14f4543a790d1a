/* SPDX-License-Identifier: MIT */
/* A report generator: a thread lays out pages and hands each to a renderer. The cause is that the
 * renderer looks for the next page by usleep in a loop, and so does the layout for its result;
 * fixed, both wait for a condition. Innocent: the lock of the fonts, a thread that writes the time
 * of day into a header.
 *
 * cause: both sides look for the other one's flag after sleeping for some milliseconds
 * finding: sleep
 * place: await_state|usleep
 */
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

enum { PAGES = 70, GLYPHS = 1800000, LINES = 1000000 };
enum state { IS_FREE, IS_LAID_OUT, IS_RENDERED, IS_CLOSED };

static struct {
	_Atomic enum state state;
	double layout, picture;
	pthread_mutex_t lock;
	pthread_cond_t changed;
} page = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

static struct {
	pthread_mutex_t lock;
	long uses, headers;
} fonts = {.lock = PTHREAD_MUTEX_INITIALIZER};

static atomic_int is_finished;
static int waits_for_change;

static void set_state(enum state state)
{
	pthread_mutex_lock(&page.lock);
	page.state = state;
	pthread_cond_broadcast(&page.changed);
	pthread_mutex_unlock(&page.lock);
}

static enum state await_state(enum state one, enum state other)
{
	if (waits_for_change) {
		pthread_mutex_lock(&page.lock);
		while (page.state != one && page.state != other)
			pthread_cond_wait(&page.changed, &page.lock);
		pthread_mutex_unlock(&page.lock);
		return page.state;
	}
	while (page.state != one && page.state != other)
		usleep(8000);
	return page.state;
}

static double lay_out_page(int number)
{
	double height = 0;

	for (int line = 1; line <= LINES; line++)
		height += sqrt((double)(line % 80 + number));
	return height;
}

static double render_page(double layout)
{
	double ink = 0;

	for (int glyph = 1; glyph <= GLYPHS; glyph++)
		ink += sqrt(layout / glyph);
	return ink;
}

static void use_font(void)
{
	pthread_mutex_lock(&fonts.lock);
	fonts.uses++;
	pthread_mutex_unlock(&fonts.lock);
}

static void *render_pages(void *unused)
{
	while (await_state(IS_LAID_OUT, IS_CLOSED) == IS_LAID_OUT) {
		page.picture = render_page(page.layout);
		use_font();
		set_state(IS_RENDERED);
	}
	return unused;
}

static void *write_headers(void *unused)
{
	while (!is_finished) {
		usleep(100000);
		pthread_mutex_lock(&fonts.lock);
		fonts.headers++;
		pthread_mutex_unlock(&fonts.lock);
	}
	return unused;
}

/* Lays out the next page while the last one is rendered. */
static double generate_report(void)
{
	double ink = 0, next = lay_out_page(0);

	for (int number = 0; number < PAGES; number++) {
		page.layout = next;
		set_state(IS_LAID_OUT);
		next = lay_out_page(number + 1);
		await_state(IS_RENDERED, IS_RENDERED);
		ink += page.picture;
	}
	set_state(IS_CLOSED);
	return ink;
}

int main(int argc, char **argv)
{
	pthread_t renderer, header;
	double ink;

	(void)argv;
	waits_for_change = argc > 1;
	pthread_create(&header, NULL, write_headers, NULL);
	pthread_create(&renderer, NULL, render_pages, NULL);
	ink = generate_report();
	pthread_join(renderer, NULL);
	is_finished = 1;
	pthread_join(header, NULL);
	printf("%d pages, %ld fonts, ink %.6f\n", PAGES, fonts.uses, ink);
	return 0;
}

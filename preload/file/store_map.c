/* SPDX-License-Identifier: MIT */
#include "preload/file/store_map.h"

#include "preload/base/pages.h"

#include <errno.h>
#include <stdbool.h>

/* Each growth is larger than the one before by a quarter of the file (store.c), so that the largest
 * file has some twenty; more where a limit is raised little by little. A growth after a cut takes
 * none where it lengthens the last one, up to where that was before: a program may fail to exec
 * any number of times. */
enum { WINDOWS = 128 };

struct windows {
	struct window {
		uint64_t start, end; /* offsets in the file; end: atomic, as a cut lowers it */
		uint64_t most;       /* the largest end so far: up to it there was room */
		char *place;
	} at[WINDOWS];
	uint32_t count; /* atomic: those before are complete */
};

static struct {
	struct window window;
	bool lengthens_last; /* it lies right behind the last window */
} prepared;

static struct windows present;
static struct windows buried; /* zero pages in place of the file before */

static size_t bytes_of(const struct window *window)
{
	return window->end - window->start;
}

void store_map_begin(void)
{
	present.count = 0;
}

/* NULL: there is none yet. */
static struct window *last_window(void)
{
	return present.count ? &present.at[present.count - 1] : NULL;
}

uint64_t store_map_fit(uint64_t needed, uint64_t wished)
{
	const struct window *last = last_window();

	if (!last || last->end == last->most || last->most < needed || last->most > wished)
		return wished;
	return last->most;
}

/* The address at which a window from this offset would lengthen the last one; NULL: at none. */
static char *place_behind_last(uint64_t start)
{
	const struct window *last = last_window();

	return last && last->end == start ? last->place + bytes_of(last) : NULL;
}

int store_map_prepare(int fd, uint64_t from, uint64_t to)
{
	struct window window = {.start = pages_whole(from), .end = to, .most = to};
	char *behind = place_behind_last(window.start);
	int error;

	if (present.count == WINDOWS && !behind)
		return EOVERFLOW;
	/* a wish: what lies there stays, and the kernel finds another place */
	window.place = pages_map(behind, bytes_of(&window), PROT_READ | PROT_WRITE, MAP_SHARED, fd,
				 (off_t)window.start, &error);
	prepared.window = window;
	prepared.lengthens_last = window.place == behind;
	if (!error && present.count == WINDOWS && !prepared.lengthens_last) {
		store_map_cancel();
		return EOVERFLOW;
	}
	return error;
}

void store_map_publish(void)
{
	struct window *last = last_window();

	if (prepared.lengthens_last) {
		uint64_t end = prepared.window.end;
		last->most = end > last->most ? end : last->most;
		__atomic_store_n(&last->end, end, __ATOMIC_RELEASE);
		return;
	}
	present.at[present.count] = prepared.window;
	__atomic_store_n(&present.count, present.count + 1, __ATOMIC_RELEASE);
}

void store_map_cancel(void)
{
	pages_free(prepared.window.place, bytes_of(&prepared.window));
}

void *store_map_place(uint64_t offset, uint64_t bytes)
{
	/* the latest first: new blocks lie there */
	for (uint32_t i = __atomic_load_n(&present.count, __ATOMIC_ACQUIRE); i-- > 0;) {
		const struct window *window = &present.at[i];
		uint64_t end = __atomic_load_n(&window->end, __ATOMIC_RELAXED);
		if (offset >= window->start && offset + bytes <= end)
			return window->place + (offset - window->start);
	}
	return NULL;
}

/* The window's end first: if a handler forks in between, the child must not put zero pages where
 * another thread may have mapped something else. */
static void cut(struct window *window, uint64_t offset)
{
	uint64_t from = offset > window->start ? offset : window->start, end = window->end;

	if (from >= end)
		return;
	__atomic_store_n(&window->end, from, __ATOMIC_SEQ_CST);
	pages_free(window->place + (from - window->start), end - from);
}

void store_map_cut(uint64_t offset)
{
	for (uint32_t i = 0; i < present.count; i++)
		cut(&present.at[i], offset);
}

void store_map_bury(void)
{
	for (uint32_t i = 0; i < present.count; i++) {
		const struct window *window = &present.at[i];
		if (!pages_map(window->place, bytes_of(window), PROT_READ | PROT_WRITE,
			       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0,
			       NULL))
			pages_free(window->place, bytes_of(window));
	}
}

void store_map_free_buried(void)
{
	for (uint32_t i = 0; i < buried.count; i++)
		pages_free(buried.at[i].place, bytes_of(&buried.at[i]));
	buried = present;
}

void store_map_unlock(void)
{
	uint32_t count = __atomic_load_n(&present.count, __ATOMIC_ACQUIRE);

	for (uint32_t i = 0; i < count; i++)
		pages_unlock(present.at[i].place, bytes_of(&present.at[i]));
}

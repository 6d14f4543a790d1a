/* SPDX-License-Identifier: MIT */
#include "preload/file/store_map.h"

#include "preload/base/pages.h"

#include <errno.h>

/* Each growth is larger than the one before by a quarter of the file (store.c), so that the largest
 * file has some twenty; more where a limit is raised little by little. */
enum { WINDOWS = 128 };

struct windows {
	struct window {
		uint64_t start, end; /* offsets in the file; end: atomic, as a cut lowers it */
		char *place;
	} at[WINDOWS];
	uint32_t count; /* atomic: those before are complete */
};

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

int store_map_prepare(int fd, uint64_t from, uint64_t to)
{
	struct window window = {.start = pages_whole(from), .end = to};
	int error;

	if (present.count == WINDOWS)
		return EOVERFLOW;
	window.place = pages_map(NULL, bytes_of(&window), PROT_READ | PROT_WRITE, MAP_SHARED, fd,
				 (off_t)window.start, &error);
	present.at[present.count] = window;
	return error;
}

void store_map_publish(void)
{
	__atomic_store_n(&present.count, present.count + 1, __ATOMIC_RELEASE);
}

void store_map_cancel(void)
{
	const struct window *window = &present.at[present.count];

	pages_free(window->place, bytes_of(window));
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

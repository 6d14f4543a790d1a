/* SPDX-License-Identifier: MIT */
/* birth_calls: starts threads that do nothing, one after another, and counts the system calls of the
 * process meanwhile, by the kernel's own event. Truth: those of one thread, the least of many
 * batches, since a thread that loses its processor makes more when it is profiled. */
#include "truth.h"
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdint.h>
#include <sys/syscall.h>

enum { BATCHES = 100, BATCH = 10 };

static int open_counter(void)
{
	static const char *const places[] = {
		"/sys/kernel/tracing/events/raw_syscalls/sys_enter/id",
		"/sys/kernel/debug/tracing/events/raw_syscalls/sys_enter/id",
	};
	struct perf_event_attr event = {
		.size = sizeof event, .type = PERF_TYPE_TRACEPOINT, .inherit = 1};
	char text[32] = "";

	for (int i = 0; i < 2; i++) {
		int file = open(places[i], O_RDONLY);
		if (file >= 0 && read(file, text, sizeof text - 1) > 0)
			event.config = strtoul(text, NULL, 10);
		if (file >= 0)
			close(file);
	}
	return event.config ? (int)syscall(SYS_perf_event_open, &event, 0, -1, -1, 0) : -1;
}

static uint64_t calls_until_now(int counter)
{
	uint64_t count = 0;

	if (read(counter, &count, sizeof count) != sizeof count)
		abort();
	return count;
}

static void *do_nothing(void *unused)
{
	return unused;
}

int main(void)
{
	int counter = open_counter();
	uint64_t least = UINT64_MAX;

	for (int batch = 0; counter >= 0 && batch < BATCHES; batch++) {
		uint64_t before = calls_until_now(counter);
		for (int i = 0; i < BATCH; i++) {
			pthread_t thread;
			pthread_create(&thread, NULL, do_nothing, NULL);
			pthread_join(thread, NULL);
		}
		uint64_t calls = calls_until_now(counter) - before;
		least = calls < least ? calls : least;
	}
	truth("can_count", counter >= 0);
	truth("calls", counter >= 0 ? (double)least / BATCH : 0);
	truth_end();
	return 0;
}

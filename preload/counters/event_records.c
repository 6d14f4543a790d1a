/* SPDX-License-Identifier: MIT */
#include "preload/counters/event_records.h"

#include <linux/perf_event.h>
#include <stddef.h>
#include <string.h>

/* Records are multiples of 8 bytes, and so is the ring. */
static uint64_t word_at(const struct perf_event_mmap_page *page, uint64_t bytes, uint64_t position)
{
	uint64_t word;

	memcpy(&word, (const char *)page + page->data_offset + position % bytes, sizeof word);
	return word;
}

uint32_t event_records_take(const struct event_counter *counter, uint64_t *addresses, uint32_t most,
			    uint64_t *lost)
{
	struct perf_event_mmap_page *page = counter->page;
	/* acquire: records before the head are whole */
	uint64_t head = __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE);
	uint64_t tail = page->data_tail, bytes = page->data_size;
	uint32_t taken = 0;

	while (tail < head && taken < most && bytes) {
		uint64_t first = word_at(page, bytes, tail);
		struct perf_event_header header;
		memcpy(&header, &first, sizeof header);
		if (header.size < sizeof header)
			break;
		if (header.type == PERF_RECORD_SAMPLE)
			addresses[taken++] = word_at(page, bytes, tail + sizeof header);
		else if (header.type == PERF_RECORD_LOST)
			*lost += word_at(page, bytes, tail + sizeof header + sizeof(uint64_t));
		tail += header.size;
	}
	/* release: the kernel may overwrite the records before */
	__atomic_store_n(&page->data_tail, tail, __ATOMIC_RELEASE);
	return taken;
}

/* SPDX-License-Identifier: MIT */
/* The kernel's side of the ring is made here. */
#include "preload/counters/event_records.h"

#include "tests/unit/unit.h"

#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

enum { PAGE = 4096, BYTES = 4096, MOST = 64 };

static struct perf_event_mmap_page *page;
static struct event_counter counter;

static void make_ring(uint64_t position)
{
	page = calloc(1, PAGE + BYTES);
	ck_assert_ptr_nonnull(page);
	page->data_offset = PAGE;
	page->data_size = BYTES;
	page->data_head = page->data_tail = position;
	counter.page = page;
}

static void put_word(uint64_t word)
{
	memcpy((char *)page + PAGE + page->data_head % BYTES, &word, sizeof word);
	page->data_head += sizeof word;
}

static void put_record(uint32_t type, unsigned words, const uint64_t *content)
{
	struct perf_event_header header = {
		.type = type, .size = (uint16_t)(sizeof header + words * sizeof *content)};
	uint64_t word;

	memcpy(&word, &header, sizeof word);
	put_word(word);
	for (unsigned i = 0; i < words; i++)
		put_word(content[i]);
}

static void put_sample(uint64_t address)
{
	put_record(PERF_RECORD_SAMPLE, 1, &address);
}

START_TEST(addresses_come_in_order_across_the_end_of_the_ring)
{
	uint64_t addresses[MOST], lost = 0;

	make_ring(3 * BYTES - 24);
	for (uint64_t i = 0; i < 10; i++)
		put_sample(0x1000 + i);
	ck_assert_uint_eq(event_records_take(&counter, addresses, MOST, &lost), 10);
	for (uint64_t i = 0; i < 10; i++)
		ck_assert_uint_eq(addresses[i], 0x1000 + i);
	ck_assert_uint_eq(page->data_tail, page->data_head);
	ck_assert_uint_eq(event_records_take(&counter, addresses, MOST, &lost), 0);
	ck_assert_uint_eq(lost, 0);
	free(page);
}
END_TEST

START_TEST(no_more_than_there_is_room_for)
{
	uint64_t addresses[MOST], lost = 0;

	make_ring(0);
	for (uint64_t i = 0; i < 100; i++)
		put_sample(i);
	ck_assert_uint_eq(event_records_take(&counter, addresses, MOST, &lost), MOST);
	ck_assert_uint_eq(event_records_take(&counter, addresses, MOST, &lost), 100 - MOST);
	ck_assert_uint_eq(addresses[0], MOST);
	free(page);
}
END_TEST

START_TEST(lost_records_are_counted_and_others_are_passed_over)
{
	uint64_t addresses[MOST], lost = 0;
	const uint64_t loss[] = {77, 12}, other[] = {1, 2, 3};

	make_ring(8);
	put_record(PERF_RECORD_LOST, 2, loss);
	put_record(PERF_RECORD_THROTTLE, 3, other);
	put_sample(5);
	put_record(PERF_RECORD_LOST, 2, loss);
	ck_assert_uint_eq(event_records_take(&counter, addresses, MOST, &lost), 1);
	ck_assert_uint_eq(addresses[0], 5);
	ck_assert_uint_eq(lost, 24);
	free(page);
}
END_TEST

START_TEST(a_broken_record_ends_it)
{
	uint64_t addresses[MOST], lost = 0;

	make_ring(0);
	put_word(0);
	put_sample(5);
	ck_assert_uint_eq(event_records_take(&counter, addresses, MOST, &lost), 0);
	free(page);
}
END_TEST

UNIT_MAIN("event_records", addresses_come_in_order_across_the_end_of_the_ring,
	  no_more_than_there_is_room_for, lost_records_are_counted_and_others_are_passed_over,
	  a_broken_record_ends_it)

/* SPDX-License-Identifier: MIT */
#include "preload/counters/event_group.h"

#include "arch.h"
#include "preload/base/descriptors.h"
#include "preload/base/interrupted.h"
#include "preload/base/kernel_call.h"
#include "preload/base/likely.h"
#include "preload/base/pages.h"
#include "preload/counters/event_numbers.h"
#include "preload/file/note.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>

enum {
	RING_PAGES = 4, /* of an event with a period; a power of two */
	HEADER_WORDS = 3,
};

static bool is_kernel_refused; /* atomic: to this process */

/* ---- reading without a system call ---- */

/* The time since the kernel wrote the page's times, by its own formula (linux/perf_event.h). */
static uint64_t time_since(const struct perf_event_mmap_page *page)
{
	uint64_t cycles = arch_ticks();

	if (page->cap_user_time_short)
		cycles = page->time_cycles + ((cycles - page->time_cycles) & page->time_mask);
	uint64_t whole = cycles >> page->time_shift;
	uint64_t rest = cycles & ((UINT64_C(1) << page->time_shift) - 1);
	return page->time_offset + whole * page->time_mult +
	       (rest * page->time_mult >> page->time_shift);
}

/* Again, if the kernel wrote to the page meanwhile (or the thread changed its processor). False:
 * the counter has no number, as while the event waits for its turn. */
static bool read_directly(const struct perf_event_mmap_page *page, struct event_reading *reading)
{
	uint32_t sequence, index;

	do {
		sequence = __atomic_load_n(&page->lock, __ATOMIC_RELAXED);
		interrupted_fence();
		uint64_t since_ns = time_since(page);
		index = page->index;
		int64_t count = page->offset;
		if (index) {
			unsigned unused_bits = 64u - page->pmc_width;
			uint64_t value = arch_counter(index - 1);
			count += (int64_t)(value << unused_bits) >> unused_bits;
		}
		*reading = (struct event_reading){(uint64_t)count, page->time_enabled + since_ns,
						  page->time_running + since_ns};
		interrupted_fence();
	} while (__atomic_load_n(&page->lock, __ATOMIC_RELAXED) != sequence);
	return index != 0;
}

/* ---- opening ---- */

static void describe(struct perf_event_attr *attributes, const struct event_wish *wish,
		     bool is_leader)
{
	*attributes = (struct perf_event_attr){
		.size = sizeof *attributes,
		.type = wish->type,
		.config = wish->config,
		.config1 = wish->config1,
		.config2 = wish->config2,
		.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_TOTAL_TIME_ENABLED |
			       PERF_FORMAT_TOTAL_TIME_RUNNING,
		.disabled = is_leader,
		.exclude_kernel = !!(wish->flags & EVENT_WISH_NO_KERNEL),
		.exclude_user = !!(wish->flags & EVENT_WISH_NO_USER),
		.exclude_hv = 1,
	};
	if (!wish->period)
		return;
	attributes->sample_period = wish->period;
	attributes->sample_type = PERF_SAMPLE_IP;
	attributes->precise_ip = (wish->flags & EVENT_WISH_PRECISE) / 16;
	attributes->watermark = 1;
	attributes->wakeup_watermark = 1u << 30; /* nobody polls */
}

/* Some events happen only in the kernel: without it they would be 0, not a part. */
static bool is_of_kernel(const struct event_wish *wish)
{
	return wish->type == PERF_TYPE_TRACEPOINT ||
	       (wish->type == PERF_TYPE_SOFTWARE &&
		(wish->config == PERF_COUNT_SW_CONTEXT_SWITCHES ||
		 wish->config == PERF_COUNT_SW_CPU_MIGRATIONS ||
		 wish->config == PERF_COUNT_SW_CGROUP_SWITCHES));
}

/* Without the kernel's part, if that is refused. 0 or a negative errno. */
static int open_allowed(struct descriptor *event, const struct event_wish *wish,
			struct perf_event_attr *attributes, int group, bool *is_cut)
{
	bool is_known = __atomic_load_n(&is_kernel_refused, __ATOMIC_RELAXED);
	bool may_be_cut = !attributes->exclude_kernel && !is_of_kernel(wish);
	int error = is_known && may_be_cut
			    ? -EACCES
			    : descriptors_open_event(event, attributes, 0, -1, group);

	*is_cut = (error == -EACCES || error == -EPERM) && may_be_cut;
	if (!*is_cut)
		return error;
	__atomic_store_n(&is_kernel_refused, true, __ATOMIC_RELAXED);
	attributes->exclude_kernel = 1;
	return descriptors_open_event(event, attributes, 0, -1, group);
}

/* AArch64 lets threads read counters that ask for it, if the machine's owner allows it. */
static int open_event(struct descriptor *event, const struct event_wish *wish, int group,
		      bool *is_cut)
{
	struct perf_event_attr attributes;
	int error = -EINVAL;

	describe(&attributes, wish, group < 0);
	if (ARCH_READABLE_COUNTER && wish->type != PERF_TYPE_SOFTWARE) {
		attributes.config1 |= ARCH_READABLE_COUNTER;
		error = open_allowed(event, wish, &attributes, group, is_cut);
		attributes.config1 = wish->config1;
	}
	if (error == -EINVAL || error == -EOPNOTSUPP)
		error = open_allowed(event, wish, &attributes, group, is_cut);
	return error;
}

/* The page by which an event lives, and is read directly; with a period also the ring of its
 * records. 0 or a negative errno. */
static int map(struct event_counter *counter, int number)
{
	int error;

	counter->page_bytes = pages_size() * (counter->wish->period ? 1 + RING_PAGES : 1);
	counter->page = pages_map(NULL, counter->page_bytes, PROT_READ | PROT_WRITE, MAP_SHARED,
				  number, 0, &error);
	return error == EPERM ? -ENOMEM : -error; /* of locked memory, there is no more */
}

static void refuse(const struct event_counter *counter, int error)
{
	struct row_events *row = counter->row;

	if (error == -EMFILE)
		note_once(NOTE_EVENTS_CROWDED, event_numbers_limit());
	else
		note_once(NOTE_EVENTS_REFUSED, (uint32_t)-error);
	if (!row)
		return;
	__atomic_fetch_add(&row->refused, 1, __ATOMIC_RELAXED);
	__atomic_store_n(&row->error, (uint32_t)-error, __ATOMIC_RELAXED);
}

static bool can_be_read(const struct event_counter *counter)
{
	return counter->page->cap_user_rdpmc && counter->page->cap_user_time;
}

static void add_flag(const struct event_counter *counter, enum event_flags flag)
{
	__atomic_fetch_or(&counter->row->flags, (uint16_t)flag, __ATOMIC_RELAXED);
}

static void add(struct event_group *group, const struct event_counter *counter, bool is_cut)
{
	group->is_direct = can_be_read(counter) && (group->is_direct || !group->count);
	group->counters[group->count++] = *counter;
	add_flag(counter, EVENT_COUNTED);
	if (is_cut)
		add_flag(counter, EVENT_KERNEL_REFUSED);
}

static int keep(struct event_group *group, struct descriptor *event)
{
	int number = event_numbers_keep(event);

	if (number < 0)
		return number;
	group->number = number;
	return 0;
}

/* Adds one event; 0 or a negative errno. The first one's descriptor stays open. */
static int open_one(struct event_group *group, struct event_counter *counter)
{
	struct descriptor event;
	bool is_cut;
	int error = open_event(&event, counter->wish, group->number, &is_cut);

	if (error)
		return error;
	error = map(counter, event.number);
	if (error || group->number >= 0)
		descriptors_close(&event);
	else
		error = keep(group, &event);
	if (!error)
		add(group, counter, is_cut);
	else if (counter->page)
		pages_free(counter->page, counter->page_bytes);
	return error;
}

static bool has_room_for(const struct event_group *group, const struct event_wish *wish,
			 uint32_t wanted)
{
	return !group->count ||
	       (wish->group == wanted && !wish->period && !group->counters[0].wish->period &&
		group->count < EVENT_GROUP_MOST);
}

/* A kernel may say that a counter can be read, and not let threads read it: then it has no number,
 * although it counts. */
static void enable(struct event_group *group)
{
	struct event_reading reading;

	kernel_call(SYS_ioctl, group->number, PERF_EVENT_IOC_ENABLE, 0);
	for (uint32_t i = 0; i < group->count && group->is_direct; i++)
		group->is_direct = read_directly(group->counters[i].page, &reading);
	for (uint32_t i = 0; i < group->count && group->is_direct; i++)
		add_flag(&group->counters[i], EVENT_READ_DIRECTLY);
}

uint32_t event_group_open(struct event_group *group, struct event_counter *counters, uint32_t first,
			  uint32_t end)
{
	uint32_t index = first, wanted = event_list_at(first)->group;
	int saved = errno;

	*group = (struct event_group){.counters = counters, .number = -1};
	for (; index < end; index++) {
		struct event_counter counter = {.wish = event_list_at(index),
						.row = event_list_row(index)};
		if (!has_room_for(group, counter.wish, wanted))
			break;
		int error = counter.row ? open_one(group, &counter) : -ENOSPC;
		if (error == -EINVAL && group->count) {
			note_once(NOTE_EVENTS_SPLIT, 0);
			break;
		}
		if (error)
			refuse(&counter, error);
	}
	if (group->count)
		enable(group);
	errno = saved;
	return index;
}

void event_group_close(struct event_group *group)
{
	for (uint32_t i = 0; i < group->count; i++)
		pages_free(group->counters[i].page, group->counters[i].page_bytes);
	if (group->count)
		event_numbers_close(group->number);
	group->count = 0;
	group->number = -1;
}

/* ---- reading ---- */

static bool read_by_kernel(const struct event_group *group,
			   struct event_reading readings[EVENT_GROUP_MOST])
{
	uint64_t words[HEADER_WORDS + EVENT_GROUP_MOST];
	long wanted = (long)((HEADER_WORDS + group->count) * sizeof *words), got = -1;
	int saved = errno;

	if (event_numbers_begin_read(group->number)) {
		got = kernel_call(SYS_read, group->number, words, wanted);
		event_numbers_end_read();
	}
	errno = saved;
	if (got != wanted || words[0] != group->count)
		return false;
	for (uint32_t i = 0; i < group->count; i++)
		readings[i] = (struct event_reading){words[HEADER_WORDS + i], words[1], words[2]};
	return true;
}

bool event_group_read(const struct event_group *group, bool is_own,
		      struct event_reading readings[EVENT_GROUP_MOST])
{
	if (!group->is_direct || !is_own)
		return read_by_kernel(group, readings);
	for (uint32_t i = 0; i < group->count; i++)
		if (!read_directly(group->counters[i].page, &readings[i]))
			return read_by_kernel(group, readings);
	return true;
}

/* SPDX-License-Identifier: MIT */
#include "preload/concurrency/section_levels.h"

#include "preload/base/interrupted.h"
#include "preload/base/likely.h"
#include "preload/file/store.h"

#include <stddef.h>
#include <string.h>

/* The account of the time in which any section was open. */
enum { ANY = 0 };

struct section {
	struct level_account account; /* no rows before it is opened */
	uint32_t open;                /* how often it is */
};

static struct {
	struct section of[SECTION_LIMIT];
	uint8_t list[SECTION_LIMIT]; /* those that are open, ANY included */
	unsigned count;
	unsigned levels;                   /* rows of each kind */
	uint64_t single_ns, single_cpu_ns; /* of the only thread, as far as accounted */
	uint32_t phase;                    /* 0: none */
	bool is_used;                      /* else there is nothing to forget */
	bool is_telling;                   /* the only thread is in section_levels_tell_single */
} sections;

bool section_levels_any;

void section_levels_start(uint64_t start_ns, unsigned processors)
{
	if (sections.is_used)
		memset(&sections, 0, sizeof sections);
	section_levels_any = false;
	sections.levels = level_account_count(processors);
	sections.single_ns = start_ns;
	sections.single_cpu_ns = 0;
}

/* ---- rows */

static uint64_t *add_rows(uint32_t section, enum concurrency_kind kind)
{
	struct format_block *block =
		store_block(TABLE_section_levels, sizeof(struct row_section_levels),
			    FORMAT_NO_OWNER, 0, sections.levels);
	struct row_section_levels *rows = block ? store_rows(block) : NULL;

	for (unsigned i = 0; rows && i < sections.levels; i++) {
		rows[i].section = section;
		rows[i].active = i;
		rows[i].kind = kind;
	}
	return rows ? &rows->time_ns : NULL;
}

/* Further rows with the same keys are added up by readers. */
static void have_rows(uint32_t section)
{
	struct level_account *account = &sections.of[section].account;

	if (likely(account->count == sections.levels))
		return;
	*account = (struct level_account){
		.stride = sizeof(struct row_section_levels) / sizeof(uint64_t),
		.count = sections.levels,
	};
	for (unsigned kind = CONCURRENCY_ON_PROCESSOR; kind < LEVEL_KINDS; kind++)
		account->times[kind] = add_rows(section, kind);
}

void section_levels_widen(unsigned processors)
{
	sections.levels = level_account_count(processors);
	for (unsigned i = 0; i < sections.count; i++)
		have_rows(sections.list[i]);
}

/* ---- begins and ends */

static void list_add(uint32_t section)
{
	have_rows(section);
	sections.list[sections.count++] = (uint8_t)section;
}

static void list_remove(uint32_t section)
{
	for (unsigned i = 0; i < sections.count; i++)
		if (sections.list[i] == section) {
			sections.list[i] = sections.list[--sections.count];
			return;
		}
}

static void open_section(uint32_t section)
{
	sections.is_used = true;
	if (!sections.count)
		list_add(ANY);
	if (!sections.of[section].open++)
		list_add(section);
	section_levels_any = true;
}

static void close_section(uint32_t section)
{
	if (!sections.of[section].open || --sections.of[section].open)
		return;
	list_remove(section);
	if (sections.count > 1)
		return;
	sections.count = 0; /* ANY is left */
	section_levels_any = false;
}

static void set_phase(uint32_t section)
{
	uint32_t before = sections.phase;

	sections.phase = section;
	if (section)
		open_section(section);
	if (before)
		close_section(before);
}

static void apply(uint32_t section, enum section_event event)
{
	if (section >= SECTION_LIMIT)
		return;
	switch (event) {
	case SECTION_EVENT_OPENS:
		open_section(section);
		break;
	case SECTION_EVENT_CLOSES:
		close_section(section);
		break;
	case SECTION_EVENT_PHASE:
		set_phase(section);
		break;
	}
}

/* What the thread has open is remembered, to be closed when it ends. A phase is the process's. */
static void remember(struct event_ring *event_ring, uint32_t section, enum section_event event)
{
	if (event == SECTION_EVENT_OPENS && event_ring->section_count < SECTION_LEVELS)
		event_ring->sections[event_ring->section_count++] = (uint8_t)section;
	else if (event == SECTION_EVENT_CLOSES && event_ring->section_count)
		event_ring->section_count--;
}

void section_levels_apply(struct event_ring *event_ring, enum section_event event, uint32_t amount)
{
	uint32_t section = amount & ((1u << SECTION_NUMBER_BITS) - 1);
	uint32_t sequence = amount >> SECTION_NUMBER_BITS;

	if (sequence != ((event_ring->section_sequence + 1) & SECTION_SEQUENCE_MASK))
		return;
	event_ring->section_sequence = sequence;
	remember(event_ring, section, event);
	apply(section, event);
}

void section_levels_end_thread(struct event_ring *event_ring)
{
	while (event_ring->section_count)
		close_section(event_ring->sections[--event_ring->section_count]);
}

/* ---- time */

void section_levels_pass(const struct levels_now *now, uint64_t ns)
{
	for (unsigned i = 0; i < sections.count; i++)
		level_account_pass(&sections.of[sections.list[i]].account, now, ns);
}

void section_levels_take_useful(const struct levels_now *now, uint64_t ns)
{
	for (unsigned i = 0; i < sections.count; i++)
		level_account_take_useful(&sections.of[sections.list[i]].account, now, ns);
}

static void pass_single(uint64_t now_ns, uint64_t cpu_ns)
{
	uint64_t ns = now_ns > sections.single_ns ? now_ns - sections.single_ns : 0;
	uint64_t used_ns = cpu_ns > sections.single_cpu_ns ? cpu_ns - sections.single_cpu_ns : 0;

	for (unsigned i = 0; i < sections.count; i++)
		level_account_pass_single(&sections.of[sections.list[i]].account, ns, used_ns);
	sections.single_ns += ns;
	sections.single_cpu_ns += used_ns;
}

void section_levels_update_single(uint64_t now_ns, uint64_t cpu_ns)
{
	if (!sections.is_telling)
		pass_single(now_ns, cpu_ns);
}

void section_levels_tell_single(uint32_t section, enum section_event event, uint64_t now_ns,
				uint64_t cpu_ns)
{
	sections.is_telling = true;
	interrupted_fence();
	pass_single(now_ns, cpu_ns);
	apply(section, event);
	interrupted_fence();
	sections.is_telling = false;
}

void section_levels_leave_out(uint64_t ns)
{
	sections.single_ns += ns;
}

/* SPDX-License-Identifier: MIT */
/* Frames of Python as each version lays them out, and chains that are damaged in any way: whatever
 * they say, reading them ends, and reads nothing that is not there. */
#include "preload/python/python_code.h"
#include "preload/python/python_frames.h"
#include "preload/python/python_lines.h"
#include "preload/python/python_text.h"
#include "preload/stacks/callpath.h"
#include "scratch.h"
#include "tests/unit/unit.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum {
	FIRST_MINOR = 9,
	LAST_MINOR = 13,
	PAGES = 8,
	BYTES = PAGES * 4096,
	FRAMES = 6,
	DAMAGES = 4000,
};

/* Memory with pages behind it that cannot be read. */
static struct scene {
	struct python_runtime runtime;
	char *memory;
	size_t used;
	uint64_t state, frames[FRAMES], cframes[FRAMES];
} scene;

static uint64_t take(size_t bytes)
{
	uint64_t address = (uint64_t)scene.memory + scene.used;

	scene.used += (bytes + 15) & ~15u;
	ck_assert_uint_le(scene.used, BYTES);
	return address;
}

static void put(uint64_t address, uint64_t value)
{
	memcpy((void *)address, &value, sizeof value);
}

static void put_half(uint64_t address, uint32_t value)
{
	memcpy((void *)address, &value, sizeof value);
}

static uint64_t make_text(const char *text)
{
	size_t data = scene.runtime.layout->text_ascii;
	uint64_t at = take(data + strlen(text) + 1);

	put(at + PYTHON_TYPE, scene.runtime.text_type);
	put(at + PYTHON_SIZE, strlen(text));
	put(at + PYTHON_TEXT_HASH, UINT64_MAX);
	put_half(at + PYTHON_TEXT_STATE, 1u << 2 | 1u << 5 | 1u << 6);
	memcpy((char *)at + data, text, strlen(text));
	return at;
}

static uint64_t make_bytes(const uint8_t *bytes, size_t count)
{
	uint64_t at = take(PYTHON_BYTES + count + 1);

	put(at + PYTHON_TYPE, scene.runtime.bytes_type);
	put(at + PYTHON_SIZE, count);
	memcpy((char *)at + PYTHON_BYTES, bytes, count);
	return at;
}

/* Its first four instructions are of its first line, the next ones of the line behind it. */
static uint64_t make_lines(void)
{
	static const uint8_t steps[] = {8, 1}, ranges[] = {8, 0, 200, 1};
	/* without columns: four units of no step, eight of one (2, as the lowest bit is the sign)
	 */
	static const uint8_t locations[] = {0xeb, 0, 0xef, 2};

	switch (scene.runtime.layout->table) {
	case PYTHON_LNOTAB:
		return make_bytes(steps, sizeof steps);
	case PYTHON_RANGES:
		return make_bytes(ranges, sizeof ranges);
	default:
		return make_bytes(locations, sizeof locations);
	}
}

static uint64_t make_code(const char *name, uint32_t first_line)
{
	const struct python_layout *layout = scene.runtime.layout;
	uint64_t at = take(256);

	put(at + PYTHON_TYPE, scene.runtime.code_type);
	put(at + layout->code_name, make_text(name));
	if (layout->code_qualified)
		put(at + layout->code_qualified, make_text(name));
	put(at + layout->code_file, make_text("job.py"));
	put_half(at + layout->code_first_line, first_line);
	put(at + layout->code_lines, make_lines());
	return at;
}

/* At its fifth instruction. */
static void set_code(uint64_t frame, uint64_t code)
{
	const struct python_layout *layout = scene.runtime.layout;

	put(frame + layout->frame_code, code);
	if (layout->code_begin)
		put(frame + layout->frame_instruction, code + layout->code_begin + 8);
	else
		put_half(frame + layout->frame_instruction, layout->table == PYTHON_RANGES ? 4 : 8);
}

static void link_frames(void)
{
	const struct python_layout *layout = scene.runtime.layout;
	uint64_t top = scene.frames[0];

	for (int i = 0; i < FRAMES; i++) {
		put(scene.frames[i] + layout->frame_before,
		    i + 1 < FRAMES ? scene.frames[i + 1] : 0);
		if (!layout->cframe_before)
			continue;
		put(scene.cframes[i] + layout->cframe_before,
		    i + 1 < FRAMES ? scene.cframes[i + 1] : 0);
		put(scene.cframes[i] + layout->cframe_top, scene.frames[i]);
	}
	if (layout->chain == PYTHON_CFRAMES)
		put(scene.state + layout->cframe_top, top);
	put(scene.state + layout->thread_top, layout->cframe_before ? scene.cframes[0] : top);
}

/* Each Python frame is a group of its own: with shims every second frame is one. */
static void begin(unsigned minor)
{
	char name[8] = "f0";

	ck_assert_int_eq(scratch_open(), 0);
	callpath_reset();
	python_code_reset();
	scene.memory =
		mmap(NULL, 2 * BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ck_assert_int_eq(mprotect(scene.memory + BYTES, BYTES, PROT_NONE), 0);
	scene.used = 0;
	scene.runtime = (struct python_runtime){
		.layout = python_layout_of(minor),
		.code_type = take(16),
		.text_type = take(16),
		.bytes_type = take(16),
	};
	ck_assert_ptr_nonnull(scene.runtime.layout);
	scene.state = take(128);
	for (int i = 0; i < FRAMES; i++) {
		bool is_shim = scene.runtime.layout->chain == PYTHON_SHIMS && i % 2;

		scene.frames[i] = take(128);
		scene.cframes[i] = take(32);
		name[1] = (char)('0' + i);
		set_code(scene.frames[i], is_shim ? 0 : make_code(name, 10));
		if (scene.runtime.layout->chain == PYTHON_ENTRIES)
			*(char *)(scene.frames[i] + scene.runtime.layout->frame_entry) = 1;
		if (is_shim)
			*(char *)(scene.frames[i] + scene.runtime.layout->frame_entry) =
				PYTHON_OWNED_BY_C_STACK;
	}
	link_frames();
}

static void end(void)
{
	munmap(scene.memory, 2 * BYTES);
}

/* The groups of the scene; how many. */
static unsigned read_all(struct python_group groups[FRAMES])
{
	static struct python_frames frames;
	static struct python_group group;
	static struct python_texts texts;
	unsigned count = 0;

	for (python_frames_begin(&frames, &scene.runtime, scene.state, &texts);
	     python_frames_next(&frames, &group); count++) {
		ck_assert_uint_le(group.count, PYTHON_GROUP_MOST);
		ck_assert_uint_lt(count, PYTHON_FRAMES_MOST + 1);
		if (count < FRAMES)
			groups[count] = group;
	}
	return count;
}

static void for_each_version(void (*check)(unsigned minor))
{
	for (unsigned minor = FIRST_MINOR; minor <= LAST_MINOR; minor++)
		check(minor);
}

static void check_frames_of_each_version_are_read(unsigned minor)
{
	static struct python_group groups[FRAMES];
	unsigned step = 1;

	begin(minor);
	if (scene.runtime.layout->chain == PYTHON_SHIMS)
		step = 2;
	ck_assert_uint_eq(read_all(groups), FRAMES / step);
	for (unsigned i = 0; i < FRAMES / step; i++) {
		ck_assert_uint_eq(groups[i].count, 1);
		/* rows in the order in which they were met, and the line after the first */
		ck_assert_uint_eq(groups[i].place[0], callpath_python(i + 1, 11));
		if (step == 2)
			ck_assert_uint_eq(groups[i].anchor, scene.frames[2 * i + 1]);
		else
			ck_assert_uint_eq(groups[i].anchor, scene.runtime.layout->cframe_before
								    ? scene.cframes[i]
								    : 0);
	}
	end();
}

START_TEST(frames_of_each_version_are_read)
{
	for_each_version(check_frames_of_each_version_are_read);
}
END_TEST

static void check_a_circle_ends(unsigned minor)
{
	static struct python_group groups[FRAMES];
	const struct python_layout *layout;

	begin(minor);
	layout = scene.runtime.layout;
	put(scene.frames[FRAMES - 1] + layout->frame_before, scene.frames[0]);
	ck_assert_uint_ge(read_all(groups), FRAMES / 2);
	put(scene.frames[0] + layout->frame_before, scene.frames[0]);
	read_all(groups);
	end();
}

START_TEST(a_circle_ends)
{
	for_each_version(check_a_circle_ends);
}
END_TEST

/* Words are replaced by addresses within the memory, at its end, behind it, and by anything. */
static uint64_t damage(unsigned kind)
{
	uint64_t somewhere = (uint64_t)scene.memory + (uint64_t)rand() % BYTES;

	switch (kind % 5) {
	case 0:
		return somewhere & ~UINT64_C(7);
	case 1:
		return (uint64_t)scene.memory + BYTES - (uint64_t)(rand() % 64);
	case 2:
		return somewhere + BYTES;
	case 3:
		return (uint64_t)rand() << 33 ^ (uint64_t)rand();
	default:
		return (uint64_t)rand() % 300;
	}
}

static void check_damaged_chains_are_read_to_an_end(unsigned minor)
{
	static struct python_group groups[FRAMES];
	static char whole[BYTES];

	begin(minor);
	memcpy(whole, scene.memory, BYTES);
	srand(minor);
	for (unsigned i = 0; i < DAMAGES; i++) {
		for (int k = rand() % 4; k >= 0; k--)
			put((uint64_t)scene.memory + 8 * ((uint64_t)rand() % (scene.used / 8)),
			    damage((unsigned)rand()));
		read_all(groups);
		if (i % 8 == 7)
			memcpy(scene.memory, whole, BYTES);
	}
	end();
}

START_TEST(damaged_chains_are_read_to_an_end)
{
	for_each_version(check_damaged_chains_are_read_to_an_end);
}
END_TEST

static void check_code_in_the_place_of_other_code_is_told_apart(unsigned minor)
{
	static struct python_group groups[FRAMES];
	char *text;

	begin(minor);
	read_all(groups);
	uint64_t code, name;
	memcpy(&code, (char *)scene.frames[0] + scene.runtime.layout->frame_code, sizeof code);
	uint16_t member = scene.runtime.layout->code_qualified;
	memcpy(&name, (char *)code + (member ? member : scene.runtime.layout->code_name),
	       sizeof name);
	text = (char *)name + scene.runtime.layout->text_ascii;
	uint64_t before = groups[0].place[0];
	text[0] = 'g';
	read_all(groups);
	ck_assert_uint_ne(groups[0].place[0], before);
	text[0] = 'f';
	read_all(groups);
	ck_assert_uint_eq(groups[0].place[0], before);
	end();
}

START_TEST(code_in_the_place_of_other_code_is_told_apart)
{
	for_each_version(check_code_in_the_place_of_other_code_is_told_apart);
}
END_TEST

START_TEST(texts_become_utf_8)
{
	static struct python_memory memory;
	static const uint16_t two[] = {'a', 0xe4, 0x20ac, 0xd800};
	static const uint32_t four[] = {0x1f40d, 'b'};
	char text[16], small[5];

	begin(13);
	memset(&memory, 0, sizeof memory);
	uint64_t wide = take(scene.runtime.layout->text_wide + sizeof two);
	put(wide + PYTHON_TYPE, scene.runtime.text_type);
	put(wide + PYTHON_SIZE, 4);
	put_half(wide + PYTHON_TEXT_STATE, 2u << 2 | 1u << 5);
	memcpy((char *)wide + scene.runtime.layout->text_wide, two, sizeof two);
	ck_assert_uint_eq(python_text_copy(&scene.runtime, &memory, wide, text, sizeof text), 9);
	ck_assert_str_eq(text, "a\u00e4\u20ac\ufffd");
	ck_assert_uint_eq(python_text_copy(&scene.runtime, &memory, wide, small, sizeof small), 3);
	ck_assert_str_eq(small, "a\u00e4");
	put(wide + PYTHON_SIZE, 2);
	put_half(wide + PYTHON_TEXT_STATE, 4u << 2 | 1u << 5);
	memcpy((char *)wide + scene.runtime.layout->text_wide, four, sizeof four);
	ck_assert_uint_eq(python_text_copy(&scene.runtime, &memory, wide, text, sizeof text), 5);
	ck_assert_str_eq(text, "\U0001f40d"
			       "b");
	end();
}
END_TEST

START_TEST(tables_of_lines_may_be_anything)
{

	srand(1);
	for (unsigned i = 0; i < DAMAGES; i++) {
		size_t count = (size_t)rand() % 64;
		uint8_t *table = malloc(count + 1); /* of its own, for AddressSanitizer */

		for (size_t k = 0; k < count; k++)
			table[k] = (uint8_t)rand();
		for (unsigned kind = PYTHON_LNOTAB; kind <= PYTHON_LOCATIONS; kind++)
			ck_assert_uint_ge(python_line(kind, table, count, 7, (uint64_t)rand()), 1);
		free(table);
	}
}
END_TEST

UNIT_MAIN("python_frames", frames_of_each_version_are_read, a_circle_ends,
	  damaged_chains_are_read_to_an_end, code_in_the_place_of_other_code_is_told_apart,
	  texts_become_utf_8, tables_of_lines_may_be_anything)

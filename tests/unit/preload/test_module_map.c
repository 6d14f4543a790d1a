/* SPDX-License-Identifier: MIT */
#include "preload/process/module_map.h"

#include "scratch.h"
#include "tests/unit/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

START_TEST(an_address_belongs_to_its_object)
{
	struct code_object program, libc;
	int local = 0;

	ck_assert_int_eq(scratch_open(), 0);
	ck_assert(module_map_find((uint64_t)scratch_open, &program));
	ck_assert(module_map_find((uint64_t)strtol, &libc));
	ck_assert_str_eq(program.name, "");
	ck_assert_ptr_nonnull(strstr(libc.name, "libc.so"));
	ck_assert_ptr_nonnull(libc.eh_frame_header);
	ck_assert(!module_map_find((uint64_t)&local, &program));
	ck_assert(!module_map_find(0, &program));
}
END_TEST

START_TEST(an_object_has_one_row)
{
	uint64_t first, second;

	ck_assert_int_eq(scratch_open(), 0);
	uint16_t module = module_map_module((uint64_t)strtol, &first);
	ck_assert_uint_ne(module, 0);
	ck_assert_uint_eq(module_map_module((uint64_t)strtol + 1, &second), module);
	ck_assert_uint_eq(second, first + 1);
	ck_assert_uint_ne(module_map_module((uint64_t)scratch_open, &first), module);
}
END_TEST

START_TEST(what_lies_nowhere_keeps_its_address)
{
	uint64_t offset;
	int local = 0;

	ck_assert_int_eq(scratch_open(), 0);
	ck_assert_uint_eq(module_map_module((uint64_t)&local, &offset), 0);
	ck_assert_uint_eq(offset, (uint64_t)&local);
}
END_TEST

static void find_build_id(const struct format_block *block, void *build_id)
{
	const struct row_modules *rows = (const void *)(block + 1);

	if (block->table == TABLE_modules)
		memcpy(build_id, rows[1].build_id, sizeof rows[1].build_id);
}

START_TEST(a_row_has_the_build_id)
{
	char build_id[49] = "";
	uint64_t offset;

	ck_assert_int_eq(scratch_open(), 0);
	ck_assert_uint_eq(module_map_module((uint64_t)strtol, &offset), 1);
	scratch_walk(find_build_id, build_id);
	ck_assert_uint_eq(strlen(build_id), 40);
	ck_assert_uint_eq(strspn(build_id, "0123456789abcdef"), 40);
}
END_TEST

START_TEST(what_was_there_at_the_start_is_permanent)
{
	int local = 0;

	ck_assert_int_eq(scratch_open(), 0);
	ck_assert(module_map_is_permanent((uint64_t)strtol));
	ck_assert(module_map_is_permanent((uint64_t)scratch_open));
	ck_assert(!module_map_is_permanent((uint64_t)&local));
	ck_assert(module_map_is_own((uint64_t)module_map_find));
	ck_assert(!module_map_is_own((uint64_t)strtol));
	ck_assert_ptr_nonnull(strstr(module_map_program(), "test_module_map"));
}
END_TEST

START_TEST(what_can_be_unloaded_has_an_identity)
{
	struct code_object libc;

	ck_assert_int_eq(scratch_open(), 0);
	ck_assert_uint_eq(module_map_identity((uint64_t)strtol), 0);
	ck_assert(module_map_find((uint64_t)strtol, &libc));
	uint64_t identity = code_object_identity(&libc);
	ck_assert_uint_ne(identity, 0);
	ck_assert_uint_eq(code_object_identity(&libc), identity);
	libc.name = "another";
	ck_assert_uint_ne(code_object_identity(&libc), identity);
}
END_TEST

UNIT_MAIN("module_map", an_address_belongs_to_its_object, an_object_has_one_row,
	  what_lies_nowhere_keeps_its_address, a_row_has_the_build_id,
	  what_was_there_at_the_start_is_permanent, what_can_be_unloaded_has_an_identity)

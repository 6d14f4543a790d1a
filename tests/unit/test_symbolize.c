/* SPDX-License-Identifier: MIT */
/* The symbolizer asked about this very program, whose lines and routines the compiler tells. Needs
 * -g. */
#define _GNU_SOURCE
#include "analyze/symbols/routine_name.h"
#include "analyze/symbols/symbolize.h"

#include <check.h>
#include <elf.h>
#include <limits.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct {
	uint64_t base;
	char path[PATH_MAX];
	char build_id[64];
} self;

static struct symbolizer *symbolizer;
static struct symbol_module *module;

static struct {
	long first[3];
	long second;
} table_of_locks = {.second = 1};

static struct {
	uintptr_t address;
	unsigned line;
} seen, outer;

/* The call instruction in whoever calls this; not a leaf, so that it is no tail call. */
static __attribute__((noinline)) uintptr_t where_called(void)
{
	return (uintptr_t)__builtin_return_address(0) - 1;
}

static inline __attribute__((always_inline)) void innermost(void)
{
	seen.line = __LINE__ + 1;
	seen.address = where_called();
	__asm__ volatile("" ::: "memory");
}

static inline __attribute__((always_inline)) void middle(void)
{
	innermost();
	__asm__ volatile("" ::: "memory");
}

static __attribute__((noinline)) void static_routine(void)
{
	outer.line = __LINE__ + 1;
	middle();
	__asm__ volatile("" ::: "memory");
}

/* "analyze/.../file.c" or "/home/.../file.c": only the last part is known for sure */
static const char *last_part(const char *path)
{
	const char *slash = path ? strrchr(path, '/') : NULL;

	return slash ? slash + 1 : path;
}

static void take_build_id(const struct dl_phdr_info *info, const ElfW(Phdr) * header)
{
	const char *note = (const char *)(info->dlpi_addr + header->p_vaddr);
	const char *end = note + header->p_memsz;

	while (note + sizeof(ElfW(Nhdr)) <= end) {
		const ElfW(Nhdr) *head = (const void *)note;
		const unsigned char *bytes =
			(const void *)(note + sizeof *head + ((head->n_namesz + 3u) & ~3u));

		if (head->n_type == NT_GNU_BUILD_ID && head->n_namesz == 4)
			for (unsigned i = 0; i < head->n_descsz && i < 24; i++)
				sprintf(self.build_id + 2 * i, "%02x", bytes[i]);
		note = (const char *)bytes + ((head->n_descsz + 3u) & ~3u);
	}
}

static int look_at_program(struct dl_phdr_info *info, size_t size, void *context)
{
	(void)size;
	(void)context;
	self.base = info->dlpi_addr;
	for (int i = 0; i < info->dlpi_phnum; i++)
		if (info->dlpi_phdr[i].p_type == PT_NOTE)
			take_build_id(info, &info->dlpi_phdr[i]);
	return 1; /* the program comes first, and is all we want */
}

static void open_self(void)
{
	ssize_t length = readlink("/proc/self/exe", self.path, sizeof self.path - 1);

	ck_assert_int_gt(length, 0);
	dl_iterate_phdr(look_at_program, NULL);
	symbolizer = symbolizer_create(NULL);
	module = symbolizer_find_module(symbolizer, self.path, self.build_id);
	ck_assert_ptr_null(symbol_module_problem(module));
}

static void close_self(void)
{
	symbolizer_destroy(symbolizer);
}

static uint64_t in_file(const void *address)
{
	return (uint64_t)(uintptr_t)address - self.base;
}

START_TEST(names_a_static_routine_by_its_first_address)
{
	const struct symbol_place *places;

	ck_assert_uint_eq(symbolize_code(module, in_file((void *)(uintptr_t)where_called), &places),
			  1);
	ck_assert_str_eq(places[0].routine, "where_called");
	ck_assert_str_eq(last_part(places[0].file), "test_symbolize.c");
	ck_assert(!places[0].is_inlined);
}
END_TEST

START_TEST(follows_inlined_routines_outwards)
{
	const struct symbol_place *places;

	static_routine();
	ck_assert_uint_eq(symbolize_code(module, in_file((void *)seen.address), &places), 3);
	ck_assert_str_eq(places[0].routine, "innermost");
	ck_assert_uint_eq(places[0].line, seen.line);
	ck_assert(places[0].is_inlined);
	ck_assert_str_eq(places[1].routine, "middle");
	ck_assert(places[1].is_inlined);
	ck_assert_str_eq(places[2].routine, "static_routine");
	ck_assert_uint_eq(places[2].line, outer.line);
	ck_assert_str_eq(last_part(places[2].file), "test_symbolize.c");
	ck_assert(!places[2].is_inlined);
}
END_TEST

START_TEST(answers_the_same_question_from_its_memory)
{
	const struct symbol_place *first, *second;
	uint64_t address = in_file((void *)(uintptr_t)static_routine);

	symbolize_code(module, address, &first);
	symbolize_code(module, address, &second);
	ck_assert_ptr_eq(first, second);
}
END_TEST

START_TEST(remembers_more_addresses_than_it_had_room_for)
{
	const struct symbol_place *places;
	uint64_t address = in_file((void *)(uintptr_t)static_routine);

	for (uint64_t i = 0; i < 5000; i++)
		ck_assert_uint_ge(symbolize_code(module, i, &places), 1);
	symbolize_code(module, address, &places);
	ck_assert_str_eq(places[0].routine, "static_routine");
}
END_TEST

START_TEST(names_a_static_variable)
{
	ck_assert_str_eq(symbolize_data(module, in_file(&symbolizer)), "symbolizer");
}
END_TEST

START_TEST(names_parts_of_a_variable)
{
	ck_assert_str_eq(symbolize_data(module, in_file(&table_of_locks)),
			 "table_of_locks.first[0]");
	ck_assert_str_eq(symbolize_data(module, in_file(&table_of_locks.first[2])),
			 "table_of_locks.first[2]");
	ck_assert_str_eq(symbolize_data(module, in_file(&table_of_locks.second)),
			 "table_of_locks.second");
}
END_TEST

START_TEST(says_how_far_in_a_part_a_place_is)
{
	ck_assert_str_eq(symbolize_data(module, in_file(&table_of_locks.second) + 3),
			 "table_of_locks.second+3");
}
END_TEST

START_TEST(remembers_what_it_said_of_a_variable)
{
	ck_assert_ptr_eq(symbolize_data(module, in_file(&table_of_locks.second)),
			 symbolize_data(module, in_file(&table_of_locks.second)));
}
END_TEST

START_TEST(cuts_the_number_of_a_routines_own_variable)
{
	static long own_counter;

	own_counter++;
	const char *name = symbolize_data(module, in_file(&own_counter));
	const char *dot =
		strrchr(name, '.'); /* clang puts the routine in front: `routine.own_counter` */
	ck_assert_str_eq(dot ? dot + 1 : name, "own_counter");
}
END_TEST

START_TEST(knows_no_variable_where_there_is_none)
{
	ck_assert_ptr_null(symbolize_data(module, 1));
}
END_TEST

START_TEST(says_module_and_offset_where_nothing_is_known)
{
	const struct symbol_place *places;
	char expected[PATH_MAX + 32];

	ck_assert_uint_eq(symbolize_code(module, 0x7fffffffff, &places), 1);
	snprintf(expected, sizeof expected, "%s+0x7fffffffff", last_part(self.path));
	ck_assert_str_eq(places[0].routine, expected);
	ck_assert_ptr_null(places[0].file);
	ck_assert_uint_eq(places[0].line, 0);
}
END_TEST

START_TEST(refuses_a_file_that_was_changed)
{
	const struct symbol_place *places;
	struct symbol_module *other =
		symbolizer_find_module(symbolizer, self.path, "00112233445566");

	symbolize_code(other, in_file((void *)(uintptr_t)static_routine), &places);
	ck_assert_ptr_nonnull(strchr(places[0].routine, '+'));
	ck_assert_ptr_nonnull(strstr(symbol_module_problem(other), "was changed since the run"));
}
END_TEST

START_TEST(says_why_a_file_cannot_be_read)
{
	struct symbol_module *gone =
		symbolizer_find_module(symbolizer, "/nonexistent/libgone.so", "");

	ck_assert_str_eq(symbol_module_problem(gone),
			 "cannot read /nonexistent/libgone.so: No such file or directory");
}
END_TEST

START_TEST(does_not_look_for_a_relative_path_in_its_own_directory)
{
	struct symbol_module *relative = symbolizer_find_module(symbolizer, "lib/plug.so", "");

	ck_assert_str_eq(symbol_module_problem(relative),
			 "cannot find lib/plug.so: its directory is not known");
}
END_TEST

START_TEST(finds_a_relative_path_below_the_users_directory)
{
	char directory[PATH_MAX];

	strcpy(directory, self.path);
	*strrchr(directory, '/') = '\0';
	struct symbolizer *other = symbolizer_create(directory);
	ck_assert_ptr_null(symbol_module_problem(
		symbolizer_find_module(other, last_part(self.path), self.build_id)));
	symbolizer_destroy(other);
}
END_TEST

START_TEST(takes_a_name_in_brackets_for_what_it_is)
{
	const struct symbol_place *places;
	struct symbol_module *vdso = symbolizer_find_module(symbolizer, "[vdso]", "");

	ck_assert_uint_eq(symbolize_code(vdso, 0x9a0, &places), 1);
	ck_assert_str_eq(places[0].routine, "[vdso]+0x9a0");
	ck_assert_ptr_null(symbol_module_problem(vdso));
}
END_TEST

START_TEST(opens_a_module_once)
{
	ck_assert_ptr_eq(symbolizer_find_module(symbolizer, self.path, self.build_id), module);
}
END_TEST

START_TEST(finds_a_moved_program_below_the_users_directory)
{
	char directory[PATH_MAX], moved[PATH_MAX + 32];
	const struct symbol_place *places;

	strcpy(directory, self.path);
	*strrchr(directory, '/') = '\0';
	snprintf(moved, sizeof moved, "/nonexistent/%s", last_part(self.path));
	struct symbolizer *other = symbolizer_create(directory);
	struct symbol_module *there = symbolizer_find_module(other, moved, self.build_id);
	symbolize_code(there, in_file((void *)(uintptr_t)static_routine), &places);
	ck_assert_str_eq(places[0].routine, "static_routine");
	ck_assert_ptr_null(symbol_module_problem(there));
	symbolizer_destroy(other);
}
END_TEST

static const struct {
	const char *symbol;
	const char *name;
} names[] = {
	{"main", "main"},
	{"_ZN2ns5Class6methodEi", "ns::Class::method"},
	{"_ZN2ns5ClassC1Ev", "ns::Class::Class"},
	{"_Z5applyIiEvT_", "apply<int>"},
	{"_Z3foov.part.0", "foo"},
	{"ramp._omp_fn.0", "ramp"},
	{"ramp.omp_outlined", "ramp"},
	{"_ZN2ns4rampEv._omp_fn.3", "ns::ramp"},
	{".omp_outlined..3", ".omp_outlined..3"}, /* says nothing about the routine */
	{"work.constprop.0.isra.0", "work"},
	{"work.cold", "work"},
	{"pthread_mutex_lock@@GLIBC_2.2.5", "pthread_mutex_lock"},
	{"_ZN4demo4main17h0123456789abcdefE", "demo::main"}, /* Rust, legacy */
	{"_RNvCs1234_7mycrate3foo", "mycrate::foo"},         /* Rust, version 0 */
	{"_Zebra", "_Zebra"},
};

START_TEST(makes_names_readable)
{
	struct text_pool pool = {0};

	ck_assert_str_eq(routine_name(&pool, names[_i].symbol), names[_i].name);
	text_pool_clear(&pool);
}
END_TEST

int main(void)
{
	TCase *self_case = tcase_create("self"), *name_case = tcase_create("names");
	Suite *suite = suite_create("symbolize");

	tcase_add_checked_fixture(self_case, open_self, close_self);
	tcase_add_test(self_case, names_a_static_routine_by_its_first_address);
	tcase_add_test(self_case, follows_inlined_routines_outwards);
	tcase_add_test(self_case, answers_the_same_question_from_its_memory);
	tcase_add_test(self_case, remembers_more_addresses_than_it_had_room_for);
	tcase_add_test(self_case, names_a_static_variable);
	tcase_add_test(self_case, names_parts_of_a_variable);
	tcase_add_test(self_case, says_how_far_in_a_part_a_place_is);
	tcase_add_test(self_case, remembers_what_it_said_of_a_variable);
	tcase_add_test(self_case, cuts_the_number_of_a_routines_own_variable);
	tcase_add_test(self_case, knows_no_variable_where_there_is_none);
	tcase_add_test(self_case, says_module_and_offset_where_nothing_is_known);
	tcase_add_test(self_case, refuses_a_file_that_was_changed);
	tcase_add_test(self_case, says_why_a_file_cannot_be_read);
	tcase_add_test(self_case, takes_a_name_in_brackets_for_what_it_is);
	tcase_add_test(self_case, does_not_look_for_a_relative_path_in_its_own_directory);
	tcase_add_test(self_case, finds_a_relative_path_below_the_users_directory);
	tcase_add_test(self_case, opens_a_module_once);
	tcase_add_test(self_case, finds_a_moved_program_below_the_users_directory);
	tcase_add_loop_test(name_case, makes_names_readable, 0, sizeof names / sizeof names[0]);
	suite_add_tcase(suite, self_case);
	suite_add_tcase(suite, name_case);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}

/* SPDX-License-Identifier: MIT */
/* What of a report's names is written for the next one, and what that reads. */
#include "analyze/symbols/name_file.h"

#include "tests/unit/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { OLD_MAX = 5 };

static char path[] = "/tmp/test_name_file.XXXXXX";

/* An answer without names: at an address, in a process whose objects have this text; NULL: any. */
static const struct name_question *question_of(struct name_answers *answers, uint64_t address,
					       const char *scope)
{
	static struct name_question question;

	question = (struct name_question){.kind = scope ? NAME_TAIL : NAME_OPEN,
					  .address = address,
					  .scope = name_answers_text(answers, scope)};
	return &question;
}

static void add(struct name_answers *answers, uint64_t address, const char *scope)
{
	name_answers_add(answers, question_of(answers, address, scope), NULL, 0);
}

static bool is_there(struct name_answers *answers, uint64_t address, const char *scope)
{
	return name_answers_find(answers, question_of(answers, address, scope)) != NULL;
}

static void write_file(struct name_answers *answers)
{
	unlink(path);
	ck_assert(name_file_write(path, "me", answers, OLD_MAX));
	name_answers_destroy(answers);
}

static struct name_answers *read_file(void)
{
	struct name_answers *answers = name_file_read(path, "me");

	ck_assert_ptr_nonnull(answers);
	return answers;
}

/* Eight programs, one report each. */
static void report_programs(void)
{
	char program[16];

	write_file(name_answers_create());
	for (int i = 0; i < 8; i++) {
		struct name_answers *answers = read_file();

		snprintf(program, sizeof program, "program %d", i);
		add(answers, 1, program);
		add(answers, 2, program);
		add(answers, 100 + (uint64_t)i, NULL);
		write_file(answers);
	}
}

START_TEST(what_is_of_any_process_is_kept)
{
	report_programs();
	struct name_answers *answers = read_file();

	for (int i = 0; i < 8; i++)
		ck_assert(is_there(answers, 100 + (uint64_t)i, NULL));
	name_answers_destroy(answers);
}
END_TEST

START_TEST(the_oldest_of_other_processes_are_left_out)
{
	report_programs();
	struct name_answers *answers = read_file();

	/* the last report's two, and five of those before it */
	ck_assert_uint_eq(name_answers_count(answers), 8 + 2 + OLD_MAX);
	ck_assert(is_there(answers, 1, "program 7") && is_there(answers, 2, "program 7"));
	ck_assert(is_there(answers, 1, "program 5") && is_there(answers, 2, "program 4"));
	ck_assert(!is_there(answers, 1, "program 4") && !is_there(answers, 2, "program 0"));
	name_answers_destroy(answers);
}
END_TEST

START_TEST(what_is_asked_for_is_young_again)
{
	report_programs();
	struct name_answers *answers = read_file();

	ck_assert(is_there(answers, 2, "program 4"));
	for (uint64_t i = 0; i < 3; i++)
		add(answers, i, "another");
	write_file(answers);
	answers = read_file();
	add(answers, 0, "one more");
	write_file(answers);
	answers = read_file();
	ck_assert(is_there(answers, 2, "program 4") && is_there(answers, 2, "another"));
	ck_assert(!is_there(answers, 2, "program 6"));
	name_answers_destroy(answers);
}
END_TEST

START_TEST(a_report_of_many_processes_keeps_its_own)
{
	struct name_answers *answers = name_answers_create();
	char program[16];

	for (int i = 0; i < 50; i++) {
		snprintf(program, sizeof program, "program %d", i);
		add(answers, 1, program);
	}
	write_file(answers);
	answers = read_file();
	ck_assert_uint_eq(name_answers_count(answers), 50);
	name_answers_destroy(answers);
}
END_TEST

static void create_file(void)
{
	int file = mkstemp(path);

	ck_assert_int_ge(file, 0);
	close(file);
}

static void remove_file(void)
{
	unlink(path);
	strcpy(strrchr(path, '.'), ".XXXXXX");
}

UNIT_MAIN_WITH(create_file, remove_file, "names that are kept", what_is_of_any_process_is_kept,
	       the_oldest_of_other_processes_are_left_out, what_is_asked_for_is_young_again,
	       a_report_of_many_processes_keeps_its_own)

/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "analyze/symbols/source_text.h"
#include "tests/unit/unit.h"

#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define MIB ((size_t)1 << 20)

/* Every test runs in a process and a directory of its own. */
static char directory[] = "/tmp/test_source_text.XXXXXX";
static struct source_texts *texts;

static void enter_directory(void)
{
	ck_assert_ptr_nonnull(mkdtemp(directory));
	ck_assert_int_eq(chdir(directory), 0);
	texts = source_texts_create(NULL, 0, 0);
}

static void leave_directory(void)
{
	char command[64];

	source_texts_destroy(texts);
	snprintf(command, sizeof command, "rm -r %s", directory);
	ck_assert_int_eq(system(command), 0);
}

static void use_maps(const char *first, const char *second)
{
	const char *const maps[] = {first, second};

	source_texts_destroy(texts);
	texts = source_texts_create(maps, second ? 2 : 1, 0);
}

/* A path in the directory; lasts for some calls. */
static const char *in_directory(const char *path)
{
	static char texts_of[8][PATH_MAX];
	static unsigned next;
	char *text = texts_of[next++ % 8];

	snprintf(text, PATH_MAX, "%s/%s", directory, path);
	return text;
}

static void write_bytes(const char *path, const void *bytes, size_t size)
{
	FILE *file = fopen(path, "wb");

	ck_assert_ptr_nonnull(file);
	ck_assert_uint_eq(fwrite(bytes, 1, size, file), size);
	ck_assert_int_eq(fclose(file), 0);
}

static void write_text(const char *path, const char *text)
{
	write_bytes(path, text, strlen(text));
}

static void set_time(const char *path, time_t seconds, long nanoseconds)
{
	struct timespec time = {.tv_sec = seconds, .tv_nsec = nanoseconds};

	ck_assert_int_eq(utimensat(AT_FDCWD, path, (const struct timespec[2]){time, time}, 0), 0);
}

static const struct source_text *find(const char *name)
{
	return source_texts_find(texts, name, "", 0);
}

/* No file that can be opened. */
static void expect_none(const char *name, const char *problem)
{
	const struct source_text *text = find(name);

	ck_assert_str_eq(text->problem, problem);
	ck_assert_ptr_null(text->path);
	ck_assert_ptr_null(text->lines);
	ck_assert_uint_eq(text->count, 0);
	ck_assert(!text->is_fitting);
}

static void expect_first_line(const char *name, const char *line, const char *path)
{
	const struct source_text *text = find(name);

	ck_assert_msg(text->count == 1, "%s: %s", name, text->problem);
	ck_assert_str_eq(text->lines[0], line);
	ck_assert_str_eq(text->path, path);
	ck_assert_ptr_null(text->problem);
	ck_assert(text->is_fitting);
}

/* The file `a` with these bytes has these lines. */
static void expect_lines(const char *bytes, size_t count, const char *const *lines)
{
	write_text("a", bytes);
	struct source_texts *anew = source_texts_create(NULL, 0, 0);
	const struct source_text *text = source_texts_find(anew, "a", "", 0);

	ck_assert_ptr_null(text->problem);
	ck_assert_ptr_nonnull(text->lines);
	ck_assert_uint_eq(text->count, count);
	for (size_t i = 0; i < count; i++)
		ck_assert_str_eq(text->lines[i], lines[i]);
	source_texts_destroy(anew);
}

#define LINES(...)                                                                                 \
	sizeof((const char *[]){__VA_ARGS__}) / sizeof(char *), (const char *[])                   \
	{                                                                                          \
		__VA_ARGS__                                                                        \
	}

START_TEST(a_text_is_cut_at_its_line_ends)
{
	enter_directory();
	expect_lines("one\ntwo\n", LINES("one", "two"));
	expect_lines("one\ntwo", LINES("one", "two"));
	expect_lines("\n\nthree\n\n", LINES("", "", "three", ""));
	expect_lines("\n", LINES(""));
	expect_lines("", 0, NULL);
	expect_lines("a\r\n\r\nb\r\r\nc\rd\ne\r", LINES("a", "", "b", "", "c", "d", "e"));
	expect_lines("\xef\xbb\xbf\xff\n\x80", LINES("\xef\xbb\xbf\xff", "\x80"));
	leave_directory();
}
END_TEST

START_TEST(the_path_itself_is_taken)
{
	enter_directory();
	mkdir("src", 0700);
	write_text("src/a.c", "here");
	expect_first_line(in_directory("src/a.c"), "here", in_directory("src/a.c"));
	expect_first_line("src/a.c", "here", "src/a.c");
	expect_first_line("src/../src//a.c", "here", "src/../src//a.c");
	ck_assert_int_eq(symlink("src/a.c", "link"), 0);
	expect_first_line("link", "here", "link");
	leave_directory();
}
END_TEST

START_TEST(the_users_maps_lead_to_files)
{
	enter_directory();
	mkdir("new", 0700);
	mkdir("tree", 0700);
	mkdir("tree/src", 0700);
	write_text("new/a.c", "new");
	write_text("tree/src/b.c", "in tree");
	write_text("tree/c.c", "at top");
	use_maps("/build/pkg=new", "tree");
	expect_first_line("/build/pkg/a.c", "new", "new/a.c");
	expect_first_line("/build/x/../pkg/a.c", "new", "new/a.c");
	expect_first_line("/build/pkg/src/b.c", "in tree", "tree/src/b.c");
	expect_first_line("/build/pkg/src/c.c", "at top", "tree/c.c");
	expect_none("/build/pkg/src/d.c", "was not found");
	leave_directory();
}
END_TEST

START_TEST(a_map_is_asked_before_the_path_and_a_tree_after_it)
{
	enter_directory();
	mkdir("new", 0700);
	mkdir("old", 0700);
	mkdir("tree", 0700);
	write_text("new/a.c", "new");
	write_text("old/a.c", "old");
	write_text("old/b.c", "old");
	write_text("tree/b.c", "tree");
	char map[2 * PATH_MAX];
	snprintf(map, sizeof map, "%s=new", in_directory("old"));
	use_maps("tree", map);
	expect_first_line(in_directory("old/a.c"), "new", "new/a.c");
	expect_first_line(in_directory("old/b.c"), "old", in_directory("old/b.c"));
	/* of a relative path the user knows more than the current directory */
	expect_first_line("old/b.c", "tree", "tree/b.c");
	leave_directory();
}
END_TEST

START_TEST(the_search_passes_what_is_no_file)
{
	enter_directory();
	mkdir("tree", 0700);
	mkdir("old", 0700);
	mkdir("old/a.c", 0700);
	write_text("tree/a.c", "tree");
	use_maps("/build=old", "tree");
	expect_first_line("/build/a.c", "tree", "tree/a.c");
	mkdir("old/b.c", 0700);
	expect_none("/build/b.c", "is no regular file");
	leave_directory();
}
END_TEST

START_TEST(what_is_not_there_was_not_found)
{
	enter_directory();
	write_text("file", "x");
	char *longest = calloc(3, PATH_MAX);
	memset(longest, 'a', 300);
	expect_none(longest, "was not found");
	memset(longest, 'a', 2 * PATH_MAX);
	expect_none(longest, "was not found");
	free(longest);
	expect_none("", "was not found");
	expect_none("/nonexistent/a.c", "was not found");
	expect_none("a.c", "was not found");
	expect_none("file/a.c", "was not found");
	expect_none("<artificial>", "was not found");
	leave_directory();
}
END_TEST

/* A pipe without a writer would block who opens it, and one with a writer would wake that. */
START_TEST(what_is_no_file_is_not_opened)
{
	enter_directory();
	mkdir("d", 0700);
	ck_assert_int_eq(mkfifo("pipe", 0600), 0);
	ck_assert_int_eq(symlink("pipe", "link"), 0);
	ck_assert_int_eq(symlink("round", "round"), 0);
	int opened = inotify_init1(IN_NONBLOCK);
	ck_assert_int_ge(inotify_add_watch(opened, "pipe", IN_OPEN), 0);
	expect_none("pipe", "is no regular file");
	expect_none("link", "is no regular file");
	expect_none("d", "is no regular file");
	expect_none(in_directory("d/"), "is no regular file");
	expect_none("/", "is no regular file");
	expect_none("/dev/zero", "is no regular file");
	expect_none("round", "cannot be read: Too many levels of symbolic links");
	ck_assert_int_eq(read(opened, (char[256]){0}, 256), -1);
	close(opened);
	leave_directory();
}
END_TEST

/* root reads everything, so it becomes somebody else here. */
START_TEST(says_why_a_file_cannot_be_read)
{
	enter_directory();
	uid_t user = geteuid();
	ck_assert_int_eq(chmod(directory, 0755), 0);
	mkdir("tree", 0755);
	write_text("tree/b.c", "readable");
	ck_assert_int_eq(chmod("tree/b.c", 0644), 0);
	write_text("a.c", "secret");
	write_text("b.c", "secret");
	ck_assert_int_eq(chmod("a.c", 0), 0);
	ck_assert_int_eq(chmod("b.c", 0), 0);
	use_maps("tree", NULL);
	ck_assert_int_eq(seteuid(user ? user : 65534), 0);
	expect_none(in_directory("a.c"), "cannot be read: Permission denied");
	expect_first_line(in_directory("b.c"), "readable", "tree/b.c");
	ck_assert_int_eq(seteuid(user), 0);
	leave_directory();
}
END_TEST

/* It was found, but there are no lines of it. */
static void expect_no_lines(const char *name, const char *problem)
{
	const struct source_text *text = source_texts_find(texts, name, "", 7);

	ck_assert_str_eq(text->problem, problem);
	ck_assert_str_eq(text->path, name);
	ck_assert_ptr_null(text->lines);
	ck_assert_uint_eq(text->count, 0);
	ck_assert(!text->is_fitting);
}

START_TEST(bytes_of_nul_are_no_text)
{
	enter_directory();
	write_bytes("begin", "\0one\n", 5);
	write_bytes("end", "one\n\0", 5);
	expect_no_lines("begin", "is no text");
	expect_no_lines("end", "is no text");
	leave_directory();
}
END_TEST

START_TEST(a_text_has_at_most_16_mib)
{
	enter_directory();
	char *bytes = malloc(16 * MIB + 1);
	memset(bytes, 'x', 16 * MIB + 1);
	write_bytes("most", bytes, 16 * MIB);
	write_bytes("more", bytes, 16 * MIB + 1);
	free(bytes);
	const struct source_text *text = find("most");
	ck_assert_ptr_null(text->problem);
	ck_assert_uint_eq(text->count, 1);
	ck_assert_uint_eq(strlen(text->lines[0]), 16 * MIB);
	expect_no_lines("more", "is larger than 16 MiB");
	ck_assert_int_eq(truncate("more", (off_t)1 << 40), 0); /* of which nothing is read */
	use_maps("tree", NULL);
	expect_no_lines("more", "is larger than 16 MiB");
	leave_directory();
}
END_TEST

static const char *judge(const char *name, const char *built_in, unsigned last_line)
{
	const struct source_text *text = source_texts_find(texts, name, built_in, last_line);

	ck_assert_uint_eq(text->count, 2);
	ck_assert_str_eq(text->lines[1], "two");
	ck_assert_int_eq(text->is_fitting, !text->problem);
	return text->problem;
}

START_TEST(a_source_must_not_be_newer_than_the_program)
{
	enter_directory();
	ck_assert_int_eq(setenv("TZ", "UTC0", 1), 0);
	tzset();
	write_text("a.c", "one\ntwo\n");
	set_time("a.c", 1795525259, 5); /* 2026-11-24 13:00:59 */
	static const struct {
		time_t seconds;
		long nanoseconds;
		bool is_fitting;
	} objects[] = {{1795525259, 5, true},  {1795525259, 6, true},  {1795525260, 0, true},
		       {1795525259, 4, false}, {1795525258, 6, false}, {-1, 0, false}};

	for (size_t i = 0; i < sizeof objects / sizeof objects[0]; i++) {
		char object[16];
		snprintf(object, sizeof object, "object%zu", i);
		write_text(object, "");
		set_time(object, objects[i].seconds, objects[i].nanoseconds);
		const char *problem = judge("a.c", object, 2);
		ck_assert_int_eq(problem == NULL, objects[i].is_fitting);
		if (problem)
			ck_assert_str_eq(problem,
					 "is newer than the program: modified 2026-11-24 13:00");
	}
	leave_directory();
}
END_TEST

START_TEST(an_object_that_is_not_known_says_nothing)
{
	enter_directory();
	write_text("a.c", "one\ntwo\n");
	mkdir("old", 0700);
	set_time("old", 1000, 0);
	ck_assert_ptr_null(judge("a.c", "", 2));
	ck_assert_ptr_null(judge("a.c", "gone", 2));
	ck_assert_ptr_null(judge("a.c", "old", 2));
	ck_assert_ptr_null(judge("a.c", "[vdso]", 2));
	leave_directory();
}
END_TEST

START_TEST(a_source_has_the_lines_that_were_executed)
{
	enter_directory();
	write_text("a.c", "one\ntwo\n");
	write_text("one.c", "one");
	write_text("none.c", "");
	ck_assert_ptr_null(judge("a.c", "", 0));
	ck_assert_ptr_null(judge("a.c", "", 2));
	ck_assert_str_eq(judge("a.c", "", 3), "has 2 lines only, line 3 was executed");
	ck_assert_str_eq(judge("a.c", "", UINT_MAX),
			 "has 2 lines only, line 4294967295 was executed");
	ck_assert_str_eq(source_texts_find(texts, "one.c", "", 3)->problem,
			 "has 1 line only, line 3 was executed");
	ck_assert_str_eq(source_texts_find(texts, "none.c", "", 1)->problem,
			 "has 0 lines only, line 1 was executed");
	leave_directory();
}
END_TEST

START_TEST(a_newer_file_is_called_so_whatever_its_lines_are)
{
	enter_directory();
	write_text("a.c", "one\ntwo\n");
	write_text("old", "");
	set_time("old", 1000, 0);
	ck_assert_ptr_nonnull(strstr(judge("a.c", "old", 3), "newer than the program"));
	leave_directory();
}
END_TEST

START_TEST(each_object_is_judged_by_the_same_lines)
{
	enter_directory();
	write_text("a.c", "one\ntwo\n");
	write_text("old", "");
	set_time("old", 1000, 0);
	const struct source_text *fitting = find("a.c");
	const struct source_text *newer = source_texts_find(texts, "a.c", "old", 0);
	const struct source_text *shorter = source_texts_find(texts, "a.c", "", 3);

	ck_assert(fitting->is_fitting && !newer->is_fitting && !shorter->is_fitting);
	ck_assert_ptr_eq(fitting->lines, newer->lines);
	ck_assert_ptr_eq(fitting->lines, shorter->lines);
	ck_assert_ptr_eq(fitting->lines, find(in_directory("a.c"))->lines);
	ck_assert_ptr_eq(fitting, find("a.c"));
	ck_assert_ptr_eq(newer, source_texts_find(texts, "a.c", "old", 0));
	leave_directory();
}
END_TEST

/* The memory of what callers gave is theirs, and answers stay where they are. */
START_TEST(answers_last)
{
	enter_directory();
	write_text("a.c", "one\ntwo\n");
	char name[] = "a.c", object[] = "none", map[] = "/build=.";
	use_maps(map, NULL);
	memset(map, 'x', strlen(map));
	const struct source_text *text = source_texts_find(texts, name, object, 0);
	name[0] = object[0] = 'b';
	for (unsigned line = 1; line < 2000; line++)
		source_texts_find(texts, "a.c", "", line);
	ck_assert_ptr_eq(source_texts_find(texts, "a.c", "none", 0), text);
	ck_assert_str_eq(source_texts_find(texts, "/build/a.c", "", 0)->path, "./a.c");
	ck_assert_ptr_null(find("b.c")->path);
	ck_assert_str_eq(text->lines[0], "one");
	leave_directory();
}
END_TEST

START_TEST(what_was_modified_meanwhile_is_read_again)
{
	enter_directory();
	write_text("a.c", "one\ntwo\n");
	const struct source_text *before = find("a.c");
	write_text("a.c", "one\n2\n3\n");
	const struct source_text *after = source_texts_find(texts, "a.c", "", 3);

	ck_assert_ptr_null(after->problem);
	ck_assert_str_eq(after->lines[1], "2");
	ck_assert_str_eq(before->lines[1], "two");
	leave_directory();
}
END_TEST

START_TEST(nothing_is_left_open)
{
	enter_directory();
	write_text("a.c", "one");
	mkdir("d", 0700);
	int before = open("/dev/null", O_RDONLY);
	close(before);
	find("a.c");
	find("d");
	find("gone");
	source_texts_find(texts, "a.c", "", 9);
	int after = open("/dev/null", O_RDONLY);
	ck_assert_int_eq(after, before);
	close(after);
	source_texts_destroy(NULL);
	leave_directory();
}
END_TEST

START_TEST(a_source_that_was_modified_after_the_run_began_is_not_that_of_the_run)
{
	enter_directory();
	write_text("a.c", "one\n");
	set_time("a.c", 1000, 500);
	source_texts_destroy(texts);
	texts = source_texts_create(NULL, 0, 1000 * 1000000000ull + 500);
	ck_assert(find("a.c")->is_fitting);
	source_texts_destroy(texts);
	texts = source_texts_create(NULL, 0, 1000 * 1000000000ull + 499);
	ck_assert(!find("a.c")->is_fitting);
	ck_assert_ptr_nonnull(strstr(find("a.c")->problem, "is newer than the run: modified "));
	ck_assert_uint_eq(find("a.c")->count, 1);
	leave_directory();
}
END_TEST

/* Of a program that hides where it was compiled (-ffile-prefix-map), by someone in another project.
 */
START_TEST(a_relative_name_does_not_say_whose_it_is)
{
	enter_directory();
	write_text("a.c", "one\n");
	const struct source_text *text = source_texts_find(texts, "a.c", "/nowhere/program", 1);
	ck_assert(!text->is_fitting);
	ck_assert_str_eq(text->problem,
			 "was found below the current directory, which may be another one");
	ck_assert_str_eq(text->lines[0], "one");
	leave_directory();
}
END_TEST

START_TEST(a_carriage_return_ends_a_line)
{
	enter_directory();
	expect_lines("a\rb\r\nc\n\rd\r", LINES("a", "b", "c", "", "d"));
	leave_directory();
}
END_TEST

UNIT_MAIN("source_text", a_relative_name_does_not_say_whose_it_is, a_carriage_return_ends_a_line,
	  a_source_that_was_modified_after_the_run_began_is_not_that_of_the_run,
	  a_text_is_cut_at_its_line_ends, the_path_itself_is_taken, the_users_maps_lead_to_files,
	  a_map_is_asked_before_the_path_and_a_tree_after_it, the_search_passes_what_is_no_file,
	  what_is_not_there_was_not_found, what_is_no_file_is_not_opened,
	  says_why_a_file_cannot_be_read, bytes_of_nul_are_no_text, a_text_has_at_most_16_mib,
	  a_source_must_not_be_newer_than_the_program, an_object_that_is_not_known_says_nothing,
	  a_source_has_the_lines_that_were_executed,
	  a_newer_file_is_called_so_whatever_its_lines_are, each_object_is_judged_by_the_same_lines,
	  answers_last, what_was_modified_meanwhile_is_read_again, nothing_is_left_open)

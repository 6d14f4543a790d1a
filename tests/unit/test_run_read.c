/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE 1
#include "analyze/read/process_alive.h"
#include "analyze/read/profile_read.h"
#include "analyze/read/run_find.h"
#include "analyze/read/run_of_process.h"
#include "analyze/read/run_read.h"
#include "common/real_clock.h"
#include "tests/programs/profile_scenes.h"
#include "tests/unit/unit.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static char directory[] = "/tmp/test_run_read.XXXXXX";

/* Every test runs in a process and a directory of its own. */
static void enter_directory(void)
{
	ck_assert_ptr_nonnull(mkdtemp(directory));
	ck_assert_int_eq(chdir(directory), 0);
}

static void leave_directory(void)
{
	char command[64];

	snprintf(command, sizeof command, "rm -r %s", directory);
	ck_assert_int_eq(system(command), 0);
}

static void write_file(const char *path, const void *bytes, size_t size)
{
	FILE *file = fopen(path, "wb");

	ck_assert_ptr_nonnull(file);
	ck_assert_uint_eq(fwrite(bytes, 1, size, file), size);
	fclose(file);
}

static void write_scene(const char *path, const char *name)
{
	size_t size;
	unsigned char *bytes = scene_make(name, &size);

	write_file(path, bytes, size);
	free(bytes);
}

static void write_text(const char *path, const char *text)
{
	write_file(path, text, strlen(text));
}

static void expect_problem(const char *path, const char *words)
{
	char *problem = NULL;

	ck_assert_ptr_null(run_files_open(path, &problem));
	ck_assert_msg(strstr(problem, words) != NULL, "%s", problem);
	free(problem);
}

START_TEST(a_run_has_a_command_and_profiles)
{
	char *problem;

	enter_directory();
	mkdir("r", 0700);
	write_text("r/run.json", "{\"format\":\"ptrace-run\",\"version\":1,\"command\":[\"a\",\"b "
				 "c\"],\"start\":\"2026-01-02T03:04:05Z\"}");
	write_scene("r/h-1-0.profile", "workers");
	write_scene("r/h-2-0.profile", "killed");
	struct run_files *files = run_files_open("r", &problem);

	ck_assert_ptr_nonnull(files);
	ck_assert_str_eq(files->command, "a b c");
	ck_assert_str_eq(files->start, "2026-01-02T03:04:05Z");
	ck_assert_uint_eq(files->process_count, 2);
	ck_assert(!files->processes[1].is_alive);
	ck_assert_uint_eq(files->problems.count, 0);
	run_files_destroy(files);
	leave_directory();
}
END_TEST

START_TEST(what_cannot_be_read_is_left_out_and_said)
{
	char *problem;

	enter_directory();
	mkdir("r", 0700);
	mkdir("r/directory.profile", 0700);
	mkfifo("r/pipe.profile", 0600);
	write_text("r/empty.profile", "");
	write_text("r/foreign.profile",
		   "this is a text and no profile at all; but it is long enough to hold a header, "
		   "which takes some more than a hundred and twenty bytes as it happens to be");
	write_text("r/run.json", "{ broken");
	write_scene("r/good.profile", "workers");
	struct run_files *files = run_files_open("r", &problem);

	ck_assert_ptr_nonnull(files);
	ck_assert_uint_eq(files->process_count, 1);
	ck_assert_uint_eq(files->problems.count, 5);
	ck_assert(files->is_damaged);
	ck_assert_ptr_null(files->command);
	run_files_destroy(files);
	leave_directory();
}
END_TEST

/* As the profiler maps it. */
static void map_shared(const char *path)
{
	int file = open(path, O_RDWR | O_CLOEXEC);

	ck_assert_int_ge(file, 0);
	ck_assert(mmap(NULL, 4096, PROT_READ, MAP_SHARED, file, 0) != MAP_FAILED);
	close(file);
}

static void expect_of_process(const char *number, const char *words)
{
	char *problem = NULL;

	ck_assert_ptr_null(run_profile_of_process(number, &problem));
	ck_assert_msg(strstr(problem, words) != NULL, "%s", problem);
	free(problem);
}

START_TEST(a_process_leads_to_the_profile_that_it_has_mapped)
{
	char number[16], path[64], *problem = NULL;

	enter_directory();
	snprintf(number, sizeof number, "%d", getpid());
	snprintf(path, sizeof path, "a\nrun/h-%s-1.profile", number);
	expect_of_process(number, "is not profiled: ptrace-attach");
	expect_of_process("4000000", "there is no process 4000000");
	mkdir("a\nrun", 0700);
	write_text("other.profile", "no profile at all");
	map_shared("other.profile");
	expect_of_process(number, "is not profiled");
	write_scene(path, "workers");
	map_shared(path);
	write_scene("h-1-0.profile", "workers"); /* a parent's */
	map_shared("h-1-0.profile");
	char *found = run_profile_of_process(number, &problem), *run;

	ck_assert_ptr_nonnull(found);
	ck_assert_ptr_nonnull(strstr(found, path));
	run = run_find_named(number, &problem);
	ck_assert_ptr_nonnull(run);
	ck_assert_str_eq(strrchr(run, '/'), "/a\nrun");
	free(found);
	free(run);
	unlink(path);
	unlink("h-1-0.profile");
	expect_of_process(number, "somebody removed its profile");
	leave_directory();
}
END_TEST

START_TEST(a_file_with_a_number_for_a_name_is_no_process)
{
	enter_directory();
	ck_assert(run_is_process("1"));
	mkdir("1", 0700);
	ck_assert(!run_is_process("1"));
	ck_assert(!run_is_process("12x"));
	ck_assert(!run_is_process(""));
	leave_directory();
}
END_TEST

START_TEST(nothing_readable_is_an_error_that_says_why)
{
	enter_directory();
	expect_problem("missing", "No such file");
	expect_problem(NULL, "no run below the current directory");
	mkdir("r", 0700);
	expect_problem("r", "holds no profile");
	write_text("r/x.profile", "");
	expect_problem("r", "x.profile is empty");
	expect_problem("r/x.profile", "is empty");
	leave_directory();
}
END_TEST

START_TEST(a_single_profile_is_a_run)
{
	char *problem;

	enter_directory();
	write_scene("p", "workers");
	struct run_files *files = run_files_open("p", &problem);

	ck_assert_uint_eq(files->process_count, 1);
	run_files_destroy(files);
	leave_directory();
}
END_TEST

static void set_time(const char *path, time_t seconds)
{
	struct timespec times[2] = {{.tv_sec = seconds}, {.tv_sec = seconds}};

	ck_assert_int_eq(utimensat(AT_FDCWD, path, times, 0), 0);
}

START_TEST(the_newest_run_is_meant)
{
	enter_directory();
	mkdir("a.ptrace.1", 0700);
	mkdir("b.ptrace.1", 0700);
	mkdir("c.ptrace.1", 0700); /* not a run */
	write_scene("a.ptrace.1/x.profile", "workers");
	write_text("b.ptrace.1/run.json", "{}");
	set_time("a.ptrace.1", 2000);
	set_time("b.ptrace.1", 1000);
	set_time("c.ptrace.1", 3000);
	char *found = run_find_newest();

	ck_assert_str_eq(found, "a.ptrace.1");
	free(found);
	set_time("b.ptrace.1", 2001);
	found = run_find_newest();
	ck_assert_str_eq(found, "b.ptrace.1");
	free(found);
	leave_directory();
}
END_TEST

static struct profile *profile_of(uint32_t pid, uint64_t start_ns, const char *host)
{
	struct builder builder;
	size_t size;
	char *problem;

	builder_start(&builder);
	builder.header.state = FORMAT_STATE_RUNNING;
	builder.header.pid = pid;
	builder.header.start_ns = start_ns;
	struct row_process row = {.pid = pid, .host = builder_text(&builder, host)};

	builder_add(&builder, TABLE_process, FORMAT_NO_OWNER, &row);
	unsigned char *bytes = builder_finish(&builder, &size);

	return profile_parse("x", bytes, size, &problem);
}

static bool is_alive(uint32_t pid, uint64_t start_ns, const char *host)
{
	struct profile *profile = profile_of(pid, start_ns, host);
	bool alive = process_is_alive(profile);

	profile_destroy(profile);
	return alive;
}

START_TEST(a_process_lives_if_it_is_here_and_old_enough)
{
	char host[256] = "";

	gethostname(host, sizeof host - 1);
	ck_assert(is_alive((uint32_t)getpid(), real_clock_ns(CLOCK_MONOTONIC) + 1000000000, host));
	ck_assert(!is_alive((uint32_t)getpid(), 1, host)); /* the number was used again */
	ck_assert(!is_alive((uint32_t)getpid(), real_clock_ns(CLOCK_MONOTONIC), "elsewhere"));
	ck_assert(!is_alive(0, real_clock_ns(CLOCK_MONOTONIC), host));
	ck_assert(!is_alive(0xffffffff, real_clock_ns(CLOCK_MONOTONIC), host));
}
END_TEST

UNIT_MAIN("run_read", a_run_has_a_command_and_profiles, what_cannot_be_read_is_left_out_and_said,
	  nothing_readable_is_an_error_that_says_why, a_single_profile_is_a_run,
	  the_newest_run_is_meant, a_process_lives_if_it_is_here_and_old_enough,
	  a_process_leads_to_the_profile_that_it_has_mapped,
	  a_file_with_a_number_for_a_name_is_no_process)

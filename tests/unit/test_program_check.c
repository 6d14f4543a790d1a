/* SPDX-License-Identifier: MIT */
/* How ptrace-run judges a program: this test itself, and copies of it that were changed in one
 * place. */
#define _GNU_SOURCE
#include "scripts/run/program_check.h"
#include "scripts/run/sanitizer.h"
#include "tests/unit/unit.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char directory[] = "/tmp/test_program_check.XXXXXX";

static void make_directory(void)
{
	strcpy(strrchr(directory, '.'), ".XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(directory));
}

static void write_file(const char *name, const void *bytes, size_t size, char path[PATH_MAX])
{
	snprintf(path, PATH_MAX, "%s/%s", directory, name);
	int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0700);
	ck_assert_int_ge(file, 0);
	ck_assert_int_eq(write(file, bytes, size), (ssize_t)size);
	close(file);
}

static void remove_directory(void)
{
	static const char *const names[] = {"copy", "script", "tool"};
	char path[PATH_MAX];

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		snprintf(path, sizeof path, "%s/%s", directory, names[i]);
		unlink(path);
	}
	rmdir(directory);
}

/* The first pages of this program hold all headers, and are enough to be judged by. */
enum { HEAD_BYTES = 65536 };

static unsigned char *read_self(size_t *size)
{
	unsigned char *bytes = malloc(HEAD_BYTES);
	int file = open("/proc/self/exe", O_RDONLY);
	ssize_t length = read(file, bytes, HEAD_BYTES);

	ck_assert_int_gt(length, (ssize_t)sizeof(ElfW(Ehdr)));
	close(file);
	*size = (size_t)length;
	return bytes;
}

static void hide_segment(unsigned char *bytes, unsigned type)
{
	const ElfW(Ehdr) *header = (const void *)bytes;
	ElfW(Phdr) *segments = (void *)(bytes + header->e_phoff);

	for (int i = 0; i < header->e_phnum; i++)
		if (segments[i].p_type == type)
			segments[i].p_type = PT_NULL;
}

static struct program check(const char *path)
{
	struct program program;

	ck_assert_int_eq(program_find(&program, path), 0);
	program_check(&program);
	return program;
}

static struct program check_changed(void (*change)(unsigned char *))
{
	char path[PATH_MAX];
	size_t size;
	unsigned char *bytes = read_self(&size);

	change(bytes);
	write_file("copy", bytes, size, path);
	free(bytes);
	return check(path);
}

static void leave(unsigned char *bytes)
{
	(void)bytes;
}

static void hide_interpreter(unsigned char *bytes)
{
	hide_segment(bytes, PT_INTERP);
}

static void hide_all_dynamic(unsigned char *bytes)
{
	hide_segment(bytes, PT_INTERP);
	hide_segment(bytes, PT_DYNAMIC);
}

static void claim_other_machine(unsigned char *bytes)
{
	((ElfW(Ehdr) *)bytes)->e_machine = EM_RISCV;
}

START_TEST(a_dynamic_program_has_no_obstacle)
{
	ck_assert_str_eq(check_changed(leave).obstacle, "");
}
END_TEST

START_TEST(a_static_pie_program_is_named)
{
	ck_assert_ptr_nonnull(strstr(check_changed(hide_interpreter).obstacle, "static-pie"));
}
END_TEST

START_TEST(a_static_program_is_named)
{
	ck_assert_ptr_nonnull(
		strstr(check_changed(hide_all_dynamic).obstacle, "is statically linked"));
}
END_TEST

START_TEST(another_machine_is_named)
{
	ck_assert_ptr_nonnull(strstr(check_changed(claim_other_machine).obstacle, "RISC-V"));
}
END_TEST

START_TEST(a_script_is_judged_by_its_interpreter)
{
	char path[PATH_MAX], line[PATH_MAX + 32];

	check_changed(hide_all_dynamic);
	snprintf(line, sizeof line, "#! %s/copy -x\n", directory);
	write_file("script", line, strlen(line), path);
	struct program program = check(path);
	ck_assert_str_eq(program.path, path);
	ck_assert_ptr_nonnull(strstr(program.file, "/copy"));
	ck_assert_ptr_nonnull(strstr(program.obstacle, "statically"));
}
END_TEST

START_TEST(env_in_a_script_is_looked_through)
{
	static const char line[] = "#!/usr/bin/env -S NAME=value tool -x\n";
	char path[PATH_MAX], tool[PATH_MAX];

	write_file("tool", "#!/bin/sh\n", 10, tool);
	write_file("script", line, sizeof line - 1, path);
	setenv("PATH", directory, 1);
	ck_assert_str_eq(check(path).file, "/bin/sh");
}
END_TEST

START_TEST(scripts_that_call_each_other_end)
{
	char path[PATH_MAX], line[PATH_MAX + 32];

	snprintf(line, sizeof line, "#!%s/script\n", directory);
	write_file("script", line, strlen(line), path);
	ck_assert_str_eq(check(path).obstacle, "");
}
END_TEST

START_TEST(a_text_without_a_first_line_goes_to_the_shell)
{
	char path[PATH_MAX];

	write_file("script", "echo\n", 5, path);
	ck_assert_str_eq(check(path).file, "/bin/sh");
}
END_TEST

START_TEST(damaged_headers_are_survived)
{
	char path[PATH_MAX];
	size_t size;
	unsigned char *bytes = read_self(&size);

	for (size_t i = 16; i < sizeof(ElfW(Ehdr)) + 10 * sizeof(ElfW(Phdr)); i++) {
		unsigned char kept = bytes[i];

		bytes[i] = 0xff;
		write_file("copy", bytes, size, path);
		check(path);
		bytes[i] = kept;
	}
	free(bytes);
}
END_TEST

START_TEST(what_is_not_there_is_told_from_what_may_not_be_executed)
{
	struct program program;
	char path[PATH_MAX];

	ck_assert_int_eq(program_find(&program, "/nonexistent/program"), ENOENT);
	ck_assert_int_eq(program_find(&program, ""), ENOENT);
	ck_assert_int_eq(program_find(&program, "/tmp"), EACCES);
	write_file("tool", "x", 1, path);
	chmod(path, 0600);
	ck_assert_int_eq(program_find(&program, path), EACCES);
	setenv("PATH", directory, 1);
	ck_assert_int_eq(program_find(&program, "tool"), EACCES);
	ck_assert_int_eq(program_find(&program, "nothing"), ENOENT);
}
END_TEST

START_TEST(sanitizers_are_known_by_their_file_names)
{
	ck_assert(sanitizer_is_runtime("libasan.so.8"));
	ck_assert(sanitizer_is_runtime("/usr/lib/libtsan.so.2"));
	ck_assert(!sanitizer_is_runtime("libm.so.6"));
	ck_assert(!sanitizer_is_runtime("/opt/libasan.so/libm.so.6"));
	ck_assert(sanitizer_insists("libasan.so.8"));
	ck_assert(!sanitizer_insists("libtsan.so.2"));
}
END_TEST

UNIT_MAIN_WITH(make_directory, remove_directory, "program_check", a_dynamic_program_has_no_obstacle,
	       a_static_pie_program_is_named, a_static_program_is_named, another_machine_is_named,
	       a_script_is_judged_by_its_interpreter, env_in_a_script_is_looked_through,
	       scripts_that_call_each_other_end, a_text_without_a_first_line_goes_to_the_shell,
	       damaged_headers_are_survived,
	       what_is_not_there_is_told_from_what_may_not_be_executed,
	       sanitizers_are_known_by_their_file_names)

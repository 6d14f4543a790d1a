/* SPDX-License-Identifier: MIT */
/* The functions that no other library may stand in for: they are found where they are, and are the
 * kernel's and libc's own. This program stands in for some. */
#include "preload/base/direct.h"

#include "preload/base/clock.h"
#include "preload/base/environment.h"
#include "preload/base/pages.h"
#include "preload/base/system.h"

#include "tests/unit/unit.h"

#include <dlfcn.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/auxv.h>

static int strange_calls;

int clock_gettime(clockid_t id, struct timespec *time)
{
	(void)id;
	strange_calls++;
	*time = (struct timespec){1, 0};
	return 0;
}

unsigned long getauxval(unsigned long type)
{
	(void)type;
	strange_calls++;
	return 1;
}

int sigaction(int number, const struct sigaction *restrict set, struct sigaction *restrict old)
{
	(void)number;
	(void)set;
	(void)old;
	strange_calls++;
	return -1;
}

START_TEST(what_stands_in_front_is_not_called)
{
	struct sigaction action;
	strange_calls = 0;
	ck_assert_uint_gt(clock_now_ns(), UINT64_C(1000000000));
	ck_assert_uint_gt(clock_read_ns(CLOCK_REALTIME), UINT64_C(1000000000) * 1000000000);
	ck_assert_ptr_nonnull(direct.sigaction);
	ck_assert_int_eq(direct.sigaction(SIGUSR1, NULL, &action), 0);
	ck_assert_uint_eq(direct_auxiliary(AT_PAGESZ), pages_size());
	ck_assert_uint_ge(pages_size(), 4096);
	ck_assert_int_eq(strange_calls, 0);
}
END_TEST

static const char *file_of(const void *function)
{
	Dl_info info = {0};

	dladdr(function, &info);
	return info.dli_fname ? info.dli_fname : "";
}

/* It is not there under valgrind, and in some sandboxes. */
START_TEST(the_clock_is_in_the_vdso)
{
	void *libc = dlopen("libc.so.6", RTLD_LAZY | RTLD_NOLOAD);
	unsigned long (*libcs)(unsigned long) =
		(unsigned long (*)(unsigned long))dlsym(libc, "getauxval");
	bool has_vdso = libcs(AT_SYSINFO_EHDR) != 0;

	ck_assert_int_eq(strstr(file_of((const void *)direct.clock_gettime), "linux-vdso") != NULL,
			 has_vdso);
}
END_TEST

START_TEST(every_clock_runs)
{
	static const clockid_t clocks[] = {CLOCK_MONOTONIC, CLOCK_REALTIME, CLOCK_THREAD_CPUTIME_ID,
					   CLOCK_PROCESS_CPUTIME_ID};

	for (size_t i = 0; i < sizeof clocks / sizeof *clocks; i++) {
		uint64_t before = clock_read_ns(clocks[i]);
		for (volatile int j = 0; j < 100000; j++)
			;
		ck_assert_uint_gt(clock_read_ns(clocks[i]), before);
	}
}
END_TEST

START_TEST(a_processor)
{
	cpu_set_t set = {0};
	int processor = system_processor();

	ck_assert_int_gt(kernel_call(SYS_sched_getaffinity, 0, sizeof set, &set), 0);
	ck_assert_int_ge(processor, 0);
	ck_assert(CPU_ISSET(processor, &set));
}
END_TEST

START_TEST(environment)
{
	setenv("DIRECT_WORD", "a=b", 1);
	setenv("DIRECT_WORD_LONGER", "c", 1);
	ck_assert_str_eq(environment_value("DIRECT_WORD"), "a=b");
	ck_assert_str_eq(environment_value("DIRECT_WORD_LONGER"), "c");
	ck_assert_ptr_null(environment_value("DIRECT_WOR"));
	clearenv();
	ck_assert_ptr_null(environment_value("DIRECT_WORD"));
}
END_TEST

START_TEST(files)
{
	struct stat status, of_name;
	char path[4096], link[8];

	ck_assert_int_eq(system_status_of("/", &status, 0), 0);
	ck_assert(S_ISDIR(status.st_mode));
	ck_assert_int_eq(system_status_of("/proc/self/exe", &of_name, AT_SYMLINK_NOFOLLOW), 0);
	ck_assert(S_ISLNK(of_name.st_mode));
	ck_assert_uint_eq(system_read_link("/proc/self/exe", link, sizeof link), 7);
	ck_assert_uint_eq(strlen(link), 7);
	ck_assert_uint_eq(system_read_link("/", link, sizeof link), 0);
	ck_assert(system_working_directory(path, sizeof path));
	ck_assert_int_eq(path[0], '/');
	ck_assert(!system_working_directory(path, 1));
	ck_assert_int_eq(system_pid(), getpid());
}
END_TEST

UNIT_MAIN("direct", what_stands_in_front_is_not_called, the_clock_is_in_the_vdso, every_clock_runs,
	  a_processor, environment, files)

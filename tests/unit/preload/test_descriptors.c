/* SPDX-License-Identifier: MIT */
#include "preload/base/descriptors.h"
#include "tests/unit/unit.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static pthread_mutex_t until = PTHREAD_MUTEX_INITIALIZER;
static pthread_t other;

static void *wait_for_it(void *unused)
{
	pthread_mutex_lock(&until);
	pthread_mutex_unlock(&until);
	return unused;
}

static void start_other(void)
{
	pthread_mutex_lock(&until);
	pthread_create(&other, NULL, wait_for_it, NULL);
}

static void end_other(void)
{
	pthread_mutex_unlock(&until);
	pthread_join(other, NULL);
}

static int open_null(struct descriptor *file)
{
	return descriptors_open(file, "/dev/null", O_RDWR | O_CLOEXEC);
}

static bool blocks(int signal)
{
	sigset_t mask;

	sigprocmask(SIG_BLOCK, NULL, &mask);
	return sigismember(&mask, signal);
}

START_TEST(a_stretch_blocks_signals_and_ends)
{
	struct descriptor file;

	errno = 77;
	ck_assert_int_eq(open_null(&file), 0);
	ck_assert_int_ge(fcntl(file.number, F_GETFD), FD_CLOEXEC);
	ck_assert(blocks(SIGTERM));
	descriptors_close(&file);
	ck_assert(!blocks(SIGTERM));
	ck_assert_int_lt(fcntl(file.number, F_GETFD), 0);
}
END_TEST

START_TEST(what_cannot_be_opened_says_why)
{
	struct descriptor file;

	errno = 77;
	ck_assert_int_eq(descriptors_open(&file, "/nowhere/at/all", O_RDONLY | O_CLOEXEC), -ENOENT);
	ck_assert_int_eq(errno, 77);
	ck_assert(!blocks(SIGTERM));
}
END_TEST

START_TEST(a_long_stretch_moves_up)
{
	struct descriptor file;

	ck_assert_int_eq(open_null(&file), 0);
	int low = file.number;
	descriptors_move_up(&file);
	ck_assert_int_ge(file.number, 60);
	ck_assert_int_lt(fcntl(low, F_GETFD), 0);
	ck_assert_int_eq(fcntl(file.number, F_GETFD), FD_CLOEXEC);
	descriptors_close(&file);
}
END_TEST

START_TEST(numbers_of_standard_files_are_refused_beside_other_threads)
{
	struct descriptor file;
	int input = dup(0);

	close(0);
	ck_assert_int_eq(open_null(&file), 0); /* alone: nobody can see it */
	ck_assert_int_eq(file.number, 0);
	descriptors_close(&file);
	start_other();
	ck_assert_int_eq(open_null(&file), -EAGAIN);
	ck_assert_int_lt(fcntl(0, F_GETFD), 0);
	descriptors_settle();
	dup2(input, 0);
	ck_assert_int_eq(open_null(&file), 0);
	descriptors_close(&file);
	end_other();
	close(input);
}
END_TEST

START_TEST(a_fork_refuses_stretches_until_it_is_over)
{
	struct descriptor file;

	descriptors_before_fork();
	ck_assert_int_eq(open_null(&file), -EAGAIN);
	descriptors_after_fork(false);
	ck_assert_int_eq(open_null(&file), 0);
	descriptors_close(&file);
	descriptors_before_fork();
	descriptors_after_fork(true);
	ck_assert_int_eq(open_null(&file), 0);
	descriptors_close(&file);
}
END_TEST

UNIT_MAIN("descriptors", a_stretch_blocks_signals_and_ends, what_cannot_be_opened_says_why,
	  a_long_stretch_moves_up, numbers_of_standard_files_are_refused_beside_other_threads,
	  a_fork_refuses_stretches_until_it_is_over)

/* SPDX-License-Identifier: MIT */
/* Mutexes that are taken and released by their words: libc's own calls find them in the state that
 * they would leave, and threads that wait inside libc get them. */
#include "preload/locks/mutex_word.h"
#include "preload/process/real.h"
#include "tests/unit/unit.h"

#include <errno.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static pthread_mutex_t mutex;
static int32_t self;

static void begin(void)
{
	static const pthread_mutex_t fresh = PTHREAD_MUTEX_INITIALIZER;

	real_resolve();
	self = (int32_t)syscall(SYS_gettid);
	mutex = fresh;
	mutex_word_learn((int32_t)gettid());
}

START_TEST(libc_finds_what_ours_left)
{
	begin();
	ck_assert(mutex_word_take(&mutex, self));
	ck_assert(!mutex_word_take(&mutex, self));
	ck_assert_int_eq(real.pthread_mutex_trylock(&mutex), EBUSY);
	ck_assert_int_eq(real.pthread_mutex_destroy(&mutex), EBUSY);
	ck_assert_int_eq(real.pthread_mutex_unlock(&mutex), 0);
	ck_assert_int_eq(real.pthread_mutex_lock(&mutex), 0);
	ck_assert(!mutex_word_take(&mutex, self));
	ck_assert(mutex_word_release(&mutex));
	ck_assert_int_eq(real.pthread_mutex_destroy(&mutex), 0);
}
END_TEST

START_TEST(normal_ones_are_as_those_of_no_type)
{
	pthread_mutexattr_t attributes;

	begin();
	pthread_mutexattr_init(&attributes);
	pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_NORMAL);
	pthread_mutex_init(&mutex, &attributes);
	ck_assert(mutex_word_take(&mutex, self));
	ck_assert_int_eq(real.pthread_mutex_trylock(&mutex), EBUSY);
	ck_assert_int_eq(real.pthread_mutex_unlock(&mutex), 0);
	ck_assert_int_eq(real.pthread_mutex_lock(&mutex), 0);
	ck_assert(mutex_word_release(&mutex));
	ck_assert_int_eq(real.pthread_mutex_destroy(&mutex), 0);
}
END_TEST

START_TEST(other_kinds_are_left_to_libc)
{
	static const int kinds[] = {PTHREAD_MUTEX_RECURSIVE, PTHREAD_MUTEX_ERRORCHECK,
				    PTHREAD_MUTEX_ADAPTIVE_NP};
	pthread_mutexattr_t attributes;

	begin();
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		pthread_mutexattr_init(&attributes);
		pthread_mutexattr_settype(&attributes, kinds[i]);
		pthread_mutex_init(&mutex, &attributes);
		ck_assert(!mutex_word_take(&mutex, self));
		ck_assert(!mutex_word_release(&mutex));
	}
	pthread_mutexattr_init(&attributes);
	pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
	pthread_mutex_init(&mutex, &attributes);
	ck_assert(!mutex_word_take(&mutex, self));
	pthread_mutexattr_init(&attributes);
	pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
	pthread_mutex_init(&mutex, &attributes);
	ck_assert(!mutex_word_take(&mutex, self));
	pthread_mutexattr_init(&attributes);
	pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_INHERIT);
	pthread_mutex_init(&mutex, &attributes);
	ck_assert(!mutex_word_take(&mutex, self));
}
END_TEST

/* ---- others wait */

enum { THREADS = 4, ROUNDS = 20000 };

static int inside, most_inside, done;

static void *take_turns(void *use_libc)
{
	int32_t tid = (int32_t)syscall(SYS_gettid);

	for (int i = 0; i < ROUNDS; i++) {
		if (use_libc || !mutex_word_take(&mutex, tid))
			real.pthread_mutex_lock(&mutex);
		if (++inside > most_inside)
			most_inside = inside;
		if (i % 64 == 0)
			sched_yield();
		done++;
		inside--;
		if (i % 2 || !mutex_word_release(&mutex))
			real.pthread_mutex_unlock(&mutex);
	}
	return NULL;
}

START_TEST(ours_and_libcs_exclude_each_other_and_let_each_other_in)
{
	pthread_t threads[THREADS];

	begin();
	for (uintptr_t i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, take_turns, (void *)(i % 2));
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	ck_assert_int_eq(most_inside, 1);
	ck_assert_int_eq(done, THREADS * ROUNDS);
	ck_assert_int_eq(real.pthread_mutex_destroy(&mutex), 0);
}
END_TEST

/* A condition gives its mutex back and takes it again inside libc. */
static void *say(void *condition)
{
	while (!mutex_word_take(&mutex, (int32_t)syscall(SYS_gettid)))
		sched_yield();
	done = 1;
	pthread_cond_signal(condition);
	mutex_word_release(&mutex);
	return NULL;
}

START_TEST(conditions_wait_with_a_mutex_of_ours)
{
	pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
	pthread_t thread;

	begin();
	ck_assert(mutex_word_take(&mutex, self));
	pthread_create(&thread, NULL, say, &condition);
	while (!done)
		ck_assert_int_eq(pthread_cond_wait(&condition, &mutex), 0);
	ck_assert(mutex_word_release(&mutex));
	pthread_join(thread, NULL);
	ck_assert_int_eq(real.pthread_mutex_destroy(&mutex), 0);
}
END_TEST

START_TEST(a_wake_of_a_mutex_that_is_gone_changes_no_errno)
{
	void *gone = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	begin();
	munmap(gone, 4096);
	errno = ENOENT;
	mutex_word_wake(gone);
	ck_assert_int_eq(errno, ENOENT);
}
END_TEST

/* ---- who takes locks otherwise */

static int lock_without_owner(pthread_mutex_t *taken)
{
	taken->__data.__lock = MUTEX_TAKEN;
	return 0;
}

START_TEST(another_librarys_locks_are_left_to_it)
{
	begin();
	real.pthread_mutex_lock = lock_without_owner;
	mutex_word_learn((int32_t)gettid());
	ck_assert(!mutex_word_take(&mutex, self));
	ck_assert_int_eq(mutex.__data.__lock, MUTEX_FREE);
}
END_TEST

UNIT_MAIN("mutex_word", libc_finds_what_ours_left, normal_ones_are_as_those_of_no_type,
	  other_kinds_are_left_to_libc, ours_and_libcs_exclude_each_other_and_let_each_other_in,
	  conditions_wait_with_a_mutex_of_ours, a_wake_of_a_mutex_that_is_gone_changes_no_errno,
	  another_librarys_locks_are_left_to_it)

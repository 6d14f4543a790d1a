/* SPDX-License-Identifier: MIT */
/* What a futex stands for, by the routines of the library above the call: names as programs have
 * them, the innermost first. */
#include "analyze/model/common/futex_cause.h"
#include "tests/unit/unit.h"

/* The list ends with NULL. */
static enum cause cause_of(const char *const *routines)
{
	struct futex_reading reading = {.found = CAUSE_FUTEX};

	for (; *routines; routines++)
		futex_read_routine(&reading, *routines);
	return reading.found;
}

#define CAUSE_OF(...) cause_of((const char *const[]){__VA_ARGS__, NULL})

START_TEST(locks_of_rust)
{
	ck_assert_int_eq(CAUSE_OF("std::sys::pal::unix::futex::futex_wait",
				  "<std::sys::sync::mutex::futex::Mutex>::lock_contended",
				  "std::sync::poison::mutex::Mutex<T>::lock"),
			 CAUSE_MUTEX);
	ck_assert_int_eq(CAUSE_OF("std::sys::unix::futex::futex_wait",
				  "std::sys::unix::locks::futex_mutex::Mutex::lock_contended"),
			 CAUSE_MUTEX);
	ck_assert_int_eq(CAUSE_OF("std::sys::pal::unix::futex::futex_wait",
				  "<std::sys::sync::rwlock::futex::RwLock>::write_contended"),
			 CAUSE_RWLOCK);
	ck_assert_int_eq(CAUSE_OF("std::sys::pal::unix::futex::futex_wait",
				  "<std::sys::sync::once::futex::Once>::call",
				  "std::sync::once_lock::OnceLock<T>::get_or_init"),
			 CAUSE_ONCE);
	ck_assert_int_eq(CAUSE_OF("<parking_lot_core::thread_parker::imp::ThreadParker>::park",
				  "parking_lot_core::parking_lot::park",
				  "<parking_lot::raw_mutex::RawMutex>::lock_slow"),
			 CAUSE_MUTEX);
}
END_TEST

/* Also if what passes through it is a lock. */
START_TEST(queues_and_conditions_stay_futexes)
{
	ck_assert_int_eq(
		CAUSE_OF("std::sys::pal::unix::futex::futex_wait",
			 "<std::sys::sync::thread_parking::futex::Parker>::park",
			 "<std::thread::thread::Thread>::park",
			 "std::sync::mpmc::list::Channel<std::sync::poison::mutex::Mutex<u8>>::"
			 "recv"),
		CAUSE_FUTEX);
	ck_assert_int_eq(CAUSE_OF("std::sys::pal::unix::futex::futex_wait",
				  "<std::sys::sync::condvar::futex::Condvar>::wait",
				  "std::sync::poison::condvar::Condvar::wait"),
			 CAUSE_FUTEX);
	ck_assert_int_eq(CAUSE_OF("<parking_lot_core::thread_parker::imp::ThreadParker>::park",
				  "parking_lot::condvar::Condvar::wait_until_internal",
				  "lock_api::mutex::MutexGuard<parking_lot::raw_mutex::RawMutex, "
				  "u8>"),
			 CAUSE_FUTEX);
	ck_assert_int_eq(
		CAUSE_OF("std::__detail::__platform_wait<int>", "std::__atomic_base<int>::wait"),
		CAUSE_FUTEX);
	ck_assert_int_eq(CAUSE_OF("std::__atomic_semaphore::_M_acquire"), CAUSE_FUTEX);
}
END_TEST

/* The condition has been signalled, and takes its mutex. */
START_TEST(a_condition_that_takes_its_mutex_waits_for_that)
{
	ck_assert_int_eq(CAUSE_OF("std::sys::pal::unix::futex::futex_wait",
				  "<std::sys::sync::mutex::futex::Mutex>::lock_contended",
				  "<std::sys::sync::condvar::futex::Condvar>::wait"),
			 CAUSE_MUTEX);
}
END_TEST

START_TEST(what_is_made_of_conditions)
{
	ck_assert_int_eq(CAUSE_OF("std::sys::pal::unix::futex::futex_wait",
				  "<std::sys::sync::condvar::futex::Condvar>::wait",
				  "std::sync::poison::condvar::Condvar::wait_while",
				  "std::sync::barrier::Barrier::wait"),
			 CAUSE_BARRIER);
	ck_assert_int_eq(CAUSE_OF("std::sys::pal::unix::futex::futex_wait",
				  "<std::sys::sync::thread_parking::futex::Parker>::park",
				  "std::thread::functions::park", "std::thread::scoped::scope"),
			 CAUSE_JOIN);
}
END_TEST

/* The last one: of a barrier whose own routine ended in a jump. */
START_TEST(barriers_of_cxx)
{
	ck_assert_int_eq(
		CAUSE_OF("std::__detail::__platform_wait<int>", "std::latch::arrive_and_wait"),
		CAUSE_BARRIER);
	ck_assert_int_eq(
		CAUSE_OF("std::__detail::__platform_wait<int>",
			 "std::__detail::__waiter<std::integral_constant<bool, true> "
			 ">::_M_do_wait<std::__tree_barrier<std::__empty_completion>::wait("
			 "std::__barrier_phase_t&&) const::{lambda()#1}>"),
		CAUSE_BARRIER);
	ck_assert_int_eq(CAUSE_OF("__cxa_guard_acquire"), CAUSE_ONCE);
}
END_TEST

START_TEST(no_names_tell_nothing)
{
	ck_assert_int_eq(CAUSE_OF("program+0x1234", "libstdc++.so.6+0xd4490"), CAUSE_FUTEX);
}
END_TEST

UNIT_MAIN("futex_cause", locks_of_rust, queues_and_conditions_stay_futexes,
	  a_condition_that_takes_its_mutex_waits_for_that, what_is_made_of_conditions,
	  barriers_of_cxx, no_names_tell_nothing)

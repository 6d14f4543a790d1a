# SPDX-License-Identifier: MIT
"""What lock calls return is what they return natively."""
from profile_file import profiles
from support import check_same, expect_equal, short_or_long, soaks

BESIDE = True  # no case asserts a time


def test_robust_mutexes():
    """EOWNERDEAD, ENOTRECOVERABLE, also with priority inheritance; no trylock that hangs the next lock."""
    check_same("semantics", ["robust"])


def test_types_of_mutexes():
    """EDEADLK, EPERM, EAGAIN, EBUSY, ETIMEDOUT, EINVAL where they belong, errno untouched."""
    check_same("semantics", ["types"])


def test_rwlocks_and_semaphores():
    """Errors of read-write locks, semaphores, barriers, joins."""
    check_same("semantics", ["rwlocks"])


def test_sharing_between_processes():
    """Mutex, condition and semaphore in shared memory; the other process dies as an owner."""
    check_same("semantics", ["shared"])


def test_address_used_again():
    """One address is many locks in turn; 20,000 locks on the heap do not fill the profile."""
    one = check_same("semantics", ["reuse"])
    expect_equal("locks", sum(p.counts()["MUTEX_LOCK"] for p in profiles(one)), 300 * 20 + 20000)


@soaks
def test_rwlock_stress():
    """All ways to take read-write locks of each preference, by four threads. covers: F77"""
    for _ in range(short_or_long(1, 100)):
        check_same("rwlock_stress")


@soaks
def test_condition_turns():
    """Two threads take turns by conditions, thousands of times in all. covers: F78"""
    for _ in range(short_or_long(1, 100)):
        check_same("cond_old")

# SPDX-License-Identifier: MIT
"""What lock calls return is what they return natively."""
from profile_file import profiles
from support import check_same, expect_equal, short_or_long, soaks, waits

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
    """One address is many locks one after the other; 20,000 locks on the heap do not fill the profile."""
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


def check_lives(kind, operation, scene):
    """The calls of each lifetime, of both threads, are counted under the routine that began it."""
    one = check_same("reuse", [scene])
    rows = [r for r in waits(one.report, kind) if r["operation"] == operation]
    for which in ("first", "second"):
        maker = "%s_%s" % (scene.split("_")[0], which)
        counts = [r["count"] for r in rows if maker in "%s %s" % (r["name"], r["created_at"])]
        expect_equal("%s: calls on what %s made; there are: %s" % (scene, maker, [(r["name"], r["count"]) for r in rows]), sum(counts),
                     int(one.truth[which]))


LIVES = (("mutex", "lock", "mutex"), ("mutex", "lock", "c11mutex"), ("rwlock", "write_lock", "rwlock"), ("spinlock", "lock", "spin"),
         ("condition", "signal", "condition"), ("condition", "signal", "c11condition"), ("barrier", "wait", "barrier"),
         ("semaphore", "post", "semaphore"))


def test_lives_of_an_address():
    """Destroyed and made again at the same address: another object, in the counts of all threads."""
    for kind, operation, scene in LIVES:
        check_lives(kind, operation, scene)


def test_lives_that_are_not_ended():
    """Made again without having been destroyed."""
    for kind, operation, scene in LIVES:
        check_lives(kind, operation, scene + "_again")

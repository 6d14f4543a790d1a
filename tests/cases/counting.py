# SPDX-License-Identifier: MIT
"""Counts of wrapped calls are exactly those that the program knows."""
from profile_file import operations, profiles
from support import check_laws, expect, expect_equal, expect_same, run

BESIDE = True  # no case asserts a time


def compare_counts(found, truth):
    """libgcc calls pthread_once itself where a thread is unwound: at most once for each exit or cancellation."""
    spare = {"ONCE": int(truth.get("EXIT", 0) + truth.get("CANCEL", 0))}
    wrong = ["%s: %d, expected %d" % (name, found.get(name, 0), wanted) for name, wanted in truth.items()
             if not int(wanted) <= found.get(name, 0) <= int(wanted) + spare.get(name, 0)]
    expect(not wrong, "counts (exact): %s", "; ".join(wrong))


def total_counts(one, pid=None):
    found = {}
    for profile in profiles(one):
        if pid is None or profile.pid == pid:
            for name, count in profile.counts().items():
                found[name] = found.get(name, 0) + count
    return found


def test_every_wrapped_operation_is_counted():
    """All variants of all calls, from three threads; in C11, too. covers: B17"""
    one = run("counts")
    expect_same(one)
    check_laws(one.report)
    expect_equal("operations in the truth", set(one.truth) - {"UNLOCKS"}, set(operations()))
    compare_counts(total_counts(one), one.truth)


def test_counts_of_the_report():
    """The report's counts of calls with an object are those of the program."""
    one = run("counts")
    check_laws(one.report)
    pairs = {"MUTEX_LOCK": ("mutex", "lock"), "SPIN_LOCK": ("spinlock", "lock"), "BARRIER_WAIT": ("barrier", "wait"),
             "RWLOCK_READ": ("rwlock", "read_lock"), "RWLOCK_WRITE": ("rwlock", "write_lock"),
             "COND_WAIT": ("condition", "wait"), "SEM_WAIT": ("semaphore", "wait"), "JOIN": ("join", "join")}
    found = {name: sum(r["count"] for r in one.report["synchronization"] if (r["kind"], r["operation"]) == pair)
             for name, pair in pairs.items()}
    compare_counts(found, {name: one.truth[name] for name in pairs})


def test_many_locks():
    """300,000 locks of one mutex by three threads: none is lost."""
    one = run("counts", [100000])
    expect_same(one)
    check_laws(one.report)
    compare_counts(total_counts(one), one.truth)


def test_old_conditions():
    """Condition variables of GLIBC_2.2.5 and of 2.3.2 in one program work on their own kind. covers: B15, B16"""
    one = run("cond_old")
    expect_same(one)
    check_laws(one.report)
    compare_counts(total_counts(one), one.truth)


def test_processes_are_counted():
    """fork, posix_spawn and waiting for children; what children did before exec is not the parent's. covers: D54"""
    one = run("counts_process")
    expect_same(one)
    check_laws(one.report)
    truth = dict(one.truth)
    compare_counts(total_counts(one, int(truth.pop("pid"))), truth)

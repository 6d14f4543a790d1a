# SPDX-License-Identifier: MIT
"""Threads and processes as they come and go: their records, their timers, their first calls, joins that end before the thread."""
from profile_file import operations, profiles
from support import blame_of, check_laws, expect, expect_between, expect_equal, expect_near, expect_same, run, waits

MANY = 700


def check_records(options):
    """Records of threads that were joined or detached are used again."""
    one = run("lives", ["many", MANY], options=options)
    expect_same(one)
    check_laws(one.report)
    rows = [row for row in profiles(one)[0].rows["threads"] if row["tid"]]
    expect_equal("threads", sum(row["lives"] for row in rows), one.truth["threads"])
    expect(len(rows) < MANY - 100, "%d threads, of which two lived at once, took %d rows", MANY, len(rows))


def test_records_are_used_again():
    check_records([])


def test_records_are_used_again_without_synchronization():
    """--no-sync measures no join, but hears of it."""
    check_records(["--no-sync"])


def test_joins_with_a_time_limit():
    """The limit passes while the thread computes: the wait is blamed on what it computes, under its own operation."""
    one = run("lives", ["timed"])
    expect_same(one)
    check_laws(one.report)
    truth = one.truth
    timed, plain = waits(one.report, "join", operation="timedjoin"), waits(one.report, "join", operation="join")
    expect_near("time in joins with a limit", sum(r["wait_seconds"] for r in timed), truth["waited"], 0.05, 0.005)
    expect_near("time in the join", sum(r["wait_seconds"] for r in plain), truth["joined"], 0.05, 0.005)
    for rows in (timed, plain):
        blame = sum(b["seconds"] for r in rows for b in r["blame"])
        expect_near("blame of an operation", blame, sum(r["wait_seconds"] for r in rows), 0, 1e-6)
    idle = blame_of(timed, "[joined thread not running]")
    expect_near("time in which the joined thread did not run", idle, truth["waited"] - truth["ran"], 0.05, 0.01)


def test_first_lock_is_free():
    """The first call of a fork child, and of a thread that no wrapper saw, is a lock that is free: it did not wait."""
    one = run("lives", ["first"])
    expect_same(one)
    check_laws(one.report)
    lock = operations().index("MUTEX_LOCK")
    found = profiles(one)
    waited = sum(row["count"] for p in found for row in p.rows["waits"] if row["operation"] == lock)
    expect_equal("locks", sum(p.counts()["MUTEX_LOCK"] for p in found), one.truth["locks"])
    expect_equal("locks that waited", waited, 0)


def test_a_fork_child_has_one_timer():
    """The timer that wakes a child by its CPU time is gone when a call has woken it."""
    one = run("lives", ["timers"])
    expect_same(one)
    expect_between("timers of the child", one.truth["timers"], 0, 1, 0, 0)

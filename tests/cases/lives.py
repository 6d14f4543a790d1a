# SPDX-License-Identifier: MIT
"""Threads and processes as they start and end: their records, their timers, their first calls, joins that end before the thread."""
from profile_file import operations, profiles
from support import blame_of, check_laws, expect, expect_between, expect_equal, expect_near, expect_same, full, routine, run, timed, timing, waits

BESIDE = True

MANY, SHORT = 700, 8000


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
    """--no-sync measures no join, but notices it."""
    check_records(["--no-sync"])


def check_short_threads(options):
    """Thousands of threads that share rows: their lives add up, no CPU time is lost, and they are sampled as one long thread is."""
    one = run("lives", ["short", SHORT], options=options)
    expect_equal("status", one.profiled.status, 0)
    check_laws(one.report)
    truth, report = one.truth, one.report
    rows = [row for row in report["threads"] if row["tid"] != row["pid"]]
    expect_equal("threads", sum(row["lives"] for row in rows), truth["threads"] - 1)
    folded = [row for row in rows if row["lives"] > 1]
    expect(folded and all(row["blocked_grade"] == "estimated" for row in folded), "%d rows are shared: grades %s", len(folded),
           {row["blocked_grade"] for row in folded})
    lived, cpu = sum(row["elapsed_seconds"] for row in rows), sum(row["cpu_seconds"] for row in rows)
    expect_between("lives of all threads", lived, truth["took"], truth["joined"], 0, 0.001)
    expect_between("CPU time of all threads", cpu, truth["computed"], lived, 0, 0.001)
    # the process's own clock: with the kernel's part of threads' ends, and the end of the program
    beyond = report["run"]["beyond_cpu_seconds"]
    expect_between("CPU time, in figures or beyond them", report["run"]["cpu_seconds"] + beyond, truth["cpu"], truth["cpu"], 0, 0.05)
    expect(beyond > 0, "nothing is beyond the threads' last readings")
    own = routine(report, "compute_shortly")
    # a sample claims what threads have left since the one before: it does not matter how often ticks hit them. A limit of four
    # distances, and starts and ends of threads, remain.
    expect_between("CPU time of what they compute", own["self_seconds"], truth["computed"], truth["computed"], 0.25, 0)


@full
def test_short_threads():
    check_short_threads([])


@full
def test_short_threads_without_synchronization():
    check_short_threads(["--no-sync"])


@full
@timed("other programs had the joined thread's processor")
def test_joins_with_a_time_limit():
    """The limit passes while the thread computes: the wait is blamed on what it computes, under its own operation."""
    one = run("lives", ["timed"])
    expect_same(one)
    check_laws(one.report)
    truth = one.truth
    limited, plain = waits(one.report, "join", operation="timedjoin"), waits(one.report, "join", operation="join")
    expect_near("time in joins with a limit", sum(r["wait_seconds"] for r in limited), truth["waited"], 0.05, 0.005)
    expect_near("time in the join", sum(r["wait_seconds"] for r in plain), truth["joined"], 0.05, 0.005)
    for rows in (limited, plain):
        blame = sum(b["seconds"] for r in rows for b in r["blame"])
        expect_near("blame of an operation", blame, sum(r["wait_seconds"] for r in rows), 0, 1e-6)
    idle = blame_of(limited, "[joined thread not running]")
    with timing():
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

# SPDX-License-Identifier: MIT
"""More places, objects and waits than there are rows for: nothing is lost, only aggregated."""
import kernel
from laws import may_be_in_windows
from profile_file import profiles
from support import blame_of, check_laws, expect, expect_equal, expect_same, full, part_skipped, run, waits

BESIDE = True  # no case asserts a time


def calls(one, operation):
    return sum(p.counts()[operation] for p in profiles(one))


def check_rows(report):
    """Blame and waiting agree object by object, not only in all."""
    for row in report["synchronization"]:
        if row["kind"] in ("mutex", "rwlock", "spinlock", "condition", "barrier", "semaphore", "once"):
            blamed = sum(b["seconds"] for b in row["blame"])
            expect(abs(blamed - row["wait_seconds"]) < 1e-6, "%s %s: waited %.9f, blamed %.9f", row["kind"], row["name"], row["wait_seconds"],
                   blamed)


def test_waits_for_many_objects():
    """One thread waits for each of 3,000 semaphores, then sleeps: all calls are there, and all of the waiting is the poster's."""
    one = run("crowd", ["waits", 3000])
    expect_same(one)
    check_laws(one.report)
    check_rows(one.report)
    for operation, fact in (("SEM_WAIT", "waits"), ("SEM_POST", "posts"), ("NANOSLEEP", "sleeps")):
        expect_equal("calls of %s" % operation, calls(one, operation), int(one.truth[fact]))
    rows = waits(one.report, "semaphore", operation="wait")
    told = [(b["routine"], b["seconds"]) for r in rows for b in r["blame"]]
    waited = sum(r["wait_seconds"] for r in rows)
    known = blame_of(rows, "post_all") + blame_of(rows, "[other]")
    expect(known >= 0.98 * waited, "blame on the poster %.6f of %.6f; there are %r", known, waited, told)


def test_blame_after_many_locks():
    """Four threads take each of 10,000 mutexes once, without a wait; the next one that is waited for is charged to who kept it."""
    one = run("crowd", ["locks", 10000])
    expect_same(one)
    check_laws(one.report)
    check_rows(one.report)
    expect_equal("calls", calls(one, "MUTEX_LOCK"), int(one.truth["locks"]))
    rows = waits(one.report, "mutex", "fought_for", "lock")
    expect_equal("rows of the last one", [(r["count"], r["contended"]) for r in rows], [(2, 1)])
    others = sum(b["seconds"] for r in rows for b in r["blame"] if b["routine"] != "keep")
    expect(blame_of(rows, "keep") > 0 and others <= one.truth["waited"] - one.truth["kept"], "blame on who kept it: %.6f, on others %.6f",
           blame_of(rows, "keep"), others)


def test_those_that_idle_are_not_forgotten():
    """300 threads idle while two hand over, so that drains leave them out: when they wake, their waits are there, each by its cause."""
    one = run("crowd", ["idle", 300])
    expect_same(one)
    check_laws(one.report)
    expect_equal("calls", calls(one, "SEM_WAIT"), int(one.truth["waits"]))
    idle = [t for t in one.report["threads"] if t["role"] == "idle"]
    expect_equal("threads that idle", len(idle), 300)
    for cause, least, most in (("semaphore", 0.9 * one.truth["idled"], one.truth["idled"]), ("sleep", one.truth["asked"], one.truth["slept"])):
        told = sum(t["waits"][cause] for t in idle)
        expect(0.98 * least <= told <= 1.02 * most, "%s: %.6f, of %.6f by their own clocks, %.6f at least", cause, told, most, least)


@full
def test_one_of_500_works():
    """So many switches that records of them are taken in windows, of all 500 threads: never are two of them in no wait."""
    one = run("crowd", ["turns", 500])
    expect_same(one)
    check_laws(one.report)
    if kernel.switch_records_refused() or not may_be_in_windows(one.report):
        part_skipped("T_i is not of records in windows: %s" % (kernel.switch_records_refused() or "there were few switches"))
        return
    useful = one.report["concurrency"]["useful"]
    expect_equal("grade of T_i", useful["grade"], "sampled")
    several = sum(level["seconds"] for level in useful["levels"] if level["active"] > 1)
    expect(several < 0.1 * one.truth["passed"], "two or more threads were useful for %.3f s of %.3f s", several, one.truth["passed"])

# SPDX-License-Identifier: MIT
"""Waits that are left by a jump or by cancellation, and waits inside waits: each is measured for as long as it lasted, and once."""
from profile_file import Profile, operations
from support import (blame_of, check_laws, expect, expect_between, expect_equal, expect_near, expect_same, full, ready_seconds, run,
                     short_or_long, skip, waits)

BESIDE = True

# A wait that nobody ends is noticed at the next sample of its thread.
NOTICED = 0.015


def left(kind):
    one = run("left", [kind])
    expect_same(one)
    check_laws(one.report, sampling=False)
    return one


def rows(one, operation):
    """Waits of an operation in the profile, whether a report shows them or not."""
    number = operations().index(operation)
    profile = Profile(one.profiles()[0])
    return [row for row in profile.rows["waits"] if row["operation"] == number], \
        sum(row["count"] for row in profile.rows["tallies"] if row["operation"] == number)


def seconds(found):
    return sum(row["sum_ns"] for row in found) / 1e9


def useful(report):
    return sum(level["active"] * level["seconds"] for level in report["concurrency"]["useful"]["levels"])


def check_left(one, operation):
    """One wait, as long as it lasted; what the thread then computed was useful."""
    found, _ = rows(one, operation)
    expect_equal("waits by %s" % operation, sum(row["count"] for row in found), 1)
    # without a processor it was not yet, or no longer, in the call; some samples of the 80 that the computing takes
    expect_between("time in the wait that was left", seconds(found), one.truth["waited"] - ready_seconds(one.report),
                   one.truth["waited"] + 0.1 * one.truth["computing"], 0.05, NOTICED)
    expect_between("useful time", useful(one.report), 0.9 * one.truth["computed"], one.report["run"]["cpu_seconds"], 0.02, NOTICED)


def test_children_that_libc_waits_for():
    """system() and pclose() wait for a process, and have names; their results, and those of a cancelled thread, are the native ones."""
    one = run("shells")
    expect_same(one)
    truth = one.truth
    for key, wanted in (("system_status", 0), ("pclose_status", 3), ("has_shell", 1), ("errno", 0), ("cancelled", 1)):
        expect_equal(key, truth[key], wanted)
    calls = {call["call"]: call for call in one.report["calls"]}
    for name, count in (("system", 3), ("pclose", 1)):
        expect_equal("calls of %s" % name, calls[name]["count"], count)
    expect_equal("where pclose waited", calls["pclose"]["waiters"][0]["routine"], "main")
    expect_between("time in pclose", calls["pclose"]["wait_seconds"], 0.9 * truth["pclose"], truth["pclose"], 0, 0.001)
    expect_between("time in system", calls["system"]["wait_max_seconds"], 0.9 * truth["system"], truth["system"], 0, 0.001)
    first = next(t for t in one.report["threads"] if t["name"] == "shells" and t["lives"] == 1)
    named = first["waits"].get("process", 0)
    expect(named >= 0.9 * (truth["system"] + truth["pclose"]), "waits for processes: %s of %.3f s", first["waits"], truth["system"] + truth["pclose"])


def test_wait_left_by_a_jump():
    """A time-out jumps out of a sleep; then the thread computes."""
    check_left(left("sleep"), "NANOSLEEP")


@full
def test_read_left_by_a_jump():
    """What the thread is blocked in afterwards, where no wrapper sees it, is no reading."""
    one = left("read")
    found, _ = rows(one, "READ")
    expect_equal("waits by read", sum(row["count"] for row in found), 1)
    # as above
    expect_between("time in the read that was left", seconds(found), one.truth["waited"] - ready_seconds(one.report),
                   one.truth["waited"] + 0.1 * one.truth["computing"], 0.05, NOTICED)
    blocked = max(one.report["threads"], key=lambda thread: thread["cpu_seconds"])["waits"]
    expect_between("blocked in reading", blocked["read"], 0.9 * one.truth["waited"], one.truth["waited"] + 0.5 * one.truth["napped"], 0.05, NOTICED)
    expect_between("blocked in what is not seen", blocked["other"], 0.5 * one.truth["napped"], 2 * one.truth["napped"], 0.05, NOTICED)


def test_wait_left_by_cancellation():
    """A thread is cancelled in a condition's wait, and computes in its cleanup handler."""
    check_left(left("cancel"), "COND_WAIT")


def check_dozes(one):
    found, uncounted = rows(one, "USLEEP")
    expect_equal("sleeps that were measured", (sum(row["count"] for row in found), uncounted), (one.truth["dozes"], 0))
    expect_near("time in sleeps", seconds(found), one.truth["dozed"], 0.1, 0.01)


def test_wait_after_a_jump_lies_deeper():
    """A wait after one that was left by a jump is measured although it is deeper on the stack than that was."""
    one = left("deeper")
    check_dozes(one)
    found, _ = rows(one, "NANOSLEEP")
    expect_near("time in the wait that was left", seconds(found), one.truth["waited"], 0.05, NOTICED)


def test_jump_out_of_the_profiler():
    """Jumps out of the profiler's own code, eight places of it: the thread is still observed."""
    one = left("own")
    if "jumped" not in one.truth:
        skip("the program steps through code on x86-64 alone")
    expect_equal("jumps out of the profiler", one.truth["jumped"], 8)
    check_dozes(one)


def test_asynchronous_cancellation_leaves_the_account():
    """Threads are cancelled wherever they are: T_i is still counted."""
    for _ in range(short_or_long(1, 60)):
        one = left("async")
        # Half a machine of other programs makes no thread useful; records in windows know the rest to some per cent.
        expect_between("useful time", useful(one.report), 0, one.truth["cpu"], 0.15, 0.05)


def test_handler_on_a_stack_above():
    """A handler that sleeps on an alternate stack above the thread's, while the thread waits: one wait of the thread, and none of the handler."""
    one = left("above")
    expect_equal("the stack is above", one.truth["above"], 1)
    found, _ = rows(one, "SEM_WAIT")
    expect_equal("waits for the semaphore", sum(row["count"] for row in found), 1)
    expect_near("time in it", seconds(found), one.truth["waited"], 0.05, 0.01)
    found, uncounted = rows(one, "USLEEP")
    expect_equal("sleeps of the handler: measured, counted", (sum(row["count"] for row in found), uncounted), (0, 20))


def to_blame(report, name):
    return sorted({b["routine"] for row in waits(report, "semaphore", name) for b in row["blame"]})


def test_wait_that_was_left_is_nobodys_fault():
    """Only what has a time-out ends by one: who was cancelled, or interrupted by a signal, waited for nobody that is known."""
    one = left("causes")
    expect_equal("results", (one.truth["interrupted"], one.truth["timed_out"]), (-1, -1))
    expect_equal("to blame for a wait that was cancelled", to_blame(one.report, "cancelled_semaphore"), ["[unknown]"])
    expect_equal("to blame for a wait that a signal interrupted", to_blame(one.report, "interrupted_semaphore"), ["[unknown]"])
    expect_equal("to blame for a wait that timed out", to_blame(one.report, "late_semaphore"), ["[time-out]"])
    rows_of = waits(one.report, "condition", "left_condition")
    # a signal for another thread came meanwhile
    expect_near("time of the cancelled thread at the condition that is nobody's", blame_of(rows_of, "[unknown]"), one.truth["waited"], 0.1, 0.02)


def test_first_wait_when_the_process_is_killed():
    """Threads that nobody has looked at yet have names; that their CPU time was not read is said."""
    one = run("left", ["killed"])
    expect_same(one)
    threads = one.report["threads"]
    waiting = [t for t in threads if t["waits"]["mutex"]]
    expect_equal("names of the threads that wait", sorted(t["name"] for t in waiting), ["left", "starter", "starter"])
    unread = [t for t in threads if not t["cpu_seconds"]]
    expect(unread, "all threads were looked at: %s", threads)
    expect_equal("grades of CPU time that was not read", {t["user_system_grade"] for t in unread}, {"estimated"})

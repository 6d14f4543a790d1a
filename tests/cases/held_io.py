# SPDX-License-Identifier: MIT
"""Locks whose holders wait for input, or for other threads: how much of the others' waiting that is, and the finding on it, against
what the program itself knows."""
from profile_file import operations, profiles
from support import check_laws, expect, expect_between, expect_equal, premise, run, timed, timing

BESIDE = True

HELD, NOT_HELD = ("held", "twice", "written", "shared"), ("outside", "behind")
LOCKS = range(1, 4)
# The truth is taken around the call and the wait, by another clock.
CLOCK_NS = 1000000
LATE = "who was to wait came late"


def blame(one):
    """The rows of blame of locks; whatever the run, the holder's part is no more than the whole."""
    profile = profiles(one)[0]
    for row in profile.rows["blame"]:
        expect(row["holder_io_ns"] <= row["time_ns"], "more than the whole: %s", row)
        expect_equal("a place and a part", bool(row["holder_io_path"]), bool(row["holder_io_ns"]))
        expect(row["cause"] in LOCKS or not row["holder_io_ns"], "no lock: %s", row)
    return [row for row in profile.rows["blame"] if row["cause"] in LOCKS]


def measured(program, mode, *arguments):
    """(run, its blame for locks, ns in which the holder is known to have waited with the lock held, how long waiters waited, and for how much
    of that it did by the program's own account): never is more known than there was."""
    one = run(program, [mode, *arguments])
    check_laws(one.report, sampling=False)
    waited_ns, truth_ns = map(int, one.profiled.stdout.split())
    rows = blame(one)
    known_ns = sum(row["holder_io_ns"] for row in rows)
    expect(known_ns <= truth_ns + CLOCK_NS, "%s: %d of %d", mode, known_ns, truth_ns)
    return one, rows, known_ns, waited_ns, truth_ns


def finding(report, name):
    return next((f for f in report["findings"] if f["id"] == name), None)


@timed(LATE)
def test_what_the_holder_waits_for_is_known():
    for mode in HELD:
        one, rows, known_ns, waited_ns, truth_ns = measured("held_io", mode)
        with timing():
            premise(truth_ns > 0.5 * waited_ns, "%s: the program waited for something else", mode)
            row = max(rows, key=lambda row: row["holder_io_ns"])
            expect_equal("call", operations()[row["holder_io_operation"]], "READ")
            expect(known_ns >= 0.8 * truth_ns, "%s: only %d of %d", mode, known_ns, truth_ns)
            told = finding(one.report, "lock-io")
            expect(told, "%s: not told", mode)
            expect("read of pipe" in told["evidence"] and "take_one" in told["evidence"], "%s", told["evidence"])
            expect(not finding(one.report, "lock-contention"), "%s: told twice", mode)


@timed(LATE)
def test_what_was_before_the_lock_or_after_it_is_not_held():
    for mode in NOT_HELD:
        one = run("held_io", [mode])
        check_laws(one.report, sampling=False)
        rows = blame(one)
        expect_equal("%s: held" % mode, sum(row["holder_io_ns"] for row in rows), 0)
        expect(not finding(one.report, "lock-io"), "%s: told", mode)
        with timing():
            expect(sum(row["time_ns"] for row in rows) > 5e6, "%s: nobody waited", mode)


@timed(LATE)
def test_the_report_names_the_call():
    one = run("held_io", ["held"])
    rows = blame(one)
    told = [site["holder_io"] for row in one.report["synchronization"] for site in row["blame"] if site["holder_io"]]
    expect_between("seconds", sum(io["seconds"] for io in told), sum(row["holder_io_ns"] for row in rows) / 1e9 - 1e-6,
                   sum(row["holder_io_ns"] for row in rows) / 1e9 + 1e-6)
    with timing():
        expect(told and told[0]["call"] == "read" and told[0]["routine"] == "take_one", "%s", told)
        expect(told[0]["name"].startswith("pipe"), "%s", told)


KINDS = {"mutex": "MUTEX_LOCK", "semaphore": "SEM_WAIT", "condition": "COND_WAIT", "barrier": "BARRIER_WAIT"}


def of_held_lock(one):
    """The blame for the waits for the lock that the middle one of a chain of three threads holds."""
    return [row for row in one.report["synchronization"] if row["name"] == "held_lock" and row["blame"]]


@timed(LATE)
def test_what_a_holder_waits_for_other_threads_is_known():
    """The middle one is named as the holder, and what it waited for with the lock held, which `slow` ends, beside it."""
    for kind, operation in KINDS.items():
        one, rows, known_ns, waited_ns, truth_ns = measured("held_wait", kind, "held")
        with timing():
            premise(truth_ns > 0.5 * waited_ns, "%s: the program waited for something else", kind)
            expect(known_ns >= 0.8 * truth_ns, "%s: only %d of %d", kind, known_ns, truth_ns)
            row = max(rows, key=lambda row: row["holder_io_ns"])
            expect_equal("call", operations()[row["holder_io_operation"]], operation)
            expect_equal("%s: for threads" % kind, row["holder_for_threads"], 1)
            told = max((site for row in of_held_lock(one) for site in row["blame"]), key=lambda site: site["seconds"])
            expect(told["routine"] == "middle" and told["holder_wait"]["name"].startswith("far_"), "%s: %s", kind, told)
            expect(told["holder_io"] is None and not finding(one.report, "lock-io"), "%s: %s", kind, told)


@timed(LATE)
def test_waits_for_other_threads_without_the_lock_are_not_the_holders():
    for kind in KINDS:
        one = run("held_wait", [kind, "outside"])
        check_laws(one.report, sampling=False)
        expect_equal("%s: held" % kind, [site["holder_wait"] for row in of_held_lock(one) for site in row["blame"] if site["holder_wait"]], [])

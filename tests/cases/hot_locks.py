# SPDX-License-Identifier: MIT
"""Locks that are taken so often that not every wait is measured: counts, and blame that is charged at random, are right as well."""
from profile_file import Profile
from support import alone, blame_of, check_laws, expect, expect_between, expect_equal, expect_same, part_skipped, run, timed, timing, waits

BESIDE = True  # but for one, no case asserts a time that other programs may change


def hot(mode):
    one = run("hot", [mode])
    expect_equal("status", one.profiled.status, 0)
    check_laws(one.report)
    row, = waits(one.report, "mutex", "hot_lock")
    return one, row, Profile(one.profiles()[0]).rows["waits"]


@alone
@timed("holders lost their processors")
def test_shares_of_holders_of_a_hot_lock():
    """Calls are exact; waiting and blame agree to the nanosecond (a law); who is to blame is drawn, and near the program's own account."""
    one, row, rows = hot("shares")
    expect_equal("calls", row["count"], int(one.truth["locks"]))
    left_out = sum(w["left_out"] for w in rows)
    expect_equal("waits that were measured", row["measured"], row["contended"] - left_out)
    expect_equal("grade", row["blame_grade"], "sampled" if left_out else "exact")
    for blame in row["blame"]:
        expect((blame["error_seconds"] > 0) == (left_out > 0), "error of %s: %r, %d were not measured", blame["routine"],
               blame["error_seconds"], left_out)
        expect(blame["error_seconds"] < row["wait_seconds"], "error of %s: %r", blame["routine"], blame["error_seconds"])
    if row["measured"] < 100:
        part_skipped("shares of blame: %d waits were measured (on one processor hardly anybody waits)" % row["measured"])
        return
    wanted = one.truth["longer"] / (one.truth["longer"] + one.truth["shortly"])
    # [unknown] has the waits that lasted since other programs had the holder's processor
    known = blame_of([row], "hold_longer") + blame_of([row], "hold_shortly")
    found = blame_of([row], "hold_longer") / known
    with timing():
        expect(abs(found - wanted) < 0.15, "hold_longer is to blame for %.2f of the waiting instead of %.2f", found, wanted)


def test_a_long_hold_of_a_hot_lock():
    """However few waits are measured, a long one is: its holder is not taken to be that of the others. One of the four that was not would
    be 25 %. A wait is measured from its tenth millisecond on: who kept it waiting before is not known. A shorter one of its own may be drawn
    for many: the report says how far that may be off."""
    one, row, _ = hot("long")
    blame, least, most = blame_of([row], "hold_for_long"), one.truth["waited_at_least"], one.truth["waited_at_most"]
    error = sum(b["error_seconds"] for b in row["blame"] if b["routine"] == "hold_for_long")
    expect_between("blame on hold_for_long, which may be off by %.3f s" % error, blame, 0.9 * least, most + 4 * 0.01, 0, 0.01 + 2 * error)


def test_jumps_out_of_a_hot_lock():
    """A wait that is only timed may be left by a jump like any other. A thread that was asleep was in one; any other may have been in front
    of the lock, so that it left no wait: the machine decides how many."""
    one, row, rows = hot("jumps")
    expect_same(one)
    expect_equal("jumps", int(one.truth["jumps"]), 200)
    failed, asleep = sum(w["failed"] for w in rows), int(one.truth["asleep"])
    expect(100 <= asleep <= failed <= 200, "%d waits were left, %d of them asleep, of 200", failed, asleep)


def test_errors_of_a_hot_lock():
    """A call that is refused is no wait that took the lock, however many there are."""
    one = run("hot", ["errors"])
    expect_same(one)
    check_laws(one.report)
    row, = waits(one.report, "mutex", "strict_lock")
    expect_equal("failed calls", row["failed"], int(one.truth["refused"]))


def waits_without_limit(mode, kind, name):
    """Of which most are only timed: the run, and their row."""
    one = run("hot", [mode])
    expect_equal("status", one.profiled.status, 0)
    check_laws(one.report)
    row, = (r for r in waits(one.report, kind, name) if r["operation"] == "wait")
    if row["measured"] > row["contended"] / 2:
        part_skipped("waits that are only timed: %d of %d were measured" % (row["measured"], row["contended"]))
    return one, row


@timed("signallers lost their processors")
def test_turns_by_a_hot_condition():
    """Waits for a condition that are only timed: counts are exact, blame and waiting agree, and a long one has the one who signalled late."""
    one, row = waits_without_limit("turns", "condition", "turn_changes")
    expect_equal("waits", row["contended"], int(one.truth["waits"]))
    expect(row["measured"] <= row["contended"], "%d of %d waits were measured", row["measured"], row["contended"])
    expect_equal("spurious", row["spurious"], 0)
    late, least, most = blame_of([row], "signal_late"), one.truth["waited_at_least"], one.truth["waited_at_most"]
    expect_between("blame on signal_late", late, 0.9 * least, most, 0, 0.02)
    soon = sum(blame_of([row], name) for name in ("signal_soon", "await_turn"))
    # [unknown] has the waits that lasted since other programs had the signaller's processor
    with timing():
        expect(soon + late > 0.8 * row["wait_seconds"], "%.3f of %.3f s of waiting have a signaller", soon + late, row["wait_seconds"])


def test_posts_of_a_hot_semaphore():
    """Waits for a semaphore that are only timed: a long one is charged to who ended it, and not to who posts right after."""
    one, row = waits_without_limit("posts", "semaphore", "posts")
    expect_equal("calls", row["count"], int(one.truth["waits"]))
    late, least, most = blame_of([row], "post_late"), one.truth["waited_at_least"], one.truth["waited_at_most"]
    error = sum(b["error_seconds"] for b in row["blame"] if b["routine"] == "post_late")
    expect_between("blame on post_late, which may be off by %.3f s" % error, late, 0.9 * least, most, 0, 0.02 + 2 * error)

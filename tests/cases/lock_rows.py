# SPDX-License-Identifier: MIT
"""Rows of locks: what each stands for, what counts as a wait, and the same rows in every output."""
import csv
import io

from support import REPORT, check_laws, execute, expect, expect_equal, expect_same, run, waits

BESIDE = True  # no case asserts a time


def test_a_lock_of_ones_own_is_no_wait():
    """What reports a deadlock at once, or is taken once more, is a call: of 50 none waited, whatever the kind of lock."""
    one = run("refused")
    expect_same(one)
    check_laws(one.report)
    again = one.truth["again"]
    for kind, name, operation, count in (("mutex", "checking", "lock", again + 1), ("mutex", "robust", "lock", again + 1),
                                         ("mutex", "inheriting", "lock", again + 1), ("rwlock", "rwlock", "write_lock", again + 1),
                                         ("rwlock", "rwlock", "read_lock", again)):
        rows = [r for r in waits(one.report, kind, name) if r["operation"] == operation]
        expect_equal("calls of %s %s" % (name, operation), sum(r["count"] for r in rows), count)
        expect_equal("waits for %s %s" % (name, operation), sum(r["contended"] for r in rows), 0)


def test_a_row_of_many_has_no_ones_name():
    """Locks without rows of their own share one, which says how many they are; a name of one lock stands for that lock."""
    one = run("many_locks")
    check_laws(one.report)
    rows = [r for r in one.report["synchronization"] if r["kind"] == "mutex" and r["operation"] == "lock"]
    expect_equal("locks of all", sum(r["count"] for r in rows), one.truth["mutexes"] * one.truth["each"])
    for row in rows:
        if row["name"].startswith("locks["):
            expect(row["count"] <= one.truth["each"], "%s was taken %d times, of %d", row["name"], row["count"], one.truth["each"])
    shared = [r for r in rows if "mutexes first used at take_all" in r["name"]]
    expect(shared and shared[0]["members"] > 1, "no row for the others: %s", [r["name"] for r in rows if r["count"] > one.truth["each"]])


def test_calls_without_objects_are_in_every_output():
    """Rows of calls, also of those that do not wait: pthread_create."""
    one = run("many_locks")
    wanted = sorted((call["call"], call["count"]) for call in one.report["calls"])
    expect(("pthread_create", 2) in wanted, "calls in JSON: %s", wanted)
    text = execute([REPORT, "--section", "synchronization", "--format", "csv", one.directory]).stdout.decode()
    rows = list(csv.DictReader(io.StringIO(text)))
    expect_equal("calls in CSV", sorted((row["name"], int(row["count"])) for row in rows if row["kind"] == "call"), wanted)
    text = execute([REPORT, "--section", "synchronization", "--top", "0", "--width", "200", one.directory]).stdout.decode()
    for name, count in wanted:
        expect(any(line.split()[:1] == ["call"] and name in line.split() and str(count) in line.split() for line in text.splitlines()),
               "text lacks %s", name)


def test_what_processes_share_is_one_object():
    """Rows of parent and child are one, and so are places of birth; who is in the other process is no unknown. What each has for itself counts
    twice."""
    one = run("shared_locks")
    check_laws(one.report)
    rows = [r for r in one.report["synchronization"] if " created at make_" in r["name"] and r["operation"] in ("lock", "wait")]
    by_place = {(r["kind"], r["created_at"].split(" ")[0]): r for r in rows}
    lock, own = by_place["mutex", "make_shared"], by_place["mutex", "make_all"]
    wait, posts = by_place["condition", "make_all"], by_place["semaphore", "make_all"]
    expect_equal("rows of locks and waits", len(rows), 4)
    expect_equal("processes and number of shared mutexes: two", (lock["processes"], lock["members"]), (2, 2))
    expect(lock["count"] >= one.truth["locks"], "locks: %d of %d", lock["count"], one.truth["locks"])
    expect_equal("of those that each has", (own["processes"], own["members"], own["count"]), (2, 2, one.truth["locks"]))
    expect_equal("condition, semaphore: members", (wait["members"], posts["members"]), (1, 1))
    for shared in (wait, posts):
        expect_equal("who ended its waits", {b["routine"] for b in shared["blame"]}, {"[another process?]"})
    expect("[unknown]" not in {b["routine"] for b in lock["blame"]}, "blame: %r", lock["blame"])

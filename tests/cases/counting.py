# SPDX-License-Identifier: MIT
"""Counts of wrapped calls are exactly those that the program knows."""
import os

from profile_file import operations, profiles
from support import (LIBRARY, ROOT, check_laws, check_same, execute, expect, expect_equal, expect_same, need, part_skipped, run,
                     scratch, skip)

BESIDE = True  # no case asserts a time
VERSIONS = os.path.join(ROOT, "scripts", "check-versions")


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


def test_threads_that_libc_makes_are_counted():
    """For a timer, a write and a message, in a program that makes no thread itself."""
    for kind in ("timer", "aio", "message"):
        one = run("libc_threads", [kind])
        if kind == "message" and one.native.status == 77:
            part_skipped("no message queues here")
            continue
        expect_same(one)
        check_laws(one.report)
        expect_equal("locks of %s" % kind, total_counts(one).get("MUTEX_LOCK", 0), int(one.truth["locks"]))


def test_workers_that_give_up_root_are_seen():
    """A daemon's workers, and the first process after it has done so itself: profiles are opened by root only."""
    if os.geteuid() != 0:
        skip("only root has rights to give up")
    one = run("new_user")
    expect_same(one)
    expect_equal("processes", len(one.report["processes"]), 4)
    expect_equal("locks", total_counts(one).get("MUTEX_LOCK", 0), int(one.truth["locks"]))


def test_more_threads_than_a_worker_has_room_for():
    """A worker that gave up root cannot enlarge its profile: what is not counted is said, and then the run is not complete."""
    one = run("worker_crowd")
    expect_same(one)
    counted, wanted = total_counts(one).get("MUTEX_LOCK", 0), int(one.truth["locks"])
    is_whole = counted == wanted
    notes = " ".join(one.report["notes"])
    expect(counted <= wanted, "%d locks of %d", counted, wanted)
    expect_equal("the run is complete, with %d of %d locks; notes: %s" % (counted, wanted, notes), one.report["run"]["complete"], is_whole)
    expect(is_whole or ("in no figure" in notes and "sums are whole" not in notes), "%d locks of %d; notes: %s", counted, wanted, notes)


def test_old_conditions():
    """Condition variables of GLIBC_2.2.5 and of 2.3.2 in one program work on their own kind. covers: B15, B16"""
    one = run("cond_old")
    expect_same(one)
    check_laws(one.report)
    compare_counts(total_counts(one), one.truth)


def test_old_calls():
    """Calls by versions of old programs do what they did when those were linked, and are counted: spawn, affinity, quick_exit.
    covers: B15"""
    one = run("old_calls", ["spawn"], directory=scratch())
    expect_same(one)
    check_laws(one.report)
    truth = dict(one.truth)
    compare_counts(total_counts(one, int(truth.pop("pid"))), truth)
    for scene in ("affinity", "search", "quick", "quick_old"):
        check_same("old_calls", [scene])


def test_no_version_is_forgotten():
    """Each version of each wrapped call reaches its own code: scripts/check-versions, which finds gaps where there are some.
    covers: B15"""
    done = execute([VERSIONS, LIBRARY])
    if b"skipped" in done.stdout:
        skip("no libc, or no nm")
    expect_equal("status, %r" % done.stderr[-300:], done.status, 0)
    # one without versions, and one that has today's alone
    today = 'int today(void) { return 0; } __asm__(".symver today,posix_spawn@@GLIBC_2.15");'
    sources = {"int posix_spawn(void) { return 0; }": "is another function", today: "version GLIBC_2.2.5, passes by"}
    for source, said in sources.items():
        done = execute([VERSIONS, library_of(source)])
        expect_equal("status of one with a gap", done.status, 1)
        expect(said.encode() in done.stderr, "it said %r", done.stderr)


def library_of(source):
    place = scratch()
    made, code, versions = (os.path.join(place, name) for name in ("lib.so", "lib.c", "versions.map"))
    with open(code, "w") as file, open(versions, "w") as version_file:
        file.write(source)
        version_file.write("BASE {};\nGLIBC_2.2.5 {};\nGLIBC_2.15 {};\n")
    done = execute([need("cc"), "-shared", "-fPIC", code, "-Wl,--version-script=" + versions, "-o", made])
    expect_equal("status of the compiler, %r" % done.stderr[-300:], done.status, 0)
    return made


def test_processes_are_counted():
    """fork, posix_spawn and waiting for children; what children did before exec is not the parent's. covers: D54"""
    one = run("counts_process")
    expect_same(one)
    check_laws(one.report)
    truth = dict(one.truth)
    compare_counts(total_counts(one, int(truth.pop("pid"))), truth)

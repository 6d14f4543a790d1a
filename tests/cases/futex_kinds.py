# SPDX-License-Identifier: MIT
"""What a futex stands for, where the library above it tells: locks and barriers are no idle waits and not those of a queue."""
import json
import os

from support import BUILD, alone, built, execute, expect, expect_equal, expect_near, full, need, report_json, run, scratch, waits

BESIDE = True

# The wait that matters takes ten times as long.
SLACK = 0.01


def waited_by_cause(report):
    """Of all threads."""
    causes = {cause for thread in report["threads"] for cause in thread["waits"]}
    return {cause: sum(thread["waits"].get(cause) or 0 for thread in report["threads"]) for cause in causes}


def check_identities(report):
    for thread in report["threads"]:
        expect(0 <= thread["idle_seconds"] <= thread["blocked_seconds"] + 1e-9, "idle %r of blocked %r",
               thread["idle_seconds"], thread["blocked_seconds"])
        expect_near("causes of blocked time", sum(v or 0 for v in thread["waits"].values()), thread["blocked_seconds"], 0.001, 1e-6)


def merged(one):
    out = os.path.join(scratch(), "merged")
    expect_equal("status of ptrace-merge", execute([os.path.join(BUILD, "bin", "ptrace-merge"), "-o", out, one.directory]).status, 0)
    return report_json(out)


def futexes(report):
    return sorted((r["name"], r["operation"], r["cause"] or "", r["contended"]) for r in waits(report, "futex"))


def check_kind(program, kind, cause):
    """All of the wait is counted as that, in each thread, in the object's row and in a merged run."""
    one = run(program, [kind])
    rows = [r for r in waits(one.report, "futex") if r["cause"] == cause]
    expect(rows, "%s %s: no futex has the cause %s: %s", program, kind, cause, futexes(one.report))
    for report in one.report, merged(one):
        check_identities(report)
        times = waited_by_cause(report)
        expect(times.get(cause, 0) > SLACK, "%s: %r", cause, times)
        if cause != "futex":
            # beside other programs a thread begins late, and who awaits its first word waits for as long
            others = sum(r["wait_seconds"] for r in waits(report, "futex") if r["cause"] == "futex")
            expect(times.get("futex", 0) < others + 0.001, "futexes beside %s (%.6f s): %r", cause, others, times)
            expect_equal("idle time of %s %s" % (program, kind), sum(thread["idle_seconds"] for thread in report["threads"]), 0)
        expect_equal("futexes", futexes(report), futexes(one.report))
    return one


@full
@alone
def test_locks_barriers_and_ends_of_rust():
    for kind, cause in (("mutex", "mutex"), ("rwlock", "rwlock"), ("once", "once"), ("barrier", "barrier"), ("scope", "join"),
                        ("condvar", "futex"), ("park", "futex"), ("channel", "futex")):
        check_kind("futexes_rust", kind, cause)


@full
def test_latches_and_barriers_of_cxx():
    for kind, cause in (("latch", "barrier"), ("barrier", "barrier"), ("initialised", "once"), ("semaphore", "futex"), ("atomic", "futex")):
        check_kind("futexes_cxx", kind, cause)


def test_locks_of_the_kernel():
    one = run("futexes", ["locks"])
    expect_equal("causes of locks", {r["cause"] for r in waits(one.report, "futex", "pi_lock", "lock")}, {"mutex"})
    times = waited_by_cause(one.report)
    expect(times["mutex"] > SLACK and not times["futex"], "times: %r", times)


def test_a_finding_tells_of_the_lock():
    """It was none: the thread that waited for the lock was idle, and the advice that of queues."""
    one = run("futexes_rust", ["mutex"])
    found = {f["id"]: f for f in one.report["findings"]}
    expect("lock-contention" in found, "findings are %s", sorted(found))
    evidence = found["lock-contention"]["evidence"]
    expect("futexes_rust::TABLE" in evidence and "held by futexes_rust::hold_table" in evidence, "the evidence is %s", evidence)


def test_a_lock_of_the_programs_own():
    """Nothing tells what it is: it stays a futex. The thread wakes others there, so it is not idle. What it waits for is the other one's own
    work, which no signal makes shorter: the finding is that this runs alone."""
    one = run("futexes", ["own"])
    expect_equal("cause", {r["cause"] for r in waits(one.report, "futex", "word", "wait")}, {"futex"})
    for report in one.report, merged(one):
        check_identities(report)
        expect_equal("idle time", [t["idle_seconds"] for t in report["threads"]], [0] * len(report["threads"]))
        found = [f["id"] for f in report["findings"]]
        expect("sequential" in found and "condition-wait" not in found, "findings: %s", found)


def test_without_symbols():
    """The names are gone, and with them what they tell."""
    need("strip")
    program = os.path.join(scratch(), "futexes_rust")
    expect_equal("status of strip", execute(["strip", "-o", program, built("futexes_rust")]).status, 0)
    one = run(program, ["mutex"])
    expect_equal("causes", {r["cause"] for r in waits(one.report, "futex", operation="wait") if r["contended"]}, {"futex"})


def test_moved_waiters_in_differences():
    """Who moved them did not wake all of them; and a wait has not the name of what ends it."""
    one = run("futexes", ["moved"])
    one.profiled
    result = execute([os.path.join(BUILD, "bin", "ptrace-diff"), "--format", "json", one.directory, one.directory])
    names = {f["key"]: f["name"] for f in json.loads(result.stdout)["figures"]}
    expect_equal("names of wait, requeue", (names["futex gate, wait"], names["futex gate, requeue"]), ("futex gate", "futex gate, requeue"))
    expect(any("woken or moved by move_to_second" in name for name in names.values()), "no such name: %s", sorted(names.values()))

# SPDX-License-Identifier: MIT
"""Events that the library counts in each thread: page faults, whose number a program can know, stand for all of them. Counts are
exact, parts of them are at their call paths, and the program notices nothing."""
import os
import resource

import profile_file
import support
from support import (LIBRARY, built, clean_environment, execute, expect, expect_equal, expect_near, expect_same, full, need,
                     report_json, run, scratch, skip)

BESIDE = True  # no case asserts a time

FAULTS, SWITCHES = "1 1 2 0 0 0 0 count page-faults", "1 1 3 0 0 0 0 count context-switches"
EACH_FAULT = "1 1 2 0 0 0 1 count page-faults"
UNSPARED = 80  # page faults of a thread outside of its routine: libc's start and end, and the profiler's own

COUNTED = 8  # flag of events (docs/dev/format.md)


def counted(kind, events, **settings):
    environment = dict(settings.pop("environment", {}), PTRACE_EVENTS=events)
    return run("counted", [kind], environment=environment, **settings)


def event(rows, number):
    return next(row for row in rows["events"] if row["number"] == number)


def tables(one):
    """The profile of the first process; skips where the kernel refuses to count."""
    rows = profile_file.Profile(one.profiles()[0]).rows
    if not any(row["flags"] & COUNTED for row in rows["events"]):
        skip("the kernel does not count page faults: error %d" % event(rows, 1)["error"])
    return rows


def sums_by(rows, column, number):
    """{thread's tid: sum of the column} of one event."""
    tids = {row["number"]: row["tid"] for row in rows["threads"]}
    found = {}
    for row in rows[column]:
        if row["event"] == number:
            tid = tids[row["owner"]]
            found[tid] = found.get(tid, 0) + row["count"]
    return found


def test_counts_are_those_of_the_program():
    """Each thread's page faults: those that getrusage tells the thread of its routine, and the few of its start and end; all of
    them, or less, at call paths, if a sample fell into its 12 ms of CPU time; and those of the report."""
    one = counted("faults", FAULTS + ";" + SWITCHES)
    expect_same(one)
    rows = tables(one)
    counts, parts = sums_by(rows, "event_counts", 1), sums_by(rows, "event_samples", 1)
    tids = {row["number"]: row["tid"] for row in rows["threads"]}
    sampled = {tids[row["owner"]] for row in rows["samples"] if row["count"]}
    expect(len(sampled) >= 2, "of the threads only %r were sampled", sampled)
    for tid, faults in one.truth.items():
        count = counts.get(int(tid), 0)
        expect(faults <= count <= faults + (UNSPARED if count < 3500 and faults != 500 else 20 * UNSPARED),
               "thread %s: %d page faults counted, getrusage says %d", tid, count, faults)
        expect((int(tid) in sampled) <= parts.get(int(tid), 0) <= count, "thread %s: %d of %d page faults at call paths", tid,
               parts.get(int(tid), 0), count)
    for row in rows["event_counts"]:
        if row["event"]:
            expect(row["running_ns"] == row["enabled_ns"] > 0, "counted for %d of %d ns", row["running_ns"], row["enabled_ns"])


def test_each_fault_is_at_its_line():
    """An event with a period of 1: every page fault of the touching loop is at the instruction there."""
    one = counted("faults", EACH_FAULT)
    expect_same(one)
    rows = tables(one)
    by_path = {}
    for row in rows["event_samples"]:
        if row["event"]:
            expect_equal("counts of a row", row["count"], row["samples"])
            by_path[row["callpath"]] = by_path.get(row["callpath"], 0) + row["count"]
    most = sorted(by_path.values(), reverse=True)
    # a thread that loses its processor again and again gets fewer ticks, and with them fewer samples that empty the kernel's ring
    is_lost = any("no room for records of an event's own samples" in note for note in one.report["notes"])
    expect(most[0] >= (sum(most) if is_lost else 6500) * 0.98, "the place with most has %d of 6,500 page faults; records of %d",
           most[0], sum(most))
    expect(sum(most) <= sum(sums_by(rows, "event_counts", 1).values()), "more samples than events: %d", sum(most))


def test_no_call_is_interrupted():
    expect_same(counted("asleep", EACH_FAULT))


def test_the_program_closes_all_descriptors():
    """close, close_range and closefrom say what they say without the profiler, and counting goes on."""
    one = counted("closing", FAULTS)
    expect_same(one)
    rows = tables(one)
    first = next(row["tid"] for row in rows["threads"] if row["number"] == 1)
    expect(sums_by(rows, "event_counts", 1)[first] >= 400, "the pages touched afterwards were not counted")


def test_the_program_takes_the_numbers():
    """dup2 and dup3 onto numbers by which events are counted: the file is the program's, nothing is read from it, and a note says
    that counts are missing."""
    one = counted("replacing", FAULTS)
    expect_same(one)
    tables(one)
    notes = one.report["notes"]
    expect(any("closed descriptors" in note for note in notes), "no note of closed descriptors: %s", notes)
    counter = one.report["counters"][0]
    expect(counter["total"] and counter["grade"] == "estimated" and "took its descriptor" in counter["reason"],
           "what was counted until then, and why it is not all: %s", counter)


def test_a_shell_saves_and_restores_the_numbers():
    """A shell that redirects such numbers itself asks first whether they are open, saves what is, and puts it back: its own file has
    what it wrote, and nothing is to be read afterwards."""
    need("bash")
    script = os.path.join(scratch(), "script")
    with open(script, "w") as file:
        file.write('exec 768>"$1"; echo hi >&768; echo "written $?"; exec 768>&-; { echo in; } 769>"$1.other"\n'
                   'cat <&769; echo "read $?"; exec 770<"$1"; cat <&770; echo "end $?"\n')
    one = run(need("bash"), [script, os.path.join(scratch(), "own")], environment={"PTRACE_EVENTS": FAULTS + ";" + SWITCHES})
    expect_same(one)


def test_calls_that_change_nothing_end_no_counting():
    """dup2 that fails, and dup2 in a vfork child, whose descriptors are its own: counting goes on."""
    one = counted("failing", FAULTS)
    expect_same(one)
    first = next(row["tid"] for row in tables(one)["threads"] if row["number"] == 1)
    expect(sums_by(tables(one), "event_counts", 1)[first] >= 900, "the pages touched afterwards were not counted")


def test_a_counted_event_may_also_be_sampled():
    """Both have rows of their own in the report, and the same total."""
    one = counted("faults", FAULTS + ";" + EACH_FAULT.replace("1 1", "2 1", 1))
    expect_same(one)
    tables(one)
    totals = {row["name"]: row["total"] for row in one.report["counters"]}
    expect_equal("events", sorted(totals), ["page-faults", "page-faults@1"])
    expect_near("both totals", totals["page-faults"], totals["page-faults@1"], 0.02, 0)


def test_a_child_has_no_descriptor_of_its_parents():
    """A forked child sees none, counts its own page faults, and so does the program that it executes."""
    one = counted("forking", FAULTS)
    expect_same(one)
    images = {}
    for path in one.profiles():
        profile = profile_file.Profile(path)
        images.setdefault(profile.pid, []).append(profile.rows)
    if not any(row["flags"] & COUNTED for rows in images.values() for row in rows[0]["events"]):
        skip("the kernel does not count page faults")
    child = max(images.values(), key=len)
    expect_equal("images of the child", len(child), 2)
    forked, executed = (sum(sums_by(rows, "event_counts", 1).values()) for rows in child)
    expect(700 <= forked <= 700 + 10 * UNSPARED, "the child: %d page faults counted", forked)
    expect(6500 <= executed <= 6500 + 20 * UNSPARED, "the program that it executes: %d page faults counted", executed)


def test_short_threads_keep_the_budget():
    """Where opening events in each thread costs more than the budget, further threads count nothing, and that is said."""
    one = counted("short", FAULTS + ";" + SWITCHES)
    expect_same(one)
    rows = tables(one)
    refused = event(rows, 1)["refused"]
    expect(0 < refused < 5000, "%d of 5,000 threads were not counted", refused)
    expect(any("many short threads" in note for note in one.report["notes"]), "no note: %s", one.report["notes"])


def test_few_descriptors():
    """With a limit of 40 descriptors, events take no more than a quarter of them."""
    one = counted("faults", FAULTS + ";" + EACH_FAULT.replace("1 1", "2 1", 1), limits={resource.RLIMIT_NOFILE: 40})
    expect_same(one)
    rows = tables(one)
    expect(any(row["count"] >= 500 for row in rows["event_counts"]), "nothing was counted")


def test_what_cannot_be_counted_is_left_out():
    """An event that no kernel has: its row says why, others are counted."""
    one = counted("faults", "1 1 2 0 0 0 0 count page-faults;1 1 ffff 0 0 0 0 count nothing")
    expect_same(one)
    rows = tables(one)
    nothing = event(rows, 2)
    expect(nothing["error"] and nothing["refused"] == 4 and not nothing["flags"] & COUNTED,
           "error %d in %d threads", nothing["error"], nothing["refused"])
    expect(max(sums_by(rows, "event_counts", 1).values()) >= 3000, "page faults were not counted")


@full
def test_a_bad_value_ends_no_program():
    """The variables, set by hand to what is no list of events, and the library preloaded without ptrace-run, which would refuse them:
    what is right in it is counted."""
    native = execute([built("counted"), "closing"])
    if support.NATIVE_ONLY:
        skip("native only: status %d" % native.status)
    for number, events in enumerate((
            "", ";;;", "1 1 2", "x y z", "cycles,instructions", "1 1 2 0 0 0 0 count", "99999999999999999999 1 2 0 0 0 0 count a", "%s%n",
            "1 ffffffff ffffffffffffffff ffffffffffffffff ffffffffffffffff ffffffff 18446744 count wild", FAULTS + ";" * 4000,
            ";".join([FAULTS] * 100), ";".join([SWITCHES] * 32))):
        directory = os.path.join(scratch(), "bad%d" % number)
        result = execute([built("counted"), "closing"], clean_environment({
            "LD_PRELOAD": LIBRARY, "PTRACE_OUTPUT": directory, "PTRACE_EVENTS": events, "PTRACE_METRICS": events.replace(" ", "|")}))
        expect_equal("status and output with %r" % events[:60], (result.status, result.stdout), (native.status, native.stdout))
        expect_equal("status of the report", report_json(directory)["report_status"], 0)

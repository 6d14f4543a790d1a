# SPDX-License-Identifier: MIT
"""Calls of instrumented routines: as many as the program counts itself, whatever leaves a routine, and times that add up."""
import kernel
import profile_file
import support
from support import (BUILD, RUN, built, execute, expect, expect_equal, expect_same, part_skipped, profile_paths, report_json, run, scratch,
                     skip)

BESIDE = True  # no case asserts a time

SLACK_NS = 100000  # between the clock of the calls and that of the thread's life, whose begin and end are read at other places


def names_of(report):
    """{exact row of the section: its name}"""
    return {row["name"]: row for row in report["calls_exact"]}


def profiled(kind, **settings):
    one = run("instrumented", [kind], **settings)
    expect_same(one)
    return one


def expect_counts(one, truth=None, others=()):
    """Calls of each routine are the program's own count; those that it never called have no row."""
    rows = names_of(one.report)
    for name, count in (truth or one.truth).items():
        if name in others:
            continue
        expect_equal("calls of " + name, rows[name]["calls"] if name in rows else 0, count)
    return rows


def raw(path):
    """(rows of calls, {owner: life in ns}, rows of threads) of one profile"""
    rows = profile_file.Profile(path).rows
    lives = {row["number"]: row["past_life_ns"] + row["updated_ns"] - row["birth_ns"] for row in rows["threads"] if row["tid"]}
    return [row for row in rows["calls"] if row["callpath"]], lives, rows["threads"]


def check_profile(path, left):
    """Of each thread: sequential calls are calls (but for those that handlers may have left, before they were counted), no routine's own time is beyond its total, the own times of all are at most the
    thread's life."""
    calls, lives, _ = raw(path)
    own = {}
    for row in calls:
        expect(row["sequential"] <= row["count"] + left, "%d of %d calls are sequential", row["sequential"], row["count"])
        expect(row["self_ns"] <= row["total_ns"] + SLACK_NS, "self %d, total %d", row["self_ns"], row["total_ns"])
        own[row["owner"]] = own.get(row["owner"], 0) + row["self_ns"]
    for owner, self_ns in own.items():
        expect(self_ns <= lives[owner] + SLACK_NS, "self times %d ns in a life of %d ns", self_ns, lives[owner])


def check_sums(one, left=0):
    for path in one.profiles():
        check_profile(path, left)


def seconds(row, name):
    return row[name + "_seconds"]


def test_calls_and_times_of_one_thread():
    """Self times of everything sum to the total of the root; what a routine contains is at least what it spins."""
    one = profiled("plain")
    rows = expect_counts(one)
    check_sums(one)
    root = rows["plain"]
    expect(abs(sum(seconds(row, "self") for row in rows.values()) - seconds(root, "total")) < 1e-6, "self times do not sum to %r", root)
    expect(seconds(rows["outer"], "self") >= 50 * 100e-6, "outer spins 50 times 100 us: %r", rows["outer"])
    expect(seconds(rows["inner"], "self") >= 150 * 200e-6, "inner spins 150 times 200 us: %r", rows["inner"])
    callees = seconds(rows["outer"], "self") + sum(seconds(rows[name], "self") for name in ("inner", "leaf"))
    expect(abs(callees - seconds(rows["outer"], "total")) < 1e-6, "self and callees of outer are %g s: %r", callees, rows["outer"])
    expect(abs(seconds(rows["fibonacci"], "self") - seconds(rows["fibonacci"], "total")) < 1e-6,
           "a recursion counts once: %r", rows["fibonacci"])
    for row in rows.values():
        expect_equal("sequential calls of a process with one thread: " + row["name"], row["sequential"], row["calls"])


def check_started(environment, check_lives):
    """started_ns of starter against the lives of the threads other than the first"""
    one = profiled("threads", environment=environment)
    rows = expect_counts(one)
    check_sums(one)
    expect_equal("threads that starter created", rows["starter"]["threads_started"], 12)
    for row in rows.values():
        expect_equal("sequential and concurrent calls of " + row["name"], row["sequential"] + row["concurrent"], row["calls"])
    calls, _, threads = raw(one.profiles()[0])
    lives = sum(row["updated_ns"] - row["birth_ns"] for row in threads if row["tid"] and not row["flags"] & 1)
    check_lives(sum(row["started_ns"] for row in calls), lives)


def test_threads_are_charged_to_who_started_them():
    """The lives of twelve threads are the time that starter started. Switch records lengthen the row of a thread that is preempted
    after it has read the clock for its end, so without them the two are equal, and with them no life is shorter."""
    check_started({"PTRACE_SWITCHES": "0"}, lambda started, lives: expect_equal("time in threads started", started, lives))
    check_started(None, lambda started, lives: expect(0 < started <= lives, "time in threads started: %d, lives %d", started, lives))


def test_what_the_tool_waits_for_is_no_time_of_a_call():
    """The first switch records take some kernels long; here a filter delays them by 20 ms each. They begin in a call of starter, and what
    they take is in no life."""
    if support.NATIVE_ONLY:
        skip("native only")
    directory = scratch()
    result = execute([built("slow_perf"), RUN, "-q", "-o", directory, "--", built("instrumented"), "threads"])
    expect_equal("status; stderr: %s" % result.stderr_text()[-300:], result.status, 0)
    if kernel.switch_records_refused():
        part_skipped("the kernel gives no switch records: %s" % kernel.switch_records_refused())
    path, = profile_paths(directory)
    check_profile(path, 0)


def test_jumps_leave_routines():
    """longjmp out of up to seven routines: they are over at that instant, so what follows is no part of them."""
    one = profiled("jump")
    rows = expect_counts(one)
    check_sums(one)
    expect_equal("calls that never ended", sum(row["open"] for row in rows.values()), 0)
    expect(seconds(rows["catcher"], "self") >= 100 * 500e-6, "catcher spins 100 times 500 us: %r", rows["catcher"])
    expect(abs(seconds(rows["thrower"], "self") - seconds(rows["thrower"], "total")) < 1e-6, "thrower calls nothing: %r", rows["thrower"])


def test_a_fork_child_has_its_own_calls():
    """Both processes have exactly their own; the calls that were under way end without a beginning in the child."""
    one = profiled("fork")
    rows = names_of(one.report)
    expect_equal("calls of outer", rows["outer"]["calls"], one.truth["outer"] + one.truth["of the child"])
    of_each = sorted(max(row["count"] for row in raw(path)[0]) for path in one.profiles())
    expect_equal("leaf in each", of_each, [40, 50])
    check_sums(one)


def test_exec_keeps_the_calls_before_it():
    one = profiled("exec")
    rows = names_of(one.report)
    expect_equal("calls of outer", rows["outer"]["calls"], one.truth["outer"] + 1)
    expect_equal("calls that the exec ended", rows["exec_again"]["open"], 1)
    expect(seconds(rows["exec_again"], "total") >= 4 * 100e-6, "its time until then is known: %r", rows["exec_again"])


def check_interrupted(where, rows, truth):
    """A handler that jumps out of leaf's hook, or from in front of its first line, leaves a call that leaf has not counted. One that jumps
    out of counting what another handler called takes that call with it."""
    more = rows["leaf"]["calls"] - truth["leaf"]
    expect(-2 <= more <= 100, "%sleaf: %r, truth %d", where, rows["leaf"], truth["leaf"])
    lost = truth["on_alarm"] - rows["on_alarm"]["calls"]
    expect(0 <= lost <= 2, "%son_alarm: %r, truth %d", where, rows["on_alarm"], truth["on_alarm"])


def test_signal_handlers():
    """Handlers interrupt the program, and the hooks, at any place; every fifth jumps out of what it has interrupted."""
    one = run("instrumented", ["signals"])
    one.profiled  # pylint: disable=pointless-statement
    rows = expect_counts(one, others=["leaf", "on_alarm"])
    check_sums(one, left=100)
    for row in one.report["calls_exact"]:
        expect(row["concurrent"] >= 0, "concurrent calls: %r", row)
    check_interrupted("", rows, one.truth)
    expect_equal("calls that never ended", sum(row["open"] for row in rows.values()), 0)


def test_deep_recursions_and_coroutines():
    """Deeper than the table of calls under way: counted, with a note. Stacks that take turns: counted, and no figure is broken."""
    one = profiled("deep")
    rows = expect_counts(one)
    check_sums(one)
    expect_equal("calls without time", rows["descend"]["untimed"], 20001 - 8191)
    expect(any("8192 instrumented calls" in note for note in one.report["notes"]), "no note: %r", one.report["notes"])
    one = profiled("coroutine")
    expect_counts(one)
    check_sums(one)


def test_the_end_of_the_process_ends_no_call():
    """exit in a routine: its call is open, and its time until then is known."""
    one = profiled("exit")
    rows = expect_counts(one)
    expect_equal("calls under way", rows["last"]["open"], 1)
    expect(seconds(rows["last"], "total") >= 0.02, "last spins 20 ms: %r", rows["last"])


def test_a_killed_process_has_its_calls():
    """SIGKILL: all calls are there, and of the open one the time up to a sample some 100 ms before."""
    one = run("instrumented", ["kill"])
    one.profiled  # pylint: disable=pointless-statement
    rows = expect_counts(one)
    expect_equal("calls under way", rows["last"]["open"], 1)
    expect(seconds(rows["last"], "total") >= 0.1, "last burns 400 ms: %r", rows["last"])


def test_calls_of_cxx():
    """Exceptions end calls on their way; inlined routines and instances of templates have rows of their own."""
    one = run("instrumented_cxx")
    expect_same(one)
    rows = names_of(one.report)
    for name, count in one.truth.items():
        found = [row for key, row in rows.items() if key.split("(")[0] == name]
        expect_equal("rows of %s among %s" % (name, sorted(rows)), len(found), 1)
        expect_equal("calls of " + name, found[0]["calls"], count)
    expect_equal("calls that never ended", sum(row["open"] for row in rows.values()), 0)
    check_sums(one)


def test_a_merged_run_has_the_same_calls():
    """And the table of routines has their number, too."""
    one = profiled("fork")
    merged = scratch() + "/merged"
    expect_equal("status", execute([BUILD + "/bin/ptrace-merge", "-o", merged, one.directory]).status, 0)
    expect_equal("calls", report_json(merged)["calls_exact"], one.report["calls_exact"])
    calls = names_of(one.report)
    for row in one.report["routines"]:
        expect_equal("calls of " + row["name"], row["calls"], calls[row["name"]]["calls"] if row["name"] in calls else None)

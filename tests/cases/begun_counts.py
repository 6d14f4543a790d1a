# SPDX-License-Identifier: MIT
"""Calls of routines whose begin only is told (-pg, -mfentry): as many as the program counts itself, without times, and nothing that
the program or gprof sees is changed by it."""
import json
import os
import struct

import profile_file
from call_counts import check_interrupted
from support import (BUILD, REPORT, RUN, Skip, built, clean_environment, execute, expect, expect_equal, expect_same, full,
                     part_skipped, report_json, run, scratch)

BESIDE = True  # no case asserts a time

TOLD = ("pg", "fentry", "clang", "clang_fentry")  # of each call the begin
BOTH = ("both", "both_fentry", "both_bare", "clang_both")  # and of these the end, too
OF_LIBRARY = "libbegun_value"                     # whose library has the first kind in all programs
UNKNOWN = ("open", "self_seconds", "total_seconds", "call_seconds", "threads_started", "started_seconds")


def each(family, hows, arguments=()):
    """(how, run) of each program of the family that could be built; gmon.out goes to a directory of its own."""
    count = 0
    for how in hows:
        try:
            one = run("%s_%s" % (family, how), arguments, directory=scratch())
        except Skip as skipped:
            part_skipped(str(skipped))
            continue
        count += 1
        yield how, one
    expect(count, "none of %s was built", [family + "_" + how for how in hows])


def plain_name(name):
    return name.split("(")[0]


def names_of(report):
    return {plain_name(row["name"]): row for row in report["calls_exact"]}


def expect_counts(how, one, truth=None, others=()):
    """Rows by name, of which each has the program's own count; those that it never called have none."""
    rows = names_of(one.report)
    for name, count in (truth or one.truth).items():
        if name not in others:
            expect_equal("%s: calls of %s" % (how, name), rows[name]["calls"] if name in rows else 0, count)
    return rows


def check_unknown(how, one, rows):
    """What is not told is not 0, and a note says why."""
    for name, row in rows.items():
        expect_equal("%s: untimed calls of %s" % (how, name), row["untimed"], row["calls"])
        expect_equal("%s: sequential and concurrent calls of %s" % (how, name), row["sequential"] + row["concurrent"], row["calls"])
        expect(all(row[key] is None for key in UNKNOWN), "%s: what is not told has figures: %r", how, row)
    notes = [note for note in one.report["notes"] if "-pg tells no ends" in note]
    expect_equal("%s: notes of it; there are: %s" % (how, one.report["notes"]), len(notes), 1)
    expect("%d routine%s were" % (len(rows), "s" * (len(rows) != 1)) in notes[0], "%d rows; %s", len(rows), notes[0])


def test_unknown_figures_are_shown_as_such():
    """In text a question mark, in CSV nothing; a routine that is told both ends stands beside with its times."""
    for how, one in each("begun", ["both"]):
        lines = {line.split()[-2]: line.split() for line in section(one, "text").splitlines() if "begun" in line}
        expect_equal(how + ": figures of value", lines["value"][3:9], ["?"] * 6)
        expect("?" not in lines["sum"], "times of sum: %s", lines["sum"])
        head, *rows = [line.split(",") for line in section(one, "csv").splitlines()]
        row, = [dict(zip(head, row)) for row in rows if row[0] == OF_LIBRARY]
        expect_equal("%s: CSV of %s" % (how, OF_LIBRARY), [row[key] for key in UNKNOWN], [""] * len(UNKNOWN))


def section(one, form):
    one.profiled  # pylint: disable=pointless-statement
    return execute([REPORT, "--section", "calls", "--top", "0", "--format", form, one.directory]).stdout.decode()


def check_timed(how, rows, truth):
    """Each call has its begin and its end, and is counted once."""
    for name in truth:
        if name in rows and name != OF_LIBRARY:
            expect_equal("%s: untimed calls of %s" % (how, name), rows[name]["untimed"], 0)


def check_family(family, arguments=(), skipped=()):
    for how, one in each(family, TOLD, arguments):
        expect_same(one)
        check_unknown(how, one, expect_counts(how, one, others=skipped))
    for how, one in each(family, BOTH, arguments):
        expect_same(one)
        check_timed(how, expect_counts(how, one, others=skipped), one.truth)


@full
def test_counts_of_one_thread():
    """In a process with one thread all calls are sequential."""
    check_family("instrumented", ["plain"])
    for how, one in each("instrumented", TOLD[:2], ["plain"]):
        for row in one.report["calls_exact"]:
            expect_equal("%s: sequential calls of %s" % (how, row["name"]), row["sequential"], row["calls"])


@full
def test_counts_of_threads():
    check_family("instrumented", ["threads"])


@full
def test_jumps_and_coroutines():
    check_family("instrumented", ["jump"])
    check_family("instrumented", ["coroutine"])


def test_deep_recursions():
    """Nothing is kept of calls that are under way, so there is no limit."""
    for how, one in each("instrumented", TOLD, ["deep"]):
        expect_same(one)
        check_unknown(how, one, expect_counts(how, one))


def test_what_surrounds_a_routine():
    """Arguments of all kinds, large results, static chains, handlers on other stacks, small stacks, a vfork child, what runs before main
    and after it, and resolvers of ifuncs while the profiler itself is not yet relocated."""
    check_family("begun")


def test_no_register_changes():
    """At the first call of a thread, at the first one from a place, at others."""
    one = run("begun_registers")
    expect_same(one)
    for kind in ("general", "vectors", "masks", "fixed"):
        expect_equal("changed registers: " + kind, one.truth[kind], 0)
    expect_equal("calls", sum(row["calls"] for row in one.report["calls_exact"]), one.truth["calls"])


def test_a_fork_child_has_its_own_calls():
    for how, one in each("instrumented", TOLD, ["fork"]):
        expect_same(one)
        expect_equal(how + ": calls of outer", names_of(one.report)["outer"]["calls"], one.truth["outer"] + one.truth["of the child"])
        of_each = sorted(max(row["count"] for row in profile_file.Profile(path).rows["calls"]) for path in one.profiles())
        expect_equal(how + ": leaf in each", of_each, [40, 50])


@full
def test_exec_exit_and_death():
    """The calls before an exec, an exit and a SIGKILL are there."""
    for how, one in each("instrumented", TOLD, ["exec"]):
        expect_same(one)
        rows = names_of(one.report)
        expect_equal(how + ": calls of outer", rows["outer"]["calls"], one.truth["outer"] + 1)
        expect_equal(how + ": calls of exec_again", rows["exec_again"]["calls"] if "exec_again" in rows else 1, 1)
    for how, one in each("instrumented", TOLD, ["exit"]):
        expect_same(one)
        expect_counts(how, one)
    for how, one in each("instrumented", TOLD, ["kill"]):
        expect_equal(how + ": status", one.profiled.status, one.native.status)
        expect_counts(how, one)


@full
def test_signal_handlers():
    """Handlers interrupt the hooks at any place; every fifth jumps out of what it has interrupted. Then a call may be told that leaf has
    not counted."""
    for how, one in each("instrumented", TOLD + BOTH, ["signals"]):
        one.profiled  # pylint: disable=pointless-statement
        rows = expect_counts(how, one, others=["leaf", "on_alarm"])
        check_interrupted(how + ", ", rows, one.truth)


@full
def test_hooks_that_are_left_lose_no_calls():
    """By setcontext, __builtin_longjmp, a jump on a coroutine's stack, or for another coroutine that goes on later. Each time one call may
    be told that was not counted by the program, or the reverse."""
    for how in ("pg", "functions"):
        for mode in ("context", "builtin", "coroutine", "turns"):
            one = run("begun_left_" + how, [mode], directory=scratch())
            rows, where = names_of(one.report), "%s, %s: " % (how, mode)
            expect_equal(where + "calls of call_last", rows["call_last"]["calls"], one.truth["call_last"])
            off = rows["call_often"]["calls"] - one.truth["call_often"]
            expect(abs(off) <= one.truth["jumps"], "%scall_often: %d of %d calls, %d jumps", where, rows["call_often"]["calls"],
                   one.truth["call_often"], one.truth["jumps"])
            for name, row in rows.items():
                expect_equal("%sconcurrent calls of %s in a process with one thread" % (where, name), row["concurrent"], 0)
                if how == "pg":
                    expect(all(row[key] is None for key in UNKNOWN), "%swhat is not told has figures: %r", where, row)


def test_without_memory_a_note_says_what_is_missing():
    for how in ("pg", "functions"):
        one = run("begun_left_" + how, ["memory"], directory=scratch())
        expect_same(one)
        expect_equal(how + ": notes", len([note for note in one.report["notes"] if "no memory to count" in note]), 1)


def test_unknown_figures_are_no_change():
    """Of a routine that has its times in one run only there is no difference of times."""
    runs = []
    for how in ("pg", "both"):
        one = run("instrumented_" + how, ["plain"], directory=scratch())
        one.profiled  # pylint: disable=pointless-statement
        runs.append(one.directory)
    figures = json.loads(execute([BUILD + "/bin/ptrace-diff", "--format", "json"] + runs).stdout)["figures"]
    of_leaf = {f["metric"]: f for f in figures if f["section"] == "tables" and f["key"] == "calls: callpath=leaf"}
    expect_equal("calls", of_leaf["count"]["a"], of_leaf["count"]["b"])
    expect_equal("time that is not told", of_leaf["total_ns"]["a"], None)
    expect(of_leaf["total_ns"]["b"] > 0, "time that is told: %r", of_leaf["total_ns"])


def test_calls_of_cxx():
    """Exceptions pass through routines. Of inlined ones no begin is told by -pg; -finstrument-functions tells it."""
    check_family_of_cxx("pg", ["small"], check_unknown)
    check_family_of_cxx("both", [], lambda how, one, rows: check_timed(how, rows, one.truth))


def check_family_of_cxx(how, inlined, check):
    for _, one in each("instrumented_cxx", [how]):
        expect_same(one)
        check(how, one, expect_counts(how, one, others=inlined))
        for name in inlined:
            expect(name not in names_of(one.report), "%s is inlined, and has a row", name)


# gprof's own file

RECORD_HISTOGRAM, RECORD_ARC = 0, 1


def arcs_of(directory):
    """{(from, self): calls} of gmon.out, and the samples in its histogram"""
    with open(os.path.join(directory, "gmon.out"), "rb") as file:
        data = file.read()
    expect_equal("magic", data[:8], b"gmon" + struct.pack("<i", 1))
    arcs, samples, at = {}, 0, 20
    while at < len(data):
        kind, at = data[at], at + 1
        if kind == RECORD_HISTOGRAM:
            bins = struct.unpack_from("<i", data, at + 16)[0]
            samples += sum(struct.unpack_from("<%dH" % bins, data, at + 40))
            at += 40 + 2 * bins
        else:
            expect_equal("kind of record at %d" % at, kind, RECORD_ARC)
            begin, end, count = struct.unpack_from("<QQI", data, at)
            arcs[begin, end] = arcs.get((begin, end), 0) + count
            at += 20
    return arcs, samples


def test_gmon_out_is_what_it_is_natively():
    """Each arc, with its calls. gprof itself samples while we do: its histogram has samples as well."""
    for program, arguments in (("instrumented_pg", ["deep"]), ("instrumented_fentry", ["plain"]), ("instrumented_both", ["plain"]),
                               ("instrumented_clang", ["plain"]), ("instrumented_cxx_pg", [])):
        native, profiled = scratch(), scratch()
        expect_equal("status", execute([built(program)] + arguments, directory=native).status, 0)
        command = [RUN, "-q", "-o", os.path.join(scratch(), "run"), built(program)] + arguments
        expect_equal("status", execute(command, directory=profiled).status, 0)
        arcs, _ = arcs_of(native)
        expect(sum(arcs.values()) > 1000, "%s: few arcs: %s", program, arcs)
        expect_equal(program + ": arcs", arcs_of(profiled)[0], arcs)
    place = scratch()
    execute([RUN, "-q", "-o", os.path.join(scratch(), "run"), built("equal_pg")], directory=place)
    expect(arcs_of(place)[1] > 0, "gprof has no samples of its own")


# Hooks of others

def test_hooks_of_the_program_itself():
    """They are called instead of ours: nothing is counted, and nothing changes."""
    one = run("instrumented_own", ["plain"], directory=scratch())
    expect_same(one, stderr=True)
    expect(b"routines began" in one.native.stderr, "its own hook was not called: %s", one.native.stderr)
    expect_equal("calls", one.report["calls_exact"], [])


def test_hooks_of_a_library_behind_ours():
    """They are called as often as natively, and the calls are counted here as well."""
    library = built("libhook.so")
    for how, one in each("instrumented", ("pg", "fentry"), ["plain"]):
        one.settings["environment"] = clean_environment({"LD_PRELOAD": library})
        expect_same(one, stderr=True)
        expect(b"routines began" in one.native.stderr, "its hook was not called: %s", one.native.stderr)
        expect_counts(how, one)


def test_a_merged_run_has_the_same_calls():
    for _, one in each("instrumented", ["pg"], ["fork"]):
        merged = scratch() + "/merged"
        one.profiled  # pylint: disable=pointless-statement
        expect_equal("status", execute([BUILD + "/bin/ptrace-merge", "-o", merged, one.directory]).status, 0)
        report = report_json(merged)
        expect_equal("calls", report["calls_exact"], one.report["calls_exact"])
        expect_equal("notes of it", [n for n in report["notes"] if "-pg" in n], [n for n in one.report["notes"] if "-pg" in n])

# SPDX-License-Identifier: MIT
"""What the analyzer makes of counted events: sums that add up everywhere, page faults where the program takes them, merged runs, CSV
and the database with the same figures, and reasons for what was not counted."""
import collections
import csv
import io
import os
import sqlite3

from merge import merged
from support import BUILD, REPORT, execute, expect, expect_equal, expect_same, full, report_json, report_text, run, scratch, skip

BESIDE = True  # no case asserts a time

# Nobody has events of type 99.
EVENTS = "1 1 2 0 0 0 0 count page-faults;2 1 1 0 0 0 0 ns task-clock;3 99 1 0 0 0 0 count no-such-event"
METRICS = "fault rate|1/s|page-faults / CPU time|@1 cpu_seconds /;nothing||no-such-event / page-faults|@3 @1 /"
PARTS = ("by_thread", "by_routine", "by_line", "by_level", "by_wait")


def counted(program="counted", arguments=("faults",), **environment):
    settings = dict({"PTRACE_EVENTS": EVENTS, "PTRACE_METRICS": METRICS}, **environment)
    return profiled(run(program, arguments, environment=settings))


def profiled(one):
    expect_equal("status", one.profiled.status, 0)
    return one


def named(report):
    return {row["name"]: row for row in report["counters"]}


def faults_of(report):
    faults = named(report)["page-faults"]
    if faults["grade"] is None:
        skip("the kernel does not count page faults: %s" % faults["reason"])
    return faults


def check_sums(report):
    """Over threads, routines, lines, levels and waits: the same total, to the last one."""
    for row in report["counters"]:
        if row["kind"] != "event" or row["grade"] is None:
            continue
        scale = 1e9 if row["unit"] == "seconds" else 1
        expect(row["grade"] != "exact" or round(row["total"] * scale) == row["counted"], "total of %s: %r, counted %r",
               row["name"], row["total"], row["counted"])
        for part in PARTS:
            expect_equal("%s, sum %s" % (row["name"], part), sum(round(place["value"] * scale) for place in row[part]),
                         round(row["total"] * scale))


def test_page_faults_are_where_the_program_takes_them():
    one = counted()
    expect_same(one)
    report = report_json(one.directory)
    faults = faults_of(report)
    check_sums(report)
    by_thread = {row["tid"]: row["value"] for row in faults["by_thread"]}
    for tid, wanted in one.truth.items():
        expect(by_thread[int(tid)] >= wanted, "thread %s: %r page faults, getrusage says %d", tid, by_thread[int(tid)], wanted)
    touched = sum(row["value"] for row in faults["by_routine"] if row["routine"] in ("touch_pages", "fault", "[unsampled]"))
    expect(touched >= 0.8 * faults["total"], "%r of %r page faults where pages are touched", touched, faults["total"])
    expect_equal("min and max", (faults["min"], faults["max"]), (min(by_thread.values()), max(by_thread.values())))
    whole = next(row for row in faults["by_routine"] if row["routine"] == "fault")
    expect(whole["total"] >= whole["value"], "with what it called %r, itself %r", whole["total"], whole["value"])


def test_what_is_not_there_says_why():
    report = report_json(counted().directory)
    rows = named(report)
    faults_of(report)
    event, metric, rate = rows["no-such-event"], rows["nothing"], rows["fault rate"]
    for row in (event, metric):
        expect_equal("total and grade of " + row["name"], (row["total"], row["grade"]), (None, None))
    expect("does not have it" in event["reason"] or "does not take it" in event["reason"], "reason: %r", event["reason"])
    expect_equal("reason of the metric", metric["reason"], "no-such-event is not known")
    cpu = sum(t["cpu_seconds"] for t in report["threads"])
    expect(abs(rate["total"] * cpu / rows["page-faults"]["total"] - 1) < 1e-6, "fault rate %r of %r in %r s", rate["total"],
           rows["page-faults"]["total"], cpu)
    text = execute([REPORT, "--section", "counters", counted().directory]).stdout.decode()
    expect("n/a" in text and text.count(event["reason"][:20]) == 1, "the reason is not told once: %s", text)


def test_without_events_nothing_is_said():
    one = profiled(run("counted", ["faults"]))
    expect_equal("counters", report_json(one.directory)["counters"], [])
    expect("counters" not in report_text(one.directory), "the report speaks of counters")
    text = execute([REPORT, "--section", "counters", one.directory]).stdout.decode()
    expect("ptrace-run -e" in text, "no word of how to count: %s", text)


def test_merged_runs_have_the_same():
    one = counted()
    report = report_json(one.directory)
    faults_of(report)
    expect_equal("counters of the merged run", report_json(merged(one.directory))["counters"], report["counters"])


def test_processes_add_up():
    report = report_json(counted("counted", ["forking"]).directory)
    faults = faults_of(report)
    check_sums(report)
    by_process = collections.Counter()
    for row in faults["by_thread"]:
        by_process[row["pid"], row["sequence"]] += row["value"]
    expect(len(by_process) > 1, "one process only: %r", by_process)


def test_the_table_has_the_same_figures():
    one = counted()
    report = report_json(one.directory)
    faults = faults_of(report)
    text = execute([REPORT, "--section", "counters", "--format", "csv", one.directory]).stdout.decode()
    rows = [row for row in csv.DictReader(io.StringIO(text)) if row["name"] == "page-faults"]
    expect_equal("total", [row["value"] for row in rows if row["by"] == "run"], [str(faults["total"])])
    for part in PARTS:
        expect_equal("rows " + part, [row["value"] for row in rows if "by_" + row["by"] == part],
                     [str(row["value"]) for row in faults[part]])


def test_the_database_has_the_same_figures():
    one = counted()
    faults = faults_of(report_json(one.directory))
    path = os.path.join(scratch(), "run.db")
    expect_equal("status", execute([os.path.join(BUILD, "bin", "ptrace-export"), "--format", "sqlite", "-o", path, one.directory]).status, 0)
    with sqlite3.connect(path) as base:
        total, = base.execute("SELECT sum(count) FROM event_counts JOIN events ON events.process = event_counts.process AND "
                              "events.row = event_counts.event WHERE events.name = 'page-faults'").fetchone()
    expect_equal("page faults in the database", total, faults["total"])


@full
def test_two_runs_are_compared():
    first, second, without = counted(), counted(), profiled(run("counted", ["faults"]))
    faults_of(report_json(first.directory))
    diff = os.path.join(BUILD, "bin", "ptrace-diff")
    both = execute([diff, "--top", "0", first.directory, second.directory]).stdout.decode()
    one = execute([diff, "--top", "0", first.directory, without.directory]).stdout.decode()
    for text, known in ((both, True), (one, False)):
        line = next(line for line in text.splitlines() if line.rstrip().endswith("page-faults    the run"))
        expect(("?" not in line) == known, "compared with what %s counted: %s", "was" if known else "was not", line)

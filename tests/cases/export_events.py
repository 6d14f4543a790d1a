# SPDX-License-Identifier: MIT
"""Counted events in exports: pprof and callgrind have each as a further column, whose sum is the report's total, and whose parts are the
report's by routine and line."""
import os
import re

import export_read as ex
from counter_columns import EVENTS, NAMES, NOTHING, counted
from export_readers import pprof as go_pprof
from support import execute, expect, expect_equal, need, report_json, scratch

BESIDE = True  # no case asserts a time


def totals_of(report):
    return {row["name"]: row["total"] for row in report["counters"] if row["total"] is not None}


def by_routine(report, name):
    """{routine: count}; file and object are left out, as some formats have none."""
    found = {}
    for row in next(counter for counter in report["counters"] if counter["name"] == name)["by_routine"]:
        found[row["routine"]] = found.get(row["routine"], 0) + row["value"]
    return {routine: count for routine, count in found.items() if count}


def with_callees(report, name):
    """{routine: count with what it called}, of names that one routine has."""
    rows = next(counter for counter in report["counters"] if counter["name"] == name)["by_routine"]
    names = [row["routine"] for row in rows]
    return {row["routine"]: row["total"] for row in rows if names.count(row["routine"]) == 1}


def callgrind_columns(path):
    """(names of the events, {long name: name}, {(routine, line): [self costs]})"""
    text, names, costs, known, routine, is_call = ex.read_text(path), [], {}, {}, None, False
    shown = dict(re.findall(r"^event: (\w+) : (.*) \(\w+\)$", text, re.M))
    for line in text.splitlines():
        if line.startswith("events:"):
            names = line.split()[1:]
        elif line.startswith("fn="):
            number, _, name = line[3:].partition(" ")
            routine = known.setdefault(number, name)
        elif line.startswith("cfn="):
            number, _, name = line[4:].partition(" ")
            known.setdefault(number, name)
        elif line.startswith("calls="):
            is_call = True
        elif line[:1].isdigit():
            numbers = [int(word) for word in line.split()]
            if not is_call:
                row = costs.setdefault((routine, numbers[0]), [0] * len(names))
                for i, cost in enumerate(numbers[1:]):
                    row[i] += cost
            is_call = False
    return names, {long: short for short, long in shown.items()}, costs


def check_callgrind(directory, report):
    path = ex.export(directory, "callgrind")
    names, short, costs = callgrind_columns(path)
    totals = totals_of(report)
    summary, sums, _ = ex.callgrind(path)
    expect_equal("sums of self costs", sums, summary)
    expect_equal("events", names, ["Cpu", "Wait"] + [short[name] for name in totals])
    expect_equal("totals", dict(zip(names[2:], summary[2:])), {short[name]: total for name, total in totals.items()})
    for name in totals:
        column, found = names.index(short[name]), {}
        for (routine, _), row in costs.items():
            found[routine] = found.get(routine, 0) + row[column]
        expect_equal("%s by routine" % name, {routine: count for routine, count in found.items() if count}, by_routine(report, name))
        lines = {}
        for row in next(counter for counter in report["counters"] if counter["name"] == name)["by_line"]:
            key = row["routine"], row["line"] or 0
            lines[key] = lines.get(key, 0) + row["value"]
        for key, row in costs.items():
            expect_equal("%s at %s" % (name, key), row[column], lines.get(key, 0))
    return path


def check_pprof(directory, report):
    path = ex.export(directory, "pprof")
    types, samples = ex.pprof(path)
    totals = totals_of(report)
    expect_equal("types", types, ["samples", "cpu", "alone", "waits", "wait", "elapsed"] + list(totals))
    for name, total in totals.items():
        found = {}
        for stack, values, _ in samples:
            found[stack[0]] = found.get(stack[0], 0) + values[name]
        expect_equal("%s in all" % name, sum(found.values()), total)
        expect_equal("%s by routine" % name, {routine: count for routine, count in found.items() if count}, by_routine(report, name))
    expect_equal("CPU time", sum(values["cpu"] for _, values, _ in samples), ex.report_ns(report))
    return path, samples


def test_events_are_those_of_the_report():
    """By call path: the innermost frame has the routine's count; in pprof by thread too, no more than the thread counted."""
    one = counted(*EVENTS)
    check_callgrind(one.directory, one.report)
    _, samples = check_pprof(one.directory, one.report)
    faults = {row["tid"]: row["value"] for row in one.report["counters"][0]["by_thread"]}
    of_threads = {}
    for stack, values, labels in samples:
        if values["page-faults"]:
            of_threads[labels.get("tid")] = of_threads.get(labels.get("tid"), 0) + values["page-faults"]
            expect("tid" in labels or stack == ["[unsampled]"], "a sample without a thread: %s %s", stack, labels)
    for tid, count in of_threads.items():
        expect(tid is None or 0 < count <= faults[tid], "thread %s: %d of %s page faults", tid, count, faults.get(tid))
    for routine, total in with_callees(one.report, "page-faults").items():
        found = sum(values["page-faults"] for stack, values, _ in samples if routine in stack)
        expect_equal("page faults of %s and below" % routine, found, total)
    # where the next sample lies is chance: in what touches the pages, or in the loop behind it; threads begin further out in any case
    own = by_routine(one.report, "page-faults")
    sampled = one.report["counters"][0]["total"] - own.get("[unsampled]", 0)
    callers = [routine for routine, total in with_callees(one.report, "page-faults").items() if total > own.get(routine, 0)]
    expect(callers or not sampled, "%d page faults have a call path, and no routine has any below it", sampled)


def test_events_of_several_processes_and_of_a_merged_run():
    """A merged run has the same counts by call path; a run merged of it again as well."""
    one = counted(*EVENTS[:3], kind="forking")
    expect(len(one.report["processes"]) > 1, "the program did not fork")
    check_callgrind(one.directory, one.report)
    check_pprof(one.directory, one.report)
    wanted, directory = callgrind_columns(ex.export(one.directory, "callgrind"))[2], one.directory
    for name in "merged", "again":
        merged = os.path.join(scratch(), name)
        expect_equal("status of ptrace-merge", execute([os.path.join(ex.BUILD, "bin", "ptrace-merge"), "-o", merged, directory]).status, 0)
        report, directory = report_json(merged), merged
        expect_equal("totals", totals_of(report), totals_of(one.report))
        path = check_callgrind(merged, report)
        expect_equal("costs by routine and line", callgrind_columns(path)[2], wanted)
        check_pprof(merged, report)


def test_what_was_not_counted_is_left_out():
    """No column of zeros; the file says why."""
    one = counted(NOTHING, EVENTS[0])
    path = check_callgrind(one.directory, one.report)
    expect(re.search(r"^desc: nothing was not counted: .+$", ex.read_text(path), re.M), "callgrind does not say what is missing")
    check_pprof(one.directory, one.report)
    go = need("go")
    comments = execute([go, "tool", "pprof", "-comments", ex.export(one.directory, "pprof")]).stdout.decode()
    expect("nothing was not counted: " in comments, "pprof does not say what is missing: %s", comments)


def test_pprof_reads_events():
    need("go")
    one = counted(*EVENTS)
    path = ex.export(one.directory, "pprof")
    for name, total in totals_of(one.report).items():
        text = go_pprof(path, "-top", "-sample_index=" + name, "-nodefraction=0", "-edgefraction=0", "-nodecount=100000")
        expect_equal("total of %s" % name, re.findall(r"Total samples = (\d+)", text), [str(total)])
        flat = {routine: int(count) for count, routine in re.findall(r"^ +(\d+) +[\d.]+% +[\d.]+% .*%  (\S+)", text, re.M)}
        expect_equal("what pprof shows of %s" % name, {routine: count for routine, count in flat.items() if count}, by_routine(one.report, name))


def test_callgrind_annotate_reads_events():
    tool = need("callgrind_annotate")
    one = counted(*EVENTS)
    path = ex.export(one.directory, "callgrind")
    names, short, _ = callgrind_columns(path)
    result = execute([tool, "--threshold=100", "--sort=" + short["page-faults"], "--show=" + ",".join(names), path])
    text = result.stdout.decode()
    expect_equal("status; %s" % result.stderr_text()[-200:], result.status, 0)
    line = next(line for line in text.splitlines() if "PROGRAM TOTALS" in line)
    totals = [int(word.replace(",", "")) for word in re.findall(r"[\d,]+(?= \(|  +)", re.sub(r"\([\d. ]+%\)", "(", line))]
    wanted = totals_of(one.report)
    expect_equal("totals of callgrind_annotate", totals[2:2 + len(wanted)], list(wanted.values()))
    most = max(by_routine(one.report, "page-faults").items(), key=lambda pair: pair[1])
    expect(re.search(r"%s .*:%s\b" % ("{:,}".format(most[1]), most[0]), text), "%s with %d page faults is not in %s", most[0], most[1], text[:1500])


def test_pprof_has_each_name_once():
    """Events that are called as values of time: readers choose values by their names."""
    one = counted(*(re.sub(r"\S+$", name, event) for event, name in zip(EVENTS, ("cpu", "wait", "alone"))))
    types, samples = ex.pprof(ex.export(one.directory, "pprof"))
    expect_equal("types", types, ["samples", "cpu", "alone", "waits", "wait", "elapsed", "cpuNo2", "waitNo2", "aloneNo2"])
    totals = totals_of(one.report)
    for name in "cpu", "wait", "alone":
        expect_equal("events called %s" % name, sum(values[name + "No2"] for _, values, _ in samples), totals[name])
    expect_equal("CPU time", sum(values["cpu"] for _, values, _ in samples), ex.report_ns(one.report))


def test_names_have_letters():
    """Names of events are names in the format, whatever they are."""
    one = counted(*EVENTS)
    names, short, _ = callgrind_columns(ex.export(one.directory, "callgrind"))
    expect_equal("long names", [name for name in NAMES if name not in short], [])
    expect(all(re.fullmatch("[A-Za-z][A-Za-z0-9]*", name) for name in names), "names: %s", names)

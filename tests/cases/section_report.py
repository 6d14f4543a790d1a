# SPDX-License-Identifier: MIT
"""Section `sections` in text, comparisons and SQLite, and reports of one section alone (--within)."""
import json
import os
import sqlite3

import support
from diff import DIFF
from support import beside, expect, expect_equal, expect_near, run

EXPORT = os.path.join(os.path.dirname(support.REPORT), "ptrace-export")


def told():
    """100 times "step", of which some sleep."""
    one = run("sections", ["intervals"], kind=support.SharedRun)
    one.profiled
    return one


def row_of(one, path):
    return [row for row in one.report["sections"]["rows"] if row["section"] == path][0]


@beside
def test_text_has_a_table_and_a_line():
    """In 80 columns; the first screen names the sections."""
    one = told()
    expect_equal("times", row_of(one, "step")["count"], 100)
    text = support.execute([support.REPORT, "--width", "80", one.directory]).stdout.decode()
    lines = text.splitlines()
    expect(max(map(len, lines)) <= 80, "width: %s", max(lines, key=len))
    expect([line for line in lines if line.startswith("  sections     step ")], "no line of the first screen:\n%s", text)
    at = [i for i, line in enumerate(lines) if line.startswith("@ sections: ")][0]
    table = lines[at + 1:]
    expect_equal("columns", table[0].split()[:4], ["section", "times", "elapsed", "CPU"])
    expect_equal("rows", [line.split()[0] for line in table[1:3]], ["step", "outside"])
    expect("anomalies: step" in text, "anomalies:\n%s", text)


@beside
def test_within_has_its_accounts_alone():
    """CPU time and waits of threads, and waits by object, are those of the section; what has no mark is not there."""
    one = told()
    row, within = row_of(one, "step"), support.report_json(one.directory, "--within", "step")
    expect_equal("section", within["within"]["section"], "step")
    expect_equal("elapsed time", within["within"]["elapsed_seconds"], row["elapsed_seconds"])
    expect_equal("parts", sorted(within["within"]["lacks"]), ["findings", "routines", "synchronization", "threads"])
    expect("io" not in within and "sections" not in within, "keys: %s", sorted(within))
    thread = within["threads"][0]
    expect_equal("CPU time", thread["cpu_seconds"], row["thread_cpu_seconds"])
    expect_equal("life", thread["elapsed_seconds"], row["thread_seconds"])
    expect_equal("user time, ready time", (thread["user_seconds"], thread["ready_seconds"]), (None, None))
    waits = support.report_json(one.directory, "--within", "step", "--section", "waits")["waits"]
    expect_near("waits", sum(wait["wait_seconds"] for wait in waits), row["wait_seconds"], 0, 1e-6)


@beside
def test_within_is_refused():
    """Status 2 and one line: a name that is not there, a section that has no marks, a merged run."""
    one = told()
    for options, words in ((["--within", "stp"], "did you mean step?"), (["--within", "step", "--section", "io"], "is of the whole run"),
                           (["--within", "step", "--format", "html"], "as text, json or csv")):
        result = support.execute([support.REPORT] + options + [one.directory])
        expect_equal("status of %s" % options, result.status, 2)
        expect_equal("lines of %s" % options, len(result.stderr_text().splitlines()), 1)
        expect(words in result.stderr_text(), "%s: %s", options, result.stderr_text())


@beside
def test_comparisons_and_sqlite_have_them():
    one = told()
    result = support.execute([DIFF, "--format", "json", one.directory, one.directory])
    figures = [f for f in json.loads(result.stdout)["figures"] if f["section"] == "sections"]
    metrics = {f["metric"] for f in figures if f["key"] == "step"}
    expect_equal("metrics", metrics, {"times", "elapsed", "CPU", "half", "99 %"})
    path = os.path.join(support.scratch(), "run.sqlite")
    expect_equal("status", support.execute([EXPORT, "--format", "sqlite", "-o", path, one.directory]).status, 0)
    with sqlite3.connect(path) as base:
        rows = base.execute("SELECT section_kind, section_name, count, ended FROM in_sections").fetchall()
    expect_equal("rows", rows, [("section", "step", 100, 100)])

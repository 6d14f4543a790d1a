# SPDX-License-Identifier: MIT
"""ptrace-report --list: which runs there are, with the figures that their reports have."""
import csv
import io
import json
import os
import shutil

from support import BUILD, REPORT, RUN, execute, expect, expect_equal, report_json, scratch

BESIDE = True  # no case asserts a time
MERGE = os.path.join(BUILD, "bin", "ptrace-merge")


def profiled(directory, *command, status=0):
    result = execute([RUN, "-q", "-o", directory, *command])
    expect_equal("status of %s" % (command,), result.status, status)


def listed(root, *options, status=0):
    result = execute([REPORT, "--list", *options, root])
    expect_equal("status of --list: %s" % result.stderr_text(), result.status, status)
    return result.stdout.decode()


def some_runs():
    """Three runs of known ends, a merged one, and two directories that cannot be read, somewhere below a directory."""
    root = scratch()
    names = {name: os.path.join(root, name) for name in ("first", "deep/second", "killed", "merged", "torn", "empty", "a/b/c/too-deep", ".hidden")}
    for path in names.values():
        os.makedirs(os.path.dirname(path), exist_ok=True)
    profiled(names["first"], "/bin/true")
    profiled(names["deep/second"], "/bin/sh", "-c", "/bin/false; exit 3", status=3)
    profiled(names["killed"], "/bin/sh", "-c", "kill -9 $$", status=-9)
    expect_equal("status of the merge", execute([MERGE, "-o", names["merged"], names["first"]]).status, 0)
    for name in "a/b/c/too-deep", ".hidden":
        shutil.copytree(names["first"], names[name])
    for name in "torn", "empty":
        os.makedirs(names[name])
        with open(os.path.join(names[name], "vm-1-0.profile"), "wb") as file:
            file.write(b"x" * 100 if name == "torn" else b"")
    return root, names


def test_a_list_has_the_figures_of_the_reports():
    root, names = some_runs()
    runs = json.loads(listed(root, "--format", "json", "--top", "0"))["runs"]
    by_name = {os.path.relpath(r["directory"], root): r for r in runs}
    expect_equal("directories", sorted(by_name), sorted(("first", "deep/second", "killed", "merged", "torn", "empty")))
    for name in "first", "deep/second", "killed", "merged":
        report, row = report_json(names[name]), by_name[name]
        for key in "start", "elapsed_seconds", "processes", "complete", "command":
            expect_equal("%s of %s" % (key, name), row[key], report["run"][key])
        expect_equal("problem of %s" % name, row["problem"], None)
    expect_equal("ends", [by_name[n]["status"] for n in ("first", "deep/second", "killed")], ["exited 0", "exited 3", "killed by SIGKILL"])
    for name in "torn", "empty":
        expect(by_name[name]["status"] is None and by_name[name]["problem"], "%s: %s", name, by_name[name])
    order = [by_name[n]["start"] for n in ("killed", "deep/second", "first")]
    expect_equal("newest first", [r["start"] for r in runs if r["start"] and r["directory"] != names["merged"]], order)
    rows = list(csv.DictReader(io.StringIO(listed(root, "--format", "csv"))))
    expect_equal("CSV", [r["directory"] for r in rows], [r["directory"] for r in runs])


def test_a_list_as_text():
    """One line for each run, damaged ones too, in 80 columns; nothing found is a line and status 2."""
    root, _ = some_runs()
    lines = listed(root, "--width", "80").splitlines()
    expect_equal("lines: %s" % lines, len(lines), 7)
    expect(max(map(len, lines)) <= 80, "too wide: %s", lines)
    expect_equal("damaged ones", sum(" damaged " in line for line in lines), 2)
    expect(" SIGKILL " in "".join(lines), "no end: %s", lines)
    few = listed(root, "--top", "2").splitlines()
    expect(len(few) == 4 and "4 more" in few[-1], "--top 2: %s", few)
    nothing = execute([REPORT, "--list", scratch()])
    expect_equal("status without runs", nothing.status, 2)
    expect(nothing.stderr_text().startswith("ptrace-report: no run below ") and not nothing.stdout, "%s", nothing.stderr_text())

# SPDX-License-Identifier: MIT
"""What preload/file/schema_sums.h promises: a new column is a line there and the place that counts it. In a copy of the
tree with two such lines the column is in every output, with one sum. And what analyze/report/row_fields.h promises: a
new figure of a section's rows is one line of its list, comparisons included."""
import csv
import html
import io
import json
import os
import re
import shutil
import subprocess

from support import BUILD, ROOT, RUN, execute, expect, expect_equal, scratch, short_or_long, skip, soaks

TABLE, COUNTER = "any_wait", "preload/waits/activity.c"
COLUMN = 'SUM(u64, probed, count, probed, "a column of a test") \\\n\t'
COUNTED = "\trow->probed += 2;\n"
BEFORE = "\trow->futile += is_futile(thread, wait);\n"

FIELD = '\nFIELD(probed, COUNT(4711), TEXT(99, "a probe", RIGHT), HTML(99, "a probe", COUNT), DIFF("probes", MORE, EXPLAINS))\n'


def copy_of_the_tree():
    root = scratch()
    files = subprocess.run(["git", "-C", ROOT, "ls-files", "-z"], check=True, capture_output=True).stdout.decode().split("\0")
    for name in filter(None, files):
        os.makedirs(os.path.dirname(os.path.join(root, name)), exist_ok=True)
        shutil.copy2(os.path.join(ROOT, name), os.path.join(root, name))
    return root


def edit(path, pattern, insert):
    with open(path) as file:
        text = file.read()
    changed = re.sub(pattern, lambda match: match.group(0) + insert, text, count=1)
    expect(changed != text, "%s has no place for the line", path)
    with open(path, "w") as file:
        file.write(changed)


def make(root, *targets):
    result = subprocess.run(["make", "-s", "-C", root, "-j2", "BUILD=build", *targets], capture_output=True, text=True)
    expect_equal("status of make: %s" % result.stderr[-500:], result.returncode, 0)


@soaks
def test_a_new_column_is_in_every_output():
    if not short_or_long(False, True):
        skip("builds everything a second time: part of make soak")
    root = copy_of_the_tree()
    edit(os.path.join(root, "preload/file/schema_sums.h"), r"#define SUMS_OF_%s\(SUM\)\s*\\\n\t" % TABLE, COLUMN)
    edit(os.path.join(root, COUNTER), re.escape(BEFORE), COUNTED)
    make(root, "all", "build/tests/counts", "build/tests/holder")
    environment = {key: value for key, value in os.environ.items() if key != "BUILD"}
    cases = subprocess.run([os.path.join(root, "tests", "run"), "carried_columns"], capture_output=True, text=True, env=environment)
    expect_equal("status of carried_columns: %s" % cases.stdout[-500:], cases.returncode, 0)
    expect(cases.stdout.splitlines()[-1].startswith("2 passed"), "not the cases of waits and threads: %s", cases.stdout[-500:])
    directory = os.path.join(scratch(), "run")
    execute([os.path.join(root, "build/bin/ptrace-run"), "-q", "-o", directory, os.path.join(root, "build/tests/counts"), "2000"])
    report = execute([os.path.join(root, "build/bin/ptrace-report"), "--format", "csv", "--section", "synchronization", "--top", "0", directory])
    probed = sum(int(row["probed"] or 0) for row in csv.DictReader(io.StringIO(report.stdout.decode())))
    expect(probed > 0 and probed % 2 == 0, "probed: %d", probed)


def fields_of_sections(root):
    """The list of fields by section."""
    with open(os.path.join(root, "analyze/report/sections.def")) as file:
        text = file.read()
    found = re.findall(r"SECTION\((\w+),.*?\b(?:FIELDS\((\w+)\)|HEAD\()", text, re.S)
    return {section: fields for section, fields in found if fields}


def head_of(text):
    return text.splitlines()[0].split(",")


@soaks
def test_a_new_field_is_in_every_output():
    if not short_or_long(False, True):
        skip("builds the analyzer a second time: part of make soak")
    root = copy_of_the_tree()
    lists = fields_of_sections(root)
    expect(len(lists) > 20, "sections with a list of fields: %s", sorted(lists))
    for name in set(lists.values()) - {"source"}:  # which includes that of lines
        with open(os.path.join(root, "analyze/report/fields", name + ".def"), "a") as file:
            file.write(FIELD)
    make(root, "build/bin/ptrace-report", "build/bin/ptrace-diff")
    tool = os.path.join(root, "build/bin/ptrace-report")
    directory = os.path.join(scratch(), "run")
    execute([RUN, "-q", "-o", directory, os.path.join(BUILD, "tests", "counts"), "2000"])
    asked = [tool, "--width", "400", "--top", "0", directory]
    for section in sorted(lists):
        expect("probed" in head_of(execute(asked + ["--format", "csv", "--section", section]).stdout.decode()),
               "%s: not in CSV", section)
    report = json.loads(execute(asked + ["--format", "json"]).stdout)
    for key in "threads", "synchronization", "routines", "processes", "findings":
        expect(report[key] and all(row["probed"] == 4711 for row in report[key]), "%s: not in JSON", key)
    for section in "threads", "synchronization", "routines", "processes":
        text = execute(asked + ["--section", section]).stdout.decode()
        expect("a probe" in text and "4711" in text, "%s: not in the text: %s", section, text)
        page = execute(asked + ["--format", "html", "--section", section]).stdout.decode()
        expect("a probe" in html.unescape(page) and "4711" in page, "%s: not on the page", section)
    result = execute([os.path.join(root, "build/bin/ptrace-diff"), "--format", "json", directory, directory])
    compared = [row for row in json.loads(result.stdout)["figures"] if row["metric"] == "probes"]
    expect(compared and all(row["b"] % 4711 == 0 and row["better"] == "more" for row in compared), "compared: %s", compared[:3])
    expect_equal("sections of the comparison", {row["section"] for row in compared}, {"waits", "routines", "lines"})

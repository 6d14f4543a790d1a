# SPDX-License-Identifier: MIT
"""What preload/file/schema_sums.h promises: a new column is a line there and the place that counts it. In a copy of the tree with two
such lines the column is in every output, with one sum."""
import csv
import io
import os
import re
import shutil
import subprocess

from support import ROOT, execute, expect, expect_equal, scratch, short_or_long, skip, soaks

TABLE, COUNTER = "any_wait", "preload/waits/activity.c"
COLUMN = 'SUM(u64, probed, count, probed, "a column of a test") \\\n\t'
COUNTED = "\trow->probed += 2;\n"
BEFORE = "\trow->futile += is_futile(thread, wait);\n"


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

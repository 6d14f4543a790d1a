# SPDX-License-Identifier: MIT
"""ptrace-diff --format markdown and junit: what services of continuous integration read. Names of files are hostile: they hold
whatever means something in XML or Markdown, what makes a name read as another one, and what is no text at all."""
import json
import os
import re
import xml.etree.ElementTree as xml

from diff import DIFF, SAME, WORSE, record, wrong
from documents import step_of_github, tool_environment
from support import execute, expect, expect_equal, scratch

BESIDE = True  # no case asserts a time

HOSTILE = "a<b>&\"'|*_`[x](y)$~\\\x01\x1b[2J\tz\u202egnp\u2069".encode() + b"\xff\xef\xbf\xbe\xc3\xa4"


def two_runs():
    """The second takes a lock more often, and has the hostile name."""
    a, b = record("diff_work", "rounds=20", "parse=5", "store=5"), record("diff_work", "rounds=40", "parse=5", "store=5")
    place = os.path.join(os.fsencode(scratch()), HOSTILE)
    os.rename(b, place)
    return os.fsencode(a), place


def printed(form, *words):
    result = execute([DIFF, "--format", form] + list(words))
    return result.status, result.stdout


def junit(*words):
    status, text = printed("junit", *words)
    root = xml.fromstring(text)
    expect_equal("elements", (root.tag, [child.tag for child in root]), ("testsuites", ["testsuite"]))
    suite = root[0]
    cases = suite.findall("testcase")
    for element in root, suite:
        counted = {"tests": len(cases), "failures": len(suite.findall("testcase/failure")), "skipped": len(suite.findall("testcase/skipped")),
                   "errors": 0}
        expect_equal("counts of %s" % element.tag, {name: int(element.get(name)) for name in counted}, counted)
    return status, {case.get("name"): case for case in cases}, suite


def test_junit():
    a, b = two_runs()
    status, cases, suite = junit("--metric", "cpu,counts", "--threshold", "90", a, b)
    expect_equal("cases", sorted(cases), ["counts", "cpu"])
    failure = cases["counts"].find("failure")
    expect(failure is not None and status == WORSE, "no failure, status %d", status)
    expect("calls of mutex queue_lock: 22 -> 42" in failure.get("message"), "message: %r", failure.get("message"))
    expect_equal("type", failure.get("type"), "worse")
    headline = json.loads(printed("json", "--metric", "cpu,counts", "--threshold", "90", a, b)[1])["headline"]
    expect_equal("what it says", (failure.text, suite.find("system-out").text), (headline, headline))
    # what XML cannot hold is replaced, and the rest is as it was
    readable = HOSTILE.decode("utf-8", "replace").replace("\x01", "\ufffd").replace("\x1b", "\ufffd").replace("\ufffe", "\ufffd")
    readable = readable.replace("\u202e", "\ufffd").replace("\u2069", "\ufffd")
    paths = [row.get("value") for row in suite.findall("properties/property") if row.get("name") == "b"]
    expect_equal("path", [os.path.basename(path) for path in paths], [readable])


def test_junit_of_the_same_run():
    a = record("diff_work", "rounds=20")
    status, cases, _ = junit(a, a)
    expect_equal("status", status, SAME)
    expect_equal("cases", sorted(cases), ["cpu", "elapsed", "new", "routines", "work"])
    expect(not any(list(case) for case in cases.values()), "a case does not pass")


def test_junit_that_cannot_tell():
    """The elapsed time is skipped; with --strict it fails."""
    runs = [record("diff_work", "hold=2000", "parse=1", "store=1", "rounds=%d" % n) for n in (20, 60, 40, 35, 105, 70)]
    words = runs[:3] + ["--"] + runs[3:]
    status, cases, _ = junit(*words)
    expect_equal("status, elements", (status, [child.tag for child in cases["elapsed"]]), (SAME, ["skipped"]))
    expect("cannot tell" in cases["elapsed"].find("skipped").get("message"), "no message")
    status, cases, _ = junit("--strict", *words)
    expect_equal("status, type", (status, cases["elapsed"].find("failure").get("type")), (4, "cannot tell"))


def test_junit_of_an_open_time_beside_what_decides():
    """Counts are worse; elapsed time has changed within its noise, which is not the same as unchanged."""
    holds = ((40, 1000), (40, 6000), (40, 3000), (55, 2000), (55, 9000), (55, 5000))
    runs = [record("diff_work", "parse=1", "store=1", "rounds=%d" % rounds, "hold=%d" % hold) for rounds, hold in holds]
    for strict in [], ["--strict"]:
        status, cases, _ = junit("--metric", "elapsed,counts", *strict, *runs[:3], "--", *runs[3:])
        expect_equal("status, elements", (status, {name: [child.tag for child in case] for name, case in cases.items()}),
                     (WORSE, {"elapsed": ["skipped"], "counts": ["failure"]}))
        message = cases["elapsed"].find("skipped").get("message")
        expect(message.startswith("cannot tell: elapsed time ") and "within noise" in message, "message: %s", message)


def test_plain_line_for_a_warning():
    """The command of docs/ci.md prints the headline in one line."""
    a, b = record("diff_work", "rounds=20"), record("diff_work", "rounds=40")
    place = scratch()
    os.mkdir(os.path.join(place, "runs"))
    os.rename(a, os.path.join(place, "runs", "old.1"))
    os.rename(b, os.path.join(place, "runs", "new.1"))
    command = re.search(r'"::warning::\$\((.*)\)"', step_of_github()).group(1)
    line = execute(["bash", "-c", command], tool_environment({}), directory=place).stdout.decode()
    told = json.loads(printed("json", "--threshold", "10", os.path.join(place, "runs", "old.1"), os.path.join(place, "runs", "new.1"))[1])
    expect_equal("line", line, told["headline"] + "\n")
    expect("->" in line, "no arrow in %s", line)


def cells(line):
    return [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]


def test_markdown():
    a, b = two_runs()
    status, text = printed("markdown", "--metric", "counts", a, b)
    expect_equal("status", status, WORSE)
    lines = text.decode("utf-8").split("\n")  # invalid UTF-8 would be an error
    headline = json.loads(printed("json", "--metric", "counts", a, b)[1])["headline"]
    plain = re.sub(r"\\(.)", r"\1", lines[0])
    expect_equal("first line", plain, "**%s**" % headline)
    expect(" -> " in lines[0], "arrow in: %s", lines[0])
    rows = [cells(line) for line in lines if line.startswith("|")]
    expect_equal("head", rows[0], ["figure", "A", "B", "change", "limit", "effect", "verdict"])
    expect(len(rows) > 6 and all(len(row) == len(rows[0]) for row in rows), "rows: %r", rows)
    expect(any(row[0] == "elapsed time" for row in rows), "no row for the elapsed time")
    expect(any(line.startswith("- decides: calls of mutex queue\\_lock: 22 -> 42") for line in lines), "evidence: %r", lines)
    item = [line for line in lines if line.startswith("- B: ")]
    expect_equal("items of B", len(item), 1)
    bare = re.sub(r"\\.", "", item[0])
    expect(not re.search("[`*_\\[\\]<>|&$~\x00-\x1f\u202e\u2069]", bare), "not escaped: %r", bare)


def test_formats_of_scaling():
    expect("--scaling has no format junit" in wrong("--scaling", "--format", "junit", "a", "b"), "junit of --scaling")

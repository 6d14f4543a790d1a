# SPDX-License-Identifier: MIT
"""What ptrace-diff takes for evidence, whatever the times of the runs are: routines that only one side has, and counts. In what
these cases assert, the machine may be as busy as it likes: shares of the CPU time and counts stay the same."""
import json
import os
import re
import resource

from diff import DIFF, BETTER, SAME, WORSE, record, wrong
from support import ROOT, execute, expect, expect_equal, fail

BESIDE = True  # no case asserts a time

CANNOT_TELL = 4


def compare(*words):
    """(status, the JSON)"""
    result = execute([DIFF, "--format", "json"] + list(words))
    expect(result.status in (SAME, WORSE, BETTER, CANNOT_TELL), "status %d: %s", result.status, result.stderr_text())
    return result.status, json.loads(result.stdout, parse_constant=lambda word: fail("the JSON holds %s", word))


def evidence(told, kind):
    return [row for row in told["evidence"] if row["kind"] == kind]


def lines_of_verify():
    """Numbers of the lines of the routine in diff_work.c; the report names the one with most samples."""
    with open(os.path.join(ROOT, "tests", "programs", "diff_work.c"), encoding="utf-8") as file:
        lines = file.read().split("\n")
    first = lines.index("static NOINLINE void verify(void)")
    return range(first + 1, lines.index("}", first) + 2)


def test_new_routine():
    """verify does half of the work of each round: it is told with its place and its share, on either side."""
    without = [record("diff_work", "rounds=300") for _ in range(2)]
    having = [record("diff_work", "rounds=300", "verify=1000") for _ in range(2)]
    for sides, kind in (((without, having), "new"), ((having, without), "gone")):
        status, told = compare(*sides[0], "--", *sides[1])
        rows = evidence(told, kind)
        expect_equal("routines that are %s" % kind, [row["key"] for row in rows], ["verify"])
        expect_equal("the other kind", evidence(told, "gone" if kind == "new" else "new"), [])
        share = rows[0]["b_share_percent" if kind == "new" else "a_share_percent"]
        expect(30 < share < 70, "its share of the CPU time: %r %%", share)
        place = re.fullmatch(kind + r": verify \(diff_work\.c:(\d+)\), \d+ % of the CPU time", rows[0]["text"])
        expect(place and int(place.group(1)) in lines_of_verify(), "text: %s", rows[0]["text"])
        expect_equal("grade, replaced", (rows[0]["grade"], rows[0]["replaced"]), ("sampled", False))
        text = execute([DIFF, "--width", "200", *sides[0], "--", *sides[1]]).stdout.decode()
        expect("@ evidence: " in text and rows[0]["text"] in text, "text: %s", text[:600])


def test_a_run_without_samples():
    """Its threads got no timers: that the other run has samples of its routines is no change of the program."""
    sampled, unsampled = record("diff_work"), record("diff_work", limits={resource.RLIMIT_SIGPENDING: 0})
    for runs in ((unsampled, sampled), (sampled, unsampled)):
        told = compare(*runs)[1]
        expect_equal("routines of one side only", evidence(told, "new") + evidence(told, "gone"), [])
        expect("new: " not in told["headline"] and "gone: " not in told["headline"], "%s", told["headline"])


def test_counts():
    """A quarter more rounds take the lock a quarter more often, in each run."""
    fewer = [record("diff_work", "rounds=40", "parse=20", "store=20") for _ in range(2)]
    more = [record("diff_work", "rounds=50", "parse=20", "store=20") for _ in range(2)]
    key = "mutex queue_lock, lock"
    for sides, wanted, text in (((fewer, more), WORSE, "42 -> 52 (+24 %)"), ((more, fewer), BETTER, "52 -> 42 (-19 %)")):
        status, told = compare("--metric", "counts", *sides[0], "--", *sides[1])
        rows = [row for row in evidence(told, "count") if row["key"] == key]
        expect_equal("evidence", [row["text"] for row in rows], ["calls of mutex queue_lock: %s, the same in each run" % text])
        expect_equal("grade, decides", (rows[0]["grade"], rows[0]["decides"]), ("exact", True))
        expect_equal("status: %s" % told["headline"], status, wanted)
        expect(text in told["headline"], "headline: %s", told["headline"])
        expect_equal("metrics", told["metrics"], ["counts"])
    status, told = compare("--metric", "counts", *fewer[:1], "--", *fewer[1:])
    expect_equal("status of as many", (status, [row for row in told["evidence"] if row["decides"]]), (SAME, []))
    status, told = compare("--metric", "counts", "--threshold", "30", *fewer, "--", *more)
    expect_equal("status below the threshold", status, SAME)


def test_strict():
    """--strict changes the status of "cannot tell", and no other."""
    runs = [record("diff_work", "hold=2000", "parse=1", "store=1", "rounds=%d" % n) for n in (20, 60, 40, 35, 105, 70)]
    for words in (runs[:3] + ["--"] + runs[3:], [runs[0], runs[0]], ["--metric", "counts", runs[0], runs[1]]):
        plain, told = compare(*words)
        strict = compare("--strict", *words)[0]
        expect_equal("status with --strict: %s" % told["headline"], strict, CANNOT_TELL if told["verdict"] == "cannot tell" else plain)
    plain, told = compare(*runs[:3], "--", *runs[3:])
    expect_equal("verdict: %s" % told["headline"], (plain, told["verdict"]), (SAME, "cannot tell"))


def test_memory():
    """The largest process decides where that is asked for."""
    runs = [record("diff_work", "rounds=10", "threads=%d" % n) for n in (1, 40)]
    status, told = compare("--metric", "memory", *runs)
    row = [f for f in told["figures"] if f["key"] == "largest process"][0]
    grown = row["change_percent"] >= 5
    expect_equal("status: %s" % told["headline"], status, WORSE if grown else SAME)
    expect(grown == ("largest process: memory" in told["headline"]), "headline: %s", told["headline"])


def test_what_may_decide():
    a, b = record("diff_work", "rounds=10"), record("diff_work", "rounds=10")
    line = wrong("--metric", "cpu,locks", a, a)
    expect("--metric locks is unknown: use one or more of elapsed, cpu, routines, new, work, counts, instructions, memory, requests and units, " in line, "%s", line)
    expect("unknown" in wrong("--metric", "", a, a), "an empty list")
    line = wrong("--metric", "instructions", a, b)
    expect("did not count them: record with ptrace-run --events instructions" in line, "%s", line)
    expect("--scaling" in wrong("--scaling", "--strict", a, a), "--scaling has no verdict")

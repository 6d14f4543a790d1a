# SPDX-License-Identifier: MIT
"""Lengths of waits (--section waits): their percentiles, against a program that keeps a log of its waits."""
import math
import os

from support import BUILD, check_laws, execute, expect, expect_equal, expect_same, report_json, run, scratch

BESIDE = True  # other programs may lengthen single waits: a percentile may be that of a neighbouring rank
RANKS = 3
MERGE = os.path.join(BUILD, "bin", "ptrace-merge")


def check_rows(rows):
    """What holds of any: the counts are whole, the percentiles are in order, and as near as is said."""
    for row in rows:
        expect_equal("count of %s" % row["name"], sum(b["count"] for b in row["lengths"]), row["count"])
        if not row["count"]:
            expect_equal("percentiles of nothing", [row[p + "_seconds"] for p in ("p50", "p90", "p99")], [None] * 3)
            continue
        expect(row["p50_seconds"] <= row["p90_seconds"] <= row["p99_seconds"], "order: %s", row)
        if sum(b["count"] for b in row["lengths"]) == 1 and row["kind"] != "mpi":
            expect_equal("half of one wait, %s" % row["name"], row["p50_seconds"], row["longest_seconds"])
        for name in "p50", "p90", "p99":
            low, value, high = (row["%s%s_seconds" % (name, part)] for part in ("_low", "", "_high"))
            expect(low <= value <= high <= max(row["longest_seconds"], 2e-9), "%s of %s: %s %s %s", name, row["name"], low, value, high)
            expect(not low or high <= 2 * low or low >= 2.0 ** 31 / 1e9, "%s: more than a power of two: %s %s", name, low, high)


def test_percentiles_are_those_of_a_log():
    one = run("wait_lengths")
    expect_same(one)
    check_laws(one.report, sampling=False)
    check_rows(one.report["waits"])
    # a machine busy with other programs may bring the thread so late that the lock is free: no wait
    log = sorted(value for name, value in one.truth.items() if name.startswith("wait_") and value > 2e-5)
    rows = [r for r in one.report["waits"] if r["kind"] == "mutex"]
    expect_equal("rows of mutexes", len(rows), 1)
    row = rows[0]
    expect(abs(row["count"] - len(log)) <= RANKS, "%d waits, the program had %d", row["count"], len(log))
    for percent in 50, 90, 99:
        rank = math.ceil(percent / 100 * len(log)) - 1
        least, most = log[max(rank - RANKS, 0)], log[min(rank + RANKS, len(log) - 1)]
        low, high = (row["p%d_%s_seconds" % (percent, part)] for part in ("low", "high"))
        expect(low <= most and least <= high * 1.1 + 2e-5, "%d %%: [%.6f, %.6f], in the log [%.6f, %.6f]", percent, low, high, least, most)
    merged = os.path.join(scratch(), "merged")
    expect_equal("status of the merge", execute([MERGE, "-o", merged, one.directory]).status, 0)
    expect_equal("a merged run", report_json(merged)["waits"], one.report["waits"])

# SPDX-License-Identifier: MIT
"""Call trees (--section tree, wait_tree): what adds up, and that they show what the folded stacks hold."""
import export_read as ex
from support import REPORT, clean_environment, execute, expect, expect_equal, expect_same, full, report_json, run

BESIDE = True  # no case asserts a time


def check_tree(tree):
    """Total = self + the rows below + what was folded, of each row, to the nanosecond."""
    rows = tree["rows"]
    for row in rows:
        below = sum(round(r["total_seconds"] * 1e9) for r in rows if r["parent"] == row["row"])
        expect_equal("total of row %d" % row["row"], round(row["total_seconds"] * 1e9),
                     round(row["self_seconds"] * 1e9) + round(row["folded_seconds"] * 1e9) + below)
    return rows


def text_of(directory, *options, locale="C"):
    result = execute([REPORT, "--width", "80", *options, directory], environment=clean_environment({"LC_ALL": locale}))
    expect_equal("status", result.status, 0)
    return result.stdout.decode()


def test_call_tree_is_the_folded_stacks():
    """Its root is the CPU time of the run, its routines are those of the export, and recursion is one row."""
    one = run("routines")
    rows = check_tree(one.report["tree"])
    expect_equal("root", round(rows[0]["total_seconds"] * 1e9), ex.report_ns(one.report))
    stacks = ex.folded(ex.export(one.directory, "folded"))
    for name in ("recursive_work", "deep_leaf", "inlined_work", "[unsampled]"):
        wanted = sum(weight for stack, weight in stacks if stack[-1] == name)
        expect_equal("self time of %s" % name, sum(round(r["self_seconds"] * 1e9) for r in rows if r["routine"] == name), wanted)
    recursive = [r for r in rows if r["routine"] == "recursive_work"]
    expect_equal("rows of recursive_work: %s" % recursive, [(r["levels"], r["is_recursive"]) for r in recursive], [(21, True)])
    few = check_tree(report_json(one.directory, "--section", "tree", "--top", "2")["tree"])
    expect(len(few) < len(rows), "--top 2 has %d of %d rows", len(few), len(rows))
    expect_equal("root of a few rows", few[0]["total_seconds"], rows[0]["total_seconds"])


@full
def test_call_tree_as_text():
    """80 columns at most; lines of characters that the terminal has; the same names in both."""
    one = run("routines")
    expect_same(one)
    plain, drawn = (text_of(one.directory, "--section", "tree,wait_tree", locale=locale) for locale in ("C", "C.UTF-8"))
    for text in plain, drawn:
        expect(max(map(len, text.splitlines())) <= 80, "too wide: %s", text)
        expect("recursive_work (21 levels)" in text and "all threads" in text, "not the tree: %s", text)
    expect(plain.isascii() and "+ recursive_work" in plain, "no plain lines: %s", plain)
    expect("\u251c recursive_work" in drawn, "no drawn lines: %s", drawn)
    few = "".join(text_of(one.directory, "--section", "tree,wait_tree", "--top", str(top)) for top in range(1, 16))
    expect("  ... and 1 call paths" not in plain + few, "one call path in the plural: %s", plain)


def test_waits_by_call_path():
    """Its root is all waiting that the exports hold, and what was waited for stands below who waited."""
    one = run("holder", ["mutex", 2])
    rows = check_tree(one.report["wait_tree"])
    waits = sum(weight for _, weight in ex.folded(ex.export(one.directory, "folded", "--measure", "wait")))
    expect_equal("root", round(rows[0]["total_seconds"] * 1e9), waits)
    locks = [r for r in rows if r["routine"] == "[mutex queue_lock]"]
    expect(locks, "no waits for queue_lock: %s", rows)
    expect_equal("who waited", {rows[r["parent"]]["routine"] for r in locks}, {"mutex_wait"})

# SPDX-License-Identifier: MIT
"""ptrace-diff --run, which starts programs itself, and --baseline, which finds the older runs. What decides are counts, so that no
case depends on a time."""
import json
import os

from diff import DIFF, BETTER, SAME, WORSE, WRONG, record
from support import BUILD, built, clean_environment, execute, expect, expect_equal, need, scratch

BESIDE = True  # no case asserts a time

MERGE = os.path.join(BUILD, "bin", "ptrace-merge")
SMALL = ("parse=5", "store=5")


def series(place, *words):
    return execute([DIFF, *words], environment=clean_environment(None), directory=place)


def test_series():
    """It ends at the first look, after three pairs, as each run has the same counts; the runs and the output are kept."""
    place, program = scratch(), built("diff_work")
    result = series(place, "--format", "json", "--metric", "counts", "--run", "9", program, "rounds=20", *SMALL, "--", program, "rounds=40",
                    *SMALL)
    told = json.loads(result.stdout)
    expect_equal("status: %s; %s" % (told["headline"], result.stderr_text()), result.status, WORSE)
    expect("ptrace-diff: 3 of at most 9 pairs of runs; they are in diff_work.diff.1" in result.stderr_text(), "said: %s", result.stderr_text())
    kept = sorted(os.listdir(os.path.join(place, "diff_work.diff.1")))
    names = ["%s.%d" % (side, i) for side in ("new", "old") for i in (1, 2, 3)]
    expect_equal("what is kept", kept, sorted(names + ["output." + name for name in names]))
    expect_equal("sides", [[os.path.basename(run["directory"]) for run in told[side]] for side in "ab"],
                 [["old.1", "old.2", "old.3"], ["new.1", "new.2", "new.3"]])
    for side, command in (("a", "diff_work rounds=20 parse=5 store=5"), ("b", "diff_work rounds=40 parse=5 store=5")):
        expect_equal("commands", {run["command"] for run in told[side]}, {command})
    # the second of a pair is the other one in the next
    starts = {name: os.stat(os.path.join(place, "diff_work.diff.1", "output." + name)).st_mtime_ns for name in names}
    expect(starts["old.1"] < starts["new.1"] < starts["new.2"] < starts["old.2"] < starts["old.3"], "order: %r", starts)
    # once more: another directory
    again = series(place, "--metric", "counts", "--run", "3", program, "rounds=20", *SMALL, "--", program, "rounds=20", *SMALL)
    expect_equal("status; %s" % again.stderr_text(), again.status, SAME)
    expect("diff_work.diff.2" in again.stderr_text(), "said: %s", again.stderr_text())


def test_series_in_a_directory():
    place, program = scratch(), built("diff_work")
    words = ["--metric", "counts", "--directory", "runs", "--run", "1", program, "rounds=40", *SMALL, "--", program, "rounds=20", *SMALL]
    result = series(place, *words)
    expect_equal("status; %s" % result.stderr_text(), result.status, BETTER)
    expect_equal("what is there", os.listdir(place), ["runs"])
    refused(place, "--directory runs cannot be made: File exists", *words)


def test_output_of_the_programs():
    """It is kept beside their runs, and is no part of the comparison's; there is nothing for them to read."""
    place, shell = scratch(), need("sh")
    words = ["--format", "json", "--directory", "runs", "--run", "1", shell, "-c", "echo old; echo error >&2; wc -c", "--", shell, "-c", "echo new --"]
    result = series(place, *words)
    expect(result.status in (SAME, WORSE, BETTER), "status %d: %s", result.status, result.stderr_text())
    expect_equal("format", json.loads(result.stdout)["format"], "ptrace-diff")
    for name, wanted in (("output.old.1", ["old", "error", "0"]), ("output.new.1", ["new --"])):
        with open(os.path.join(place, "runs", name)) as file:
            expect_equal(name, file.read().split("\n")[:-1], wanted)


def refused(place, text, *words):
    """One line, status 2, no output."""
    result = series(place, *words)
    lines = result.stderr_text().strip().split("\n")
    expect_equal("status, output, lines of %s: %s" % (" ".join(words), lines), (result.status, result.stdout, len(lines)), (WRONG, b"", 1))
    expect(text in lines[0], "%r is not in: %s", text, lines[0])


def test_programs_that_fail():
    """Each is one line, with what it was."""
    place, program = scratch(), built("diff_work")
    small = [program, "rounds=5", *SMALL]
    refused(place, "%s ended with status 2" % program, "--run", "3", *small, "--", program, "what=1")
    refused(place, "/nowhere/app was not profiled (status 127): ptrace-run: ", "--run", "3", "/nowhere/app", "--", *small)
    expect_equal("what is left of a program that was not run", [name for name in os.listdir(place) if name.startswith("diff_work.diff.2")], [])
    refused(place, "was ended by signal 9", "--run", "3", *small, "--", built("death"), "kill")
    refused(place, "two programs with -- between them", "--run", "3", *small)
    refused(place, "two programs with -- between them", "--run", "3", *small, "--")
    refused(place, "stands before both", "a", "b", "--run", "3")
    refused(place, "go before the programs", "a", "--run", "3", "b", "--", "c")
    refused(place, "--run", "--run", "0", *small, "--", *small)
    refused(place, "--directory goes with --run", "--directory", "x", "a", "b")


def baseline(count):
    """A directory of so many merged runs."""
    place = os.path.join(scratch(), "baseline")
    os.mkdir(place)
    for i in range(count):
        run = record("diff_work", "rounds=40", *SMALL)
        # names that are not in the order of the runs
        expect_equal("ptrace-merge", execute([MERGE, "-o", os.path.join(place, "v%d" % (9 - i)), run]).status, 0)
    return place


def test_baseline():
    """The newest runs are A, the oldest first, whatever their names are."""
    place, now = baseline(4), record("diff_work", "rounds=80", *SMALL)
    with open(os.path.join(place, "README"), "w") as file:
        file.write("no run\n")
    for words, wanted in (([], ["v9", "v8", "v7", "v6"]), (["--newest", "2"], ["v7", "v6"])):
        result = execute([DIFF, "--format", "json", "--metric", "counts", "--baseline", place, *words, now])
        told = json.loads(result.stdout)
        expect_equal("status; %s" % result.stderr_text(), result.status, WORSE)
        expect_equal("A", [os.path.basename(run["directory"]) for run in told["a"]], wanted)
        expect_equal("B", [run["directory"] for run in told["b"]], [now])
    os.mkdir(os.path.join(place, "empty"))
    result = execute([DIFF, "--metric", "counts", "--baseline", place, now])
    expect_equal("status with another directory", result.status, WORSE)
    expect("empty" in result.stderr_text() and "left out of the baseline" in result.stderr_text(), "said: %s", result.stderr_text())


def test_baseline_that_is_none():
    place, now = scratch(), record("diff_work", "rounds=5")
    empty = os.path.join(place, "empty")
    os.mkdir(empty)
    refused(place, "there is no run in it; ptrace-merge -o empty/NAME RUN puts one there", "--baseline", "empty", now)
    refused(place, "--baseline nowhere cannot be read: No such file", "--baseline", "nowhere", now)
    refused(place, "needs one run or more", "--baseline", "empty")
    refused(place, "three ways to get runs", "--baseline", "empty", "--scaling", now, now)
    refused(place, "--newest goes with --baseline", "--newest", "3", now, now)

# SPDX-License-Identifier: MIT
"""What keeps cases true on any machine is tried itself: programs that a machine does not run, and the checker of cases that run beside
others (tests/check_cases); and what the runner does with their comparisons."""
import contextlib
import io
import os
import stat
import subprocess
import tempfile

import case_runner
import support
from support import ROOT, built, expect, expect_between, expect_equal, expect_near, scratch, why_it_does_not_run

BESIDE = True

CHECKER = os.path.join(ROOT, "tests", "check_cases")


def written(name, text):
    path = os.path.join(scratch(), name)
    with open(path, "wb") as file:
        file.write(text)
    os.chmod(path, os.stat(path).st_mode | stat.S_IXUSR)
    return path


def of_no_machine(path):
    """A copy that no kernel takes for a program of its machine."""
    with open(path, "rb") as file:
        text = bytearray(file.read())
    text[18:20] = b"\xfe\xff"  # e_machine
    return written("refused", bytes(text))


def test_a_machine_that_does_not_run_a_program():
    """A kernel refuses it, or runs it and it dies there, or it cannot do its work: each is a reason to skip, and says which."""
    for path, words in ((of_no_machine(built("equal")), "refused: Exec format error"), (written("dies", b"#!/bin/sh\nkill -SEGV $$\n"), "dies: SIGSEGV"),
                        (written("fails", b"#!/bin/sh\nexit 127\n"), "fails: status 127")):
        expect_equal("reason", why_it_does_not_run(path), "this machine does not run " + words)
    expect_equal("a program that runs", why_it_does_not_run(built("equal")), None)


HEAD = "from support import alone, beside, expect, expect_between, expect_near, retry_time, timed, timing\nBESIDE = True\nMOST = 0.2\n"
REFUSED = (
    "def test_it():\n    expect_near('sleep', row['wait_seconds'], 0.2)\n",
    "def test_it():\n    expect(row['wait_seconds'] < MOST, 'long')\n",
    "def test_it():\n    expect(2 * MOST > time.monotonic() - begin, 'long')\n",
    "def test_it():\n    expect_between('sleep', row['self_ns'], 0, 1000000)\n",
    "def check(row):\n    expect(0.1 < row['elapsed_seconds'] < 0.3, 'long')\ndef test_it():\n    each(lambda one: check(one))\n",
    "def test_it():\n    with timing():\n        expect(x == 1, 'late')\n",
)
ALLOWED = (
    "def test_it():\n    expect_near('sleep', row['wait_seconds'], one.truth['slept'], 0.1, 0.01)\n",
    "def test_it():\n    expect(row['wait_seconds'] >= MOST, 'short')\n",
    "def test_it():\n    expect(abs(row['wait_seconds'] - sum(blame)) < 1e-6, 'not whole')\n",
    "def test_it():\n    expect_near('calls', row['count'], 20)\n",
    "@alone\ndef test_it():\n    expect(row['wait_seconds'] < MOST, 'long')\n",
    "def test_it():\n    retry_time('late', check)\ndef check():\n    with timing():\n        expect(row['wait_seconds'] < MOST, 'long')\n",
    "def unused():\n    expect(row['wait_seconds'] < MOST, 'long')\n",
)


def lines_of_checker(text):
    done = subprocess.run([CHECKER, written("cases.py", (HEAD + text).encode())], stdout=subprocess.PIPE, check=False)
    expect_equal("status", done.returncode, int(bool(done.stdout)))
    return done.stdout.decode().splitlines()


def test_cases_beside_others_that_assert_a_time_are_refused():
    for text in REFUSED:
        expect_equal("refused: %s" % text, len(lines_of_checker(text)), 1)
    for text in ALLOWED:
        expect_equal("allowed: %s" % text, lines_of_checker(text), [])
    text = REFUSED[0].replace("def", "@beside\ndef")
    done = subprocess.run([CHECKER, written("cases.py", text.encode())], stdout=subprocess.PIPE, check=False)
    expect(b"cases.py:3: test_it asserts a time" in done.stdout, "%r", done.stdout)


def test_what_differs_beside_others_is_run_again_alone():
    """A comparison of times that fails beside others counts if it fails alone; what is wrong without a tolerance is wrong at once."""
    place = tempfile.mkdtemp()  # not scratch(): the inner cases end with cleaning that up

    def turn(name):
        path = os.path.join(place, name)
        with open(path, "a") as file:
            file.write(".")
        return os.path.getsize(path)

    def differs_once():
        expect_near("time", turn("once"), 2, 0, 0)

    def differs_always():
        expect_between("time", turn("always"), 5, 6, 0, 0)

    def is_wrong_once():
        expect_equal("count", turn("wrong"), 2)

    def is_right():
        expect_near("time", turn("right"), 1, 0, 0)

    functions = (differs_once, differs_always, is_wrong_once, is_right)
    shared, out = support.SHARED, io.StringIO()
    with contextlib.redirect_stdout(out):
        results = case_runner.run([case_runner.Case("inner", f.__name__, f, True, False) for f in functions], 3)
    support.SHARED = shared
    expect_equal("verdicts", {r["name"]: (r["verdict"], len(r["retries"])) for r in results},
                 {"differs_once": ("ok", 1), "differs_always": ("FAIL", 1), "is_wrong_once": ("FAIL", 0), "is_right": ("ok", 0)})
    expect_equal("turns", [os.path.getsize(os.path.join(place, name)) for name in ("once", "always", "wrong", "right")], [2, 2, 1, 1])
    expect_equal("lines that say so", sum(line.startswith(case_runner.AGAIN) for line in out.getvalue().splitlines()), 2)

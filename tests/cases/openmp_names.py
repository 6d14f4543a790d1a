# SPDX-License-Identifier: MIT
"""Outlined functions of OpenMP constructs have the name of the user's routine, and the line of the pragma."""
import os
import re
import subprocess

from support import BUILD, SharedRun, built, expect, run, skip

BESIDE = True  # no case asserts a time
FULL = "all programs of two compilers, with all of their names"

PROGRAMS = os.path.join(BUILD, "programs", "openmp")
OUTLINED = re.compile(r"^([0-9a-f]+) [tT] (.*\._omp_fn\.\d+|\.omp[._].*)$", re.M)


def programs(runtime):
    folder = os.path.join(PROGRAMS, runtime)
    names = [n for n in sorted(os.listdir(folder)) if not n.endswith(".mod")] if os.path.isdir(folder) else []
    if not names:
        skip("no programs for %s" % runtime)
    return [os.path.join(folder, n) for n in names]


def outlined(path):
    """[(symbol, routine, line)] of the functions that the compiler made"""
    symbols = OUTLINED.findall(subprocess.run(["nm", path], capture_output=True, text=True, check=True).stdout)
    answer = subprocess.run([built("symbolize_places"), path] + ["@" + a for a, _ in symbols], capture_output=True, text=True, check=True)
    rows = [line.split() for line in answer.stdout.splitlines()]
    return [(symbol, row[0], int(row[2])) for (_, symbol), row in zip(symbols, rows)]


def regions(path):
    """{(routine, line)} as the program itself says; nothing if it is one that says nothing of regions."""
    arguments = ["100"] if os.path.basename(path) == "million" else []
    truth = run(path, arguments, environment={"OMP_NUM_THREADS": "2"}, kind=SharedRun).native.truth or {}
    return {(r["routine"], r["line"]) for r in truth.get("regions", ())}


def check_runtime(runtime):
    checked = 0
    for path in programs(runtime):
        rows = outlined(path)
        found = {(routine, line) for _, routine, line in rows}
        # a body without a line is a function that the program passes to the runtime by hand
        missing = {(routine, line) for routine, line in regions(path) - found if line}
        expect(not missing, "%s: no function for the regions %s among %s", path, missing, found)
        raw = [row for row in rows if row[1].startswith(".omp") or "_omp_fn" in row[1]]
        expect(not raw, "%s: names that no user knows: %s", path, raw)
        checked += len(rows)
    expect(checked > 50, "only %d functions of %s", checked, runtime)


def test_functions_of_gcc_bear_the_users_names():
    check_runtime("gomp")


def test_functions_of_clang_bear_the_users_names():
    check_runtime("libomp")

# SPDX-License-Identifier: MIT
"""Routines of unchanged programs as sections (--section-routine): nothing of a call changes, and all of them are counted."""
import os

import support
from sections import check_laws, rows
from support import RUN, beside, check_same, execute, expect, expect_equal, need, run, scratch

BESIDE = True  # no case asserts a time
NAMES = "many_integers", "many_reals", "turn", "sum_of", "swap", "descend", "halve", "call", "twice"


def option(*names):
    return ["--section-routine", ",".join(names)]


def test_all_kinds_of_arguments():
    """Registers, stacks, structs, vectors, a variable number, rounding, errno, jumps, coroutines: results and counts are the program's."""
    one = check_same("section_routines", ["50"], options=option(*NAMES))
    found = check_laws(one)
    for name in NAMES[:-1]:
        counted = sum(row["count"] for path, row in found.items() if path.rpartition("/")[2] == name)
        expect_equal("calls of %s" % name, counted, int(one.truth[name]))
    expect(found["call"]["ended"] <= found["call"]["count"], "call: %s", found["call"])


def test_a_routine_of_a_library_of_debian():
    """xz compresses in liblzma: its section has the program's CPU time."""
    xz = need("xz")
    path = os.path.join(scratch(), "text")
    with open(path, "wb") as file:
        file.write(b"".join(b"%d %d\n" % (i, i * i * 7919 % 10007) for i in range(100000)))
    one = check_same(xz, ["-kc", "-T1", path], options=option("lzma_code"))
    row = check_laws(one)["lzma_code"]
    expect(row["count"] > 0 and row["count"] == row["ended"], "lzma_code: %s", row)
    expect(row["thread_cpu_seconds"] > 0.5 * one.report["run"]["cpu_seconds"], "lzma_code has %s s of %s", row["thread_cpu_seconds"],
           one.report["run"]["cpu_seconds"])


def test_an_instrumented_routine():
    """By the hooks of -finstrument-functions, as it is called within its own program."""
    one = run("instrumented", ["plain"], options=option("leaf"))
    one.profiled  # pylint: disable=pointless-statement
    expect_equal("calls of leaf", sum(row["count"] for path, row in rows(one).items() if path.rpartition("/")[2] == "leaf"),
                 int(one.truth["leaf"]))


def refusal(program, *names):
    done = execute([RUN] + option(*names) + ["--", program])
    expect_equal("status of %s" % (names,), done.status, 2)
    lines = done.stderr.decode().splitlines()
    expect_equal("lines of %s" % (names,), len(lines), 1)
    return lines[0]


def test_refusals():
    """One line says why, and which names are near."""
    program = support.built("section_routines")
    expect("did you mean many_integers" in refusal(program, "many_integer"), "a name that is nearly one")
    expect("within itself" in refusal(program, "check_arguments"), "a routine of the program's own")
    expect("returns twice" in refusal(program, "_setjmp"), "one that returns twice")
    expect("no name is given" in refusal(program, ""), "no name")
    expect("at most 16" in refusal(program, *["n%d" % i for i in range(17)]), "too many")


def test_a_child_has_the_doors_too():
    """A shell that starts the program: its own calls are none, the program's are all."""
    one = run("/bin/sh", ["-c", "%s 5; true" % support.built("section_routines")], options=option("turn"))
    one.profiled  # pylint: disable=pointless-statement
    expect_equal("calls of turn", sum(row["count"] for path, row in rows(one).items() if path.rpartition("/")[2] == "turn"), 21)

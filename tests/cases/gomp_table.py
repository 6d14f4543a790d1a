# SPDX-License-Identifier: MIT
"""scripts/check-gomp-calls: the table agrees with the libgomp that is installed, and a damaged table does not."""
import os

from support import ROOT, execute, expect, expect_equal, fail, scratch, skip

BESIDE = True  # no case asserts a time

SCRIPT = os.path.join(ROOT, "scripts", "check-gomp-calls")
TABLE = os.path.join(ROOT, "preload", "openmp", "gomp_calls.def")
BARRIER = 'GOMP_CALL(GOMP_barrier, VOID, 0, "", BARRIER, WAITS, "GOMP_1.0")\n'

# What is done to the table, and what must be said about it.
DAMAGES = [
    (BARRIER, "", "GOMP_barrier: is exported and has no row"),
    (BARRIER, BARRIER + BARRIER, "GOMP_barrier: stands twice"),
    (BARRIER, BARRIER + BARRIER.replace("_barrier", "_shout"), "GOMP_shout: the library has no such symbol"),
    (BARRIER, BARRIER.replace("GOMP_1.0", "GOMP_2.0"), "GOMP_barrier: has version GOMP_1.0, the table says GOMP_2.0"),
    (BARRIER, BARRIER.replace("VOID", "BOOL"), 'GOMP_barrier: gcc says VOID "", the table BOOL ""'),
    ("GOMP_task, VOID, 10", "GOMP_task, VOID, 9", "GOMP_task: has 9 arguments and a shape of 10"),
    ("GOMP_task, VOID, 10", "GOMP_task, VOID 10", "not a row"),
    (".body = 1, .data = 2", ".body = 2, .data = 2", "body: argument 2 is p"),
    (".body = 1, .data = 2", ".body = 1", "PARALLEL needs .body and .data"),
    ('GOMP_LEFT(GOMP_alloc, "memory")\n', "", "GOMP_alloc: is exported and has no row"),
    ("GOMP_LEFT(GOMP_alloc,", "GOMP_LEFT(GOMP_barrier,", "GOMP_barrier: has a row and is left out"),
]


def checked(text):
    path = os.path.join(scratch(), "gomp_calls.def")
    with open(path, "w") as file:
        file.write(text)
    return execute([SCRIPT, path])


def table():
    """The table's text, if there is a library to compare it with."""
    result = execute([SCRIPT])
    if b"skipped" in result.stdout:
        skip("no libgomp is installed")
    with open(TABLE) as file:
        return file.read()


def test_gomp_table_agrees_with_library():
    result = checked(table())
    expect_equal("status", (result.status, result.stderr), (0, b""))
    expect(b" 0 mistakes" in result.stdout, "the script said %r", result.stdout)


def test_gomp_table_damage_is_found():
    text = table()
    for old, new, said in DAMAGES:
        expect(old in text, "the table has no longer %r", old)
        result = checked(text.replace(old, new, 1))
        expect_equal("status after %r became %r" % (old, new), result.status, 1)
        if said.encode() not in result.stderr:
            fail("after %r became %r, expected %r in %r", old, new, said, result.stderr.decode()[-400:])


def test_gomp_table_without_library():
    """Where there is no library, or no nm to read it, nothing is compared and that is said."""
    result = execute(["/usr/bin/python3", SCRIPT], environment={"PATH": scratch()})
    expect_equal("status", result.status, 0)
    expect(result.stdout.startswith(b"skipped: no "), "the script said %r", result.stdout)

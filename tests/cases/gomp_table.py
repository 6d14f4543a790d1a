# SPDX-License-Identifier: MIT
"""scripts/check-gomp-calls: the table agrees with the libgomp that is installed, and a damaged table does not."""
from call_tables import CallTable
from support import expect, expect_equal, full

BESIDE = True  # no case asserts a time

TABLE = CallTable("check-gomp-calls", "openmp/gomp_calls.def", "no libgomp is installed", None)
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


def test_gomp_table_agrees_with_library():
    TABLE.expect_agrees()


@full
def test_gomp_table_damage_is_found():
    TABLE.expect_found(DAMAGES)


def test_gomp_table_without_library():
    """Without a library, or without nm to read it, nothing is compared, and the script says so."""
    result = TABLE.without_path()
    expect_equal("status", result.status, 0)
    expect(result.stdout.startswith(b"skipped: no "), "the script said %r", result.stdout)

# SPDX-License-Identifier: MIT
"""Sections of a report as CSV: they have the rows of the text, and a header line even without rows."""
import csv
import io

from support import REPORT, beside, check_laws, execute, expect, expect_equal, expect_same, full, run

SECTIONS = ("overview", "concurrency", "threads", "synchronization", "io", "routines", "tree", "wait_tree", "waits", "mpi_sizes",
            "openmp", "mpi", "mpi_calls", "mpi_sites", "ranks",
            "collectives", "peers", "processes", "findings", "notes")


def printed(one, section, *options):
    result = execute([REPORT, "--format", "csv", "--top", "0", "--section", section, *options, one.directory])
    expect_equal("status of the report on %s" % section, result.status, 0)
    return result.stdout.decode()


def slept():
    """A program that does nothing but sleep."""
    one = run("/bin/sleep", ["0.2"])
    expect_same(one)
    check_laws(one.report, sampling=False)
    return one


@beside
def test_calls_on_no_object_are_rows_of_csv():
    """What the text says of sleeping, CSV says as well, in the same columns as of locks."""
    one = slept()
    calls = [c for c in one.report["calls"] if c["wait_seconds"]]
    expect(calls, "no call has waited: %s", one.report["calls"])
    rows = [r for r in csv.DictReader(io.StringIO(printed(one, "synchronization"))) if r["kind"] == "call"]
    expect_equal("calls", sorted((r["name"], int(r["count"]), int(r["contended"]), float(r["wait_seconds"])) for r in rows),
                 sorted((c["call"], c["count"], c["waited"], c["wait_seconds"]) for c in calls))
    text = execute([REPORT, "--section", "synchronization", "--top", "0", one.directory]).stdout.decode()
    expect(all(r["name"] in text for r in rows), "the text has other rows: %s", text)


@full
@beside
def test_csv_without_rows_names_its_columns():
    """Each section has one line at least, and several have each its own."""
    one = slept()
    for section in SECTIONS:
        lines = printed(one, section).splitlines()
        expect(lines and lines[0] and not lines[0].startswith("@"), "%s: %r", section, lines[:1])
    lines = printed(one, "peers,synchronization").splitlines()
    expect_equal("titles", [line for line in lines if line.startswith("@ ")], ["@ synchronization", "@ peers"])
    expect_equal("columns of peers", lines[lines.index("@ peers") + 1], printed(one, "peers").splitlines()[0])

# SPDX-License-Identifier: MIT
"""Columns that are carried to every output (preload/file/schema_sums.h): their sums in the profiles, read without the analyzer,
are those of the report in JSON and CSV, of the merged run, of SQLite and of ptrace-diff."""
import contextlib
import csv
import io
import json
import os
import sqlite3

import mpi_job
import openmp_job
from profile_file import Profile, sums
from support import BUILD, beside, execute, expect, expect_equal, expect_near, full, profile_paths, run, scratch

BIN = os.path.join(BUILD, "bin")


def printed(program, *arguments):
    result = execute([os.path.join(BIN, program), *arguments])
    expect_equal("status of %s" % program, result.status, 0)
    return result.stdout.decode()


def merged(directory):
    path = os.path.join(scratch(), "merged")
    printed("ptrace-merge", "-o", path, directory)
    return path


def in_csv(directory, section):
    """{column: sum over the rows}"""
    rows = list(csv.DictReader(io.StringIO(printed("ptrace-report", "--format", "csv", "--top", "0", "--section", section, directory))))
    names = sums_of(section)
    missing = [name for name in names if rows and name not in rows[0]]
    expect(not missing, "the section %s has no column %s", section, missing)
    return {name: sum(float(row[name] or 0) for row in rows) for name in names}


TABLE_OF_SECTION = {"threads": "threads", "synchronization": "waits", "mpi_calls": "mpi_calls", "mpi_sites": "mpi_calls", "peers": "mpi_peers"}


def sums_of(section):
    return [shown for _, _, _, shown, _ in sums()[TABLE_OF_SECTION[section]]]


def in_json(rows, table):
    return {shown: sum(row[shown] or 0 for row in rows) for _, _, _, shown, _ in sums()[table]}


def in_profiles(paths, table):
    """{name in JSON: sum over the rows of all profiles}, times in seconds."""
    rows = [row for path in paths for row in Profile(path).rows[table]]
    return {shown: sum(row[column] for row in rows) / (1e9 if unit == "ns" else 1) for column, _, unit, shown, _ in sums()[table]}


def in_database(directory, table):
    path = os.path.join(scratch(), "run.sqlite")
    printed("ptrace-export", "--format", "sqlite", "-o", path, directory)
    with contextlib.closing(sqlite3.connect(path)) as base:
        return {shown: (base.execute("SELECT sum(%s) FROM %s" % (column, table)).fetchone()[0] or 0) / (1e9 if unit == "ns" else 1)
                for column, _, unit, shown, _ in sums()[table]}


def in_diff(directory, section, is_wanted):
    """{name in JSON: sum over the figures}; a figure that is 0 is not there."""
    figures = json.loads(printed("ptrace-diff", "--format", "json", directory, directory))["figures"]
    found = {}
    for figure in figures:
        if figure["section"] == section and is_wanted(figure["key"]):
            name = figure["key"] if figure["metric"] == "sum" else figure["metric"]
            found[name] = found.get(name, 0) + figure["a"]
    return {shown: found.get(shown.replace("_seconds", "").replace("_", " "), 0)
            for table in sums().values() for _, _, _, shown, _ in table}


def agree(what, got, wanted, less=()):
    """less: what may be less, since it is cut."""
    for name, value in wanted.items():
        if name in less:
            expect(got[name] <= value, "%s, %s: %r, profiles %r", what, name, got[name], value)
        else:
            expect_near("%s, %s" % (what, name), got[name], value, 1e-6, 1e-6)


def counted(wanted, *names):
    for name in names:
        expect(wanted[name] > 0, "the program had no %s: %r", name, wanted)


@beside
def test_waits():
    """All wrapped calls, some of which run into their time-outs. Futile wake-ups are at most the wake-ups."""
    one = run("counts", [2000])
    wanted = in_profiles(one.profiles(), "waits")
    counted(wanted, "timeouts")
    agree("CSV", in_csv(one.directory, "synchronization"), wanted, less=["futile"])
    agree("merged", in_csv(merged(one.directory), "synchronization"), wanted, less=["futile"])
    agree("SQLite", in_database(one.directory, "waits"), wanted)
    agree("diff", in_diff(one.directory, "waits", lambda key: True), wanted)


@beside
def test_threads():
    one = run("holder", ["mutex", 2])
    wanted = in_profiles(one.profiles(), "threads")
    counted(wanted, "voluntary_switches", "minor_faults")
    agree("JSON", in_json(one.report["threads"], "threads"), wanted)
    agree("CSV", in_csv(one.directory, "threads"), wanted)
    agree("merged", in_csv(merged(one.directory), "threads"), wanted)
    agree("SQLite", in_database(one.directory, "threads"), wanted)
    for side in one.directory, merged(one.directory):
        agree("diff", in_diff(side, "states", lambda key: True), wanted)


@full
@beside
def test_mpi():
    """Calls by name, calls by place, and traffic by pair."""
    mpi_job.each_library(check_mpi)


def check_mpi(library):
    job = mpi_job.job_of(library, "late_sender", 2)
    expect_equal("status", job.profiled.status, 0)
    paths = profile_paths(job.directory)
    calls, peers = in_profiles(paths, "mpi_calls"), in_profiles(paths, "mpi_peers")
    counted(calls, "bytes_sent", "bytes_received", "completed", "flight_seconds")
    counted(peers, "messages", "received_bytes", "wait_seconds")
    for side in job.directory, merged(job.directory):
        agree("calls", in_csv(side, "mpi_calls"), calls)
        agree("sites", in_csv(side, "mpi_sites"), calls)
        agree("peers", in_csv(side, "peers"), peers)
        agree("diff", in_diff(side, "mpi", lambda key: " in " not in key and key != "peers"), calls)
        agree("diff of peers", in_diff(side, "mpi", lambda key: key == "peers"), peers)
        agree("diff of places", in_diff(side, "mpi", lambda key: " in " in key), calls)
    agree("SQLite", in_database(job.directory, "mpi_calls"), calls)
    agree("SQLite", in_database(job.directory, "mpi_peers"), peers)


@full
@beside
def test_openmp():
    """Pieces of loops, and tasks."""
    for runtime in openmp_job.RUNTIMES:
        check_openmp(runtime, "schedules", "omp_constructs", "constructs", "pieces")
        check_openmp(runtime, "tasks", "omp_tasks", "tasks", "created")


def check_openmp(runtime, program, table, part, name):
    one = openmp_job.Job(runtime, program).run
    wanted = in_profiles(one.profiles(), table)
    counted(wanted, name)
    for side in one.directory, merged(one.directory):
        openmp = json.loads(printed("ptrace-report", "--format", "json", side))["openmp"]
        regions = [row for region in openmp["regions"] for row in region[part]]
        agree("JSON", in_json(regions + openmp["outside"][part], table), wanted)
        agree("diff", in_diff(side, "openmp", lambda key: key.startswith(part)), wanted)
    agree("SQLite", in_database(one.directory, table), wanted)

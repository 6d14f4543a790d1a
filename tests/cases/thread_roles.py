# SPDX-License-Identifier: MIT
"""Threads are named after what the program has them do, although a library starts them all in one routine of its own."""
import os
import subprocess

from merge import merged
from support import REPORT, ROOT, execute, expect, expect_equal, full, need, report_json, run, scratch

BESIDE = True  # samples come with CPU time: no case asserts a time

SOURCE = os.path.join(ROOT, "tests", "programs", "thread_roles.cc")


def compiled(*flags):
    program = os.path.join(scratch(), "roles")
    subprocess.run([need("g++"), "-std=gnu++17", "-w", *flags, "-o", program, SOURCE, "-pthread"], check=True)
    return program


def told(done):
    """{thread: what it runs}"""
    return {int(line.split("\t")[0]): line.split("\t")[1] for line in done.profiled.stdout.decode().splitlines()}


def roles(report):
    return {t["tid"]: t["role"] for t in report["threads"]}


def joined(report):
    return {r["name"] for r in report["synchronization"] if r["kind"] == "join"}


def check(*flags):
    done = run(compiled(*flags))
    expect_equal("roles of threads, %s" % (flags,), roles(done.report), told(done))
    expect_equal("joined threads", joined(done.report), {"thread of std::thread"})
    return done


def test_roles_of_cxx_threads():
    """A routine, a member, a functor, lambdas, one that only waits; the program was not optimised."""
    check("-O0", "-g")


@full
def test_roles_of_cxx_threads_that_were_inlined():
    """With debugging information, and by the linker's names alone."""
    check("-O2", "-g")
    check("-O2")


@full
def test_roles_in_reports_and_merged_runs():
    done = check("-O2", "-g")
    text = execute([REPORT, "--section", "threads", "--width", "200", done.directory]).stdout.decode()
    rows = [line.split() for line in text.splitlines()]
    for tid, role in told(done).items():
        shown = "roles" if role == "main" else role
        expect(any(row[:2] == [shown, str(tid)] for row in rows), "no row of thread %d (%s)", tid, shown)
    expect_equal("roles in the merged run", roles(report_json(merged(done.directory))), told(done))


def test_threads_of_one_role_are_joined_by_it():
    done = run(compiled("-O2", "-g"), ["one"])
    expect_equal("joined threads", joined(done.report), {"thread parse_file"})

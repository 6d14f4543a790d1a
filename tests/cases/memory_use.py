# SPDX-License-Identifier: MIT
"""Memory and input and output of each process, against what it says itself and what the kernel says of it."""
import os

from support import (BUILD, beside, built, execute, expect, expect_equal, expect_near, expect_same, full, need, report_json, run,
                     scratch, skip)

TOUCHED, READ, WRITTEN = 60_000_000, 700_000, 300_000
# The kernel keeps part of a thread's pages in counters of each processor, which its two figures read at other times; the profile is mapped.
SLACK = 4 << 20
MERGE = os.path.join(BUILD, "bin", "ptrace-merge")


def processes(one):
    return sorted(one.report["processes"], key=lambda p: p["sequence"])


def check_io(process):
    """The truth itself is written by printf, to standard output or to TRUTH_FILE: a few hundred bytes."""
    expect(READ <= process["read_bytes"] < READ + 4096, "read %d bytes", process["read_bytes"])
    expect(WRITTEN <= process["written_bytes"] < WRITTEN + 4096, "wrote %d bytes", process["written_bytes"])


@beside
def test_memory_and_bytes_of_a_process():
    one = run("memory_use", [TOUCHED])
    expect_same(one)
    process, = processes(one)
    expect(process["memory_peak_bytes"] > TOUCHED, "peak of %d bytes", process["memory_peak_bytes"])
    expect_near("peak", process["memory_peak_bytes"], 1024 * one.truth["peak_kib"], 0.02, SLACK / 4)
    check_io(process)
    rows = one.report["io"]["rows"]
    for key, direction in ("read_bytes", "read"), ("written_bytes", "written"):
        expect_equal(key, process[key], sum(r["bytes"] for r in rows if r["direction"] == direction))
    merged = os.path.join(scratch(), "merged")
    expect_equal("status of the merge", execute([MERGE, "-o", merged, one.directory]).status, 0)
    again, = report_json(merged)["processes"]
    for key in "memory_peak_bytes", "read_bytes", "written_bytes":
        expect_equal("%s of a merged run" % key, again[key], process[key])


@beside
def test_memory_of_an_image_is_not_that_of_the_one_before():
    """ru_maxrss survives exec; the memory of the image does not."""
    one = run("memory_use", ["exec", TOUCHED])
    expect_same(one)
    first, last = processes(one)
    expect(first["memory_peak_bytes"] > TOUCHED, "first image: %d bytes", first["memory_peak_bytes"])
    expect_near("last image", last["memory_peak_bytes"], 1024 * one.truth["peak_kib"], 0, SLACK)
    expect(last["memory_peak_bytes"] < TOUCHED / 2, "last image: %d bytes", last["memory_peak_bytes"])
    for process in first, last:
        check_io(process)


@beside
def test_memory_of_a_user_of_many_groups():
    """The kernel writes them before the line that is looked for, which a whole image needs whose predecessor was larger."""
    if os.geteuid() != 0:
        skip("only root has groups without being a member")
    groups = "--groups=" + ",".join(str(group) for group in range(100000, 100400))
    one = run(need("setpriv"), [groups, built("memory_use"), "exec", TOUCHED])
    last = processes(one)[-1]
    expect_near("last image", last["memory_peak_bytes"], 1024 * one.truth["peak_kib"], 0, SLACK)


@full
@beside
def test_memory_of_a_killed_process():
    one = run("memory_use", ["kill", TOUCHED])
    expect_same(one)
    process, = processes(one)
    expect_near("peak", process["memory_peak_bytes"], TOUCHED, 0, 2 * SLACK)
    check_io(process)


@beside
def test_bytes_that_are_not_counted_are_unknown():
    one = run("memory_use", [0], options=["--no-sync"])
    expect_same(one)
    process, = processes(one)
    expect_equal("bytes", (process["read_bytes"], process["written_bytes"]), (None, None))
    expect(process["memory_peak_bytes"], "no memory: %s", process)

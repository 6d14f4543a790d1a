# SPDX-License-Identifier: MIT
"""The profiler is attached to a program that runs already, and leaves it again: what it says of the time in between is true, the
program goes on as before, and nothing of many profiles stays behind."""
import glob
import os

from support import (BUILD, built, check_laws, execute, expect, expect_between, expect_equal, expect_near, full, report_json, scratch, skip,
                     waits)
from verdict import timed, timing

BESIDE = True

LIBRARY = os.path.join(BUILD, "lib", "libptrace.so")


def attach(rounds, seconds):
    """(what the program says, directory of the profiles); each line is a word and numbers, some of them after their names."""
    directory = scratch()
    result = execute([built("attach_self"), LIBRARY, directory, str(rounds), str(seconds)])
    lines = result.stdout.decode().splitlines()
    expect_equal("exit status", result.status, 0)
    expect_equal("the program's last word", lines[-1], "done")
    expect(not [line for line in lines if line.startswith("error")], "attaching failed: %s", lines)
    return [line.split() for line in lines], directory


def numbers(words):
    return {name: int(value) for name, value in zip(words[2::2], words[3::2])}


def check_truth(said, report):
    truth = {int(words[1]): numbers(words) for words in said if words[0] in ("spinner", "locker", "late")}
    threads = {thread["tid"]: thread for thread in report["threads"]}
    sleeper = int([words[1] for words in said if words[0] == "sleeper"][0])
    # the first thread is the one that attaches
    expect_equal("threads", len(threads), len(truth) + 2)
    locks = sum(true.get("locks", 0) for true in truth.values())
    counted = sum(row["count"] for row in waits(report, "mutex", operation="lock"))
    # the program reads its counts some microseconds after the begin and before the end; of each thread, one call may have begun
    # before the profiler came, and one may not have ended when it left
    expect_between("calls that take the lock", counted, locks - len(truth), locks + len(truth), relative=0.01)
    # it never took its record, and never ran
    expect_equal("CPU time of the thread that slept throughout", threads[sleeper]["cpu_seconds"], 0)
    with timing():
        for tid, true in truth.items():
            expect_near("CPU time of thread %d" % tid, threads[tid]["cpu_seconds"], true["cpu_ns"] / 1e9, 0.03, 0.005)


@timed("other programs had the processors")
def test_attached_once():
    """Threads that spin, contend and sleep, and one that is created meanwhile."""
    said, directory = attach(1, 2)
    report = report_json(directory)
    expect_equal("how the process ended", [process["status"] for process in report["processes"]], ["detached"])
    check_truth(said, report)
    check_laws(report)


def use(said, when):
    words = [words for words in said if words[0] == when][0]
    return {name: int(value) for name, value in zip(words[1::2], words[2::2])}


@full
def test_a_hundred_profiles():
    """The second hundredth is like the last: no mapping, descriptor or memory is left of each."""
    said, directory = attach(100, 0.02)
    profiles = glob.glob(os.path.join(directory, "*.profile"))
    expect_equal("profiles", len(profiles), 100)
    early, end = use(said, "early"), use(said, "end")
    # the thread that is created in the last round has a stack, with a guard, and perhaps an arena of malloc, also two
    expect_between("mappings", end["mappings"], early["mappings"], early["mappings"] + 4)
    expect_equal("descriptors", end["descriptors"], early["descriptors"])
    expect_between("pages of memory", end["pages"], 0, early["pages"] + 128)


def test_a_thread_that_runs_later_than_the_next_profile():
    """It runs what it was created for, though another profile has begun before it ran."""
    result = execute([built("attach_birth"), LIBRARY, scratch()])
    if result.stdout == b"none\n":
        skip("a thread may not keep the processor here (SCHED_FIFO)")
    expect_equal("status and what it says", (result.status, result.stdout), (0, b"right 5\n"))

# SPDX-License-Identifier: MIT
"""Findings on what the kernel is asked for: each program of causes/ has the finding, at its place, and its fixed form does not; and the
columns of the profile behind it. The stakes are those of tests/unit/test_finding_system.c; that they come first is a case of causes.py."""
import os
import re
import sys

from causes import command_of, ended, programs, told_of
from findings import check_findings
from support import ROOT, RUN, built, check_laws, expect, expect_equal, full, need, report_json, retry_time, run, scratch, skip, timing

sys.path.insert(0, os.path.join(ROOT, "tests"))
from format_reader import read_profile  # noqa: E402

NICE_0, OTHER = 21, 1  # columns of a thread (docs/dev/format.md)


def profiled(program, arguments=()):
    """(report, {name of a finding: finding}, profiles)"""
    directory = os.path.join(scratch(), "run")
    ended(program, arguments, tool=[RUN, "-q", "-o", directory, "--"])
    report = report_json(directory)
    check_laws(report)
    check_findings(report)
    profiles = [read_profile(os.path.join(directory, name)) for name in sorted(os.listdir(directory)) if name.endswith(".profile")]
    return report, {f["id"]: f for f in report["findings"]}, profiles


def threads(profiles):
    return [thread for _, rows in profiles for thread in rows["threads"]]


def check_planted(name, look):
    """look(report, profiles, whether it is the fixed form): what holds whatever else runs."""
    program, = programs([name])
    wanted, = program.finding
    for arguments in [], ["fixed"]:
        report, found, profiles = profiled(program, arguments)
        look(report, profiles, bool(arguments))
        if arguments:
            expect(wanted not in found, "the fixed form of %s has it, too: %s", name, found.get(wanted, {}).get("evidence"))
            continue
        with timing():  # what is at stake is less where others have most of the time
            expect(wanted in found, "no %s: %s", wanted, sorted(found))
            expect(re.search(program.place, told_of(found[wanted])), "/%s/ is not in: %s", program.place, told_of(found[wanted]))


def planted(name, look):
    retry_time("other programs had the processors", check_planted, name, look)


def need_two_processors():
    if len(os.sched_getaffinity(0)) < 2:
        skip("there is one processor")


def test_threads_that_a_library_binds():
    """Two workers on one processor, while the process may use two."""
    need_two_processors()

    def look(report, profiles, is_fixed):
        workers = [t for t in threads(profiles) if t["start"] and t["processors"]]
        expect(len(workers) == 2 or is_fixed, "%d workers had to wait for each other", len(workers))
        for worker in workers:
            expect_equal("processors of one", worker["processors"] == 1, not is_fixed)
        expect_equal("of the process", report["run"]["processors"] > 1, True)
    planted("sound_mix", look)


def bound(how):
    """({name of a finding: its evidence}, the rows of both threads)"""
    one = run("bound", [how])
    check_laws(one.report)
    check_findings(one.report)
    workers = [t for t in threads([read_profile(path) for path in one.profiles()]) if t["start"]]
    expect_equal("threads", len(workers), 2)
    return {f["id"]: f["evidence"] for f in one.report["findings"]}, workers


def test_threads_that_take_turns_on_one_processor():
    """Two that hand on to each other: they are ready, but could not have run sooner, whoever bound them."""
    need_two_processors()
    found, workers = bound("turns")
    expect_equal("processors of each", [worker["processors"] for worker in workers], [1, 1])
    expect("bound-threads" not in found, "they are accused: %s", found.get("bound-threads"))
    lowest = str(min(os.sched_getaffinity(0)))
    found = {f["id"]: f["evidence"] for f in run(need("taskset"), ["-c", lowest, built("bound"), "turns"]).report["findings"]}
    expect("bound-run" not in found, "its start is accused: %s", found.get("bound-run"))


def test_threads_that_are_set_free_at_their_end():
    """They were bound whenever they were ready, so that is what counts."""
    need_two_processors()
    _, workers = bound("freed")
    for worker in workers:
        expect("processors" in worker and worker["ready_ns"] > 0, "it was never ready: %s", worker)
        expect_equal("processors of one", worker["processors"], 1)


def test_a_run_that_is_started_on_one_processor():
    """The same program without its fault: the text is another one, and it is none of the program's."""
    need_two_processors()
    program, = programs(["sound_mix"])
    _, words = command_of(program)

    def check():
        report = run(need("taskset"), ["-c", str(min(os.sched_getaffinity(0)))] + words + ["fixed"]).report
        found = {f["id"]: f for f in report["findings"]}
        expect("bound-threads" not in found, "the program is accused: %s", sorted(found))
        with timing():
            expect_equal("kind", found.get("bound-run", {}).get("kind"), "environment")
    retry_time("other programs had the processors", check)


def test_a_nice_thread_that_others_wait_for():
    def look(_, profiles, is_fixed):
        nice = sorted(t["nice"] - NICE_0 for t in threads(profiles) if t["nice"])
        expect_equal("least nice, where the tests themselves may be", nice[0], os.getpriority(os.PRIO_PROCESS, 0))
        expect(is_fixed or nice[-1] == 19, "no thread is nice: %s", nice)
        expect_equal("policies", {t["policy"] for t in threads(profiles) if t["nice"]}, {OTHER})
    planted("price_feed", look)


@full
def test_memory_that_is_mapped_again_and_again():
    def look(_, profiles, is_fixed):
        faults = sum(t["minor_faults"] for t in threads(profiles))
        expect((faults < 20000) == is_fixed, "%d page faults", faults)
    planted("page_filters", look)


@full
def test_forks_of_a_large_process():
    """Also: what fork took is at the routine, and next to nothing of the CPU time is without a place."""
    def look(report, _, is_fixed):
        times = {row["name"]: row["self_seconds"] for row in report["routines"]}
        forks = sum(seconds for name, seconds in times.items() if name.strip("_").endswith("fork"))
        expect((forks > 0.2 * report["run"]["cpu_seconds"]) != is_fixed, "%.3f s in fork: %s", forks, times)
        expect(times.get("[unsampled]", 0) < 0.2 * report["run"]["cpu_seconds"], "without a place: %s", times)
    planted("mail_hooks", look)

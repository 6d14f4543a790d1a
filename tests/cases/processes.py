# SPDX-License-Identifier: MIT
"""Processes: how they begin and end, and what the report says about it."""
import os
import signal
import subprocess
import sys

from laws import NEXT_SAMPLE_SHARED
from support import (ROOT, blame_of, built, check_laws, check_same, expect, expect_between, expect_equal, expect_near,
                     expect_same, full, need, ready_seconds, report_json, run, skip, status_of, thread_cpu, waits)

sys.path.append(os.path.join(ROOT, "tests"))
from format_reader import read_profile  # noqa: E402

BESIDE = True  # no case asserts a time


def die(kind, status, seen=True):
    """The same end natively and profiled; the profile contains nearly everything; the status is right. seen: our code runs at the end."""
    one = run("death", [kind])
    expect_same(one)
    check_laws(one.report, complete=False)
    expect_equal("status in the report", status_of(one.report), status)
    check_holdings(one.report, one.truth, seen)
    return one


def check_holdings(report, truth, seen):
    locks = sum(r["count"] for r in waits(report, "mutex", "lock") if r["operation"] == "lock")
    expect_equal("locks of the mutex `lock`", locks, int(truth["locks"]))
    # The truth is that of the two workers; the first thread, start-up and other processes have a little more.
    least = truth["cpu"] if seen else truth["cpu"] - 2 * NEXT_SAMPLE_SHARED
    expect_between("CPU time of all threads", thread_cpu(report), least, truth["cpu"] + 0.1, 0.03, 0.01)


def test_return_from_main():
    """Threads still wait when main returns."""
    die("return", "exited 4")


def test_a_sleep_that_never_ends():
    """A thread sleeps when main returns: its sleep is told, and nobody's fault."""
    one = die("asleep", "exited 4")
    rows = [r for r in one.report["calls"] if any(w["routine"] == "doze" for w in r["waiters"])]
    expect_equal("calls that sleep in doze", len(rows), 1)
    expect(rows[0]["wait_seconds"] >= 0.09, "it slept for %s s", rows[0]["wait_seconds"])
    section = one.text.partition("@ synchronization")[2].partition("\n@")[0]
    sites = [line for line in section.splitlines() if "% doze" in line]
    expect(len(sites) == 1 and "by:" not in sites[0], "who slept, and who caused it: %s", sites)


def test_exit_in_a_thread():
    """exit in a thread while others run. covers: D64"""
    die("exit_in_thread", "exited 5")


def test_underscore_exit():
    """_exit."""
    die("_exit", "exited 6")


def test_quick_exit():
    """quick_exit."""
    die("quick_exit", "exited 7")


def test_raw_exit_group():
    """The system call itself."""
    die("raw_exit", "exited 8", seen=False)


def test_abort():
    """abort ends with SIGABRT. covers: E70"""
    die("abort", "killed by SIGABRT", seen=False)


def test_segmentation_fault_raised():
    """SIGSEGV, raised."""
    die("segv", "killed by SIGSEGV", seen=False)


def test_segmentation_fault():
    """SIGSEGV by a wild store. covers: D49"""
    die("null", "killed by SIGSEGV", seen=False)


def test_terminated():
    """SIGTERM. covers: D49"""
    die("term", "killed by SIGTERM", seen=False)


def test_killed_by_itself():
    """SIGKILL: what was counted until then is there. covers: D49"""
    one = die("kill", "killed by SIGKILL", seen=False)
    expect_equal("run complete, status of the report", (one.report["run"]["complete"], one.report["report_status"]), (False, 1))


@full
def test_killed_while_joining():
    """SIGKILL by the thread that is joined: the join's time is charged once, what the thread ran to its routine."""
    one = run("death", ["kill_joined"])
    expect_same(one)
    check_laws(one.report, complete=False)
    joins = waits(one.report, "join")
    waited, own = sum(r["wait_seconds"] for r in joins), blame_of(joins, "compute_and_die")
    # It has 0.25 s of CPU time; how long the join lasts, and how late it begins, is the machine's.
    expect(own > min(0.2, 0.8 * waited) > 0, "charged to compute_and_die: %s s of %s s", own, waited)
    expect_near("blame for joins", sum(b["seconds"] for r in joins for b in r["blame"]), waited, 0, 1e-6)


def test_a_time_namespace_is_another_clock():
    """Its processes are shown a day more since the start: the run is as long as by the time of day, and a note says why."""
    namespace = [need("unshare"), "-T", "--monotonic", "100000", "--"]
    if subprocess.run(namespace + ["true"], capture_output=True, check=False).returncode:
        skip("time namespaces are not allowed here")
    one = run("/bin/sh", ["-c", "%s mutex 1; %s %s mutex 1" % (built("holder"), " ".join(namespace), built("holder"))])
    report = one.report
    expect_equal("hours", report["run"]["elapsed_seconds"] // 3600, 0)
    expect(any("clocks of processes on one host differ by up to 27.8 h" in note for note in report["notes"]), "no note: %s", report["notes"])
    expect(not any("clocks of processes" in note for note in run("holder", ["mutex", 1]).report["notes"]), "a note without a reason")


def test_pthread_exit_in_main():
    """The process ends with its last thread."""
    die("pthread_exit", "exited 0")


def test_killed_by_its_parent():
    """SIGKILL by the parent, which goes on. covers: D63"""
    one = run("killer", [built("death"), "sleep"])
    expect_same(one)
    dead = [p for p in one.report["processes"] if p["status"] == "killed by SIGKILL"]
    expect_equal("processes killed by SIGKILL", len(dead), 1)
    # a helper that the program kills is its own affair: a note, but the run is complete
    expect_equal("run complete, status of the report", (one.report["run"]["complete"], one.report["report_status"]), (True, 0))
    expect(any("was killed by SIGKILL" in note for note in one.report["notes"]), "notes: %s", one.report["notes"])
    check_laws(one.report, complete=False)
    check_holdings(one.report, one.truth, seen=False)


def lived(number, how):
    """How long the child lived by the report, by its own clock, and until its parent came for it; time without a processor."""
    one = run("zombie", [number, how])
    expect_same(one)
    check_laws(one.report, complete=False)
    child = [p for p in one.report["processes"] if p["pid"] == one.truth["child"]][0]
    expect(child["status"].startswith("killed by SIG"), "status: %s", child["status"])
    return child["elapsed_seconds"], one.truth["lived"], one.report["run"]["elapsed_seconds"], ready_seconds(one.report)


@full
def test_a_child_that_is_reaped_late():
    """It did not live until its parent came for it, but until its last sample; where the parent waited for it, until its end."""
    for number in (signal.SIGBUS, signal.SIGABRT, signal.SIGSEGV):
        told, truth, _, ready = lived(number, "late")
        expect_between("life of a child killed by %d" % number, told, truth - NEXT_SAMPLE_SHARED - ready, truth)
        told, truth, whole, _ = lived(number, "waiting")
        expect_between("life of a child killed by %d, awaited" % number, told, truth, whole)


def test_what_is_unheard_of_is_estimated():
    """A child kills itself; its parent comes for it half a second later. Whether it was blocked or dead until then nobody can tell, so that
    its blocked time is not called exact."""
    one = run("zombie", [int(signal.SIGKILL), "late"])
    expect_same(one)
    grades = [t["blocked_grade"] for t in one.report["threads"] if t["pid"] == one.truth["child"]]
    expect_equal("grade of the blocked time", grades, ["estimated"])


def test_deadlock_names_the_open_waits():
    """Two threads wait for each other's mutex until SIGKILL: the report says who waits where for what. covers: D49"""
    one = run("killer", [built("death"), "deadlock"])
    expect_same(one)
    check_laws(one.report, complete=False)
    for name in ("first", "second"):
        rows = waits(one.report, "mutex", name)
        expect(sum(r["wait_seconds"] for r in rows) > 0.05, "the open wait for the mutex `%s` is not shown: %s", name, rows)
    waiters = {w["routine"] for r in one.report["synchronization"] for w in r["waiters"]}
    expect({"embrace", "die"} & waiters and "embrace" in waiters, "waiters are %s, expected embrace and die (or main)", waiters)


def test_fork_without_exec():
    """Children that exit, _exit, and are killed: a file each, with samples of their own. covers: D46, D47, D48"""
    one = check_same("processes", ["fork"], complete=False)
    expect_equal("statuses", sorted(p["status"] for p in one.report["processes"]),
                 sorted(["exited 0", "exited 1", "exited 2", "killed by SIGKILL"]))
    for process in one.report["processes"]:
        expect(process["cpu_seconds"] > 0.05, "process %s has %r s of CPU time, expected about 0.1", process["pid"], process["cpu_seconds"])
    sampled = {t["pid"] for t in one.report["threads"] if t["samples"]}
    expect_equal("processes with samples", len(sampled), 4)


def test_nested_forks():
    """A child forks, and so on. covers: D46, D47"""
    one = check_same("processes", ["nested"])
    expect_equal("processes", len(one.report["processes"]), 5)
    parents = {p["parent_pid"] for p in one.report["processes"]}
    expect_equal("different parents", len(parents), 5)


def test_vfork():
    """vfork with exec and with _exit: the parent's profile is not touched. covers: D52"""
    one = check_same("processes", ["vfork"])
    expect_equal("status of the parent", status_of(one.report, int(one.truth["pid"])), "exited 0")


def test_child_that_first_starts_another():
    """A fork child whose first act is vfork, as a shell's subshell does: its life is its own, not the grandchild's."""
    one = check_same("processes", ["subshell"])
    lives = [p for p in one.report["processes"] if p["status"] == "exited 7"]
    expect_equal("children that worked", len(lives), 2)
    for process in lives:
        expect(process["threads"] == 2 and process["cpu_seconds"] > 0.05, "child %s: %s threads, %s s of CPU time, expected 2 and about 0.1",
               process["pid"], process["threads"], process["cpu_seconds"])
    expect_equal("grandchildren", sum(p["command"] == "true" and p["status"] == "exited 0" for p in one.report["processes"]), 1)
    expect_equal("processes", len(one.report["processes"]), 4)


def test_commands_of_a_shell():
    """A fork child that execs at once leaves nothing; a program that does little leaves a file that is no longer than needed."""
    commands = 40
    one = run(need("sh"), ["-c", "for i in $(seq %d); do env true; done; (exit 3)" % commands])
    expect_same(one)
    by_command = [p["command"] for p in one.report["processes"] if p["status"] != "replaced by exec"]
    expect_equal("commands", by_command.count("true"), commands)
    for process in one.report["processes"]:
        expect(process["status"] != "replaced by exec" or process["command"].startswith("env"), "an image that did nothing but exec: %s", process)
    for path in one.profiles():
        header, _ = read_profile(path)
        size = os.path.getsize(path)
        expect_equal("length of %s, of which %d bytes are used" % (os.path.basename(path), header["used_bytes"]), size, header["file_bytes"])
        expect(size <= 73728, "%s has %d bytes", os.path.basename(path), size)


def test_child_whose_program_cannot_be_seen():
    """A fork child that execs with an empty environment at once: a note says so."""
    one = check_same("processes", ["lost"])
    expect(any("environment without the profiler" in note for note in one.report["notes"]), "notes: %s", one.report["notes"])


def test_posix_spawn():
    """posix_spawn. covers: D51, D54"""
    one = check_same("processes", ["spawn"])
    expect_equal("processes", len(one.report["processes"]), 3)


def test_system():
    """system(3)."""
    one = check_same("processes", ["system"])
    expect_equal("status of the first", status_of(one.report, int(one.truth["pid"])), "exited 0")


def test_popen():
    """popen(3)."""
    one = check_same("processes", ["popen"])
    expect_equal("status of the first", status_of(one.report, int(one.truth["pid"])), "exited 0")


def test_chain_of_execs():
    """One pid, four images, threads and samples in each. covers: D51, D55, D56"""
    one = check_same("processes", ["chain"], options=["--sample", "1000"])
    expect_equal("(sequence, status) of the images", sorted((p["sequence"], p["status"]) for p in one.report["processes"]),
                 [(0, "replaced by exec"), (1, "replaced by exec"), (2, "replaced by exec"), (3, "exited 11")])


def test_daemon():
    """Two forks; nobody waits for the daemon. covers: D49, D58"""
    one = check_same("processes", ["daemon"])
    expect_equal("status of the daemon", status_of(one.report, int(one.truth["daemon"])), "exited 0")
    expect_equal("processes", len(one.report["processes"]), 3)


def test_child_by_raw_clone():
    """A child by the system call: the parent's file is not written by it. covers: D46"""
    one = run("processes", ["raw"])
    expect_same(one)
    pid = int(one.truth["pid"])
    expect_equal("status of the parent", status_of(one.report, pid), "exited 0")
    locks = sum(r["count"] for r in one.report["synchronization"] if r["kind"] == "mutex" and r["operation"] == "lock")
    parents = [p for p in one.report["processes"] if p["pid"] == pid]
    expect_equal("images of the parent", len(parents), 1)
    expect(locks in (0, 1000) and (locks == 0 or len(one.report["processes"]) == 2),
           "%d locks with %d processes: the child's locks must not be the parent's", locks, len(one.report["processes"]))


def test_child_that_outlives_its_parent():
    """The report after the parent's end, and once more after the child's."""
    import time
    one = run("processes", ["abandon"])
    expect_same(one)
    expect(one.report["processes"], "no process in the report")
    time.sleep(0.6)
    report = report_json(one.directory)
    expect_equal("statuses", sorted(p["status"] for p in report["processes"]), ["exited 0", "exited 0"])
    check_laws(report)


def test_empty_environment():
    """execve with an empty environment: the program runs, profiled or reported as lost. covers: D53"""
    check_emptied("empty")


def test_cleared_environment():
    """clearenv, then exec. covers: D53"""
    check_emptied("clear")


def check_emptied(kind):
    one = run("processes", [kind])
    expect_same(one)
    check_laws(one.report)
    images = len(one.report["processes"])
    said = any("environment" in note for note in one.report["notes"])
    expect(images == 2 or said, "the image after exec is neither profiled nor mentioned in the notes: %s", one.report["notes"])

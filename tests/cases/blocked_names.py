# SPDX-License-Identifier: MIT
"""Blocked time has the name of what it was: a command that is read from or waited for, io_uring, and a process that was stopped; what
no call explains is not said to be input and output."""
from support import check_laws, expect, expect_equal, expect_same, run, skip

BESIDE = True


def measured(program, *arguments):
    one = run(program, arguments)
    expect_same(one)
    check_laws(one.report, sampling=False)
    return one


def first_thread(one):
    """Of the first process."""
    first = one.report["processes"][0]["pid"]
    return next(t for t in one.report["threads"] if t["pid"] == first and t["tid"] == first)


def blocked(one, cause):
    return first_thread(one)["waits"].get(cause, 0)


def expect_blocked(one, cause, least):
    """What the program calls a wait is also that its thread had no processor when the wait was over."""
    ready = first_thread(one)["ready_seconds"]
    expect(blocked(one, cause) + ready >= 0.8 * least and blocked(one, cause) > 0, "%s: %.3f s of %.3f, %.3f s ready", cause,
           blocked(one, cause), least, ready)


def finding(one, name):
    return next((f for f in one.report["findings"] if f["id"] == name), None)


def test_streams_of_commands():
    """Lines and blocks of a command are reads and writes of a pipe; fclose waits for it as pclose does; posix_spawn has its time."""
    one = measured("commands")
    truth = one.truth
    for key, wanted in (("lines", 3), ("read_status", 0), ("write_status", 0), ("close_status", 3), ("spawned", 1)):
        expect_equal(key, truth[key], wanted)
    for cause, least in (("read", truth["reading"]), ("write", truth["writing"]), ("process", truth["closing"])):
        expect_blocked(one, cause, least)
    calls = {call["call"]: call for call in one.report["calls"]}
    for name, count in (("popen", 3), ("pclose", 3), ("posix_spawn", 1)):
        expect_equal("calls of %s" % name, calls[name]["count"], count)
    expect(calls["posix_spawn"]["wait_seconds"] > 0, "posix_spawn did not wait for the new program: %s", calls["posix_spawn"])


def test_a_process_that_is_stopped():
    """SIGSTOP: as long as it was stopped it was blocked for that, and nobody is told to overlap anything."""
    one = measured("stopped")
    stopped, other = blocked(one, "stopped"), blocked(one, "other")
    expect_blocked(one, "stopped", one.truth["stopped"])
    expect(stopped <= 1.2 * one.truth["stopped"], "stopped %.3f s of %.3f, other %.3f s", stopped, one.truth["stopped"], other)
    expect(other < 0.25 * one.truth["stopped"], "%.3f s without a name", other)
    found = finding(one, "stopped")
    expect(found and found["kind"] == "environment" and "stopped by a signal" in found["evidence"], "%s", found)
    expect(not finding(one, "blocked"), "%s", finding(one, "blocked"))


def test_waits_for_io_uring():
    """Those by libc's syscall() have a name; those that no wrapper sees are not said to be of input and output."""
    one = run("uring_timers", ["call"])
    expect_same(one)
    if not one.truth["has_ring"]:
        skip("no io_uring here")
    check_laws(one.report, sampling=False)
    expect_blocked(one, "events", one.truth["waiting"])
    expect(blocked(one, "other") < 0.2 * one.truth["waiting"], "%.3f s in other of %.3f", blocked(one, "other"), one.truth["waiting"])
    calls = {row["operation"]: row for row in one.report["io"]["rows"]}
    expect_equal("calls of io_uring_enter", calls["io_uring_enter"]["count"], 20)
    one = measured("uring_timers", "own")
    found = finding(one, "blocked")
    expect(found and "io_uring" in found["evidence"] and "verlap" not in found["advice"], "%s", found)

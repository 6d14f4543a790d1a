# SPDX-License-Identifier: MIT
"""ptrace-attach, and calls that have moved a part of their data: a stop would end them with that part. They end whole, or the process
is refused. And programs that end for a system call that is not theirs."""
import os
import subprocess

from attach_inject import attach
from support import TIMEOUT, built, clean_environment, expect, expect_equal, part_skipped, read_line, scratch, skip

BESIDE = True

HOLDING = ("waitall", "message", "lowat", "lowatv", "vmin", "events")
FREE = ("socket", "raw", "line", "event")
FLOWS = ("write", "writev", "send", "recv", "zero", "sendfile")
ATTEMPTS = 6


def start(name, *words):
    process = subprocess.Popen([built(name), *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=clean_environment())
    line = read_line(process)
    if not line and process.wait() == 77:
        skip("%s %s: not on this system" % (name, words[0]))
    expect_equal("the first line", line, "ready\n")
    return process


def end(process):
    process.kill()
    process.communicate()


def attach_to_call(*words):
    """What ptrace-attach does while a call holds a part; the call goes on with the rest, and ends whole."""
    process = start("attach_parts", *words)
    try:
        result = attach("--wait", "0.2", "-o", os.path.join(scratch(), "run"), process.pid)
        out = process.communicate("x\n", timeout=TIMEOUT)[0]
    finally:
        end(process)
    moved, whole = out.split(" of ")
    expect_equal("%s: what the call has moved, %s" % (words, result.stderr), moved, whole.strip())
    return result


def test_calls_that_hold_a_part_are_not_stopped():
    """Of a record, a message, a terminal's block, some events; the message says where the thread is, and the remedy."""
    for name in HOLDING:
        result = attach_to_call(name)
        expect_equal("%s: status, %s" % (name, result.stderr), result.returncode, 125)
        expect("may hold a part" in result.stderr and "ptrace-run" in result.stderr, "%s: it says %r", name, result.stderr)


def test_another_thread_is_stopped_instead():
    """Where one waits that holds nothing."""
    for name in HOLDING:
        result = attach_to_call(name, "beside")
        expect_equal("%s: status, %s" % (name, result.stderr), result.returncode, 0)


def test_calls_that_hold_nothing_are_stopped():
    """The same calls where the first byte ends them."""
    for name in FREE:
        result = attach_to_call(name)
        expect_equal("%s: status, %s" % (name, result.stderr), result.returncode, 0)


def test_a_time_out_of_a_terminal_is_said_to_begin_anew():
    """VTIME."""
    result = attach_to_call("vtime")
    expect_equal("status: %s" % result.stderr, result.returncode, 0)
    expect("began anew" in result.stderr, "it says %r", result.stderr)


def test_calls_in_progress_end_whole():
    """Of a thread that runs in the kernel, copying: of tens of megabytes none is missing, or at another place."""
    for name in FLOWS:
        process = start("attach_parts", name)
        done = 0
        try:
            for _ in range(ATTEMPTS):
                done += attach("--wait", "1", "-o", os.path.join(scratch(), "run"), process.pid).returncode == 0
                attach("--wait", "1", "--detach", process.pid)
            out = process.communicate(timeout=TIMEOUT)[0]
        finally:
            end(process)
        expect_equal("%s, attached to %d times" % (name, done), out, "short 0 wrong 0, of some: yes\n")


def test_a_sandbox_that_was_closed_meanwhile_is_left_attached():
    """A filter of system calls that kills; also where --seconds are over."""
    process = start("attach_filters", "sandbox")
    run = os.path.join(scratch(), "run")
    try:
        result = attach("-o", run, process.pid)
        expect_equal("status: %s" % result.stderr, result.returncode, 0)
        process.stdin.write("x\n")
        process.stdin.flush()
        expect_equal("the second line", read_line(process), "closed\n")
        detached = attach("--wait", "0.2", "--detach", process.pid)
        process.communicate(timeout=TIMEOUT)
    finally:
        end(process)
    expect_equal("the program ends with, %s" % detached.stderr, process.returncode, 6)
    told = "seccomp" in detached.stderr and "--force" in detached.stderr
    expect(detached.returncode == 125 and told, "it says %d %r", detached.returncode, detached.stderr)


def test_a_sandbox_of_one_thread():
    """Its calls are not foreign ones: another thread makes them, where the process was attached to before; else it is refused."""
    process = start("attach_filters", "thread")
    run = os.path.join(scratch(), "run")
    try:
        expect_equal("attach", attach("-o", run, process.pid).returncode, 0)
        process.stdin.write("x\n")
        process.stdin.flush()
        expect_equal("the second line", read_line(process), "closed\n")
        detached = attach("--detach", process.pid)
        again = attach("-o", run, process.pid)
        process.communicate(timeout=TIMEOUT)
    finally:
        end(process)
    expect_equal("the program ends with", process.returncode, 6)
    expect_equal("detach: %s" % detached.stderr, detached.returncode, 0)
    expect(again.returncode == 125 and "seccomp" in again.stderr, "attached to once more: %d %r", again.returncode, again.stderr)


def test_a_program_of_an_emulator_is_refused():
    """Its system calls are signals (syscall user dispatch), and so would be those of the profiler."""
    process = start("attach_filters", "dispatch")
    try:
        results = [attach("--wait", "0.1", "-o", os.path.join(scratch(), "run"), process.pid) for _ in range(ATTEMPTS)]
        process.communicate(timeout=TIMEOUT)
    finally:
        end(process)
    expect_equal("it ends with, %s" % results[0].stderr, process.returncode, 6)
    if any(result.returncode == 0 for result in results):
        part_skipped("between two stretches of foreign code it was attached to")
    else:
        expect(any("dispatch" in result.stderr for result in results), "it says %r", [result.stderr for result in results])

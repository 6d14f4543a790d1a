# SPDX-License-Identifier: MIT
"""Where ptrace-attach may put its calls upon a thread, and where it may not: what the thread holds or is in the middle of, and what
others hold and wait for. A program that stands in such a place goes on as if nobody had looked."""
import subprocess
import time

from attach_inject import ATTACH, STOOD, attach, end, start
from support import TIMEOUT, built, clean_environment, expect, expect_equal, read_line, scratch, skip

BESIDE = True


def begin(*command):
    """A program that says "ready", and is told by lines."""
    process = start(*command, stdin=subprocess.PIPE)
    return process


def ask(process):
    process.stdin.write("\n")
    process.stdin.flush()
    return read_line(process)


def attached(process, *options):
    """The thread that was stopped."""
    result = attach("-o", scratch() + "/run", *options, process.pid)
    expect_equal("status: %s" % result.stderr, result.returncode, 0)
    return int(STOOD.search(result.stderr).group(3))


def test_a_restartable_sequence_begins_anew():
    """The thread that is stopped within one (rseq) has not overtaken what was done meanwhile."""
    process = subprocess.Popen([built("attach_sequence")], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                               env=clean_environment())
    try:
        if read_line(process) != "ready\n":
            skip("glibc registers no area for restartable sequences here, or the program knows none on this processor")
        for _ in range(5):
            attached(process)
        expect_equal("what it says of its count", ask(process), "exact 5\n")
    finally:
        end(process)


def test_a_thread_without_a_block_of_its_own_is_left_out():
    """It waits in read, but has errno and the cache of malloc of the first thread, which computes."""
    process = begin(built("attach_shared_block"))
    try:
        for _ in range(3):
            expect_equal("the thread that was stopped", attached(process), process.pid)
        process.communicate("\n", timeout=TIMEOUT)
    finally:
        end(process)
    expect_equal("status", process.returncode, 0)


def tries_until_free(mode, *arguments):
    """ptrace-attach and the program, of which a thread holds a lock of the dynamic linker until it is told not to."""
    run = scratch() + "/run"
    process = begin(built("attach_held"), mode, *arguments)
    attaching = None
    try:
        result = attach("-o", run, "--wait", "0.3", process.pid)
        expect(result.returncode == 125 and "in the dynamic linker" in result.stderr, "%s: %d %r", mode, result.returncode, result.stderr)
        attaching = subprocess.Popen([ATTACH, "-o", run, "--wait", "60", str(process.pid)], stderr=subprocess.PIPE, text=True,
                                     env=clean_environment({"PTRACE_LIBRARY": built("attach/libptrace.so")}))
        time.sleep(0.2)
        process.stdin.write("\n")
        process.stdin.flush()
        said = attaching.communicate(timeout=TIMEOUT)[1]
        process.communicate("\n", timeout=TIMEOUT)
    finally:
        end(process)  # and with it ends what waits for it
        if attaching:
            attaching.communicate()
    expect_equal("%s: ptrace-attach, the program: %s" % (mode, said), (attaching.returncode, process.returncode), (0, 7))


def test_a_lock_of_the_loader_is_not_waited_for():
    """Its holder waits for the thread that would be stopped; afterwards the library is loaded."""
    tries_until_free("constructor", built("libheld_plugin.so"))
    tries_until_free("callback")

# SPDX-License-Identifier: MIT
"""Other libraries beside the profiler that stand in for names of libc's: they see what the program calls, and nothing of the
profiler's own work, which therefore never waits for their locks and never reads a clock that they have moved."""
import contextlib
import datetime
import glob
import os
import time

from support import (LIBRARY, RUN, built, check_laws, clean_environment, execute, expect, expect_equal, need,
                     report_json, scratch, skip)
import support

BESIDE = True



def not_native_only():
    if support.NATIVE_ONLY:
        skip("native only")


def profiled(command, environment):
    """Under ptrace-run as it is; (result, run directory)."""
    not_native_only()
    directory = os.path.join(scratch(), "run")
    result = execute([RUN, "-q", "-o", directory, "--"] + command, clean_environment(environment))
    return result, directory


def preloaded(command, libraries, environment):
    """With LD_PRELOAD as given, without ptrace-run."""
    not_native_only()
    directory = os.path.join(scratch(), "run")
    extra = dict(environment, LD_PRELOAD=" ".join(libraries), PTRACE_OUTPUT=directory, PTRACE_QUIET="1")
    return execute(command, clean_environment(extra)), directory


def expect_as(result, native):
    expect_equal("status", result.status, native.status)
    expect_equal("stdout", result.stdout, native.stdout)


# A lock in each of libc's names

def check_locks(order):
    other, command = built("liblockcalls.so"), [built("locked_calls")]
    native = execute(command, clean_environment({"LD_PRELOAD": other}))
    expect_equal("native status", native.status, 7)
    result, directory = preloaded(command, order(other), {"PTRACE_SAMPLE": "1000"})
    expect_as(result, native)
    report = report_json(directory)
    check_laws(report)
    expect(sum(thread["samples"] for thread in report["threads"]) > 0, "no sample was taken")


def test_calls_that_lock_before():
    """18 names with a lock, a library that is gone when the process ends: as many calls as natively."""
    check_locks(lambda other: [other, LIBRARY])


def test_calls_that_lock_behind():
    """The same library behind the profiler."""
    check_locks(lambda other: [LIBRARY, other])


# libfaketime

FAKE = {"FAKETIME": "2001-02-03 04:05:06"}
WAYS = ("return", "exit", "_exit", "thread")


def faketime():
    found = sorted(glob.glob("/usr/lib/*/faketime/libfaketime.so.1"))
    return found[0] if found else skip("libfaketime is not installed")


def shared_by_faketime():
    return set(glob.glob("/dev/shm/faketime_shm_*") + glob.glob("/dev/shm/sem.faketime_sem_*"))


@contextlib.contextmanager
def swept():
    """Who ends by _exit leaves libfaketime's shared memory, named by its pid; a later process of that pid would end with status 1."""
    there = shared_by_faketime()
    try:
        yield
    finally:
        for path in shared_by_faketime() - there:
            if not os.path.exists("/proc/" + path.rpartition("_")[2]):
                with contextlib.suppress(FileNotFoundError):
                    os.unlink(path)


def check_real_times(report, before):
    """The profile's times are the kernel's: of this year, and no longer than it took."""
    took = time.monotonic() - before[1]
    began = datetime.datetime.fromisoformat(report["run"]["start"]).timestamp()
    expect(before[0] - 2 < began < time.time() + 2, "started %s", report["run"]["start"])
    expect(report["run"]["elapsed_seconds"] <= took, "%s s elapsed, within %s s", report["run"]["elapsed_seconds"], took)


def check_faked(start):
    """start(way) -> (result, directory): beside libfaketime; the command's output is that of the same without the profiler."""
    for way in WAYS:
        check_way(start, way)


def check_way(start, way):
    with swept():
        native = execute([built("faked"), way], clean_environment(dict(FAKE, LD_PRELOAD=faketime())))
        expect(native.stdout.startswith(b"2001, "), "natively %r", native.stdout)
        before = time.time(), time.monotonic()
        result, directory = start(way)
        expect_as(result, native)
        report = report_json(directory)
        check_real_times(report, before)
        check_laws(report)


def test_faketime_before():
    """LD_PRELOAD with libfaketime in front of the profiler; four ways to end."""
    check_faked(lambda way: preloaded([built("faked"), way], [faketime(), LIBRARY], FAKE))


def test_faketime_behind():
    """The profiler in front of libfaketime."""
    check_faked(lambda way: preloaded([built("faked"), way], [LIBRARY, faketime()], FAKE))


def test_faketime_in_the_environment():
    """The user has preloaded it already, so that it is in ptrace-run, too."""
    check_faked(lambda way: profiled([built("faked"), way], dict(FAKE, LD_PRELOAD=faketime())))


def test_faketime_command_in_front():
    """faketime TIME ptrace-run PROGRAM."""
    command = [need("faketime"), "2001-02-03 04:05:06"]

    def start(way):
        not_native_only()
        directory = os.path.join(scratch(), "run")
        result = execute(command + [RUN, "-q", "-o", directory, "--", built("faked"), way])
        expect_equal("what ptrace-run says", result.stderr, b"")
        return result, directory
    check_faked(start)


def test_faketime_command_behind():
    """ptrace-run faketime TIME PROGRAM: date, which faketime starts, is profiled as well."""
    check_faked(lambda way: profiled([need("faketime"), "2001-02-03 04:05:06", built("faked"), way], {}))


def test_faked_speed():
    """A clock that runs a hundred times as fast: the program sleeps for as long as it was told, the profile says how long it was."""
    environment = dict(FAKE, FAKETIME="@2001-02-03 04:05:06 x100", LD_PRELOAD=faketime())
    before = time.time(), time.monotonic()
    with swept():
        result, directory = profiled([built("faked"), "sleep"], environment)
    expect_equal("status", result.status, 7)
    expect_equal("stdout", result.stdout, b"2001, 0 timeouts\n")
    check_real_times(report_json(directory), before)

# SPDX-License-Identifier: MIT
"""Files and descriptors of ours that a program must not meet, and what it inherits: limits, full disks, other C libraries."""
import os
import pty
import resource
import shutil
import signal
import subprocess
import tempfile

import support
from support import RUN, built, clean_environment, expect, expect_equal, need, report_json, scratch, skip

LOW_SECONDS = 1.5


class Ended:
    def __init__(self, process):
        self.status, self.stdout, self.stderr = process.returncode, process.stdout, process.stderr

    def same(self):
        return self.status, self.stdout


def piped(command, prepare=None, environment=None, directory=None):
    """Runs a command with pipes for output, since a limit of file sizes counts for files."""
    return Ended(subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                preexec_fn=prepare, env=clean_environment(environment), cwd=directory, timeout=support.TIMEOUT))


def both(command, prepare=None, options=("-q",), place=None):
    """The command natively and under ptrace-run: the same status and output. Returns (profiled, run directory)."""
    native = piped(command, prepare)
    if support.NATIVE_ONLY:
        skip("native only: status %d" % native.status)
    directory = os.path.join(place or scratch(), "run")
    profiled = piped([RUN] + list(options) + ["-o", directory, "--"] + command, prepare)
    expect_equal("status and output", profiled.same(), native.same())
    return profiled, directory


def limited(which, value):
    return lambda: resource.setrlimit(which, (value, value))


def notes(directory):
    return report_json(directory)["notes"]


def expect_note(directory, words):
    found = [n for n in notes(directory) if words in n]
    expect_equal("notes with %r" % words, len(found), 1)


# Limits of files, and places that take no more

def test_profile_stops_at_the_limit_of_file_sizes():
    """RLIMIT_FSIZE of 100 KiB, less than a profile begins with: no SIGXFSZ, and a profile of what there was room for."""
    _, directory = both([built("harm_file_growth"), "nothing"], limited(resource.RLIMIT_FSIZE, 100 << 10))
    expect_note(directory, "could not grow (error 27)")


def test_limit_of_file_sizes_is_lowered_on_the_way():
    """As a sandbox does that allows no files."""
    _, directory = both([built("harm_file_growth"), "limited"])
    expect_note(directory, "could not grow (error 27)")


class Disk:
    """A small file system, or a skip."""

    def __init__(self, size):
        self.place = scratch()
        if os.geteuid() != 0 or subprocess.run(["mount", "-t", "tmpfs", "-o", "size=%d" % size, "tmpfs", self.place],
                                               stderr=subprocess.DEVNULL).returncode:
            skip("a small file system cannot be mounted here")

    def __enter__(self):
        return self.place

    def __exit__(self, *_):
        subprocess.run(["umount", "-l", self.place])


def test_disk_that_fills_up():
    """First less than a profile usually begins with, then no growth."""
    for size in (80 << 10, 300 << 10):
        with Disk(size) as place:
            _, directory = both([built("harm_file_growth"), "nothing"], place=place)
            expect_note(directory, "could not grow (error 28)")


def test_jail():
    """chroot, and the rights of nobody: the profile cannot be opened any more."""
    if os.geteuid() != 0:
        skip("only root can change its root directory")
    jail = scratch()
    os.chmod(jail, 0o755)
    _, directory = both([built("harm_file_growth"), "jailed", jail])
    expect_note(directory, "could not grow (error 2)")


def test_all_descriptors_in_use():
    _, directory = both([built("harm_file_growth"), "crowded"])
    expect_note(directory, "could not grow (error 24)")


def test_standard_files_closed_while_threads_write_to_them():
    """What a thread writes to a number that is free never comes into a file of ours."""
    _, directory = both([built("harm_file_growth"), "silent"])
    expect_note(directory, "could not grow (error 11)")


# Descriptors

def check_low(kind):
    """Threads of the tool's making open nothing while the program looks."""
    profiled, _ = both([built("harm_fd_low"), kind, str(LOW_SECONDS)])
    expect_equal("output", profiled.stdout, "wrong: 0\n")


def test_standard_input_is_closed_and_opened():
    """While other threads are looked at (11,153 of 537,227 times another number than 0)."""
    check_low("close")


def test_standard_input_is_closed_with_its_stream():
    check_low("fclose")


def test_standard_input_is_closed_in_a_range():
    check_low("range")


def test_children_inherit_no_descriptor_of_ours():
    """fork while other threads are looked at (one child in 15 had one descriptor too many)."""
    check_low("fork")


def test_close_in_vfork_children():
    check_low("vfork")


def test_close_is_a_cancellation_point():
    check_low("cancel")


def test_close_keeps_errno():
    check_low("errno")

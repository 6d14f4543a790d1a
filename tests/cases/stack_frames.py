# SPDX-License-Identifier: MIT
"""How much of a program's stack, which may be small, the functions of the linked library use."""
import os

import support
from support import ROOT, execute, expect_equal, need, scratch

BESIDE = True  # no case asserts a time

CHECK = os.path.join(ROOT, "scripts", "check-stack")
# Frames that the check has to find: a large one, one that is made page by page, and one that only the run knows.
LARGE = """
void use(void *);
void small(void) { char bytes[1000]; use(bytes); }
void large(void) { char bytes[3000]; use(bytes); }
void probed(void) { char bytes[90000]; use(bytes); }
void open_ended(unsigned size) { char bytes[size]; use(bytes); }
"""


def check(path):
    need("objdump")
    result = execute([CHECK, path])
    return result.status, result.stdout.decode()


def test_frames_of_the_library_are_small():
    """Also the frames of functions into which others were inlined at link time."""
    expect_equal("status, output", check(support.LIBRARY), (0, ""))


def test_large_frames_are_found():
    path = os.path.join(scratch(), "large.so")
    with open(path + ".c", "w") as file:
        file.write(LARGE)
    for options in ([], ["-fstack-clash-protection"], ["-fno-omit-frame-pointer"]):
        built = execute([need("gcc"), "-O2", "-fPIC", "-shared", *options, "-o", path, path + ".c"])
        expect_equal("status of gcc, which says %r" % built.stderr_text()[-300:], built.status, 0)
        status, output = check(path)
        expect_equal("status", status, 1)
        expect_equal("found with %r" % options, sorted({line.split(":")[0] for line in output.splitlines()}),
                     ["large", "open_ended", "probed"])

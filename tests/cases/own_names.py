# SPDX-License-Identifier: MIT
"""Programs with functions of their own that have names of libc's, of which ISO C reserves few: the profiler calls none of them, and takes
none for libc's."""
import os
import re
import subprocess
import sys

from support import (ATTACH, LIBRARY, ROOT, RUN, clean_environment, execute, expect, expect_equal, full, need, read_line, scratch)

sys.path.insert(0, os.path.join(ROOT, "scripts"))
import iso_names  # noqa: E402

BESIDE = True

LIMIT = 60
PROGRAM = os.path.join(ROOT, "tests", "programs", "own_names.c")


def names():
    """What the library defines or imports, and what it looks up in libc by its own table, as far as ISO C leaves it to programs."""
    listed = execute([need("nm"), "-D", LIBRARY]).stdout.decode()
    found = set(re.findall(r"^[0-9a-f ]{16} [A-Za-z] (\w+)", listed, re.M)) | {"environ", "gnu_get_libc_version"}
    with open(os.path.join(ROOT, "preload", "base", "direct.def")) as table:
        looked_up = set(re.findall(r"^DIRECT\((\w+)\)", table.read(), re.M))
    expect(len(found) > 100 and len(looked_up) > 10, "%d names of symbols, %d of direct.def", len(found), len(looked_up))
    return sorted(name for name in found | looked_up if iso_names.is_left_to_programs(name))


def compiled(own, *flags):
    path, table = os.path.join(scratch(), "own"), os.path.join(scratch(), "own_names.def")
    with open(table, "w") as file:
        file.writelines("OWN(%s)\n" % name for name in own)
    done = execute([need("cc"), "-std=c11", "-O1", "-w", "-fno-builtin", '-DOWN_NAMES="%s"' % table, PROGRAM, "-o", path] + list(flags))
    expect_equal("cc: %s" % done.stderr_text()[-500:], done.status, 0)
    return path


def attached_to(program, rounds):
    """Attached while it waits; of two rounds, left again after the first. (status, output)"""
    process = subprocess.Popen([program], env=clean_environment(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True)
    try:
        out = read_line(process)
        for number in range(rounds):
            if number:
                detach = execute([ATTACH, "--detach", str(process.pid)])
                expect_equal("ptrace-attach --detach: %s" % detach.stderr_text(), detach.status, 0)
            attach = execute([ATTACH, "-o", os.path.join(scratch(), "attached"), str(process.pid)])
            expect_equal("ptrace-attach: %s" % attach.stderr_text(), attach.status, 0)
        more, _ = process.communicate(b"on\n", timeout=LIMIT)
        return process.returncode, out + more
    finally:
        process.kill()
        process.communicate()


def check_own(own, *flags):
    program = compiled(own, *flags)
    lines = os.path.join(scratch(), "line")
    with open(lines, "w") as file:
        file.write("on\n")
    natural = (8, b"ready\nonends\n")
    with open(lines) as line:
        native = execute([program], stdin=line)
    expect_equal("natively", (native.status, native.stdout), natural)
    with open(lines) as line:
        profiled = execute([RUN, "-q", "-o", os.path.join(scratch(), "run"), "--", program], stdin=line)
    expect_equal("under ptrace-run; stderr: %s" % profiled.stderr_text()[-300:], (profiled.status, profiled.stdout), natural)
    for rounds in (1, 2):
        expect_equal("attached to %d times" % rounds, attached_to(program, rounds), natural)


def test_all_names_at_once():
    """Each name that the library defines, imports or looks up, and that ISO C leaves to programs: some 1,600 in one program."""
    own = names()
    expect("on_exit" in own and "read" in own and "dlsym" in own and "MPI_Init" in own, "not among the names: %s", own)
    check_own(own)


@full
def test_all_names_at_fixed_addresses():
    """The same in a program that is not position independent, and has an address of its own for a function of libc's that it has not called
    yet."""
    check_own(names(), "-no-pie", "-fno-pie", "-rdynamic", "-Wl,-z,lazy")

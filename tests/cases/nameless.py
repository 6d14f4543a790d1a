# SPDX-License-Identifier: MIT
"""Where routines have no names, a note says how much of the time that is, and where names can be had."""
import os
import re

from support import REPORT, RUN, clean_environment, execute, expect, expect_equal, need, scratch

BESIDE = True  # samples come with CPU time: no case asserts a time

BURN = "#include <time.h>\nstatic volatile long n;\n__attribute__((noinline)) static void burn(void) { for (long i = 0; i < 60000000; i++) n++; }\n" \
       "int main(void) { burn(); return 0; }\n"


def run_of(source, *flags):
    """(program, run)"""
    program, run = os.path.join(scratch(), "burner"), os.path.join(scratch(), "run")
    with open(program + ".c", "w") as file:
        file.write(source)
    expect_equal("status of cc", execute([need("cc"), "-O1", *flags, "-o", program, program + ".c"]).status, 0)
    expect_equal("status", execute([RUN, "-q", "-o", run, program]).status, 0)
    return program, run


def note(run, **environment):
    """The note on routines without names as one line; "": there is none"""
    done = execute([REPORT, "--section", "notes", "--width", "1000", run], clean_environment(environment))
    lines = [line for line in done.stdout.decode().splitlines() if "without names" in line]
    expect(len(lines) <= 1, "notes: %s", lines)
    return lines[0].strip() if lines else ""


def test_where_names_can_be_had():
    """Of a program of one's own, of one that a package has (in dpkg's lists, also under its name before /usr was merged), and none."""
    program, run = run_of(BURN, "-s")
    own = note(run, DPKG_ADMINDIR="/nowhere")
    share = re.match(r"- (\d+) % of the CPU time is in routines of burner without names: it has no symbols of them; link it without -s", own)
    expect(share and int(share[1]) > 50, "note: %s", own)
    lists = os.path.join(scratch(), "info")
    os.mkdir(lists)
    for name, line in (("other.list", program + "er"), ("burn:amd64.list", "/usr" + program)):
        with open(os.path.join(lists, name), "w") as file:
            file.write("/.\n%s\n/usr/share\n" % line)
    packaged = note(run, DPKG_ADMINDIR=os.path.dirname(lists))
    expect(re.search("without names: the package burn-dbgsym has them, or a report with DEBUGINFOD_URLS=https://", packaged), "note: %s", packaged)
    expect_equal("note of a program with symbols", note(run_of(BURN)[1]), "")

# SPDX-License-Identifier: MIT
"""The first screen of the report of stored runs, one of each kind of program: the expected output is the test. tests/screens has
merged runs, which need no program and no symbols, and beside each what is printed of it."""
import glob
import os
import tarfile

from support import REPORT, ROOT, clean_environment, execute, expect, expect_equal, scratch

BESIDE = True  # no case asserts a time

SCREENS = os.path.join(ROOT, "tests", "screens")
KINDS = ("attached", "build", "hybrid", "killed", "mpi", "openmp", "pipeline", "pool", "python", "ranks", "server", "shared", "threads")
LINES_MOST = 25


def stored(name):
    """The run, unpacked."""
    directory = scratch()
    with tarfile.open(os.path.join(SCREENS, name + ".tar.xz")) as archive:
        archive.extractall(directory)
    return os.path.join(directory, name)


def printed(run, *options):
    return execute([REPORT, "--width", "80", *options, run], environment=dict(clean_environment(), LC_ALL="C.UTF-8")).stdout.decode()


def test_screens_are_what_they_were():
    expect_equal("stored runs", sorted(os.path.basename(path)[:-7] for path in glob.glob(os.path.join(SCREENS, "*.tar.xz"))), sorted(KINDS))
    for kind in KINDS:
        with open(os.path.join(SCREENS, kind + ".txt"), encoding="utf-8") as file:
            wanted = file.read()
        expect_equal("%s (tests/screens/renew makes them anew)" % kind, printed(stored(kind), "overview"), wanted)


def test_screens_stand_alone():
    """They fit a screen beside the next prompt, and are how the whole report begins."""
    for kind in KINDS:
        run = stored(kind)
        screen = printed(run, "overview")
        lines = screen.splitlines()
        expect(len(lines) <= LINES_MOST, "%s: %d lines", kind, len(lines))
        expect(all(len(line) <= 80 for line in lines), "%s: a line is too long", kind)
        expect(printed(run).startswith(screen), "%s: the report does not begin with it", kind)


def test_tables_have_five_rows_or_all_of_them():
    """However long the text gets: a table of one row says nothing."""
    for kind in KINDS:
        for section in printed(stored(kind)).split("\n@ ")[1:]:
            name, rest = section.split(":", 1)
            if name in ("threads", "routines", "programs", "ranks") and "more (--top 0 shows all)" in rest:
                rows = [line for line in rest.splitlines()[2:] if line[2:] and line[2] != "(" and "..." not in line and "alone:" not in line]
                expect(len(rows) >= 5, "%s, %s: %d rows", kind, name, len(rows))
            expect("0+ " not in rest, "%s, %s: a row for all", kind, name)

# SPDX-License-Identifier: MIT
"""The first screen of the report of stored runs, one of each kind of program: the expected output is the test. tests/screens has
merged runs, which need no program and no symbols, and beside each what is printed of it."""
import glob
import os
import re
import tarfile

from support import REPORT, ROOT, clean_environment, execute, expect, expect_equal, report_json, run, scratch

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


def printed(stored_run, *options):
    return execute([REPORT, "--width", "80", *options, stored_run], environment=dict(clean_environment(), LC_ALL="C.UTF-8")).stdout.decode()


def test_screens_are_what_they_were():
    expect_equal("stored runs", sorted(os.path.basename(path)[:-7] for path in glob.glob(os.path.join(SCREENS, "*.tar.xz"))), sorted(KINDS))
    for kind in KINDS:
        with open(os.path.join(SCREENS, kind + ".txt"), encoding="utf-8") as file:
            wanted = file.read()
        expect_equal("%s (tests/screens/renew makes them anew)" % kind, printed(stored(kind), "overview"), wanted)


def test_screens_stand_alone():
    """They fit a screen beside the next prompt, and are how the whole report begins."""
    for kind in KINDS:
        stored_run = stored(kind)
        screen = printed(stored_run, "overview")
        lines = screen.splitlines()
        expect(len(lines) <= LINES_MOST, "%s: %d lines", kind, len(lines))
        expect(all(len(line) <= 80 for line in lines), "%s: a line is too long", kind)
        expect(printed(stored_run).startswith(screen), "%s: the report does not begin with it", kind)


def test_tables_have_five_rows_or_all_of_them():
    """However long the text gets: a table of one row says nothing."""
    for kind in KINDS:
        for section in printed(stored(kind)).split("\n@ ")[1:]:
            name, rest = section.split(":", 1)
            if name in ("threads", "routines", "programs", "ranks") and "more (--top 0 shows all)" in rest:
                rows = [line for line in rest.splitlines()[2:] if line[2:] and line[2] != "(" and "..." not in line and "alone:" not in line]
                expect(len(rows) >= 5, "%s, %s: %d rows", kind, name, len(rows))
            expect("0+ " not in rest, "%s, %s: a row for all", kind, name)


def test_the_title_says_beside_whom_routines_are_alone():
    """Routines of several processes are alone, each in its own, for longer than one thread of the run was on a processor alone."""
    for kind in "pipeline", "ranks", "mpi":
        stored_run = stored(kind)
        report = report_json(stored_run)
        alone = sum(row["alone_seconds"] or 0 for row in report["routines"])
        levels = {level["active"]: level["seconds"] for level in report["concurrency"]["on_processor"]["levels"]}
        expect(alone > 1.2 * levels[1], "%s: alone for %g s, one thread of the run for %g s", kind, alone, levels[1])
        title = printed(stored_run, "routines").splitlines()[0]
        expect(title.endswith("alone: no other thread of the process ran"), "%s: %s", kind, title)


def test_rows_are_sorted_by_a_column():
    """--sort: figures from the largest, in the sections that are named; what cannot be sorted is told in a line."""
    stored_run = stored("mpi")
    rows = [line.split() for line in printed(stored_run, "--sort", "waited", "--top", "5", "locks").splitlines() if " waits: " not in line]
    waited = [int(row[-5]) for row in rows[2:7]]
    expect(len(waited) == 5 and waited == sorted(waited, reverse=True) and waited[0] > 0, "column waited: %r", waited)
    commands = [line.split()[-1] for line in printed(stored("build"), "--sort", "program", "programs").splitlines()[2:] if "(" not in line]
    expect_equal("programs", commands, sorted(commands))
    for options, word in ((["--sort", "waited"], "ptrace-report --sort waited threads"), (["--sort", "nothing", "locks"], "no such column"),
                          (["--sort", "self", "tree"], "no such column")):
        refused = execute([REPORT] + options + [stored_run])
        expect_equal("status, lines of %s" % options, (refused.status, refused.stderr_text().count("\n")), (2, 1))
        expect(word in refused.stderr_text(), "%s: %s", options, refused.stderr_text())


def test_words_are_sections():
    """`locks` among the runs, in front of them or behind; a file of that name is a run; html writes the page of the run's name."""
    stored_run = stored("pool")
    expect_equal("locks", printed(stored_run, "locks"), printed(stored_run, "--section", "synchronization"))
    expect_equal("locks, as an option", printed(stored_run, "--section", "locks,threads"), printed(stored_run, "--section", "threads,synchronization"))
    place = scratch()
    os.symlink(stored_run, os.path.join(place, "threads"))
    text = execute([REPORT, "threads"], directory=place).stdout.decode()
    expect(text.startswith("@ overview"), "a run that is called threads: %s", text[:80])
    for words, told in (["lock", stored_run], "did you mean locks"), (["html", "--format", "json", stored_run], "leave out --format json"), \
            (["--section", "locks,", stored_run], "unknown"), (["--section", "lock", stored_run], "did you mean locks"), \
            (["blah", stored_run], "blah is neither a run nor a section"), ([stored_run, "blah"], "blah is neither a run nor a section"), \
            (["threds", stored_run], "did you mean threads"), ([stored_run, stored_run], "one RUN at a time"):
        refused = execute([REPORT] + words, directory=place)
        expect_equal("status, lines of %s" % words, (refused.status, refused.stderr_text().count("\n")), (2, 1))
        expect(told in refused.stderr_text(), "%s: %s", words, refused.stderr_text())
    page = execute([REPORT, "html", stored_run], directory=place)
    expect_equal("page", (page.status, page.stdout), (0, b"pool.html\n"))
    with open(os.path.join(place, "pool.html"), encoding="utf-8") as file:
        expect(file.read().startswith("<!DOCTYPE html>"), "no page")


def test_a_program_alone():
    """--program: only its processes are in the report, with their own sums; near names are offered."""
    one = run("/bin/sh", ["-c", "sleep 0.05; sleep 0.05; true"])
    rows = {row["program"]: row for row in one.report["programs"]}
    expect_equal("programs", sorted(rows), ["sh", "sleep"])
    expect_equal("starts of sleep", rows["sleep"]["processes"], 2)
    alone = report_json(one.directory, "--program", "sleep")
    expect_equal("commands", [p["command"] for p in alone["processes"]], 2 * ["sleep 0.05"])
    expect(0.1 <= alone["run"]["elapsed_seconds"] < one.report["run"]["elapsed_seconds"], "elapsed: %r", alone["run"])
    refused = execute([REPORT, "--program", "slep", one.directory])
    expect_equal("status", refused.status, 2)
    expect("did you mean sleep?" in refused.stderr_text(), "%s", refused.stderr_text())


def test_questions_have_these_answers():
    """docs/questions.md, and pages with stored runs: each command prints the lines that the page shows, in their order."""
    place = scratch()
    for kind in KINDS:
        os.symlink(stored(kind), os.path.join(place, kind + ".run"))
    blocks = []
    for page in "questions", "servers", "shared-machine":
        with open(os.path.join(ROOT, "docs", page + ".md"), encoding="utf-8") as file:
            blocks += re.findall(r"^    (ptrace-report .*\.run)\n\n((?:    .*\n)+)", file.read(), re.M)
    expect(len(blocks) >= 28, "%d questions", len(blocks))
    for command, shown in blocks:
        words = command.split()[1:]
        done = execute([REPORT] + words, directory=place, environment=dict(clean_environment(), LC_ALL="C.UTF-8", COLUMNS="96"))
        left = iter(line.rstrip() for line in done.stdout.decode().splitlines())
        for line in shown.splitlines():
            expect(line[4:].rstrip() in left, "%s does not print, there: %s", command, line)


def test_pasted_screens_are_those_of_the_stored_runs():
    """README and the pages that show a stored run: the lines that they have, without the notes beside them, begin its first screen."""
    pages, seen = ["README.md"] + sorted(glob.glob("docs/*.md", root_dir=ROOT)), []
    for page in pages:
        with open(os.path.join(ROOT, page), encoding="utf-8") as file:
            pasted = re.findall(r"<!-- of tests/screens/(\w+) -->\n\n((?:    .*\n)+)\n<!-- end -->", file.read())
        for kind, lines in pasted:
            shown = re.sub(r" +<- .*", "", re.sub(r"^    ", "", lines, flags=re.M))
            expect(printed(stored(kind), "overview").startswith(shown), "%s: not the first screen of %s", page, kind)
            seen.append(page)
    expect({"README.md", "docs/python.md"} <= set(seen), "pages with a stored run: %s", seen)

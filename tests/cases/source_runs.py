# SPDX-License-Identifier: MIT
"""Source lines of several runs side by side: a column for each run, and what no longer fits one of them is said."""
import csv
import io
import json
import os
import re

from pages import Page, check_form
from source_lines import SOURCE, at, compiled, copy_of_source, line_of, listing, lines_with, ns, profiled, text_at
from support import REPORT, execute, expect, expect_equal, full, report_json, scratch

BESIDE = True  # no case asserts a time


def several(directories, *options, status=0):
    done = execute([REPORT, "--width", "200", *options, *directories])
    expect_equal("status of %s (%s)" % (" ".join(options), done.stderr_text()), done.status, status)
    return done.stdout.decode() if not status else done.stderr_text()


def two_runs():
    """Of one program."""
    program = compiled()
    return [profiled(program).directory for _ in range(2)]


def test_each_run_has_its_column():
    """The figures of each run are those of its own report, in JSON, CSV, text and HTML; their order is that of the arguments."""
    directories = two_runs()
    report = json.loads(several(directories, "--format", "json", "--section", "lines,source", "--file", "source_lines.c"))
    expect_equal("runs", [r["directory"] for r in report["runs"]], directories)
    own = [report_json(d) for d in directories]
    lines = {}
    for row in report["lines"]:
        lines.setdefault((row["routine"], row["file"], row["line"]), row["runs"])
    for index, one in enumerate(own):
        seen = set()
        for row in one["lines"]:
            key = row["routine"], row["file"], row["line"]
            if not row["file"] or key in seen:
                continue
            seen.add(key)
            for figure in ("self_seconds", "wait_seconds", "waits", "blame_seconds", "samples", "self_percent"):
                expect_equal("%s of %s in run %d" % (figure, key, index + 1), lines[key][index][figure], row[figure])
        # also where two modules have a routine of that name, and lines that are not known
        expect_equal("CPU time of run %d" % (index + 1), sum(ns(row["runs"][index]["self_seconds"]) for row in report["lines"]),
                     sum(ns(row["self_seconds"]) for row in one["lines"]))
    block, = report["source"]
    for row in block["lines"]:
        expect_equal("runs of a line", len(row["runs"]), 2)
        if (row["routine"], block["file"], row["line"]) in lines:
            expect_equal("figures beside the source", row["runs"], lines[row["routine"], block["file"], row["line"]])
    hot = line_of("HOT 3")
    shown = next(r for r in csv.DictReader(io.StringIO(several(directories, "--format", "csv", "--section", "lines")))
                 if r["routine"] == "two_loops" and r["line"] == str(hot))
    for index, one in enumerate(own):
        expect_equal("CSV of run %d" % (index + 1), float(shown["runs.%d.self_seconds" % (index + 1)]), at(one, "HOT 3")["self_seconds"])
    text = several(directories, "--routine", "two_loops")
    expect_equal("line HOT 3", text_at(text, hot)[0], str(hot))
    expect(re.search(r"self 1 +self 2", text), "no column for each run: %s", text)
    check_page(directories, own, hot)


def check_page(directories, own, hot):
    path = os.path.join(scratch(), "report.html")
    several(directories, "--format", "html", "-o", path, "--section", "lines,source", "--routine", "two_loops")
    page = check_form(path)
    rows = page.table("source", "two_loops")
    for index, one in enumerate(own):
        wanted = at(one, "HOT 3")["self_seconds"]
        got = [r["self %d" % (index + 1)][1] for r in rows if r["line"][0] == str(hot)]
        expect_equal("page of run %d" % (index + 1), got, [wanted])


def changed_between():
    """Two runs, and a line that was inserted between them."""
    directory = scratch()
    source = copy_of_source(directory)
    includes = "-I", os.path.dirname(SOURCE)
    first = profiled(compiled(*includes, source=source, directory=directory))
    with open(source) as file:
        lines = file.readlines()
    lines.insert(line_of("INLINED") - 3, "/* one line more */\n")
    with open(source, "w") as file:
        file.writelines(lines)
    return first.directory, profiled(compiled(*includes, source=source)).directory, source


@full
def test_source_that_changed_between_the_runs():
    """What no longer fits the first run is said, and each of its figures is marked; those of the second are not."""
    first, second, source = changed_between()
    hot = line_of("HOT 3") + 1
    text = several([first, second], "--routine", "stir_much")
    expect(re.search(r"\? run 1: it is newer than the ", text) and "run 2: it" not in text, "it is not said: %s", text)
    block, = json.loads(several([first, second], "--format", "json", "--routine", "stir_much"))["source"]
    times = [[sum(r["runs"][run][k] > 0 for r in block["lines"] for k in ("self_seconds", "wait_seconds", "blame_seconds")) for run in (0, 1)]]
    marks = re.findall(r"[0-9] (?:[mun]?s)(\??)(?= )", text.split("@ source")[1])
    expect_equal("figures with and without a mark", [[marks.count("?"), marks.count("")]], times)
    expect(times[0][0] > 0 and times[0][1] > 0, "no figures: %r", times)
    report = json.loads(several([first, second], "--format", "json", "--file", source))
    block, = report["source"]
    expect("is newer than" in block["problems"][0] and block["problems"][1] is None, "problems: %r", block["problems"])
    expect_equal("is_fitting", {r["is_fitting"] for r in block["lines"]}, {False})
    row, = [r for r in block["lines"] if r["line"] == hot and r["routine"] == "two_loops"]
    expect(row["runs"][1]["samples"] > 0, "the second run has nothing at its line")
    text = several([first, second], "--section", "lines")
    expect("? run 1: %s is newer than" % source in text, "the table of lines does not say it: %s", text)
    path = os.path.join(scratch(), "report.html")
    several([first, second], "--format", "html", "-o", path, "--file", source)
    page = Page(path)
    expect("It is not the source of run 1: it is newer than" in page.section("source").text(), "the page does not say it")
    heads = [h.text() for h in next(page.section("source").all("thead")).all("th")]
    expect("self 1?" in heads and "self 2" in heads, "heads: %r", heads)
    again = several([second, second], "--file", source)
    expect("?" not in again.split("@ source")[1].split("\n", 1)[1], "a source that fits is marked: %s", again)


@full
def test_routine_that_one_run_does_not_have():
    directories = two_runs()[:1] + [profiled(compiled("-Dstir_much=stirred")).directory]
    text = several(directories, "--routine", "stir_much")
    expect("run 2 has no figures of it" in text, "it is not said: %s", text)


def test_wrong_questions_about_several_runs():
    """One line that names the thing and the remedy, and status 2."""
    one, other = two_runs()
    for options, words in (((), "one RUN at a time: %s is one too many (only the sections lines and source" % other),
                           (("--section", "lines,threads"), "only the sections lines and source show several"),
                           (("--format", "quickfix"), "this format shows one"),
                           (("--routine", "nosuch"), "--routine nosuch: the run has no such routine")):
        text = several([one, other], *options, status=2)
        expect(words in text and text.count("\n") == 1, "%s: %r", options, text)
    text = several([one] * 9, "--section", "lines", status=2)
    expect("at most 8 RUNs at a time" in text, "%r", text)
    text = several([one, os.path.join(scratch(), "none")], "--section", "lines", status=2)
    expect_equal("lines on standard error", text.count("\n"), 1)
    expect(listing(one, "--section", "lines") and lines_with("HOT 3"), "one run is no longer shown")

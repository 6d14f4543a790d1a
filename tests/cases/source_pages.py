# SPDX-License-Identifier: MIT
"""The source on a page: findings and tables lead to it, it is text whatever it contains, and it has its limits."""
import os
import re

import browser
from pages import check_form, make_page, walk
from source_lines import compiled, copy_of_source, line_of, profiled, SOURCE
from support import expect, expect_equal, full, run, scratch

BESIDE = True  # no case asserts a time

HOSTILE = "</script><img src=x onerror=alert(1)><b title='\"'>&amp;\\x1b"


def with_copy():
    """A run of the program, its source in a directory of the case."""
    directory = scratch()
    source = copy_of_source(directory)
    return profiled(compiled("-I", os.path.dirname(SOURCE), source=source, directory=directory)), source


def links(page, section):
    """[(text, place)] of the links from a section to the source."""
    return [(a.text(), a.attributes["href"][1:]) for a in page.section(section).all("a")]


def rows_of(page):
    """{place: [texts of the cells]} of the source."""
    return {r.attributes["id"]: [c.text() for c in r.children] for r in page.section("source").all("tr") if "id" in r.attributes}


def test_findings_and_tables_lead_to_the_source():
    """Each link ends at a place of the page, and a link to a line at that line, with its text."""
    done, source = with_copy()
    with open(source) as file:
        text = [line.rstrip("\n").expandtabs(4) for line in file]
    page = check_form(make_page(done, "--top", "0"))
    rows = rows_of(page)
    for place, cells in rows.items():
        line = int(place.split("-")[2])
        expect_equal("number at %s" % place, cells[0], str(line))
        expect_equal("text of line %d" % line, cells[-1], text[line - 1])
    for section, mark, routine in (("findings", "HOT 3", "two_loops"), ("synchronization", "RELEASES", "hold"), ("synchronization", "WAITS", "waiter")):
        label = "%s (source_lines.c:%d)" % (routine, line_of(mark))
        places = {place for shown, place in links(page, section) if shown == label}
        expect(section == "findings" or places, "no link to %s from %s: %r", label, section, links(page, section))
        for place in places:
            expect_equal("line at %s" % place, rows[place][0], str(line_of(mark)))
    shown = {shown.split(" ")[0] for shown, _ in links(page, "routines")}
    expect({"two_loops", "stir"} <= shown, "the table of routines leads only to %r", shown)
    for section in ("findings", "routines", "synchronization"):
        for _, place in links(page, section):
            expect(place in page.ids, "a link to %s, which is not there", place)
    page = check_form(make_page(done, "--section", "lines,source", "--routine", "hold"))
    expect({"hold (source_lines.c:%d)" % line_of("RELEASES")} <= {shown for shown, _ in links(page, "lines")}, "the table of lines leads nowhere")
    page = check_form(make_page(done, "--section", "findings,routines"))
    expect_equal("links without a source", links(page, "findings") + links(page, "routines"), [])


def test_a_click_shows_the_line():
    """From a finding to its line, in a browser: by the link alone, without script as well."""
    done, source = with_copy()
    with browser.Browser() as one:
        one.open(make_page(done))
        place = one.run("""const a = document.querySelector('#findings .where a'); a.click(); return a.hash.slice(1)""")
        expect(re.fullmatch(r"source-\d+-\d+", place), "the finding leads to %s", place)
        at = """const r = document.getElementById(arguments[0]).getBoundingClientRect();
            return location.hash === '#' + arguments[0] && r.top >= 0 && r.bottom <= innerHeight && r.height > 0"""
        for _ in range(100):
            if one.run(at, place):
                break
        expect(one.run(at, place), "the line is not in the window")
        with open(source) as file:
            line = file.readlines()[int(place.split("-")[2]) - 1].strip()
        expect_equal("text of the line", one.run("return document.querySelector('tr:target td.code').textContent.trim()"), line)
        colours = one.run("""return [document.querySelector('tr:target td'), document.querySelector('#source tbody tr:not([id]) td, #source tr:not(:target) td')]
            .map(e => getComputedStyle(e).backgroundColor)""")
        expect(colours[0] != colours[1], "the line is not marked")
        expect_equal("console", one.logs(), [])


def test_lines_that_may_not_fit_are_marked():
    """A source that was changed since: the mark is at each line, and the reason in the caption. One that is gone: said, and no link."""
    done, source = with_copy()
    with open(source, "a") as file:
        file.write("\n")
    page = check_form(make_page(done))
    rows = rows_of(page)
    expect(rows and all(cells[0].endswith("?") for cells in rows.values()), "lines without a mark: %r", rows)
    captions = [c.text() for c in page.section("source").all("caption")]
    expect(captions and all("is newer than" in c for c in captions), "captions: %r", captions)
    os.remove(source)
    page = check_form(make_page(done))
    expect("source" not in page.ids, "there is a section of a source that is gone")
    expect_equal("links to it", links(page, "findings"), [])


def many_routines(count):
    """A program of so many routines, each with long lines, and with time of its own."""
    directory = scratch()
    path = os.path.join(directory, "many.c")
    with open(path, "w") as file:
        file.write('#include <time.h>\nstatic double cpu(void) { struct timespec t; clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);'
                   ' return t.tv_sec + 1e-9 * t.tv_nsec; }\nvolatile unsigned long value;\n')
        for i in range(count):
            file.write("__attribute__((noinline)) static void %s_%d(double until)\n{\n\tdo\n\t\tfor (int i = 0; i < 20000; i++)\n" % ("r" * 60, i))
            for k in range(6):
                file.write("\t\t\tvalue = value * %d + i; /* %s%s */\n" % (2 * k + 3, HOSTILE, "&" * 700) if k else "\t\t\t{\n")
            file.write("\t\t\t}\n\twhile (cpu() < until);\n}\n")
        file.write("int main(void)\n{\n\tdouble at = cpu();\n")
        for i in range(count):
            file.write("\t%s_%d(at += 0.006);\n" % ("r" * 60, i))
        file.write("\treturn 0;\n}\n")
    return compiled("-O1", "-Wno-all", source=path, directory=directory)


@full
def test_a_page_of_many_routines_is_bounded():
    """500 hot routines with lines of a thousand characters: below 1 MiB, and what is left out is said; hostile lines are text."""
    one = run(many_routines(500))
    hot = {r["routine"] for r in one.report["lines"] if r["line"] and r["self_seconds"] and r["routine"].startswith("rrr")}
    # more than a page looks at; a busy machine takes few samples of what is short
    expect(len(hot) > 150, "only %d routines are hot", len(hot))
    path = make_page(one, "--top", "0")
    bounded = make_page(one)
    expect(os.path.getsize(bounded) < 1 << 20, "the page has %d bytes", os.path.getsize(bounded))
    page = check_form(bounded)
    shown = [h.text() for h in page.section("source").all("h3")]
    left_out = re.search(r"and the source of (\d+) more routines? \(--routine NAME shows it\)", page.section("source").text())
    expect(left_out, "it does not say what it leaves out")
    expect(shown, "no source is shown")
    others = {r["routine"] for r in one.report["lines"] if r["file"] and r["spent_seconds"] + r["blame_seconds"]}
    expect_equal("routines shown and left out", len(shown) + int(left_out.group(1)), len(hot | {"main", "cpu"} & others))
    expect(HOSTILE in page.section("source").text(), "the source is not on the page as it is")
    expect_equal("elements made of source", [e.name for e in walk(page.root) if e.name in ("img", "b") and "src" in e.attributes], [])
    expect_equal("scripts", len(list(page.root.all("script"))), 1)
    sizes = [len(cells[-1]) for cells in rows_of(page).values()]
    expect(max(sizes) <= 160, "a line of %d characters", max(sizes))
    expect(os.path.getsize(path) > 0, "no page of all rows")
    with browser.Browser() as view:
        view.open(bounded)
        expect_equal("console", view.logs(), [])
        expect_equal("elements made of source", view.run("return document.querySelectorAll('#source img, #source script').length"), 0)


def test_without_debugging_information_there_is_no_source():
    done = profiled(compiled("-g0", "-s"))
    page = check_form(make_page(done))
    expect("source" not in page.ids, "a source out of nothing")
    expect_equal("links", [a.attributes["href"] for a in page.root.all("a") if a.attributes["href"].startswith("#source")], [])

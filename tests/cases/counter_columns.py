# SPDX-License-Identifier: MIT
"""Counted events as columns of source lines: on every form of the sections lines and source, each line has its count, the lines of a
routine have the routine's, and those of all routines the run's, exactly."""
import csv
import io
import re

from pages import check_form, make_page
from support import REPORT, execute, expect, expect_equal, full, profile_paths, run, skip
from profile_file import Profile

BESIDE = True  # no case asserts a time

# Names, and numbers of PERF_TYPE_SOFTWARE, each in a group of its own. The first four happen in any run. No kernel has NOTHING.
NAMES = {"page-faults": "2", "context-switches": "3", "minor-faults": "5", "all.faults": "2", "major-faults": "6"}
EVENTS = ["%d 1 %s 0 0 0 0 count %s" % (i + 1, number, name) for i, (name, number) in enumerate(NAMES.items())]
NOTHING = "9 1 ffff 0 0 0 0 count nothing"
COUNTED = 8  # flag of events (docs/dev/format.md)


def counted(*events, kind="faults"):
    """A run whose first event touches pages; skips where the kernel refuses to count."""
    one = run("counted", [kind], environment={"PTRACE_EVENTS": ";".join(events)})
    one.profiled
    if not any(are_counted(one)):
        skip("the kernel does not count page faults")
    return one


def are_counted(one):
    """Of each event, whether the kernel counts it."""
    return [bool(row["flags"] & COUNTED) for row in Profile(profile_paths(one.directory)[0]).rows["events"]]


def shown(one, *options):
    done = execute([REPORT, *options, one.directory])
    expect_equal("status of %s (%s)" % (" ".join(options), done.stderr_text()), done.status, 0)
    return done.stdout.decode()


def sums(rows, value):
    """{(routine, file): sum}"""
    found = {}
    for row in rows:
        key = row["routine"], row["file"] or None
        found[key] = found.get(key, 0) + value(row)
    return {key: sum_ for key, sum_ in found.items() if sum_}


def test_lines_add_up_to_routines():
    """JSON, CSV and the page have every event at every line; [unsampled] included, the sums are those of the section counters."""
    one = counted(*EVENTS)
    table = list(csv.DictReader(io.StringIO(shown(one, "--section", "lines", "--format", "csv", "--top", "0"))))
    for counter in one.report["counters"]:
        name = counter["name"]
        wanted = sums(counter["by_routine"], lambda row: row["value"])
        expect_equal("JSON: %s by routine" % name, sums(one.report["lines"], lambda row: row["events"][name]["value"]), wanted)
        expect_equal("CSV: %s by routine" % name, sums(table, lambda row: int(row["events.%s.value" % name])), wanted)
        expect_equal("%s in all" % name, sum(wanted.values()), counter["total"])
        by_line = {(row["routine"], row["file"], row["line"]): row for row in counter["by_line"]}
        for row in one.report["lines"]:
            other = by_line.get((row["routine"], row["file"], row["line"]))
            figures = row["events"][name]
            for key in ("value", "alone", "company", "total", "samples"):
                expect_equal("%s of %s at %s:%s" % (key, name, row["file"], row["line"]), figures[key], other[key] if other else 0)
            share = 100 * figures["value"] / counter["total"] if counter["total"] else None
            expect(figures["percent"] == share or abs(figures["percent"] - share) < 1e-6, "share of %s: %s, expected %s", name, figures["percent"], share)
    expect(one.report["counters"][0]["total"] >= 6500, "the program touches 6,500 pages: %s", one.report["counters"][0])
    check_page(one)


def figures_of(page, section, title):
    """The exact figures in the columns of that title, of all tables of a section."""
    values = []
    for table in page.section(section).all("table"):
        titles = [cell.text() for cell in table.all("th") if cell.attributes.get("scope") == "col"]
        for row in table.all("tr"):
            if title in titles and len(row.children) == len(titles):
                values.append(row.children[titles.index(title)].attributes.get("data-v"))
    return [int(value) for value in values if value is not None]


def check_page(one):
    page = check_form(make_page(one, "--section", "lines,source", "--top", "0"))
    for counter in one.report["counters"]:
        found = figures_of(page, "lines", counter["name"])
        expect_equal("the page's %s" % counter["name"], sum(found), counter["total"])
    beside = figures_of(page, "source", "page-faults")
    expect(0 < sum(beside) <= one.report["counters"][0]["total"], "page faults beside the source: %s", beside)


def test_text_has_as_many_events_as_there_is_room_for():
    one = counted(*EVENTS)
    if not all(are_counted(one)):
        skip("the kernel does not count all of %s for this user" % ", ".join(NAMES))
    most = max(one.report["lines"], key=lambda row: row["events"]["page-faults"]["value"])["events"]["page-faults"]
    for width, events, more in ((80, 1, "4 more events: --width for 3 of them, or --format csv"), (200, 4, "1 more event: --format csv")):
        text = shown(one, "--section", "lines", "--width", str(width))
        head = next(line for line in text.splitlines() if line.endswith(" line"))
        expect_equal("events at width %d: %s" % (width, head), [name for name in NAMES if re.search(r" %s +share " % name, head)],
                     list(NAMES)[:events])
        expect("  (%s)\n" % more in text, "%s is not said at width %d: %s", more, width, text)
        expect(re.search(r" %d +\d+ %%" % most["value"], text), "%d page faults and their share are not in %s", most["value"], text)
        expect(max(len(line) for line in text.splitlines()) <= width, "wider than %d: %s", width, text)
    expect("(2 more events: --width, or --format csv)" in shown(counted(*EVENTS[:3]), "--section", "lines", "--width", "80"), "--width would help")
    source = shown(one, "--section", "source", "--routine", "fault", "--width", "200")
    expect("  (1 more event: --format csv)\n" in source, "what is left out is not said: %s", source)
    expect(re.search(r" page-faults +share .* line +source", source), "no columns beside the source: %s", source)


def test_what_was_not_counted_is_not_zero():
    """In text n/a, after the events that were counted; in JSON null; in CSV empty."""
    one = counted(NOTHING, EVENTS[0])
    text = shown(one, "--section", "lines", "--width", "200")
    expect(re.search(r"page-faults +share +nothing +", text), "the order of events in %s", text)
    for row in text.splitlines()[2:-1]:
        expect(" n/a " in row, "no n/a in %r", row)
    for row in one.report["lines"]:
        expect_equal("what nothing counted", [row["events"]["nothing"][key] for key in ("value", "total", "percent")], [None] * 3)
        expect_equal("type of what was counted", type(row["events"]["page-faults"]["value"]), int)
    page = check_form(make_page(one, "--section", "lines"))
    expect_equal("figures of what nothing counted", figures_of(page, "lines", "nothing"), [])
    expect("n/a" in page.section("lines").text(), "the page does not say n/a")


@full
def test_runs_side_by_side():
    """Each run has its own counts, in columns of the same event; one that did not count it has none, and says so."""
    runs = counted(EVENTS[0]), counted(*EVENTS[:2]), run("counted", ["faults"])
    runs[2].profiled
    directories = [one.directory for one in runs]
    done = execute([REPORT, "--section", "lines,source", "--width", "250", *directories])
    text = done.stdout.decode()
    expect_equal("status", done.status, 0)
    expect(re.search(r"page-faults 1 +page-faults 2 .*context-switches 2", text), "no columns of the runs in %s", text)
    expect("n/a" in text, "a run that counted nothing has counts in %s", text)
    table = csv.DictReader(io.StringIO(execute([REPORT, "--section", "lines", "--format", "csv", "--top", "0", *directories]).stdout.decode()))
    rows = list(table)
    for number, one in enumerate(runs, 1):
        for counter in one.report["counters"]:
            column = "runs.%d.events.%s.value" % (number, counter["name"])
            expect_equal(column, sum(int(row[column]) for row in rows), counter["total"])
    expect(not [name for name in table.fieldnames if name.startswith("runs.3.events")], "events of a run without: %s", table.fieldnames)


def test_without_events_nothing_is_added():
    one = run("counted", ["faults"])
    one.profiled
    expect(not [row for row in one.report["lines"] if "events" in row], "lines have events that nobody asked for")
    expect("event" not in shown(one, "--section", "lines", "--format", "csv"), "the table has columns of events")

# SPDX-License-Identifier: MIT
"""Histograms of waits on a page: a bar for each power of two in which a wait lay, as high as there were such waits."""
import math

from pages import check_form, make_page
from support import expect, expect_equal, expect_near, report_json, run

BESIDE = True  # no case asserts a time

ROW, HIGHEST, FLAT = 46, 36, 3  # pixels


def bars_of(page, section):
    """{row: [(x, width, height, waits)]} in percent and pixels, from left to right."""
    plot = next(s for s in page.section(section).all("svg") if s.attributes.get("class") == "waits")
    rows = {}
    for bar in plot.all("rect"):
        x, width = (float(bar.attributes[a].rstrip("%")) for a in ("x", "width"))
        bottom = float(bar.attributes["y"]) + float(bar.attributes["height"])
        title = next(bar.all("title")).text()
        waits = int(title.split(": ")[1].split()[0])
        rows.setdefault((bottom + 2) / ROW - 1, []).append((x, width, float(bar.attributes["height"]), waits))
    names = [t.text() for t in plot.all("text") if t.attributes["class"] == "name"]
    return names, [rows[row] for row in sorted(rows)]


def check_row(bars, row, low, high):
    what, lengths = row["name"], row["lengths"]
    expect_equal("waits of the bars of %s" % what, [bar[3] for bar in bars], [bin["count"] for bin in lengths])
    expect_equal("waits of all bars of %s" % what, sum(bar[3] for bar in bars), row["count"])
    most = max(bin["count"] for bin in lengths)
    for (x, width, height, waits), bin in zip(bars, lengths):
        left = math.log2(max(1, bin["from_seconds"] * 1e9))
        expect_near("left edge of %s, %d waits" % (what, waits), x, 26 + 74 * (left - low) / (high - low), 0, 0.01)
        expect_near("height of %s, %d waits" % (what, waits), height, max(FLAT, HIGHEST * waits / most), 0, 0.01)
        expect(width > 0 and x + width <= 100.01, "a bar of %s is from %g to %g", what, x, x + width)


def ends_of(rows):
    """log2 of the axis's ends in nanoseconds"""
    low = min(row["lengths"][0]["from_seconds"] for row in rows)
    last = max((row["lengths"][-1] for row in rows), key=lambda bin: bin["from_seconds"])
    below = last["below_seconds"] or 2 * last["from_seconds"]
    return math.log2(max(1, low * 1e9)), math.log2(below * 1e9)


def check_plot(page, section, rows):
    names, bars = bars_of(page, section)
    expect_equal("histograms", names, [row["name"] for row in rows])
    low, high = ends_of(rows)
    for some, row in zip(bars, rows):
        check_row(some, row, low, high)
    table = page.table(section, "Waits by their length")
    expect_equal("the table behind", [(t["object"][0], t["length"][1], t["waits"][1]) for t in table],
                 [(row["name"], bin["from_seconds"], bin["count"]) for row in rows for bin in row["lengths"]])


def test_bars_are_the_lengths():
    """The histograms of the section waits, and in synchronization those of its objects: the five with the most waiting."""
    one = run("holder", ["mutex", 3])
    one.profiled
    report = report_json(one.directory, "--section", "waits,synchronization")
    waits = [row for row in report["waits"] if row["lengths"]]
    expect(any(len(row["lengths"]) > 1 for row in waits), "no row has waits of different lengths: what is tested?")
    objects = {(row["kind"], row["name"], row["operation"]) for row in report["synchronization"]}
    page = check_form(make_page(one, "--section", "waits"))
    check_plot(page, "waits", waits[:20])
    page = check_form(make_page(one))
    check_plot(page, "synchronization", [row for row in waits if (row["kind"], row["name"], row["operation"]) in objects][:5])


def test_no_waits_no_histogram():
    """A program that waits for nothing has neither a plot nor an empty table behind it."""
    page = check_form(make_page(run("/bin/true"), "--section", "synchronization,waits"))
    for section in ("synchronization", "waits"):
        expect(not any(s.attributes.get("class") == "waits" for s in page.section(section).all("svg")), "%s has a plot", section)
        expect("Waits by their length" not in page.section(section).text(), "%s has a table of nothing", section)

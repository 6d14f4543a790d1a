# SPDX-License-Identifier: MIT
"""The report as a page: what a browser makes of it, with and without script, light, dark and printed; what stands in it; and
what hostile names can do to it, which is nothing. Skipped where there is no Chromium, but for the cases that need none."""
import html.parser
import itertools
import json
import math
import os
import re
import resource
import shutil

import browser
import mpi_job
import openmp_job
from support import (REPORT, ROOT, built, execute, expect, expect_between, expect_equal, expect_near, fail, full, need,
                     report_json, run, scratch)

BESIDE = True  # no case asserts a time

VOID = {"meta", "br", "hr", "img", "input", "link", "wbr"}
SVG_EMPTY = {"rect", "line", "path", "circle"}


def make_page(one, *options):
    """The page of a run, or of a run directory."""
    directory = one
    if not isinstance(one, str):
        one.profiled
        directory = one.directory
    path = os.path.join(scratch(), "report.html")
    result = execute([REPORT, "--format", "html", "-o", path] + list(options) + [directory])
    if result.status not in (0, 1):
        fail("ptrace-report --format html ended with status %d: %s", result.status, result.stderr_text()[-300:])
    return path


def read(path):
    with open(path, encoding="utf-8") as file:  # invalid UTF-8 would be an error
        return file.read()


class Element:
    def __init__(self, name, attributes, parent):
        self.name, self.attributes, self.parent, self.children, self.texts = name, dict(attributes), parent, [], []

    def all(self, name):
        for child in self.children:
            if child.name == name:
                yield child
            yield from child.all(name)

    def text(self):
        return "".join(self.texts) + "".join(child.text() for child in self.children)


class Page(html.parser.HTMLParser):
    """A strict reader: each element is closed by its own end, ids are unique."""

    def __init__(self, path):
        super().__init__(convert_charrefs=True)
        self.root = self.at = Element("", {}, None)
        self.ids = set()
        self.feed(read(path))
        self.close()
        expect(self.at is self.root, "<%s> is never closed", self.at.name)

    def handle_starttag(self, name, attributes):
        element = Element(name, attributes, self.at)
        self.at.children.append(element)
        identity = element.attributes.get("id")
        if identity is not None:
            expect(identity not in self.ids, "the id %s is there twice", identity)
            self.ids.add(identity)
        if name not in VOID:
            self.at = element

    def handle_startendtag(self, name, attributes):
        expect(name in SVG_EMPTY or name in VOID, "<%s/> closes nothing in HTML", name)
        self.at.children.append(Element(name, attributes, self.at))

    def handle_endtag(self, name):
        expect(name == self.at.name, "</%s> inside of <%s>, line %d", name, self.at.name, self.getpos()[0])
        self.at = self.at.parent

    def handle_data(self, data):
        self.at.texts.append(data)

    def section(self, name):
        for section in self.root.all("section"):
            if section.attributes.get("id") == name:
                return section
        return fail("there is no section %s", name)

    def table(self, section, caption):
        """[{column: (text, figure)}], without lines of detail; a figure is None where there is none."""
        for table in self.section(section).all("table"):
            if next(table.all("caption")).text().startswith(caption):
                return read_table(table)
        return fail("there is no table %s in the section %s", caption, section)


def read_table(table):
    columns = [head.text() for head in next(table.all("thead")).all("th")]
    rows = []
    for row in next(table.all("tbody")).children:
        if row.attributes.get("class") == "detail":
            continue
        expect_equal("cells of a row of %s" % next(table.all("caption")).text(), len(row.children), len(columns))
        rows.append([(cell.text(), float(cell.attributes["data-v"]) if "data-v" in cell.attributes else None)
                     for cell in row.children])
    return [dict(zip(columns, row)) for row in rows]


def check_form(path):
    """Well-formed, and what a reader without eyes needs."""
    page = Page(path)
    for svg in page.root.all("svg"):
        inner = svg.parent
        while inner and inner.name != "svg":
            inner = inner.parent
        if inner:
            continue  # a part of a plot
        expect_equal("role of a plot", svg.attributes.get("role"), "img")
        expect(any(child.name == "title" and child.text().strip() for child in svg.children), "a plot has no title")
    for table in page.root.all("table"):
        expect(next(table.all("caption")).text().strip() != "", "a table has no caption")
        for head in table.all("th"):
            expect(head.attributes.get("scope") in ("col", "row"), "a th has no scope")
    headings = [element.name for element in walk(page.root) if re.fullmatch("h[1-6]", element.name)]
    expect_equal("first heading", headings[0], "h1")
    for before, after in zip(headings, headings[1:]):
        expect(int(after[1]) <= int(before[1]) + 1, "%s follows %s", after, before)
    return page


def walk(element):
    for child in element.children:
        yield child
        yield from walk(child)


# ---- without a browser


def test_sections_are_those_of_the_text():
    """Every section of the text, the source and T_i are on the page, findings first, with their sentences of definition, but for the
    facts that the overview of a page has; --section works."""
    one = run("holder", ["mutex", 3])
    text = re.findall(r"^@ (\w+): (.*)$", one.text, re.M)
    page = check_form(make_page(one))
    got = [(s.attributes["id"], next(e for e in s.all("p") if e.attributes.get("class") == "defines").text())
           for s in page.root.all("section")]
    text += re.findall(r"^@ (\w+): (.*)$", execute([REPORT, "--section", "source,concurrency", one.directory]).stdout.decode(), re.M)
    expect_equal("sections", sorted(got), sorted(section for section in text if section[0] != "about"))
    expect_equal("the first two", [g[0] for g in got[:2]], ["overview", "findings"])
    links = [a.attributes["href"] for a in next(page.root.all("nav")).all("a")]
    expect_equal("contents", links, ["#" + g[0] for g in got])
    page = check_form(make_page(one, "--section", "threads,notes"))
    expect_equal("--section threads,notes", [s.attributes["id"] for s in page.root.all("section")], ["threads", "notes"])


def expect_column(rows, column, wanted, what):
    got = [row[column][1] for row in rows]
    expect_equal("%s of %s" % (column, what), got, wanted)


def test_figures_are_those_of_the_json():
    """The figures behind the cells of a page's tables are the JSON's, to the last digit."""
    one = run("holder", ["mutex", 3])
    report = one.report
    page = Page(make_page(one, "--top", "0"))
    rows = page.table("routines", "Routines")
    for column, key in (("self", "self_seconds"), ("total", "total_seconds"), ("elapsed", "elapsed_seconds"),
                        ("alone", "alone_seconds"), ("samples", "samples")):
        expect_column(rows, column, [r[key] for r in report["routines"]], "routines")
    rows = page.table("synchronization", "Objects")
    for column, key in (("calls", "count"), ("waited", "contended"), ("waiting", "wait_seconds"), ("longest", "wait_max_seconds")):
        expect_column(rows, column, [r[key] for r in report["synchronization"]], "objects")
    expect_equal("names of objects", [r["object"][0] for r in rows], [r["name"] for r in report["synchronization"]])
    rows = page.table("threads", "Lifetimes")
    threads = {int(t["tid"]): t for t in report["threads"]}
    expect_equal("threads", sorted(int(r["tid"][0]) for r in rows), sorted(threads))
    for row in rows:
        thread = threads[int(row["tid"][0])]
        for column, key in (("lifetime", "elapsed_seconds"), ("user", "user_seconds"), ("system", "system_seconds"),
                            ("ready", "ready_seconds"), ("blocked", "blocked_seconds")):
            expect_equal("%s of thread %s" % (column, thread["tid"]), row[column][1], thread[key])
    levels = {int(r["active threads"][0]): r["on a processor"][1] for r in page.table("concurrency", "Time with so many")}
    for level in report["concurrency"]["on_processor"]["levels"]:
        expect_near("time with %d threads" % level["active"], levels[level["active"]], level["seconds"], 0, 1e-9)
    shown = [li.text() for li in page.section("findings").all("li")]
    for finding, text in zip(report["findings"], shown):
        for key in ("title", "evidence", "advice"):
            expect(finding[key] in text, "the finding %s lacks its %s", finding["id"], key)
    expect_equal("findings", len(shown), len(report["findings"]))


def test_who_kept_whom_waiting():
    """The matrix of a lock, or of threads that are joined, sums to the waiting time; its rows are those who caused it."""
    check_matrices(run("holder", ["mutex", 3]), "mutex")
    check_matrices(run("join"), "join")


def check_matrices(one, kind):
    objects = [o for o in one.report["synchronization"] if o["blame"]]
    page = Page(make_page(one))
    expect(kind in [o["kind"] for o in objects], "nobody waited for a %s", kind)
    for one_object in objects[:5]:
        rows = page.table("synchronization", "%s: who was kept waiting" % one_object["name"])
        expect_near("sum of the matrix of %s" % one_object["name"], sum(r["all"][1] for r in rows),
                    sum(b["seconds"] for b in one_object["blame"]), 1e-6, 1e-6)
        for row in rows:
            cells = [figure for column, (_, figure) in row.items() if column not in ("by", "all") and figure]
            expect_near("sum of a row", sum(cells), row["all"][1], 1e-6, 1e-6)


def test_map_of_peers():
    """The cells of the map are the pairs of ranks that sent something, each with what the JSON says."""
    job = mpi_job.Job("openmpi", 3, [mpi_job.built("openmpi", "traffic_use")])
    peers = {(p["rank"], p["peer"]): p for p in job.report["mpi"]["peers"] if p["messages"] or p["wait_seconds"]}
    page = check_form(make_page(job.directory))
    plot = next(s for s in page.section("peers").all("svg") if s.attributes["class"] == "map")
    cells = [r for r in plot.all("rect") if r.children]
    expect_equal("cells", len(cells), len(peers))
    for cell in cells:
        rank, peer = int(cell.attributes["y"]) // 8, int(cell.attributes["x"]) // 8
        title = cell.children[0].text()
        expect(title.startswith("rank %d to rank %d\n" % (rank, peer)), "the cell of %d and %d says %s", rank, peer, title)
        count = peers[rank, peer]["messages"]
        expect("in %d message%s" % (count, "" if count == 1 else "s") in title, "%d messages, the cell says %s", count, title)
    rows = page.table("mpi_calls", "MPI calls")
    expect_column(rows, "time", [c["seconds"] for c in job.report["mpi"]["calls"]], "calls")
    ranks = {int(r["rank"][0]): r for r in page.table("ranks", "Ranks")}
    for rank in job.report["mpi"]["ranks"]:
        expect_equal("time in MPI of rank %d" % rank["rank"], ranks[rank["rank"]]["in MPI"][1], rank["mpi_seconds"])


def test_work_of_members():
    """The bar of an OpenMP region ends at the work of the member that did most; its table has the JSON's figures."""
    one = openmp_job.Job("gomp", "ramp").run
    page = check_form(make_page(one))
    regions = [r for r in one.report["openmp"]["regions"] if r["work_max_seconds"]]
    rows = page.table("openmp", "Regions")
    for column, key in (("count", "count"), ("elapsed", "elapsed_seconds"), ("work min", "work_min_seconds"),
                        ("max", "work_max_seconds"), ("imbalance", "imbalance_percent"), ("gain", "gain_seconds")):
        expect_column(rows, column, [r[key] for r in one.report["openmp"]["regions"]], "regions")
    plot = next(page.section("openmp").all("svg"))
    ends = {}
    for part in plot.all("rect"):
        if part.attributes["class"] != "track":
            x, width = (float(part.attributes[a].rstrip("%")) for a in ("x", "width"))
            ends[part.attributes["y"]] = max(ends.get(part.attributes["y"], 0), x + width)
    longest = max(r["work_max_seconds"] for r in regions)
    expect_equal("bars", len(ends), min(len(regions), 20))
    for end, region in zip(ends.values(), regions):
        expect_near("end of the bar of %s" % region["routine"], (end - 26) / 74, region["work_max_seconds"] / longest, 0, 0.002)


def test_templates_are_text():
    """Names of C++ templates keep their angle brackets."""
    one = run("templates")
    names = [r["name"] for r in one.report["routines"] if "<" in r["name"]]
    expect(names, "the program has no templates")
    page = check_form(make_page(one, "--top", "0"))
    shown = page.section("routines").text()
    for name in names:
        expect(name in shown, "the page lacks %s", name)


def test_tidy_finds_nothing():
    """An independent checker of HTML has nothing to say, but that it knows no SVG inside of SVG."""
    tidy = need("tidy")
    path = make_page(run("holder", ["mutex", 3]))
    result = execute([tidy, "-q", "-e", "-utf8", "--drop-empty-elements", "no", path])
    lines = [line for line in result.stderr_text().splitlines()
             if line.strip() and not re.search(r"<(svg|rect|line|path)> proprietary attribute", line)]
    expect_equal("what tidy says", lines, [])


# ---- colours


def themes():
    """({property: colour}, ...) of the light and the dark theme and of print."""
    with open(os.path.join(ROOT, "analyze/page/page.css"), encoding="utf-8") as file:
        css = file.read()
    blocks = [dict(re.findall(r"--([\w-]+):\s*(#[0-9a-f]{6})", block)) for block in re.findall(r":root \{(.*?)\}", css, re.S)]
    expect_equal("themes", len(blocks), 3)
    light, dark, printed = blocks
    return {"light": light, "dark": {**light, **dark}, "print": {**light, **printed}}


def luminance(colour):
    parts = [int(colour[i:i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, other):
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def mixed(one, other, share):
    return "#" + "".join("%02x" % round(int(one[i:i + 2], 16) * share + int(other[i:i + 2], 16) * (1 - share)) for i in (1, 3, 5))


def test_contrast():
    """Text on whatever it stands on, 4.5 to 1; what plots draw against the page, 3 to 1 (WCAG 2.1, 1.4.3 and 1.4.11)."""
    for name, theme in themes().items():
        texts = [(t, b) for t in ("text", "muted", "link", "good", "bad") for b in ("bg", "panel")]
        texts += [("text", "bar"), ("text", "mark"), ("bg", "link")]
        texts += [("flame-text", b) for b in theme if b.startswith("flame-") and b != "flame-text"]
        for one, other in texts:
            got = contrast(theme[one], theme[other])
            expect(got >= 4.5, "%s on %s, %s theme: %.2f to 1", one, other, name, got)
        heat = contrast(theme["text"], mixed(theme["heat"], theme["bg"], 0.4))
        expect(heat >= 4.5, "text on the hottest cell, %s theme: %.2f to 1", name, heat)
        expect(contrast(theme["flame-text"], theme["mark"]) >= 4.5, "found boxes, %s theme", name)
        for drawn in ("user", "system", "ready", "lock", "condition", "barrier", "mpi", "openmp", "io", "idle", "sleep", "other", "bad", "heat"):
            got = contrast(theme[drawn], theme["bg"])
            expect(got >= 3, "%s on the page, %s theme: %.2f to 1", drawn, name, got)


# What is left of linear red, green and blue to those who lack a kind of cone (G. M. Machado, M. M. Oliveira, L. A. F. Fernandes,
# "A Physiologically-based Model for Simulation of Color Vision Deficiency", 2009, severity 1).
SIGHT = {
    "everybody": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "no red": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "no green": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "no blue": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}


def lightness_and_hue(colour, sight):
    """CIE L*a*b* of what is seen; distances in it are what an eye tells apart, about 2 if both stand beside each other."""
    linear = [(p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4)
              for p in (int(colour[i:i + 2], 16) / 255 for i in (1, 3, 5))]
    red, green, blue = (min(max(sum(m * v for m, v in zip(row, linear)), 0), 1) for row in sight)
    white = ((0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505, 0.2126 * red + 0.7152 * green + 0.0722 * blue,
             (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.089)
    x, y, z = (t ** (1 / 3) if t > 0.008856 else 7.787 * t + 16 / 116 for t in white)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def test_colours_stay_apart():
    """What threads spend time on is told apart by its colours alone, whatever cones an eye lacks."""
    drawn = ("user", "system", "ready", "lock", "condition", "barrier", "mpi", "openmp", "io", "idle", "sleep", "other")
    for name, theme in themes().items():
        for who, sight in SIGHT.items():
            seen = {d: lightness_and_hue(theme[d], sight) for d in drawn}
            for one, other in itertools.combinations(drawn, 2):
                distance = math.dist(seen[one], seen[other])
                expect(distance >= 15, "%s and %s, %s theme, %s: %.1f apart", one, other, name, who, distance)


# ---- in a browser

VISIBLE_PLOTS = """return [...document.querySelectorAll('svg[role=img]')].filter(s => s.checkVisibility()).map(s => { const r = s.getBoundingClientRect();
    return [s.querySelector('title').textContent, r.width, r.height, s.querySelectorAll('rect,path,line').length]; })"""


def network_requests(one):
    """Addresses that the page asked for, itself excepted."""
    asked = []
    for entry in one.logs("performance"):
        message = json.loads(entry["message"])["message"]
        if message["method"] == "Network.requestWillBeSent":
            asked.append(message["params"]["request"]["url"])
    return [a for a in asked if not a.endswith("report.html") and not a.startswith(("data:", "chrome"))]


@full
def test_page_in_a_browser():
    """It loads without a word on the console and without asking for anything; each plot is there; dark is dark; it prints."""
    path = make_page(run("holder", ["mutex", 3]))
    with browser.Browser() as one:
        one.emulate("light")
        one.open(path)
        expect_equal("console", one.logs(), [])
        expect_equal("requests", network_requests(one), [])
        expect_equal("resources", one.run("return performance.getEntriesByType('resource').length"), 0)
        plots = one.run(VISIBLE_PLOTS)
        expect(len(plots) >= 5, "only %d plots are visible", len(plots))
        for title, width, height, shapes in plots:
            expect(width > 0 and height > 0 and shapes > 0, "the plot %s is %g x %g with %d shapes", title, width, height, shapes)
        expect_equal("too wide for the window", one.run("return document.documentElement.scrollWidth > innerWidth"), False)
        light = one.run("return getComputedStyle(document.body).backgroundColor")
        one.emulate("dark")
        dark = one.run("return getComputedStyle(document.body).backgroundColor")
        expect_equal("background, light and dark", (light, dark), ("rgb(255, 255, 255)", "rgb(19, 23, 28)"))
        one.emulate("dark", "print")
        expect_equal("background in print", one.run("return getComputedStyle(document.body).backgroundColor"), light)
        shown = one.run("return [...document.querySelectorAll('nav, .tools')].filter(e => e.getClientRects().length).length")
        expect_equal("controls in print", shown, 0)
        graphs = one.run("return [...document.querySelectorAll('#flame figure')].map(f => f.getClientRects().length)")
        expect_equal("measures in print", [g > 0 for g in graphs], [True] * 3)
        expect(one.print_pdf().startswith(b"%PDF"), "it does not print")
        expect_equal("console", one.logs(), [])


@full
def test_page_fits_a_telephone():
    """On 360 pixels nothing but what scrolls by itself is wider than the window."""
    path = make_page(run("holder", ["mutex", 3]))
    with browser.Browser() as one:
        one.devtools("Emulation.setDeviceMetricsOverride", width=360, height=740, deviceScaleFactor=1, mobile=False)
        one.open(path)
        expect(one.run("return document.documentElement.scrollWidth") <= 360, "the page is wider than the window")


CUT_OFF = """return [...document.querySelectorAll(arguments[0])].filter(e => e.getClientRects().length)
    .filter(e => e.getBoundingClientRect().right > arguments[1] + 1).map(e => e.textContent.slice(0, 60))"""


@full
def test_nothing_is_cut_off_on_paper_and_telephones():
    """On paper, where nothing scrolls, each column is on the page; captions are as wide as a narrow window at most."""
    pages = [make_page(run(*words), "--top", "0") for words in (("holder", ["mutex", 3]), ("phases", ["wrapped"]))]
    with browser.Browser() as one:
        for path in pages:
            one.emulate("light", "screen")
            one.devtools("Emulation.setDeviceMetricsOverride", width=400, height=740, deviceScaleFactor=1, mobile=False)
            one.open(path)
            expect_equal("captions beyond the window", one.run(CUT_OFF, "caption, figcaption, h2, .legend li", 400), [])
            # A4 inside its margins
            one.devtools("Emulation.setDeviceMetricsOverride", width=688, height=1010, deviceScaleFactor=1, mobile=False)
            before = one.run(CUT_OFF, "th, td", 688)
            expect(before, "no table is wider than paper on the screen: what is tested?")
            one.emulate("light", "print")
            expect_equal("cells beyond the paper", one.run(CUT_OFF, "th, td", 688), [])


@full
def test_search_in_the_flame_graph():
    """What the search says it found is what it marks, and the time of a routine that it sums is the JSON's total."""
    one = run("routines")
    total = {}
    for row in one.report["routines"]:
        total.setdefault(row["name"], row["total_seconds"])
    name = max((n for n in total if sum(n in other for other in total) == 1 and n[0].isalpha() and n != "main"), key=total.get)
    hidden = 0.01 * one.report["run"]["cpu_seconds"]  # boxes below 0.1 % are not there
    with browser.Browser() as page:
        page.open(make_page(one))
        for word in (name, "recursive_work"):
            page.run("const i = document.querySelector('.tools input'); i.value = arguments[0]; i.dispatchEvent(new Event('input'))",
                     word)
            found = page.run("return {...document.getElementById('flame-found').dataset}")
            marked = page.run("return [...document.querySelectorAll('#flame-cpu .hit > title')].map(t => t.textContent)")
            expect(int(found["count"]) == len(marked) > 0, "%s: %s found, %d marked", word, found["count"], len(marked))
            expect(all(word in m.split("\n")[0] for m in marked), "%s marks %s", word, marked[:3])
            expect_between("time of %s" % word, int(found["ns"]) / 1e9, total[word] - hidden, total[word], 0, 1e-6)
        page.run("const i = document.querySelector('.tools input'); i.value = '[no such]'; i.dispatchEvent(new Event('input'))")
        expect_equal("nothing found", page.run("return document.getElementById('flame-found').dataset.count"), "0")
        expect_equal("console", page.logs(), [])


@full
def test_zoom_and_keys():
    """A click widens a box to the whole; keys do what the pointer does; each measure has its tab."""
    widths = """return [...document.querySelectorAll('#flame-cpu .flame-graph > svg')].filter(b => b.style.display !== 'none')
        .map(b => [b.querySelector('title').textContent.split(' ')[0].split('\\n')[0], parseFloat(b.getAttribute('width'))])"""
    key = """document.querySelector('#flame-cpu .flame-graph').dispatchEvent(
        new KeyboardEvent('keydown', {key: arguments[0], bubbles: true}))"""
    with browser.Browser() as page:
        page.open(make_page(run("routines")))
        before = page.run(widths)
        page.run("""[...document.querySelectorAll('#flame-cpu .flame-graph > svg')].find(b => b.querySelector('title').textContent
            .startsWith('recursive_work')).querySelector('rect').dispatchEvent(new MouseEvent('click', {bubbles: true}))""")
        zoomed = dict(page.run(widths))
        expect_near("width of the box", zoomed["recursive_work"], 100, 0, 0.01)
        expect_near("width of its caller", zoomed["main"], 100, 0, 0.01)
        expect(len(zoomed) < len(dict(before)), "nothing was hidden")
        expect_equal("reset", page.run("return document.querySelector('.tools > button').disabled"), False)
        page.run("document.querySelector('.tools > button').click()")
        expect_equal("boxes after the reset", page.run(widths), before)
        for name in ("ArrowDown", "Enter"):
            page.run(key, name)
        expect(page.run("return document.querySelector('#flame .status').textContent") != "", "keys tell nothing")
        expect(page.run("return document.querySelectorAll('#flame-cpu .focus').length") == 1, "no box has the focus")
        page.run(key, "Escape")
        expect_equal("boxes after Escape", page.run(widths), before)
        page.run("document.querySelectorAll('#flame [role=tab]')[2].click()")
        shown = page.run("return [...document.querySelectorAll('#flame figure')].map(f => f.getClientRects().length > 0)")
        expect_equal("measures shown", shown, [False, False, True])
        expect_equal("console", page.logs(), [])


@full
def test_tables_are_sorted():
    """A click on a title sorts by the figures behind the texts, and a second one the other way."""
    figures = "return [...document.querySelectorAll('#routines table')].pop().tBodies[0].rows[0].cells.length"
    column = """const table = [...document.querySelectorAll('#routines table')].pop();
        const heads = [...table.tHead.rows[0].cells], at = heads.findIndex(h => h.textContent === 'total');
        heads[at].querySelector('button').click();
        return [heads[at].getAttribute('aria-sort'), [...table.tBodies[0].rows].map(r => Number(r.cells[at].dataset.v))]"""
    with browser.Browser() as page:
        page.open(make_page(run("routines")))
        expect(page.run(figures) > 3, "the table has no columns")
        direction, values = page.run(column)
        expect_equal("direction", direction, "descending")
        expect_equal("order", values, sorted(values, reverse=True))
        direction, values = page.run(column)
        expect_equal("direction", direction, "ascending")
        expect_equal("order", values, sorted(values))


def nodes(one, selector):
    root = one.devtools("DOM.getDocument")["root"]["nodeId"]
    return one.devtools("DOM.querySelectorAll", nodeId=root, selector=selector)["nodeIds"]


@full
def test_without_script():
    """With script switched off all plots and tables are there, all three measures of the flame graph among them."""
    with browser.Browser() as one:
        one.devtools("Emulation.setScriptExecutionDisabled", value=True)
        one.open(make_page(run("holder", ["mutex", 3])))
        expect_equal("what only script makes", nodes(one, ".tools, .js"), [])
        for selector in ("#overview svg.timeline", "#threads svg.plot", "#flame-cpu svg.flame-graph", "#flame-waits svg.flame-graph",
                         "#routines table", "#synchronization table", "#threads table"):
            found = nodes(one, selector)
            expect(found, "there is no %s", selector)
            box = one.devtools("DOM.getBoxModel", nodeId=found[-1])["model"]
            expect(box["width"] > 0 and box["height"] > 0, "%s is %d x %d", selector, box["width"], box["height"])


@full
def test_hostile_names():
    """Threads, programs and arguments named like markup stay text: nothing of them runs, or becomes an element."""
    directory = os.path.join(scratch(), "<img src=x onerror=alert(1)>")
    os.mkdir(directory)
    program = os.path.join(directory, "<b>hostile")
    shutil.copy(built("hostile"), program)
    one = run(program, ["</title><script>alert(2)</script>", "\"onload=\"alert(3)", "'--></style>"])
    path = make_page(one, "--top", "0")
    page = check_form(path)
    text = page.root.text()
    for name in ("<script>x()", "</script><b>", "</style>\"'&amp;", "<img src=x>", "</title><script>alert(2)</script>",
                 "\"onload=\"alert(3)", "'--></style>"):
        expect(name in text, "the page lacks %s", name)
    expect_equal("scripts", len(list(page.root.all("script"))), 1)
    for element in walk(page.root):
        expect(element.name not in ("img", "b", "iframe", "object") or element.attributes.get("src") is None, "<%s>", element.name)
        expect(not any(a.startswith("on") for a in element.attributes), "<%s> has %s", element.name, element.attributes)
    page_text = read(path)
    for control in "\x01\x1b\u202e":
        expect(control not in page_text, "the page holds U+%04X", ord(control))
    with browser.Browser() as view:
        view.open(path)
        expect_equal("console", view.logs(), [])
        expect_equal("elements made of names", view.run("return document.querySelectorAll('img, script').length"), 1)
        expect_equal("title", view.run("return document.title.includes('</title><script>')"), True)


@full
def test_many_processes():
    """A run of 1,000 processes is a page of bounded size, which says what it leaves out, and costs little more than the JSON."""
    small = run("holder", ["mutex", 3])
    small.profiled
    many = os.path.join(scratch(), "many")
    result = execute([built("multiply_profiles"), small.directory, "1000", many])
    expect_equal("status of multiply_profiles", result.status, 0)

    def cpu_of(work):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        value = work()
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, value

    page_cpu, path = cpu_of(lambda: make_page(many))
    json_cpu, report = cpu_of(lambda: report_json(many))
    size = os.path.getsize(path)
    expect_equal("processes", len(report["processes"]), 1000)
    expect(size < 1 << 20, "the page has %d bytes", size)
    expect(page_cpu < 3 * json_cpu + 0.5, "the page took %.2f s of CPU time, the JSON %.2f s", page_cpu, json_cpu)
    page = check_form(path)
    expect("and 900 more" in page.section("processes").text(), "it does not say how many processes it leaves out")
    expect_equal("rows of processes", len(page.table("processes", "Process")), 100)
    for svg in page.root.all("svg"):
        expect(len(svg.children) <= 1300, "a plot has %d parts", len(svg.children))


def test_empty_and_incomplete_runs():
    """A program that does nothing, and one that was killed: the page is whole, and says what is missing."""
    one = run("/bin/true")
    page = check_form(make_page(one))
    expect_equal("findings of a program that does nothing", len(list(page.section("findings").all("li"))), len(one.report["findings"]))
    one = run("death", ["kill"])
    one.profiled
    result = execute([REPORT, "--format", "html", one.directory])
    expect_equal("status", result.status, one.report["report_status"])
    expect(result.stdout.endswith(b"</html>\n"), "the page on standard output is cut off")
    for note in one.report["notes"]:
        expect(note in html.unescape(result.stdout.decode()), "the page lacks the note %s", note)

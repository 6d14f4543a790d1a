# SPDX-License-Identifier: MIT
"""Plots of a page without a browser: where bars begin and end, what they are made of, and that a legend has what occurs."""
import re

import mpi_job
from pages import Page, check_form, make_page, walk
from support import expect, expect_between, expect_equal, expect_near, run

BESIDE = True  # no case asserts a time

AXIS, PARTS = (26, 44), (74, 26)  # left edge and width of the two lanes of a lifetime, in percent
VISIBLE = 0.001  # of a lane: what is shorter is not drawn


def percent(element, name):
    return float(element.attributes[name].rstrip("%"))


def classed(plot, *names):
    return [r for r in plot.all("rect") if r.attributes["class"] in names]


def title(element):
    return next(element.all("title")).text()


def plot_of(page, section):
    return next(s for s in page.section(section).all("svg") if s.attributes.get("class") == "plot")


def lifetimes(page):
    """[(name, life, [part])] of the plot, from top to bottom; life and parts are elements."""
    plot = plot_of(page, "threads")
    names = {float(s.attributes["y"]): s.text() for s in plot.all("svg") if next(s.all("text")).attributes["class"] == "name"}
    lives = {float(r.attributes["y"]) - 3: r for r in classed(plot, "life")}
    expect_equal("rows with a life", sorted(lives), sorted(names))
    parts = {y: [r for r in plot.all("rect") if float(r.attributes["y"]) == y + 3 and r.attributes["class"] not in ("life", "track")]
             for y in names}
    return [(names[y], lives[y], parts[y]) for y in sorted(names)]


def check_lifetimes(page, report):
    """Each bar lies where the JSON says that the thread lived; what it went on are shares of its lifetime, of full width."""
    rows = [(r["name"][0], r["begin"][1], r["lifetime"][1]) for r in page.table("threads", "Lifetimes")]
    expect_equal("rows of the table and threads", sorted((b, e) for _, b, e in rows),
                 sorted((t["begin_seconds"], t["elapsed_seconds"]) for t in report["threads"]))
    bars = lifetimes(page)
    expect_equal("bars", len(bars), min(40, len(rows)))
    elapsed = report["run"]["elapsed_seconds"]
    lives = [((percent(life, "x") - AXIS[0]) / AXIS[1] * elapsed, percent(life, "width") / AXIS[1] * elapsed) for _, life, _ in bars]
    expect_equal("order of the bars is that of their begin", lives, sorted(lives, key=lambda one: one[0]))
    known = {(round(b, 9), round(e, 9)) for _, b, e in rows}
    for begin, length in lives:
        expect(any(abs(begin - b) <= 1e-5 * elapsed and abs(length - e) <= 1e-5 * elapsed for b, e in known),
               "no thread lived from %.9f s on for %.9f s", begin, length)
    for name, _, parts in bars:
        expect_between("parts of the lifetime of %s" % name, sum(percent(p, "width") for p in parts), PARTS[1] * (1 - 12 * VISIBLE),
                       PARTS[1], 0, 0.01)
        expect(all(percent(p, "x") >= PARTS[0] for p in parts), "a part of %s lies on the axis of time", name)
    return bars


def test_lifetimes_lie_on_one_axis():
    """A process that begins when another one has ended is drawn behind it; the axis ends where the run does."""
    one = run("/bin/sh", ["-c", "sleep 0.1; sleep 0.05; sleep 0.05"])
    page = check_form(make_page(one, "--top", "0"))
    bars = check_lifetimes(page, one.report)
    names = [name.split()[-1] for name, _, _ in bars]
    expect_equal("processes, in the order of their begin", names, ["sh", "sleep", "sleep", "sleep"])
    ends = [percent(life, "x") + percent(life, "width") for _, life, _ in bars]
    for i in (2, 3):
        expect(percent(bars[i][1], "x") >= ends[i - 1], "the %s. sleep begins before the one before it ends", i)
    expect_near("end of the shell", ends[0], sum(AXIS), 0, 0.01)
    begins = [t["begin_seconds"] for t in one.report["threads"]]
    expect(begins[0] == 0 and begins[2] >= 0.1 and begins[3] >= begins[2] + 0.05, "the processes began at %s", begins)
    labels = [t.text() for t in plot_of(page, "threads").all("text") if t.attributes["class"].startswith("muted")]
    expect_equal("words and the first label of the axis", labels[:3], ["when", "on what", "0 s"])
    expect("on the axis of the run's elapsed time" in page.section("threads").text(), "the caption does not say what the axis is")


def test_threads_begin_within_their_process():
    """Threads of one process: bars, shares, and names, of which those that repeat have the number in front."""
    one = run("holder", ["mutex", 3])
    page = Page(make_page(one, "--top", "0"))
    bars = [name for name, _, _ in check_lifetimes(page, one.report)]
    rows = [(row["name"][0], row["tid"][0]) for row in page.table("threads", "Lifetimes")]
    names = [name for name, _ in rows]
    expect(len(names) - len(set(names)) >= 2, "all threads have different names: %s", names)
    expect_equal("names of bars", sorted(bars), sorted("%s %s" % (tid, name) if names.count(name) > 1 else name for name, tid in rows))


def test_threads_that_share_a_row():
    """Of many short threads one after the other the page says that it draws the last one; when they began is not known."""
    one = run("lives", ["short", 2000])
    page = Page(make_page(one, "--top", "0"))
    shared = [t for t in one.report["threads"] if t["lives"] > 1]
    expect(shared and all(t["begin_seconds"] is None for t in shared), "no row is shared: what is tested?")
    expect("Of threads that share a row the last one is drawn." in page.section("threads").text(), "the caption does not say so")
    said = [title(life) for name, life, _ in lifetimes(page) if "threads)" in name]
    expect(said and all("the last of them" in text for text in said), "titles: %s", said[:3])
    expect_equal("begins", {r["begin"][0] for r in page.table("threads", "Lifetimes") if "threads)" in r["name"][0]}, {"?"})


def legend_of(plot):
    legends = [e for e in walk(plot.parent) if e.name == "ul" and e.attributes.get("class") == "legend"]
    return [next(key.all("rect")).attributes["class"] for legend in legends for key in legend.all("li")]


def test_legends_have_what_occurs():
    """Each colour of a plot of bars is in its legend, and no other one."""
    for path in (make_page(run("holder", ["mutex", 3])), make_page(run("/bin/true"))):
        page = Page(path)
        plots = [s for s in page.root.all("svg") if s.attributes.get("class") == "plot"]
        expect(plots, "the page has no bars")
        for plot in plots:
            drawn = {r.attributes["class"] for r in plot.all("rect")} - {"track", "life"}
            expect_equal("colours of the legend", sorted(legend_of(plot)), sorted(drawn))


def test_ready_time_of_ranks():
    """Below the bar of a rank lies how long its threads were ready, on the scale of the bar; the bar itself has the other times."""
    job = mpi_job.Job("openmpi", 3, [mpi_job.built("openmpi", "traffic_use")])
    ranks = {r["rank"]: r for r in job.report["mpi"]["ranks"]}
    page = check_form(make_page(job.directory))
    plot = plot_of(page, "ranks")
    for colour, key in (("mpi", "mpi_seconds"), ("ready", "ready_seconds"), ("user", "useful_seconds")):
        widths = {int(title(r).split("\n")[0].split()[1]): percent(r, "width") for r in classed(plot, colour)}
        largest = max(ranks, key=lambda rank: ranks[rank][key])
        scale = 74 / max((r["elapsed_seconds"] * r["units"]) for r in ranks.values())
        expect(largest in widths or ranks[largest][key] * scale < 0.08, "no rank has %s", colour)
        for rank, width in widths.items():
            expect_near("%s of rank %d" % (key, rank), width, ranks[rank][key] * scale, 0.01, 0.02)


def facts_of(page, section):
    names = [e.text() for e in page.section(section).all("dt")]
    return dict(zip(names, [e.text() for e in page.section(section).all("dd")]))


def test_figures_stand_once():
    """The command is the heading and no fact besides; efficiency and processors stand in large type; the text has all three."""
    one = run("holder", ["mutex", 3])
    page = check_form(make_page(one))
    facts = facts_of(page, "overview")
    expect_equal("facts that are elsewhere on the page", {"command", "efficiency"} & set(facts), set())
    expect({"run", "size", "time"} <= set(facts), "facts: %s", sorted(facts))
    expect_equal("heading", next(page.root.all("h1")).text(), one.report["run"]["command"])
    large = {next(e.all("span")).text(): next(e.all("b")).text() for e in walk(page.section("overview")) if e.name == "div" and
             any(c.name == "b" for c in e.children)}
    line = re.search(r"^  efficiency +(\S+ %): (\S+ of \d+) processors in use", one.text, re.M)
    expect(line, "the text does not have the efficiency")
    expect_equal("efficiency and processors", (large["efficiency"], large["processors in use"]), line.groups())


def test_efficiency_of_a_job_stands_once():
    """The three efficiencies of a job are bars with their figures, and no fact besides."""
    job = mpi_job.Job("openmpi", 3, [mpi_job.built("openmpi", "traffic_use")])
    efficiency = job.report["mpi"]["efficiency"]
    page = check_form(make_page(job.directory))
    expect("parallel" not in facts_of(page, "mpi"), "facts: %s", facts_of(page, "mpi"))
    names = [t.text() for t in plot_of(page, "mpi").all("text")]
    expect_equal("bars", [name.rstrip(" %0123456789.~\u00b1") for name in names], ["parallel efficiency", "load balance", "communication"])
    widths = [percent(r, "width") for r in classed(plot_of(page, "mpi"), "user")]
    expect_near("width of the parallel efficiency", widths[0], 74 * efficiency["parallel"], 0, 0.01)

# SPDX-License-Identifier: MIT
"""Call trees below the flame graphs of a page: the rows of the sections tree and wait_tree, to fold without a script."""
import re

import browser
from pages import check_form, make_page
from support import expect, expect_equal, full, report_json, run

BESIDE = True  # no case asserts a time


def lines_of(element, depth=0):
    """[(depth, name, total, self)] of a disclosure or what it holds; None: an empty cell."""
    found = []
    for child in element.children:
        is_leaf = child.attributes.get("class") == "leaf"
        if child.name == "summary" and element.attributes.get("class") != "tree" or is_leaf:
            total, _, own, name = child.children
            figures = [float(cell.attributes["data-v"]) if "data-v" in cell.attributes else None for cell in (total, own)]
            found.append((depth - (not is_leaf), name.text(), *figures))
        found += lines_of(child, depth + (child.name == "details"))
    return found


def tree_of(page, measure):
    figure = next(f for f in page.root.all("figure") if f.attributes.get("id") == "flame-" + measure)
    tree = next(d for d in figure.all("details") if d.attributes.get("class") == "tree")
    return lines_of(tree)


def check_tree(page, report, measure, section):
    lines, rows = tree_of(page, measure), report[section]["rows"]
    expect(len(rows) > 3, "%s has %d rows: what is tested?", section, len(rows))
    expect_equal("depths of the lines of %s" % section, [line[0] for line in lines], [row["depth"] for row in rows])
    for (_, name, total, own), row in zip(lines, rows):
        expect_equal("name", re.sub(r" \((\d+ levels|again)\)$", "", name), row["routine"] or "all threads")
        expect_equal("self time of %s" % name, own or 0, row["self_seconds"])
        above = rows[row["parent"]]["total_seconds"] if row["parent"] is not None else None
        expect_equal("total of %s" % name, above if total is None else total, row["total_seconds"])


def test_lines_are_those_of_the_section():
    """All lines, in their order, as deep as they were called, with the section's figures; an empty total is the one above."""
    one = run("holder", ["mutex", 3])
    one.profiled
    report = report_json(one.directory, "--section", "tree,wait_tree")
    page = check_form(make_page(one, "--top", "0"))
    check_tree(page, report, "cpu", "tree")
    check_tree(page, report, "waits", "wait_tree")


@full
def test_trees_fold():
    """A line shows what its routine called when it is asked to, by the mouse or by the keyboard, and not before; no script needed."""
    shown = "return [...arguments[0].querySelectorAll('.name')].filter(n => n.checkVisibility()).length"
    tree = "const tree = document.querySelector('#flame-cpu .tree'); "
    with browser.Browser() as one:
        one.open(make_page(run("routines")))
        count = tree + shown.replace("arguments[0]", "tree")
        expect_equal("lines before", one.run(count), 0)
        one.run(tree + "tree.open = true")
        all_lines = one.run(count)
        expect(all_lines > 3, "the open tree shows %d lines", all_lines)
        one.run(tree + "tree.querySelector(':scope > div summary').click()")
        expect_equal("lines of the folded tree: the head and the whole", one.run(count), 2)
        expect_equal("focus", one.run(tree + "const s = tree.querySelector(':scope > div summary'); s.focus(); return document.activeElement === s"), True)
        one.run(tree + "tree.querySelector(':scope > div summary').click()")
        expect_equal("lines of the tree that is open again", one.run(count), all_lines)
        expect_equal("console", one.logs(), [])

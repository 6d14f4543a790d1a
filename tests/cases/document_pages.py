# SPDX-License-Identifier: MIT
"""Pages of the documentation: one that is in parts, as docs/report.md, is an index with a folder of its name, and is read as one text.
Each is short enough to be read, says at its top what it is, and is reached from the README or from a page that is."""
import glob
import os
import re

from support import ROOT, expect, expect_equal

BESIDE = True  # no case asserts a time

PAGE_MOST, README_MOST = 400, 120  # lines


def read(page):
    with open(os.path.join(ROOT, page), encoding="utf-8") as file:
        return file.read()


def links(page):
    """Files to which it leads, as paths from the root, in their order."""
    for target in re.findall(r"\]\((?!https?:)([^)#\s]+)[^)\s]*\)", read(page)):
        yield os.path.normpath(os.path.join(os.path.dirname(page), target))


def parts(index):
    """The index, and the pages of its folder in the order in which it leads to them."""
    folder = index[:-len(".md")] + "/"
    return [index] + list(dict.fromkeys(page for page in links(index) if page.startswith(folder)))


def whole(index):
    return "\n".join(map(read, parts(index)))


def every_page():
    return sorted(os.path.relpath(path, ROOT) for path in glob.glob(os.path.join(ROOT, "docs", "**", "*.md"), recursive=True))


def test_pages_are_short():
    expect(len(every_page()) > 60, "pages: %d", len(every_page()))
    lengths = {page: read(page).count("\n") for page in ["README.md"] + every_page()}
    long = ["%s: %d lines" % (page, lines) for page, lines in lengths.items() if lines > (README_MOST if page == "README.md" else PAGE_MOST)]
    expect_equal("pages that are too long", long, [])


def test_pages_say_what_they_are():
    """A title, and a sentence below it or the command that it is about."""
    for page in every_page():
        title, empty, first = read(page).splitlines()[:3]
        expect(re.match(r"# \w", title) and not empty, "%s begins with %r", page, title)
        expect(re.match(r"[A-Z`\[]| {4}ptrace-|- \[", first), "%s has below its title: %r", page, first)


def test_each_part_is_in_its_index():
    for page in every_page():
        folder = page[:-len(".md")]
        if os.path.isdir(os.path.join(ROOT, folder)):
            found = sorted(other for other in every_page() if other.startswith(folder + "/"))
            expect_equal("pages to which %s leads" % page, sorted(parts(page)[1:]), found)


def test_each_page_is_reached_from_the_readme():
    reached, left = set(), ["README.md"]
    while left:
        page = left.pop()
        if page not in reached:
            reached.add(page)
            left += [other for other in links(page) if other.endswith(".md") and os.path.exists(os.path.join(ROOT, other))]
    expect_equal("pages to which nothing leads", [page for page in every_page() if page not in reached], [])


def test_terms_of_the_glossary_are_on_their_pages():
    """Each word of a term, on the page to which its line leads; in the order of the alphabet."""
    rows = re.findall(r"^\| (.+?) \| .+? \| \[.*?\]\((.*?)\) \|$", read("docs/glossary.md"), re.M)
    expect(len(rows) > 45, "terms: %d", len(rows))
    terms = [term.lower() for term, _ in rows]
    expect_equal("terms", terms, sorted(terms))
    for term, page in rows:
        for word in re.split(r", | and ", re.sub(r" \(.*?\)", "", term)):
            expect(word.lower() in read("docs/" + page).lower(), "docs/%s does not have %s", page, word)

# SPDX-License-Identifier: MIT
"""What README and the pages for users write is so: options, sections, formats and findings exist, links lead somewhere, headlines of
reports are today's, files for other programs can be read, and words are explained where they are first used. What is written for who
works on the code is short enough to be read."""
import json
import os
import re

from document_pages import every_page, parts
from page_commands import PAGES, commands, read, words_of
from first_screens import stored
from support import BUILD, ROOT, execute, expect, expect_equal, part_skipped

BESIDE = True  # no case asserts a time


def written_calls(page):
    """Words of each call of ours that a page shows, in a command or between backticks."""
    texts = [c.text for c in commands(page)]
    if not page.endswith(".1"):
        texts += re.findall(r"`([^`\n]*ptrace-\w+ [^`\n]*)`", re.sub(r"```.*?```", "", read(page), flags=re.S))
    for text in texts:
        yield from words_of(text)


def help_of(program, _known={}):
    if program not in _known:
        _known[program] = execute([os.path.join(BUILD, "bin", program), "--help"]).stdout.decode()
    return _known[program]


def test_options_sections_and_formats_exist():
    """Also those of calls that are not run, and of those in the middle of a text."""
    report = os.path.join(BUILD, "bin", "ptrace-report")
    sections = set(re.findall(r"^  (\w+) ", execute([report, "--section", "help"]).stdout.decode(), re.M))
    checked = 0
    for page in PAGES + parts("docs/troubleshooting.md"):
        for program, *words in written_calls(page):
            own = words[:next((i for i, w in enumerate(words) if program == "ptrace-run" and w[:1] in "./" or w == "--"), len(words))]
            for at, word in enumerate(own):
                if re.fullmatch(r"--[a-z-]+", word):
                    checked += 1
                    expect(re.search(r"%s\b" % word, help_of(program)), "%s: %s has no %s", page, program, word)
                value = own[at + 1] if at + 1 < len(own) else ""
                if word == "--section" and re.fullmatch(r"[a-z_,]+", value):
                    expect(set(value.split(",")) <= sections, "%s: sections %s", page, value)
                if word == "--format" and re.fullmatch(r"[a-z]+", value):
                    expect(re.search(r"\b%s\b" % value, help_of(program)), "%s: %s has no format %s", page, program, value)
        check_names(page, sections)
    expect(checked > 60, "options on the pages: %d", checked)


def check_names(page, sections):
    """Sections and findings that a page names in its text."""
    text = read(page)
    findings = set(re.findall(r'^RULE\("([a-z-]+)"', read("analyze/findings/rules/finding_rules.def"), re.M))
    named = re.findall(r"--section ([a-z_,]+)", text) + re.findall(r"[Ss]ections? ((?:`\w+`(?:, | and )?)+)", text)
    for name in re.findall(r"\w+", " ".join(named).replace(" and ", " ")):
        expect(name in sections | {"help", "NAME"}, "%s: there is no section %s", page, name)
    for name in re.findall(r"`([a-z-]+)`", " ".join(re.findall(r"findings? ((?:`[a-z-]+`(?:, )?)+)", text))):
        expect(name in findings, "%s: there is no finding %s", page, name)


def test_words_are_explained_where_they_are_first_used():
    """T_i and CEFF, on each page for users that has them; the glossary does nothing else."""
    seen = 0
    for page in ["README.md"] + [p for p in every_page() if not p.startswith("docs/dev/") and p != "docs/glossary.md"]:
        for word, meaning in ("T_i", r"T_i(?:,|\s+is)\s+the\s+time"), ("CEFF", r"CEFF,\s+the\s+concurrency\s+efficiency"):
            first = read(page).find(word)
            seen += first >= 0
            expect(first < 0 or re.match(meaning, read(page)[first:]), "%s uses %s before it says what it is", page, word)
    expect(seen >= 25, "words on the pages: %d", seen)


def test_files_of_other_programs_are_whole():
    """What is to be copied into files of YAML and JSON can be read as such."""
    for page in "docs/recipes.md", "docs/ci.md", "docs/containers.md":
        for text in re.findall(r"```json\n(.*?)```", read(page), re.S):
            json.loads(text)
    try:
        import yaml
    except ImportError:
        part_skipped("no module yaml")
        return
    for page in "docs/recipes.md", "docs/ci.md", "docs/containers.md":
        for text in re.findall(r"```yaml\n(.*?)```", read(page), re.S):
            expect(isinstance(yaml.safe_load(text), dict), "%s: %s", page, text)


def headlines_of_sources():
    """All text of the analyzer's sources, in which a headline of a section can be looked for."""
    text = ""
    for folder, _, names in os.walk(os.path.join(ROOT, "analyze")):
        for name in sorted(n for n in names if n.endswith((".c", ".def"))):
            with open(os.path.join(folder, name)) as file:
                text += re.sub(r'"\s*\n\s*"', "", file.read())
    return text.replace('\\"', '"')


def test_headlines_of_pasted_reports_are_todays():
    """Lines `@ section: ...` on any page, as far as they have no figures in them."""
    sources, seen = headlines_of_sources(), 0
    for page in PAGES + every_page():
        for line in re.findall(r"^ *@ \w+: (.+)$", read(page).replace("\\-", "-"), re.M):
            part = max(re.split(r"\s*[\d%.]*\d[\d%.]*\s*|\.\.\.", line), key=len).strip()
            seen += 1
            expect(part in sources, "%s has %r, which no source says", page, part)
    expect(seen > 60, "headlines: %d", seen)


def test_links_lead_somewhere():
    """Files and headings to which README and all pages lead; a link that is called as a page leads there."""
    for page in ["README.md"] + every_page():
        for target in re.findall(r"\]\(([^)\s]+)\)", read(page)):
            path, _, anchor = target.partition("#")
            path = os.path.normpath(os.path.join(os.path.dirname(page), path)) if path else page
            expect(os.path.exists(os.path.join(ROOT, path)), "%s: there is no %s", page, path)
            if anchor:
                titles = {re.sub(r"[^\w\- ]", "", t.lower()).replace(" ", "-") for t in re.findall(r"^#+ (.*)$", read(path), re.M)}
                expect(anchor in titles, "%s: %s has no heading %s, but %s", page, path, anchor, sorted(titles))
        for label, path in re.findall(r"\[([\w/-]+\.md)\]\(([^)#\s]+)", read(page)):
            expect(path.endswith(label), "%s: %s leads to %s", page, label, path)


PARAGRAPH_MOST = 12  # lines
LINE_MOST = 120  # columns; of a table's row any number


def paragraphs(text):
    """(line where it begins, its lines): what is no heading, table or code."""
    for found in re.finditer(r"(?:^(?!\||#| {4}).+\n?)+", text, re.M):
        yield text.count("\n", 0, found.start()) + 1, found.group().splitlines()


def test_paragraphs_of_the_architecture_are_short():
    """One idea each; what needs more lines is two paragraphs, or more."""
    expect_equal("paragraphs", [(line, len(lines)) for line, lines in paragraphs("a\nb\n\n| c |\n    d\n# e\nf")], [(1, 2), (7, 1)])
    found = [(page, *found) for page in parts("docs/dev/architecture.md") for found in paragraphs(read(page))]
    expect(len(found) > 100, "paragraphs: %d", len(found))
    for page, line, lines in found:
        expect(len(lines) <= PARAGRAPH_MOST, "%s:%d: a paragraph of %d lines: %s", page, line, len(lines), lines[0])


def written_for_the_house():
    yield from every_page()
    for house in "common", "include", "preload", "analyze", "scripts", "tests":
        for folder, _, names in os.walk(os.path.join(ROOT, house)):
            if "README" in names:
                yield os.path.relpath(os.path.join(folder, "README"), ROOT)


def test_lines_of_pages_and_rooms_fit_on_a_screen():
    """Those of the rooms' READMEs, too; rows of tables may be longer."""
    pages = list(written_for_the_house())
    expect(len(pages) > 40, "pages: %s", pages)
    for page in pages:
        for number, line in enumerate(read(page).splitlines(), 1):
            expect(len(line) <= LINE_MOST or line.startswith("|"), "%s:%d: %d columns: %s", page, number, len(line), line)


def test_each_section_names_its_page():
    """--explain: the page has a heading with the section's name, and all pages of the report are named."""
    sections = re.findall(r"^  (\w+) ", execute([os.path.join(BUILD, "bin", "ptrace-report"), "--section", "help"]).stdout.decode(), re.M)
    asked = ["--width", "200", "--explain", "--section", ",".join(sections), stored("threads")]
    printed = execute([os.path.join(BUILD, "bin", "ptrace-report"), *asked]).stdout.decode()
    named = dict(re.findall(r"^@ (\w+): .*?\n  \| .*?(docs/\S+\.md)\s+defines\s+each\s+figure", printed, re.M | re.S))
    expect_equal("sections", sorted(named), sorted(sections))
    for section, page in named.items():
        titles = re.findall(r"\w+", " ".join(re.findall(r"^##* (.*)$", read(page), re.M)))
        expect(section in titles or page == "docs/stuck.md", "%s: %s has no heading of it", section, page)
    expect_equal("pages", sorted(set(named.values()) - {"docs/stuck.md"}), sorted(parts("docs/report.md")[1:]))

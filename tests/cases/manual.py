# SPDX-License-Identifier: MIT
"""The manual pages: each program has one, with the options of its --help and no others, and all of them are well made."""
import datetime
import glob
import os
import re

from support import BUILD, ROOT, clean_environment, execute, expect, expect_equal, need

BESIDE = True  # no case asserts a time

PAGES = os.path.join(ROOT, "docs", "man")
# What mandoc says of the source's lines, not of the page.
PASSED_OVER = "input text line longer than 80 bytes"


def programs():
    """The programs that are built, as make lists them: what is in the directory beside them may be older."""
    with open(os.path.join(ROOT, "Makefile")) as file:
        text = file.read()
    return sorted(set(re.findall(r"\bptrace-[a-z]+\b", " ".join(re.findall(r"^(?:ANALYZE_)?PROGRAMS +:= (.*)", text, re.M)))))


def page(program):
    with open(os.path.join(PAGES, program + ".1"), encoding="utf-8") as file:
        return file.read().replace("\\-", "-")


def section(text, name):
    match = re.search(r'^\.SH "?%s"?\n(.*?)(?=^\.SH |\Z)' % name, text, re.M | re.S)
    return match.group(1) if match else ""


def options_of_page(text):
    """Each name and letter that begins a paragraph of OPTIONS."""
    heads = re.findall(r"^\.T[PQ]\n(?:\.\w+ )?(.*)", section(text, "OPTIONS"), re.M)
    return set(re.findall(r"(?<![\w-])--?[a-z][\w-]*(?![\w-])|(?<![\w-])-[a-zA-Z](?!\w)", " ".join(h.replace("\\fI", "") for h in heads)))


def options_of_help(text):
    """Each name and letter at the begin of a row."""
    found = set()
    for letter, name in re.findall(r"^ +(?:(-\w), )?(--[\w-]+)", text, re.M):
        found |= {letter, name} - {""}
    return found


def asked(program, option):
    result = execute([os.path.join(BUILD, "bin", program), option], clean_environment())
    expect_equal("status of %s %s" % (program, option), result.status, 0)
    return result.stdout.decode()


def test_each_program_has_its_page():
    """And no page is of a program that there is not."""
    expect(len(programs()) >= 7, "programs in the Makefile: %s", programs())
    expect_equal("pages", sorted(os.path.basename(p)[:-2] for p in glob.glob(PAGES + "/*.1")), programs())


def test_pages_have_the_options_of_help():
    """In both directions, letters as well."""
    made = '.SH OPTIONS\n.TP\n.BR -o ", " --out " \\fIDIR\\fR"\nSee --not.\n.TQ\n.B --x-y\n'
    expect_equal("options of a made page", options_of_page(made), {"-o", "--out", "--x-y"})
    for program in programs():
        shown, described = options_of_help(asked(program, "--help")), options_of_page(page(program))
        expect({"-h", "--help", "-V", "--version"} <= shown, "%s --help shows %s", program, sorted(shown))
        expect(not shown - described, "%s.1 does not have %s", program, sorted(shown - described))
        expect(not described - shown, "%s --help does not have %s", program, sorted(described - shown))


def test_pages_have_the_values_of_options():
    """Formats, sections, presets: what shells complete is in the page."""
    seen = 0
    for program in programs():
        text = page(program)
        for row in asked(program, "--print-options").splitlines():
            option, _, _, values, _ = row.split("\t")
            lost = [v for v in values.split()[1:] if not re.search(r"(?<![\w-])%s(?![\w-])" % re.escape(v), text)]
            expect(not lost, "%s.1 does not have these values of %s: %s", program, option, lost)
            seen += len(values.split()) - 1
    expect(seen > 40, "values: %d", seen)


def test_pages_have_dates_and_see_each_other():
    """The heading has a date, and the version that the programs have; SEE ALSO has all other pages."""
    for program in programs():
        text = page(program)
        head = re.match(r'\.\\" SPDX.*\n\.TH ([A-Z-]+) 1 "(\d{4}-\d\d-\d\d)" "ptrace (\S+)" "User Commands"\n', text)
        expect(head, "%s.1 begins with %r", program, text[:120])
        expect_equal("name in the heading", head.group(1), program.upper())
        datetime.date.fromisoformat(head.group(2))
        expect_equal("--version of %s" % program, asked(program, "--version").strip(), "%s %s" % (program, head.group(3)))
        others = sorted(re.findall(r"^\.BR (ptrace-\w+) \(1\)", section(text, "SEE ALSO"), re.M))
        expect_equal("pages of ours in SEE ALSO of %s" % program, others, [p for p in programs() if p != program])
        expect(section(text, "NAME").startswith("%s - " % program), "%s.1 has the name %r", program, section(text, "NAME"))
        expect(section(text, "EXIT STATUS"), "%s.1 has no EXIT STATUS", program)


def test_the_page_of_the_header_belongs_to_the_others():
    """Its heading has the same version, it sees the programs that read what its calls tell, and these see it."""
    with open(os.path.join(PAGES, "ptrace.h.3"), encoding="utf-8") as file:
        text = file.read().replace("\\-", "-")
    head = re.match(r'\.\\" SPDX.*\n\.TH PTRACE\.H 3 "(\d{4}-\d\d-\d\d)" "ptrace (\S+)" "Library Functions Manual"\n', text)
    expect(head, "ptrace.h.3 begins with %r", text[:120])
    datetime.date.fromisoformat(head.group(1))
    expect_equal("its version", "ptrace-run %s" % head.group(2), asked("ptrace-run", "--version").strip())
    seen = re.findall(r"^\.BR (ptrace-\w+) \(1\)", section(text, "SEE ALSO"), re.M)
    expect_equal("pages that it sees", seen, ["ptrace-run", "ptrace-report"])
    for program in seen:
        expect(".BR ptrace.h (3)" in section(page(program), "SEE ALSO"), "%s.1 does not see ptrace.h(3)", program)
    expect_equal("pages of calls", glob.glob(PAGES + "/*.[2-9]"), [os.path.join(PAGES, "ptrace.h.3")])


def complaints(path):
    lines = execute([need("mandoc"), "-T", "lint", path]).stdout.decode().splitlines()
    return [line for line in lines if PASSED_OVER not in line]


def test_pages_are_well_made():
    """mandoc finds nothing in them, but much in what is no page."""
    for path in sorted(glob.glob(PAGES + "/*.[1-9]")):
        expect_equal("what mandoc says of %s" % os.path.basename(path), complaints(path), [])
    wrong = os.path.join(PAGES, "..", "..", "README.md")
    expect(complaints(wrong), "mandoc finds nothing in a page that is none")

# SPDX-License-Identifier: MIT
"""docs/troubleshooting.md has every message and every note of the sources, and no other."""
import glob
import os
import re

from document_pages import whole
from support import ROOT, expect

BESIDE = True  # no case asserts a time

# Where messages are written. Names of events, presets and formulas have docs/counters.md.
SOURCES = ("common/*.c", "scripts/run/*.c", "scripts/attach/*.c", "analyze/base/*.c", "analyze/read/*.c", "analyze/tables/*.c", "analyze/print/output.c",
           "analyze/programs/ptrace_report.c", "analyze/programs/incomplete.c", "analyze/programs/source_asked.c",
           "analyze/programs/side_by_side.c", "analyze/report/report_options.c", "analyze/model/run/run_notes.c", "analyze/model/run/run_end_notes.c",
           "analyze/model/run/run_symbol_notes.c", "analyze/model/run/run_clock_notes.c", "analyze/model/run/run_units.c", "analyze/model/run/conservation.c", "analyze/symbols/symbol_file.c",
           "analyze/symbols/symbol_lack.c", "analyze/symbols/source_text.c", "preload/file/vocabulary.h")
OF_EVENTS = re.compile(r"scripts/run/(asked_events|counter|event|preset_|formula|nearest)")
LITERAL = r'"(?:[^"\\\n]|\\.)*"'
MACRO = r"\b(?:PRI\w+|[A-Z][A-Z_]{3,})\b"
CONVERSION = re.compile(r"%[-+ #0]*(?:\d+|\*)?(?:\.(?:\d+|\*))?(?:hh|ll|[hlzj])?[diouxXeEfgGcs]|%(?!%)")
# What is no message: two words in a row make one, with what may stand between them.
TWO_WORDS = re.compile(r"[A-Za-z]{2}[',:;)]* +(?:\.\.\. +)?[(']*[a-z]{2}")
# Texts of options and their help; words in files; names of tables' columns; progress; words that are put into a message.
NO_MESSAGE = re.compile(r"""Usage:|Exit\ status:|Each\ option\ has|ptrace\ schema|ptrace-run\ (?:processors|job)|listing\ profiles
    |reading\ profiles|value\ first|room\ for\ every|the\ thread,\ and\ then|^the\ process$|^all\ processes$|standard\ output$
    |reason\ unknown$|seconds\ without\ progress|was\ killed\ by|ended\ with\ status|: its\ interpreter$|routines?\ were$
    |another\ machine$|[at].static-pie|statically\ linked$|given\ file|with\ (?:a|one)\ thread\ on|this\ format\ shows
    |files\ of\ \.\.\.\ bytes|\.\.\.\ bytes\ of\ addresses|attached\ to$|detached\ from$
    |^the\ (?:children\ that\ its\ caller|signals\ (?:that\ came|of\ its\ desc))|^its\ (?:scheduling,\ which|place\ |locks\ of\ files$)""", re.X)


def read(path):
    with open(os.path.join(ROOT, path)) as file:
        return file.read()


def without_comments(text):
    return re.sub(r"/\*.*?\*/|(%s)" % LITERAL, lambda m: m.group(1) or " ", text.replace("\\\n", " "), flags=re.S)


def vocabulary(text):
    """Of the words of the file format, only the notes are messages."""
    return text[text.index("#define NOTE_LIST"):text.index("enum note_code")]


def literals(text):
    """Texts of C as a reader sees them: literals and macros in a row are one, `...` for each conversion."""
    one = "(?:%s|%s)" % (LITERAL, MACRO)
    for match in re.finditer(r"%s(?:\s*%s)*" % (one, one), text):
        words = re.findall("%s|%s" % (LITERAL, MACRO), match.group())
        joined = "".join(w[1:-1] if w[0] == '"' else "" if w.startswith("PRI") else "%s" for w in words)
        joined = joined.replace('\\"', '"').replace("\\n", " ").replace("%%", "\0")
        yield " ".join(CONVERSION.sub("...", joined).replace("\0", "%").split()), text[:match.start()]


def messages():
    """{message: file}"""
    found = {}
    for path in (p for pattern in SOURCES for p in sorted(glob.glob(os.path.join(ROOT, pattern)))):
        path = os.path.relpath(path, ROOT)
        if OF_EVENTS.match(path):
            continue
        text = without_comments(vocabulary(read(path)) if path.endswith("vocabulary.h") else read(path))
        for message, before in literals(re.sub(r"^\s*#\s*include.*$", "", text, flags=re.M)):
            if TWO_WORDS.search(message) and not NO_MESSAGE.search(message) and not is_in_options(before):
                found[message] = path
    return found


def is_in_options(before):
    """Whether it stands in a table of options, whose texts are the help."""
    tables = list(re.finditer(r"struct command_option \w+\[\]", before))
    return bool(tables) and "};" not in before[tables[-1].end():]


def as_pattern(message):
    """What the page may write for it: any text for `...`; a message within a longer one is found, too."""
    return re.compile(".*?".join(re.escape(part) for part in re.split(r"\.{3,}", message)), re.S)


def page_messages():
    rows = re.findall(r"^\| `(.+?)` \|", whole("docs/troubleshooting.md"), re.M)
    expect(len(rows) > 150, "rows of the page: %d", len(rows))
    return rows


def test_page_has_the_messages_of_the_sources():
    """Each is written in a row of docs/troubleshooting.md, and each row is of a message that there is."""
    rows, found = page_messages(), messages()
    expect(len(found) > 150, "messages in the sources: %d", len(found))
    missing = ["%s (%s)" % m for m in found.items() if not any(as_pattern(m[0]).search(row) for row in rows)]
    expect(not missing, "docs/troubleshooting.md has no row for: %s", "\n  ".join([""] + missing))
    # a message of a few letters between its values says nothing of the row in which it is found
    patterns = [as_pattern(m) for m in found if len(re.sub(r"[^a-z]", "", m)) >= 7]
    gone = [row for row in rows if not any(p.search(row) for p in patterns)]
    expect(not gone, "docs/troubleshooting.md has rows that no source says any more: %s", "\n  ".join([""] + gone))

# SPDX-License-Identifier: MIT
"""docs/report.md, with its pages, names the fields of each section's rows: all that the lists in analyze/report/fields have, and no others. And a
figure is compared if its line has a place DIFF, so such lines are in lists that ptrace-diff reads."""
import functools
import glob
import os
import re
import subprocess

from document_pages import whole
from support import ROOT, expect, expect_equal, need

BESIDE = True  # no case asserts a time

LISTS = "analyze/report/fields/%s.def"
# By the part of docs/report.md. What is said of `lines` holds of `source`, too; line_figures are some of these.
PARTS = {
    "sections": "sections section_lengths section_intervals section_marks",
    "threads": "threads", "synchronization": "synchronization plain_calls", "waits": "waits", "io": "io io_sum io_caller io_waiter", "requests": "requests",
    "pipelines": "stages pipeline_verdicts", "connections": "connections", "routines": "routines", "tree, wait_tree": "tree",
    "calls": "calls", "lines": "lines line_event line_figures", "source": "source", "openmp":
    "openmp omp_efficiency omp_regions omp_members omp_constructs omp_tasks", "mpi": "mpi_efficiency mpi_between mpi_jobs", "counters":
    "counters counter_events counter_metrics counter_threads counter_routines counter_levels counter_causes",
    "mpi_calls, mpi_sites": "mpi_calls mpi_sites", "mpi_sizes": "mpi_sizes", "ranks": "ranks", "collectives": "collectives late_ranks",
    "peers": "peers", "programs": "programs", "processes": "processes", "findings": "findings finding_steps"}
IN_STUCK = "stuck stuck_verdicts"  # docs/stuck.md
FILES = {"counter_events": "counter_figures", "counter_metrics": "counter_figures"}  # by ROW_LIST
# What the preprocessor makes of a list: KEY(name) for each field.
READER = """
#include "preload/file/schema_sums.h"
#define SUM(type, name, unit, shown, meaning) KEY(shown)
#define FIELD(key, ...) KEY(key)
#define PARTS FIELD
#define PAGE(...)
#define SHOWN(...)
#define PAGED(...)
#define CARRIED(list, row) list
#define carried_by_thread SUMS_OF_threads(SUM)
#define carried_by_sync_row SUMS_OF_waits(SUM)
#define carried_by_mpi_figures SUMS_OF_mpi_calls(SUM)
#define carried_by_mpi_pair SUMS_OF_mpi_peers(SUM)
#define carried_by_omp_construct SUMS_OF_omp_constructs(SUM)
#define carried_by_omp_task SUMS_OF_omp_tasks(SUM)
#define COUNTER_EVENT 1
#include "%s"
"""


def read(*names):
    with open(os.path.join(ROOT, *names), encoding="utf-8") as file:
        return file.read()


def sources(pattern):
    return {path: read(path) for path in sorted(glob.glob(os.path.join(ROOT, pattern)))}


def names_of_lists():
    texts = "\n".join(sources("analyze/report/*.c").values())
    return set(re.findall(r"#define ROW_NAME +(\w+)", texts))


@functools.cache
def fields(name):
    """The keys of a list's JSON."""
    reader = READER % (LISTS % FILES.get(name, name))
    result = subprocess.run([need("cc"), "-E", "-P", "-w", "-I", ROOT, "-x", "c", "-"], input=reader, capture_output=True, text=True)
    expect_equal("status of the preprocessor: %s" % result.stderr, result.returncode, 0)
    return set(re.findall(r"KEY\((\w+)\)", result.stdout))


def quoted(text):
    return set(re.findall(r"`(\w+)`", text))


def part_of(document, title):
    return re.search(r"^## %s\n(.*?)(?=^## |\Z)" % re.escape(title), document, re.M | re.S).group(1)


def listed(part):
    """Names in its paragraph of fields, and in the first column of a table of keys."""
    paragraph = re.search(r"^\*\*Fields\.\*\* (.*?)(?:\n\n|\Z)", part, re.M | re.S)
    tables = re.findall(r"^\| key \|.*?(?=\n\n)", part, re.M | re.S)
    return quoted(" ".join([paragraph.group(1)] + re.findall(r"^\|([^|]*)\|", "\n".join(tables), re.M)))


def test_each_field_is_in_its_part():
    document, missing, unknown = whole("docs/report.md"), [], []
    for title, names in PARTS.items():
        known = set().union(*map(fields, names.split()))
        part = part_of(document, title)
        of_lines = listed(part_of(document, "lines")) if title == "source" else set()
        missing += ["%s: %s" % (title, key) for key in sorted(known - listed(part) - of_lines)]
        unknown += ["%s: %s" % (title, key) for key in sorted(listed(part) - known)]
    stuck = read("docs/stuck.md")
    missing += ["stuck.md: %s" % key for name in IN_STUCK.split() for key in sorted(fields(name) - quoted(stuck))]
    expect_equal("fields that docs/report.md does not name", missing, [])
    expect_equal("fields of docs/report.md that are in no list", unknown, [])


def test_each_list_has_a_part():
    expect_equal("lists", sorted(" ".join([*PARTS.values(), IN_STUCK]).split()), sorted(names_of_lists()))


def test_figures_of_prose_exist():
    """Wherever docs/report.md names a time or a share of the JSON."""
    known = set(re.findall(r'"(\w+)"', "\n".join(sources("analyze/report/*.c").values())))
    known |= set().union(*map(fields, names_of_lists()))
    named = {word for word in quoted(whole("docs/report.md")) if re.search(r"_(seconds|percent|grade)$", word)}
    expect(len(named) > 100, "figures: %s", named)
    expect_equal("figures that no output has", sorted(named - known), [])


def test_compared_fields_are_read():
    """By an extractor: a place DIFF elsewhere would say nothing."""
    compared = set(re.findall(r"&(\w+)_fields\b", "\n".join(sources("analyze/diff/figures_*.c").values())))
    lists = {os.path.basename(path)[:-len(".def")]: text for path, text in sources("analyze/report/fields/*.def").items()}
    for name in (name for name, text in lists.items() if "DIFF(" in text):
        users = {other for other, text in lists.items() if '/%s.def"' % name in text}
        expect(compared & (users | {name}), "%s has a place DIFF, and no extractor reads it", name)


def test_compared_fields_are_in_the_page():
    """docs/diff.md names their metrics; those of efficiencies only by what they are of."""
    matched = part_of(whole("docs/diff.md"), "What is matched")
    metrics = set(re.findall(r'DIFF\("([^"]+?) ?"', "\n".join(sources("analyze/report/fields/*.def").values())))
    expect(len(metrics) > 10, "metrics: %s", metrics)
    expect_equal("metrics that are not named", [metric for metric in sorted(metrics) if not re.search(r"\b%s\b" % metric, matched)], [])

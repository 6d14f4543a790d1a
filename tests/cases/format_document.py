# SPDX-License-Identifier: MIT
"""docs/dev/format.md describes the files: a reader written from it alone gets the totals of the report, and its lists are ours."""
import os
import re
import sys

from document_pages import whole
from profile_file import schema, source, tables
from support import ROOT, expect, expect_equal, expect_near, run

sys.path.insert(0, os.path.join(ROOT, "tests"))
import format_reader  # noqa: E402

BESIDE = True  # no case asserts a time

EXITED, REAPED = 2, 4


def document():
    return whole("docs/dev/format.md")


def cells(title):
    """Rows of the table below a headline."""
    text = re.search(r"^### %s\n(.*?)(?=^##|\Z)" % re.escape(title), document(), re.M | re.S).group(1)
    rows = [[c.strip() for c in re.split(r"(?<!\\)\|", line)[1:-1]] for line in text.splitlines() if line.startswith("|")]
    return rows[2:]


def entries(header, macros):
    """[(macro, [argument])] of a header that is a list of macros, however its lines are broken."""
    text = re.sub(r"/\*.*?\*/", "", header.replace("\\\n", " "), flags=re.S)
    text = re.sub(r'"\s+"', "", text)
    for match in re.finditer(r'\b(%s)\(((?:"[^"]*"|[^")])*)\)' % macros, text):
        yield match.group(1), [a.strip().strip('"') for a in re.findall(r'"[^"]*"|[^",]+', match.group(2)) if a.strip()]


def test_document_lists_the_tables_of_merged_runs():
    """In their order, with their meanings."""
    path = os.path.join("..", "..", "analyze", "tables", "merged.def")
    wanted = [tuple(words[:1] + [", ".join(words[1:])]) for _, words in entries(source(path), "TABLE")]
    section = re.search(r"^## Merged runs\n(.*?)^## ", document(), re.M | re.S).group(1)
    expect_equal("tables", re.findall(r"^\| `(\w+)` \| (.*) \|$", section, re.M), wanted)


def read(one):
    return [format_reader.read_profile(path) for path in one.profiles()]


def waits_and_calls(profiles):
    """{(kind, operation): [calls, waits, seconds]}, in the document's words"""
    words = {int(number): (kind, word) for number, _, kind, word in cells("Operations")}
    found = {}
    for _, rows in profiles:
        # io_calls has all calls of its operations, those that waited included
        counted = {row["operation"] for row in rows.get("io_calls", [])}
        for row in rows.get("io_calls", []):
            found.setdefault(words[row["operation"]], [0, 0, 0])[0] += row["count"]
        for row in rows["tallies"] + rows["waits"]:
            sums = found.setdefault(words[row["operation"]], [0, 0, 0])
            sums[0] += 0 if row["operation"] in counted else row["count"]
            if "sum_ns" in row:
                sums[1] += row["count"]
                sums[2] += row["sum_ns"] / 1e9
    return found


def check_threads(profiles, report):
    """As lists: two images of one process have threads with the same numbers."""
    threads = [(head, row) for head, rows in profiles for row in rows["threads"] if row["tid"]]
    found = sorted((head["pid"], row["tid"], row["lives"], row["name"], row["samples"], row["unlocks"],
                    row["voluntary_switches"], row["user_ns"], row["system_ns"]) for head, row in threads)
    wanted = sorted((t["pid"], t["tid"], t["lives"], t["name"], t["samples"], t["unlocks"], t["voluntary_switches"],
                     round(t["user_seconds"] * 1e9), round(t["system_seconds"] * 1e9)) for t in report["threads"])
    expect_equal("threads", found, wanted)
    cpu = sum(row["user_ns"] + row["system_ns"] for _, row in threads) / 1e9
    expect_near("CPU time", report["run"]["cpu_seconds"], cpu, 1e-9, 1e-8)


def check_calls(profiles, report):
    found = waits_and_calls(profiles)
    for kind, operation in found:
        rows = [r for r in report["synchronization"] if (r["kind"], r["operation"]) == (kind, operation)]
        if not rows:
            continue  # a call without an object, or on none that is known: below
        calls, waits, seconds = found[kind, operation]
        expect_equal("calls of %s %s" % (kind, operation), sum(r["count"] for r in rows), calls)
        expect_equal("waits of %s %s" % (kind, operation), sum(r["contended"] for r in rows), waits)
        expect_near("waiting of %s %s" % (kind, operation), sum(r["wait_seconds"] for r in rows), seconds, 1e-9, 1e-7)
    every = report["synchronization"] + report["io"]["rows"] + report["calls"]
    expect_equal("calls", sum(r["count"] for r in every), sum(f[0] for f in found.values()))
    expect_near("waiting", sum(r["wait_seconds"] for r in every), sum(f[2] for f in found.values()), 1e-9, 1e-6)


def check_concurrency(profiles, report):
    for head, rows in profiles:
        process, = rows["process"]
        elapsed = next(p["elapsed_seconds"] for p in report["processes"]
                       if (p["pid"], p["sequence"]) == (head["pid"], head["sequence"]))
        began_ns = head["start_ns"] + process["start_wait_ns"]
        expect_near("end - start", elapsed, (head["end_ns"] - began_ns) / 1e9, 0, 2e-9)
        for kind in 1, 2:
            total = sum(r["time_ns"] for r in rows["concurrency"] if r["kind"] in (kind, kind + 2))
            expect_equal("sum of T_i, kind %d, of process %d" % (kind, head["pid"]), total,
                         process["accounted_ns"] - began_ns)
        rest = max(0, head["end_ns"] - process["accounted_ns"]) / 1e9
        expect_near("sum of T_i and what follows it", total / 1e9 + rest, elapsed, 0, 2e-9)


def check_laws_of_the_document(profiles):
    for head, rows in profiles:
        for cause in list(range(1, 9)) + [13, 14]:
            waited = sum(r["sum_ns"] for r in rows["waits"] if r["cause"] == cause)
            blamed = sum(r["time_ns"] for r in rows["blame"] if r["cause"] == cause)
            expect_equal("blame for cause %d in process %d" % (cause, head["pid"]), blamed, waited)
        # of all threads: a sample also claims what others have left
        sampled = sum(r["cpu_ns"] for r in rows["samples"])
        cpu = sum(t["user_ns"] + t["system_ns"] for t in rows["threads"])
        expect(sampled <= cpu + 1000000, "samples of process %d: %d ns, CPU time %d ns", head["pid"], sampled, cpu)


def check_program(name, *arguments):
    one = run(name, arguments)
    profiles = read(one)
    expect_equal("processes", sorted((h["pid"], h["sequence"]) for h, _ in profiles),
                 sorted((p["pid"], p["sequence"]) for p in one.report["processes"]))
    ended = [p for p in profiles if p[0]["state"] in (EXITED, REAPED)]
    expect(ended, "no process has ended")
    check_threads(profiles, one.report)
    check_calls(profiles, one.report)
    check_concurrency(ended, one.report)
    check_laws_of_the_document(ended)


def test_reader_counts_every_operation():
    """Three threads that use every wrapped call."""
    check_program("counts", 2000)


def test_reader_sums_waits():
    """Threads that wait for mutexes, and for each other."""
    check_program("holder", "mutex", 2)
    check_program("phases")


def test_reader_reads_a_chain_of_images():
    """fork and exec: one file for each image, named by process and sequence."""
    check_program("processes", "chain")


def test_reader_reads_what_a_killed_program_left():
    """SIGKILL: the file is whole, and its processor time is there."""
    one = run("death", ["kill"])
    (head, rows), = read(one)
    process, = one.report["processes"]
    expect_equal("status", process["status"], "killed by SIGKILL")
    expect_equal("state and status", (head["state"], head["status"] & 0x7f), (REAPED, 9))
    check_threads([(head, rows)], one.report)


def test_reader_in_the_text_is_the_one_tested():
    with open(os.path.join(ROOT, "tests", "format_reader.py")) as file:
        program = file.read()
    expect("```python\n" + program.rstrip("\n") + "\n```" in document(), "docs/dev/format.md does not show tests/format_reader.py as it is")
    expect("reader of %d lines" % len(program.splitlines()) in document(), "docs/dev/format.md states another length of the reader")


def test_tables_and_columns_of_the_text():
    """Each table and column of schema.def, with everything stated there, and no other."""
    named = re.findall(r"^### Table (\d+): `(\w+)`$", document(), re.M)
    expect_equal("tables", named, [(str(n), name) for n, (name, _) in enumerate(tables())])
    wanted = {}
    for macro, arguments in entries(schema(), "TABLE|COLUMN"):
        if macro == "TABLE":
            columns = wanted.setdefault(arguments[0], [])
        else:
            kind, name, unit, role, merge, meaning = (arguments + [""])[:6]
            columns.append(["`%s`" % name, kind, unit, role, merge, meaning.replace("|", "\\|")])
    for number, name in named:
        expect_equal("columns of %s" % name, [row[1:] for row in cells("Table %s: `%s`" % (number, name))], wanted[name])


def test_offsets_of_the_text():
    """Rows as long as the schema text of a real file makes them."""
    _, _, sizes = zip(*format_reader.read_schema(schema_of(run("death", ["return"]))))
    texts = re.findall(r"^Row: (\d+) bytes\.$", document(), re.M)
    expect_equal("lengths of rows", [int(t) for t in texts], [s.size for s in sizes])


def schema_of(one):
    head = read(one)[0][0]
    with open(one.profiles()[0], "rb") as file:
        return file.read()[head["schema_offset"]:][:head["schema_bytes"]].decode()


def test_vocabularies_of_the_text():
    """Every number of vocabulary.h, and no other."""
    for title, macro, column in (("Causes of waits", "CAUSE", 0), ("Kinds of objects", "KIND", 0), ("Operations", "OPERATION", 2),
                                 ("Marks among call paths", "MARK", 0), ("Notes", "NOTE", 0), ("Metrics of the time line", "METRIC", 0),
                                 ("Classes of MPI calls", "CLASS", 0)):
        wanted = [arguments[-1] or "-" for _, arguments in entries(source("vocabulary.h"), macro)]
        rows = [row for row in cells(title) if not row[1].startswith("preempted")]
        expect_equal(title, [row[1 + column].strip("`") for row in rows], wanted)
        expect_equal("numbers of " + title, [int(row[0]) for row in rows], list(range(len(wanted))))

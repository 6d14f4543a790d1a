# SPDX-License-Identifier: MIT
"""Lines that are one entry of the line table: shown as such, with their figures once; other lines of one address stay as they are."""
import csv
import io
import os
import re
import resource
import subprocess

from pages import check_form, make_page
from source_lines import compiled, profiled
from support import BUILD, REPORT, ROOT, built, execute, expect, expect_equal, full, need, report_json, scratch

BESIDE = True  # no case asserts a time

SOURCE = os.path.join(ROOT, "tests", "programs", "line_entries.c")


def line_of(mark):
    with open(SOURCE) as file:
        return next(number for number, line in enumerate(file, 1) if "/* %s" % mark in line)


def wanted():
    """{routine: (line, first, last)} of the loops."""
    three, backwards, apart, own = (line_of(name + " HOT") for name in ("three", "backwards", "apart", "own"))
    return {"three": (three, line_of("three FIRST"), three), "backwards": (backwards, backwards, line_of("backwards LAST")),
            "apart": (apart, apart, apart), "own": (own, own, own)}


def hottest(rows):
    """{routine: (line, first, last)} of the line with the most self time."""
    found = {}
    for row in sorted(rows, key=lambda row: float(row["self_seconds"])):
        if row["routine"] in wanted():
            found[row["routine"]] = tuple(int(row[key]) for key in ("line", "first_line", "last_line"))
    return found


def shown(directory, *options):
    done = execute([REPORT, *options, directory])
    expect_equal("status of %s (%s)" % (" ".join(options), done.stderr_text()), done.status, 0)
    return done.stdout.decode()


def check_forms(directory):
    expect_equal("JSON", hottest(report_json(directory)["lines"]), wanted())
    table = csv.DictReader(io.StringIO(shown(directory, "--section", "lines", "--format", "csv", "--top", "0")))
    expect_equal("CSV", hottest([row for row in table if row["line"]]), wanted())
    lines = shown(directory, "--section", "lines", "--width", "120")
    source = shown(directory, "--section", "source", "--file", "line_entries.c", "--width", "120")
    for routine, (line, first, last) in wanted().items():
        number = "%d-%d" % (first, last) if first < last else str(line)
        expect(re.search(r" line_entries\.c:%s  %s$" % (number, routine), lines, re.M), "no line_entries.c:%s of %s in %s", number, routine, lines)
        rows = re.findall(r"^ .*%% .* %s  .*$" % number, source, re.M)
        expect_equal("rows of line %s beside the source" % number, len(rows), 1)


@full
def test_lines_of_one_entry():
    """Adjoining ones whose rows stand at the address of the code, and that have no code elsewhere; figures once; in merged runs too."""
    one = profiled(compiled(source=SOURCE))
    check_forms(one.directory)
    selfs = {row["name"]: row["self_seconds"] for row in one.report["routines"]}
    for routine, (line, first, last) in wanted().items():
        inside = [row for row in one.report["lines"] if row["routine"] == routine and row["line"] and first <= row["line"] <= last]
        expect_equal("rows of %s within the entry" % routine, [row["line"] for row in inside], [line])
        expect(inside[0]["self_seconds"] >= 0.9 * selfs[routine], "%s has %.3f of %.3f s", routine, inside[0]["self_seconds"], selfs[routine])
    page = check_form(make_page(one, "--section", "lines,source", "--file", "line_entries.c"))
    _, first, last = wanted()["three"]
    for section in "lines", "source":
        expect("%d-%d" % (first, last) in page.section(section).text(), "the page's %s does not have lines %d-%d", section, first, last)
    merged = os.path.join(scratch(), "merged")
    expect_equal("status of ptrace-merge", execute([os.path.join(BUILD, "bin", "ptrace-merge"), "-o", merged, one.directory]).status, 0)
    check_forms(merged)


def zero_rows(program):
    """{address: [(file, line) of the rows there, in their order]}, as binutils decode the line table."""
    text = execute(["readelf", "--debug-dump=decodedline", program]).stdout.decode(errors="replace")
    rows = {}
    for match in re.finditer(r"^(\S+)\s+(\d+)\s+(0x[0-9a-f]+|0)\s", text, re.M):
        rows.setdefault(int(match.group(3), 16), []).append((match.group(1), int(match.group(2))))
    return rows


def test_entries_are_in_the_line_table():
    """Of a compiled program: each line of an entry has a row at an address whose code is the entry's own line."""
    program = compiled()
    one = profiled(program)
    rows = zero_rows(program)
    expect(rows, "readelf shows no rows")
    for row in one.report["lines"]:
        if not row["line"] or row["first_line"] == row["last_line"] or row["module"] != program:
            continue
        file = os.path.basename(row["file"])
        for line in range(row["first_line"], row["last_line"] + 1):
            found = [address for address, at in rows.items() if at[-1] == (file, row["line"]) and (file, line) in at]
            expect(found, "%s:%d has no row where line %d has code", file, line, row["line"])


def rows_at_one_address(name, places, lines):
    """A routine of so many places, each with as many lines of length zero, in descending order, in front of the line of its code."""
    path = os.path.join(scratch(), name)
    text = [".file 1 \"/rows.c\"", ".text", ".globl rows", ".type rows, %function", "rows:"]
    for place in range(places):
        numbers = range(place * (lines + 2) + 1, (place + 1) * (lines + 2))
        text += [".loc 1 %d 0" % number for number in (*reversed(numbers[:-1]), numbers[-1])] + ["nop", "nop"]
    with open(path + ".s", "w") as file:
        file.write("\n".join(text + [".size rows, .-rows", ""]))
    with open(path + ".c", "w") as file:
        file.write("int main(void)\n{\n\treturn 0;\n}\n")
    subprocess.run([need("as"), "-g", "-o", path + ".o", path + ".s"], check=True)
    subprocess.run([need("gcc"), "-g", "-z", "noexecstack", "-o", path, path + ".c", path + ".o"], check=True)
    return path


def spans_of(program, places):
    """([(first, last) at each place], the CPU time that it took: user and system, as only their sum is not divided by ticks)"""
    begin, size = (int(word, 16) for word in re.search(r"^(\S+) (\S+) T rows$", execute(["nm", "-S", program]).stdout.decode(), re.M).groups())
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = execute([built("symbolize_places"), program] + ["+%x" % (begin + size // places * place) for place in range(places)])
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    expect_equal("status", done.status, 0)
    spans = [tuple(int(word) for word in line.split()) for line in done.stdout.decode().splitlines()]
    return spans, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def test_entries_of_long_routines():
    """The work grows with the rows: for four times as many rows and places asked for, sixteen times as much would be their product."""
    lines, seconds = 40, []
    for places in 400, 1600:
        spans, taken = spans_of(rows_at_one_address("rows%d" % places, places, lines), places)
        expect_equal("entries of %d places" % places, spans, [(place * (lines + 2) + 1, place * (lines + 2) + lines + 1) for place in range(places)])
        seconds.append(taken)
    expect(seconds[1] < 8 * seconds[0], "%.3f s for 400 places, %.3f s for 1600", *seconds)

# SPDX-License-Identifier: MIT
"""CPU time, waits and blame by source line, and the source beside them."""
import collections
import json
import math
import os
import re
import shutil
import subprocess
import sys
import urllib.parse

from merge import merged
from support import REPORT, ROOT, beside, built, check_laws, execute, expect, expect_equal, full, need, report_json, run, scratch

sys.path.insert(0, os.path.join(ROOT, "tests"))
import format_reader  # noqa: E402

SOURCE = os.path.join(ROOT, "tests", "programs", "source_lines.c")
MARK, EXACT = 2, 1  # flags of callpaths (docs/dev/format.md)


def lines_with(mark, source=SOURCE):
    with open(source) as file:
        return [n for n, line in enumerate(file, 1) if "/* %s */" % mark in line]


def line_of(mark):
    return lines_with(mark)[0]


def compiled(*flags, source=SOURCE, compiler="gcc", directory=None):
    directory = directory or scratch()
    program = os.path.join(directory, "lines")
    subprocess.run([need(compiler), "-w", "-O2", "-g", "-I", ROOT, *flags, "-o", program, source, "-pthread"], check=True, cwd=directory)
    return program


def profiled(program):
    done = run(program)
    expect_equal("status", done.profiled.status, 0)
    return done


def ns(seconds):
    return round(1e9 * seconds)


def sums(rows, key):
    """{routine: sum of a column}"""
    total = collections.Counter()
    for row in rows:
        total[row["routine"] if "routine" in row else row["name"], row["module"], row["file"]] += ns(row[key] or 0)
    return {k: v for k, v in total.items() if v}


def check_sums(report):
    """Over the lines of a routine: its figures; over all lines: the CPU time, the waits and the blame for them."""
    lines = report["lines"]
    for key in ("self_seconds", "elapsed_seconds", "alone_seconds"):
        expect_equal(key + " by routine", sums(lines, key), sums(report["routines"], key))
    cpu = sum(ns(t["user_seconds"]) + ns(t["system_seconds"]) for t in report["threads"])
    expect_equal("CPU time of all lines", sum(ns(r["self_seconds"]) for r in lines), cpu)
    waits = report["synchronization"] + report["io"]["rows"] + report["calls"]
    expect_equal("waits of all lines", sum(ns(r["wait_seconds"]) for r in lines), sum(ns(r["wait_seconds"]) for r in waits))
    expect_equal("blame of all lines", sum(ns(r["blame_seconds"]) for r in lines),
                 sum(ns(b["seconds"]) for r in waits for b in r.get("blame") or []))
    expect_equal("MPI time of all lines", sum(ns(r["mpi_seconds"]) for r in lines),
                 sum(ns(r["seconds"]) for r in (report["mpi"] or {"sites": []})["sites"]))


def at(report, mark):
    """The figures at the line with that mark, of all routines."""
    rows = [r for r in report["lines"] if r["line"] in lines_with(mark) and (r["file"] or "").endswith("source_lines.c")]
    return rows[0] if rows else None


def check_marks(report, truth):
    three, one = at(report, "HOT 3"), at(report, "HOT 1")
    expect(three and one, "no time at the hot lines: %r", report["lines"][:5])
    share, samples = truth["three"] / (truth["three"] + truth["one"]), three["samples"] + one["samples"]
    seen, allowed = three["self_seconds"] / (three["self_seconds"] + one["self_seconds"]), 4 * math.sqrt(share * (1 - share) / samples) + 0.02
    expect(abs(seen - share) <= allowed, "%.3f of the loops' time is at the first one, not %.3f +- %.3f of %d samples", seen, share, allowed, samples)
    inlined = at(report, "INLINED")
    expect(inlined and inlined["routine"] == "stir" and inlined["samples"], "inlined code is not at its own line: %r", inlined)
    expect(at(report, "CALL")["total_seconds"] >= inlined["self_seconds"], "the line that calls inlined code has less than that code")
    waits, releases = at(report, "WAITS"), at(report, "RELEASES")
    mutex = next(r for r in report["synchronization"] if r["name"] == "gate")
    expect_equal("waits for the gate", waits["wait_seconds"], mutex["wait_seconds"])
    expect_equal("waits for the gate, in all", waits["waits"], mutex["contended"])
    blame = sum(b["seconds"] for b in mutex["blame"] if b["routine"] == "hold")
    expect(blame > 0.9 * mutex["wait_seconds"], "hold() is not to blame: %r", mutex["blame"])
    expect_equal("blame at the unlock", releases["blame_seconds"], blame)


def test_figures_are_at_their_lines():
    """Two loops of 3 to 1, inlined code, a wait and who caused it; the same merged, and by process."""
    done = profiled(compiled())
    check_laws(done.report)
    check_sums(done.report)
    check_marks(done.report, done.truth)
    again = report_json(merged(done.directory))
    expect_equal("lines of the merged run", again["lines"], done.report["lines"])
    by_process = report_json(done.directory, "--by", "process")
    check_sums(by_process)
    expect(all(r["threads"] <= 1 for r in by_process["lines"]), "a line of one process has several: %r", by_process["lines"][:3])


@beside
def test_spread_over_threads():
    """Of a line that several threads run: the least, the most, the mean, and who."""
    report = profiled(built("company")).report
    check_sums(report)
    rows = [r for r in report["lines"] if r["threads"] > 1 and r["self_seconds"] > 0.05]
    expect(rows, "no line is shared by threads")
    tids = {"process %d, thread %d (%s)" % (t["pid"], t["tid"], t["name"]) for t in report["threads"]}
    for row in rows:
        expect(row["min_seconds"] <= row["mean_seconds"] <= row["max_seconds"], "not in order: %r", row)
        expect(abs(row["mean_seconds"] * row["threads"] - row["self_seconds"]) < 2e-9 * row["threads"], "mean x threads is not the sum: %r", row)
        expect(any(row["min_at"].startswith(t.split("(")[0]) for t in tids), "min_at %r is no thread", row["min_at"])
        expect(any(row["max_at"].startswith(t.split("(")[0]) for t in tids), "max_at %r is no thread", row["max_at"])


def check_values(report, row):
    """The values behind a spread: their number, their order, their sum, and who had the most and the least."""
    values, seconds = row["values"], [v["seconds"] for v in row["values"]]
    expect_equal("values and those left out", len(values) + row["values_left_out"], row["threads"])
    expect_equal("their order", seconds, sorted(seconds, reverse=True))
    if not values:
        return
    expect_equal("the largest", seconds[0], row["max_seconds"])
    expect(row["max_at"] in [v["at"] for v in values if v["seconds"] == seconds[0]], "%r had the most, says %r", row["max_at"], values[0])
    if not row["values_left_out"]:
        whole = row["self_seconds"] or row["total_seconds"]
        expect_equal("sum of the values at %s:%s" % (row["file"], row["line"]), sum(map(ns, seconds)), ns(whole))
        expect_equal("the least", seconds[-1], row["min_seconds"])
        expect_equal("each once", len({v["at"] for v in values}), len(values))


@full
@beside
def test_values_behind_the_spread():
    """Of each line the time of every thread, or process; of a thousand processes the largest 128, and how many are left out."""
    done = profiled(built("company"))
    for options in ((), ("--by", "process")):
        report = report_json(done.directory, *options)
        expect(options or any(len(r["values"]) > 1 for r in report["lines"]), "no line has several values")
        for row in report["lines"]:
            check_values(report, row)
        again = report_json(merged(done.directory), *options)
        expect_equal("values of the merged run", [r["values"] for r in again["lines"]], [r["values"] for r in report["lines"]])
    many = os.path.join(scratch(), "many")
    expect_equal("status of multiply_profiles", execute([built("multiply_profiles"), done.directory, "1000", many]).status, 0)
    report = report_json(many, "--section", "lines", "--by", "process")
    for row in report["lines"]:
        check_values(report, row)
    first = max(report["lines"], key=lambda r: r["threads"])
    expect_equal("processes, values, left out", (first["threads"], len(first["values"]), first["values_left_out"]), (1000, 128, 872))


# ---- the chain at each address

def addresses(run_directory, program):
    """Addresses in the program that its profile names, as they are looked up."""
    profile, = [os.path.join(run_directory, name) for name in os.listdir(run_directory) if name.endswith(".profile")]
    _, rows = format_reader.read_profile(profile)
    module, = [m["number"] for m in rows["modules"] if m["path"] == program]
    found = {row["offset"] - (0 if row["flags"] & EXACT else 1) for row in rows["callpaths"]
             if row["module"] == module and not row["flags"] & MARK}
    return sorted(found)


def chain_by_addr2line(program, address):
    done = subprocess.run([need("addr2line"), "-e", program, "-i", "-f", "-C", "-a", "%x" % address], capture_output=True, text=True, check=True)
    words = done.stdout.splitlines()[1:]
    places = [words[i + 1].split(" (discriminator")[0].rsplit(":", 1) for i in range(0, len(words), 2)]
    return [(words[2 * i], os.path.basename(file), line) for i, (file, line) in enumerate(places)]


def chain_by_llvm(program, address):
    done = subprocess.run([need("llvm-symbolizer"), "-e", program, "0x%x" % address], capture_output=True, text=True, check=True)
    words = done.stdout.split("\n\n")[0].splitlines()
    places = [words[i + 1].rsplit(":", 2) for i in range(0, len(words), 2)]
    return [(words[2 * i], os.path.basename(file), line) for i, (file, line, _) in enumerate(places)]


def chain_by_us(program, address):
    done = subprocess.run([built("symbolize_places"), program, "%x" % address], capture_output=True, text=True, check=True)
    return [tuple(line.rsplit(" ", 2)) for line in done.stdout.splitlines() if line]


def check_chains(oracle, compiler, *flags):
    program = compiled(*flags, compiler=compiler)
    done = profiled(program)
    count = 0
    for address in addresses(done.directory, program):
        theirs = oracle(program, address)
        if any(line in ("?", "0") for _, _, line in theirs):
            continue
        expect_equal("chain at %x, %s %s" % (address, compiler, " ".join(flags)), chain_by_us(program, address), theirs)
        count += 1
    expect(count >= 5, "only %d addresses of %s %s", count, compiler, flags)


@beside
def test_chains_are_those_of_addr2line():
    """Each address that a profile has of a program with inlined code, in DWARF 4 and 5, compressed or not."""
    for flags in ((), ("-gdwarf-4",), ("-gz",)):
        check_chains(chain_by_addr2line, "gcc", *flags)


@full
@beside
def test_chains_are_those_of_llvm():
    """The same of clang, whose DWARF 5 binutils do not read whole (routines inlined in several ranges)."""
    need("llvm-symbolizer")
    for flags in ((), ("-gdwarf-4",)):
        check_chains(chain_by_llvm, "clang", *flags)


# ---- the source

def listing(directory, *options, status=0, width=200):
    done = execute([REPORT, "--width", str(width), *options, directory])
    expect_equal("status of %s (%s)" % (" ".join(options), done.stderr_text()), done.status, status)
    return done.stdout.decode() if not status else done.stderr_text()


def copy_of_source(directory):
    """The program's source as another user has it: not in the place where the tests have theirs."""
    os.makedirs(os.path.join(directory, "src"))
    copy = os.path.join(directory, "src", "source_lines.c")
    shutil.copy(SOURCE, copy)
    return copy


def text_at(text, line):
    """What the listing shows at a line, and behind its number."""
    for row in text.splitlines():
        found = re.search(r"(?:^|\s)(%d\??)(?:  (.*))?$" % line, row)
        if found:
            return found.group(1), (found.group(2) or "").strip()
    return None, None


@beside
def test_source_stands_beside_its_figures():
    directory = scratch()
    source = copy_of_source(directory)
    done = profiled(compiled("-I", os.path.dirname(SOURCE), source=source, directory=directory))
    with open(source) as file:
        truth = [line.rstrip("\n").expandtabs(4).strip() for line in file]
    hot, inlined, release = line_of("HOT 3"), line_of("INLINED"), line_of("RELEASES")
    shown = listing(done.directory, "--routine", "two_loops")
    expect(source in shown, "the file is not named: %s", shown)
    expect_equal("line HOT 3", text_at(shown, hot), (str(hot), truth[hot - 1]))
    expect_equal("the inlined line is of another routine", text_at(shown, inlined), (None, None))
    shown = listing(done.directory, "--file", "source_lines.c")
    for line in (hot, inlined, release):
        expect_equal("line %d of the file" % line, text_at(shown, line), (str(line), truth[line - 1]))
    shown = listing(done.directory, "--file", "src/source_lines.c:%d" % release)
    expect_equal("line RELEASES", text_at(shown, release), (str(release), truth[release - 1]))
    expect_equal("a line that is not near", text_at(shown, inlined), (None, None))
    report = json.loads(listing(done.directory, "--format", "json", "--routine", "hold"))
    block, = report["source"]
    expect_equal("path", block["path"], source)
    expect_equal("texts", {r["line"]: r["text"].strip() for r in block["lines"]},
                 {r["line"]: truth[r["line"] - 1] for r in block["lines"]})
    rows = {r["line"]: r for r in report_json(done.directory)["lines"] if r["routine"] == "hold"}
    for row in block["lines"]:
        if row["line"] in rows:
            expect_equal("figures beside the source", {k: row[k] for k in rows[row["line"]]}, rows[row["line"]])


@beside
def test_source_that_is_elsewhere_or_another_one():
    """Moved, by --source-path; missing; newer than the program; shorter: each is said."""
    directory = scratch()
    source = copy_of_source(directory)
    done = profiled(compiled("-I", os.path.dirname(SOURCE), source=source, directory=directory))
    hot = line_of("HOT 3")
    moved = os.path.join(scratch(), "moved")
    os.rename(os.path.join(directory, "src"), moved)
    shown = listing(done.directory, "--routine", "two_loops")
    expect("source_lines.c: was not found" in shown, "a missing source is not said: %s", shown)
    expect(text_at(shown, hot)[0] == str(hot) + "?" and "STEP(x)" not in shown, "its lines: %s", shown)
    for path in ("%s=%s" % (os.path.dirname(source), moved), moved):
        shown = listing(done.directory, "--source-path", path, "--routine", "two_loops")
        expect("STEP(x)" in (text_at(shown, hot)[1] or ""), "--source-path %s: %s", path, shown)
        expect(text_at(shown, hot)[0] == str(hot), "a moved source does not fit: %s", shown)
    with open(os.path.join(moved, "source_lines.c"), "a") as file:
        file.write("\n")
    shown = listing(done.directory, "--source-path", moved, "--routine", "two_loops")
    expect("is newer than the program" in shown and text_at(shown, hot)[0] == str(hot) + "?", "a newer source: %s", shown)
    with open(os.path.join(moved, "source_lines.c"), "w") as file:
        file.write("int short;\n")
    os.utime(os.path.join(moved, "source_lines.c"), (1, 1))
    shown = listing(done.directory, "--source-path", moved, "--routine", "two_loops")
    expect("has 1 line only" in shown and text_at(shown, hot)[0] == str(hot) + "?", "a shorter source: %s", shown)
    for row in json.loads(listing(done.directory, "--format", "json", "--source-path", moved, "--routine", "two_loops"))["source"][0]["lines"]:
        expect_equal("is_fitting", row["is_fitting"], False)


@beside
def test_wrong_questions():
    """One line that names the thing and the remedy, and status 2."""
    done = profiled(compiled())
    for options, words in ((("--routine", "nosuch"), "--routine nosuch: the run has no such routine"),
                           (("--file", "nosuch.c"), "--file nosuch.c: the run has no figures of such a file"),
                           (("--file", ":12"), "--file :12: give the end of a path"),
                           (("--file", "source_lines.c:0"), "there is no line 0"),
                           (("--section", "routines", "--routine", "hold"), "--routine is for --section source"),
                           (("--source-path", "=/tmp", "--routine", "hold"), "nothing stands before the ="),
                           (("--source-path", "/no/such", "--routine", "hold"), "there is no directory /no/such")):
        text = listing(done.directory, *options, status=2)
        expect(words in text and text.count("\n") == 1, "%s: %r", options, text)


@beside
def test_program_without_debugging_information():
    """There are figures of routines, and no lines; that is said, and sums hold."""
    done = profiled(compiled("-g0", "-s"))
    check_sums(done.report)
    expect(not any(r["line"] for r in done.report["lines"] if r["module"] and r["module"].endswith("/lines")), "lines out of nothing")
    expect("no source lines are known" in listing(done.directory, "--section", "source"), "nothing is said")


# ---- for editors

def quickfix(directory, *options):
    """[(path, line, text)]"""
    rows = [re.fullmatch(r"(.+?):(\d+): (.+)", line) for line in listing(directory, "--format", "quickfix", *options).splitlines()]
    expect(all(rows), "a line that no editor would read: %r", rows)
    return [(r.group(1), int(r.group(2)), r.group(3)) for r in rows]


@beside
def test_remarks_for_editors():
    """FILE:LINE: text, and the same for language servers: findings at their places, then the hottest lines, with the figures of the report."""
    directory = scratch()
    source = copy_of_source(directory)
    done = profiled(compiled("-I", os.path.dirname(SOURCE), source=source, directory=directory))
    rows = quickfix(done.directory, "--top", "0")
    figures = {(r["routine"], r["line"]): r for r in done.report["lines"] if r["file"] and r["line"]}
    # of libraries there are lines, but no files
    told = [(re.sub(r" \(the file .*\)$", "", text).rsplit(": ", 1)[1], line) for _, line, text in rows if not any(f["id"] + ": " in text for f in done.report["findings"])]
    wanted = {k for k, r in figures.items() if r["spent_seconds"] or r["blame_seconds"]}
    expect_equal("lines with remarks", set(told), wanted)
    expect(any(path == source and line == line_of("HOT 3") and text.startswith("self ") for path, line, text in rows), "HOT 3: %r", rows)
    expect(any(path == source and line == line_of("RELEASES") and "blame " in text for path, line, text in rows), "RELEASES: %r", rows)
    first = next((f for f in done.report["findings"] if f["kind"] == "problem" and "(source_lines.c:" in str(f["where"])), None)
    expect(not first or first["id"] in rows[0][2] + rows[1][2], "the finding %r is not among the first: %r", first, rows[:2])
    only = quickfix(done.directory, "--routine", "hold")
    expect(only and all(text.endswith(": hold") for _, _, text in only), "remarks on hold() alone: %r", only)
    files = json.loads(listing(done.directory, "--format", "diagnostics", "--top", "0"))
    again = [(urllib.parse.unquote(f["uri"]).replace("file://", ""), d["range"]["start"]["line"] + 1, d["message"]) for f in files for d in f["diagnostics"]]
    expect_equal("remarks of the language server", sorted(again),
                 sorted((p, n, t.split(": ", 1)[1] if any(t.startswith(f["id"] + ": ") for f in done.report["findings"]) else t) for p, n, t in rows
                        if p.startswith("/")))
    expect_equal("a line ends where the next begins", {d["range"]["end"]["line"] - d["range"]["start"]["line"] for f in files for d in f["diagnostics"]}, {1})
    text = listing(done.directory, "--format", "quickfix", "--section", "lines", status=2)
    expect("--format quickfix has no sections" in text, "%r", text)


@beside
def test_paths_that_editors_would_misread():
    """A path with :12: in it: quickfix leaves it out and says so; diagnostics have it."""
    directory = os.path.join(scratch(), "a:12:b")
    os.mkdir(directory)
    source = copy_of_source(directory)
    done = profiled(compiled("-I", os.path.dirname(SOURCE), source=source, directory=directory))
    told = execute([REPORT, "--format", "quickfix", "--top", "0", done.directory])
    expect(":12:" not in told.stdout.decode(), "an ambiguous line: %s", told.stdout.decode())
    expect(re.search(r"\d+ remarks are left out: the path .*a:12:b.* reads like FILE:LINE:; --format diagnostics has them", told.stderr_text()),
           "it is not said: %s", told.stderr_text())
    files = json.loads(listing(done.directory, "--format", "diagnostics", "--top", "0"))
    expect(source in [urllib.parse.unquote(f["uri"]).replace("file://", "") for f in files], "diagnostics lack it: %r", files)


@beside
def test_narrow_text():
    """At 60 columns no row is wider, and self, waits and blame are still there."""
    done = profiled(compiled())
    for options in (("--section", "lines", "--top", "0"), ("--file", "source_lines.c")):
        rows = [r for r in listing(done.directory, *options, width=60).splitlines() if not r.startswith("@")]
        expect_equal("rows that are wider", [r for r in rows if len(r) > 60], [])
        head = next(r for r in rows if " self " in r)
        expect("waits" in head and "blame" in head, "columns: %s", head)


@beside
def test_lines_that_routines_share():
    """Of a line with code of several routines each row says whose it is, the first as well."""
    directory = scratch()
    path = os.path.join(directory, "shared.c")
    loop = "__attribute__((noinline)) static void %s(void) { for (long i = 0; i < 30000000; i++) value %s= i; } "
    with open(path, "w") as file:
        file.write("static volatile long value;\n" + loop % ("one", "+") + loop % ("two", "^") + "\nint main(void) { one(); two(); return 0; }\n")
    done = profiled(compiled(source=path, directory=directory))
    rows = [r for r in listing(done.directory, "--file", "shared.c").splitlines() if re.search(r"\s2  ", r)]
    expect_equal("whose", sorted(re.search(r"\s2  \[(\w+)\]", r).group(1) for r in rows), ["one", "two"])
    expect_equal("rows with the source", sum("__attribute__" in r for r in rows), 1)

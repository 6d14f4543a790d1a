# SPDX-License-Identifier: MIT
"""Input and output of a profile with known content, in every form of the report and in a merged run."""
import csv
import io
import json
import os
import sqlite3

from support import BUILD, built, execute, expect, expect_equal, run, scratch

BESIDE = True  # no case asserts a time

TOOL = {name: os.path.join(BUILD, "bin", "ptrace-" + name) for name in ("report", "merge", "export", "diff")}


def scene(name):
    directory = os.path.join(scratch(), name)
    os.makedirs(directory, exist_ok=True)
    result = execute([built("make_profile"), name, os.path.join(directory, "nowhere-1000-0.profile")])
    expect_equal("status of make_profile", (result.status, result.stderr), (0, b""))
    return directory


def printed(directory, *options):
    result = execute([TOOL["report"], *options, directory])
    expect(result.status in (0, 1), "ptrace-report %s ended with %d: %s", options, result.status, result.stderr)
    return result.stdout.decode()


def check_sums(found):
    sums = {k: found[k] for k in ("calls", "failed", "bytes_read", "bytes_written", "bytes_moved", "waits")}
    expect_equal("sums", sums, {"calls": 2100, "failed": 6, "bytes_read": 18002, "bytes_written": 77, "bytes_moved": 0, "waits": 4})
    expect_equal("waiting", round(found["wait_seconds"] * 1e9), 10 ** 8)
    first, second = found["rows"]
    expect_equal("first", (first["kind"], first["name"], first["operation"], first["direction"], first["count"], first["bytes"]),
                 ("file", "/data/x", "read", "read", 1800, 18002))
    expect_equal("callers", sorted(c["count"] for c in first["callers"]), [900, 900])
    expect_equal("waiters", sum(round(w["seconds"] * 1e9) for w in first["waiters"]), 10 ** 8)
    expect_equal("second", (second["kind"], second["operation"], second["count"], second["bytes"]), ("pipe", "write", 300, 77))


def test_io_in_json_and_a_merged_run():
    directory, merged = scene("io"), os.path.join(scratch(), "io-merged")
    report = json.loads(printed(directory, "--format", "json"))
    check_sums(report["io"])
    expect(all(r["kind"] not in ("file", "pipe") for r in report["synchronization"]), "a wait is in two sections")
    # a profile without a process's end is incomplete: 1
    expect(execute([TOOL["merge"], "-o", merged, directory]).status in (0, 1), "ptrace-merge failed")
    check_sums(json.loads(printed(merged, "--format", "json"))["io"])


def test_io_in_text_csv_and_a_page():
    directory = scene("io")
    text = printed(directory, "--section", "io")
    expect("read 17.6 KiB, written 77 B in 2100 calls; 4 of them waited, for 100 ms" in text, "the text is %s", text)
    rows = list(csv.DictReader(io.StringIO(printed(directory, "--section", "io", "--format", "csv"))))
    expect_equal("CSV", [(r["name"], r["count"], r["bytes"]) for r in rows][0], ("/data/x", "1800", "18002"))
    page = printed(directory, "--format", "html")
    expect("/data/x" in page and "All input and output" in page, "the page has no input and output")
    expect("@ io:" not in printed(scene("workers")), "a run without calls has the section")


def test_io_in_exports_and_diff():
    directory, base = scene("io"), os.path.join(scratch(), "io.sqlite")
    folded = execute([TOOL["export"], "--format", "folded", "--measure", "wait", directory]).stdout.decode()
    leaves = [line for line in folded.splitlines() if "[read file /data/x]" in line]
    expect_equal("leaves", sum(int(line.split()[-1]) for line in leaves), 10 ** 8)
    execute([TOOL["export"], "--format", "sqlite", "-o", base, directory])
    with sqlite3.connect(base) as database:
        found = database.execute("select object, operation, sum(calls), sum(bytes) from io_times group by 1, 2 order by 3").fetchall()
    expect_equal("the last row of io_times", found[-1], ("/data/x", "read", 1800, 18002))
    compared = json.loads(execute([TOOL["diff"], "--format", "json", directory, directory]).stdout)
    expect("file /data/x, read" in json.dumps(compared), "ptrace-diff does not compare the file")


def test_a_profile_without_the_table_is_read_as_before():
    """As if it had been written by a version that did not know it: the waits are there, bytes are not."""
    directory = os.path.join(scratch(), "old")
    os.makedirs(directory)
    name = os.path.join(directory, "nowhere-1000-0.profile")
    with open(os.path.join(scene("io"), "nowhere-1000-0.profile"), "rb") as file:
        content = file.read()
    expect_equal("tables of that name", content.count(b"\ntable io_calls:"), 1)
    with open(name, "wb") as file:
        file.write(content.replace(b"\ntable io_calls:", b"\ntable xx_calls:"))
    found = json.loads(printed(directory, "--format", "json"))["io"]
    expect_equal("sums", (found["calls"], found["waits"], found["bytes_read"]), (4, 4, 0))
    expect_equal("each", found["rows"][0]["bytes_per_call"], None)


def test_who_called_is_told_where_most_calls_are():
    """Below the first three rows, which waited, and the three with the most calls; those with more bytes may stand between them."""
    one = run("io_calls", ["counts"], directory=scratch())
    rows = one.report["io"]["rows"][:10]
    busiest = sorted(range(10), key=lambda i: -rows[i]["count"])[:3]
    expect(max(busiest) > 2, "the first rows have the most calls: %s", [row["count"] for row in rows])
    lines = printed(one.directory, "--section", "io", "--width", "200").split("\n")[3:]
    shown = [at for at, line in enumerate(lines) if line[2:3].isalpha()]
    expect_equal("rows", [lines[at].split()[0] for at in shown], [row["kind"] for row in rows])
    told = {index for index, at in enumerate(shown) if lines[at + 1].startswith("      calls: ")}
    expect_equal("rows whose callers are told, of %s" % [row["count"] for row in rows], told, {0, 1, 2, *busiest})

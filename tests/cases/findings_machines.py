# SPDX-License-Identifier: MIT
"""Findings do not depend on processors for which a program has no threads, nor on images that never existed at the same time."""
import glob
import os
import shutil
import struct
import subprocess
import sys

from support import ROOT, built, expect, expect_equal, full, need, report_json, run, scratch, skip, timed, timing

BESIDE = True

sys.path.insert(0, os.path.join(ROOT, "tests"))
import format_reader  # noqa: E402


def rows_of(data, table):
    """The offset of each row of a table, and {column: (offset, code)}."""
    header = dict(zip(format_reader.HEADER_FIELDS, format_reader.HEADER.unpack_from(data)))
    schema = format_reader.read_schema(data[header["schema_offset"]:][:header["schema_bytes"]].decode())
    at, end, places, columns = header["blocks_offset"], min(header["used_bytes"], len(data)), [], {}
    while at + format_reader.BLOCK.size <= end:
        magic, size, number, row_bytes, _, _, _, count, _ = format_reader.BLOCK.unpack_from(data, at)
        if magic != 0x4b425450:
            at += 64
            continue
        if schema[number][0] == table:
            places += [at + format_reader.BLOCK.size + i * row_bytes for i in range(count)]
            offset = 0
            for name, kind in schema[number][1]:
                columns[name] = (offset, "<" + format_reader.code_of(kind))
                offset += struct.calcsize("<" + format_reader.code_of(kind))
        at += size
    return places, columns


def on_machine(directory, processors):
    """The report of the same run, as if there had been so many processors."""
    copy = os.path.join(scratch(), "machine.%d" % processors)
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(directory, copy)
    for path in glob.glob(os.path.join(copy, "*.profile")):
        with open(path, "rb") as file:
            data = bytearray(file.read())
        places, columns = rows_of(data, "process")
        for place in places:
            for name in "processors", "processors_online":
                struct.pack_into(columns[name][1], data, place + columns[name][0], processors)
        # threads may run on all of them: else they were bound to those that there are
        places, columns = rows_of(data, "threads")
        offset, form = columns["processors"]
        for place in places:
            if struct.unpack_from(form, data, place + offset)[0]:
                struct.pack_into(form, data, place + offset, processors)
        with open(path, "wb") as file:
            file.write(data)
    report = report_json(copy)
    expect_equal("processors of the report", report["run"]["processors"], processors)
    return report


def problems(report):
    return [f for f in report["findings"] if f["kind"] == "problem"]


# How two threads that share a lock, or sleep, would do with more processors is not known.
SAME = {"lock": "lock-contention", "spin": "spin-wait", "asleep": "sleep", "blocked": "blocked"}


@timed("other programs had the processors")
def scene_on_machines(name, wanted):
    one = run("finding_scenes", [name])
    first = problems(one.report)
    with timing():
        expect(first and first[0]["id"] == wanted, "%s: found %s, expected %s", name, [f["id"] for f in first], wanted)
    for processors in 8, 16, 64, 256:
        report = on_machine(one.directory, processors)
        found = problems(report)
        expect(found and found[0]["id"] == wanted, "%s on %d processors: %s, expected %s", name, processors,
               [(f["id"], f["elapsed_seconds"]) for f in found], wanted)
        stake = found[0]["elapsed_seconds"]
        expect(abs(stake - first[0]["elapsed_seconds"]) <= 0.05 * first[0]["elapsed_seconds"],
               "%s: %.3f s at stake on %d processors, %.3f s as it ran", name, stake, processors, first[0]["elapsed_seconds"])
        check_stakes(report)


def check_stakes(report):
    """No part that runs alone has a stake above the time for which it did; and no stake is above the run's time."""
    levels = {row["active"]: row["seconds"] for row in report["concurrency"]["on_processor"]["levels"]}
    for finding in report["findings"]:
        most = levels.get(1, 0) if finding["id"] == "sequential" else report["run"]["elapsed_seconds"]
        expect(finding["elapsed_seconds"] <= most * (1 + 1e-6) + 1e-9, "%s: %g s at stake, of %g s", finding["id"],
               finding["elapsed_seconds"], most)


@full
def test_the_cause_is_first_on_larger_machines():
    """A profile that is told to be of 8 to 256 processors: the same finding first, with the same at stake."""
    for name, wanted in SAME.items():
        scene_on_machines(name, wanted)


@full
@timed("other programs had the processors")
def test_a_serial_part_wins_no_more_than_its_time():
    one = run("finding_scenes", ["serial"])
    check_stakes(one.report)
    for processors in 2, 8, 16, 64, 256:
        report = on_machine(one.directory, processors)
        check_stakes(report)
        found = {f["id"] for f in report["findings"]}
        with timing():
            expect("sequential" in found, "on %d processors: %s", processors, sorted(found))


def crowded(command):
    """Runs on one processor that another program uses as well."""
    processor = str(min(os.sched_getaffinity(0)))
    other = subprocess.Popen(["taskset", "-c", processor, "sh", "-c", "while :; do :; done"])
    try:
        one = run(shutil.which("taskset"), ["-c", processor] + command)
        expect_equal("status", one.profiled.status, 0)
    finally:
        other.kill()
        other.wait()
    return one.report


def test_commands_one_after_the_other_are_never_there_together():
    """A script that runs 30 commands, one at a time, beside another program: who wants the processor is the other."""
    need("taskset")
    program = built("finding_scenes")
    report = crowded(["sh", "-c", "for i in 1 2 3 4 5 6 7 8 9 10; do %s; %s; %s; done; exit 0" % ((program + " short_run",) * 3)])
    if not any(thread["ready_seconds"] for thread in report["threads"]):
        skip("this kernel does not say how long threads are ready")
    expect(report["run"]["processes"] > 30, "only %d images", report["run"]["processes"])
    found = {f["id"]: f for f in report["findings"]}
    expect("oversubscription" in found, "no word of the other program: %s", sorted(found))
    expect_equal("who wants too much", (found["oversubscription"]["kind"], found["oversubscription"]["title"]),
                 ("environment", "other programs use the processors"))
    expect("; one at a time" in found["oversubscription"]["evidence"], "%s", found["oversubscription"]["evidence"])

# SPDX-License-Identifier: MIT
"""Reading exports back: each format by its own documentation, with no code of the exporter. Totals in nanoseconds."""
import gzip
import io
import json
import os
import sqlite3
import sys

import support
from support import BUILD, ROOT, execute, expect, fail, profile_paths, scratch

sys.path.insert(0, os.path.join(ROOT, "tests"))
from format_reader import read_profile  # noqa: E402

EXPORT = os.path.join(BUILD, "bin", "ptrace-export")
WAIT_CONSTRUCTS = ("BARRIER", "IMPLICIT_BARRIER", "LOOP_END", "SECTIONS_END", "SINGLE_END", "TASKWAIT", "TASKGROUP", "TASKLOOP",
                   "REDUCTION", "DOACROSS")


def export(directory, form, *options, status=0, suffix="out"):
    """Path of the export."""
    path = os.path.join(scratch(), "export." + suffix)
    result = execute([EXPORT, "--format", form, "-o", path] + [str(o) for o in options] + [directory])
    if result.status != status:
        fail("ptrace-export --format %s ended with status %d, expected %d: %s", form, result.status, status,
             result.stderr_text()[-300:])
    return path


def report_ns(report, key="cpu_seconds"):
    return round(sum(p[key] for p in report["processes"]) * 1e9)


def read_text(path):
    with open(path, encoding="utf-8") as file:  # what is no UTF-8 fails here
        return file.read()


# Formats

def folded(path):
    """[(frames, weight)]"""
    rows = []
    for line in read_text(path).splitlines():
        stack, weight = line.rsplit(" ", 1)
        expect(weight.isdigit() and stack, "no folded line: %r", line[:200])
        rows.append((stack.split(";"), int(weight)))
    return rows


def speedscope(path):
    """[(name, {stack of names: weight})] of a file that holds to the published schema, as far as it is used."""
    data = json.loads(read_text(path))
    expect(data["$schema"] == "https://www.speedscope.app/file-format-schema.json", "$schema: %r", data["$schema"])
    frames, found = data["shared"]["frames"], []
    for frame in frames:
        expect(isinstance(frame["name"], str) and set(frame) <= {"name", "file", "line", "col"}, "frame: %r", frame)
    for profile in data["profiles"]:
        expect(set(profile) == {"type", "name", "unit", "startValue", "endValue", "samples", "weights"}, "keys: %r", list(profile))
        expect(profile["type"] == "sampled" and profile["unit"] == "nanoseconds", "type and unit of %s", profile["name"])
        expect(len(profile["samples"]) == len(profile["weights"]), "samples and weights of %s", profile["name"])
        expect(profile["endValue"] - profile["startValue"] == sum(profile["weights"]), "endValue of %s", profile["name"])
        stacks = {}
        for stack, weight in zip(profile["samples"], profile["weights"]):
            names = tuple(frames[i]["name"] for i in stack)
            stacks[names] = stacks.get(names, 0) + weight
        found.append((profile["name"], stacks))
    return found


def chrome(path):
    """(events, otherData) of a trace whose events have what each kind needs."""
    data = json.loads(read_text(path))
    needed = {"X": ("ts", "dur"), "C": ("ts", "args"), "M": ("args",), "i": ("ts", "s"), "s": ("ts", "id"), "f": ("ts", "id", "bp")}
    for event in data["traceEvents"]:
        missing = [k for k in ("name", "pid", "tid") + needed[event["ph"]] if k not in event]
        expect(not missing, "event %r lacks %s", event, missing)
        expect(event.get("dur", 0) >= 0, "negative length: %r", event)
        expect(event.get("ts", 0) >= 0, "before the trace, where Perfetto drops it: %r", event)
    return data["traceEvents"], data["otherData"]


def callgrind(path):
    """(summary, sums of self costs, {routine: [self cpu, inclusive cpu, {(line, callee): waits}]})"""
    summary, sums, routines, names, routine, callee, is_call = None, None, {}, {}, None, None, False

    def name_of(word):
        number, _, name = word.partition(" ")
        if name:
            names[number] = name
        return names[number]

    for line in read_text(path).splitlines():
        key, _, value = line.partition("=")
        if line.startswith("summary:"):
            summary = [int(w) for w in line.split()[1:]]
            sums = [0] * len(summary)
        elif key == "fn":
            routine = routines.setdefault(name_of(value), [0, 0, {}])
        elif key == "cfn":
            callee = name_of(value)
        elif key == "calls":
            is_call = True
        elif line[:1].isdigit():
            cost = [int(w) for w in line.split()[1:]]
            expect(len(cost) == len(summary), "costs are not those of the events: %s", line)
            if not is_call:
                sums = [a + b for a, b in zip(sums, cost)]
                routine[0] += cost[0]
            elif cost[1]:
                key = (int(line.split()[0]), callee)
                routine[2][key] = routine[2].get(key, 0) + cost[1]
            routine[1] += cost[0]
            is_call = False
    return summary, sums, routines


def _varint(data, at):
    value, shift = 0, 0
    while True:
        byte = data[at]
        value |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            return value, at


def _fields(data):
    """Yields (field, value): numbers, or bytes."""
    at = 0
    while at < len(data):
        key, at = _varint(data, at)
        if key & 7 == 0:
            value, at = _varint(data, at)
        elif key & 7 == 2:
            size, at = _varint(data, at)
            value, at = data[at:at + size], at + size
            expect(len(value) == size, "a field ends behind its message")
        else:
            fail("wire type %d", key & 7)
        yield key >> 3, value


def _numbers(data):
    values, at = [], 0
    while at < len(data):
        value, at = _varint(data, at)
        values.append(value)
    return values


def _message(data, repeated=()):
    message = {}
    for field, value in _fields(data):
        if field in repeated:
            message.setdefault(field, []).append(value)
        else:
            message[field] = value
    return message


def pprof(path):
    """(types, samples): samples are (stack of routines, innermost first; values by type; labels)."""
    with gzip.open(path) as file:
        profile = _message(file.read(), repeated=(1, 2, 3, 4, 5, 6, 13))
    texts = [t.decode() for t in profile[6]]
    expect(texts[0] == "", "text 0 is %r", texts[0])
    types = [texts[_message(t)[1]] for t in profile[1]]
    functions = {f[1]: texts[f[2]] for f in map(_message, profile.get(5, []))}
    mappings = {m[1]: texts[m.get(6, 0)] for m in map(_message, profile.get(3, []))}
    routine_of = {}
    for location in map(_message, profile.get(4, [])):
        routine_of[location[1]] = functions[_message(location[4])[1]]
        expect(location.get(2, 0) == 0 or location[2] in mappings, "a location's mapping is not there")
    samples = []
    for data in profile.get(2, []):
        sample = _message(data, repeated=(3,))
        labels = {}
        for label in map(_message, sample.get(3, [])):
            labels[texts[label[1]]] = texts[label[2]] if 2 in label else label.get(3, 0)
        samples.append(([routine_of[i] for i in _numbers(sample[1])], dict(zip(types, _numbers(sample[2]))), labels))
    return types, samples


class Database:
    def __init__(self, path):
        self.connection = sqlite3.connect("file:%s?mode=ro" % path, uri=True)

    def rows(self, query):
        return self.connection.execute(query).fetchall()

    def one(self, query):
        return self.rows(query)[0][0]


def database(directory, status=0):
    return Database(export(directory, "sqlite", status=status))


# What must come out, read from the profiles by docs/dev/format.md alone

def raw(directory):
    """[(header, tables)] of the profiles, by name of the file."""
    return [read_profile(path) for path in profile_paths(directory)]


def raw_cpu(directory):
    return sum(t["user_ns"] + t["system_ns"] for _, tables in raw(directory) for t in tables["threads"] if t["tid"])


def raw_waits(directory, constructs):
    """Waits that are over. constructs: numbers of OpenMP constructs by name (openmp_job.CONSTRUCTS)."""
    waiting, total = {constructs[c] for c in WAIT_CONSTRUCTS}, 0
    for _, tables in raw(directory):
        total += sum(w["sum_ns"] for w in tables["waits"] + tables["mpi_calls"])
        total += sum(e["join_ns"] for e in tables["omp_executions"])
        total += sum(c["time_ns"] for c in tables["omp_constructs"] if c["construct"] in waiting)
    return total

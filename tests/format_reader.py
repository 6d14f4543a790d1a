#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Reads profiles by docs/dev/format.md alone, and prints the totals of each.  Usage: format_reader.py FILE..."""
import struct
import sys

PLAIN = {"u8": "B", "u16": "H", "u32": "I", "u64": "Q", "str": "Q", "causes": "16Q", "causes32": "32Q"}
HEADER = struct.Struct("<8s6I5QIi5Q")
HEADER_FIELDS = ("magic version byte_order header_bytes pid sequence reserved schema_offset schema_bytes blocks_offset "
                 "used_bytes file_bytes state status start_ns start_realtime_ns end_ns heartbeat_ns lost_rows").split()
BLOCK = struct.Struct("<IIHHIIIII32x")


def code_of(kind):
    if kind in PLAIN:
        return PLAIN[kind]
    return kind[4:] + {"text": "s", "hist": "I"}[kind[:4]]  # text16, hist32


def read_schema(text):
    """[(table, [(column, type)], its Struct)] in the order of the tables' numbers"""
    tables = []
    for line in text.splitlines()[1:]:
        words = line.split(":")[0].split()
        if words[0] == "table":
            tables.append((words[1], []))
        elif words[0] == "column":
            tables[-1][1].append((words[2], words[1]))
    return [(name, columns, struct.Struct("<" + "".join(code_of(k) for _, k in columns))) for name, columns in tables]


def read_row(columns, code, data, at):
    values, row = iter(code.unpack_from(data, at)), {}
    for name, kind in columns:
        wide = {"causes": 16, "causes32": 32, "hist32": 32}.get(kind)
        row[name] = [next(values) for _ in range(wide)] if wide else next(values)
        if kind.startswith("text"):
            row[name] = row[name].split(b"\0")[0].decode(errors="replace")
    return row


def read_profile(path):
    """(header, {table: [row]}); each row also has its `number` and the `owner` of its block."""
    with open(path, "rb") as file:
        data = file.read()
    header = dict(zip(HEADER_FIELDS, HEADER.unpack_from(data)))
    if (header["magic"], header["version"], header["byte_order"]) != (b"PTPROF\r\n", 1, 0x01020304):
        raise ValueError("%s is no profile of version 1" % path)
    schema = read_schema(data[header["schema_offset"]:][:header["schema_bytes"]].decode())
    rows, strings = {name: [] for name, _, _ in schema}, {}
    at, end = header["blocks_offset"], min(header["used_bytes"], len(data))
    while at + BLOCK.size <= end:
        magic, size, table, row_bytes, owner, first, capacity, count, flags = BLOCK.unpack_from(data, at)
        if magic != 0x4b425450:  # reserved, not yet filled in
            at += 64
            continue
        name, columns, code = schema[table]
        for number in range(min(capacity if flags & 1 else count, (min(size, end - at) - BLOCK.size) // row_bytes)):
            place = at + BLOCK.size + number * row_bytes
            if name == "strings":
                strings[first + number] = place
            elif not flags & 1 or any(data[place:place + 8]):
                rows[name].append(dict(read_row(columns, code, data, place), number=first + number, owner=owner))
        at += size
    for name, columns, _ in schema:
        for column in (c for c, kind in columns if kind == "str"):
            for row in rows[name]:
                place = strings.get(row[column]) if row[column] else None
                row[column] = data[place:data.index(b"\0", place)].decode(errors="replace") if place else ""
    return header, rows


if __name__ == "__main__":
    for profile in sys.argv[1:]:
        head, found = read_profile(profile)
        image = head["pid"], head["sequence"], head["state"], found["process"][0]["command"]
        print("pid %d image %d state %d: %s" % image)
        print("  threads    %d" % sum(t["lives"] for t in found["threads"] if t["tid"]))
        print("  CPU time   %.6f s" % (sum(t["user_ns"] + t["system_ns"] for t in found["threads"] if t["tid"]) / 1e9))
        print("  calls      %d, of which %d waited, for %.6f s" % (
            sum(r["count"] for r in found["tallies"] + found["waits"]), sum(r["count"] for r in found["waits"]),
            sum(r["sum_ns"] for r in found["waits"]) / 1e9))
        for kind, what in (1, "on a processor"), (2, "useful"):
            levels = sorted((r["active"], r["time_ns"]) for r in found["concurrency"] if r["kind"] == kind)
            print("  T_i %s: %s" % (what, ", ".join("T_%d %.6f s" % (i, ns / 1e9) for i, ns in levels)))

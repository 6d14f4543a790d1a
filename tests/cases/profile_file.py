# SPDX-License-Identifier: MIT
"""Reads profile files by their published framing (preload/file/format.h) and columns (preload/file/schema.def), without the
analyzer: counts of calls that no report section shows, and an independent eye on the format."""
import os
import re
import struct

import support

SIZES = {"u8": 1, "u16": 2, "u32": 4, "u64": 8, "str": 8, "text16": 16, "text48": 48, "hist32": 128, "causes32": 256}
CODES = {"u8": "B", "u16": "H", "u32": "I", "u64": "Q", "str": "Q", "text16": "16s", "text48": "48s", "hist32": "32I",
         "causes32": "32Q"}
HEADER = struct.Struct("<8sIIIIII QQQQQ Ii QQQQQ")
BLOCK = struct.Struct("<IIHHIIIII32x")


def source(name):
    with open(os.path.join(support.ROOT, "preload", "file", name)) as file:
        return file.read()


def operations():
    """Names of enum operation, in order."""
    return re.findall(r"OPERATION\((\w+), \"", source("vocabulary.h"))


def causes():
    """Names of enum cause, in order."""
    return re.findall(r"CAUSE\((\w+), \w+, \"", source("vocabulary.h"))


def sums():
    """{list: [(column, type, unit, name in JSON, meaning)]} of the columns that are carried to every output (schema_sums.h)."""
    text = re.sub(r"\s*\\\n\s*", " ", source("schema_sums.h"))
    found = {}
    for name, body in re.findall(r"^#define SUMS_OF_(\w+)\(SUM\)(.*)$", text, re.M):
        found[name] = []
        for of, *one in re.findall(r'SUMS_OF_(\w+)\(SUM\)|\bSUM\((\w+), (\w+), (\w+), (\w+), "(.*?)"\)', body):
            kind, column, unit, shown, meaning = one
            found[name] += found[of] if of else [(column, kind, unit, shown, meaning)]
    return found


def schema():
    """schema.def with a line for every column."""
    carried = sums()
    return re.sub(r"^SUMS_OF_(\w+)\(SUM_COLUMN\)$", lambda match: "\n".join(
        'COLUMN(%s, %s, %s, value, sum, "%s")' % (kind, column, unit, meaning)
        for column, kind, unit, _, meaning in carried[match.group(1)]), source("schema.def"), flags=re.M)


def tables():
    """[(name, [(column, type)])] in the order of their numbers."""
    found = []
    for line in re.finditer(r"^(TABLE|COLUMN)\((\w+), (\w+)?", schema(), re.M):
        if line.group(1) == "TABLE":
            found.append((line.group(2), []))
        else:
            found[-1][1].append((line.group(3), line.group(2)))
    return found


class Profile:
    def __init__(self, path):
        with open(path, "rb") as file:
            self.data = file.read()
        fields = HEADER.unpack_from(self.data)
        support.expect_equal("magic of %s" % path, fields[0], b"PTPROF\r\n")
        self.pid, self.sequence = fields[4], fields[5]
        self.blocks_offset, self.used = fields[9], fields[10]
        self.state, self.status = fields[12], fields[13]
        self.rows = {name: [] for name, _ in tables()}
        self.strings = []
        self._read()

    def _read(self):
        layout, at = tables(), self.blocks_offset
        while at + BLOCK.size <= min(self.used, len(self.data)):
            magic, size, table, row_bytes, owner, first, capacity, rows, flags = BLOCK.unpack_from(self.data, at)
            if magic != 0x4b425450 or size == 0:
                at += 64  # given out, and left by a jump
                continue
            if table < len(layout) and layout[table][0] == "strings":
                self.strings.append((first, self.data[at + BLOCK.size:at + BLOCK.size + capacity * row_bytes]))
            elif table < len(layout):
                self._read_rows(layout[table], at + BLOCK.size, row_bytes, capacity if flags & 1 else rows, flags & 1, owner, first)
            at += size

    def _read_rows(self, table, at, row_bytes, count, is_sparse, owner, first):
        name, columns = table
        code = struct.Struct("<" + "".join(CODES[kind] for _, kind in columns))
        support.expect(row_bytes >= code.size, "rows of %s have %d bytes, the schema needs %d", name, row_bytes, code.size)
        for number in range(count):
            place = at + number * row_bytes
            if is_sparse and self.data[place:place + 8] == bytes(8):
                continue
            values = iter(code.unpack_from(self.data, place))
            row = {"owner": owner, "number": first + number}
            for column, kind in columns:
                wide = {"hist32": 32, "causes32": 32}.get(kind)
                row[column] = [next(values) for _ in range(wide)] if wide else next(values)
            self.rows[name].append(row)

    def text(self, number):
        """The text of a column of type str."""
        for first, data in self.strings:
            if number and first <= number < first + len(data):
                return data[number - first:].split(b"\0", 1)[0].decode()
        return ""

    def counts(self):
        """Calls of each operation, by its name, without those on descriptors (table io_calls); and of unlocking mutexes as UNLOCKS."""
        descriptors = {causes().index(name) for name in ("READ", "WRITE", "EVENTS", "ACCEPT", "CONNECT", "OPEN", "DISK", "FILE_LOCK", "IPC")}
        names = operations()
        found = dict.fromkeys(names, 0)
        for row in self.rows["tallies"] + self.rows["waits"]:
            if row.get("cause") not in descriptors:
                found[names[row["operation"]]] += row["count"]
        found["UNLOCKS"] = sum(row["unlocks"] for row in self.rows["threads"])
        return found

    def mpi_calls(self):
        """{name of the MPI call: its rows}"""
        names, found = {row["number"]: self.text(row["name"]) for row in self.rows["mpi_names"]}, {}
        for row in self.rows["mpi_calls"]:
            found.setdefault(names[row["call"]], []).append(row)
        return found


def profiles(run):
    return [Profile(path) for path in run.profiles()]

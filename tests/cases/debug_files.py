# SPDX-License-Identifier: MIT
"""Debugging information that lies apart from its program is found, and only if it belongs to it."""
import lzma
import os
import random
import re
import subprocess

from object_names import address_of
from support import TIMEOUT, ROOT, built, expect, expect_equal, need, scratch

BESIDE = True  # no case asserts a time

SOURCE = os.path.join(ROOT, "docs", "example", "words.c")
ROUTINE = "main"


def execute(*words):
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL)


def stripped(folder, *flags):
    """(a program without symbols, its debugging file below `folder`, a return address in it): the program has a link to the file."""
    program = os.path.join(scratch(), "program")
    execute(need("cc"), "-O2", "-g", "-w", *flags, "-o", program, SOURCE, "-pthread")
    address = address_of(program, ROUTINE) + 1
    debug = os.path.join(os.path.dirname(program), folder, "program.debug")
    os.makedirs(os.path.dirname(debug), exist_ok=True)
    objcopy = need("objcopy")
    execute(objcopy, "--only-keep-debug", program, debug)
    execute(objcopy, "--strip-all", "--add-gnu-debuglink=" + debug, program)
    return program, debug, address


def routine_at(program, address):
    done = subprocess.run([built("symbolize_places"), program, "%x" % address], capture_output=True, text=True, timeout=TIMEOUT)
    expect_equal("status of the symbolizer (%s)" % done.stderr, done.returncode, 0)
    return done.stdout.split()[0]


def test_a_link_leads_to_the_file_beside_the_program():
    """Also in a folder .debug; with a build-id, and without one, where the link's checksum tells."""
    for folder in ("", ".debug"):
        for flag in ("-Wl,--build-id", "-Wl,--build-id=none"):
            program, _, address = stripped(folder, flag)
            expect_equal("routine, %s, file in %r" % (flag, folder), routine_at(program, address), ROUTINE)


def test_another_debugging_file_is_not_believed():
    """A byte more: the checksum is another one. A build-id would tell as well, that of another build has no part in it."""
    program, debug, address = stripped("", "-Wl,--build-id=none")
    with open(debug, "ab") as file:
        file.write(b"\0")
    expect_equal("routine by a changed file", routine_at(program, address), "program+0x%x" % (address - 1))
    program, debug, address = stripped("", "-Wl,--build-id=0x1234567890abcdef")
    _, other, _ = stripped("", "-Wl,--build-id=0xfedcba0987654321")
    os.replace(other, debug)
    expect_equal("routine by the file of another build", routine_at(program, address), "program+0x%x" % (address - 1))


def test_without_a_file_there_is_the_address():
    program, debug, address = stripped("", "-Wl,--build-id")
    os.remove(debug)
    expect_equal("routine", routine_at(program, address), "program+0x%x" % (address - 1))


def with_mini(change):
    """A program as Fedora strips it: .gnu_debugdata has its small table of symbols, compressed, as `change` leaves it."""
    folder = scratch()
    program, bare, mini = (os.path.join(folder, name) for name in ("whole", "program", "mini"))
    execute(need("cc"), "-O2", "-w", "-o", program, SOURCE, "-pthread")
    address = address_of(program, ROUTINE) + 1
    execute(need("objcopy"), "--only-keep-debug", program, mini)
    data = lzma.compress(open(mini, "rb").read())
    for form in change:
        with open(mini, "wb") as file:
            file.write(form(bytearray(data)))
        execute(need("objcopy"), "--strip-all", "--add-section=.gnu_debugdata=" + mini, program, bare)
        yield routine_at(bare, address), "program+0x%x" % (address - 1)


def test_symbols_that_are_left_in_a_stripped_program():
    """Damaged, or larger than anybody's, they are as if they were not there."""
    draw = random.Random(8)

    def half(data):
        return data[:len(data) // 2]

    def flipped(data):
        data[draw.randrange(6, len(data))] ^= 1 << draw.randrange(8)
        return data

    def too_large(data):
        return lzma.compress(lzma.decompress(data) + bytes(65 << 20), preset=0)

    (whole, _), *others = with_mini([bytes, half, too_large] + 4 * [flipped])
    expect_equal("routine", whole, ROUTINE)
    for shown, address in others:
        expect_equal("routine, damaged", shown, address)


def test_a_search_closes_nothing_of_the_caller():
    """libdwfl closes descriptor 0, where ptrace-top's keys come from; it is opened again with what it was."""
    program, _, address = stripped("", "-Wl,--build-id")
    calls = os.path.join(scratch(), "calls")
    execute(need("strace"), "-e", "trace=close,dup2", "-o", calls, built("symbolize_places"), program, "%x" % address)
    with open(calls) as file:
        lines = [line.split("=")[0].strip() for line in file]
    closed = [i for i, line in enumerate(lines) if line == "close(0)"]
    again = [i for i, line in enumerate(lines) if re.match(r"dup2\(\d+, 0\)", line)]
    expect(len(closed) == len(again) and all(b - a <= 2 for a, b in zip(closed, again)), "descriptor 0: %s", lines)

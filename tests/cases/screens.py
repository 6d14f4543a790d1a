# SPDX-License-Identifier: MIT
"""Text as wide as the screen: no line is longer, in any section, at any width; the terminal's width, COLUMNS and --width decide."""
import ctypes
import fcntl
import os
import pty
import re
import struct
import subprocess
import termios

from support import BUILD, REPORT, built, clean_environment, execute, expect, expect_equal, scratch

BESIDE = True  # no case asserts a time

DIFF = os.path.join(BUILD, "bin", "ptrace-diff")
TOP = os.path.join(BUILD, "bin", "ptrace-top")
SCENES = ("workers", "crowd", "team", "rank", "counted", "io", "instrumented", "single", "nothing")
LIBC = ctypes.CDLL(None)
LIBC.wcwidth.argtypes = [ctypes.c_wchar]


def scene(name):
    """A run whose profile has known content, and no program."""
    directory = os.path.join(scratch(), name)
    os.mkdir(directory)
    expect_equal("make_profile", execute([built("make_profile"), name, os.path.join(directory, "nowhere-1000-0.profile")]).status, 0)
    return directory


def all_sections():
    text = execute([REPORT, "--section", "help"]).stdout.decode()
    return re.findall(r"^  (\w+) +\S", text, re.M)


def columns(line):
    return sum(1 if ord(c) < 128 else max(0, LIBC.wcwidth(c)) for c in line)


def fits(command, width, environment=None):
    """Its text, all of whose lines fit."""
    text = execute(command, environment=environment).stdout.decode()
    expect(text, "%s prints nothing", command)
    for line in text.splitlines():
        expect(columns(line) <= width, "%d columns, not %d, in %s: %r", columns(line), width, command[-3:], line)
        expect(line == line.rstrip(), "blanks at the end, in %s: %r", command[-3:], line)
    return text


def plain():
    environment = clean_environment()
    del environment["COLUMNS"]
    return environment


def test_no_line_is_wider_than_asked_for():
    LIBC.setlocale(0, b"C.UTF-8")
    sections = ",".join(all_sections())
    for name in SCENES:
        run = scene(name)
        for width in (40, 60, 80, 132):
            fits([REPORT, "--top", "0", "--width", str(width), "--section", sections, run], width)
        fits([REPORT, "--width", "40", run], 40, clean_environment({"LC_ALL": "C"}))
    one, other = scene("workers"), scene("counted")
    for width in (40, 80):
        fits([DIFF, "--top", "0", "--width", str(width), one, other], width)
        fits([DIFF, "--scaling", "--width", str(width), "1=" + one, "2=" + other], width)
        fits([TOP, "--once", "--width", str(width), scene("crowd")], width)


def widest(text):
    return max(columns(line) for line in text.splitlines())


def at_terminal(command, width):
    """Its text at a terminal of that width."""
    ours, its = pty.openpty()
    fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("HHHH", 24, width, 0, 0))
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=its, stderr=subprocess.DEVNULL, env=plain(), start_new_session=True):
        os.close(its)
        text = b""
        try:
            while part := os.read(ours, 65536):
                text += part
        except OSError:  # the other end is closed
            pass
    os.close(ours)
    return re.sub("\x1b\\[[0-9;]*m", "", text.decode().replace("\r\n", "\n"))


def test_width_is_that_of_the_terminal():
    """80 columns in a pipe; COLUMNS, and before it --width, say otherwise."""
    command = [REPORT, "--section", "threads,routines,findings", scene("crowd")]
    asked = {width: execute(command + ["--width", str(width)]).stdout.decode() for width in (60, 80, 132)}
    expect(widest(asked[60]) <= 60 < widest(asked[80]) <= 80 < widest(asked[132]), "widths make no difference: %s", asked)
    expect_equal("text in a pipe", execute(command, environment=plain()).stdout.decode(), asked[80])
    for width in (60, 132):
        expect_equal("text at a terminal", at_terminal(command, width), asked[width])
        expect_equal("text with COLUMNS", execute(command, environment=clean_environment({"COLUMNS": str(width)})).stdout.decode(), asked[width])
    for nonsense in ("", "wide", "-3"):
        expect_equal("text with COLUMNS=%s" % nonsense, execute(command, environment=clean_environment({"COLUMNS": nonsense})).stdout.decode(), asked[80])


def test_csv_of_an_empty_section_has_its_header():
    """Each section of a run in which nothing happened."""
    nothing = scene("nothing")
    for section in all_sections():
        lines = execute([REPORT, "--format", "csv", "--section", section, nothing]).stdout.decode().splitlines()
        expect(lines and lines[0] and not lines[0].startswith("@"), "%s: %r", section, lines[:1])

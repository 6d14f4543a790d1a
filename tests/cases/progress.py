# SPDX-License-Identifier: MIT
"""The progress bar of long reads: on a terminal, after a second, erased at the end; otherwise not a byte."""
import os
import pty
import subprocess
import time

from merge import MERGE, many, status_of
from support import REPORT, clean_environment, expect, expect_equal, scratch

BESIDE = True
ERASED = b"\r\033[K"
BARS = b"listing profiles [", b"reading profiles [", b"waiting for parts ["
SECONDS = 1.3  # more than the one after which the bar would appear


def read_all(terminal, once_drawn):
    """Everything until the last writer has closed it. once_drawn: is called when a bar is there."""
    said = b""
    while True:
        if once_drawn and any(bar in said for bar in BARS):
            once_drawn()
            once_drawn = None
        try:
            part = os.read(terminal, 4096)
        except OSError:  # what Linux says at the end of a terminal
            return said
        if not part:
            return said
        said += part


def on_terminal(command, late=None, once_drawn=None, environment=None):
    """(status, what came out on the terminal that is standard error). late: what happens when it has begun."""
    terminal, end = pty.openpty()
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=end,
                               env=environment or clean_environment({"TERM": "xterm"}))
    os.close(end)
    if late:
        late()
    said = read_all(terminal, once_drawn)
    os.close(terminal)
    return process.wait(), said


def feed(path):
    """Who has opened the pipe waits for some time."""
    with open(path, "w") as file:
        time.sleep(SECONDS)
        file.write("{}")


def slow_run(count=6):
    """A run whose run.json is a pipe: whoever reads it waits until somebody writes."""
    directory = many(count)
    pipe = os.path.join(directory, "run.json")
    os.mkfifo(pipe)
    return directory, pipe


def expect_erased(said):
    """What follows the last bar begins with its erasure."""
    bars = [word for word in BARS if word in said]
    expect(bars, "no bar came: %r", said[-200:])
    last = max(said.rindex(word) for word in bars)
    drawn = said.index(b"\033[K", last) + 3
    expect(said[drawn:].startswith(ERASED), "the last bar stays: %r", said[last:])


def test_progress_of_a_long_report():
    directory, pipe = slow_run()
    status, said = on_terminal([REPORT, directory], late=lambda: feed(pipe))
    expect(status in (0, 1), "status %d: %r", status, said[-300:])
    expect_erased(said)


def test_no_progress_of_a_short_report():
    directory = many(2)
    start = time.monotonic()
    status, said = on_terminal([REPORT, directory])
    if time.monotonic() - start < 1:
        expect(b"[" not in said and b"\033" not in said, "a short report drew: %r", said)
    expect(status in (0, 1), "status %d", status)


def test_no_progress_without_a_terminal():
    directory, pipe = slow_run()
    process = subprocess.Popen([REPORT, directory], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                               stderr=subprocess.PIPE, env=clean_environment({"TERM": "xterm"}))
    feed(pipe)
    said = process.communicate(timeout=60)[1]
    expect(b"\033" not in said and b"[" not in said, "a bar went into a pipe: %r", said)


def test_progress_of_a_long_merge():
    """Rank 0 waits for the part of rank 1, which comes late."""
    out, directory = os.path.join(scratch(), "merged"), many(6)
    command = [MERGE, "-o", out, directory]
    status, said = on_terminal(command, environment=rank_of_two(0), once_drawn=lambda: subprocess.run(
        command, env=rank_of_two(1), check=True, timeout=60))
    expect_equal("status: %r" % said[-200:], status, status_of(directory))
    expect(b"waiting for parts [" in said, "no word of the parts: %r", said[-200:])
    expect_erased(said)


def rank_of_two(rank):
    return clean_environment({"TERM": "xterm", "PMI_RANK": str(rank), "PMI_SIZE": "2"})

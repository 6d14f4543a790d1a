# SPDX-License-Identifier: MIT
"""stdio, FIFOs, and libc's other names of calls: bytes to the byte, waits as the waiters say, and nothing where no descriptor was
used."""
import os
import re

from io_calls import LATE, Io
from support import (ROOT, built, check_laws, execute, expect, expect_between, expect_equal, expect_near, expect_same, run, scratch, skip,
                     timed, timing)

BESIDE = True

READING, WRITING = ("GETC", "GETLINE", "FREAD"), ("FWRITE", "FFLUSH", "PRINTF")
SCRIPT = os.path.join(ROOT, "scripts", "check-aliases")


def streams(scene):
    one = run("io_streams", [scene], directory=scratch())
    expect_same(one)
    return one, Io(one)


def test_bytes_of_streams_are_exact():
    one, io = streams("files")
    truth, written = one.truth, [io.total(operation) for operation in WRITING]
    # the last 110 bytes are flushed, 100 by the program and 10 by fclose
    expect_equal("flushes", written[1][0], 2)
    expect_equal("bytes written", sum(row[1] for row in written), truth["written"])
    by_getc, by_line, by_block = (io.total(operation) for operation in READING)
    expect_equal("bytes read by getc", by_getc[1], truth["characters"])
    expect_equal("calls of getc that read, and met the end", by_getc[0], -(-int(truth["characters"]) // 4096) + 1)
    # fgets begins behind 10000 bytes
    expect_equal("bytes read by lines", by_line[1], truth["lines"] + truth["written"] - 10000)
    expect_equal("bytes read by blocks", by_block[1], 2 * truth["written"])
    expect_equal("failed", [io.total(operation)[2] for operation in READING + WRITING], [0] * 6)
    expect(written[2][0] >= 2, "calls of printf that wrote: %d", written[2][0])


def test_what_uses_no_descriptor_is_not_counted():
    _, io = streams("memory")
    expect_equal("calls by getc", io.total("GETC"), [0, 0, 0])
    expect_equal("calls of fwrite", io.total("FWRITE"), [0, 0, 0])
    expect_equal("flushes", io.total("FFLUSH"), [0, 0, 0])


@timed(LATE)
def test_waits_in_streams_are_as_long_as_the_waiters_say():
    one, io = streams("pipe")
    check_laws(one.report)
    expect_equal("lines", io.total("GETLINE"), [5, 100, 0])
    expect_equal("blocks", io.total("FWRITE"), [5, 5 * 65536, 0])
    with timing():
        expect_near("waiting in getline", io.seconds("GETLINE", "PIPE"), one.truth["reading"], 0.03, 0.003)
        expect_near("waiting in fwrite", io.seconds("FWRITE", "PIPE"), one.truth["writing"], 0.05, 0.003)


@timed(LATE)
def test_the_opening_of_a_fifo_waits_for_its_other_end():
    one, io = streams("fifo")
    check_laws(one.report)
    # truth_end writes to standard output; a file that tells the truth is opened besides
    expect_equal("calls of open that failed", io.total("OPEN")[2], 1)
    names = [name for (kind, name) in [key for key in io.calls("OPEN") if key] if kind == "PIPE"]
    expect_equal("opened FIFOs", [os.path.basename(name) for name in names], ["fifo"])
    with timing():
        expect_near("waiting in open", io.seconds("OPEN", "PIPE"), one.truth["opening"], 0.03, 0.003)


def test_other_names_of_calls_are_counted():
    _, io = streams("aliases")
    for operation, expected in (("READ", [5, 35, 0]), ("POLL", [5, 0, 0]), ("PREAD", [1, 7, 0]), ("PWRITE", [1, 7, 0])):
        expect_equal(operation, io.total(operation), expected)


def test_no_public_name_is_forgotten():
    done = execute([SCRIPT])
    if b"skipped" in done.stdout:
        skip("no libc, or no nm")
    expect_equal("status, %r" % done.stderr[-300:], done.status, 0)
    # a library that has some names of a call, and not others
    done = execute([SCRIPT, built("libinterposer.so")])
    expect_equal("status of one with a gap", done.status, 1)
    expect(b"__pthread_mutex_lock is pthread_mutex_lock, and not wrapped" in done.stderr, "it said %r", done.stderr)


LINES = 300000


def test_small_writes_of_a_stream_are_found_as_those_of_write_are():
    """A flush after each line is a system call for each, and takes most of the program's time; a stream that is left to itself is fine."""
    for how, operation in ("write", "write"), ("flush", "fflush"), ("stream", None):
        one = run("small_writes", [how, str(LINES)], directory=scratch())
        found = [f for f in one.report["findings"] if f["id"] == "small-io"]
        expect_equal("%s: small-io" % how, len(found), 1 if operation else 0)
        for finding in found:
            wanted = r"^%d calls that read or wrote 47 B each on average, most of them %s of \S*small_writes.log in log_line \(small_writes.c:%d\)" % (
                LINES, operation, 15 if how == "write" else 19)
            expect(re.search(wanted, finding["evidence"]), "%s: %s", how, finding["evidence"])
            expect_equal("%s: where" % how, [w["name"] for w in finding["where"] if w["level"] == "routine"][0].split()[0], "log_line")
            expect_equal("%s: advice" % how, finding["advice"].startswith("Flush only"), how == "flush")

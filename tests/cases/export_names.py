# SPDX-License-Identifier: MIT
"""Exports: names that would break a careless writer, damaged profiles, wrong usage."""
import os

import export_read as ex
from support import built, execute, expect, expect_equal, full, run, scratch, short_or_long, soaks

BESIDE = True  # no case asserts a time


def hostile():
    one = run("hostile_names")
    one.profiled
    return one


def test_names_with_semicolons_quotes_and_strange_bytes():
    one = hostile()
    for measure, wanted in ("cpu", "größe"), ("cpu", "work<double, char const*>"), ("wait", "[mutex lock:of all]"):
        rows = ex.folded(ex.export(one.directory, "folded", "--measure", measure))
        expect(any(wanted in frames for frames, _ in rows), "folded: no frame %s in %s", wanted, [f for f, _ in rows])
    stacks = dict(ex.speedscope(ex.export(one.directory, "speedscope")))["waits"]
    expect(any(s[-1] == "[mutex lock;of all]" for s in stacks), "speedscope: no wait for the lock in %s", list(stacks))
    _, _, routines = ex.callgrind(ex.export(one.directory, "callgrind"))
    expect("größe" in routines and "[mutex lock;of all]" in routines, "callgrind: %s", list(routines))
    _, samples = ex.pprof(ex.export(one.directory, "pprof"))
    expect_equal("pprof: locks", {labels["lock"] for _, _, labels in samples if "lock" in labels},
                 {"mutex lock;of all", "join thread thread_main"})
    threads = {labels["thread"] for _, _, labels in samples}
    expect_equal("pprof: threads", threads - {"hostile_names"}, {'a;b "q"', "two\nlines\\", "\ufffd\ufffd,\t'x'"})


def test_thread_names_in_tables():
    one, wanted = hostile(), {'a;b "q"', "two\nlines\\", "\ufffd\ufffd,\t'x'"}
    names = {r[0] for r in ex.database(one.directory).rows("select name from thread_names")}
    expect_equal("SQLite", names - {"hostile_names"}, wanted)
    events, _ = ex.chrome(ex.export(one.directory, "chrome"))
    names = {e["args"]["name"] for e in events if e["name"] == "thread_name"}
    expect_equal("trace", names - {"hostile_names"}, wanted)


@full
@soaks
def test_damaged_profiles_are_exported_or_refused():
    """Cut at many places, and with bytes changed: a readable export with status 0 or 1, or a line with status 2."""
    one = hostile()
    with open(one.profiles()[0], "rb") as file:
        data = file.read()
    for number in range(short_or_long(6, 240)):
        damaged, directory = bytearray(data), scratch()
        if number % 2:
            del damaged[4096 + (len(data) - 4096) * number // short_or_long(6, 240):]
        else:
            for at in range(4096 + 97 * number, len(data), 1009 + 64 * number):
                damaged[at] ^= 1 << number % 8
        with open(os.path.join(directory, "x-1-0.profile"), "wb") as file:
            file.write(damaged)
        for form in ("folded", "speedscope", "chrome", "pprof", "callgrind", "sqlite"):
            path = os.path.join(directory, "export." + form)
            result = execute([ex.EXPORT, "--format", form, "-o", path, directory])
            expect(result.status in (0, 1, 2), "%s of damage %d: status %d, %s", form, number, result.status, result.stderr_text()[-300:])
            expect(result.status == 0 or result.stderr.startswith(b"ptrace-export: "), "no reason: %r", result.stderr)
            if result.status != 2 and form == "chrome":
                ex.chrome(path)
            if result.status != 2 and form == "speedscope":
                ex.speedscope(path)
            if result.status != 2 and form == "pprof":
                ex.pprof(path)


def refusal(arguments, *words):
    result = execute([ex.EXPORT] + arguments)
    expect_equal("status of ptrace-export %s" % " ".join(arguments), result.status, 2)
    expect(result.stderr.count(b"\n") <= 2 and not result.stdout, "output: %r %r", result.stderr, result.stdout)
    for word in words:
        expect(word in result.stderr_text(), "%r is not in %r", word, result.stderr_text())


def test_wrong_usage():
    directory = hostile().directory
    refusal([directory], "--format", "sqlite")
    refusal(["--format", "perf", directory], "perf", "folded", "callgrind")
    refusal(["--format", "csv", directory], "csv", "sqlite")
    refusal(["--format", "pprof", "--measure", "wait", directory], "--measure")
    refusal(["--format", "folded", "--measure", "all", directory], "cpu, elapsed, alone or wait")
    refusal(["--format", "sqlite", directory], "-o FILE.sqlite")
    refusal(["--format", "folded", directory, directory], "too many")
    refusal(["--format", "folded", "/nowhere"], "/nowhere")
    refusal(["--wrong"], "--help")
    refusal(["--format", "extrap", directory], "two runs")
    refusal(["--format", "folded", "-o", "/nowhere/x", directory], "/nowhere/x")
    refusal(["--format", "sqlite", "-o", "/nowhere/x", directory], "/nowhere/x")
    for form in ("folded", "pprof", "chrome"):
        refusal(["--format", form, "-o", "/dev/full", directory], "cannot write")


def test_a_foreign_file_is_not_overwritten_by_a_database():
    directory, path = hostile().directory, os.path.join(scratch(), "mine")
    with open(path, "w") as file:
        file.write("a letter")
    refusal(["--format", "sqlite", "-o", path, directory], path, "remove it")
    with open(path) as file:
        expect_equal("the foreign file", file.read(), "a letter")
    os.remove(path)
    for _ in range(2):  # its own it replaces
        expect_equal("status", execute([ex.EXPORT, "--format", "sqlite", "-o", path, directory]).status, 0)
    expect_equal("files", os.listdir(os.path.dirname(path)), ["mine"])


def test_readers_are_names_of_formats():
    """A format may be asked for by the program that reads it: the same bytes. Help, completion and the message about others have both."""
    directory = hostile().directory
    shown = execute([ex.EXPORT, "--help"]).stdout.decode()
    offered = execute([ex.EXPORT, "--print-options"]).stdout.decode()
    for form, reader in (("folded", "flamegraph"), ("chrome", "perfetto"), ("callgrind", "kcachegrind")):
        written = [execute([ex.EXPORT, "--format", name, directory]) for name in (form, reader)]
        expect_equal("status of %s and %s" % (form, reader), [w.status for w in written], [0, 0])
        expect(written[0].stdout and written[0].stdout == written[1].stdout, "%s and %s differ", form, reader)
        expect("also called %s" % reader in shown, "--help does not have %s", reader)
        expect(" %s" % reader in offered, "shells do not complete %s", reader)
        refusal(["--format", "perf", directory], "%s (%s)" % (form, reader))


def test_help_names_every_format():
    text = execute([ex.EXPORT, "--help"]).stdout.decode()
    for form in ("folded", "speedscope", "chrome", "pprof", "callgrind", "sqlite", "extrap"):
        expect("  %s " % form in text, "--help does not name %s", form)
    expect(max(len(line) for line in text.splitlines()) <= 120, "--help has lines of more than 120 columns")


def test_several_runs_for_extra_p():
    one = hostile()
    result = execute([ex.EXPORT, "--format", "extrap", "1=" + one.directory, "4=" + one.directory])
    expect_equal("status; %s" % result.stderr_text(), result.status, 0)
    lines = result.stdout.decode().splitlines()
    expect("PARAMETER p" in lines and "POINTS (1) (4)" in lines, "head: %s", lines[:4])
    begin = lines.index("METRIC elapsed")
    elapsed = one.report["run"]["elapsed_seconds"]
    expect_equal("elapsed time", lines[begin + 1:begin + 4], ["REGION run->hostile_names"] + 2 * ["DATA %.9f" % elapsed])


def test_newest_run_is_the_default():
    directory = scratch()
    command = [ex.support.RUN, "-q", "--", built("counts")]
    expect_equal("status of the run", execute(command, directory=directory).status, 0)
    result = execute([ex.EXPORT, "--format", "folded"], directory=directory)
    expect(result.status == 0 and result.stdout, "status %d: %s", result.status, result.stderr_text())

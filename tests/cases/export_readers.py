# SPDX-License-Identifier: MIT
"""Exports, read by the programs that they are for. A reader that is not installed is skipped."""
import os
import re
import subprocess

import export_read as ex
from support import built, clean_environment, execute, expect, expect_equal, need, run, scratch


def profiled():
    one = run("holder", ["mutex", 2])
    one.profiled
    return one


def seconds(text):
    """Of pprof: "1.52s", "537.82ms", "12us"."""
    number, unit = re.match(r"([\d.]+)(\w+)", text).groups()
    return float(number) * {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1, "mins": 60}[unit]


def pprof(path, *options):
    environment = clean_environment({"HOME": scratch(), "PPROF_TMPDIR": scratch()})
    result = execute([need("go"), "tool", "pprof"] + list(options) + [path], environment=environment)
    expect_equal("status of pprof %s; %s" % (" ".join(options), result.stderr_text()[-200:]), result.status, 0)
    return result.stdout.decode()


def test_pprof_reads_the_export():
    need("go")
    one = profiled()
    path = ex.export(one.directory, "pprof")
    cpu, wait = (sum(w for _, w in ex.folded(ex.export(one.directory, "folded", "--measure", m))) for m in ("cpu", "wait"))
    for index, wanted in ("cpu", cpu), ("wait", wait):
        total = seconds(re.search(r"Total samples = (\S+)", pprof(path, "-top", "-sample_index=" + index)).group(1))
        expect(abs(total - wanted / 1e9) <= 0.01 * wanted / 1e9, "pprof: %s %.6f s, expected %.6f s", index, total, wanted / 1e9)
    raw = pprof(path, "-raw", "-sample_index=wait")
    expect("lock:[mutex queue_lock]" in raw, "no label of the lock in %s", raw[:500])
    top = pprof(path, "-top", "-sample_index=wait", "-tagfocus=lock=mutex queue_lock")
    expect("[mutex queue_lock]" in top and "join" not in top, "waits for the lock: %s", top)
    build_id = re.search(r"Build ID: (\w+)", execute([need("readelf"), "-n", built("holder")]).stdout.decode())
    if build_id:
        expect(build_id.group(1) in raw, "the program's build-id %s is not in pprof's output", build_id.group(1))


def test_callgrind_annotate_reads_the_export():
    tool = need("callgrind_annotate")
    one = profiled()
    path = ex.export(one.directory, "callgrind")
    summary, _, _ = ex.callgrind(path)
    result = execute([tool, "--threshold=100", "--show=Cpu,Wait", path])
    text = result.stdout.decode()
    expect_equal("status; %s" % result.stderr_text()[-200:], result.status, 0)
    total = re.search(r"^\s*([\d,]+)\s+\([\d. ]+%\)\s+([\d,]+)\s+\([\d. ]+%\)\s+PROGRAM TOTALS", text, re.M)
    expect(total, "no totals in %s", text[-500:])
    expect_equal("totals", [int(n.replace(",", "")) for n in total.groups()], summary)
    inclusive = execute([tool, "--inclusive=yes", "--threshold=100", path]).stdout.decode()
    main = re.search(r"^\s*([\d,]+)\s.*holder\.c:main ", inclusive, re.M)
    expect(main, "main is not in %s", inclusive[-500:])


def test_waits_stand_at_the_source_lines():
    one = profiled()
    _, _, routines = ex.callgrind(ex.export(one.directory, "callgrind"))
    line = int(one.truth["line_wait"])
    wait = routines["mutex_wait"][2].get((line, "[mutex queue_lock]"), 0)
    expect(wait > 0, "mutex_wait waits at lines %s, expected %d", routines["mutex_wait"][2], line)


def test_sqlite3_reads_the_export():
    tool = need("sqlite3")
    path = ex.export(profiled().directory, "sqlite", suffix="sqlite")
    result = execute([tool, path, "pragma integrity_check; select count(*) > 0 from lock_waits;"])
    expect_equal("answer; %s" % result.stderr_text(), result.stdout.decode().split(), ["ok", "1"])


def test_memory_of_a_large_export():
    """A database of 400 processes stays within the cache that it is given, and a model's."""
    one = profiled()
    out = os.path.join(scratch(), "many")
    expect_equal("status of multiply_profiles", execute([built("multiply_profiles"), one.directory, "400", out]).status, 0)
    for form in ("sqlite", "pprof", "chrome"):
        path = os.path.join(scratch(), "x")
        process = subprocess.Popen([ex.EXPORT, "--format", form, "-o", path, out], env=clean_environment())
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        expect(process.returncode == 0 and used.ru_maxrss < 300 * 1024, "%s: status %d, %d KiB", form, process.returncode, used.ru_maxrss)

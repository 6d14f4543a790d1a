# SPDX-License-Identifier: MIT
"""Generated code bears the names that its program has listed for perf, if it was this program that listed them."""
import json
import os
import re
import shutil
import sys
import time

from support import REPORT, ROOT, RUN, built, clean_environment, execute, expect, expect_equal, profile_paths, report_json, scratch

sys.path.insert(0, os.path.join(ROOT, "tests"))
from format_reader import read_profile  # noqa: E402

BESIDE = True  # samples come with CPU time: no case asserts a time


def run_of(*words):
    """(run, its list of generated code, which is there no longer after the case)"""
    run = os.path.join(scratch(), "run")
    done = execute([RUN, "-q", "-o", run, built("generated_code"), *words])
    expect_equal("status", done.status, 0)
    return run, "/tmp/perf-%d.map" % int(done.stdout)


def routines(run):
    """{name: (file, line)} of routines in no module with CPU time; a sample may have hit the profiler itself"""
    report = json.loads(execute([REPORT, "--format", "json", run], clean_environment()).stdout)
    return {r["name"]: (r["file"], r["line"]) for r in report["routines"]
            if not r["module"] and r["self_seconds"] and r["name"] not in ("[unsampled]", "[profiler]")}


FORMS = {"JS:*hot /srv/app.js:7:13": ("hot", ("/srv/app.js", 7)), "LazyCompile:~ node:internal/x:3:1": ("anonymous:3", ("node:internal/x", 3)),
         "py::Class.work:/srv/t.py": ("Class.work", ("/srv/t.py", None)), "double T.hot(int, long)": ("T.hot", (None, None)),
         "Interpreter": ("Interpreter", (None, None))}


def test_names_of_generated_code():
    """As V8, CPython and HotSpot form them; and what nobody has listed is said to be without names."""
    for text, (name, place) in FORMS.items():
        run, listed = run_of(text)
        try:
            found = routines(run)
        finally:
            os.unlink(listed)
        expect_equal("routines of %s" % text, found, {name: place})
    expect_equal("routines without a list", routines(run), {"[generated code]": (None, None)})
    notes = execute([REPORT, "--section", "notes", "--width", "1000", run], clean_environment()).stdout.decode()
    expect(re.search(r"- \d+ % of the CPU time is in generated code without names", notes), "notes: %s", notes)


def test_a_list_of_the_first_tick_is_believed():
    """A file's time is that of the kernel's last tick: of what a program writes as it begins, the tick before its start."""
    run, listed = run_of("early")
    try:
        start_ns, = (read_profile(path)[0]["start_realtime_ns"] for path in profile_paths(run))
        for before_ns, name in (4_000_000, "early"), (20_000_000, "[generated code]"):
            os.utime(listed, ns=(start_ns - before_ns,) * 2)
            expect_equal("routines by a list %d ns before the start" % before_ns, list(routines(run)), [name])
    finally:
        os.unlink(listed)


def test_a_list_of_another_process_is_not_believed():
    """It was written before the program began, or long after its end; it is a link, or somebody else's. A copy in the run's directory is."""
    run, listed = run_of("mine")
    kept = os.path.join(run, os.path.basename(listed))
    try:
        for distance in (-3600, 3600):
            os.utime(listed, times=(time.time() + distance,) * 2)
            expect_equal("routines by a list of %d s later" % distance, list(routines(run)), ["[generated code]"])
        shutil.copy(listed, kept)
        expect_equal("routines by the copy", list(routines(run)), ["mine"])
        with open(kept, "rb+") as file:
            lines = file.read()
            file.seek(0)
            file.write(b"no line \0 of \xff one\n" + lines)
        expect_equal("routines behind a byte that ends texts", list(routines(run)), ["mine"])
        os.rename(kept, kept + ".real")
        os.utime(kept + ".real")
        os.unlink(listed)
        os.symlink(kept + ".real", listed)
        expect_equal("routines by a link", list(routines(run)), ["[generated code]"])
        os.unlink(listed)
        shutil.copy(kept + ".real", listed)
        expect_equal("routines by its own", list(routines(run)), ["mine"])
        if os.geteuid() == 0:
            os.chown(listed, 65534, -1)
            expect_equal("routines by somebody's list", list(routines(run)), ["[generated code]"])
    finally:
        os.unlink(listed)


def test_routines_and_threads_of_python():
    """With or without a list: functions of Python are named once, and threads after what they were given to do. Other versions than 3.9 to
    3.13 have names by the list alone, or a note says what would be needed."""
    run, text = os.path.join(scratch(), "run"), os.path.join(scratch(), "work.py")
    with open(text, "w") as file:
        file.write("import threading\ndef work():\n    for i in range(1500000):\n        i * i\n"
                   "two = [threading.Thread(target=work) for _ in range(2)]\n[t.start() for t in two]\n[t.join() for t in two]\n"
                   "import os\nprint(os.getpid())\n")
    lists, is_read = sys.version_info >= (3, 12), (3, 9) <= sys.version_info < (3, 14)
    done = execute([RUN, "-q", "-o", run, os.path.realpath(sys.executable), *(["-X", "perf"] if lists else []), text])
    listed = "/tmp/perf-%d.map" % int(done.stdout)
    report = report_json(run)
    if os.path.exists(listed):
        os.unlink(listed)
    expect_equal("roles", [t["role"] for t in report["threads"] if t["tid"] != t["pid"]], ["work" if is_read else None] * 2)
    said = [n for n in report["notes"] if n.startswith("routines of Python have no names here")]
    expect_equal("routines called work", len([r for r in report["routines"] if r["name"] == "work"]), int(is_read or lists))
    expect_equal("notes on Python", len(said), int(not is_read and not lists))
    expect(not said or said[0].endswith("from version 3.12 on, which this is not yet"), "note: %s", said)

# SPDX-License-Identifier: MIT
"""Functions of Python have names, files and lines in call paths, with each CPython from 3.9 to 3.13 that is here."""
import glob
import os
import re
import subprocess

from support import (BUILD, beside, check_same, execute, expect, expect_equal, expect_same, full, need, part_skipped, routine, run, scratch,
                     short_or_long, skip, waits)

MINORS = range(9, 14)
EXPORT = os.path.join(BUILD, "bin", "ptrace-export")

# f and g call the same function, f with three times the work: whatever the machine, f takes 3/4 of both.
WORK = """
import ctypes, sys

def spin(n):
    total = 0
    for i in range(n):
        total += i & 7
    return total

class Job:
    def descend(self, depth):
        if depth:
            return self.descend(depth - 1)
        return f()

def f():
    return spin(%(turns)d * 3)

def g():
    return spin(%(turns)d)

def key(x):
    return spin(60) - x

def numbers(n):
    for i in range(n):
        yield spin(60) + i

def compare(a, b):
    spin(60)
    return a[0] - b[0]

def fails(n):
    try:
        spin(n)
        raise ValueError(n)
    except ValueError as error:
        return str(error)

def main():
    Job().descend(7)
    g()
    sorted(range(%(items)d), key=key)
    sum(numbers(%(items)d))
    array = (ctypes.c_int * %(few)d)(*range(%(few)d, 0, -1))
    called = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(ctypes.c_int), ctypes.POINTER(ctypes.c_int))(compare)
    ctypes.CDLL(None).qsort(array, len(array), ctypes.sizeof(ctypes.c_int), called)
    fails(%(turns)d)
    made = {"spin": spin}
    exec(compile("def made_up():\\n    return spin(%(turns)d)\\nmade_up()", "<string>", "exec"), made)
    print(array[0], fails(1), sum(array))

main()
sys.exit(3)
"""
SIZES = {"turns": 1000000, "items": 20000, "few": 4000}


def interpreters():
    """{minor version: path} of those that are here; what is missing is printed."""
    found = {}
    here = [os.path.join(folder, "python3") for folder in ["/usr/bin"] + sorted(glob.glob(os.path.expanduser("~/.pyenv/versions/3.*/bin")))]
    for path in here:
        asked = "import sys; print(sys.version_info[1], sys.implementation.name)"
        said = subprocess.run([path, "-I", "-c", asked], capture_output=True, text=True, check=False) if os.access(path, os.X_OK) else None
        if said and not said.returncode and said.stdout.split()[1] == "cpython":
            found.setdefault(int(said.stdout.split()[0]), []).append(os.path.realpath(path))
    return found


def known():
    """(minor version, path) of each that is read."""
    found = interpreters()
    for minor in MINORS:
        if minor not in found:
            part_skipped("there is no CPython 3.%d" % minor)
    if not set(found) & set(MINORS):
        skip("there is no CPython from 3.9 to 3.13")
    return [(minor, path) for minor in MINORS for path in found.get(minor, ())]


def write(text):
    path = os.path.join(scratch(), "work.py")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def folded(one):
    """[(frames, weight)], the outermost frame first."""
    lines = execute([EXPORT, "--format", "folded", one.directory]).stdout.decode().splitlines()
    return [(line.rpartition(" ")[0].split(";"), int(line.rpartition(" ")[2])) for line in lines]


def line_of(text, what):
    return text.split(what)[0].count("\n") + 1


def name_in(minor, function):
    """Qualified names came with 3.11."""
    return function if minor >= 11 else function.rpartition(".")[2]


def share_below(paths, *frames):
    """The share of all samples whose path has these frames, one after the other but not always next to each other."""
    def has(path):
        rest = iter(path)
        return all(frame in rest for frame in frames)
    return sum(weight for path, weight in paths if has(path)) / sum(weight for _, weight in paths)


def check_names(one, text, script, minor):
    report = one.report
    for name, begin in ("spin", "def spin"), ("f", "def f("), ("g", "def g("), ("key", "def key"), ("made_up", None):
        row = routine(report, name)
        expect_equal("file of %s in 3.%d" % (name, minor), row["file"], script if begin else "<string>")
        expect_equal("module of %s" % name, row["module"], "[Python]")
        first = line_of(text, begin) if begin else 1
        expect(first <= row["line"] <= first + 4, "line of %s in 3.%d: %s, it begins at %d", name, minor, row["line"], first)
    # the loop in spin has two lines, in which most of its time is spent
    spent = {r["line"] for r in report["lines"] if r["routine"] == "spin" and r["self_seconds"]}
    loop = line_of(text, "    for i in range(n):\n        total +=")
    expect(spent and spent <= set(range(loop - 2, loop + 3)) and spent & {loop, loop + 1}, "lines of spin in 3.%d: %s, its loop is at %d",
           minor, sorted(spent), loop)
    lost = sum(r["self_percent"] for r in report["routines"] if r["name"] == "_PyEval_EvalFrameDefault")
    expect(lost < 3, "%.1f %% of the CPU time in 3.%d is in the interpreter's loop", lost, minor)
    expect(not [n for n in report["notes"] if "of Python" in n], "notes: %s", report["notes"])


def is_interpreter(row):
    return os.path.basename(row["module"] or "").startswith(("python3", "libpython3"))


def check_interpreter(one, minor):
    """What the interpreter does for a function is the function's time: of its C routines the start-up is left, a small part of the run."""
    rows = one.report["routines"]
    spin, left = routine(one.report, "spin"), sum(r["self_seconds"] for r in rows if is_interpreter(r))
    expect(left < spin["self_seconds"] / 2, "the interpreter's routines have %.3f s of their own in 3.%d, spin has %s", left, minor, spin)
    inner = {r["name"] for r in rows if is_interpreter(r)} - {r["name"] for r in rows if not is_interpreter(r)}
    for path, _ in folded(one):
        expect("main" not in path or not inner & set(path), "C routines of the interpreter in a path of Python's functions in 3.%d: %s",
               minor, path)


def check_paths(one, minor):
    paths = folded(one)
    descend = name_in(minor, "Job.descend")
    deep = [path for path, _ in paths if "f" in path and "spin" in path]
    expect(deep, "no path through f and spin in 3.%d", minor)
    for path in deep:
        expect_equal("calls of descend in 3.%d" % minor, path.count(descend), 8)
        expect(path.index("main") < path.index(descend) < path.index("f") < path.index("spin"), "path: %s", path)
    for frames in ("main", "key", "spin"), ("main", "numbers", "spin"), ("main", "compare", "spin"), ("main", "fails", "spin"), \
                  ("main", "<module>", "made_up", "spin"):
        expect(share_below(paths, *frames) > 0, "no path %s in 3.%d", " > ".join(frames), minor)
    for outer, inner in ("numbers", "key"), ("compare", "key"), ("g", "f"), ("spin", "main"):
        expect_equal("share of %s below %s in 3.%d" % (inner, outer, minor), share_below(paths, outer, inner), 0)
    f, g = share_below(paths, "main", "f", "spin"), share_below(paths, "main", "g", "spin")
    expect(0.6 < f / (f + g) < 0.87, "f has %.2f of the time of f and g in 3.%d, it does 3/4 of their work", f / (f + g), minor)


@beside
def test_names_lines_and_callers():
    """Recursion, methods, generators, exceptions, code of exec, and C routines that call back: sorted, and qsort by ctypes."""
    text = WORK % SIZES
    script = write(text)
    for minor, path in known():
        one = check_same(path, ["-I", script], options=["--sample", "1000"])
        expect_equal("status", one.profiled.status, 3)
        check_names(one, text, script, minor)
        check_interpreter(one, minor)
        check_paths(one, minor)


THREADS = """
import threading, time

def crunch(until):
    total = 0
    while time.thread_time() < until:
        total += 1

def other(until):
    total = 0
    while time.thread_time() < until:
        total += 1

def start(work):
    thread = threading.Thread(target=work, args=(0.4,))
    thread.start()
    return thread

for thread in [start(crunch), start(other)]:
    thread.join()
print("done")
"""


@full
@beside
def test_waits_for_the_gil():
    """Who waits for the interpreter's lock, and who holds it, are functions of Python; the lock is called the GIL."""
    script = write(THREADS)
    for minor, path in known():
        one = check_same(path, ["-I", script])
        rows = waits(one.report, "condition", "the GIL")
        expect(rows, "no waits for the GIL in 3.%d; there are: %s", minor, [(r["kind"], r["name"]) for r in one.report["synchronization"]])
        at = {}
        for row in rows:
            for blame in row["blame"]:
                at[blame["routine"]] = at.get(blame["routine"], 0) + blame["count"]
        # By count, not by time: a thread hands the lock on without a function only where it begins and where it ends,
        # but one that loses its processor just there keeps the others from it for longer than all turns together.
        functions = {r["name"] for r in one.report["routines"] if r["module"] == "[Python]"}
        held = sum(count for name, count in at.items() if name in functions)
        named = sum(count for name, count in at.items() if not name.startswith("["))
        expect(at.get("crunch") and at.get("other"), "waits for the GIL in 3.%d ended by %s", minor, at)
        expect(held > named * 0.9, "waits for the GIL in 3.%d ended by %s, of which functions are %s", minor, at, sorted(functions))


CHILDREN = """
import os, multiprocessing, sys

def spin(n):
    total = 0
    for i in range(n):
        total += i & 7
    return total

def in_child():
    return spin(3000000)

def in_pool(n):
    return spin(3000000) + n

if __name__ == "__main__":
    if not os.fork():
        in_child()
        os._exit(0)
    os.wait()
    with multiprocessing.get_context("fork").Pool(1) as pool:
        print(sum(pool.map(in_pool, range(2))))
"""


@full
@beside
def test_children():
    """Forked children, and those of a pool, have names of their own."""
    script = write(CHILDREN)
    for minor, path in known():
        one = run(path, ["-I", script])
        expect_same(one)
        paths = folded(one)
        for name in "in_child", "in_pool":
            expect(share_below(paths, name, "spin") > 0, "no path through %s in 3.%d", name, minor)


# Each function of this kind is gone, and its memory another one's, before the next is made: only one has ever work to do.
MADE = """
import sys
def spin(n):
    total = 0
    for i in range(n):
        total += i & 7
    return total
for i in range(%d):
    kind = "busy" if i %% 2 else "idle"
    exec("def %%s_%%d(spin):\\n%%s    return spin(%%d)\\n%%s_%%d(spin)" %% (kind, i %% 50, "\\n" * (i %% 5), 400 if i %% 2 else 0, kind, i %% 50),
         {"spin": spin})
print("done")
"""


def made_caller(frames):
    """The made function that called spin; None: a cut path."""
    before = [frame for frame in frames[:frames.index("spin")] if re.match(r"(busy|idle)_\d+$", frame)]
    return before[-1] if before else None


@beside
def test_code_that_comes_and_goes():
    """A code object where another one was before is not taken for that, at the highest rate of samples."""
    script = write(MADE % short_or_long(8000, 1000000))
    for minor, path in known():
        one = run(path, ["-I", script], options=["--sample", "10000"])
        expect_same(one)
        callers = [(made_caller(frames), weight) for frames, weight in folded(one) if "spin" in frames]
        found = {name for name, _ in callers if name}
        expect(len(found) > 5, "in 3.%d callers of spin are %s", minor, found)
        expect(all(name.startswith("busy_") and int(name[5:]) % 2 for name in found if not name.startswith("idle_")), "callers: %s", found)
        idle = sum(weight for name, weight in callers if name and name.startswith("idle_"))
        busy = sum(weight for name, weight in callers if name and name.startswith("busy_"))
        expect(idle < busy / 3, "in 3.%d functions without work have %.3f of the time of those with it", minor, idle / busy)


@beside
def test_other_versions_are_told():
    """Whose structs are not known is not read, and a note says so."""
    found = {minor: paths for minor, paths in interpreters().items() if minor not in MINORS and minor >= 7}
    if not found:
        skip("there is no CPython but 3.9 to 3.13")
    for minor, paths in found.items():
        script = write("def spin(n):\n    for i in range(n):\n        i & 7\nspin(2000000)\n")
        one = check_same(paths[0], ["-I", script])
        expect_equal("functions of Python in 3.%d" % minor, [r["name"] for r in one.report["routines"] if r["module"] == "[Python]"], [])
        expect([n for n in one.report["notes"] if n.endswith("and this is 3.%d" % minor)], "notes: %s", one.report["notes"])


def test_layouts():
    """The table of offsets agrees with the headers of each version that is installed."""
    from support import ROOT
    need("cc")
    done = execute([os.path.join(ROOT, "scripts", "python-layouts")])
    said = done.stdout.decode()
    expect_equal("status, with %s" % said, done.status, 0)
    if "agrees" not in said:
        skip("no headers of CPython from 3.9 to 3.13 are installed")


JOINED = """
import json, os, queue, threading, time
asked = queue.Queue()
def answer():
    asked.get()
    time.sleep(0.3)
thread = threading.Thread(target=answer)
thread.start()
time.sleep(0.05)
asked.put(1)
begin = time.monotonic()
thread.join()
took = time.monotonic() - begin
with open(os.environ["TRUTH_FILE"], "w") as file:
    json.dump({"join": took}, file)
"""


@beside
def test_waits_for_the_end_of_threads_are_joins():
    """Python waits by a lock that a thread holds as long as it lives: that is a join, as long as the program says, but for the time in
    which it was ready again. Waits for a queue are none."""
    for minor, python in known():
        one = run(python, [write(JOINED)])
        threads = {t["role"] == "answer": t for t in one.report["threads"]}
        expect(True in threads, "3.%d: roles: %s", minor, [t["role"] for t in one.report["threads"]])
        first, took = threads[False], one.truth["join"]
        joined, ready = first["waits"]["join"], first["ready_seconds"] or 0
        expect(joined <= took + 0.001, "3.%d: joined for %.4f s, by the program %.4f", minor, joined, took)
        expect(joined >= 0.95 * took - ready - first["cpu_seconds"], "3.%d: joined for %.4f s, ready %.4f, by the program %.4f", minor, joined,
               ready, took)
        expect_equal("3.%d: joins of the other one" % minor, threads[True]["waits"]["join"], 0)

# SPDX-License-Identifier: MIT
"""What every case uses: running a program natively and under the profiler, its reports, the laws, comparing.

A case compares what the tool says with what the program says of itself; tolerances are relative, with a small
absolute floor against a machine that does something else at the same time. It never asserts absolute times."""
import json
import math
import os
import resource
import shutil
import signal
import subprocess
import tempfile

HELPERS = ("support", "browser", "export_read", "export_pages", "profile_file", "mpi_job", "openmp_job")
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.path.abspath(os.environ.get("BUILD", os.path.join(ROOT, "build")))
RUN = os.path.join(BUILD, "bin", "ptrace-run")
REPORT = os.path.join(BUILD, "bin", "ptrace-report")
LIBRARY = os.path.join(BUILD, "lib", "libptrace.so")
NATIVE_ONLY = False
TIMEOUT = 60
_directories = []


class Skip(Exception):
    """The case cannot be run here; the text says why."""


class Failure(Exception):
    """The text says what was compared, with which tolerance."""


def skip(reason):
    raise Skip(reason)


def fail(text, *values):
    raise Failure(text % values if values else text)


def missing_tools():
    return [p for p in (RUN, REPORT, LIBRARY) if not os.path.exists(p)]


def need(command):
    """Path of a program that a package may provide, or skip. System directories come first (no shims)."""
    path = shutil.which(command, path="/usr/bin:/bin:/usr/sbin:/sbin") or shutil.which(command)
    return path or skip("%s is not installed" % command)


def built(name):
    path = os.path.join(BUILD, "tests", name)
    if not os.path.exists(path):
        skip("%s was not built (no compiler or library for it here)" % name)
    return path


def scratch():
    """A new empty directory; it is gone when the case has ended."""
    directory = tempfile.mkdtemp(prefix="ptrace-test-")
    _directories.append(directory)
    return directory


def clean_up():
    while _directories:
        shutil.rmtree(_directories.pop(), ignore_errors=True)


def clean_environment(extra=None):
    environment = {k: v for k, v in os.environ.items() if not k.startswith("PTRACE_") and k != "LD_PRELOAD"}
    environment.update(LC_ALL="C.UTF-8")
    environment.update(extra or {})
    return environment


class Result:
    """How a process ended. status: exit status, or minus the number of the signal, as in subprocess."""

    def __init__(self, status, stdout, stderr, truth):
        self.status, self.stdout, self.stderr, self.truth = status, stdout, stderr, truth

    def stderr_text(self):
        return self.stderr.decode(errors="replace")


def _limits(limits):
    def apply():
        for which, value in limits.items():
            resource.setrlimit(which, (value, value))
    return apply if limits else None


def execute(command, environment=None, timeout=None, directory=None, limits=None, stdin=None):
    """Runs a command in a session of its own; at the time-out that session, and nothing else, is ended."""
    truth_path = os.path.join(scratch(), "truth")
    environment = dict(environment if environment is not None else clean_environment())
    environment["TRUTH_FILE"] = truth_path
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        process = subprocess.Popen(command, env=environment, stdin=stdin or subprocess.DEVNULL, stdout=out, stderr=err,
                                   cwd=directory, start_new_session=True, preexec_fn=_limits(limits))
        try:
            status = process.wait(timeout or TIMEOUT)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            err.seek(0)
            fail("%s did not end within %d s; stderr: %s", " ".join(command)[-200:], timeout or TIMEOUT,
                 err.read().decode(errors="replace")[-200:])
        out.seek(0)
        err.seek(0)
        return Result(status, out.read(), err.read(), read_truth(truth_path))


def read_truth(path):
    try:
        with open(path) as file:
            return json.load(file)
    except (OSError, ValueError):
        return None


class Run:
    """A program, natively and under the profiler; the profiled run and its reports come when they are asked for."""

    def __init__(self, command, options, settings):
        self.command, self.options, self.settings = command, list(options), settings
        self.directory = os.path.join(scratch(), "run")
        self._native = self._profiled = self._report = None

    @property
    def native(self):
        if self._native is None:
            self._native = execute(self.command, **self.settings)
        return self._native

    @property
    def profiled(self):
        if self._profiled is None:
            if NATIVE_ONLY:
                status = self.native.status
                skip("native only: status %d, %d truths" % (status, len(self.native.truth or ())))
            self._profiled = execute([RUN, "-q", "-o", self.directory] + self.options + ["--"] + self.command,
                                     **self.settings)
        return self._profiled

    @property
    def truth(self):
        """What the profiled program said of itself."""
        if self.profiled.truth is None:
            fail("%s said no truth; status %d, stderr: %s", self.command[0], self.profiled.status,
                 self.profiled.stderr_text()[-300:])
        return self.profiled.truth

    @property
    def report(self):
        if self._report is None:
            self.profiled
            self._report = report_json(self.directory)
        return self._report

    @property
    def text(self):
        self.profiled
        return report_text(self.directory)

    def profiles(self):
        """Paths of the profile files, one for each process image."""
        self.profiled
        if not os.path.isdir(self.directory):
            return []
        return sorted(os.path.join(self.directory, f) for f in os.listdir(self.directory) if f.endswith(".profile"))


def run(program, arguments=(), options=(), timeout=None, environment=None, limits=None, directory=None, stdin=None):
    """program: a name in build/tests, or a path."""
    path = program if os.path.isabs(program) else built(program)
    return Run([path] + [str(a) for a in arguments], options,
               {"timeout": timeout, "environment": clean_environment(environment), "limits": limits,
                "directory": directory, "stdin": stdin})


def report_json(directory, *options):
    result = execute([REPORT, "--format", "json", "--top", "0"] + list(options) + [directory])
    if result.status not in (0, 1):
        fail("ptrace-report --format json ended with status %d: %s", result.status, result.stderr_text()[-300:])
    try:
        report = json.loads(result.stdout, parse_constant=lambda word: fail("the JSON holds %s", word))
    except ValueError as error:
        fail("the report is not JSON: %s", error)
    report["report_status"] = result.status
    return report


def report_text(directory):
    result = execute([REPORT, directory])
    if result.status not in (0, 1):
        fail("ptrace-report ended with status %d: %s", result.status, result.stderr_text()[-300:])
    return result.stdout.decode()


# Comparing

def expect(condition, text, *values):
    if not condition:
        fail(text, *values)


def expect_equal(what, got, wanted):
    expect(got == wanted, "%s: %r, expected %r", what, got, wanted)


def expect_near(what, got, wanted, relative=0.03, floor=0.005):
    """|got - wanted| <= max(relative * |wanted|, floor), in seconds or whatever unit both have."""
    expect(got is not None, "%s: unknown, expected %.6f", what, wanted)
    allowed = max(relative * abs(wanted), floor)
    expect(abs(got - wanted) <= allowed, "%s: %.6f, expected %.6f +- %.6f (%g %%, at least %g)",
           what, got, wanted, allowed, 100 * relative, floor)


def expect_between(what, got, least, most, relative=0.03, floor=0.005):
    """The truth is known to lie in [least, most]; the tolerance applies at both ends."""
    expect(got is not None, "%s: unknown, expected %.6f .. %.6f", what, least, most)
    low, high = least - max(relative * least, floor), most + max(relative * most, floor)
    expect(low <= got <= high, "%s: %.6f, expected %.6f .. %.6f (truth %.6f .. %.6f, %g %%, at least %g)",
           what, got, low, high, least, most, 100 * relative, floor)


def expect_same(one, stderr=False):
    """Output and exit status, or death by signal, are those of the native run."""
    native, profiled = one.native, one.profiled
    expect(profiled.status == native.status, "status %d, natively %d; stderr: %s", profiled.status, native.status,
           profiled.stderr_text()[-300:])
    expect(profiled.stdout == native.stdout, "stdout differs: %r, natively %r", first_difference(profiled.stdout, native.stdout),
           first_difference(native.stdout, profiled.stdout))
    if stderr:
        expect(profiled.stderr == native.stderr, "stderr differs: %r, natively %r", profiled.stderr[-300:],
               native.stderr[-300:])


def first_difference(text, other):
    lines, others = text.splitlines(), other.splitlines()
    for number, line in enumerate(lines):
        if number >= len(others) or others[number] != line:
            return b"line %d: %s" % (number + 1, line[:200])
    return b"end after %d lines" % len(lines)


def check_same(program, arguments=(), laws=True, complete=True, **settings):
    """The whole of a case that only asks that the profiler changes nothing, and that the laws hold."""
    one = run(program, arguments, **settings)
    expect_same(one)
    if laws:
        check_laws(one.report, complete=complete)
    return one


# The laws of conservation, for any report

def close(a, b, relative, floor=0.0):
    return abs(a - b) <= max(relative * max(abs(a), abs(b)), floor)


def ready_seconds(report):
    """Time for which other programs had the processors of this one: by so much two clocks that are read one after the other may differ."""
    return sum(thread["ready_seconds"] or 0 for thread in report["threads"])


def check_laws(report, sampling=True, complete=True):
    """complete=False: the program was killed, so that threads may end at different instants in the profile."""
    check_numbers(report)
    check_threads(report, complete)
    check_concurrency(report, complete)
    check_routines(report, sampling)
    check_blame(report)


# Of the job's efficiency; beside them stand seconds, ranks and threads.
FRACTIONS = ("parallel", "load_balance", "communication", "inner_load_balance", "outer_load_balance", "timeline_parallel")


def check_numbers(value, path="report"):
    """No NaN, no infinity, nothing negative where time or counts are meant, percentages below 100."""
    if isinstance(value, dict):
        for key, item in value.items():
            check_numbers(item, "%s.%s" % (path, key))
    elif isinstance(value, list):
        for number, item in enumerate(value):
            check_numbers(item, "%s[%d]" % (path, number))
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        expect(math.isfinite(value), "%s is %r", path, value)
        last = path.rsplit(".", 1)[-1]
        if last.endswith("_seconds") or last in ("seconds", "count", "contended", "samples", "efficiency_percent"):
            expect(value >= 0, "%s is negative: %r", path, value)
        if last in ("efficiency_percent", "sequential_percent", "percent"):
            expect(value <= 100.000001, "%s is above 100: %r", path, value)
        if ".efficiency." in path and last in FRACTIONS:
            expect(-1e-9 <= value <= 1 + 1e-9, "%s is no fraction of 1: %r", path, value)


def thread_cpu(report):
    return sum((t["user_seconds"] or 0) + (t["system_seconds"] or 0) for t in report["threads"])


def check_threads(report, complete):
    for thread in report["threads"]:
        parts = [thread[k] for k in ("user_seconds", "system_seconds", "ready_seconds", "blocked_seconds")]
        if thread["elapsed_seconds"] is None or thread["elapsed_seconds"] <= 0.02 or None in parts:
            continue
        # What a killed program did since it was last looked at is not known.
        allowed, floor = (0.01, 0.001) if complete else (0.1, 0.03)
        expect(close(sum(parts), thread["elapsed_seconds"], allowed, floor),
               "thread %s %s: user+system+ready+blocked = %s = %.6f, elapsed %.6f (%g %%, at least %g)", thread["tid"], thread["name"],
               "+".join("%.6f" % p for p in parts), sum(parts), thread["elapsed_seconds"], 100 * allowed, floor)


def check_concurrency(report, complete):
    tolerance = {"exact": 0.01, "sampled": 0.03, "estimated": None}
    for name, part in report["concurrency"].items():
        levels = part and part.get("levels")
        if not levels:
            continue
        total = sum(level["seconds"] for level in levels)
        process = process_of_levels(report, name, part, total)
        allowed = tolerance[part["grade"]]
        if name != "on_processor" or not allowed or not complete:
            continue
        busy, cpu = sum(level["active"] * level["seconds"] for level in levels), process["cpu_seconds"]
        # A thread's end in the kernel comes after its last reading of its CPU clock.
        expect(close(busy, cpu, allowed, 0.003 + 50e-6 * process["threads"]),
               "sum of i*T_i = %.6f, CPU time of the process %.6f (%g %%, %s)", busy, cpu, 100 * allowed, part["grade"])


def job_of_levels(report):
    """The ranks of a job together, as if they were one process."""
    return {"elapsed_seconds": report["run"]["elapsed_seconds"], "threads": report["run"]["threads"],
            "cpu_seconds": sum(p["cpu_seconds"] or 0 for p in report["processes"])}


def process_of_levels(report, name, part, total):
    """T_i is that of one process image, whose pid it bears, or of a job; its sum is that one's elapsed time, exactly."""
    images = [p for p in report["processes"] if part.get("pid") in (None, p["pid"])]
    if part.get("ranks"):
        images = [job_of_levels(report)]
    for process in images:
        if close(total, process["elapsed_seconds"], 1e-6, 2e-6):
            return process
    return fail("sum of T_i (%s) = %.9f, elapsed %s (1e-6)", name, total, ", ".join("%.9f" % p["elapsed_seconds"] for p in images))


def check_routines(report, sampling):
    cpu = thread_cpu(report)
    own = sum(r["self_seconds"] or 0 for r in report["routines"])
    expect(close(own, cpu, 1e-6, 2e-6), "sum of routines' self time = %.9f, CPU time of all threads %.9f (1e-6)", own, cpu)
    if not sampling:
        return
    unsampled = sum(r["self_seconds"] or 0 for r in report["routines"] if r["name"] == "[unsampled]")
    seconds = [(t["user_seconds"] or 0) + (t["system_seconds"] or 0) for t in report["threads"]]
    long_ones = [s for s in seconds if s > 0.2]
    # What follows the last sample is unsampled: up to one period, which ends on a tick of the kernel.
    allowed = max(0.02 * sum(long_ones), 0.009 * len(long_ones)) + sum(s for s in seconds if s <= 0.2)
    expect(unsampled <= allowed + 1e-6, "[unsampled] = %.6f, allowed %.6f (2 %% of threads with more than 0.2 s)", unsampled, allowed)


def check_blame(report):
    waited, blamed = {}, {}
    for row in report["synchronization"]:
        key = (row["kind"], row["object"], row["name"], row["created_at"])
        waited[key] = waited.get(key, 0) + (row["wait_seconds"] or 0)
        blamed[key] = blamed.get(key, 0) + sum(b["seconds"] for b in row["blame"])
        told = sum(w["seconds"] for w in row["waiters"])
        expect(close(told, row["wait_seconds"] or 0, 1e-6, 2e-6), "%s %s: sum of waiters = %.9f, wait_seconds %.9f (1e-6)",
               row["kind"], row["name"] or row["object"], told, row["wait_seconds"] or 0)
    for key, seconds in waited.items():
        expect(close(blamed[key], seconds, 1e-6, 2e-6), "%s %s: sum of blame = %.9f, sum of wait_seconds %.9f (1e-6)",
               key[0], key[2] or key[1], blamed[key], seconds)


# Looking into a report

def routine(report, name):
    """The row of the routine of that name."""
    rows = [r for r in report["routines"] if r["name"] == name]
    expect(rows, "routine %s is not in the report; it has: %s", name, ", ".join(r["name"] for r in report["routines"][:20]))
    return rows[0]


def waits(report, kind, name=None, operation=None):
    return [r for r in report["synchronization"] if r["kind"] == kind and (name is None or r["name"] == name)
            and (operation is None or r["operation"] == operation)]


def blame_of(rows, function):
    return sum(b["seconds"] for r in rows for b in r["blame"] if b["routine"] == function)


def status_of(report, pid=None):
    """Status of one process; without a number, of the first one."""
    for process in report["processes"]:
        if pid is None or process["pid"] == pid:
            return process["status"]
    return fail("process %s is not in the report", pid)

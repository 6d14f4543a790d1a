# SPDX-License-Identifier: MIT
"""What every case uses: running a program natively and under the profiler, its reports, the laws, comparing.

A case compares what the tool says with what the program says of itself; tolerances are relative, with a small
absolute floor for what other programs on the machine do at the same time. It never asserts absolute times.

How a case fails is in verdict, the laws of conservation are in laws; cases import both from here."""
import fcntl
import functools
import hashlib
import json
import os
import pickle
import resource
import shutil
import signal
import socket
import subprocess
import tempfile

from laws import check_laws, ready_seconds, thread_cpu, unsampled_seconds  # noqa: F401
from verdict import (PARTS_SKIPPED, RETRIES, Failure, Skip, TimeFailure, close, expect, expect_between, expect_equal,  # noqa: F401
                     expect_near, fail, part_skipped, premise, retry_time, skip, timed, timing)

HELPERS = ("support", "case_runner", "kernel", "laws", "verdict", "browser", "export_read", "export_pages", "profile_file", "mpi_job", "openmp_job",
           "real_inputs", "call_tables", "guest", "guest_runs", "machine_states",
           "page_commands")
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.path.abspath(os.environ.get("BUILD", os.path.join(ROOT, "build")))
RUN = os.path.join(BUILD, "bin", "ptrace-run")
REPORT = os.path.join(BUILD, "bin", "ptrace-report")
ATTACH = os.path.join(BUILD, "bin", "ptrace-attach")
LIBRARY = os.path.join(BUILD, "lib", "libptrace.so")
COLUMNS = 109  # of reports that cases read: titles of sections in one line each
NATIVE_ONLY = False
# Whether cases that have a long form run in it (make soak).
SOAK = False
# Limit for a program that hangs; other programs may take most of the machine meanwhile.
TIMEOUT = 600
_directories = []
# What cases of one run share (once); the runner makes it.
SHARED = None


# Side by side, alone; in which level; long

def beside(case):
    """Marks a case that asserts no time of the machine (tests/check_cases): it runs at the same time as others. BESIDE = True in a file
    marks all of its cases."""
    case.beside = True
    return case


def alone(case):
    """Marks a case of such a file that needs the machine for itself."""
    case.beside = False
    return case


def unwrapped(function):
    while hasattr(function, "__wrapped__"):
        function = function.__wrapped__
    return function


def may_run_beside(module, function):
    """A case that is not marked runs alone."""
    return getattr(function, "beside", getattr(module, "BESIDE", False))


def full(case):
    """Marks a case that `make check` leaves to `make check-all`: it takes long, or needs many packages, and what it asserts has a quicker case
    as well. FULL = REASON in a file leaves all of its cases to it: the reason says why none of them is quick."""
    case.full = True
    return case


def is_full(module, function):
    return getattr(function, "full", bool(getattr(module, "FULL", "")))


def soaks(case):
    """Marks a case that has a long form for `make soak`: see short_or_long."""
    case.soaks = True
    return case


def has_long_form(function):
    return getattr(function, "soaks", False)


def short_or_long(short, long):
    """For a case that has a long form."""
    return long if SOAK else short


def missing_tools():
    return [p for p in (RUN, REPORT, LIBRARY) if not os.path.exists(p)]


def free_port():
    """One on loopback that nobody has; another program may take it before it is used, but ports are given out in turn."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def need(command):
    """Path of a program that a package may provide, or skip. System directories come first (no shims)."""
    path = shutil.which(command, path="/usr/bin:/bin:/usr/sbin:/sbin") or shutil.which(command)
    return path or skip("%s is not installed" % command)


def read_line(process):
    """The next line that it says, and no byte more: communicate() would not see what a buffer has of the lines after it."""
    line = b""
    while not line.endswith(b"\n"):
        byte = os.read(process.stdout.fileno(), 1)
        if not byte:
            break
        line += byte
    return line.decode() if process.text_mode else line


def built(name):
    path = os.path.join(BUILD, "tests", name)
    if not os.path.exists(path):
        skip("%s was not built (no compiler or library for it here)" % name)
    return path


@functools.lru_cache(maxsize=None)
def why_it_does_not_run(path):
    """A compiler that can make a program for 32 bits is no kernel that runs it: some refuse it, on some it dies. None: it runs."""
    try:
        done = subprocess.run([path], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=TIMEOUT)
    except OSError as error:
        return "this machine does not run %s: %s" % (os.path.basename(path), error.strerror)
    if done.returncode:
        return "this machine does not run %s: %s" % (os.path.basename(path), signal.Signals(-done.returncode).name if done.returncode < 0
                                                     else "status %d" % done.returncode)
    return None


def need_32_bit_programs():
    """The path of one, or skip."""
    path = built("equal_32")
    reason = why_it_does_not_run(path)
    return path if reason is None else skip(reason)


def scratch():
    """A new empty directory, which is removed when the case has ended."""
    directory = tempfile.mkdtemp(prefix="ptrace-test-")
    _directories.append(directory)
    return directory


def once(name, make):
    """A directory that make(directory) has filled: the first case of this run that asks for it calls that, the others wait for it. How it
    failed, or was skipped, is told to each."""
    directory = os.path.join(SHARED, name)
    with open(directory + ".lock", "a+") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        lock.seek(0)
        if not os.path.exists(directory):
            os.mkdir(directory)
            try:
                make(directory)
            except (Failure, Skip) as ended:
                lock.write(json.dumps([type(ended).__name__, str(ended)]))
                raise
        told = lock.read()
    if told:
        kind, text = json.loads(told)
        raise Skip(text) if kind == "Skip" else Failure(text)
    return directory


def shared(key, make):
    """(what make(directory) returned to the first case of this run that asked for the key, that directory): for what several cases examine, and
    none of them changes."""
    def fill(directory):
        value = make(directory)
        with open(os.path.join(directory, "value"), "wb") as file:
            pickle.dump(value, file)

    directory = once(hashlib.sha1(repr(key).encode()).hexdigest(), fill)
    with open(os.path.join(directory, "value"), "rb") as file:
        return pickle.load(file), directory


def clean_up():
    while _directories:
        shutil.rmtree(_directories.pop(), ignore_errors=True)


def clean_environment(extra=None):
    environment = {k: v for k, v in os.environ.items() if not k.startswith("PTRACE_") and k not in ("LD_PRELOAD", "DEBUGINFOD_URLS")}
    environment.update(LC_ALL=os.environ.get("TEST_LC_ALL", "C.UTF-8"), COLUMNS=str(COLUMNS))
    if "TEST_CLOCK" in os.environ:
        environment["PTRACE_CLOCK"] = os.environ["TEST_CLOCK"]
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
    limit = timeout or TIMEOUT
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        process = subprocess.Popen(command, env=environment, stdin=stdin or subprocess.DEVNULL, stdout=out, stderr=err,
                                   cwd=directory, start_new_session=True, preexec_fn=_limits(limits))
        try:
            status = process.wait(limit)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            err.seek(0)
            fail("%s did not end within %d s; stderr: %s", " ".join(command)[-200:], limit,
                 err.read().decode(errors="replace")[-200:])
        out.seek(0)
        err.seek(0)
        return Result(status, out.read(), err.read(), read_truth(truth_path))


def burner(*prefix, seconds=60):
    """A process that computes until it is killed, or has used so many seconds. (timeout(1) that is ended right after its fork leaves its
    child behind.) prefix: words before it, as taskset."""
    return subprocess.Popen([*prefix, "sh", "-c", "ulimit -t %d; while :; do :; done" % seconds])


def is_alive(pid):
    """Neither gone nor a zombie."""
    try:
        with open("/proc/%d/stat" % pid) as file:
            return file.read().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def profile_paths(directory):
    """Paths of the profile files of a run."""
    return sorted(os.path.join(directory, name) for name in os.listdir(directory) if name.endswith(".profile"))


def read_truth(path):
    try:
        with open(path) as file:
            return json.load(file)
    except (OSError, ValueError):
        return None


class Run:
    """A program, natively and under the profiler; the profiled run and its reports are made when they are first needed."""

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
        return profile_paths(self.directory)


class SharedRun(Run):
    """One run for all cases that ask for it, natively and profiled: for counts, laws and names, which no other run would tell otherwise. A
    check of times that is tried again needs a run of its own."""

    def _shared(self, what, make):
        return shared((what, self.command, self.options, sorted(self.own)), make)

    @property
    def own(self):
        """The variables that are not the case's."""
        return [(k, v) for k, v in self.settings["environment"].items() if k != "TMPDIR"]

    @property
    def native(self):
        return self._shared("native", lambda _: super(SharedRun, self).native)[0]

    @property
    def profiled(self):
        def make(directory):
            self.directory = os.path.join(directory, "run")
            return super(SharedRun, self).profiled

        result, directory = self._shared("profiled", make)
        self.directory = os.path.join(directory, "run")
        return result

    @property
    def report(self):
        return self._shared("report", lambda _: super(SharedRun, self).report)[0]


def run(program, arguments=(), options=(), timeout=None, environment=None, limits=None, directory=None, stdin=None, kind=Run):
    """program: a name in build/tests, or a path."""
    path = program if os.path.isabs(program) else built(program)
    return kind([path] + [str(a) for a in arguments], options,
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
    """A complete case: the profiler changes nothing, and the laws hold."""
    one = run(program, arguments, **settings)
    expect_same(one)
    if laws:
        check_laws(one.report, complete=complete)
    return one


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

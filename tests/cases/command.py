# SPDX-License-Identifier: MIT
"""ptrace-run as a command: options, run directory, what it refuses, signals, exit status, environment."""
import json
import os
import re
import select
import shutil
import signal
import stat
import subprocess
import sys
import time

import support
from profile_file import Profile
from support import BUILD, LIBRARY, RUN, clean_environment, execute, expect, expect_equal, is_alive, profile_paths, read_line, scratch, skip

BESIDE = True  # no case asserts a time

IDENTITY = "import os, signal; s = open('/proc/self/status').read(); " \
           "print([l for l in s.splitlines() if l.startswith(('SigIgn', 'SigBlk'))], sorted(os.listdir('/proc/self/fd')))"


def ptrace_run(*arguments, **settings):
    if support.NATIVE_ONLY:
        skip("native only")
    environment = clean_environment(settings.pop("environment", None))
    return execute([RUN] + list(arguments), environment, **settings)


def script(text, name="script"):
    path = os.path.join(scratch(), name)
    with open(path, "w") as file:
        file.write(text)
    os.chmod(path, 0o755)
    return path


def described(directory):
    with open(os.path.join(directory, "run.json")) as file:
        return json.load(file)


def expect_usage_error(*arguments):
    result = ptrace_run(*arguments)
    expect_equal("status of %s" % (arguments,), result.status, 2)
    expect(result.stderr.startswith(b"ptrace-run: "), "the message is %r", result.stderr[:200])
    expect_equal("standard output", result.stdout, b"")


# Options

def test_wrong_usage_is_status_2():
    expect_usage_error()
    expect_usage_error("--nonsense", "true")
    expect_usage_error("-s", "many", "true")
    expect_usage_error("-s", "-1", "true")
    expect_usage_error("-o")


def test_control_characters_in_options_are_shown():
    """What was typed cannot move what a terminal shows: an ESC is \\x1b, in every program, in values and in names of options."""
    unknown = ["--\x1b[2Jno\x07such"]
    asked = [(program, unknown) for program in ("ptrace-run", "ptrace-attach", "ptrace-report", "ptrace-diff", "ptrace-export",
                                                "ptrace-merge", "ptrace-top")]
    asked += [(program, ["--format", "\x1b[2Jx\n"]) for program in ("ptrace-report", "ptrace-diff", "ptrace-export")]
    asked += [("ptrace-run", ["-s", "\x1b[2J", "true"]), ("ptrace-attach", ["\x1b[2J"]), ("ptrace-report", ["/\x1b[2J\x7f\xc2\x9b"])]
    for program, words in asked:
        result = execute([os.path.join(BUILD, "bin", program)] + words)
        expect_equal("status of %s %r" % (program, words), result.status, 2)
        expect(not re.search(rb"[\x00-\x09\x0b-\x1f\x7f]|\xc2[\x80-\x9f]", result.stderr), "%s %r says %r", program, words, result.stderr)
        expect(b"\\x1b[2J" in result.stderr, "%s %r does not show it: %r", program, words, result.stderr)


def test_a_wrong_option_is_one_line_with_the_nearest():
    """In every program: what was meant, if something is near; else where they are listed."""
    nearest = [("ptrace-run", ["--smaple", "5", "true"], "--sample"), ("ptrace-run", ["--nosync", "true"], "--no-sync"),
               ("ptrace-attach", ["--secnods=3", "1"], "--seconds"), ("ptrace-report", ["x", "--formt", "json"], "--format"),
               ("ptrace-diff", ["--treshold", "3", "a", "b"], "--threshold"), ("ptrace-export", ["--fromat", "x"], "--format"),
               ("ptrace-merge", ["--otput", "x"], "--output"), ("ptrace-top", ["--onec"], "--once"),
               ("ptrace-run", ["--zzzz", "true"], "ptrace-run --help"), ("ptrace-top", ["-Z"], "ptrace-top --help"),
               ("ptrace-run", ["--no", "true"], "--no-sync, --no-mpi"), ("ptrace-diff", ["--threshold"], "needs an argument"),
               ("ptrace-export", ["-o"], "needs an argument"), ("ptrace-run", ["--quiet=1", "true"], "takes no argument")]
    for program, words, meant in nearest:
        result = execute([os.path.join(BUILD, "bin", program)] + words)
        expect_equal("status of %s %s" % (program, words), result.status, 2)
        expect(re.fullmatch(r"%s: [^\n]*'-[^\n]*%s[^\n]*\n" % (program, re.escape(meant)), result.stderr_text()),
               "%s %s says %r, and not %s", program, words, result.stderr_text(), meant)


def test_a_program_of_this_directory_is_named():
    place = scratch()
    shutil.copy("/bin/true", os.path.join(place, "only-here"))
    path = {"PATH": "/usr/bin:/bin"}  # that of another user may have directories that this one may not search
    result = ptrace_run("only-here", directory=place, environment=path)
    expect(result.status == 127 and "./only-here\n" in result.stderr_text(), "%d %r", result.status, result.stderr_text())
    os.chmod(os.path.join(place, "only-here"), 0o644)
    expect("not executable" in ptrace_run("only-here", directory=place, environment=path).stderr_text(), "it does not say that it is not executable")
    expect("./" not in ptrace_run("nowhere", directory=place, environment=path).stderr_text(), "it names a program that is not there")


def test_help_and_version_go_to_standard_output():
    shown = ptrace_run("--help")
    expect_equal("status of --help", shown.status, 0)
    for option in ("--output", "--sample", "--no-sync", "--no-mpi", "--no-switches", "--report", "--quiet", "--force"):
        expect(option.encode() in shown.stdout, "--help does not name %s", option)
    shown = ptrace_run("-V")
    expect(re.match(rb"ptrace-run \d+\.\d+", shown.stdout), "-V prints %r", shown.stdout)


def test_more_samples_than_the_kernel_has_ticks():
    """It is said beforehand how many there can be, once, and the profile has the period that there is, not the one that was asked."""
    tick = time.clock_getres(6)  # CLOCK_MONOTONIC_COARSE
    place = scratch()
    for number, (hertz, is_told) in enumerate((("10000", True), ("100", False))):
        said = ptrace_run("-s", hertz, "-o", "run%d" % number, "true", directory=place).stderr_text()
        expect_equal("told of %s: %r" % (hertz, said), "%d samples a second" % round(1 / tick) in said.splitlines()[0], is_told)
        profile = Profile(profile_paths(os.path.join(place, "run%d" % number))[0])
        expect_equal("the period", profile.rows["process"][0]["sample_period_ns"], round(1e9 * tick) if is_told else 10000000)
    expect_equal("stderr of -q", ptrace_run("-q", "-s", "10000", "-o", "quiet", "true", directory=place).stderr, b"")


def test_options_of_the_program_are_its_own():
    result = ptrace_run("-q", "-o", os.path.join(scratch(), "run"), "/bin/echo", "-q", "--version-of-mine", "-o", "x")
    expect_equal("output", result.stdout, b"-q --version-of-mine -o x\n")


def test_options_reach_the_program_as_variables():
    result = ptrace_run("-q", "-o", "run", "-s", "50", "--no-sync", "--no-mpi", "--no-switches", "/usr/bin/env",
                        directory=scratch(), environment={"PTRACE_SAMPLE": "999"})
    for setting in (b"PTRACE_SAMPLE=50", b"PTRACE_SYNC=0", b"PTRACE_MPI=0", b"PTRACE_SWITCHES=0"):
        expect(setting in result.stdout.splitlines(), "%s is not in the program's environment", setting)


def test_quiet_says_nothing():
    expect_equal("stderr", ptrace_run("-q", "-o", "run", "true", directory=scratch()).stderr, b"")


def test_one_line_and_the_report():
    place = scratch()
    line = ptrace_run("-o", "run", "true", directory=place).stderr_text()
    expect(line.count("\n") == 1 and os.path.join(place, "run") in line, "the line is %r", line)
    whole = ptrace_run("-r", "-o", "run2", "true", directory=place)
    expect("@ overview" in whole.stderr_text(), "-r prints %r", whole.stderr_text()[:300])
    expect_equal("standard output", whole.stdout, b"")


# What runs

def test_interpreters_are_followed():
    static = support.built("equal_static")
    for head in ("#!%s\n" % static, "#!/usr/bin/env %s\n" % static, "#!/usr/bin/env -S A=1 %s -x\n" % static):
        result = ptrace_run("-o", "run", script(head), directory=scratch())
        expect_equal("status for %r" % head, result.status, 125)
        expect("interpreter" in result.stderr_text(), "the message is %r", result.stderr_text())


def test_script_without_interpreter_line():
    result = ptrace_run("-q", "-o", "run", script("echo plain $1\n"), "word", directory=scratch())
    expect_equal("output", result.stdout, b"plain word\n")


def test_program_is_found_along_path():
    place = scratch()
    os.mkdir(os.path.join(place, "tool"))  # a directory of that name is passed by
    path = script("#!/bin/sh\necho found\n", "tool")
    result = ptrace_run("-q", "-o", "run", "tool", directory=place,
                        environment={"PATH": "%s:%s:/bin:/usr/bin" % (place, os.path.dirname(path))})
    expect_equal("output", result.stdout, b"found\n")


def test_library_that_does_not_come_up_is_noticed():
    """ld.so prints a message and continues. covers: F84"""
    broken = script("this is no library\n", "libptrace.so")
    result = ptrace_run("-q", "-o", "run", "true", directory=scratch(), environment={"PTRACE_LIBRARY": broken})
    expect_equal("status", result.status, 0)
    expect("true ran without the profiler" in result.stderr_text(), "stderr is %r", result.stderr_text())


def test_library_is_found_without_proc():
    place = scratch()
    if os.geteuid() != 0 or subprocess.run(["unshare", "-m", "true"], stderr=subprocess.DEVNULL).returncode != 0:
        skip("mounting needs root")
    os.symlink(support.RUN, os.path.join(place, "linked"))
    script = "mount -t tmpfs none /proc && cd %s && PATH=.:$PATH && linked -o run sh -c 'exit 3'" % place
    result = execute(["unshare", "-m", "sh", "-c", script], clean_environment())
    expect_equal("status; stderr: %s" % result.stderr_text(), result.status, 3)
    expect("profile in" in result.stderr_text(), "no report: %s", result.stderr_text())


def test_library_in_a_place_that_ld_preload_cannot_name():
    place = os.path.join(scratch(), "a place")
    os.mkdir(place)
    shutil.copy(LIBRARY, place)
    result = ptrace_run("-o", "run", "true", directory=scratch(),
                        environment={"PTRACE_LIBRARY": os.path.join(place, "libptrace.so")})
    expect_equal("status", result.status, 125)
    expect("LD_PRELOAD" in result.stderr_text(), "the message is %r", result.stderr_text())


def test_other_preloads_stay():
    result = ptrace_run("-q", "-o", "run", "/usr/bin/env", directory=scratch(),
                        environment={"LD_PRELOAD": "libm.so.6"})
    library = os.path.join(os.path.dirname(os.path.realpath(LIBRARY)), "libptrace", "$LIB", "libptrace.so")
    expect(("LD_PRELOAD=%s:libm.so.6" % library).encode() in result.stdout.splitlines(),
           "LD_PRELOAD is %r", [l for l in result.stdout.splitlines() if l.startswith(b"LD_PRELOAD")])


# Signals and the end

class Started:
    """A program under ptrace-run that is talked to while it runs; whatever happens, it is gone in the end."""

    def __init__(self, command):
        if support.NATIVE_ONLY:
            skip("native only")
        self.process = subprocess.Popen([RUN, "-q", "-o", os.path.join(scratch(), "run")] + command,
                                        stdout=subprocess.PIPE, env=clean_environment(), bufsize=0)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()

    def line(self):
        if not select.select([self.process.stdout], [], [], support.TIMEOUT)[0]:
            support.fail("the program said nothing within %d s", support.TIMEOUT)
        return read_line(self.process).decode().strip()

    def status(self):
        return self.process.wait(support.TIMEOUT)


def test_signals_are_passed_on():
    """The program takes them with sigwait: a handler and pause() would race with the next one."""
    program = "import signal\n" \
              "wanted = {signal.SIGTERM, signal.SIGHUP, signal.SIGUSR1, signal.SIGINT}\n" \
              "signal.pthread_sigmask(signal.SIG_BLOCK, wanted)\n" \
              "print('ready', flush=True)\n" \
              "for i in range(4): print(int(signal.sigwait(wanted)), flush=True)\n"
    numbers = [signal.SIGTERM, signal.SIGHUP, signal.SIGUSR1, signal.SIGINT]
    with Started([sys.executable, "-c", program]) as run:
        expect_equal("first line", run.line(), "ready")
        for number in numbers:
            run.process.send_signal(number)
            expect_equal("signal seen", run.line(), str(int(number)))
        expect_equal("status", run.status(), 0)


def test_death_by_signal_is_the_same():
    for number in (signal.SIGTERM, signal.SIGSEGV, signal.SIGKILL, signal.SIGRTMIN):
        result = ptrace_run("-q", "-o", "run", "sh", "-c", "kill -%d $$" % number, directory=scratch())
        expect_equal("status", result.status, -number)


def test_killing_ptrace_run_kills_the_program():
    with Started(["sh", "-c", "echo $$; exec sleep 60"]) as run:
        pid = int(run.line())
        run.process.kill()
        run.status()
        deadline = time.monotonic() + 10
        while is_alive(pid) and time.monotonic() < deadline:
            time.sleep(0.02)
        expect(not is_alive(pid), "the program outlived ptrace-run")


def test_stopping_the_program_does_not_stop_ptrace_run():
    with Started(["sh", "-c", "echo $$; kill -STOP $$; exit 5"]) as run:
        pid = int(run.line())
        deadline = time.monotonic() + 10
        while time.monotonic() < deadline:
            with open("/proc/%d/stat" % pid) as file:
                if file.read().rsplit(")", 1)[1].split()[0] == "T":
                    break
            time.sleep(0.01)
        run.process.send_signal(signal.SIGCONT)
        expect_equal("status", run.status(), 5)


def test_mask_dispositions_and_descriptors_are_the_callers():
    def set_up():
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR2])

    if support.NATIVE_ONLY:
        skip("native only")
    command = [sys.executable, "-c", IDENTITY]
    outputs = []
    # The library itself may keep descriptors and signals of its own in the program: what counts here is ptrace-run.
    for prefix in ([], [RUN, "-q", "-s", "0", "--no-sync", "--no-switches", "-o", os.path.join(scratch(), "run")]):
        outputs.append(subprocess.run(prefix + command, stdout=subprocess.PIPE, env=clean_environment(),
                                      preexec_fn=set_up, restore_signals=False, timeout=support.TIMEOUT).stdout)
    expect_equal("identity", outputs[1], outputs[0])


def test_the_true_end_is_recorded():
    place = scratch()
    ptrace_run("-q", "-o", "run", "sh", "-c", "kill -9 $$", directory=place)
    report = support.report_json(os.path.join(place, "run"))
    expect_equal("status of the process", report["processes"][0]["status"], "killed by SIGKILL")

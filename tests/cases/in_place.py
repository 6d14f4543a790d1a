# SPDX-License-Identifier: MIT
"""The program takes the place of ptrace-run: below a launcher of ranks, as the first process of a container, and with --exec."""
import json
import os
import pty
import re
import signal
import subprocess
import time

import support
from launchers import fake_srun, lines_of, profiles_in, runs_in, with_each_mpi
from support import RUN, clean_environment, execute, expect, expect_equal, full, report_json, scratch, skip

BESIDE = True  # no case asserts a time

# Who its parent is, and how many children it has: the one that counts them, and what ptrace-run might have left.
PARENT = "cat /proc/$PPID/comm; wc -w < /proc/$$/task/$$/children"
# A program that has a parent-death signal is killed when the thread that started it ends.
DEATH_SIGNAL = "import ctypes, os; n = ctypes.c_int(); ctypes.CDLL(None).prctl(2, ctypes.byref(n)); os.write(1, b'%d\\n' % n.value)"


def output_of(command, status=0, environment=None, directory=None):
    result = execute(command, clean_environment(environment), directory=directory or scratch())
    expect_equal("status of %s, which says %r" % (" ".join(command)[-200:], result.stderr_text()[-300:]), result.status, status)
    return result.stdout


def as_child(tool, command, environment=None):
    """(pid of what was started, status, standard output, standard error)"""
    with subprocess.Popen(tool + command, env=clean_environment(environment), cwd=scratch(), stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        output, errors = process.communicate(timeout=support.TIMEOUT)
    return process.pid, process.returncode, output.decode(), errors.decode()


def run_tool(*options):
    if support.NATIVE_ONLY:
        skip("native only")
    return [RUN, *options, "-o", os.path.join(scratch(), "run")]


def directory_of(tool):
    return tool[-1]


# Below a launcher

@full
def test_parent_of_a_rank_is_its_launcher():
    def check(mpi):
        for ranks in ("1", "3"):
            native = output_of(mpi.launcher + ["-n", ranks, "sh", "-c", PARENT])
            profiled = output_of(mpi.launcher + ["-n", ranks, RUN, "-q", "sh", "-c", PARENT])
            expect_equal("parents of %s ranks" % ranks, sorted(profiled.split(b"\n")), sorted(native.split(b"\n")))
            expect_equal("their death signals", output_of(mpi.launcher + ["-n", ranks, RUN, "-q", "python3", "-c", DEATH_SIGNAL]),
                         b"0\n" * int(ranks))
    with_each_mpi(check)


def test_report_keeps_a_parent():
    """A report that was asked for is printed at the end; that takes a process."""
    def check(mpi):
        parents = output_of(mpi.launcher + ["-n", "2", RUN, "-r", "sh", "-c", "cat /proc/$PPID/comm"])
        expect_equal("parents", parents, b"ptrace-run\n" * 2)
    with_each_mpi(check)


def test_one_line_says_where_the_profiles_will_be():
    place = scratch()
    result = execute([fake_srun(), "3", "0", "0.1", RUN, "sleep", "0.5"], clean_environment(), directory=place)
    expect_equal("lines of %r" % result.stderr_text(), lines_of(result), ["ptrace-run: the profiles of this job's ranks will be in "
                 + os.path.join(os.path.realpath(place), "sleep.ptrace.1")])
    quiet = execute([fake_srun(), "3", "0", "0.1", RUN, "-q", "true"], clean_environment(), directory=place)
    expect_equal("lines with -q", lines_of(quiet), [])


# --exec

def test_program_is_the_process_that_was_started():
    for options, environment in ((["--exec"], {}), ([], {"PTRACE_EXEC": "1"}), (["-r", "--exec"], {}),
                                 (["--exec"], {"PTRACE_REPORT": "1"})):
        tool = run_tool(*options)
        pid, status, output, errors = as_child(tool, ["sh", "-c", "echo $$ $PPID; exit 3"], environment)
        expect_equal("pids with %r" % options, output, "%d %d\n" % (pid, os.getpid()))
        expect_equal("status", status, 3)
        expect_equal("standard error", errors, "ptrace-run: the profile of sh will be in %s\n" % os.path.realpath(directory_of(tool)))
        report = report_json(directory_of(tool))
        expect_equal("status in the report", [p["status"] for p in report["processes"]], ["exited 3"])
        expect_equal("report", (report["report_status"], report["run"]["complete"]), (0, True))
        support.check_laws(report)


def test_last_of_exec_and_report_counts():
    for options, environment in ((["--exec", "-r"], {}), ([], {"PTRACE_EXEC": "1", "PTRACE_REPORT": "1"}),
                                 (["-r"], {"PTRACE_EXEC": "1"})):
        pid, status, output, errors = as_child(run_tool(*options), ["sh", "-c", "echo $PPID"], environment)
        expect_equal("parent, status", (output, status), ("%d\n" % pid, 0))
        expect_equal("reports", errors.count("@ overview"), 1)


def test_quiet_says_nothing():
    _, status, _, errors = as_child(run_tool("--exec", "-q"), ["true"])
    expect_equal("status, standard error", (status, errors), (0, ""))


def test_caller_finds_its_state():
    """Mask, dispositions and interval timer are those of the caller."""
    script = "import signal; print(signal.pthread_sigmask(signal.SIG_BLOCK, []), signal.getsignal(signal.SIGCHLD), " \
             "signal.getitimer(signal.ITIMER_REAL)[0] > 0)"
    shell = "import os, signal, sys; signal.pthread_sigmask(signal.SIG_BLOCK, [10]); signal.signal(signal.SIGCHLD, signal.SIG_IGN); " \
            "signal.alarm(100); os.execv(sys.argv[1], sys.argv[1:])"
    python = os.path.realpath(support.need("python3"))
    native = output_of([python, "-c", shell, python, "-c", script])
    expect_equal("state", output_of([python, "-c", shell] + run_tool("--exec", "-q") + [python, "-c", script]), native)


def test_death_by_signal_is_the_programs():
    """No parent of ours has seen it: the profile is complete, and the report says what it does not know."""
    tool = run_tool("--exec", "-q")
    _, status, _, _ = as_child(tool, ["sh", "-c", "kill -9 $$"])
    expect_equal("status", status, -signal.SIGKILL)
    report = report_json(directory_of(tool))
    expect_equal("status in the report", [p["status"] for p in report["processes"]], ["ended without a word"])
    expect_equal("report", (report["report_status"], report["run"]["complete"]), (1, False))


def test_program_that_cannot_be_executed_leaves_what_was_there():
    bad = os.path.join(scratch(), "bad")
    with open(bad, "w") as file:
        file.write("#!/nonexistent/interpreter\n")
    os.chmod(bad, 0o755)
    place = scratch()
    for options in ([], ["--exec"]):
        result = execute([RUN] + options + [bad], clean_environment(), directory=place)
        expect_equal("status", result.status, 126)
        expect_equal("standard error", result.stderr_text(), "ptrace-run: cannot execute %s: its interpreter does not exist\n" % bad)
        expect_equal("left behind", os.listdir(place), [])
    output_of([RUN, "-q", "-o", "run", "true"], directory=place)
    before = sorted(os.listdir(os.path.join(place, "run")))
    output_of([RUN, "--exec", "-o", "run", bad], 126, directory=place)
    expect_equal("in an older run", sorted(os.listdir(os.path.join(place, "run"))), before)


def test_place_without_room_is_told_at_the_start():
    """There will be no profile, and no ptrace-run at the end to say so."""
    place = scratch()
    if os.geteuid() != 0 or subprocess.run(["unshare", "-m", "true"], stderr=subprocess.DEVNULL).returncode != 0:
        skip("mounting needs root")
    script = "mount -t tmpfs -o size=8k none %s && cd %s && %s --exec -o run sh -c 'exit 3'" % (place, place, RUN)
    result = execute(["unshare", "-m", "sh", "-c", script], clean_environment())
    expect_equal("status", result.status, 3)
    expect_equal("lines of %r" % result.stderr_text(), [re.sub("cannot write to .*?: ", "", re.sub(r" \(.*\)", "", l)) for l in lines_of(result)],
                 ["ptrace-run: sh runs without the profiler: no space left on its file system: make room, or choose another with -o DIR"])


def test_report_of_an_inner_one_comes():
    """The outer one is gone, and cannot report on it."""
    _, status, _, errors = as_child(run_tool("--exec", "-q"), ["sh", "-c", "%s -r true" % RUN])
    expect_equal("status, reports", (status, errors.count("@ overview")), (0, 1))
    _, _, _, errors = as_child(run_tool("-q"), ["sh", "-c", "%s -r true" % RUN])
    expect_equal("reports below one that is there", errors.count("@ overview"), 0)


def test_script_without_interpreter_line():
    path = os.path.join(scratch(), "script")
    with open(path, "w") as file:
        file.write("echo $0 $1; exit 4\n")
    os.chmod(path, 0o755)
    expect_equal("output", output_of(run_tool("--exec", "-q") + [path, "one"], 4), (path + " one\n").encode())


# The first process of a container

CONTAINER = ["unshare", "--pid", "--fork", "--mount-proc", "--kill-child"]


def need_container():
    if subprocess.run(CONTAINER + ["true"], stderr=subprocess.DEVNULL).returncode != 0:
        skip("no namespace of processes may be made here")


def test_first_process_of_a_container():
    """It has no default actions of signals, and inherits every orphan: another process would change both."""
    need_container()
    container = CONTAINER
    script = "echo $$ $PPID; kill -15 $$; (sleep 0.1; exit 5) & wait $!; exit $?"
    native = output_of(container + ["sh", "-c", script], 5)
    tool = run_tool("-q")
    expect_equal("output", output_of(container + tool + ["sh", "-c", script], 5), native)
    with open(os.path.join(directory_of(tool), "run.json")) as file:
        expect_equal("pid in run.json", json.load(file)["pid"], 1)
    expect_equal("profiles", len(profiles_in(directory_of(tool))), 3)
    expect_equal("pid with -r", output_of(container + run_tool("-r") + ["sh", "-c", "test $$ = 1"], 1), b"")


def test_first_process_at_a_terminal_keeps_its_line():
    need_container()
    master, slave = pty.openpty()
    try:
        tool = run_tool()
        with subprocess.Popen(CONTAINER + tool + ["sh", "-c", "echo $$"], env=clean_environment(), stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=slave) as process:
            output = process.communicate(timeout=support.TIMEOUT)[0]
        line = os.read(master, 1000).decode()
    finally:
        os.close(master)
        os.close(slave)
    expect_equal("status", process.returncode, 0)
    expect(output != b"1\n", "the program is process 1")
    expect("ptrace-run: efficiency" in line, "the line is %r", line)


def lives(directory):
    return [(p["status"], p["pid"]) for p in report_json(directory)["processes"]]


def test_number_1_of_two_containers():
    """Each container has a process of that number, and so has the machine: they are told apart, and one that was killed is not alive."""
    need_container()
    tool = run_tool("-q")
    with subprocess.Popen(CONTAINER + tool + ["sleep", "100"], env=clean_environment(), stderr=subprocess.DEVNULL) as outer:
        profile = os.path.join(directory_of(tool), "%s-1-0.profile" % os.uname().nodename)
        deadline = time.monotonic() + support.TIMEOUT
        while not os.path.exists(profile) and time.monotonic() < deadline:
            time.sleep(0.05)
        time.sleep(0.2)
        expect_equal("while it runs", lives(directory_of(tool)), [("running", 1)])
        with open("/proc/%d/task/%d/children" % (outer.pid, outer.pid)) as file:
            os.kill(int(file.read().split()[0]), signal.SIGKILL)
        outer.wait()
    expect_equal("after its death", lives(directory_of(tool)), [("ended without a word", 1)])
    output_of(CONTAINER + ["env", "PTRACE_JOB=" + directory_of(tool)] + tool + ["true"])  # as of the same run
    expect_equal("after another one", lives(directory_of(tool)), [("ended without a word", 1), ("exited 0", 1)])


def test_ranks_of_a_shell_below_a_launcher_keep_their_line():
    """A job of one rank is an interactive shell, which starts run after run."""
    def check(mpi):
        place = scratch()
        result = execute(mpi.launcher + ["-n", "1", "sh", "-c", "%s true; %s true" % (RUN, RUN)], clean_environment(), directory=place)
        expect_equal("directories", runs_in(place), ["true.ptrace.1", "true.ptrace.2"])
        expect_equal("lines of %r" % result.stderr_text(), len([l for l in lines_of(result) if "efficiency" in l]), 2)
    with_each_mpi(check)

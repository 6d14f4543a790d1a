# SPDX-License-Identifier: MIT
"""What a process keeps when it executes a program, and no child of it gets: a caller that does not fork before `ptrace-run`
has left it to the program. It is given to the child, or the program takes the place of ptrace-run and says so at the start."""
import os
import re
import socket
import subprocess
import time

import support
from support import RUN, built, check_laws, clean_environment, execute, expect, expect_equal, need, report_json, scratch, skip

BESIDE = True  # no case asserts a time
AT_THE_END, IN_PLACE = "efficiency N", "the profile of kept will be in DIR"
CANNOT_PREPARE = 77


def start(scene, runner=()):
    """kept prepares the scene and executes itself, or the runner, which starts it."""
    program = built("kept")
    environment = clean_environment({"STARTED_BY": str(os.getpid())})
    return execute([program, scene, *runner, program, scene], environment, directory=scratch())


def lines_of(result, directory):
    """What ptrace-run said, without figures and paths."""
    text = result.stderr_text().replace(os.path.realpath(directory), "DIR").replace(built("kept"), "kept")
    return [re.sub("efficiency .*", AT_THE_END, line[len("ptrace-run: "):])
            for line in text.splitlines() if line.startswith("ptrace-run: ")]


def check_kept(scene, line):
    """The program finds what it finds natively; the line is that of a run in place, or of one with an end."""
    native = start(scene)
    if native.status == CANNOT_PREPARE:
        skip("the scene cannot be made here: %s" % native.stderr_text())
    if support.NATIVE_ONLY:
        skip("native only")
    directory = os.path.join(scratch(), "run")
    profiled = start(scene, [RUN, "-o", directory])
    expect_equal("status, output", (profiled.status, profiled.stdout), (native.status, native.stdout))
    expect_equal("status of the program", native.status, 3)
    expect_equal("lines of ptrace-run", lines_of(profiled, directory), [line])
    report = report_json(directory)
    check_laws(report)
    expect_equal("profiles of the program", [p["status"] for p in report["processes"]].count("exited 3"), 1)


# Only the same process keeps it

def test_children():
    check_kept("children", IN_PLACE)


def test_scheduling_that_is_reset_on_fork():
    check_kept("batch", IN_PLACE)


def test_real_time_that_is_reset_on_fork():
    check_kept("policy", IN_PLACE)


def test_locks_of_a_process():
    check_kept("locks", IN_PLACE)


def test_locks_of_a_process_behind_those_of_an_open_file():
    check_kept("many_locks", IN_PLACE)


def test_signals_of_a_descriptor():
    check_kept("owner", IN_PLACE)


def test_locks_and_signals_where_proc_is_hidden():
    """Without /proc, and where it shows processes alone (ProcSubset=pid of systemd): the kernel is asked of each descriptor."""
    need("unshare")
    program, directory = built("kept"), os.path.join(scratch(), "run")
    for number, hide in enumerate(("umount -l /proc", "mount -t proc -o subset=pid none /proc")):
        hidden = ["unshare", "-m", "sh", "-c", '%s || exit %d; exec "$@"' % (hide, CANNOT_PREPARE), "sh"]
        for scene in ("locks", "owner"):
            native = execute(hidden + [program, scene, program, scene], clean_environment(), directory=scratch())
            if native.status != 3:
                skip("%s: status %d %s" % (hide, native.status, native.stderr_text()[-200:]))
            runner = [RUN, "-q", "-o", "%s%d%s" % (directory, number, scene)]
            profiled = execute(hidden + [program, scene, *runner, program, scene], clean_environment(), directory=scratch())
            expect_equal("%s, %s: status, output" % (hide, scene), (profiled.status, profiled.stdout), (native.status, native.stdout))


def test_pending_signals():
    check_kept("signals", IN_PLACE)


def test_pending_real_time_signals():
    """And no others."""
    check_kept("queued_signals", IN_PLACE)


def test_namespace_of_the_next_child():
    check_kept("namespace", IN_PLACE)


def test_main_process_of_a_service():
    check_kept("service", IN_PLACE)


# A child is given it

def test_variables_with_the_programs_number():
    check_kept("numbers", AT_THE_END)


def test_reaper_of_orphans():
    check_kept("reaper", AT_THE_END)


def test_interval_timers():
    check_kept("timers", AT_THE_END)


def test_death_of_the_launcher():
    """The signal that the launcher asked for, for its own end, reaches the program."""
    setpriv, place = need("setpriv"), scratch()
    program = 'trap "echo told; exit" TERM; touch ready; for i in $(seq 1000); do sleep 0.05; done'
    launcher = '%s --pdeathsig TERM "$@" & while ! test -e ready; do sleep 0.05; done; rm ready' % setpriv
    for runner in ([], [RUN, "-q", "-o", "run"]):
        with subprocess.Popen(["sh", "-c", launcher, "sh", *runner, "sh", "-c", program], env=clean_environment(), cwd=place,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE) as process:
            output = process.communicate(timeout=support.TIMEOUT)[0]  # all of it: until the program has ended as well
        expect_equal("output with %r" % runner, output, b"told\n")


def test_report_that_is_asked_for_is_printed():
    """It takes a process at the end; one line says what the program has not."""
    directory = os.path.join(scratch(), "run")
    result = start("children", [RUN, "-r", "-o", directory])
    expect_equal("reports", result.stderr_text().count("@ overview"), 1)
    expect_equal("what is said first", lines_of(result, directory)[:1],
                 ["--report: as a child of ptrace-run kept will not have the children that its caller has started; with --exec it has"])
    quiet = start("children", [RUN, "-r", "-q", "-o", os.path.join(scratch(), "run")])
    expect_equal("with -q", [line for line in lines_of(quiet, "/") if "--report" in line], [])


# Ordinary starts end with their line

def test_ordinary_starts_keep_their_line():
    """Shells, pipelines, make, sessions and groups of their own, and programs that execute others."""
    place = scratch()
    with open(os.path.join(place, "Makefile"), "w") as file:
        file.write("all:\n\t@%s sh -c 'exit 3'\n" % RUN)
    run = RUN + " sh -c 'exit 3'"
    commands = {"exec": ["sh", "-c", "exec " + run], "shell": ["sh", "-c", "sleep 0.1 & %s; exit $?" % run],
                "pipeline": ["bash", "-c", "echo one | %s; exit $?" % run], "lock of a file": ["flock", ".", "sh", "-c", "exec " + run],
                "make": ["make", "-s"], "session": ["setsid", "-w", "sh", "-c", "exec " + run],
                "limit of time": ["timeout", "100", "sh", "-c", "exec " + run], "variables": ["env", "A=1", "sh", "-c", "exec " + run],
                "batch": ["chrt", "-b", "0", "sh", "-c", "exec " + run], "nice": ["nice", "sh", "-c", "exec " + run]}
    for name, command in commands.items():
        need(command[0])
        result = execute(command, clean_environment(), directory=place)
        lines = [line for line in result.stderr_text().splitlines() if line.startswith("ptrace-run: ")]
        expect_equal("%s: status, which says %r" % (name, result.stderr_text()), result.status, 2 if name == "make" else 3)
        expect(len(lines) == 1 and "efficiency" in lines[0], "%s: the lines are %r", name, lines)


def test_process_substitution_is_a_child():
    """bash makes it a child of the program whose output it takes, which may wait for it, and no child of one that reads it."""
    bash, place = need("bash"), scratch()
    for number, (script, line) in enumerate({"%s true 2> >(cat >&2)": "profile of true will be in", "%s cat <(true)": "efficiency",
                                             "%s true 2>&1 | cat >&2": "efficiency"}.items()):
        run = "%s -o run.%d" % (RUN, number)
        with subprocess.Popen([bash, "-c", script % run + "; :"], env=clean_environment(), cwd=place, stdin=subprocess.DEVNULL,
                              stderr=subprocess.PIPE) as process:
            said = process.communicate(timeout=support.TIMEOUT)[1].decode()
        expect(said.count("\n") == 1 and line in said, "%s: the line is %r", script, said)


# Real programs

def test_chrt_resets_on_fork():
    chrt = [need("chrt"), "--reset-on-fork", "--batch", "0"]
    tell = ["sh", "-c", "chrt -p $$ | sed 's/.*: //'"]
    native = execute(chrt + tell, clean_environment())
    if native.status:
        skip("chrt: %s" % native.stderr_text())
    profiled = execute(chrt + [RUN, "-q", "-o", os.path.join(scratch(), "run")] + tell, clean_environment())
    expect_equal("policy", profiled.stdout, native.stdout)


def test_socket_activation():
    """systemd's listener executes the program with a socket and LISTEN_PID; libsystemd takes the socket if that is its number."""
    listener = need("systemd-socket-activate")
    tell = ["sh", "-c", "test $LISTEN_PID = $$; echo mine $? descriptors $LISTEN_FDS; exit 3"]
    for runner in ([], [RUN, "-q", "-o", os.path.join(scratch(), "run")]):
        path = os.path.join(scratch(), "socket")
        environment = ["-E", "PATH=" + os.environ["PATH"]]
        with subprocess.Popen([listener, "-l", path] + environment + runner + tell, env=clean_environment(), stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL) as process:
            connect(path, process)
            output = process.communicate(timeout=support.TIMEOUT)[0]
        expect_equal("status, output with %r" % runner, (process.returncode, output), (3, b"mine 0 descriptors 1\n"))


def connect(path, process):
    """As soon as the listener is there."""
    deadline = time.monotonic() + support.TIMEOUT
    while process.poll() is None and time.monotonic() < deadline:
        with socket.socket(socket.AF_UNIX) as client:
            try:
                client.connect(path)
                return
            except OSError:
                time.sleep(0.01)

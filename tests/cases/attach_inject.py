# SPDX-License-Identifier: MIT
"""ptrace-attach, the program outside: with a library that stands in for the profiler, which spoils what a function may spoil.
What the program waited for ends as if nobody had looked; what cannot be attached to is refused, with the reason and untouched."""
import concurrent.futures
import ctypes
import json
import os
import re
import shutil
import signal
import subprocess
import threading
import time

from support import (BUILD, TIMEOUT, Skip, built, clean_environment, expect, expect_equal, need, need_32_bit_programs, part_skipped,
                     read_line, scratch, skip)

BESIDE = True  # no case asserts a time but that of the program's own time-outs, which may be late
ATTACH = os.path.join(BUILD, "bin", "ptrace-attach")
WAITS = ("nanosleep", "clock_nanosleep", "poll", "ppoll", "select", "condition", "semaphore", "futex", "read", "recv", "child", "epoll",
         "semop", "signal", "interrupted", "pause", "compute")
# Which the kernel does not restart, and ptrace-attach has made again.
REPEATED = ("epoll", "semop", "signal")
STOOD = re.compile(r"(attached to|detached from) process (\d+) \(\S+\); thread (\d+) stood still for \d+\.\d ms")


SYS_CLOCK_NANOSLEEP = {"x86_64": 230, "aarch64": 115}[os.uname().machine]


def attach(*words, **settings):
    environment = clean_environment({"PTRACE_LIBRARY": built("attach/libptrace.so")})
    environment.update(settings)
    return subprocess.run([ATTACH] + [str(word) for word in words], env=environment, capture_output=True, text=True, timeout=TIMEOUT)


def start(*command, **settings):
    """A program that says "ready"."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=clean_environment(), **settings)
    expect_equal("the first line", read_line(process), "ready\n")
    return process


def sleeper(*command):
    process = subprocess.Popen(command or ("sleep", "100"), stdout=subprocess.DEVNULL)  # returns after its exec
    if not command:
        wait_asleep(process.pid, SYS_CLOCK_NANOSLEEP)
    return process


def wait_asleep(pid, call=""):
    """Until the process waits in a system call again, or in that one."""
    end_time = time.monotonic() + 10
    while not is_in(pid, call):
        expect(time.monotonic() < end_time, "process %d does not wait where it did", pid)
        time.sleep(0.01)


def system_call_of(pid, tid):
    """Its number and arguments; or "running"."""
    with open("/proc/%d/task/%d/syscall" % (pid, tid)) as file:
        return file.read().split()


def is_in(pid, call):
    number = system_call_of(pid, pid)[0]
    return number == str(call) if call else number != "running"


def end(process):
    process.kill()
    process.communicate()


def wait_begun(pid):
    """Until the process's newest thread waits, and goes on waiting in the same call."""
    seen, end_time = [], time.monotonic() + 10
    while len(seen) < 3 or seen[-3:] != 3 * seen[-1:] or seen[-1] == ["running"]:
        expect(time.monotonic() < end_time, "process %d does not wait: %s", pid, seen[-3:])
        time.sleep(0.02)
        seen.append(system_call_of(pid, max(map(int, os.listdir("/proc/%d/task" % pid)))))


# Longer than ptrace-attach takes on a machine where others compute.
WAIT_SECONDS = 3


def wait_survives(name, *small, seconds=WAIT_SECONDS):
    run = os.path.join(scratch(), "run")
    process = start(built("attach_waits"), name, str(seconds), *small)
    try:
        if name != "compute":
            wait_begun(process.pid)
        result = attach("-o", run, process.pid)
        truth = json.loads(process.communicate(timeout=TIMEOUT)[0])
    finally:
        end(process)
    expect_equal("%s %s: status, %s" % (name, small, result.stderr), result.returncode, 0)
    for key in ("result", "errno"):
        expect_equal("%s %s: %s" % (name, small, key), truth[key], truth["expected_" + key])
    expect(truth["same_signals"] and truth["same_rounding"] and truth["more_descriptors"] == 0, "%s: it is not as it was: %s", name, truth)
    expect(truth["elapsed"] > seconds - 0.001, "%s ended after %.3f s of %d s", name, truth["elapsed"], seconds)
    return result.stderr


def at_once(function, names):
    """The waits only sleep."""
    with concurrent.futures.ThreadPoolExecutor(len(names)) as pool:
        return list(pool.map(function, names))


def test_waits_end_as_if_nobody_had_looked():
    """Result, errno, time-out, mask, dispositions, rounding of floating point, descriptors."""
    for name, said in zip(WAITS, at_once(wait_survives, WAITS)):
        expect_equal("%s: is said to begin anew: %s" % (name, said), "began anew" in said, name in REPEATED)


def test_small_stacks_are_not_used():
    """A thread with the smallest stack that is allowed; the first one computes meanwhile."""
    at_once(lambda name: wait_survives(name, "small", seconds=2), ("nanosleep", "condition", "poll", "epoll"))


def test_settings_reach_the_library():
    """On an aligned stack, with all signals blocked but those that an instruction raises; run.json is that of ptrace-run."""
    run = os.path.join(scratch(), "run")
    process = sleeper()
    try:
        result = attach("-o", run, "-s", "50", "--no-mpi", "--no-switches", process.pid, PTRACE_JOB="of another run")
        again = attach("-o", run, process.pid)
        detached = attach("--detach", process.pid)
    finally:
        end(process)
    expect_equal("status: %s" % result.stderr, result.returncode, 0)
    with open(os.path.join(run, "run.json.agent")) as file:
        words = file.readline().split()
    expect_equal("the call", words[:4], ["begin", "usr1=1", "segv=0", "aligned=1"])
    expect_equal("settings", sorted(words[4:]), ["PTRACE_MPI=0", "PTRACE_OUTPUT=" + run, "PTRACE_SAMPLE=50", "PTRACE_SWITCHES=0"])
    with open(os.path.join(run, "run.json")) as file:
        description = json.load(file)
    expect_equal("command", (description["format"], description["command"], description["pid"]), ("ptrace-run", ["sleep", "100"], process.pid))
    expect_equal("working directory", description["directory"], os.getcwd())
    expect_equal("mode", os.stat(run).st_mode & 0o777, 0o700)
    for said, verb in ((result, "attached to"), (again, "attached to"), (detached, "detached from")):
        match = STOOD.search(said.stderr)
        expect(match and match.group(1) == verb and int(match.group(2)) == process.pid, "it says %r", said.stderr)
    expect("ptrace-report %s" % run in result.stderr, "it does not say where the run is: %r", result.stderr)


def test_attaching_and_detaching_leaves_nothing():
    """Mappings and descriptors grow by the library, once; the program goes on waiting where it did."""
    run = os.path.join(scratch(), "run")
    process = sleeper()
    figures = []
    try:
        for _ in range(12):
            expect_equal("attach", attach("-o", run, process.pid).returncode, 0)
            expect_equal("detach", attach("--detach", process.pid).returncode, 0)
            with open("/proc/%d/maps" % process.pid) as file:
                figures.append((len(file.readlines()), len(os.listdir("/proc/%d/fd" % process.pid))))
        wait_asleep(process.pid)
        last = attach("--detach", process.pid)
    finally:
        end(process)
    expect_equal("mappings and descriptors", set(figures), {figures[0]})
    expect(last.returncode == 125 and "is not being profiled" in last.stderr, "a detach too many: %d %r", last.returncode, last.stderr)


def survives(mode, rounds):
    """False: the program was never at a place where a library can be loaded."""
    run = os.path.join(scratch(), "run")
    process = start(built("attach_stress"), mode)
    done = 0
    try:
        for _ in range(rounds):
            for words in (("-o", run), ("--detach",)):
                result = attach("--wait", "1", *words, process.pid)
                told = result.returncode == 0 or "at no place where" in result.stderr or "has no libptrace.so" in result.stderr or \
                    "is not being profiled" in result.stderr
                expect(told, "%s: %d %r", mode, result.returncode, result.stderr)
                done += result.returncode == 0
        process.terminate()
        said = process.communicate(timeout=TIMEOUT)[0]
    finally:
        end(process)
    match = re.match(r"rounds (\d+) wrong 0\n", said)
    expect(process.returncode == 0 and match and int(match.group(1)) > 0, "%s ended with %d and says %r", mode, process.returncode, said)
    return done


def test_busy_programs_survive():
    """Allocations, threads, processes and computing go on, with right answers."""
    for mode in ("malloc", "threads", "fork", "compute"):
        expect(survives(mode, 5) > 0, "%s: never attached to", mode)


def test_programs_that_load_and_throw_survive():
    """They are hardly ever at a good place: then they are refused, and unharmed."""
    for mode in ("dlopen", "exceptions"):
        survives(mode, 2)


def test_a_crash_in_the_library_is_survived():
    """The thread goes on where it was, and its handler of the signal is still there."""
    run = os.path.join(scratch(), "run")
    process = sleeper()
    try:
        result = attach("-o", run, process.pid, PTRACE_CRASH="1")
        wait_asleep(process.pid)
        again = attach("-o", run, process.pid)
    finally:
        end(process)
    expect(result.returncode == 125 and "Segmentation fault" in result.stderr, "%d %r", result.returncode, result.stderr)
    expect(again.returncode == 0, "it does not go on: %r", again.stderr)


def test_signals_in_between_are_delivered_afterwards():
    """While the library takes its time: one that a handler awaits, one that stops the process."""
    run = os.path.join(scratch(), "run")
    process = start(built("attach_waits"), "interrupted", "20", start_new_session=True)
    try:
        time.sleep(0.1)
        attaching = subprocess.Popen([ATTACH, "-o", run, str(process.pid)], stderr=subprocess.PIPE, text=True,
                                     env=clean_environment({"PTRACE_LIBRARY": built("attach/libptrace.so"), "PTRACE_SLOW": "700"}))
        time.sleep(0.3)
        attaching.terminate()  # of no effect before the thread is as it was
        process.send_signal(signal.SIGUSR1)
        said = attaching.communicate(timeout=TIMEOUT)[1]
        truth = json.loads(read_line(process))  # its child has the pipe as well
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
    expect_equal("status: %s" % said, attaching.returncode, 0)
    expect_equal("handled, result, errno", (truth["handled"], truth["result"], truth["errno"]), (1, -1, 4))


def refused(status, words, *options, **settings):
    result = attach(*options, **settings)
    expect_equal("status, with %r" % result.stderr, result.returncode, status)
    expect(words in result.stderr and result.stderr.count("\n") <= 2, "it says %r, not %r", result.stderr, words)


def test_wrong_usage():
    """Status 2, and what is wrong."""
    refused(2, "no process given")
    refused(2, "one process at a time", 1, 2)
    refused(2, "must be a whole number", "abc")
    refused(2, "exclude each other", "--detach", "--seconds", "1", 1)
    refused(2, "--seconds must be", "--seconds", "0", 1)
    refused(2, "samples a second", "-s", "x", 1)


def test_what_is_no_program():
    """No such process; a zombie; a thread of the kernel; a thread of another process."""
    process = sleeper("true")
    time.sleep(0.1)
    refused(125, "a zombie", process.pid)
    process.wait()
    refused(127, "does not exist", process.pid)
    if os.path.exists("/proc/2/comm") and open("/proc/2/comm").read() == "kthreadd\n":
        refused(125, "thread of the kernel", 2)
    else:
        part_skipped("a thread of the kernel: this process sees none")


def refuses_to_load(words, path):
    process = subprocess.Popen([path], stdout=subprocess.DEVNULL, env=clean_environment())
    process.send_signal(signal.SIGSTOP)
    process.send_signal(signal.SIGCONT)
    result = attach(process.pid)
    end(process)
    expect(words in result.stderr or "does not exist" in result.stderr or "zombie" in result.stderr, "%s: %r", path, result.stderr)


def test_what_cannot_load_a_library():
    """Static, 32 bits, stopped, SIGTRAP ignored."""
    for words, find in (("statically linked", lambda: built("equal_static")), ("32-bit program", need_32_bit_programs)):
        try:
            path = find()
        except Skip as skipped:
            part_skipped(str(skipped))
            continue
        refuses_to_load(words, path)
    process = sleeper()
    try:
        process.send_signal(signal.SIGSTOP)
        time.sleep(0.1)
        refused(125, "kill -CONT", process.pid)
    finally:
        end(process)
    process = subprocess.Popen(["sleep", "100"], preexec_fn=lambda: signal.signal(signal.SIGTRAP, signal.SIG_IGN))
    try:
        refused(125, "ignores SIGTRAP", process.pid)
    finally:
        end(process)


def test_a_traced_process():
    """By whom is said."""
    libc = ctypes.CDLL(None, use_errno=True)
    process = sleeper()
    try:
        if libc.ptrace(0x4206, process.pid, 0, 0) != 0:  # PTRACE_SEIZE
            skip("processes may not be traced here")
        refused(125, "traced already, by %s" % open("/proc/self/comm").read().strip(), process.pid)
        libc.ptrace(0x4207, process.pid, 0, 0)
        os.waitpid(process.pid, 0x40000000)
        libc.ptrace(17, process.pid, 0, 0)
    finally:
        end(process)


def test_another_user():
    """Without the right to trace; and root gives the directory to whom it attaches to."""
    if os.geteuid() != 0:
        skip("not root")
    library, other = built("attach/libptrace.so"), ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
    if subprocess.run(other + ["test", "-r", library], check=False).returncode:
        skip("another user cannot reach the build")
    process = sleeper()
    try:
        result = subprocess.run(other + [ATTACH, str(process.pid)], capture_output=True, text=True,
                                env=clean_environment({"PTRACE_LIBRARY": library}))
        expect("belongs to another user (0)" in result.stderr and result.returncode == 125, "%r", result.stderr)
    finally:
        end(process)


def test_a_process_without_the_library():
    """--detach loads nothing."""
    process = sleeper()
    try:
        refused(125, "has no libptrace.so in it", "--detach", process.pid)
        with open("/proc/%d/maps" % process.pid) as file:
            expect("libptrace" not in file.read(), "it has been loaded")
    finally:
        end(process)


def test_answers_of_the_library_in_words():
    """And no run directory is left behind."""
    process = sleeper()
    try:
        for answer, words in ((-114, "is being profiled already"), (-13, "cannot write to the run directory"), (-28, "no room"),
                              (-11, "is busy"), (-95, "Operation not supported")):
            run = os.path.join(scratch(), "run")
            refused(125, words, "--wait", "0.2", "-o", run, process.pid, PTRACE_ANSWER=str(answer))
            if os.path.exists(os.path.join(run, "run.json.agent")):
                os.remove(os.path.join(run, "run.json.agent"))
            expect(not os.path.exists(os.path.join(run, "run.json")), "%d: run.json is left", answer)
    finally:
        end(process)


def test_seconds_attach_and_detach():
    """Also where the process ends before."""
    run = os.path.join(scratch(), "run")
    process = sleeper()
    try:
        result = attach("-o", run, "--seconds", "0.3", process.pid)
    finally:
        end(process)
    expect_equal("lines: %s" % result.stderr, [line.split()[1] for line in result.stderr.splitlines()], ["attached", "detached", "the"])
    process = sleeper("sleep", "2")
    reaper = threading.Thread(target=process.wait)  # a zombie would still be a process
    reaper.start()
    result = attach("-o", os.path.join(scratch(), "run"), "--seconds", "60", process.pid)
    reaper.join()
    expect(result.returncode == 0 and "ended before the time was over" in result.stderr, "%d %r", result.returncode, result.stderr)


def test_a_job_is_one_run():
    """All processes below a launcher, but not the shell, nor another launcher."""
    run = os.path.join(scratch(), "run")
    launcher = os.path.join(scratch(), "mpiexec.hydra")
    shutil.copy(need("sleep"), launcher)
    process = subprocess.Popen(["sh", "-c", "sleep 100 & sleep 101 & %s 100 & sh -c 'sleep 102; :' & wait" % launcher],
                               start_new_session=True)
    try:
        time.sleep(0.5)
        result = attach("-o", run, "--job", process.pid)
        with open(os.path.join(run, "run.json.agent")) as file:
            count = len(file.readlines())
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    expect_equal("processes attached to: %s" % result.stderr, (result.returncode, count, len(STOOD.findall(result.stderr))), (0, 3, 3))
    lonely = sleeper()
    try:
        refused(125, "no process to be profiled below", "--job", lonely.pid)
    finally:
        end(lonely)


def test_a_library_that_cannot_begin():
    """It is not even loaded."""
    process = sleeper()
    try:
        refused(125, "no ptrace_attach_begin", process.pid, PTRACE_LIBRARY=built("plugins/libplugin.so"))
        with open("/proc/%d/maps" % process.pid) as file:
            expect("libplugin" not in file.read(), "it has been loaded")
    finally:
        end(process)

# SPDX-License-Identifier: MIT
"""Files and descriptors of ours that a program must not notice, and what it inherits: limits, full disks, other C libraries.""" 
import os
import pty
import resource
import shutil
import signal
import subprocess
import tempfile

import support
from support import RUN, built, clean_environment, expect, expect_equal, full, need, need_32_bit_programs, report_json, scratch, skip

BESIDE = True  # no case asserts a time

LOW_SECONDS = 1.5


class Ended:
    def __init__(self, process):
        self.status, self.stdout, self.stderr = process.returncode, process.stdout, process.stderr

    def same(self):
        return self.status, self.stdout


def piped(command, prepare=None, environment=None, directory=None):
    """Runs a command with pipes for output, since a limit of file sizes counts for files."""
    return Ended(subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                preexec_fn=prepare, env=clean_environment(environment), cwd=directory, timeout=support.TIMEOUT))


def both(command, prepare=None, options=("-q",), place=None):
    """The command natively and under ptrace-run: the same status and output. Returns (profiled, run directory)."""
    native = piped(command, prepare)
    if support.NATIVE_ONLY:
        skip("native only: status %d" % native.status)
    directory = os.path.join(place or scratch(), "run")
    profiled = piped([RUN] + list(options) + ["-o", directory, "--"] + command, prepare)
    expect_equal("status and output", profiled.same(), native.same())
    return profiled, directory


def limited(which, value):
    return lambda: resource.setrlimit(which, (value, value))


def notes(directory):
    return report_json(directory)["notes"]


def expect_note(directory, words):
    found = [n for n in notes(directory) if words in n]
    expect_equal("notes with %r" % words, len(found), 1)


# Limits of files, and places that take no more

def test_profile_stops_at_the_limit_of_file_sizes():
    """RLIMIT_FSIZE of 100 KiB, less than a profile begins with: no SIGXFSZ, and a profile of what there was room for."""
    _, directory = both([built("harm_file_growth"), "nothing"], limited(resource.RLIMIT_FSIZE, 100 << 10))
    expect_note(directory, "could not grow (error 27")


def test_limit_of_file_sizes_is_lowered_on_the_way():
    """As a sandbox does that allows no files."""
    _, directory = both([built("harm_file_growth"), "limited"])
    expect_note(directory, "could not grow (error 27")


def test_no_file_may_be_written():
    """Limits below the smallest profile: the program runs as always, and one line says what could not be written."""
    for bytes_ in (0, 1024, 20 << 10):
        profiled, _ = both(["/bin/sh", "-c", "echo word; exit 3"], limited(resource.RLIMIT_FSIZE, bytes_), options=())
        lines = profiled.stderr.splitlines()
        expect(len(lines) == 1 and "ulimit -f" in lines[0], "stderr with %d bytes: %r", bytes_, profiled.stderr)


def test_few_addresses():
    """RLIMIT_AS: the mapping of the profile shrinks with it; with too few addresses the program runs unprofiled."""
    _, directory = both(["/bin/sh", "-c", "exit 3"], limited(resource.RLIMIT_AS, 40 << 20))
    expect_equal("processes", len(report_json(directory)["processes"]), 1)
    profiled, _ = both(["/bin/sh", "-c", "exit 3"], limited(resource.RLIMIT_AS, 5 << 20), options=())
    expect("ulimit -v" in profiled.stderr, "stderr: %r", profiled.stderr)


def test_little_data():
    """RLIMIT_DATA below what the library itself has: the program runs unprofiled, where the dynamic linker would end it."""
    for bytes_ in (600 << 10, 1200 << 10, 1600 << 10):
        profiled, _ = both(["/bin/sh", "-c", "exit 3"], limited(resource.RLIMIT_DATA, bytes_), options=())
        expect("ulimit -d" in profiled.stderr, "stderr with %d bytes: %r", bytes_, profiled.stderr)


class Disk:
    """A small file system, or a skip."""

    def __init__(self, size):
        self.place = scratch()
        if os.geteuid() != 0 or subprocess.run(["mount", "-t", "tmpfs", "-o", "size=%d" % size, "tmpfs", self.place],
                                               stderr=subprocess.DEVNULL).returncode:
            skip("a small file system cannot be mounted here")

    def __enter__(self):
        return self.place

    def __exit__(self, *_):
        subprocess.run(["umount", "-l", self.place])


def test_full_disk_from_the_start():
    """Nothing can be written, or run.json alone: one line says so, and no report is tried."""
    for size, filled in ((16 << 10, 16 << 10), (16 << 10, 0)):
        with Disk(size) as place:
            with open(os.path.join(place, "filling"), "wb") as file:
                file.write(b"x" * filled)
            profiled, _ = both(["/bin/sh", "-c", "echo word; exit 3"], options=(), place=place)
            lines = profiled.stderr.splitlines()
            expect(len(lines) == 1 and "no space left" in lines[0], "stderr: %r", profiled.stderr)


def test_disk_that_fills_up():
    """First less than a profile usually begins with, then no growth."""
    for size in (80 << 10, 300 << 10):
        with Disk(size) as place:
            _, directory = both([built("harm_file_growth"), "nothing"], place=place)
            expect_note(directory, "could not grow (error 28")


def test_jail():
    """chroot, and the rights of nobody: the profile cannot be opened any more, and has room for what comes."""
    if os.geteuid() != 0:
        skip("only root can change its root directory")
    jail = scratch()
    os.chmod(jail, 0o755)
    _, directory = both([built("harm_file_growth"), "jailed", jail])
    notes = support.report_json(directory)["notes"]
    expect_equal("notes about growth", [note for note in notes if "could not grow" in note], [])


def test_run_directory_is_removed_meanwhile():
    """One line says that there is no profile."""
    profiled, _ = both([built("harm_file_growth"), "moved"], options=())
    expect("cannot write" in profiled.stderr and "No such file" in profiled.stderr, "stderr: %r", profiled.stderr)


def test_all_descriptors_in_use():
    _, directory = both([built("harm_file_growth"), "crowded"])
    expect_note(directory, "could not grow (error 24")


def test_standard_files_closed_while_threads_write_to_them():
    """What a thread writes to a closed descriptor never gets into a file of ours."""
    _, directory = both([built("harm_file_growth"), "silent"])
    expect_note(directory, "could not grow (error 11")


# Descriptors

def check_low(kind):
    """Threads that the tool observes open nothing while the program looks."""
    profiled, _ = both([built("harm_fd_low"), kind, str(LOW_SECONDS)])
    expect_equal("output", profiled.stdout, "wrong: 0\n")


def test_standard_input_is_closed_and_opened():
    """While other threads are looked at (11,153 of 537,227 times another number than 0)."""
    check_low("close")


def test_standard_input_is_closed_with_its_stream():
    check_low("fclose")


def test_standard_input_is_closed_in_a_range():
    check_low("range")


def test_children_inherit_no_descriptor_of_ours():
    """fork while other threads are looked at (one child in 15 had one descriptor too many)."""
    check_low("fork")


def test_close_in_vfork_children():
    check_low("vfork")


def test_close_is_a_cancellation_point():
    check_low("cancel")


def test_close_keeps_errno():
    check_low("errno")


# What a program inherits

def expect_inherited(what, shell):
    """The program finds what the shell has set up; it writes to a file, as its descriptors may be closed."""
    place = scratch()
    outputs = []
    for number, command in enumerate(([], [RUN, "-q", "-o", os.path.join(place, "run"), "--"])):
        if command and support.NATIVE_ONLY:
            skip("native only")
        path = os.path.join(place, "out%d" % number)
        words = command + [built("harm_fd_inherited"), path]
        subprocess.run(["/bin/bash", "-c", shell + '\n"$@"\ntrue', "bash"] + words, env=clean_environment(),
                       stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=support.TIMEOUT)
        with open(path) as file:
            outputs.append(file.read().splitlines())
    differing = [pair for pair in zip(*outputs) if pair[0] != pair[1]]
    expect(outputs[0] == outputs[1], "with %s the program inherits something else: natively and profiled %r", what,
           differing[:3] or outputs)


def test_inherits_closed_standard_files():
    for closed in ("<&-", ">&-", "2>&-", "<&- >&-", "<&- >&- 2>&-"):
        expect_inherited(closed, "exec " + closed)


def test_inherits_open_descriptors():
    expect_inherited("descriptors 7 and 9", "exec 7</dev/null 9>/dev/null")


def test_inherits_ignored_signals():
    expect_inherited("ignored signals", "trap '' CHLD PIPE XFSZ HUP TERM ALRM")


def test_inherits_limits():
    expect_inherited("soft limits", "ulimit -Sn 8; ulimit -Sc 0; ulimit -Ss 4096; ulimit -Sf 4000; ulimit -Sv 4000000")
    expect_inherited("hard limits", "ulimit -n 16 -s 4096 -f 4000")
    expect_inherited("umask, nice", "umask 077; renice -n 3 $$ >/dev/null")


def test_inherits_under_nohup_and_setsid():
    for word in ("nohup", "setsid"):
        tool = need(word)
        place = scratch()
        native = piped([tool, built("harm_fd_inherited")])
        if support.NATIVE_ONLY:
            skip("native only")
        profiled = piped([tool, RUN, "-q", "-o", os.path.join(place, "run"), built("harm_fd_inherited")])
        own = [[l for l in ended.stdout.splitlines() if not l.startswith("group")] for ended in (native, profiled)]
        expect_equal("under %s" % word, own[1], own[0])


def prepare_signals_and_timers():
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM, signal.SIGCHLD, signal.SIGUSR1})
    signal.setitimer(signal.ITIMER_REAL, 50)
    signal.setitimer(signal.ITIMER_PROF, 50, 50)


def test_inherits_blocked_signals_and_timers():
    both([built("harm_fd_inherited")], prepare_signals_and_timers)


def test_alarm_of_the_caller():
    """`alarm 1; exec ptrace-run sleep 5`: the alarm is the program's."""
    profiled, _ = both(["/bin/sleep", "5"], lambda: signal.alarm(1))
    expect_equal("status", profiled.status, -signal.SIGALRM)


def test_few_descriptors():
    """RLIMIT_NOFILE from 5 on: ptrace-run itself needs two."""
    for number in (5, 6, 8):
        both(["/bin/echo", "word"], limited(resource.RLIMIT_NOFILE, number))


def become_nobody_with_one_process():
    os.setgroups([])
    os.setgid(65534)
    os.setuid(65534)
    resource.setrlimit(resource.RLIMIT_NPROC, (1, 1))


def test_no_process_left_for_the_launcher():
    """RLIMIT_NPROC: the program takes the place of ptrace-run, and is profiled."""
    if os.geteuid() != 0:
        skip("only root can become somebody without other processes")
    if support.NATIVE_ONLY:
        skip("native only")
    place = scratch()
    os.chmod(place, 0o777)
    if os.path.dirname(place) != "/tmp":
        os.chmod(os.path.dirname(place), 0o711)  # the case's own
    if piped(["/bin/true"], become_nobody_with_one_process).status:
        skip("nobody cannot start a program here")
    try:
        piped([RUN, "--version"], become_nobody_with_one_process)
    except PermissionError:
        skip("nobody cannot use the build directory")
    result = piped([RUN, "/bin/sh", "-c", "echo word; exit 3"], become_nobody_with_one_process, directory=place)
    expect_equal("status and output", result.same(), (3, "word\n"))
    expect("ulimit -u" in result.stderr, "stderr: %r", result.stderr)
    expect_equal("processes", len(report_json(os.path.join(place, "sh.ptrace.1"))["processes"]), 1)


def on_terminal(command):
    """Runs a command as the foreground job of an interactive shell on a terminal of its own; what it prints."""
    keeper, terminal = pty.openpty()
    output = tempfile.TemporaryFile()

    def prepare():
        os.setsid()
        import fcntl
        import termios
        fcntl.ioctl(terminal, termios.TIOCSCTTY, 0)
        os.dup2(output.fileno(), 9)
        os.set_inheritable(9, True)  # also if it has been 9
    shell = subprocess.Popen(["/bin/bash", "--norc", "-i", "-c", 'set -m; "$@" >&9; true', "bash"] + command, stdin=terminal,
                             stdout=terminal, stderr=terminal, preexec_fn=prepare, close_fds=False, env=clean_environment())
    os.close(terminal)
    try:
        shell.wait(support.TIMEOUT)
    except subprocess.TimeoutExpired:
        os.killpg(shell.pid, signal.SIGKILL)
        shell.wait()
        support.fail("the shell on a terminal did not end")
    os.close(keeper)
    output.seek(0)
    return output.read().decode()


def test_foreground_job_of_a_terminal():
    """Process group, session and foreground are those of a job of the shell."""
    def own(text):
        return [l for l in text.splitlines() if l.startswith(("group", "terminal"))]
    native = own(on_terminal([built("harm_fd_inherited")]))
    expect(native and "foreground 1" in native[0], "natively: %r", native)
    if support.NATIVE_ONLY:
        skip("native only")
    profiled = own(on_terminal([RUN, "-q", "-o", os.path.join(scratch(), "run"), "--", built("harm_fd_inherited")]))
    # The parent is ptrace-run, which is of the job's group; natively it is the shell, which is not.
    expect_equal("terminal and foreground", [l.replace("group of the parent 1", "group of the parent 0") for l in profiled], native)


# Other C libraries

def expect_processes(directory, number):
    expect_equal("profiled processes", len(report_json(directory)["processes"]), number)


def test_musl_program():
    """Refused with 125 and a line that says musl and the remedy; --force runs it."""
    program = built("harm_musl_hello")
    if support.NATIVE_ONLY:
        skip("native only")
    place = scratch()
    refused = piped([RUN, "-o", os.path.join(place, "run"), program])
    expect_equal("status", refused.status, 125)
    lines = refused.stderr.splitlines()
    expect(len(lines) == 1 and "musl" in lines[0] and "--force" in lines[0], "stderr: %r", refused.stderr)
    both([program], options=["-q", "--force"])


def test_musl_child_of_a_shell():
    """It runs as always, unprofiled; what follows it is profiled again."""
    program = built("harm_musl_hello")
    profiled, directory = both(["/bin/sh", "-c", "%s; /bin/true; %s" % (program, program)])
    expect_equal("stderr", profiled.stderr, "")
    expect_processes(directory, 2)


@full
def test_child_of_other_word_size():
    """A 32-bit child: ld.so says one line and goes on."""
    program = need_32_bit_programs()
    profiled, directory = both(["/bin/sh", "-c", "%s >/dev/null; exit 3" % program])
    expect_equal("lines on standard error", len(profiled.stderr.splitlines()), 1)
    expect_processes(directory, 1)


def install():
    if support.NATIVE_ONLY:
        skip("native only")
    place = scratch()
    library = os.path.join(place, "lib")
    os.mkdir(os.path.join(place, "bin"))
    shutil.copytree(os.path.join(support.BUILD, "lib"), library, symlinks=True)
    shutil.copy(RUN, os.path.join(place, "bin"))
    return place, os.path.join(place, "bin", "ptrace-run")


def preload_of(command, environment=None):
    directory = os.path.join(scratch(), "run")
    result = piped(command + ["-q", "-o", directory, "/bin/sh", "-c", "echo $LD_PRELOAD"], environment=environment)
    expect_equal("status", result.status, 0)
    expect_processes(directory, 1)
    return result.stdout.strip()


def test_library_is_named_by_a_path_with_lib():
    """$LIB, from a folder beside the library, moved as a whole; a lone library by its plain path; never twice."""
    place, run = install()
    word = os.path.join(place, "lib", "libptrace", "$LIB", "libptrace.so")
    library = os.path.join(place, "lib", "libptrace.so")
    expect_equal("LD_PRELOAD", preload_of([run]), word)
    expect_equal("LD_PRELOAD", preload_of([run], {"PTRACE_LIBRARY": library}), word)
    expect_equal("LD_PRELOAD", preload_of([run], {"LD_PRELOAD": word}), word)
    expect_equal("LD_PRELOAD", preload_of([run], {"LD_PRELOAD": library}), word)
    lone = shutil.copy(library, scratch())
    expect_equal("LD_PRELOAD", preload_of([run], {"PTRACE_LIBRARY": lone}), lone)


def test_library_for_every_value_of_lib():
    """Debian's, Fedora's, Arch's, none at all: each leads to the library, by relative links."""
    place, _ = install()
    for lib in ("lib/x86_64-linux-gnu" if os.uname().machine == "x86_64" else "lib/aarch64-linux-gnu", "lib64", "lib", "."):
        link = os.path.join(place, "lib", "libptrace", lib, "libptrace.so")
        expect_equal("%s leads to" % link, os.path.realpath(link), os.path.join(place, "lib", "libptrace.so"))


def test_path_that_ld_so_would_change():
    """A directory that is really called $LIB."""
    if support.NATIVE_ONLY:
        skip("native only")
    place = os.path.join(scratch(), "$LIB")
    os.mkdir(place)
    shutil.copy(support.LIBRARY, place)
    result = piped([RUN, "-o", os.path.join(scratch(), "run"), "/bin/true"],
                   environment={"PTRACE_LIBRARY": os.path.join(place, "libptrace.so")})
    expect_equal("status", result.status, 125)
    expect("LD_PRELOAD" in result.stderr, "stderr: %r", result.stderr)

# SPDX-License-Identifier: MIT
"""ptrace-top: frames of programs of known truth while they run, as text and on a terminal (tmux)."""
import contextlib
import os
import pty
import re
import select
import signal
import subprocess
import termios
import time

from support import (BUILD, RUN, alone, built, clean_environment, execute, expect, expect_between, expect_equal, fail, full, need,
                     read_line, scratch)

TOP = os.path.join(BUILD, "bin", "ptrace-top")
BESIDE = True
INTERVAL = 2  # s, of a frame
LASTS = 120  # longer than any case; each ends what it started


@contextlib.contextmanager
def started(program, *words):
    """A profiled program: its run and process. It is ended with the case."""
    directory = os.path.join(scratch(), "run")
    process = subprocess.Popen([RUN, "-q", "-o", directory, "--", built(program)] + list(words), env=clean_environment(),
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, start_new_session=True)
    try:
        yield directory, process
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        process.stdout.close()


@contextlib.contextmanager
def running(*words, program="watched"):
    """The same of one that says its number when all its threads are where they stay."""
    with started(program, *words) as (directory, process):
        yield directory, int(read_line(process))


def top(*words):
    return execute([TOP] + [str(word) for word in words])


def frame_of(*words):
    result = top(*words)
    expect_equal("status of ptrace-top, which says %r" % result.stderr[-200:], result.status, 0)
    return result.stdout.decode()


def section(text, name):
    """The rows of a section, its titles left out."""
    match = re.search(r"^@ %s:.*\n((?:  .*\n)*)" % name, text, re.M)
    expect(match, "no section %s in\n%s", name, text)
    return match.group(1).splitlines()[1:]


def thread(text, name):
    rows = [row.split() for row in section(text, "threads") if row.split()[0] == name]
    expect_equal("threads called %s in\n%s" % (name, text), len(rows), 1)
    return rows[0]


def shares(row):
    """running, ready, blocked in percent"""
    found = [float(value) for value in re.findall(r"([\d.]+) %", " ".join(row))]
    expect_equal("shares of %s" % row, len(found), 3)
    return found


# ---- one frame

def test_a_frame_says_who_waits_for_whom():
    """By run or by process: who waits for which lock, who holds it, for whose end, and where."""
    with running(str(LASTS)) as (directory, pid):
        for named in directory, pid:
            text = frame_of("--once", "--width", 140, named)
            expect(re.search(r"^  running, .*5 threads", text, re.M), "the header says\n%s", text[:300])
            wanter = " ".join(thread(text, "wanter"))
            keeper = thread(text, "keeper")[1]
            expect("waiting" in wanter and "mutex held_lock" in wanter, "of the waiting thread it says %s", wanter)
            expect("keeper %s" % keeper in wanter and "want (watched.c:" in wanter, "of the holder it says %s", wanter)
            expect("join thread" in " ".join(thread(text, "watched")), "the first thread joins:\n%s", text)
            expect(any("held_lock" in row for row in section(text, "waits")), "the wait is no row:\n%s", text)


def scheduled_of(pid, name):
    """By the kernel, on a processor and ready for one, in hundredths of a second: what a thread that computes lacks of the elapsed time, the
    host of a virtual machine has taken."""
    for task in os.listdir("/proc/%d/task" % pid):
        with open("/proc/%d/task/%s/comm" % (pid, task)) as comm, open("/proc/%d/task/%s/schedstat" % (pid, task)) as schedstat:
            if comm.read().strip() == name:
                return [int(ns) / 1e7 for ns in schedstat.read().split()[:2]]
    return fail("no thread is called %s", name)


@alone
def test_shares_of_an_interval_are_all_of_it():
    """Running, ready and blocked together are the interval, also of a wait that began long ago; and each thread did what it does."""
    with running(str(LASTS)) as (directory, pid):
        since, before = time.monotonic(), sum(scheduled_of(pid, "burner"))
        text = frame_of("--once", "--interval", INTERVAL, "--width", 140, directory)
        for name in "watched", "keeper", "wanter", "burner", "half":
            expect_between("sum of the shares of %s" % name, sum(shares(thread(text, name))), 98, 102)
        for name in "watched", "keeper", "wanter":
            expect_between("blocked share of %s" % name, shares(thread(text, name))[2], 99.5, 100)
        taken = (time.monotonic() - since) * 100 - sum(scheduled_of(pid, "burner")) + before
        running_share, ready, blocked = shares(thread(text, "burner"))
        expect(blocked < 15 + taken / INTERVAL, "the thread that computes was blocked for %s %%, the host took %s %%", blocked, taken / INTERVAL)
        expect(shares(thread(text, "half"))[2] > 2, "the thread that sleeps was never blocked:\n%s", text)


@full
@alone
def test_routines_are_those_of_the_interval():
    with running(str(LASTS)) as (directory, _):
        text = frame_of("--once", "--interval", 2, directory)
        expect("burn" in section(text, "routines")[0], "most CPU time is not burn's:\n%s", text)


@full
@alone
def test_concurrency_of_the_interval():
    """The average on a processor is what the threads' shares add up to; T_i are all of the interval."""
    with running(str(LASTS)) as (directory, _):
        text = frame_of("--once", "--interval", 2, "--width", 140, directory)
        average = float(re.search(r"interval .*?: ([\d.]+) on a processor", text).group(1))
        total = sum(shares(thread(text, name))[0] for name in ("watched", "keeper", "wanter", "burner", "half"))
        expect_between("average on a processor", average, total / 100 - 0.15, total / 100 + 0.15)
        levels = [float(share) for share in re.findall(r"\d+\+?:([\d.]+) %", re.search(r"interval.*T_i (.*)", text).group(1))]
        expect_between("sum of T_i", sum(levels), 97, 103)


# ---- life

@full
@alone
def test_batch_ends_with_the_program_and_says_how():
    with running("2") as (directory, _):
        text = frame_of("--batch", "--interval", 0.3, directory)
    frames = text.split("ptrace-top: ")[1:]
    expect(len(frames) >= 2, "%d frames", len(frames))
    expect("running" in frames[0] and "exited 0" in frames[-1].splitlines()[1], "first and last frame:\n%s\n%s", frames[0], frames[-1])
    ended = frame_of("--once", directory)
    expect("exited 0" in ended and "burn" in ended, "of a run that is over:\n%s", ended)


def test_processes_that_appear_are_taken_in():
    """Children of a shell, one after the other, and what the shell becomes by exec."""
    directory = os.path.join(scratch(), "run")
    watched = built("watched")
    process = subprocess.Popen([RUN, "-q", "-o", directory, "--", "sh", "-c", "%s 3 & sleep 1; exec %s 3" % (watched, watched)],
                               env=clean_environment(), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    while not os.path.isdir(directory) or not any(name.endswith(".profile") for name in os.listdir(directory)):
        time.sleep(0.05)
    frames = frame_of("--batch", "--interval", 0.3, "--top", 20, directory).split("ptrace-top: ")[1:]
    expect_equal("status of the program", process.wait(60), 0)
    most = max(int(re.search(r"(\d+) process", frame).group(1)) for frame in frames)
    expect(most >= 3, "at most %d processes were seen:\n%s", most, frames[-1])
    rows = section(frames[-1], "processes")
    for status in "replaced by exec", "exited 0":
        expect(any(status in row for row in rows), "no process was %s:\n%s", status, frames[-1])


def test_frames_are_counted():
    with running(str(LASTS)) as (directory, _):
        expect_equal("frames", frame_of("--batch", "--frames", 3, "--interval", 0.1, directory).count("ptrace-top: "), 3)


def test_a_run_that_is_still_to_come_is_waited_for():
    directory = os.path.join(scratch(), "run")
    os.mkdir(directory, 0o700)
    expect_equal("status of one frame of nothing", top("--once", directory).status, 2)
    viewer = subprocess.Popen([TOP, "--batch", "--frames", "1", "--interval", "0.1", directory], env=clean_environment(),
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    time.sleep(0.5)
    execute([RUN, "-q", "-o", directory, "--", "true"])
    out, err = viewer.communicate(timeout=60)
    expect(b"waiting for one" in err and b"exited 0" in out, "it says %r and %r", err, out)


def test_what_is_no_run_says_why():
    for words, reason in (("4194000",), b"no process 4194000"), ((str(os.getpid()),), b"not profiled"), (("/nowhere",), b"No such file"), \
            (("--frames", "3"), b"--batch"), (("--interval", "0"), b"--interval 0"), (("a", "b"), b"one RUN"):
        result = top("--once", *words) if words[0] not in ("--frames",) else top(*words)
        expect_equal("status of %s" % (words,), result.status, 2)
        expect(reason in result.stderr, "of %s it says %r", words, result.stderr)


def test_damaged_profiles_are_no_crash():
    """Cut at every length, and with bytes turned over: a frame or a reason, and nothing else."""
    directory = os.path.join(scratch(), "run")
    execute([RUN, "-q", "-o", directory, "--", built("watched"), "0"])
    path = [os.path.join(directory, name) for name in os.listdir(directory) if name.endswith(".profile")][0]
    with open(path, "rb") as file:
        whole = file.read()
    for step in range(24):
        data = bytearray(whole[:len(whole) * (step + 1) // 24])
        for at in range(128 + 97 * step, len(data), 4001):
            data[at] ^= 1 << step % 8
        with open(path, "wb") as file:
            file.write(data)
        expect(top("--once", directory).status in (0, 2), "status of a damaged file, step %d", step)


def test_the_program_is_left_alone():
    """It is not stopped, and traced by nobody."""
    with running(str(LASTS)) as (directory, pid):
        viewer = subprocess.Popen([TOP, "--batch", "--interval", "0.05", directory], env=clean_environment(), stdout=subprocess.DEVNULL)
        try:
            for _ in range(40):
                with open("/proc/%d/status" % pid) as file:
                    status = file.read()
                expect(re.search(r"^TracerPid:\s+0$", status, re.M) and not re.search(r"^State:\s+[tT]", status, re.M), "%s", status)
                time.sleep(0.02)
        finally:
            viewer.terminate()
            viewer.wait()


def sized_by_terminal(extra=None):
    """Curses takes COLUMNS for the width of the terminal, whatever that is."""
    environment = clean_environment(extra)
    del environment["COLUMNS"]
    return environment



# ---- on a terminal

class Terminal:
    """A tmux server of the case's own, with ptrace-top in it."""

    def __init__(self, *words, shell=None, size=(80, 24), directory=None, **environment):
        self.name = "ptrace-top-%d" % os.getpid()
        said = " ".join("%s=%s" % item for item in environment.items())
        self.tmux("new-session", "-d", "-x", str(size[0]), "-y", str(size[1]), "-c", directory or os.getcwd(),
                  shell or "%s %s --interval 0.2 %s; echo left $?; sleep %d" % (said, TOP, " ".join(words), LASTS))

    def tmux(self, *words):
        return subprocess.run([need("tmux"), "-f", "/dev/null", "-L", self.name] + list(words), env=sized_by_terminal(),
                              capture_output=True, text=True).stdout

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.tmux("kill-server")

    def keys(self, *keys):
        self.tmux("send-keys", *keys)

    def wait_for(self, pattern, what, *options):
        """The text of the screen once it has the pattern; options: of capture-pane, as -e for colours."""
        for _ in range(600):
            text = self.tmux("capture-pane", "-p", *options)
            if re.search(pattern, text, re.M):
                return text
            time.sleep(0.1)
        expect(False, "%s: no %r on the terminal:\n%s", what, pattern, text)


@alone
def test_keys_and_sizes_on_a_terminal():
    with running(str(LASTS)) as (directory, _), Terminal(directory) as terminal:
        terminal.wait_for(r"running  by CPU", "the first frame")
        terminal.keys(">")
        terminal.wait_for(r"by blocked", "sorted")
        terminal.keys("/", "w", "a", "n", "t", "Enter")
        text = terminal.wait_for(r"^running.*/want", "filtered")
        text = terminal.wait_for(r"^  wanter", "filtered")
        expect("burner" not in text, "what does not match is there:\n%s", text)
        terminal.keys("Escape")
        terminal.wait_for(r"^  burner", "not filtered any more")
        terminal.keys("p")
        terminal.wait_for(r"^paused", "paused")
        time.sleep(0.5)  # a frame that was being drawn is complete
        before = terminal.tmux("capture-pane", "-p")
        time.sleep(1)
        expect_equal("a paused frame", terminal.tmux("capture-pane", "-p"), before)
        terminal.keys("p")
        terminal.wait_for(r"^running", "going on")
        terminal.keys("r")
        text = terminal.wait_for(r"^@ routines", "one section")
        terminal.wait_for(r"\A(?!.*@ threads)", "one section")
        terminal.keys("r", "h")
        terminal.wait_for(r"^q +quit", "help")
        terminal.keys("h")
        for columns, lines in (40, 10), (140, 50), (20, 3):
            terminal.tmux("resize-window", "-x", str(columns), "-y", str(lines))
            terminal.wait_for(r"^running", "%d x %d" % (columns, lines))
        terminal.tmux("resize-window", "-x", "80", "-y", "24")
        terminal.keys("q")
        terminal.wait_for(r"^left 0", "quit")


class Raw:
    """ptrace-top as the child of a terminal of its own, for what happens to the process and to the terminal's settings."""

    def __init__(self, *words):
        go, know = os.pipe()
        self.pid, self.terminal = pty.fork()
        if not self.pid:
            os.read(go, 1)
            os.execve(TOP, [TOP, "--interval", "0.2"] + list(words), sized_by_terminal({"TERM": "xterm"}))
        self.settings = termios.tcgetattr(self.terminal)  # before ptrace-top changes them
        os.write(know, b"g")
        os.close(go)
        os.close(know)
        self.shown = b""

    def wait_for(self, wanted):
        end = time.monotonic() + 60
        while wanted not in self.shown:
            expect(time.monotonic() < end, "no %r on the terminal, but %r", wanted, self.shown[-300:])
            self.read()

    def read(self):
        if select.select([self.terminal], [], [], 0.1)[0]:
            with contextlib.suppress(OSError):
                self.shown += os.read(self.terminal, 65536)

    def read_rest(self):
        """What it wrote before it ended."""
        known = -1
        while known != len(self.shown):
            known = len(self.shown)
            self.read()

    def status(self):
        """How it ended; it must be able to write meanwhile."""
        end = time.monotonic() + 60
        while time.monotonic() < end:
            self.read()
            time.sleep(0.01)  # a terminal whose program has gone is read at once
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.read_rest()
                return status
        os.kill(self.pid, signal.SIGKILL)
        expect(False, "it goes on: %r", self.shown[-300:])


LEAVE = b"\x1b[?1049l"  # the end of the other screen of an xterm


def test_signals_restore_the_terminal():
    """Control-C and SIGTERM end it by that signal, and the terminal is as it was."""
    with running(str(LASTS)) as (directory, _):
        for send in lambda top: os.write(top.terminal, b"\x03"), lambda top: os.kill(top.pid, signal.SIGTERM):
            raw = Raw(directory)
            raw.wait_for(b"h help")
            expect(termios.tcgetattr(raw.terminal) != raw.settings, "the settings of the terminal do not matter")
            send(raw)
            status = raw.status()
            expect(os.WIFSIGNALED(status) and os.WTERMSIG(status) in (signal.SIGINT, signal.SIGTERM), "status %d", status)
            expect(LEAVE in raw.shown, "the screen was not left: %r", raw.shown[-100:])
            expect_equal("settings of the terminal", termios.tcgetattr(raw.terminal), raw.settings)
            os.close(raw.terminal)


def test_it_is_stopped_and_goes_on():
    """Control-Z in a shell: the screen is left, the terminal is as it was; it is drawn again when it goes on."""
    with running(str(LASTS)) as (directory, _), Terminal(shell="exec bash --norc --noprofile -i") as terminal:
        terminal.keys("%s --interval 0.2 %s" % (TOP, directory), "Enter")
        terminal.wait_for(r"h help", "the first frame")
        terminal.keys("C-z")
        text = terminal.wait_for(r"Stopped", "stopped")
        expect("h help" not in text, "the screen is still there:\n%s", text)
        terminal.keys("stty -a | tr ';' '\\n' | grep -o '[-]*icanon'", "Enter")
        terminal.wait_for(r"^icanon", "the settings of the terminal")
        terminal.keys("fg", "Enter")
        terminal.wait_for(r"h help", "going on")
        terminal.keys("q")
        terminal.keys("echo status $?", "Enter")
        terminal.wait_for(r"^status 0", "quit")


def test_it_ends_with_its_terminal():
    with running(str(LASTS)) as (directory, _):
        raw = Raw(directory)
        raw.wait_for(b"h help")
        os.close(raw.terminal)
        for _ in range(600):
            if os.waitpid(raw.pid, os.WNOHANG)[0]:
                return
            time.sleep(0.1)
        os.kill(raw.pid, signal.SIGKILL)
        expect(False, "it goes on without a terminal")


def test_the_last_frame_stays():
    with running("1") as (directory, _), Terminal(directory, NO_COLOR="1") as terminal:
        terminal.wait_for(r"exited 0", "the last frame stays")
        terminal.keys("q")
        terminal.wait_for(r"^left 0", "quit")


def test_a_dumb_terminal_gets_plain_frames():
    with running("1") as (directory, _), Terminal(directory, TERM="dumb") as terminal:
        text = terminal.wait_for(r"^left 0", "it ends with the program")
        expect("h help" not in text, "a screen on a dumb terminal:\n%s", text)

# SPDX-License-Identifier: MIT
"""ptrace-top on terminals of two sizes: the choice of a row, orders, colours, a thread's page, rates, the tree of processes, saving."""
import contextlib
import os
import re
import subprocess

from supervised import await_true
from support import REPORT, RUN, built, clean_environment, execute, expect, expect_between, expect_equal, profile_paths, scratch
from top import TOP, Terminal, frame_of, running, started, thread, top

BESIDE = True  # no case asserts a time
LASTS = "1000"  # s; longer than any case, each of which ends what it started
SIZES = (80, 24), (160, 50)
LOCKS, TRANSFERS, BYTES = 8, 6, 600  # of paced.c, for each wait


@contextlib.contextmanager
def paced(size, *words, **environment):
    """The screen of a program whose threads hardly compute, and the program's process and run."""
    with running(LASTS, program="paced") as (directory, pid), Terminal(directory, *words, size=size, **environment) as terminal:
        terminal.wait_for(r"^ +pacer .*\n(.*\n)*running  by CPU", "the first frame")
        yield terminal, directory, pid


def chosen(terminal, name, what):
    """The screen when the mark is at the thread's row; it is at no other."""
    text = terminal.wait_for(r"^> %s " % name, what)
    expect_equal("marks in\n%s" % text, len(re.findall(r"^>", text, re.M)), 1)
    return text


# ---- the choice, and orders

def test_a_choice_stays_with_its_thread():
    """Whatever the order; it is seen without colours, and by keys of letters as well."""
    for size in SIZES:
        with paced(size, NO_COLOR="1") as (terminal, _, _):
            terminal.keys("Down")
            terminal.wait_for(r"^> ", "the first row")
            terminal.keys("<", "<", "<")  # CPU, state, tid, name
            terminal.wait_for(r"^running  by name", "an order")
            terminal.wait_for(r"^  thread[↑^] ", "the order in the titles")
            terminal.keys("Home")
            chosen(terminal, "keeper", "the first by name")
            terminal.keys("End")
            chosen(terminal, "wanter", "the last by name")
            terminal.keys("k")
            chosen(terminal, "pacer", "up")
            terminal.keys("Up")
            chosen(terminal, "paced", "up")
            terminal.keys("j", "PageDown")
            chosen(terminal, "wanter", "down")
            terminal.keys(">")
            terminal.wait_for(r"^running  by tid", "another order")
            chosen(terminal, "wanter", "in another order")
            terminal.keys("PageUp", "End", "Escape")
            text = terminal.wait_for(r"\A(?![^\0]*^> )", "nothing chosen")
            expect("wanter" in text, "rows are gone:\n%s", text)


def test_a_choice_is_scrolled_to():
    """Of more threads than lines; the row says how many more there are."""
    with paced((80, 10), NO_COLOR="1") as (terminal, _, _):
        terminal.wait_for(r"^  and \d more$", "fewer rows than threads")
        terminal.keys("1", "End")
        text = terminal.wait_for(r"^> ", "the last row")
        expect(re.search(r"^  and \d more, \d of them above$", text, re.M), "it does not say what is above:\n%s", text)
        terminal.keys("Home")
        text = terminal.wait_for(r"^  and \d more$", "back at the first")
        expect(text.splitlines()[7].startswith("> "), "the first row is not chosen:\n%s", text)


def test_keys_are_told():
    for size in SIZES:
        with paced(size) as (terminal, _, _):
            terminal.keys("?")
            text = terminal.wait_for(r"^q +quit", "the page of keys")
            for key in "PageUp", "Enter", "Esc", "<, >", "v", "t", "1 to 6", "/", "p, space", "s", "h, ?":
                expect(re.search(r"^%s.* {2,}\S" % re.escape(key), text, re.M), "no %s in\n%s", key, text)
            terminal.keys("x")
            terminal.wait_for(r"^ +pacer ", "back")


# ---- colours

COLOURED = r"\x1b\[[\d;]*3[1-6]m"
REVERSED = r"\x1b\[[\d;]*7m> "


def test_states_have_colours():
    """The word is coloured; with NO_COLOR, and on a terminal without colours, there are none, and the choice is still reversed."""
    for environment, is_coloured in ({}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "vt100"}, False):
        with paced((80, 24), **environment) as (terminal, _, _):
            terminal.keys("Down")
            text = terminal.wait_for(REVERSED, "a chosen row that is reversed, with %s" % environment, "-e")
            expect_equal("colour of a state, with %s, in\n%r" % (environment, text), bool(re.search(COLOURED + "waiting", text)), is_coloured)
            expect_equal("colours at all, with %s" % environment, bool(re.search(COLOURED, text)), is_coloured)


# ---- a thread's page

def test_a_thread_in_full():
    for size in SIZES:
        with paced(size) as (terminal, _, _):
            terminal.keys("/", "w", "a", "n", "t", "e", "r", "Enter", "Enter")
            terminal.wait_for(r"^thread wanter", "the page of a thread")
            # the first frame is of its whole life, in which it has waited at a barrier
            text = terminal.wait_for(r"^  a second +locks 0, waits 0, reads and writes 0", "an interval in which it waits")
            for line in r"now +waiting, in a wait for .*: mutex held_lock at want \(paced.c:\d+\)", \
                    r"held by +keeper \d+, which is waiting: sleep at keep \(paced.c:\d+\)":
                text = terminal.wait_for("^  " + line, "whom it waits for")
            path = re.search(r"^@ call path: of the wait that it is in.*\n((?:  .*\n)+)", text, re.M)
            expect(path, "no call path in\n%s", text)
            frames = path.group(1).split("\n")
            expect("want (" in frames[0] and "want_lock" in frames[1], "the call path is %s", frames)
            terminal.keys("Escape")
            terminal.wait_for(r"^@ threads", "back")
            terminal.keys("Escape", "/", "p", "a", "c", "e", "r", "Enter", "Enter")
            terminal.wait_for(r"^thread pacer", "the page of another thread")
            terminal.wait_for(r"^ +\S+ \w+ +\d+ .*sleep +usleep +pace \(paced.c:\d+\)", "its waits")
            terminal.wait_for(r"^@ samples: CPU time by call path", "its samples")
            terminal.keys("Enter")
            terminal.wait_for(r"^@ threads", "back by return")


# ---- rates

def rates_of(text, name):
    """locks, waits, reads and writes, bytes a second"""
    row = " ".join(thread(text, name))
    found = re.search(r" % (\S+(?: [kMG])?) (\d+(?:\.\d+)?(?: [kMG])?) (\S+(?: [kMG])?) ([\d.]+ (?:[KMG]i)?B)\b", row)
    expect(found, "no rates in %s", row)
    units = {"": 1, "k": 1e3, "M": 1e6, "G": 1e9, "B": 1, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30}
    return [float(value.split()[0]) * units[(value.split() + [""])[1]] for value in found.groups()]


def test_rates_are_differences_of_counts():
    """Of a thread that does the same for each of its waits, whatever the time takes: exact but for the turn that is under way."""
    with running(LASTS, program="paced") as (directory, _):
        text = frame_of("--once", "--rates", "--interval", 2, "--width", 80, directory)
        locks, waits, transfers, size = rates_of(text, "pacer")
        expect(waits > 1, "it has not waited:\n%s", text)
        turn = 1 / waits  # of the interval, at each end
        for what, rate, expected in ("lockings", locks, LOCKS), ("reads and writes", transfers, TRANSFERS), ("bytes", size, BYTES):
            expect_between("%s for each wait" % what, rate / waits, expected * (0.98 - turn), expected * (1.02 + turn))
        expect_equal("rates of a thread that waits", rates_of(text, "wanter"), [0, 0, 0, 0])
        expect("locks/s" not in frame_of("--once", directory), "rates where nobody asked for them")
        expect("req/s" not in text, "requests of a program that serves nobody:\n%s", text)


def cell(text, name, title):
    """Of the first row that begins so: what stands below that title, which is at the right of its column."""
    head = re.search(r"^  thread .*$", text, re.M).group(0)
    row = re.search(r"^  %s.*$" % name, text, re.M)
    expect(" %s " % title in head and row, "no %s of %s in\n%s", title, name, text)
    return (row.group(0)[:head.index(" %s " % title) + 1 + len(title)].split("  ") or [""])[-1].strip()


def test_requests_a_second():
    """Of a server that locks once for each request; who asks has none. A usual terminal has room for them, too."""
    with started("request_server", "threads", "clients=1", "requests=100000000", "think=1000", "work=1") as (directory, _):
        words = "--once", "--rates", "--interval", 2
        await_true("a thread that serves", lambda: b" serve_connection " in top(*words, "--width", 100, directory).stdout)
        for width in 100, 80:
            text = frame_of(*words, "--width", width, directory)
            locks, requests = (int(cell(text, "serve_conn", title)) for title in ("locks/s", "req/s"))
            expect(locks > 10, "it has locked %d times a second", locks)
            expect_between("requests for each locking", requests / locks, 0.95, 1.05)
            expect(cell(text, "request_ser", "req/s") in ("", "0"), "requests of who serves nobody in\n%s", text)
        with Terminal(directory, size=(80, 24)) as terminal:
            terminal.keys("t")
            terminal.wait_for(r" req/s +state +process$", "requests of processes")


def test_rates_and_the_last_minute_on_a_terminal():
    """In 80 columns in place of what is waited for; in 160 beside it."""
    for columns, lines in SIZES:
        with paced((columns, lines)) as (terminal, _, _):
            if columns < 150:
                text = terminal.wait_for(r"^  thread .*waits for", "what is waited for")
                expect("locks/s" not in text, "rates in 80 columns:\n%s", text)
                terminal.keys("v")
            text = terminal.wait_for(r"^  wanter .* 0 B +[.·]", "rates, and a minute in which nothing ran")
            for title in "locks/s", "waits/s", "io/s", "bytes/s", "minute":
                expect(title in text, "no %s in\n%s", title, text)
            expect_equal("what is waited for is there, in %d columns" % columns, "waits for" in text, columns >= 150)
            terminal.wait_for(r"^  pacer .* KiB +[_▁]", "rates, and a minute in which a thread ran")


# ---- processes

def test_processes_as_a_tree():
    """A shell and two children; return shows the threads of one of them, escape goes back."""
    for size in SIZES:
        directory = os.path.join(scratch(), "run%d" % size[0])
        program = subprocess.Popen([RUN, "-q", "-o", directory, "--", "sh", "-c", "%s %s & %s %s & wait" % (2 * (built("paced"), LASTS))],
                                   env=clean_environment(), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, start_new_session=True)
        try:
            # of a directory that is not there yet ptrace-top says so, and ends
            await_true("three profiles", lambda: os.path.isdir(directory) and len(profile_paths(directory)) == 3)  # pylint: disable=cell-var-from-loop
            with Terminal(directory, size=size) as terminal:
                terminal.wait_for(r"3 alive", "three processes")
                terminal.keys("t")
                text = terminal.wait_for(r"(└─|`-) paced.*\n.*(└─|`-) paced", "the tree")
                rows = [row.split() for row in re.search(r"@ processes.*\n((?:  .*\n)+)", text).group(1).splitlines()[1:]]
                expect(rows[0][-3:][0] == "sh" or " sh " in " ".join(rows[0]), "the first one is no shell:\n%s", text)
                pids = [int(row[0]) for row in rows]
                for pid in pids[1:]:
                    with open("/proc/%d/stat" % pid) as stat:
                        expect_equal("parent of %d" % pid, int(stat.read().rpartition(")")[2].split()[1]), pids[0])
                terminal.keys("End")
                terminal.wait_for(r"^> +%d " % pids[2], "the last process")
                terminal.keys("Enter")
                text = terminal.wait_for(r"of process %d" % pids[2], "its threads")
                expect_equal("threads called pacer in\n%s" % text, len(re.findall(r"^ +pacer ", text, re.M)), 1)
                terminal.keys("Escape")
                terminal.wait_for(r"^@ processes", "back at the tree")
                terminal.keys("t")
                terminal.wait_for(r"^@ threads", "all sections")
        finally:
            os.killpg(program.pid, 9)
            program.wait()


# ---- saving

def report(directory, *options):
    result = execute([REPORT, *options, directory])
    expect_equal("status of a report of %s, which says %r" % (directory, result.stderr[-200:]), result.status, 1)  # incomplete
    return result


def test_the_run_so_far_is_saved():
    """A report of it says that it ended there, has all until then, and does not change with the program. Where it cannot be written, a line says so."""
    here, gone = os.path.join(scratch(), "here"), os.path.join(scratch(), "gone")
    os.mkdir(here)
    os.mkdir(gone)
    with running(LASTS, program="paced") as (directory, pid):
        saved = os.path.join(here, os.path.basename(directory) + ".saved.1")
        with Terminal(directory, directory=here) as terminal:
            terminal.wait_for(r"running  by CPU", "the first frame")
            terminal.keys("s")
            terminal.wait_for(r"saved: ptrace-report run.saved.1", "saved")
            terminal.keys("s")
            terminal.wait_for(r"saved: ptrace-report run.saved.2", "saved once more")
        result = report(saved)
        expect(b"process %d was saved while it ran" % pid in result.stderr, "it says %r", result.stderr)
        text = result.stdout.decode()
        expect(re.search(r"^ +mutex +held_lock +lock +2 +1 ", text, re.M), "the wait under way is missing:\n%s", text)
        expect_equal("mode of the directory", os.stat(saved).st_mode & 0o777, 0o700)
        expect_equal("a report of the copy, later", report(saved).stdout, result.stdout)
        with Terminal(directory, shell="cd %s; rmdir %s; %s --interval 0.2 %s" % (gone, gone, TOP, directory)) as terminal:
            terminal.wait_for(r"running  by CPU", "the first frame")
            terminal.keys("s")
            terminal.wait_for(r"cannot be saved in the current directory: No such file", "nowhere to write to")
    expect_equal("a report of the copy, after the program's end", report(saved).stdout, result.stdout)

# SPDX-License-Identifier: MIT
"""README, tutorial, the pages for users and the man pages' examples: each command is run as it stands there, or a table says why
it is not, and pasted outputs have the shape of today's. The tutorial is followed to the letter."""
import json
import os
import re
import shutil
import subprocess
import xml.etree.ElementTree as xml

from page_commands import PAGES, commands, headings, labels, last_line_shape, read, run_all
from support import BUILD, ROOT, RUN, clean_environment, execute, expect, expect_equal, fail, full, need, part_skipped, scratch

BESIDE = True  # no case asserts a time

# Commands that are not run here, and why. Each line is of at least one command.
NOT_RUN = (
    (r"make\b", "the build around this test"),
    (r"cc \$\(pkg-config", "a program that names its parts, as section_doors compiles them"),
    (r"sudo make|scripts/install-deps", "changes the machine"),
    (r"mpirun|srun", "mpi_jobs and merge_mpi run jobs of each MPI library"),
    (r"docker|podman|kubectl", "needs a daemon or a cluster"),
    (r"sudo |debuginfod-find|export DEBUGINFOD|echo 'deb", "needs root, or the network"),
    (r"ptrace-attach|ptrace-report --section stuck 4711|ptrace-top --once", "needs a process that runs: test_examples_of_attaching, stuck and top have some"),
    (r"ptrace-report --section threads,stuck,notes hang.run", "the run of such a process"),
    (r"ptrace-run --hang-timeout", "stuck hangs"),
    (r"ptrace-report runs/1|ptrace-report --symbols ./image|ptrace-report 1$", "the run of a container"),
    (r"ptrace-report (small|\"run)", "the run of a job"),
    (r"ptrace-report \w+ (?:server|shared)\.run", "the stored runs: first_screens"),
    (r"ptrace-\w+ (--\w+ )*--per ", "the runs of a server: units"),
    (r"ptrace-report --section notes stuck", "the run of a program that was killed: robustness"),
    (r"ptrace-report --section notes$", "test_notes_where_perf_event_open_is_refused"),
    (r"echo \$\?", "the status of the line above, which is examined with it"),
)
# What stands for the programs of a page. They take a moment, with as many threads as OMP_NUM_THREADS says.
PROGRAM = """
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t all; /* so many threads live at once, however busy the machine is */
static volatile long sum;
static void *work(void *most)
{
	pthread_barrier_wait(&all);
	for (long i = 0; i < (long)most; i++) {
		pthread_mutex_lock(&lock);
		sum++;
		pthread_mutex_unlock(&lock);
	}
	pthread_barrier_wait(&all);
	return NULL;
}
int main(void)
{
	const char *words = getenv("OMP_NUM_THREADS");
	int count = words ? atoi(words) : 2;
	pthread_t threads[64];

	pthread_barrier_init(&all, NULL, count);
	for (int i = 0; i < count; i++)
		pthread_create(threads + i, NULL, work, (void *)(100000L / count));
	for (int i = 0; i < count; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
"""
PYTHON = """
import threading
threads = [threading.Thread(target=lambda: sum(range(100000))) for _ in range(3)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
"""
STAND_INS = ("app", "app-old", "app-new", "program", "program-old", "program-new", "words", "old/app", "new/app")
# Left out of a line that is run otherwise: programs that are not ours and need a browser, a network or a script from elsewhere.
FILTERS = (r" \| flamegraph\.pl > waits\.svg", r" && go tool pprof -http : run\.pb\.gz")
# Statuses that say something, and are no failure.
STATUSES = {"ptrace-diff": (0, 1, 3, 4), "ptrace-run ./static": (125,), "ptrace-report --format json new.1 | jq -e": (0, 1)}


def reason_not_run(command):
    return next((reason for pattern, reason in NOT_RUN if re.match(pattern, command.text)), None)


def home():
    """A directory in which the commands of the pages find what they name."""
    directory = scratch()
    source = os.path.join(directory, "program.c")
    with open(source, "w") as file:
        file.write(PROGRAM)
    os.mkdir(os.path.join(directory, "old"))
    os.mkdir(os.path.join(directory, "new"))
    for name in STAND_INS:
        target = os.path.join(directory, name)
        if name == "app":
            subprocess.run([need("cc"), "-O1", "-g", source, "-o", target, "-pthread"], check=True)
        else:
            shutil.copy(os.path.join(directory, "app"), target)
    is_static = subprocess.run([need("cc"), "-static", source, "-o", os.path.join(directory, "static"), "-pthread"], capture_output=True)
    if is_static.returncode:
        part_skipped("no static libc")
    with open(os.path.join(directory, "data"), "wb") as file:
        file.write(os.urandom(1 << 18))
    with open(os.path.join(directory, "work.py"), "w") as file:
        file.write(PYTHON)
    return directory


def lacks(command):
    """A program in it that is not installed."""
    return next((word for word in ("pigz", "jq", "sqlite3", "debuginfod-find", "gzip") if re.search(r"\b%s\b" % word, command.text)
                 and not shutil.which(word)), None)


def runnable(page):
    chosen = []
    for command in commands(page):
        missing = lacks(command)
        if missing:
            part_skipped("%s is not installed" % missing)
        elif not reason_not_run(command):
            for pattern in FILTERS:
                command.text = re.sub(pattern, "", command.text)
            chosen.append(command)
    return chosen


def is_as_wanted(command):
    wanted = next((s for start, s in STATUSES.items() if command.text.startswith(start)), (0,))
    return command.status in wanted


def run_page(page, setup=""):
    """Runs the commands of a page; each ends well."""
    ran = run_all(runnable(page), home(), setup)
    for command in ran:
        expect(is_as_wanted(command), "%s: status %s, output: %s", command, command.status, command.output[-500:])
    return ran


def compare_columns(what, pasted, printed, has_all):
    """Sections and their columns that a page shows are those of today's output; a stand-in may lack some of the sections."""
    today = headings(printed)
    for section, columns in headings(pasted).items():
        expect(section in today or not has_all, "%s prints no %r today, but: %s", what, section, sorted(today))
        if section in today and columns and today[section]:
            # ptrace-diff has changes, limits and verdicts where there are any: a busy machine makes some, and of others none
            shown, printed_now = (re.sub(r" (?:change|limit|verdict)\b", "", line) for line in (columns, today[section]))
            expect_equal("columns of %r of %s" % (section, what), shown, printed_now)


def compare_shapes(command, has_all=False):
    """Sections, columns, rows of the overview, and what ptrace-run prints."""
    compare_columns(command, command.pasted, command.output.splitlines(), has_all)
    # what weakens figures differs from run to run
    known = labels(command.output.splitlines(), "overview") + ["careful", "not seen"]
    unknown = [word for word in labels(command.pasted, "overview") if word not in known]
    expect(not unknown, "%s: rows %s of the overview are not there today: %s", command, unknown, known)
    own = [line for line in command.pasted if re.match(r"ptrace-run: efficiency", line)]
    for line in own[:1]:
        lines = [last_line_shape(text) for text in command.output.splitlines()]
        expect(last_line_shape(line) in lines, "%s prints no %r today, but %s", command, last_line_shape(line), lines)


# The tutorial

@full
def test_tutorial_is_followed_to_the_letter():
    """Its commands in their order, in a directory like that of the source; outputs have its shape; CI's recipe reads its runs."""
    directory = scratch()
    os.symlink(os.path.join(ROOT, "docs"), os.path.join(directory, "docs"))
    os.symlink(BUILD, os.path.join(directory, "build"))
    ran = run_all(commands("docs/tutorial.md"), directory)
    expect(len(ran) >= 14, "commands of the tutorial: %d", len(ran))
    for command in ran:
        wanted = (0, 3) if command.text.startswith("ptrace-diff") else (0,)
        expect(command.status in wanted, "%s: status %s, output: %s", command, command.status, command.output[-500:])
        compare_shapes(command, has_all=True)
    check_whole_report(directory)
    counts = [line for command in ran for line in command.output.splitlines() if line.endswith("different")]
    expect_equal("what the programs count", set(counts), {"7190121 words, 18252 different"})
    check_problem_matcher(directory)


def check_whole_report(directory):
    """That of docs/reading.md is of the first program; the last has all of its sections but those of locks."""
    pasted = read("docs/reading.md").split("<!-- pasted from make demo -->")[1].split("<!-- end -->")[0]
    printed = execute(["ptrace-report", "old.1"], tool_environment({}), directory=directory).stdout.decode().splitlines()
    expect(len(headings(pasted.splitlines())) >= 7, "sections of the whole report: %s", headings(pasted.splitlines()))
    compare_columns("docs/reading.md", pasted.splitlines(), printed, False)


def block(page, language, word):
    """The fenced block that has the word."""
    found = [text for text in re.findall(r"```%s\n(.*?)```\n" % language, read(page), re.S) if word in text]
    return found[0] if found else fail("%s has no block of %s with %r", page, language, word)


def tool_environment(extra):
    return clean_environment(dict(extra, PATH="%s/bin:%s" % (BUILD, os.environ["PATH"])))


def check_problem_matcher(directory):
    """VS Code's pattern finds file, line and text in what the task prints."""
    task = json.loads(block("docs/recipes.md", "json", "problemMatcher"))["tasks"][0]
    pattern = task["problemMatcher"]["pattern"]
    lines = execute(["ptrace-report", "--format", "quickfix", "words.ptrace.3"], tool_environment({}), directory=directory).stdout.decode()
    found = [re.match(pattern["regexp"], line) for line in lines.splitlines()]
    expect(found and all(found), "lines that the pattern does not find: %s", lines)
    expect(any(m.group(pattern["file"]).endswith("words.c") for m in found), "words.c is in none of: %s", lines)


# The recipe of continuous integration

def slow_and_fast():
    """Three runs of each, whose difference no other program can hide: their start may take a second beside many others."""
    directory = scratch()
    started = [subprocess.Popen([RUN, "-q", "-o", "%s.%d" % (name, number), "sleep", seconds], cwd=directory, env=clean_environment())
               for number in (1, 2, 3) for name, seconds in (("slow", "4"), ("fast", "0.05"))]
    expect_equal("statuses", [process.wait() for process in started], [0] * len(started))
    return directory


def step_of_github():
    return re.search(r"- name: Compare\n +run: \|\n((?: {10}.*\n)+)", block("docs/ci.md", "yaml", "GITHUB_STEP_SUMMARY")).group(1)


def script_of_gitlab():
    return re.search(r"    - \|\n((?: {6}.*\n)+)", block("docs/ci.md", "yaml", "allow_failure")).group(1)


def place_of_programs(**seconds):
    """A directory with old/app and ./app, which sleep so long."""
    place = scratch()
    os.mkdir(os.path.join(place, "old"))
    for path, duration in seconds.items():
        path = os.path.join(place, path.replace("_", "/"))
        with open(path, "w") as file:
            file.write("#!/bin/sh\nexec sleep %s\n" % duration)
        os.chmod(path, 0o755)
    return place


def check_step(wanted, **programs):
    """The script that compares, as it stands in either workflow; its files are what the workflow takes."""
    place = place_of_programs(**programs)
    summary = os.path.join(place, "summary")
    # as such workflows run their steps
    result = execute(["bash", "-e", "-c", step_of_github()], tool_environment({"GITHUB_STEP_SUMMARY": summary}), directory=place)
    expect_equal("status of the step with %s: %s" % (programs, result.stderr_text()[-300:]), result.status, wanted)
    if wanted in (0, 1):
        with open(summary) as file:
            expect("| elapsed time |" in file.read(), "the summary of the step has no elapsed time")
    place = place_of_programs(**programs)
    result = execute(["sh", "-e", "-c", script_of_gitlab()], tool_environment({}), directory=place)
    expect_equal("status of the script with %s: %s" % (programs, result.stderr_text()[-300:]), result.status, wanted)
    if wanted in (0, 1):
        failures = xml.parse(os.path.join(place, "diff.xml")).getroot()[0].findall("testcase[@name='elapsed']/failure")
        expect_equal("failures", len(failures), wanted)


def test_recipe_of_continuous_integration():
    """Better passes, worse fails, and so does what cannot be run, by the scripts of the page; the statuses are those that it says."""
    check_step(0, old_app="1", app="0.05")
    check_step(1, old_app="0.05", app="1")
    check_step(2, app="0.05")
    directory = slow_and_fast()
    slow, fast = (["%s.%d" % (name, i) for i in (1, 2, 3)] for name in ("slow", "fast"))
    for words, wanted in (([*slow, "--", *fast], 3), ([*fast, "--", *slow], 1), (["slow.1", "slow.1"], 0), (["slow.1", "."], 2)):
        expect_equal("status of %s" % words, execute(["ptrace-diff", *words], tool_environment({}), directory=directory).status, wanted)


# The other pages

@full
def test_commands_of_the_pages_run():
    """Each command of README and of the pages for users that is not in NOT_RUN."""
    setup = "for i in 1 2 4; do OMP_NUM_THREADS=$i ptrace-run -q -o run.$i ./app; done; cp -r run.1 app.ptrace.1"
    for page in [p for p in PAGES if not p.endswith(".1") and p != "docs/tutorial.md" and runnable(p)]:
        for command in run_page(page, setup):
            compare_shapes(command)


@full
def test_examples_of_the_man_pages_run():
    """The same of the sections EXAMPLES."""
    ran = run_page("docs/man/ptrace-run.1")
    for page in [p for p in PAGES if p.endswith(".1") and not p.endswith("run.1") and runnable(p)]:
        # the examples of reading have a run, those of the report the run that its first example makes
        ran += run_page(page, "ptrace-run -q -o myrun ./app")
    for command in ran:
        compare_shapes(command)
    refused = [c for c in ran if c.text == "ptrace-run ./static"]
    expect(refused and "statically linked" in refused[0].output, "what is said of a static program")
    expect_equal("what is printed of it", "".join(refused[0].output.split()), "".join("".join(refused[0].pasted[:2]).split()))


def attach_shape(line):
    """Without numbers of processes, their names, times and directories."""
    for pattern, word in ((r"\S*/", ""), (r"(process|thread) \d+", r"\1 N"), (r"\(\w+\)", "(NAME)"), (r"\d+(\.\d+)? (m|u|n)?s\b", "TIME")):
        line = re.sub(pattern, word, line)
    return line


def test_examples_of_attaching():
    """Those of ptrace-attach(1), to a process that runs: each says what the page shows, but for figures and directories."""
    directory, shown = home(), commands("docs/man/ptrace-attach.1")
    expect(len(shown) >= 3, "examples of ptrace-attach: %d", len(shown))
    server = subprocess.Popen(["sleep", "60"], env=clean_environment())
    try:
        for command in shown:
            command.text = re.sub(r"\d+$", str(server.pid), command.text)
        ran = run_all(shown, directory)
    finally:
        server.kill()
        server.wait()
    for command in ran:
        expect_equal("status of %s" % command, command.status, 0)
        expect_equal("lines of %s" % command, [attach_shape(line) for line in command.output.splitlines()],
                     [attach_shape(line) for line in command.pasted if line.startswith("ptrace-attach:")])


def test_notes_where_perf_event_open_is_refused():
    """Those that docs/containers.md shows."""
    directory = home()
    tool = [os.path.join(BUILD, "tests", "no_perf"), os.path.join(BUILD, "bin", "ptrace-run"), "-q", "-e", "page-faults", "./app"]
    expect_equal("status", execute(tool, clean_environment(), directory=directory).status, 0)
    shown = next(c for c in commands("docs/containers.md") if c.text == "ptrace-report --section notes")
    printed = execute(["ptrace-report", "--section", "notes"], tool_environment({}), directory=directory).stdout.decode()
    # what follows "..." is of the program
    pasted = " ".join(" ".join(shown.pasted).split("...")[0].split())
    today = " ".join(printed.split())[:len(pasted) + 40]
    expect(re.sub(r"\d+", "N", today).startswith(re.sub(r"\d+", "N", pasted)), "notes are %s, the page has %s", today, pasted)


def test_each_reason_not_to_run_is_needed():
    every = [c for page in PAGES for c in commands(page)]
    expect(len(every) > 70, "commands of all pages: %d", len(every))
    unused = [pattern for pattern, _ in NOT_RUN if not any(re.match(pattern, c.text) for c in every)]
    expect(not unused, "no command of a page is %s", unused)
    run = [c for c in every if not reason_not_run(c)]
    expect(len(run) > 45, "commands that are run: %d", len(run))
